// Algorithm 1: paths that cross nothing, whatever the target.
#include <doctest/doctest.h>

#include <random>

#include "sim/collision/free_path/two_way_steps.h"
#include "sim/collision/surface/lift_out.h"
#include "sim/collision/two_way/two_way_params.h"
#include "sim/mesh/topology.h"
#include "sim/run/simulation.h"
#include "sim/scene/text/scene_file.h"
#include "tests/safety/paths.h"

using namespace weft;

namespace {

/// Two sheets of 15 mm edges, 3 mm apart, above a ball.
Scene sheets_above_a_ball() {
  Scene scene;
  scene.set("step.collision", "two_way");
  for (int k = 0; k < 2; ++k) {
    Cloth c;
    c.name = k ? "upper" : "lower";
    c.size = {0.15f, 0.15f}, c.edge = 0.015f;
    c.placement.position = {0, 0.2f + 0.003f * float(k), 0};
    c.placement.rotation = {-90, 20.0f * float(k), 0};
    scene.cloths.push_back(c);
  }
  Obstacle ball;
  ball.shape = ObstacleShape::sphere, ball.size.x = 0.05f;
  ball.placement.position = {0, 0.145f, 0};
  scene.obstacles.push_back(ball);
  return scene;
}

/// All that TwoWaySteps needs, and nothing of a time step.
struct Bench {
  Scene scene;
  std::unique_ptr<Device> device;
  std::vector<vec3> start, body;
  std::vector<std::string> notices;
  Model model;
  GrowingLists growing;
  Bodies bodies;
  ContactSurface surface;
  Buffer<vec3> base, displacement, target;
  struct {
    Buffer<vec3> now, start;
  } points;  // of bodies
  Buffer<int> kinematic;
  TwoWaySteps steps;

  explicit Bench(Scene s, int threads = 0)
      : scene(std::move(s)),
        device(Device::create(DeviceChoice::cpu, threads)),
        model(scene, *device, start),
        growing(*device),
        bodies(growing, scene, notices),
        surface(*device, model, scene, bodies),
        base(*device, "base", start),
        displacement(*device, "d", int(start.size())),
        target(*device, "t", int(start.size())),
        points{Buffer<vec3>(*device, "body", surface.body_positions(scene, bodies, 0)),
               Buffer<vec3>(*device, "body", surface.body_positions(scene, bodies, 0))},
        kinematic(*device, "k", int(start.size())),
        steps(growing, surface, all()) {
    surface.set_step(scene, bodies, 0.01, 0.01f);
  }
  std::vector<vec3> all() const {
    std::vector<vec3> p = start;
    const auto more = surface.body_positions(scene, bodies, 0);
    p.insert(p.end(), more.begin(), more.end());
    return p;
  }
  /// From the start to start + `ways`; every piece of the path goes to `piece`. What was tried with a list
  /// that was too short is void, and not shown.
  void handle(const std::vector<vec3>& ways,
              const std::function<void(const std::vector<vec3>&, const std::vector<vec3>&)>& piece = {}) {
    target.upload(ways);
    std::vector<std::vector<vec3>> corners;
    if (piece) steps.watch_path([&](const std::vector<vec3>& x) { corners.push_back(x); });
    do {
      displacement.clear();
      points.now.upload(surface.body_positions(scene, bodies, 0));
      points.start.upload(surface.body_positions(scene, bodies, 0));
      corners.clear();
      steps.prepare(scene.of<TwoWayParams>());
      steps.begin(model.mass.span(), kinematic.span(), scene.of<TwoWayParams>().repulsion);
      steps.handle(bodies.view(), base.span(), displacement.span(), target.span(), points.now.span(),
                   points.start.span());
    } while (!growing.fit());
    for (size_t k = 1; k < corners.size(); ++k) piece(corners[k - 1], corners[k]);
  }
};

std::vector<vec3> wild_ways(int count, std::mt19937& random, float reach) {
  std::uniform_real_distribution<float> any(-1, 1);
  std::vector<vec3> ways;
  const vec3 common = reach * vec3(any(random), any(random) - 1, any(random));
  for (int i = 0; i < count; ++i)
    ways.push_back(common + 0.3f * reach * vec3(any(random), any(random), any(random)));
  return ways;
}

}  // namespace

TEST_CASE("no piece of a two-way path touches anything on its way, whatever the target" *
          doctest::test_suite("slow")) {
  std::mt19937 random(1);
  int pieces = 0;
  for (int trial = 0; trial < 12; ++trial) {
    Scene scene = sheets_above_a_ball();
    scene.set("two_way.bound", trial % 2 ? "planes" : "half_distance");
    scene.set("two_way.together", trial % 4 < 2 ? "true" : "false");
    scene.set("two_way.form", trial % 3 ? "volume" : "gap");
    scene.set("two_way.normals", trial % 5 < 2 ? "segments" : "surface");
    scene.set("two_way.step_limit", "40");
    Bench bench(std::move(scene));
    std::vector<ivec3> triangles = bench.surface.host_triangles();
    const check::Surface all{std::span<const ivec3>(triangles), bench.model.triangle_count()};
    int touching = 0;
    bench.handle(
        wild_ways(int(bench.start.size()), random, 0.02f * float(1 + trial % 4)),
        [&](const std::vector<vec3>& a, const std::vector<vec3>& b) {
          ++pieces;
          touching +=
              !check::find_path_contacts(std::span<const vec3>(a), std::span<const vec3>(b), all).empty();
        });
    CAPTURE(trial);
    CHECK(touching == 0);
  }
  CHECK(pieces > 200);
}

TEST_CASE("cloth with nothing in its way arrives, in a few steps however far") {
  Scene scene = sheets_above_a_ball();
  Bench bench(std::move(scene));
  std::vector<vec3> ways(bench.start.size(), vec3(0.02f, 0.4f, -0.01f));  // up and away
  bench.handle(ways);
  const std::vector<vec3> d = bench.displacement.download();
  float worst = 0;
  for (size_t i = 0; i < d.size(); ++i) worst = std::max(worst, glm::length(d[i] - ways[i]));
  CHECK(worst < 1e-4f * 0.4f);  // the threshold of the method, of the way
  CHECK(bench.steps.progress().total_steps < 512);
}

TEST_CASE("cloth pressed against a ball stays out of it and near where it was pressed") {
  Scene scene = sheets_above_a_ball();
  Bench bench(std::move(scene));
  bench.handle(std::vector<vec3>(bench.start.size(), vec3(0, -0.004f, 0)));
  const std::vector<vec3> d = bench.displacement.download();
  int in_front = 0;
  for (size_t i = 0; i < d.size(); ++i) {
    const vec3 p = bench.start[i] + d[i];
    // the ball's mesh is inside of the ball by its facets
    CHECK(glm::length(p - vec3(0, 0.145f, 0)) > 0.05f * 0.98f);
    in_front += glm::length(vec3(p.x, 0, p.z)) < 0.02f;
  }
  CHECK(in_front > 0);
}

namespace {

/// Per point what a method leaves out of such a start: what crosses, and pairs without room (30 micrometres;
/// the mesh decides whether there are any).
std::vector<int> crossing_or_touching(const Bench& bench) {
  const std::vector<vec3>& x = bench.start;
  std::vector<int> marks = surface_crossings(bench.all(), bench.surface.host_triangles(),
                                             {int(x.size()), bench.model.triangle_count()})
                               .points;
  const float room = 3e-5f;
  const auto leave = [&](const ivec4& p, float squared) {
    for (int k = 0; k < 4 && squared < room * room; ++k) marks[size_t(p[k])] |= 1;
  };
  const auto at = [&](int i) { return x[size_t(i)]; };
  for (int v = 0; v < int(x.size()); ++v)
    for (const ivec3& t : bench.surface.host_triangles())
      if (v != t.x && v != t.y && v != t.z)
        leave({v, t.x, t.y, t.z}, closest_vertex_triangle(at(v), at(t.x), at(t.y), at(t.z)).squared);
  const std::vector<ivec2>& edges = bench.surface.host_edges();
  for (size_t i = 0; i < edges.size(); ++i)
    for (size_t j = i + 1; j < edges.size(); ++j) {
      const ivec2 a = edges[i], b = edges[j];
      if (a.x == b.x || a.x == b.y || a.y == b.x || a.y == b.y) continue;
      leave({a.x, a.y, b.x, b.y}, closest_edge_edge(at(a.x), at(a.y), at(b.x), at(b.y)).squared);
    }
  return marks;
}

}  // namespace

TEST_CASE("where cloth crosses from the start steps end early, and the rest of it arrives all the same") {
  Scene scene;
  scene.contact.ground = false;
  for (const float height : {0.0f, 0.02f, 0.5f}) {  // two through each other, one far away
    Cloth c;
    c.name = "sheet " + std::to_string(scene.cloths.size());
    c.size = {0.1f, 0.1f}, c.edge = 0.01f;
    c.placement.position = {0, height, 0};
    c.placement.rotation = {scene.cloths.size() == 1 ? 0.0f : -90.0f, 15, 0};
    scene.cloths.push_back(c);
  }
  scene.set("two_way.step_limit", "2048");
  const auto steps_taken = [&](bool left_out) {
    Bench bench(scene);
    if (left_out) bench.steps.search().leave_out(crossing_or_touching(bench));
    bench.handle(std::vector<vec3>(bench.start.size(), vec3(0.001f, -0.03f, 0)));
    const std::vector<vec3> d = bench.displacement.download();
    float worst = 0;
    for (size_t i = 0; i < d.size(); ++i)
      if (bench.start[i].y > 0.4f) worst = std::max(worst, glm::length(d[i] - vec3(0.001f, -0.03f, 0)));
    CHECK(worst < 1e-4f * 0.03f);
    return bench.steps.progress().total_steps;
  };
  // How many it takes until a hundred are in vain depends on the mesh: one where no pair is without room,
  // else 140 to 600.
  const int jammed = steps_taken(false), free = steps_taken(true);
  CHECK(jammed < 2048);
  // What crosses no longer holds up what moves along with it: all move alike, which is one step.
  CHECK(free <= 2);
}

TEST_CASE("two-way paths do not depend on the number of threads") {
  std::mt19937 random(2);
  std::vector<std::vector<vec3>> ends;
  std::vector<vec3> ways;
  for (int threads : {1, 2}) {
    Bench bench(sheets_above_a_ball(), threads);
    if (ways.empty()) ways = wild_ways(int(bench.start.size()), random, 0.02f);
    bench.handle(ways);
    ends.push_back(bench.displacement.download());
  }
  CHECK(ends[0] == ends[1]);
}

TEST_CASE("Jacobi and Gauss-Seidel both keep a sheet off a ball, Jacobi in more steps") {
  int steps[2];
  for (int jacobi = 0; jacobi < 2; ++jacobi) {
    Scene scene = sheets_above_a_ball();
    scene.set("two_way.lcp", jacobi ? "jacobi" : "gauss_seidel");
    Bench bench(std::move(scene));
    bench.handle(std::vector<vec3>(bench.start.size(), vec3(0, -0.01f, 0)));
    steps[jacobi] = bench.steps.progress().total_steps;
    CHECK(bench.steps.progress().residual < 1e-3f);
  }
  MESSAGE("steps: Gauss-Seidel " << steps[0] << ", Jacobi " << steps[1]);
  CHECK(steps[1] >= steps[0]);
}

namespace {

/// A patch above the corner of a box.
Scene patch_above_a_corner() {
  Scene scene;
  scene.set("step.collision", "two_way");
  scene.set("two_way.step_limit", "2048");
  Cloth patch;
  patch.size = {0.2f, 0.2f}, patch.edge = 0.014f;
  patch.placement.position = {0, 0.2f, 0};
  patch.placement.rotation = {-90, 0, 0};
  scene.cloths.push_back(patch);
  Obstacle box;
  box.shape = ObstacleShape::box, box.size = vec3(0.1f);
  box.placement.position = {0, 0.11f, 0};
  box.placement.rotation = {0, 20, 54.7356f};  // with a corner up, after the turn about its own axis
  scene.obstacles.push_back(box);
  return scene;
}

/// Where the solver wants a patch that turns by an angle (degrees) about the vertical and sinks.
std::vector<vec3> turned(const std::vector<vec3>& start, float angle, float sinks) {
  const float c = std::cos(glm::radians(angle)), s = std::sin(glm::radians(angle));
  std::vector<vec3> ways;
  for (const vec3& p : start) ways.push_back(vec3(c * p.x + s * p.z, p.y - sinks, c * p.z - s * p.x) - p);
  return ways;
}

}  // namespace

TEST_CASE("a patch that turns above a corner takes curved paths, crosses nothing and is not stretched") {
  Bench bench(patch_above_a_corner());
  std::vector<std::vector<vec3>> corners{bench.all()};
  std::vector<ivec3> triangles = bench.surface.host_triangles();
  const check::Surface all{std::span<const ivec3>(triangles), bench.model.triangle_count()};
  int touching = 0;
  bench.handle(turned(bench.start, 125, 0.03f), [&](const std::vector<vec3>& a, const std::vector<vec3>& b) {
    corners.push_back(b);
    touching += !check::find_path_contacts(std::span<const vec3>(a), std::span<const vec3>(b), all).empty();
  });
  const std::vector<vec3>&first = corners.front(), &last = corners.back();
  float bent = 0,
        longest = 0;  // of the patch's points, m: path less straight way; of its edges over its start
  for (size_t i = 0; i < bench.start.size(); ++i) {
    float path = 0;
    for (size_t k = 1; k < corners.size(); ++k) path += glm::length(corners[k][i] - corners[k - 1][i]);
    bent = std::max(bent, path - glm::length(last[i] - first[i]));
  }
  for (const ivec2& e : bench.surface.host_edges())
    if (e.y < bench.surface.cloth_points() && e.x < bench.surface.cloth_points())
      longest = std::max(longest, glm::length(last[size_t(e.x)] - last[size_t(e.y)]) /
                                      glm::length(first[size_t(e.x)] - first[size_t(e.y)]));
  MESSAGE((corners.size() - 1) << " pieces, paths longer than straight ones by up to " << 1e3f * bent
                               << " mm, longest edge " << longest);
  CHECK(touching == 0);
  CHECK(bent > 0.01f);
  CHECK(longest < 1.1f);
}

namespace {

/// Two sheets pressed onto a ball: how many steps that takes, and how much of the way is left.
struct Pressed {
  int steps = 0;
  float residual = 0;
};
Pressed pressed_with(const char* lcp) {
  Scene scene = sheets_above_a_ball();
  scene.set("two_way.lcp", lcp);
  Bench bench(std::move(scene));
  bench.handle(std::vector<vec3>(bench.start.size(), vec3(0, -0.01f, 0)));
  const auto p = bench.steps.progress();
  return {p.total_steps, p.residual};
}

}  // namespace

TEST_CASE("five Gauss-Seidel iterations of a backward step keep sheets off a ball in fewer steps than one") {
  const Pressed one = pressed_with("gauss_seidel"), five = pressed_with("gauss_seidel_5");
  MESSAGE("steps: one iteration " << one.steps << ", five " << five.steps);
  CHECK(five.residual < 1e-3f);
  CHECK(five.steps < one.steps);
}

namespace {

/// For each point: the smallest distance of all pairs of primitives that it is a corner of (D of eq. 15), by
/// brute force; at most `most`.
std::vector<float> nearest_of_all(const ContactSurface& surface, const std::vector<vec3>& x, float most) {
  std::vector<float> nearest(x.size(), most);
  const auto at = [&](int i) { return x[size_t(i)]; };
  const auto of_cloth = [&](int i) { return i < surface.cloth_points(); };
  const auto take = [&](const ivec4& p, const ClosestPair<float>& c) {
    for (int k = 0; k < 4; ++k) nearest[size_t(p[k])] = std::min(nearest[size_t(p[k])], std::sqrt(c.squared));
  };
  for (int v = 0; v < surface.points(); ++v)
    for (const ivec3& t : surface.host_triangles())
      if ((of_cloth(v) || of_cloth(t.x)) && v != t.x && v != t.y && v != t.z)
        take({v, t.x, t.y, t.z}, closest_vertex_triangle(at(v), at(t.x), at(t.y), at(t.z)));
  const std::vector<ivec2>& edges = surface.host_edges();
  for (size_t i = 0; i < edges.size(); ++i)
    for (size_t j = i + 1; j < edges.size(); ++j) {
      const ivec2 a = edges[i], b = edges[j];
      if (!(of_cloth(a.x) || of_cloth(b.x)) || a.x == b.x || a.x == b.y || a.y == b.x || a.y == b.y) continue;
      take({a.x, a.y, b.x, b.y}, closest_edge_edge(at(a.x), at(a.y), at(b.x), at(b.y)));
    }
  return nearest;
}

}  // namespace

TEST_CASE(
    "the bound that is shown of a vertex is half of gamma times the distance to what was nearest before the "
    "last forward step") {
  for (const char* bound : {"planes", "half_distance"}) {
    Scene scene = sheets_above_a_ball();
    scene.set("two_way.bound", bound);
    scene.of<TwoWayParams>().search_min = 0.005f;
    Bench bench(scene);
    std::vector<vec3> before;  // where the last piece began
    bench.handle(std::vector<vec3>(bench.start.size(), vec3(0, -0.008f, 0)),
                 [&](const std::vector<vec3>& from, const std::vector<vec3>&) { before = from; });
    Buffer<float> shown(*bench.device, "bounds", int(bench.start.size()));
    bench.steps.bounds(shown.span());
    const std::vector<float> bounds = shown.download(),
                             nearest = nearest_of_all(bench.surface, before, 0.005f);
    const float half_gamma = 0.5f * scene.of<TwoWayParams>().damping;
    int near = 0;
    for (size_t v = 0; v < bounds.size(); ++v) {
      // less what rounding may do, some 1e-7 m
      CHECK(bounds[v] == doctest::Approx(half_gamma * nearest[v]).epsilon(1e-3));
      near += nearest[v] < 0.0025f;
    }
    CHECK(near > 20);
  }
}
