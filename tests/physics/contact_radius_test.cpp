// Parts that are as thick in contact as they say (sim/scene/contact_radii.h).
#include "sim/scene/contact_radii.h"

#include <algorithm>

#include "sim/geometry/primitive_distance.h"
#include "sim/scene/solids.h"
#include "sim/scene/strands.h"
#include "tests/physics/scenes.h"

using namespace weft;
using namespace weft::physics;

namespace {

constexpr double kGravity = 9.81;  // m/s²

/// A sheet that lies in the xz-plane at a height (m).
Cloth sheet(const std::string& name, float size, int vertices, float height) {
  Cloth c;
  c.name = name;
  c.size = {size, size}, c.vertices = vertices;
  c.unevenness = 0;
  c.placement = {{0, height, 0}, {-90, 0, 0}, 1};
  return c;
}

Scene on_a_table(const std::string& method) {
  Scene s = bare_scene();
  s.cloths.clear();
  s.set("step.collision", method);
  s.step.dt = 0.01f;
  Obstacle table;
  table.name = "table", table.shape = ObstacleShape::box, table.size = {0.4f, 0.05f, 0.4f};
  table.placement.position = {0, -0.025f, 0};
  s.obstacles.push_back(table);
  return s;
}

void set_radius(Scene& s, const std::string& part, float radius) { s.of<ContactRadii>().of(part) = radius; }

/// Heights (m) of a part's vertices: mean, lowest, highest.
struct Heights {
  double mean = 0, low = 1e9, high = -1e9;
  Heights(Simulation& sim, int part) {
    const ModelPart& p = sim.model().host.parts[size_t(part)];
    const std::vector<vec3> x = sim.positions();
    for (int v = p.first_vertex; v < p.first_vertex + p.vertex_count; ++v) {
      const double y = double(x[size_t(v)].y);
      mean += y / p.vertex_count, low = std::min(low, y), high = std::max(high, y);
    }
  }
};

/// A strip of fine mesh on the ground whose one end is taken over the other, and let go. Its edges are
/// `edge` m long, its thickness g; x runs along it.
Scene folded_strip(float edge, float radius) {
  Scene s = bare_scene();
  s.set("step.collision", "two_way");
  s.step.dt = 0.01f;
  s.contact.ground = true;
  s.forces.air_damping = 2;
  Cloth& c = s.cloths[0];
  c.name = "strip";
  c.size = {0.16f, 0.03f}, c.edge = edge;
  c.fabric.areal_density = 0.3f, c.fabric.internal_damping = 0.1f;
  c.placement = {{0, 0.002f + radius, 0}, {-90, 0, 0}, 1};
  if (radius > 0) set_radius(s, "strip", radius);
  Pin still = pin_where(s, [](const vec3& p) { return p.x < -0.06f; });
  Pin taken = pin_where(s, [](const vec3& p) { return p.x > 0.0799f; });
  taken.motion.keys = {{0, {}, {}}, {0.3f, {-0.08f, 0.06f, 0}, {}}, {0.6f, {-0.13f, 0.04f, 0}, {}}};
  taken.release_time = 0.6f;
  s.pins = {still, taken};
  return s;
}

}  // namespace

TEST_CASE("sheets of two and of six millimetres come to rest at the sums of their radii") {
  for (const char* method : {"two_way", "ndb"}) {
    CAPTURE(method);
    Scene s = on_a_table(method);
    s.cloths = {sheet("thin", 0.1f, 120, 0.0012f), sheet("thick", 0.09f, 100, 0.0054f)};
    s.cloths[1].placement.rotation.y = 20;
    for (Cloth& c : s.cloths) c.fabric.internal_damping = 0.1f;
    set_radius(s, "thin", 0.001f), set_radius(s, "thick", 0.003f);
    Run run(s);
    for (int i = 0; i < 80; ++i) run.sim->step();
    const Heights thin(*run.sim, 0), thick(*run.sim, 1);
    // A spring of contact moves what it holds by g dt² / 30 (two_way.repulsion), and carries two sheets at
    // most, of which one gives way as well. Contacts of ndb are as stiff at least, and are let be where they
    // are within a fifth of the gap, here the smaller radius (README).
    const double sink = std::string(method) == "two_way" ? 4 * kGravity * 1e-4 / 30 : 0.2e-3;
    MESSAGE(method, ": ", 1e3 * thin.mean, " and ", 1e3 * (thick.mean - thin.mean), " mm of 1 and 4, from ",
            1e3 * thick.low, " to ", 1e3 * thick.high);
    CHECK(thin.mean > 1e-3 - sink);
    CHECK(thin.mean < 1e-3 + 2e-5);
    CHECK(thick.mean - thin.mean > 4e-3 - sink);
    CHECK(thick.mean - thin.mean < 4e-3 + 2e-5);
    CHECK(run.sim->stats().max_speed < 0.02);
  }
}

TEST_CASE("a sheet that meets one without a radius rests at its own and half of the usual distance") {
  Scene s = on_a_table("two_way");
  s.cloths = {sheet("plain", 0.1f, 120, 0.0015f), sheet("thick", 0.09f, 100, 0.0055f)};
  for (Cloth& c : s.cloths) c.fabric.internal_damping = 0.1f;
  set_radius(s, "thick", 0.003f);
  Run run(s);
  for (int i = 0; i < 80; ++i) run.sim->step();
  const Heights plain(*run.sim, 0), thick(*run.sim, 1);
  const double sink = 4 * kGravity * 1e-4 / 30;
  CHECK(std::abs(plain.mean - 1.3e-3) < sink);  // 1.3 delta
  CHECK(std::abs(thick.mean - plain.mean - 3.65e-3) < sink);
}

TEST_CASE("impact zones show thick sheets in contact where they meet, and how deep they lie") {
  Scene s = on_a_table("impact_zones");
  s.cloths = {sheet("thin", 0.1f, 120, 0.0012f), sheet("thick", 0.09f, 100, 0.0052f)};
  for (Cloth& c : s.cloths) c.fabric.internal_damping = 0.1f;
  set_radius(s, "thin", 0.001f), set_radius(s, "thick", 0.003f);
  Run run(s);
  for (int i = 0; i < 60; ++i) run.sim->step();
  const std::vector<vec3> x = run.sim->positions();
  std::vector<float> depth(x.size());
  run.device->download(depth.data(), run.sim->device_field("contact").data, depth.size() * sizeof(float));
  const Heights thin(*run.sim, 0), thick(*run.sim, 1);
  const ModelPart& part = run.sim->model().host.parts[1];
  for (int v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v) {
    // what is below it lies between the lowest and the highest of the thin sheet
    const double deepest = 4e-3 - (thick.low - thin.high);
    CHECK(double(depth[size_t(v)]) > 4e-3 - (double(x[size_t(v)].y) - thin.low) - 1e-6);
    CHECK(double(depth[size_t(v)]) < deepest + 1e-6);
  }
  int between = 0;
  for (const ContactPair& p : run.sim->contact_pairs(1000000)) {
    const bool both = (p.points.x < part.first_vertex) != (p.points.y < part.first_vertex);
    if (p.kind == ContactKind::body || !both) continue;
    ++between;
    CHECK(double(glm::length(p.a - p.b)) < 4e-3);
  }
  MESSAGE(between, " pairs between both sheets, ", 1e3 * (thick.mean - thin.mean), " mm apart");
  CHECK(thick.mean - thin.mean < 4e-3);
  CHECK(between > part.vertex_count);
}

TEST_CASE("samples of thick parts are counted as too coarse by the distance, not by what is left of it") {
  Scene s = on_a_table("ndb");
  s.obstacles.clear();
  s.forces.gravity = vec3(0);
  s.set("ndb.samples", "three"), s.set("ndb.filter", "0.1");
  s.cloths = {sheet("low", 0.03f, 150, 0), sheet("high", 0.03f, 150, 0.0039f)};
  for (const char* part : {"low", "high"}) set_radius(s, part, 0.002f);
  Run run(s);
  run.sim->step();
  double active = 0, coarse = -1;
  for (const Counter& c : run.sim->stats().counters)
    if (c.name == "coarse_pairs") coarse = c.value;
  active = double(run.sim->stats().self_pairs);
  // With edges e of 3.9 mm at most, points of both sheets at most sqrt((2 e)² + d²) from each other and
  // d = 3.8 mm at least, eq. 15 allows an interval of 1.2; that of three samples is half of it at most.
  CHECK(active > 100);
  CHECK(coarse == 0);
}

TEST_CASE("an exit at the time of impact leaves thick parts what their radii are beyond the gap") {
  Scene s = on_a_table("ndb");
  s.set("ndb.exit", "toi"), s.set("ndb.rounds", "2"), s.set("ndb.inner", "2");
  s.set("ndb.weight", "0.01"), s.set("ndb.weight_cap", "0.001");  // too weak to hold what falls
  s.obstacles.clear();
  s.cloths = {sheet("thin", 0.08f, 80, 0), sheet("thick", 0.07f, 60, 0.15f)};
  s.cloths[1].placement.rotation.y = 20;
  set_radius(s, "thin", 0.001f), set_radius(s, "thick", 0.003f);
  s.pins = {pin_where(s, [](const vec3& p) { return p.y < 0.005f; })};
  Run run(s);
  const ModelPart thick = run.sim->model().host.parts[1];
  double least = 1e9;
  for (int i = 0; i < 40; ++i) {
    run.sim->step();
    const std::vector<vec3> x = run.sim->positions();
    for (int v = thick.first_vertex; v < thick.first_vertex + thick.vertex_count; ++v)
      for (const ivec3& t : run.sim->model().host.triangles) {
        if (t.x >= thick.first_vertex) continue;
        const auto at = [&](int k) { return dvec3(x[size_t(k)]); };
        least = std::min(least, std::sqrt(closest_vertex_triangle(at(v), at(t.x), at(t.y), at(t.z)).squared));
      }
  }
  // contact begins at the gap, which is the smaller radius here, and it may take all of that away
  MESSAGE("at least ", 1e3 * least, " mm apart");
  CHECK(least > 0.004 - 0.001 - 1e-6);
  CHECK(least < 0.004);  // they have met
}

TEST_CASE("a sheet that starts too near, or gets its radius in a run, opens without being thrown") {
  for (const bool in_run : {false, true}) {
    CAPTURE(in_run);
    Scene s = on_a_table("two_way");
    s.cloths = {sheet("low", 0.1f, 120, 0.0014f), sheet("high", 0.09f, 100, 0.0028f)};
    for (Cloth& c : s.cloths) c.fabric.internal_damping = 0.1f;
    for (const char* part : {"low", "high"}) set_radius(s, part, in_run ? 0 : 0.004f);
    Run run(s);
    if (in_run) {
      for (int i = 0; i < 5; ++i) run.sim->step();
      for (const char* part : {"low", "high"})
        run.sim->apply(SetParam{std::string("contact_radius.") + part, "0.004"});
    }
    double before = Heights(*run.sim, 1).mean, most = 0, highest = 0;
    for (int i = 0; i < 80; ++i) {
      run.sim->step();
      const Heights now(*run.sim, 1);
      most = std::max(most, now.mean - before), highest = std::max(highest, now.mean);
      before = now.mean;
    }
    // In a step a pair opens by 1.3 delta at most, 1.3 mm; two pairs lie above each other.
    MESSAGE("rises by ", 1e3 * most, " mm in a step, to ", 1e3 * highest, " mm");
    CHECK(most < 2 * 1.3e-3);
    CHECK(highest < 0.012 + 0.5 * 0.26 * 0.26 / kGravity);  // thrown up at that speed
    const Heights low(*run.sim, 0), high(*run.sim, 1);
    CHECK(std::abs(low.mean - 0.004) < 4 * kGravity * 1e-4 / 30);
    CHECK(std::abs(high.mean - low.mean - 0.008) < 4 * kGravity * 1e-4 / 30);
  }
}

TEST_CASE("thick cloth of a mesh finer than its radius hangs and stretches as thin cloth does") {
  // also where every pair acts along its shortest segment, in the sheet's plane too
  for (const std::string normals : {"surface", "segments"}) {
    CAPTURE(normals);
    double stretch[2];
    for (const bool thick : {false, true}) {
      Scene s = bare_scene();
      s.set("step.collision", "two_way"), s.set("two_way.normals", normals);
      s.step.dt = 0.02f;
      s.forces.air_damping = 1;
      Cloth& c = s.cloths[0];
      c.name = "felt";
      c.size = {0.1f, 0.1f}, c.edge = 0.005f, c.unevenness = 0.002f;
      c.fabric.internal_damping = 0.05f;
      if (thick) set_radius(s, "felt", 0.006f);  // 12 mm: more than two edges
      s.pins = {{.cloth = "felt", .where = "top_left"}, {.cloth = "felt", .where = "top_right"}};
      s.pins[1].motion.keys = {{0, {}, {}}, {0.4f, {-0.07f, 0, 0}, {}}};  // folds hang between both
      Run run(s);
      double most = 0;
      for (int i = 0; i < 20; ++i)
        run.sim->step(), most = std::max(most, double(run.sim->stats().max_stretch));
      stretch[thick] = most;
    }
    MESSAGE("largest stretch ", stretch[0], " thin, ", stretch[1], " thick");
    CHECK(stretch[1] < stretch[0] * 1.01);
  }
}

TEST_CASE("a fold of thick cloth of fine mesh keeps its layers apart by the thickness") {
  const float edge = 0.005f, radius = 0.005f;
  double apart[2];
  for (const bool thick : {false, true}) {
    Run run(folded_strip(edge, thick ? radius : 0));
    for (int i = 0; i < 120; ++i) run.sim->step();
    const std::vector<vec3> x = run.sim->positions(), &rest = run.sim->model().host.rest;
    // Between vertices of both layers, which are further from each other over the strip than where a fold
    // bends: half a circle of the thickness, along edges, and half an edge (OwnRadii).
    const double bend = 1.8138 * 2 * double(radius) + 0.5 * double(edge);
    double least = 1e9;
    for (size_t i = 0; i < x.size(); ++i)
      for (size_t k = 0; k < i; ++k)
        if (std::abs(double(rest[i].x - rest[k].x)) > bend)
          least = std::min(least, double(glm::distance(x[i], x[k])));
    apart[thick] = least;
    CHECK(least < 0.02);  // it is folded
  }
  MESSAGE("layers are ", 1e3 * apart[0], " mm apart without a radius, ", 1e3 * apart[1], " mm with 5 mm");
  CHECK(apart[0] < 0.004);
  CHECK(apart[1] > 2 * double(radius) - 4 * kGravity * 1e-4 / 30);
}

TEST_CASE("a hair lies on a soft solid at the sum of their radii") {
  Scene s = bare_scene();
  s.cloths.clear();
  s.set("step.collision", "two_way");
  s.step.dt = 0.01f;
  s.contact.ground = true;
  SolidParams block;
  block.name = "block", block.size = {0.08f, 0.03f, 0.08f}, block.edge = 0.02f;
  block.placement.position = {0, 0.0175f, 0};
  s.of<SolidList>().list.push_back(block);
  StrandParams hair;
  hair.name = "hair", hair.count = 1, hair.size = {0, 0}, hair.length = 0.05f, hair.segments = 10;
  hair.placement = {{-0.025f, 0.0375f, 0.003f}, {0, 0, -90}, 1};
  s.of<StrandList>().list.push_back(hair);
  set_radius(s, "block", 0.002f), set_radius(s, "hair", 0.001f);
  Run run(s);
  for (int i = 0; i < 100; ++i) run.sim->step();
  const Heights solid(*run.sim, 0), lies(*run.sim, 1);
  MESSAGE("the solid stands ", 1e3 * solid.low, " mm high, the hair lies ", 1e3 * (lies.mean - solid.high),
          " mm above it");
  CHECK(std::abs(solid.low - 0.002) < 0.2e-3);
  CHECK(std::abs(lies.mean - solid.high - 0.003) < 0.1e-3);
}

TEST_CASE("thick parts move the same bits for one thread and two, and after a snapshot") {
  const Scene s = folded_strip(0.006f, 0.005f);
  Run one(s, 1), two(s, 2);
  for (int i = 0; i < 55; ++i) one.sim->step(), two.sim->step();
  const Snapshot kept = two.sim->snapshot();
  for (int i = 0; i < 15; ++i) one.sim->step(), two.sim->step();
  const std::vector<vec3> first = two.sim->positions();
  CHECK(one.sim->positions() == first);
  two.sim->restore(kept);
  for (int i = 0; i < 15; ++i) two.sim->step();
  CHECK(two.sim->positions() == first);
}
