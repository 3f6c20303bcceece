// Fold lines of patterns, folds of files, and creases that stay.
#include <algorithm>

#include "sim/garment/pattern.h"
#include "sim/mesh/import/obj.h"
#include "sim/scene/scene_names.h"
#include "sim/scene/text/scene_file.h"
#include "tests/physics/scenes.h"
#include "tests/support/folder.h"
#include "tests/support/text.h"

using namespace weft;
using namespace weft::physics;

namespace {

constexpr double kDegrees = 180 / M_PI;

/// Angle (degrees) between two groups of triangles, positive where they bend away from who looks at the
/// front: by their mean normals, about `axis`.
template <class First>
double angle_between(const Topology& t, const std::vector<vec3>& x, const First& first, const dvec3& axis) {
  dvec3 normal[2] = {dvec3(0), dvec3(0)};
  for (size_t i = 0; i < t.triangles.size(); ++i) {
    const int side = first(t.triangles[i]);
    if (side < 0) continue;
    const ivec3& v = t.triangles[i];
    normal[side] += glm::cross(dvec3(x[size_t(v.y)]) - dvec3(x[size_t(v.x)]),
                               dvec3(x[size_t(v.z)]) - dvec3(x[size_t(v.x)]));
  }
  return kDegrees *
         std::atan2(glm::dot(axis, glm::cross(normal[0], normal[1])), glm::dot(normal[0], normal[1]));
}

/// A panel of 0.2 x 0.1 m with a fold line across its middle, sewn flat.
Scene folded_panel(double angle) {
  Scene s = bare_scene();
  s.set("step.bending_model", "dihedral");
  s.forces.gravity = vec3(0);
  s.forces.air_damping = 4;
  s.step.dt = 0.02f;
  Panel panel;
  panel.name = "strip";
  panel.loops = {{{.start = {0, 0}},
                  {.start = {0.1, 0}},
                  {.start = {0.2, 0}},
                  {.start = {0.2, 0.1}},
                  {.start = {0.1, 0.1}},
                  {.start = {0, 0.1}}}};
  panel.folds = {{1, 4, angle}};
  Pattern pattern;
  pattern.edge = 0.012, pattern.panels = {panel};
  Cloth& c = s.cloths[0];
  c.shape = ClothShape::garment;
  c.sewing_pattern = pattern;
  c.fabric.bending_rigidity = 1e-4f;
  return s;
}

/// A strip of squares of 10 mm whose left half is held; the right half is turned about the line between them
/// by `degrees` within half a second, and let go after 0.6 s.
Scene hand_fold(double degrees, float yield) {
  Scene s = bare_scene();
  s.set("step.bending_model", "dihedral");
  s.forces.gravity = vec3(0);
  s.forces.air_damping = 4;
  Cloth& c = s.cloths[0];
  c.size = {0.12f, 0.05f}, c.edge = 0.01f, c.pattern = "square";
  c.fabric.bending_rigidity = 1e-4f;
  c.fabric.crease_yield = yield;
  s.pins.push_back(pin_where(s, [](const vec3& p) { return p.x < 1e-4f; }));
  Pin turned = pin_where(s, [](const vec3& p) { return p.x > 1e-4f; });
  turned.motion.keys = {{0, vec3(0), vec3(0)}, {0.5f, vec3(0), vec3(0, float(degrees), 0)}};
  turned.release_time = 0.6f;
  s.pins.push_back(turned);
  return s;
}

/// The angle of its fold, degrees.
double fold_of(Simulation& sim) {
  const Topology& t = sim.model().host;
  const auto side = [&](const ivec3& v) {
    const float x = (t.rest[size_t(v.x)].x + t.rest[size_t(v.y)].x + t.rest[size_t(v.z)].x) / 3;
    return x < -0.01f ? 0 : x > 0.01f ? 1 : -1;
  };
  return angle_between(t, sim.positions(), side, {0, 1, 0});
}

/// A file with an accordion of `folds` folds of 90 degrees, two rows of squares; its texture coordinates are
/// the flat strip in metres.
std::string accordion(const testing::Folder& folder, int folds) {
  TriMesh m;
  const auto at = [](int column, int row) { return column * 3 + row; };
  for (int column = 0; column <= folds + 1; ++column)
    for (int row = 0; row < 3; ++row)
      m.positions.push_back({0.01f * float(column), 0.01f * float(row), column % 2 ? 0.01f : 0.0f});
  for (int column = 0; column <= folds; ++column)
    for (int row = 0; row < 2; ++row) {
      m.triangles.push_back({at(column, row), at(column + 1, row), at(column + 1, row + 1)});
      m.triangles.push_back({at(column, row), at(column + 1, row + 1), at(column, row + 1)});
    }
  for (const vec3& p : m.positions) m.uv.push_back({std::sqrt(2.0f) * p.x, p.y});
  const std::string path = folder / "accordion.obj";
  write_obj(path, {{.name = "accordion", .positions = &m.positions, .triangles = &m.triangles, .uv = &m.uv}});
  return path;
}

bool told_of(const std::vector<std::string>& notices, const std::string& words) {
  return std::any_of(notices.begin(), notices.end(),
                     [&](const std::string& n) { return testing::contains(n, words); });
}

}  // namespace

namespace {

/// Folded by so many degrees by hand and let go: what stays beyond the yield (1/m).
void check_stays(double folded, float yield) {
  Run run(hand_fold(folded, yield));
  for (int i = 0; i < 60; ++i) run.sim->step();
  CHECK(std::abs(fold_of(*run.sim) - folded) < 0.1);
  run.settle(1e-4f, 2000);
  // The flap swings slowly, and stands still where it turns back too: the mean of ten seconds.
  double mean = 0;
  for (int i = 0; i < 600; ++i) run.sim->step(), mean += fold_of(*run.sim) / 600;
  // the hinges at the fold bend 10 mm
  const double elastic = yield > 0 ? double(yield) * 0.01 * kDegrees : 180,
               stays = std::copysign(std::max(0.0, std::abs(folded) - elastic), folded);
  MESSAGE("folded by " << folded << " degrees, yield " << yield << " / m: " << mean << " stay, theory "
                       << stays);
  CHECK(std::abs(mean - stays) < 1);
}

}  // namespace

TEST_SUITE("physics") {
  TEST_CASE("a panel with a fold line takes the angle of the fold") {
    for (const double angle : {90.0, -60.0}) {
      Run run(folded_panel(angle));
      run.settle(1e-4f, 2000);
      const Topology& t = run.sim->model().host;
      const auto x = run.sim->positions();
      // by material points, which run along y: the halves without the rows beside the fold
      const auto side = [&](const ivec3& v) {
        const float s = (t.rest[size_t(v.x)].x + t.rest[size_t(v.y)].x + t.rest[size_t(v.z)].x) / 3;
        return s < 0.085f ? 0 : s > 0.115f ? 1 : -1;
      };
      dvec3 axis(0);  // from the lower to the upper edge
      for (size_t v = 0; v < x.size(); ++v)
        if (std::abs(t.rest[v].x - 0.1f) < 0.02f) axis += (t.rest[v].y > 0.05f ? 1.0 : -1.0) * dvec3(x[v]);
      const double measured = angle_between(t, x, side, glm::normalize(axis));
      MESSAGE("fold line of " << angle << " degrees: " << measured);
      CHECK(std::abs(measured - angle) < 1);
    }
  }

  TEST_CASE("of a fold beyond the yield what is beyond it stays, and of one below it nothing") {
    check_stays(120, 50), check_stays(-100, 30), check_stays(25, 50), check_stays(120, 0);
  }

  TEST_CASE("a run with creases that is restored, repeated or made on other threads has the same bits") {
    const Scene scene = hand_fold(120, 50);
    Run first(scene, 1);
    for (int i = 0; i < 40; ++i) first.sim->step();
    const Snapshot middle = first.sim->snapshot();
    for (int i = 0; i < 40; ++i) first.sim->step();
    const uint64_t end = first.sim->hash();
    Run second(scene, 2);
    second.sim->restore(middle);
    for (int i = 0; i < 40; ++i) second.sim->step();
    CHECK(second.sim->hash() == end);
    first.sim->reset();
    for (int i = 0; i < 80; ++i) first.sim->step();
    CHECK(first.sim->hash() == end);
  }

  TEST_CASE("creases are part of a state only where there are some") {
    const auto parts = [](double folded) {
      Run run(hand_fold(folded, 50));
      for (int i = 0; i < 60; ++i) run.sim->step();
      const Snapshot s = run.sim->snapshot();
      return std::count_if(s.parts.begin(), s.parts.end(),
                           [](const auto& part) { return part.first == "rest angles"; });
    };
    CHECK(parts(25) == 0);
    CHECK(parts(120) == 1);
  }

  TEST_CASE(
      "a file whose texture is its rest shape keeps its folds where rest_angles says so, and opens else") {
    const testing::Folder folder;
    using From = RestAngles::From;
    for (const From angles : {From::vertices, From::rest_shape, From::flat}) {
      Scene s = bare_scene();
      s.cloths[0].shape = ClothShape::obj, s.cloths[0].file = accordion(folder, 15);
      s.cloths[0].rest.shape = "texture", s.cloths[0].rest.angles = angles;
      s.forces.gravity = vec3(0);
      s.set("step.bending_model", "dihedral");
      Run run(s);
      for (int i = 0; i < 50; ++i) run.sim->step();
      float most = 0;
      for (const vec3& p : run.sim->positions()) most = std::max(most, p.x);
      MESSAGE("rest_angles = " << rest_angle_choices()[size_t(angles)] << ": 160 mm become " << 1e3f * most
                               << " mm");
      if (angles == From::vertices) CHECK(std::abs(most - 0.16f) < 1e-3f * 0.16f);
      else CHECK(most > 1.05f * 0.16f);
    }
  }

  TEST_CASE("a file's folds stay with dihedral bending, and a notice tells where they would open") {
    const testing::Folder folder;
    Scene s = bare_scene();
    s.cloths[0].shape = ClothShape::obj, s.cloths[0].file = accordion(folder, 15);
    s.forces.gravity = vec3(0);
    const auto extent = [](const Simulation& sim) {
      float most = 0;
      for (const vec3& p : sim.positions()) most = std::max(most, p.x);
      return most;
    };
    const float before = 0.16f;
    {
      Run run(s);
      CHECK(told_of(run.sim->model().notices, "30 of its edges are folded by more than 60 degrees"));
      CHECK(told_of(run.sim->model().notices, "step.bending_model = \"dihedral\" keeps them"));
      for (int i = 0; i < 50; ++i) run.sim->step();
      CHECK(extent(*run.sim) > 1.05f * before);
    }
    s.set("step.bending_model", "dihedral");
    {
      Run run(s);
      CHECK(!told_of(run.sim->model().notices, "folded by more"));
      for (int i = 0; i < 50; ++i) run.sim->step();
      CHECK(std::abs(extent(*run.sim) - before) < 1e-3f * before);
    }
    s.cloths[0].rest.angles = RestAngles::From::flat;
    Run run(s);
    CHECK(told_of(run.sim->model().notices, "rest_angles = \"file\" keeps them"));
    for (int i = 0; i < 50; ++i) run.sim->step();
    CHECK(extent(*run.sim) > 1.05f * before);
  }
}
