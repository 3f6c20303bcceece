// Strands against theory, and what must not happen to them: going through each other and through cloth.
#include "sim/scene/strands.h"

#include <algorithm>

#include "tests/physics/scenes.h"

using namespace weft;
using namespace weft::physics;

namespace {

constexpr double kGravity = 9.81;  // m/s²

Scene bare_strands() {
  Scene s = bare_scene();
  s.cloths.clear();
  s.set("step.collision", "none");
  s.set("newton.tolerance", "1e-4");
  return s;
}

void add(Scene& s, const StrandParams& strands) { s.of<StrandList>().list.push_back(strands); }

/// Sag of the free end of a strand that is held level by its root, over q L⁴ / 8 B.
double cantilever(int segments, float dt) {
  StrandParams strand;
  strand.count = 1, strand.segments = segments;
  const double step = 0.4 / (segments - 1);  // the free length is 0.4 m
  strand.length = float(0.4 + step);
  strand.size = {0, 0};
  strand.placement.rotation = {0, 0, -90};
  strand.material.density = 1e-3f, strand.material.stretch = 1e3f;
  // q L⁴ / 8 B is a hundredth of L
  strand.material.bending = float(1e-3 * kGravity * 0.4 * 0.4 * 0.4 / (8 * 0.01));
  strand.skin.internal_damping = 0;
  Scene s = bare_strands();
  s.step.dt = dt;
  s.set("forces.air_damping", "8");
  add(s, strand);
  s.pins.push_back({.cloth = "hair", .where = "roots"});
  Run run(s);
  run.settle(2e-5f, 2000);
  const std::vector<vec3> x = run.sim->positions(), x0 = start_positions(s);
  return double(x0.back().y - x.back().y) / (0.01 * 0.4);
}

/// Whether a segment pq passes through the triangle abc.
bool passes(const dvec3& p, const dvec3& q, const dvec3& a, const dvec3& b, const dvec3& c) {
  const auto side = [](const dvec3& u, const dvec3& v, const dvec3& w, const dvec3& x) {
    return glm::dot(glm::cross(v - u, w - u), x - u);
  };
  if (side(a, b, c, p) * side(a, b, c, q) >= 0) return false;
  const double u = side(p, q, a, b), v = side(p, q, b, c), w = side(p, q, c, a);
  return (u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0);
}

int lines_through_triangles(Simulation& sim) {
  const std::vector<vec3> x = sim.positions();
  const Topology& t = sim.model().host;
  int count = 0;
  for (const ivec2& l : t.lines)
    for (const ivec3& k : t.triangles)
      count += passes(dvec3(x[l.x]), dvec3(x[l.y]), dvec3(x[k.x]), dvec3(x[k.y]), dvec3(x[k.z]));
  return count;
}

/// How often one closed strand goes through another: Gauss's integral, as solid angles of pairs of segments
/// (Klenin and Langowski 2000). Strands of `each` points from `first` and `second` on.
double linking(const std::vector<vec3>& x, int first, int second, int each) {
  const auto at = [&](int start, int k) { return dvec3(x[size_t(start + k % each)]); };
  double sum = 0;
  for (int i = 0; i < each; ++i)
    for (int j = 0; j < each; ++j) {
      const dvec3 p = at(first, i), q = at(first, i + 1), r = at(second, j), s = at(second, j + 1);
      const dvec3 a = r - p, b = s - p, c = s - q, d = r - q;
      const auto unit = [](const dvec3& v) { return v / std::max(glm::length(v), 1e-300); };
      const dvec3 n[4] = {unit(glm::cross(a, b)), unit(glm::cross(b, c)), unit(glm::cross(c, d)),
                          unit(glm::cross(d, a))};
      double angle = 0;
      for (int k = 0; k < 4; ++k) angle += std::asin(std::clamp(glm::dot(n[k], n[(k + 1) % 4]), -1.0, 1.0));
      sum += glm::dot(glm::cross(s - r, q - p), r - p) > 0 ? angle : -angle;
    }
  return sum / (4 * M_PI);
}

Scene chain(const std::string& collision) {
  Scene s = bare_strands();
  s.set("step.collision", collision);
  if (collision == "two_way") s.set("two_way.activation", "0.002");
  StrandParams rings;
  rings.name = "chain", rings.shape = StrandShape::ring, rings.count = 3, rings.segments = 16;
  rings.length = 0.25f;
  rings.material.density = 0.02f, rings.material.stretch = 400, rings.material.bending = 4e-4f;
  add(s, rings);
  s.pins.push_back({.cloth = "chain", .vertices = {8}});
  return s;
}

/// The least and the largest |linking number| of neighbours over a second in which the chain falls taut.
std::pair<double, double> links(const std::string& collision) {
  Run run(chain(collision));
  double least = 1e9, most = 0;
  for (int i = 0; i <= 100; ++i) {
    const std::vector<vec3> x = run.sim->positions();
    for (int k = 0; k < 2; ++k) {
      const double l = std::abs(linking(x, 16 * k, 16 * (k + 1), 16));
      least = std::min(least, l), most = std::max(most, l);
    }
    run.sim->step();
  }
  return {least, most};
}

}  // namespace

TEST_CASE("a strand that is held level sags as a cantilever") {
  for (const auto& [segments, dt] : {std::pair(21, 1 / 60.0f), std::pair(41, 1 / 100.0f)}) {
    const double sag = cantilever(segments, dt);
    MESSAGE("sag over theory with ", segments, " segments: ", sag);
    CHECK(relative_error(sag, 1) < 0.02);
  }
}

TEST_CASE("strands in free fall keep their shape and fall as theory says") {
  Scene s = bare_strands();
  s.step.dt = 0.01f;
  StrandParams strands;
  strands.count = 5, strands.curl = 0.01f;
  add(s, strands);
  Run run(s);
  const std::vector<vec3> x0 = run.sim->positions();
  for (int i = 0; i < 50; ++i) run.sim->step();
  const std::vector<vec3> x = run.sim->positions();
  const double fallen = kGravity * 0.5 * (0.5 + 0.01) / 2;
  double off = 0;
  for (size_t v = 0; v < x.size(); ++v)
    off = std::max(off, glm::length(dvec3(x[v]) - dvec3(x0[v]) + dvec3(0, fallen, 0)));
  CHECK(off < 1e-4);
}

TEST_CASE("rings of a chain stay linked once and without contact they come apart") {
  const auto [least, most] = links("two_way");
  CHECK(least > 0.99);
  CHECK(most < 1.01);
  CHECK(links("none").first < 0.01);
}

TEST_CASE("no strand goes through the cloth that falls on it and without contact many do") {
  for (const char* method : {"two_way", "none"}) {
    Scene s = bare_scene();
    s.set("step.collision", method);
    s.cloths[0].edge = 0.03f, s.cloths[0].size = {0.3f, 0.3f};
    s.cloths[0].placement.rotation = {-90, 0, 0}, s.cloths[0].placement.position = {0, 0.18f, 0};
    StrandParams strands;
    strands.count = 12, strands.length = 0.15f, strands.segments = 8, strands.material.bending = 1e-5f;
    add(s, strands);
    s.pins.push_back({.cloth = "hair", .where = "roots"});
    Run run(s);
    int crossed = 0;
    for (int i = 0; i < 60; ++i)
      run.sim->step(), crossed = std::max(crossed, lines_through_triangles(*run.sim));
    if (std::string(method) == "two_way") CHECK(crossed == 0);
    else CHECK(crossed > 3);
  }
}

TEST_CASE("roots of strands go with the body that they grow on") {
  Scene s = bare_strands();
  Obstacle head;
  head.name = "head", head.size = vec3(0.1f), head.placement.position = {0, 1, 0};
  head.motion.keys = {{0, vec3(0), vec3(0)}, {0.5f, {0.1f, 0, 0}, {0, 90, 0}}};
  s.obstacles.push_back(head);
  StrandParams strands;
  strands.shape = StrandShape::body, strands.body = "head", strands.count = 10, strands.cap = -1;
  add(s, strands);
  s.pins.push_back({.cloth = "hair", .where = "roots", .body = "head"});
  Run run(s);
  const std::vector<vec3> x0 = run.sim->positions();
  for (int i = 0; i < 60; ++i) run.sim->step();
  const std::vector<vec3> x = run.sim->positions();
  for (int k = 0; k < 10; ++k) {
    const vec3 r = x0[size_t(13 * k)] - vec3(0, 1, 0);
    CHECK(glm::distance(x[size_t(13 * k)], vec3(r.z, r.y, -r.x) + vec3(0.1f, 1, 0)) < 1e-3f);
  }
}

TEST_CASE("two lines that are pinned at one end each push each other where they meet") {
  Scene s = bare_strands();
  s.set("step.collision", "two_way");
  s.step.dt = 0.01f;
  StrandParams line;
  line.count = 1, line.segments = 1, line.length = 0.1f, line.size = {0, 0};
  // The upper one lies across the middle of the lower, near its own end, so that it falls faster there.
  line.placement = {{-0.05f, 0.005f, 0}, {0, 0, -90}, 1};
  add(s, line);
  line.name = "lower", line.placement = {{0.03f, 0, -0.05f}, {90, 0, 0}, 1};
  add(s, line);
  s.pins = {{.cloth = "hair", .vertices = {0}}, {.cloth = "lower", .vertices = {0}}};
  Run run(s);
  REQUIRE(run.sim->positions().size() == 4);
  double met = 0, left = 0;
  for (int i = 0; i < 40; ++i) {
    run.sim->step();
    met += double(run.sim->stats().self_pairs);
    left = std::max(left, double(run.sim->stats().residual));
  }
  // where nothing pushed, the way to the solver's target would end in front of the other
  CHECK(met > 0);
  CHECK(left < 1e-3);
}
