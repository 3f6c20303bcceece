// Warp, weft, shear and locking threads against theory.
#include <filesystem>
#include <fstream>
#include <random>

#include "sim/scene/model/weave_springs.h"
#include "sim/scene/text/scene_file.h"
#include "tests/physics/strips.h"

using namespace weft;
using namespace weft::physics;

namespace {

/// Mean stretch of a hanging strip of 1 m whose long side lies at `degrees` to the warp: down to its lowest
/// vertex, or to the middle of its lower end, which tilts where the strip is cut askew.
double hanging_stretch(ElasticModel model, float degrees, const FabricParams& fabric,
                       bool to_the_middle = false) {
  // A strip from a file with material coordinates of its own.
  Scene made = hanging_strip(ElasticModel::springs, 1000);
  const auto device = Device::create(DeviceChoice::cpu, 1);
  std::vector<vec3> start;
  const Model strip(made, *device, start);
  const std::string path = (std::filesystem::temp_directory_path() /
                            ("weft-strip-" + std::to_string(std::random_device{}()) + ".obj"))
                               .string();
  {
    std::ofstream out(path);
    const float turn = glm::radians(degrees);
    for (const vec3& p : start) out << "v " << p.x << ' ' << p.y << ' ' << p.z << '\n';
    for (const vec3& p : start)
      out << "vt " << p.y * std::cos(turn) - p.x * std::sin(turn) << ' '
          << p.y * std::sin(turn) + p.x * std::cos(turn) << '\n';
    for (const ivec3& t : strip.host.triangles) {
      out << 'f';
      for (int k = 0; k < 3; ++k) out << ' ' << t[k] + 1 << '/' << t[k] + 1;
      out << '\n';
    }
  }
  Scene s = made;
  s.step.elastic_model = int(model);
  s.cloths[0].shape = ClothShape::obj;
  s.cloths[0].file = path;
  s.cloths[0].placement = {};
  const float damping = s.cloths[0].fabric.internal_damping;
  s.cloths[0].fabric = fabric;
  s.cloths[0].fabric.internal_damping = damping;
  Run run(s);
  run.settle(1e-5f, 3000);
  std::filesystem::remove(path);
  if (!to_the_middle) return -lowest(run.sim->positions()) - 1.0;
  double end = 0;
  int count = 0;
  const std::vector<vec3> now = run.sim->positions();
  for (size_t v = 0; v < start.size(); ++v)
    if (start[v].y < -1 + 1e-4f) end += double(now[v].y), ++count;
  return -end / count - 1.0;
}

FabricParams weave(float warp, float weft, float shear, float poisson) {
  FabricParams f;
  f.stretch_stiffness = warp;
  f.weft_stiffness = weft;
  f.shear_stiffness = shear;
  f.poisson_ratio = poisson;
  return f;
}

void locks(ElasticModel model) {
  CAPTURE(int(model));
  FabricParams soft = weave(4, 0, 0, 0);
  const double without = hanging_stretch(model, 0, soft);
  soft.strain_limit = 0.05f;
  const double with = hanging_stretch(model, 0, soft);
  MESSAGE("mean stretch " << without << " without a limit, " << with << " with 5 %");
  // The load at the top is w g L = 1.47 N/m: 37 % without a limit, and 5 % + (37 % - 5 %) / 31 with one if
  // all springs locked. In the lattice only those along the load do, which carry at least two thirds of it.
  CHECK(without > 0.12);
  CHECK(with > 0.03);
  CHECK(with < 0.065);
}

/// A sheet of so many vertices that hangs by two corners, for four seconds or `most` steps.
void settles(float stiffness, float dt, int vertices, int most) {
  CAPTURE(stiffness);
  CAPTURE(dt);
  Scene s;
  Cloth& c = s.cloths.emplace_back();
  c.size = {0.6f, 0.6f};
  c.vertices = vertices;
  c.fabric = weave(stiffness, 0.3f * stiffness, 0.02f * stiffness, 0.3f);
  c.placement.position = {0, 1, 0};
  s.step.elastic_model = int(ElasticModel::stvk);
  s.step.dt = dt;
  s.pins.push_back(pin_where(s, [](const vec3& p) { return p.y > 1.2999f && std::abs(p.x) > 0.29f; }));
  Run run(s);
  const int steps = int(4.0f / dt);
  for (int i = 0; i < std::min(steps, most); ++i) REQUIRE_NOTHROW(run.sim->step());
  const StepStats stats = run.sim->stats();
  MESSAGE("stretch " << stats.max_stretch << ", speed " << stats.max_speed);
  CHECK(std::isfinite(stats.max_stretch));
  CHECK(stats.max_stretch < (stiffness > 100 ? 1.2f : 2.5f));
  if (steps <= most) CHECK(stats.max_speed < 1.5f);
}

}  // namespace

TEST_SUITE("physics") {
  TEST_CASE("a woven strip hangs by w g L / 2E along the warp the weft and at every angle to them" *
            doctest::test_suite("full")) {
    const float warp = 800, weft = 300, shear = 60;
    const double load = 0.15 * 9.81 / 2;
    for (const float degrees : {0.0f, 22.5f, 45.0f, 67.5f, 90.0f}) {
      // Modulus of an orthotropic sheet at an angle a to the warp (nu = 0):
      // 1 / E = cos^4 a / E1 + sin^4 a / E2 + sin^2 a cos^2 a / G. The strip is ten times as long as wide and
      // its top is held in width, which stiffens the first tenth: shear coupling there costs some per cent.
      const double c2 = std::pow(std::cos(glm::radians(double(degrees))), 2), s2 = 1 - c2;
      const double expected = load * (c2 * c2 / warp + s2 * s2 / weft + s2 * c2 / shear);
      const double stretch = hanging_stretch(ElasticModel::stvk, degrees, weave(warp, weft, shear, 0), true);
      MESSAGE("elements at " << degrees << " degrees: " << stretch << ", theory " << expected);
      CHECK(relative_error(stretch, expected) < (degrees == 0 || degrees == 90 ? 0.015 : 0.05));
    }
  }

  TEST_CASE("a strip whose warp stiffens with strain hangs as its curve says") {
    // Pulled by T = w g s at a height s above its lower end, without Poisson's ratio: T = lambda S, S = C
    // w'(E), E = (lambda² - 1) / 2.
    FabricParams fabric = weave(20, 20, 10, 0);
    fabric.warp_stiffening = 6;
    fabric.stiffening_strain = 0.04f;
    const auto pull = [](double lambda) {
      const double e = 0.5 * (lambda * lambda - 1), t = std::min(e, 0.04);
      return lambda * 20 * (e + 5 * (t / 0.04) * (e - 0.5 * t));
    };
    double expected = 0, plain = 0;
    constexpr int kPieces = 1000;
    for (int i = 0; i < kPieces; ++i) {
      const double load = 0.15 * 9.81 * (i + 0.5) / kPieces;
      double low = 1, high = 2;
      for (int k = 0; k < 60; ++k) (pull(0.5 * (low + high)) < load ? low : high) = 0.5 * (low + high);
      expected += (low - 1) / kPieces;
      plain += load / 20 / kPieces;
    }
    const double stretch = hanging_stretch(ElasticModel::stvk, 0, fabric);
    MESSAGE("stretch " << stretch << ", theory " << expected << ", of the modulus at rest " << plain);
    CHECK(relative_error(stretch, expected) < 0.015);
    CHECK(expected < 0.7 * plain);
  }

  TEST_CASE("a measured denim stretches five times as far along its weft as along its warp") {
    const FabricParams denim = read_fabric("denim_11oz");
    const double load = double(denim.areal_density) * 9.81 / 2;
    const double warp = hanging_stretch(ElasticModel::stvk, 0, denim),
                 weft = hanging_stretch(ElasticModel::stvk, 90, denim);
    MESSAGE("stretch along the warp " << warp << ", along the weft " << weft);
    CHECK(relative_error(warp, load / 1014) < 0.015);
    CHECK(relative_error(weft, load / 205) < 0.015);
  }

  TEST_CASE("springs of a weave hang as the lattice theory of their three directions says") {
    // An equilateral lattice whose rows carry the load, with springs k0 along the rows and k1 at 60 degrees
    // to them (in units of Y):
    // C11 = k0 + k1 / 8, C22 = 9/8 k1, C12 = 3/8 k1; modulus along the rows E = C11 - C12² / C22 = k0.
    const double load = 0.15 * 9.81 / 2;
    const FabricParams fabric = weave(800, 300, 0, 0.3f);
    const double along_warp = double(WeaveSprings(fabric).factor({1, 0})),
                 along_weft = double(WeaveSprings(fabric).factor({0, 1}));
    const double warp = hanging_stretch(ElasticModel::springs, 0, fabric),
                 weft = hanging_stretch(ElasticModel::springs, 90, fabric);
    MESSAGE("springs: warp " << warp << ", theory " << load / (800 * along_warp) << ", weft " << weft
                             << ", theory " << load / (800 * along_weft));
    CHECK(relative_error(warp, load / (800 * along_warp)) < 0.015);
    CHECK(relative_error(weft, load / (800 * along_weft)) < 0.015);
    // And those are the moduli of the fabric to a quarter.
    CHECK(relative_error(800 * along_warp, 800) < 0.26);
    CHECK(relative_error(800 * along_weft, 300) < 0.2);
    // Without a weave they are isotropic as ever.
    CHECK(relative_error(hanging_stretch(ElasticModel::springs, 90, weave(500, 0, 0, 0.3f)), load / 500) <
          0.015);
  }

  TEST_CASE("springs and elements of a weave that lock keep a strip from stretching further") {
    locks(ElasticModel::springs);
    locks(ElasticModel::stvk);
  }

  TEST_CASE("coarse woven elements stay finite and settle under steps and stiffnesses far off the usual") {
    for (const float stiffness : {20.0f, 1e6f})
      for (const float dt : {0.001f, 0.01f, 0.05f}) settles(stiffness, dt, 300, 400);
  }
}

TEST_SUITE("full") {
  TEST_CASE("threads that lock keep a strip from stretching further") {
    for (const ElasticModel model :
         {ElasticModel::springs, ElasticModel::finite_elements, ElasticModel::stvk})
      locks(model);
  }

  TEST_CASE("woven elements stay finite and settle under loads and steps and stiffnesses far off the usual") {
    for (const float stiffness : {20.0f, 750.0f, 1e6f})
      for (const float dt : {0.001f, 0.01f, 0.05f}) settles(stiffness, dt, 900, 800);
  }
}
