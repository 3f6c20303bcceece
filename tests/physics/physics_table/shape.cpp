// Shapes that cloth takes under its own weight: the elastica, and Cusick's drape coefficient.
//
// Cantilever: a strip that is clamped level, of length L, weight w g per area and rigidity B, hangs as the
// elastica of Gamma = w g L³ / B does. Height over width of its end at Gamma = 10: 1.0668.
//
// Fold: bent beyond the yield, a strip keeps what is beyond it (sim/solvers/crease_kernels.h).
//
// Drape coefficient (Cusick 1968, BS 5058): a disc of 30 cm lies on one of 18 cm; of the ring between the
// two, the share that its shadow from above covers: (A - A18) / (A30 - A18).
#include <algorithm>
#include <cmath>

#include "sim/base/math.h"
#include "sim/mesh/shapes/shapes.h"
#include "sim/scene/text/scene_file.h"
#include "tests/physics/physics_table/case.h"
#include "tests/physics/physics_table/meshes.h"
#include "tests/support/poisson.h"

namespace weft::physics {
namespace {

/// A mesh of [0, L] x [-w/2, w/2] and its mirror image about x = 0, joined there: held in x = 0, each half is
/// a cantilever whose slope at the clamp is zero by symmetry, however its triangles lie.
TriMesh mirrored(const TriMesh& half) {
  TriMesh m = half;
  std::vector<int> twin(half.positions.size());
  for (size_t v = 0; v < half.positions.size(); ++v) {
    twin[v] = int(v);
    if (std::abs(half.positions[v].x) < 1e-6f) continue;
    twin[v] = int(m.positions.size());
    m.positions.push_back(half.positions[v] * vec3(-1, 1, 1));
  }
  for (const ivec3& t : half.triangles) m.triangles.push_back({twin[t.x], twin[t.z], twin[t.y]});
  m.uv.clear();
  return m;
}

/// The same strip of squares, and 12 mm more of it that a pin over a box holds.
TriMesh with_a_clamp(float length) {
  TriMesh m = make_grid({length + 0.012f, length}, 0.003f, "square");
  for (vec3& p : m.positions) p.x += 0.5f * (length - 0.012f);
  m.uv.clear();
  return m;
}

constexpr float kLength = 0.06f;

/// How a strip is cut: along the warp or the weft, and its rigidity across over that along it.
struct Cut {
  bool weft = false;
  float across = 1;
};

std::vector<Quantity> cantilever(const Setting& setting, const std::string& pattern, const Cut& cut = {}) {
  constexpr float kGamma = 10;
  const bool box = pattern == "clamped";
  TriMesh half = pattern == "irregular" ? make_poisson_rectangle({kLength, kLength}, 0.003f, 7)
                                        : make_grid({kLength, kLength}, 0.003f, box ? "square" : pattern);
  for (vec3& p : half.positions) p.x += kLength / 2;
  Scene s = bare_cotton();
  Cloth c;
  c.shape = ClothShape::obj;
  TriMesh mesh = box ? with_a_clamp(kLength) : mirrored(half);
  if (cut.weft)  // the file's x is the warp
    for (vec3& p : mesh.positions) p = {-p.y, p.x, 0};
  c.file = temporary_obj("strip", mesh);
  c.placement.rotation = {-90, cut.weft ? 90.0f : 0.0f, 0};
  c.fabric.stretch_stiffness = 8000;
  const float along = 0.15f * 9.81f * kLength * kLength * kLength / kGamma;
  c.fabric.bending_rigidity = cut.weft ? cut.across * along : along;
  if (cut.across != 1) c.fabric.weft_bending_rigidity = cut.weft ? along : cut.across * along;
  c.fabric.internal_damping = 0.1f;
  s.forces.air_damping = 4;
  s.cloths.push_back(c);
  s.pins.push_back(pin_where(s, [=](const vec3& p) { return box ? p.x < 1e-4f : std::abs(p.x) < 1e-5f; }));
  choose(s, setting);
  Measured run(s);
  const std::vector<vec3> start = run.positions();
  run.run_until(4);
  double height = 0, width = 0;
  for (size_t v = 0; v < start.size(); ++v)
    if (std::abs(start[v].x) > kLength - 1e-5f)
      height -= double(run.positions()[v].y), width += double(std::abs(run.positions()[v].x));
  // The free sides of a sheet bend the other way too, which gives it away by up to 3 %
  // (tests/physics/cantilever_test).
  return {{"height over width", "", Quantity::relative, 1.0668, height / width, 0.04}};
}

/// A strip of squares of 10 mm whose left half is held: the right half is turned about the line between them
/// by `degrees`, and let go. What it is bent beyond yield x 10 mm stays.
std::vector<Quantity> fold(const Setting& setting, double degrees, float yield) {
  Scene s = bare_cotton();
  s.forces.gravity = vec3(0);
  s.forces.air_damping = 4;
  Cloth c;
  c.size = {0.12f, 0.05f}, c.edge = 0.01f, c.pattern = "square", c.unevenness = 0;
  c.fabric.bending_rigidity = 1e-4f, c.fabric.crease_yield = yield;
  s.cloths.push_back(c);
  s.pins.push_back(pin_where(s, [](const vec3& p) { return p.x < 1e-4f; }));
  Pin turned = pin_where(s, [](const vec3& p) { return p.x > 1e-4f; });
  turned.motion.keys = {{0, vec3(0), vec3(0)}, {0.5f, vec3(0), vec3(0, float(degrees), 0)}};
  turned.release_time = 0.6f;
  s.pins.push_back(turned);
  choose(s, setting);
  s.set("step.bending_model", "dihedral");  // creases ask for it
  Measured run(s);
  const std::vector<vec3> start = run.positions();
  run.run_until(4);
  double rise = 0, reach = 0;  // of the free end beyond the fold
  for (size_t v = 0; v < start.size(); ++v)
    if (start[v].x > 0.06f - 1e-4f)
      rise -= double(run.positions()[v].z), reach += double(run.positions()[v].x);
  const double elastic = double(yield) * 0.01 * 180 / M_PI;
  return {{"angle that stays", "degrees", Quantity::absolute, std::max(0.0, degrees - elastic),
           std::atan2(rise, reach) * 180 / M_PI, 1}};
}

/// Area that triangles cover in the x-z plane, m², on a raster of `cell` m.
double shadow(const std::vector<vec3>& x, const std::vector<ivec3>& triangles, double cell, double radius) {
  const int n = int(2 * radius / cell) + 1;
  std::vector<char> covered(size_t(n) * size_t(n), 0);
  const auto at = [&](const vec3& p) { return glm::dvec2(p.x + radius, p.z + radius) / cell; };
  for (const ivec3& t : triangles) {
    const glm::dvec2 a = at(x[size_t(t.x)]), b = at(x[size_t(t.y)]), c = at(x[size_t(t.z)]);
    const auto side = [](glm::dvec2 p, glm::dvec2 q, glm::dvec2 r) {
      return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
    };
    const glm::dvec2 low = glm::max(glm::min(glm::min(a, b), c), glm::dvec2(0));
    const glm::dvec2 high = glm::min(glm::max(glm::max(a, b), c), glm::dvec2(n - 1));
    for (int j = int(low.y); j <= int(high.y); ++j)
      for (int i = int(low.x); i <= int(high.x); ++i) {
        const glm::dvec2 p(i + 0.5, j + 0.5);
        const double u = side(a, b, p), v = side(b, c, p), w = side(c, a, p);
        if ((u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0))
          covered[size_t(j) * size_t(n) + size_t(i)] = 1;
      }
  }
  return double(std::count(covered.begin(), covered.end(), 1)) * cell * cell;
}

struct Fabric {
  const char* name;
  double low, high;  // published band of the drape coefficient, %
};
constexpr Fabric kFabrics[] = {
    {"silk", 20, 40}, {"cotton", 60, 76}, {"denim", 70, 90}, {"leather", 47, 70}, {"wool", 40, 70}};

std::vector<Quantity> drape(const Setting& setting, const Fabric& fabric) {
  Scene s = bare_cotton();
  s.forces.air_damping = 1;
  Cloth c = flat_cloth("disc", 0.3f, 0.009f, 0, 0);
  c.shape = ClothShape::disc;
  c.unevenness = 0.05f;  // a flat disc would not know into which folds to fall
  c.fabric_name = fabric.name;
  c.fabric = read_fabric(fabric.name);
  s.cloths.push_back(c);
  s.pins.push_back(pin_where(s, [](const vec3& p) { return p.x * p.x + p.z * p.z < 0.0901f * 0.0901f; }));
  const TriMesh mesh = make_disc(0.3f, 0.009f);
  choose(s, setting);
  Measured run(s);
  run.run_until(6);
  const double ring = M_PI * (0.15 * 0.15 - 0.09 * 0.09);
  const double covered = shadow(run.positions(), mesh.triangles, 2.5e-4, 0.16) - M_PI * 0.09 * 0.09;
  return {{"drape coefficient", "%", Quantity::absolute, 0.5 * (fabric.low + fabric.high),
           100 * covered / ring, 0.5 * (fabric.high - fabric.low)}};
}

}  // namespace

std::vector<Case> shape_cases() {
  Axes axes;
  axes.methods = {"none"};
  axes.dts = {1.0f / 60};
  std::vector<Case> all;
  for (const std::string pattern : {"equilateral", "square", "irregular"})
    all.push_back({"a cantilever of " + pattern + " triangles", 7, "elastica at Gamma = 10: 1.0668", axes,
                   pattern == "equilateral", [=](const Setting& s) { return cantilever(s, pattern); }});
  all.push_back({"a cantilever of square triangles clamped by a pin over a box", 7,
                 "elastica at Gamma = 10: 1.0668", axes, false,
                 [](const Setting& s) { return cantilever(s, "clamped"); }});
  axes.models = false;  // meshless bending knows no weft, and creases are of dihedral bending alone
  for (const bool weft : {false, true})
    for (const float across : {0.25f, 4.0f})
      all.push_back({std::string("a cantilever cut along the ") + (weft ? "weft" : "warp") + " with " +
                         (across < 1 ? "a quarter of" : "four times") + " its rigidity across",
                     7, "elastica at Gamma = 10 of its own rigidity: 1.0668", axes, across > 1,
                     [=](const Setting& s) {
                       return cantilever(s, "irregular", {weft, across});
                     }});
  for (const auto& [degrees, yield] :
       {std::pair(120.0, 50.0f), std::pair(90.0, 100.0f), std::pair(40.0, 100.0f)})
    all.push_back({"a fold of " + std::to_string(int(degrees)) + " degrees with a yield of " +
                       std::to_string(int(yield)) + " per metre",
                   7, "what is bent beyond yield x 10 mm stays", axes, degrees > 100,
                   [degrees = degrees, yield = yield](const Setting& s) { return fold(s, degrees, yield); }});
  axes.models = true;
  for (const Fabric& fabric : kFabrics)
    all.push_back({std::string("drape of ") + fabric.name, 6, "Cusick: in the published band", axes, false,
                   [=](const Setting& s) { return drape(s, fabric); }});
  return all;
}

}  // namespace weft::physics
