// What two-way handling shows of itself: pairs in contact, bounds, and bodies where they really are.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "sim/collision/bodies/bodies.h"
#include "sim/collision/surface/lift_out.h"
#include "sim/collision/two_way/two_way_params.h"
#include "sim/mesh/algorithms/crossing_triangles.h"
#include "sim/methods/collision_handler.h"
#include "sim/run/simulation.h"

using namespace weft;

namespace {

Cloth small_sheet(const char* name, vec3 at, float turned) {
  Cloth c;
  c.name = name;
  c.size = {0.15f, 0.15f}, c.edge = 0.015f;
  c.placement.position = at;
  c.placement.rotation = {-90, turned, 0};
  return c;
}

/// Two sheets that lie on a ball, one on the other.
Scene sheets_on_a_ball() {
  Scene scene;
  scene.set("step.collision", "two_way");
  scene.of<TwoWayParams>().search_min = 0.005f;
  scene.cloths = {small_sheet("lower", {0, 0.199f, 0}, 0), small_sheet("upper", {0, 0.203f, 0}, 20)};
  Obstacle ball;
  ball.shape = ObstacleShape::sphere, ball.size.x = 0.05f;
  ball.placement.position = {0, 0.145f, 0};
  scene.obstacles.push_back(ball);
  return scene;
}

/// A sheet on the floor, and a box that comes down on it further than there is room, and goes up again.
Scene press(const char* method) {
  Scene scene;
  scene.set("step.collision", method);
  scene.contact.bodies_wait = true;
  scene.cloths = {small_sheet("sheet", {0, 0.01f, 0}, 0)};
  Obstacle box;
  box.name = "press", box.shape = ObstacleShape::box;
  box.size = {0.2f, 0.05f, 0.2f};
  box.placement.position = {0, 0.075f, 0};
  box.motion.keys = {{0.1f, vec3(0), vec3(0)},
                     {0.4f, {0, -0.051f, 0}, vec3(0)},
                     {0.5f, {0, -0.051f, 0}, vec3(0)},
                     {0.7f, {0, 0.1f, 0}, vec3(0)}};
  scene.obstacles.push_back(box);
  return scene;
}

struct Whole {
  std::vector<vec3> x;
  std::vector<ivec3> triangles;
  int cloth_points = 0, cloth_triangles = 0;
  explicit Whole(Simulation& sim)
      : x(sim.positions()),
        triangles(sim.model().host.triangles),
        cloth_points(int(x.size())),
        cloth_triangles(int(triangles.size())) {
    for (const ObstacleView& o : sim.obstacles()) {
      const TriMesh& mesh = sim.obstacle_meshes()[size_t(o.index)];
      for (const ivec3& t : mesh.triangles) triangles.push_back(t + ivec3(int(x.size())));
      for (const vec3& p : o.deformed ? *o.deformed : mesh.positions)
        x.push_back(vec3(o.transform * vec4(p, 1)));
    }
  }
};

/// Whether `place` lies on an edge at `vertex`.
bool in_edge_at(const Topology& t, int vertex, const vec3& place, const std::vector<vec3>& x) {
  return std::any_of(t.edges.begin(), t.edges.end(), [&](const ivec2& e) {
    if (e.x != vertex && e.y != vertex) return false;
    const dvec3 a(x[size_t(e.x)]), b(x[size_t(e.y)]), p(place);
    return std::abs(glm::length(p - a) + glm::length(p - b) - glm::length(b - a)) < 1e-6;
  });
}

}  // namespace

TEST_CASE(
    "bounds are known after a step of a method that has them, and nowhere larger than half of gamma times "
    "what it searches") {
  auto device = Device::create(DeviceChoice::cpu, 0);
  Simulation sim(sheets_on_a_ball(), *device);
  CHECK(sim.device_field("bound").empty());
  for (int k = 0; k < 25; ++k) sim.step();
  const Span<const float> bound = sim.device_field("bound");
  REQUIRE(bound.size == sim.model().vertex_count());
  const float largest =
      0.5f * sim.scene().of<TwoWayParams>().damping * sim.scene().of<TwoWayParams>().search_min;
  CHECK(*std::max_element(bound.data, bound.data + bound.size) <= largest * 1.0001f);
  CHECK(*std::min_element(bound.data, bound.data + bound.size) > 0);
  CHECK(std::count_if(bound.data, bound.data + bound.size, [&](float b) { return b < 0.5f * largest; }) > 50);
  sim.apply(SetParam{"step.collision", "bodies"});
  sim.step();
  CHECK(sim.device_field("bound").empty());
  sim.apply(SetParam{"step.collision", "two_way"});
  sim.step();
  CHECK_FALSE(sim.device_field("bound").empty());
  sim.reset();
  CHECK(sim.device_field("bound").empty());
}

TEST_CASE("pairs in contact have their kind, and ends on both sides no further apart than contact begins") {
  auto device = Device::create(DeviceChoice::cpu, 0);
  Simulation sim(sheets_on_a_ball(), *device);
  CHECK(sim.contact_pairs(1000).empty());
  for (int k = 0; k < 25; ++k) sim.step();
  const StepStats stats = sim.stats();
  const auto pairs = sim.contact_pairs(100000);
  CHECK(int(pairs.size()) == stats.self_pairs);
  const Whole w(sim);
  int count[kContactKinds] = {};
  for (const ContactPair& p : pairs) {
    ++count[int(p.kind)];
    REQUIRE(std::max(p.points.x, p.points.y) < int(w.x.size()));
    CHECK((p.kind == ContactKind::body) == (std::max(p.points.x, p.points.y) >= w.cloth_points));
    // Each end belongs to the primitive whose corner is named: an edge of the mesh, stretched, away at most.
    CHECK(glm::length(p.a - w.x[size_t(p.points.x)]) < 0.02f);
    CHECK(glm::length(p.b - w.x[size_t(p.points.y)]) < 0.02f);
    CHECK(glm::length(p.a - p.b) < 0.006f);
    // Ends at vertices are there; insides of edges and triangles are away from their corners by what float32
    // can tell at least.
    const auto at_vertex = [&](const vec3& end, int point) {
      return glm::length(end - w.x[size_t(point)]) < 1e-7f;
    };
    const int vertices = at_vertex(p.a, p.points.x) + at_vertex(p.b, p.points.y);
    if (p.kind == ContactKind::edge_edge) CHECK(vertices == 0);
    if (p.kind == ContactKind::vertex_triangle || p.kind == ContactKind::vertex_edge) CHECK(vertices == 1);
    if (p.kind == ContactKind::vertex_vertex) CHECK(vertices == 2);
    if (p.kind == ContactKind::vertex_edge) {
      const bool first = at_vertex(p.a, p.points.x);
      CHECK(in_edge_at(sim.model().host, first ? p.points.y : p.points.x, first ? p.b : p.a, w.x));
    }
  }
  CHECK(count[int(ContactKind::vertices)] == 0);
  for (const ContactKind kind : {ContactKind::vertex_triangle, ContactKind::edge_edge, ContactKind::body})
    CHECK(count[int(kind)] > 0);
  CHECK(int(sim.contact_pairs(10).size()) <= 10);
  sim.reset();
  CHECK(sim.contact_pairs(1000).empty());
}

TEST_CASE("vertices straight above vertices are in contact as such") {
  auto device = Device::create(DeviceChoice::cpu, 0);
  Scene scene = sheets_on_a_ball();
  scene.obstacles.clear();
  scene.contact.ground = false;
  scene.cloths = {small_sheet("lower", {0, 0.5f, 0}, 0), small_sheet("upper", {0, 0.5009f, 0}, 0)};
  Simulation sim(scene, *device);
  sim.step();
  const int half = sim.model().vertex_count() / 2;
  std::set<int> met;
  for (const ContactPair& p : sim.contact_pairs(100000))
    if (p.kind == ContactKind::vertex_vertex) {
      CHECK(std::abs(p.points.x - p.points.y) == half);
      met.insert(std::min(p.points.x, p.points.y));
    }
  CHECK(int(met.size()) > half / 8);  // rounding moves the others off each other
}

TEST_CASE(
    "a body that cloth holds up is shown where it is, by as much as the numbers say, and goes back when it "
    "can") {
  auto device = Device::create(DeviceChoice::cpu, 0);
  Simulation sim(press("two_way"), *device);
  float most = 0;
  Snapshot held;
  std::shared_ptr<const std::vector<vec3>> held_body;
  while (sim.state().time < 0.69) {
    sim.step();
    const StepStats stats = sim.stats();
    const ObstacleView view = sim.obstacles()[0];
    CHECK(bool(view.deformed) == (stats.body_lag > 0));
    most = std::max(most, stats.body_lag);
    if (!view.deformed) continue;
    held = sim.snapshot(), held_body = view.deformed;
    const Obstacle& o = sim.scene().obstacles[0];
    const std::vector<vec3>& mesh = sim.obstacle_meshes()[0].positions;
    REQUIRE(view.deformed->size() == mesh.size());
    CHECK(view.transform == mat4(1));
    float worst = 0;
    for (size_t i = 0; i < mesh.size(); ++i)
      worst = std::max(worst, glm::length((*view.deformed)[i] -
                                          vec3(Bodies::transform(o, sim.state().time) * vec4(mesh[i], 1))));
    CHECK(worst == doctest::Approx(stats.body_lag).epsilon(1e-3));
    const auto remarks = sim.collision_remarks(stats);
    CHECK(std::any_of(remarks.begin(), remarks.end(),
                      [](const std::string& s) { return s.find("behind its motion") != std::string::npos; }));
    const Whole whole(sim);
    CHECK(crossing_triangles(whole.x, whole.triangles, whole.cloth_triangles).empty());
  }
  CHECK(most > 5e-4f);
  {
    Simulation again(press("two_way"), *device);
    again.restore(held);
    REQUIRE(again.obstacles()[0].deformed);
    CHECK(*again.obstacles()[0].deformed == *held_body);
  }
  CHECK_FALSE(sim.obstacles()[0].deformed);
}

TEST_CASE("vertices of a body that lag under repulsion take the body that is shown with them") {
  auto device = Device::create(DeviceChoice::cpu, 0);
  Scene scene = press("repulsion");
  scene.set("repulsion.body_vertices", "true");
  // faster than its steps may take it
  scene.obstacles[0].motion.keys = {{0.05f, vec3(0), vec3(0)}, {0.06f, {0, 0.2f, 0}, vec3(0)}};
  Simulation sim(scene, *device);
  float most = 0;
  for (int k = 0; k < 12; ++k) {
    sim.step();
    const StepStats stats = sim.stats();
    const ObstacleView view = sim.obstacles()[0];
    CHECK(bool(view.deformed) == (stats.body_lag > 0));
    most = std::max(most, stats.body_lag);
    if (!view.deformed) continue;
    const vec3 wanted(Bodies::transform(sim.scene().obstacles[0], sim.state().time) *
                      vec4(sim.obstacle_meshes()[0].positions[0], 1));
    CHECK(glm::length((*view.deformed)[0] - wanted) <= stats.body_lag * 1.001f);
  }
  CHECK(most > 0.005f);
}

TEST_CASE("a body that is held back stays where it is when another solver takes over") {
  auto device = Device::create(DeviceChoice::cpu, 0);
  Simulation sim(press("two_way"), *device);
  while (sim.stats().time < 0.45) sim.step();
  REQUIRE(sim.stats().body_lag > 1e-4f);
  const Whole before(sim);
  sim.apply(SetParam{"step.solver", "newton"});
  const Whole after(sim);
  CHECK(after.x == before.x);
  while (sim.stats().time < 0.7) {
    sim.step();
    const Whole w(sim);
    CHECK(surface_crossings(w.x, w.triangles, {w.cloth_points, w.cloth_triangles}).points.empty());
  }
}
