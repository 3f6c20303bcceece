// Bodies that deform: the field against all triangles, an arm that pushes a cloth, friction that takes it
// along.
#include "sim/collision/bodies/deforming_body.h"
#include "sim/solvers/descent/descent_params.h"

#include <fmt/format.h>
#include <filesystem>
#include <map>
#include <random>

#include "sim/base/error.h"
#include "sim/mesh/import/obj.h"
#include "sim/mesh/shapes/shapes.h"
#include "tests/collision/bending_arm.h"
#include "tests/device/for_each_device.h"

using namespace weft;
using namespace weft::physics;

namespace {

namespace fs = std::filesystem;

DeformingBody make_body(Device& device, const Obstacle& o) {
  TriMesh mesh = arm_mesh();
  std::vector<std::string> notices;
  auto deformation = make_deformation(o, "", mesh, notices);
  return DeformingBody(device, o, std::move(deformation), mesh);
}

struct TestFolder {
  fs::path path = fs::temp_directory_path() / fmt::format("weft-arm-{}", std::random_device{}());
  TestFolder() { fs::create_directories(path); }
  ~TestFolder() { fs::remove_all(path); }
};

/// Writes the arm's motion as an OBJ sequence.
void write_sequence(const fs::path& folder, const Obstacle& o, int frames, float fps) {
  TriMesh mesh = arm_mesh();
  std::vector<std::string> notices;
  const auto deformation = make_deformation(o, "", mesh, notices);
  for (int f = 0; f < frames; ++f) {
    std::vector<vec3> positions;
    deformation->positions(double(f) / double(fps), positions);
    write_obj((folder / fmt::format("arm_{:04d}.obj", f)).string(), {{"arm", &positions, &mesh.triangles}});
  }
}

/// A cloth that an OBJ sequence of an arm, which bends by 100 degrees in so many seconds, pushes for as many
/// steps. Returns how far it was pushed, m.
float pushed_by_sequence(float seconds, int steps) {
  const TestFolder folder;
  write_sequence(folder.path, arm(100, seconds), int(30 * seconds) + 1, 30);
  Scene scene = pushed_cloth();
  Obstacle o;
  o.name = "arm";
  o.shape = ObstacleShape::mesh;
  o.sequence = (folder.path / "arm_####.obj").string();
  o.placement = {{0, 1.0f, 0}, {0, 90, 90}, 1};
  scene.obstacles.push_back(o);
  Run run(scene);
  float worst = 0, forward = 0;
  for (int i = 0; i < steps; ++i) {
    run.sim->step();
    // by all triangles; the line below by the field
    if (i % 10 == 9) worst = std::max(worst, deepest(*run.sim));
    CHECK(run.sim->stats().max_penetration < 1e-3f);
  }
  for (const vec3& p : run.sim->positions()) forward = std::max(forward, p.z);
  MESSAGE("deepest vertex: ", 1e3f * worst, " mm; pushed to ", forward, " m");
  CHECK(worst < 1e-3f);
  return forward;
}

}  // namespace

TEST_CASE("the field of a bent arm agrees with the distance to all its triangles") {
  testing::for_each_device([](Device& device) {
    const Obstacle o = arm(80, 1);
    DeformingBody body = make_body(device, o);
    Buffer<int> overflow(device, "overflow", 1);
    for (const double time : {0.0, 0.3, 1.0}) {
      body.set_step(o, time, 0.0f, overflow.span());
      CHECK(overflow.download()[0] == 0);
      if (device.is_cuda()) continue;  // read on the host below
      const BodyShape shape = body.shape();
      const float cell = shape.grid.cell;
      std::mt19937 random(7);
      std::uniform_real_distribution<float> uniform(-1, 1);
      int near = 0, inside = 0;
      for (int i = 0; i < 4000; ++i) {
        const vec3 p = vec3(0.45f, 0.5f, 0.2f) * vec3(uniform(random), uniform(random), uniform(random)) +
                       vec3(-0.1f, 0, 0);
        vec3 normal;
        const float truth = body.distance(p), field = shape.distance(p, normal), bound = shape.lower_bound(p);
        if (std::abs(truth) > 1e-5f) CHECK((field < 0) == (truth < 0));
        CHECK(std::abs(field) <= std::abs(truth) + 1e-5f);
        if (truth > 0) CHECK(bound <= truth + 1e-5f);
        if (truth < 0) CHECK(bound < 0);
        if (std::abs(truth) < 0.99f * cell) {
          CHECK(std::abs(field - truth) < 2e-6f);
          ++near;
        }
        inside += truth < 0;
      }
      CHECK(near > 100);
      CHECK(inside > 100);
    }
  });
}

TEST_CASE("far from a deforming body the bounds of its field grow with the distance") {
  auto device = Device::create(DeviceChoice::cpu, 0);
  const Obstacle o = arm(80, 1);
  DeformingBody body = make_body(*device, o);
  Buffer<int> overflow(*device, "overflow", 1);
  body.set_step(o, 1.0, 0.0f, overflow.span());
  const BodyShape shape = body.shape();
  // Steps that are counted along axes and taken for diagonals: a share of 1 / sqrt(3), of which 2.6 cells are
  // lost to rounding.
  int far = 0;
  for (int i = 0; i < shape.grid.cells.x * shape.grid.cells.y * shape.grid.cells.z; ++i) {
    const ivec3 n = shape.grid.cells, at(i % n.x, i / n.x % n.y, i / (n.x * n.y));
    const vec3 p = shape.grid.origin + shape.grid.cell * (vec3(at) + 0.5f);
    const float truth = body.distance(p);
    vec3 unused;
    const float bound = shape.distance(p, unused);
    CHECK(std::abs(bound) <= std::abs(truth) + 1e-5f);
    if (truth < 8 * shape.grid.cell) continue;
    ++far;
    CHECK(bound > truth / std::sqrt(3.0f) - 2.6f * shape.grid.cell);
    CHECK(bound > 1.5f * shape.grid.cell);
  }
  CHECK(far > 100);
}

TEST_CASE(
    "thick cloth is not held by a fine body that it does not touch, deforming or rigid, and rests a layer "
    "above it") {
  const TestFolder folder;
  TriMesh plate = make_box(vec3(0.06f, 0.006f, 0.06f));
  const auto halve = [](const TriMesh& m) {
    TriMesh out;
    out.positions = m.positions;
    std::map<std::pair<int, int>, int> middle;
    const auto between = [&](int a, int b) {
      auto [at, fresh] = middle.insert({{std::min(a, b), std::max(a, b)}, out.vertex_count()});
      if (fresh) out.positions.push_back(0.5f * (m.positions[size_t(a)] + m.positions[size_t(b)]));
      return at->second;
    };
    for (const ivec3& t : m.triangles) {
      const int a = between(t.x, t.y), b = between(t.y, t.z), c = between(t.z, t.x);
      for (const ivec3& s : {ivec3(t.x, a, c), {a, t.y, b}, {c, b, t.z}, {a, b, c}})
        out.triangles.push_back(s);
    }
    return out;
  };
  for (int k = 0; k < 4; ++k) plate = halve(plate);  // edges of 4 mm and less
  const std::string file = (folder.path / "plate_1.obj").string();
  write_obj(file, {{"plate", &plate.positions, &plate.triangles}});
  for (const bool sequence : {false, true})
    // above the plate's middle; its top is at 3 mm, and contact begins 5 mm above that
    for (const float height : {0.011f, 0.004f}) {
      CAPTURE(sequence);
      CAPTURE(height);
      Scene s = bare_scene();
      s.of<DescentParams>() = {};
      s.forces.gravity = vec3(0);
      Cloth& c = s.cloths[0];
      c.size = {0.03f, 0.03f};
      c.edge = 5e-3f;
      c.fabric.thickness = 1e-2f;
      c.placement = {{0, height, 0}, {-90, 0, 0}, 1};
      Obstacle& o = s.obstacles.emplace_back();
      o.name = "plate", o.shape = ObstacleShape::mesh;
      (sequence ? o.sequence : o.file) = sequence ? (folder.path / "plate_#.obj").string() : file;
      Run run(s);
      const bool free = height > 8e-3f;
      for (int i = 0; i < 10; ++i) {
        run.sim->step();
        if (free) CHECK(run.sim->stats().contacts == 0);
      }
      for (const vec3& p : run.sim->positions())
        CHECK((free ? std::abs(p.y - height) < 1e-6f : p.y > height + 1e-3f));
    }
}

TEST_CASE("cloth that falls fast onto a deforming body with fine edges stays on it") {
  const TestFolder folder;
  // A plate 4 mm thick and a thin post, all edges 4 mm: the grid around it reaches far up.
  TriMesh mesh;
  const auto add = [&](const TriMesh& part, const vec3& at) {
    const int first = mesh.vertex_count();
    for (const vec3& p : part.positions) mesh.positions.push_back(p + at);
    for (const ivec3& t : part.triangles) mesh.triangles.push_back(t + ivec3(first));
  };
  for (int x = 0; x < 8; ++x)
    for (int z = 0; z < 8; ++z)
      add(make_box(vec3(0.0101f, 0.004f, 0.0101f)),
          {0.01f * float(x) - 0.035f, -0.002f, 0.01f * float(z) - 0.035f});
  for (int y = 0; y < 60; ++y)
    add(make_box(vec3(0.004f, 0.0041f, 0.004f)), {0.045f, 0.004f * float(y), 0.045f});
  write_obj((folder.path / "post_1.obj").string(), {{"post", &mesh.positions, &mesh.triangles}});
  Scene s = bare_scene();
  s.of<DescentParams>() = {};
  s.step.dt = 1.0f / 30;
  s.forces.gravity = vec3(0, -300, 0);  // 0.33 m in the first step
  Cloth& c = s.cloths[0];
  c.size = {0.05f, 0.05f};
  c.edge = 5e-3f;
  c.placement = {{0, 0.23f, 0}, {-90, 0, 0}, 1};
  Obstacle& o = s.obstacles.emplace_back();
  o.name = "post", o.shape = ObstacleShape::mesh, o.sequence = (folder.path / "post_#.obj").string();
  Run run(s);
  for (int i = 0; i < 5; ++i) {
    run.sim->step();
    CHECK(run.sim->stats().min_height > -1e-4f);
  }
}

TEST_CASE("lists that start too small grow, and the step is made again") {
  // The tiniest room there is: one entry. The same end as with room enough shows that nothing was lost.
  Scene scene = pushed_cloth();
  scene.obstacles.push_back(arm(90, 0.5f));
  scene.obstacles[0].placement = {{0, 1.0f, 0}, {0, 90, 90}, 1};
  Run plenty(scene), tiny(scene);
  tiny.sim->shrink_lists_for_test();
  for (int i = 0; i < 20; ++i) plenty.sim->step(), tiny.sim->step();
  CHECK(plenty.sim->hash() == tiny.sim->hash());
}

TEST_CASE(
    "a field whose lists are too short keeps what it wants while a method asks for its own before the step" *
    doctest::test_suite("slow")) {
  // Vertex repulsion looks for neighbours where a state was put back, when the body's field has been built.
  Scene scene = pushed_cloth(700);
  scene.set("step.collision", "repulsion");
  scene.obstacles.push_back(arm(90, 0.5f));
  scene.obstacles[0].placement = {{0, 1.0f, 0}, {0, 90, 90}, 1};
  Run plenty(scene), tiny(scene);
  for (int i = 0; i < 40; ++i) plenty.sim->step();  // until the arm pushes
  CHECK(plenty.sim->stats().contacts > 0);
  const Snapshot pushed = plenty.sim->snapshot();
  for (Run* run : {&plenty, &tiny}) run->sim->restore(pushed);
  tiny.sim->shrink_lists_for_test();
  for (int i = 0; i < 3; ++i) plenty.sim->step(), tiny.sim->step();
  CHECK(plenty.sim->hash() == tiny.sim->hash());
}

TEST_CASE("an OBJ sequence of a fast arm pushes a cloth with no vertex more than 1 mm inside" *
          doctest::test_suite("slow")) {
  CHECK(pushed_by_sequence(1, 90) > 0.3f);
}

TEST_CASE(
    "an OBJ sequence of a bending arm pushes a cloth for 300 steps with no vertex more than 1 mm inside" *
    doctest::test_suite("full")) {
  CHECK(pushed_by_sequence(2, 300) > 0.3f);  // the cloth really was pushed
}

TEST_CASE("friction takes a cloth along with a surface that moves by bones as with one that moves rigidly" *
          doctest::test_suite("slow")) {
  // The same turn about the vertical, once as the motion of a rigid capsule, once as that of its only bone.
  const auto turned = [](bool by_bone) {
    Scene s;
    s.contact.friction = 1;
    Cloth& c = s.cloths.emplace_back();
    c.size = {0.3f, 0.12f};
    c.vertices = 500;
    c.unevenness = 0;
    c.placement = {{0, 0.602f, 0}, {-90, 0, 0}, 1};
    Obstacle& o = s.obstacles.emplace_back();
    o.shape = ObstacleShape::capsule;
    o.size = {0.1f, 0.5f, 0};
    o.placement = {{0, 0.5f, 0}, {0, 0, 90}, 1};
    const std::vector<MotionKey> keys{{0.5f, vec3(0), vec3(0)}, {2.5f, vec3(0), vec3(0, 40, 0)}};
    if (by_bone) {
      std::vector<MotionKey> own = keys;
      // the world's y is the x of a capsule laid down by 90 degrees
      for (auto& k : own) k.rotation = {k.rotation.y, 0, 0};
      o.bones = {{"all", "", {0, 0, 0}, {0, 0.2f, 0}, own}};
    } else {
      o.shape = ObstacleShape::capsule;
      o.motion.keys = keys;
      o.motion.spin_center = {0, 0.5f, 0};
    }
    Run run(s);
    for (int i = 0; i < 250; ++i) run.sim->step();
    // Two vertices on the cloth's long axis.
    const auto start = start_positions(s);
    int low = 0, high = 0;
    for (int v = 0; v < int(start.size()); ++v) {
      const auto off_axis = [&](int i, float x) {
        return glm::length(vec2(start[size_t(i)].x - x, start[size_t(i)].z));
      };
      if (off_axis(v, -0.14f) < off_axis(low, -0.14f)) low = v;
      if (off_axis(v, 0.14f) < off_axis(high, 0.14f)) high = v;
    }
    const auto positions = run.sim->positions();
    const vec3 a = positions[size_t(high)] - positions[size_t(low)],
               b = start[size_t(high)] - start[size_t(low)];
    CHECK(std::abs(b.z) < 0.01f);
    return std::atan2(double(-a.z), double(a.x)) * 180 / 3.14159265358979;
  };
  const double rigid = turned(false), boned = turned(true);
  MESSAGE("turned by ", rigid, " and ", boned, " degrees");
  CHECK(std::abs(rigid - 40) < 4);  // the cloth is stretched a little as it turns
  // The tessellated capsule differs from the round one by less than 0.5 mm.
  CHECK(std::abs(boned - rigid) < 2);
}

TEST_CASE("weights of bones sum to one, and a bone turns with its parent") {
  const Obstacle o = arm(90, 1);
  const auto weights = skin_weights({{0.08f, -0.3f, 0}, {0.08f, 0, 0}, {0.08f, 0.3f, 0}}, o.bones);
  for (int v = 0; v < 3; ++v)
    CHECK(std::abs(weights[size_t(2 * v)] + weights[size_t(2 * v) + 1] - 1) < 1e-6f);
  CHECK(weights[0] > 0.98f);
  CHECK(std::abs(weights[2] - 0.5f) < 1e-6f);
  CHECK(weights[5] > 0.98f);
  Obstacle two = o;
  two.bones[0].keys = {{0, vec3(0), vec3(0, 0, 90)}};
  const auto pose = bone_poses(two.bones, 1.0);
  // 90 degrees about (0, -0.3): the elbow goes to (-0.3, -0.3); another 90 there turn the tip down.
  const vec3 tip(pose[1] * vec4(0, 0.3f, 0, 1));
  CHECK(glm::length(tip - vec3(-0.3f, -0.6f, 0)) < 1e-6f);
}
