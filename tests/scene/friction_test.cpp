// Which friction coefficient counts: named pairs, what fabrics and bodies say, what the method has.
#include "sim/scene/friction.h"

#include <doctest/doctest.h>

#include <cmath>

#include "sim/base/error.h"
#include "sim/scene/text/scene_file.h"
#include "tests/support/text.h"

using namespace weft;
using testing::contains;

namespace {

/// Two cloths and two bodies; the second of each says something.
Scene said_by_some() {
  Scene s;
  s.contact.friction = 0.4f;
  s.cloths.resize(2), s.obstacles.resize(2);
  s.cloths[0].name = "plain", s.cloths[1].name = "coated", s.cloths[1].fabric_name = "rubber";
  s.cloths[1].fabric.friction = 0.9f, s.cloths[1].fabric.self_friction = 1.6f;
  s.obstacles[0].name = "bare", s.obstacles[1].name = "waxed", s.obstacles[1].friction = 0.1f;
  return s;
}

/// Coefficient of cloth `c` on material `m`: cloths, bodies, ground.
float of(const Scene& s, int c, int m, int cloths = 2) {
  return friction_coefficients(s, cloths).at(size_t(c * (cloths + int(s.obstacles.size()) + 1) + m));
}

std::string fault(const std::string& friction) {
  try {
    parse_scene(
        "[[cloth]]\nname = \"flag\"\nfabric = \"silk\"\n[[obstacle]]\nname = \"ball\"\n[[obstacle]]\n"
        "name = \"box\"\n[[friction]]\n" +
            friction,
        "s.toml");
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_SUITE("scene") {
  TEST_CASE("friction on a body is what either says, the geometric mean of both, or that of the scene") {
    const Scene s = said_by_some();
    CHECK(of(s, 0, 2) == 0.4f);
    CHECK(of(s, 0, 3) == 0.1f);
    CHECK(of(s, 1, 2) == 0.9f);
    CHECK(of(s, 1, 3) == std::sqrt(0.9f * 0.1f));
    CHECK(of(s, 0, 4) == 0.4f);  // the ground
    CHECK(of(s, 1, 4) == 0.9f);
  }

  TEST_CASE("friction of cloth on cloth is what either fabric says, or the method's own") {
    Scene s = said_by_some();
    CHECK(of(s, 0, 0) < 0);
    CHECK(of(s, 0, 1) == 1.6f);
    CHECK(of(s, 1, 0) == 1.6f);
    CHECK(of(s, 1, 1) == 1.6f);
    s.cloths[0].fabric.self_friction = 0;
    CHECK(of(s, 0, 1) == 0);
    CHECK(of(s, 0, 0) == 0);
  }

  TEST_CASE("a pair that the scene names counts before all else, and the last that fits") {
    Scene s = said_by_some();
    std::vector<FrictionPair>& pairs = s.of<FrictionPairs>().list;
    pairs = {{"rubber", "waxed", 0.7f}, {"plain", "coated", 0.2f}, {"ground", "plain", 0.05f}};
    CHECK(of(s, 1, 3) == 0.7f);
    CHECK(of(s, 1, 2) == 0.9f);
    CHECK(of(s, 0, 3) == 0.1f);
    CHECK(of(s, 0, 1) == 0.2f);
    CHECK(of(s, 1, 0) == 0.2f);
    CHECK(of(s, 1, 1) == 1.6f);
    CHECK(of(s, 0, 4) == 0.05f);
    CHECK(of(s, 1, 4) == 0.9f);
    pairs.push_back({"waxed", "coated", 0.3f});
    CHECK(of(s, 1, 3) == 0.3f);
    pairs.push_back({"rubber", "rubber", 2.5f});
    CHECK(of(s, 1, 1) == 2.5f);
    CHECK(of(s, 0, 1) == 0.2f);
  }

  TEST_CASE("cloth that a scene does not know has the friction of the scene") {
    const Scene s = said_by_some();
    CHECK(of(s, 2, 3, 3) == 0.4f);
    CHECK(of(s, 2, 0, 3) < 0);
    CHECK(of(s, 2, 2, 3) < 0);
  }

  TEST_CASE("friction of fabrics and pairs is read, set by its key and written again") {
    Scene s = parse_scene(
        "[fabrics.rubber]\nbase = \"cotton\"\nfriction = 0.9\nself_friction = 1.6\n"
        "[[cloth]]\nname = \"mat\"\nfabric = \"rubber\"\n[[obstacle]]\nname = \"the slope\"\n"
        "[[friction]]\nbetween = [\"silk\", \"rubber\"]\ncoefficient = 0.25\n"
        "[[friction]]\nbetween = [\"the slope\", \"mat\"]\ncoefficient = 0.5\n",
        "s.toml");
    CHECK(s.cloths[0].fabric.friction == 0.9f);
    CHECK(s.cloths[0].fabric.self_friction == 1.6f);
    const std::vector<FrictionPair> wanted = {{"silk", "rubber", 0.25f}, {"the slope", "mat", 0.5f}};
    CHECK(s.of<FrictionPairs>().list == wanted);
    s.set("friction.the slope.mat", "0.75");
    s.set("mat.friction", "0.3");
    CHECK(s.of<FrictionPairs>().list[1].coefficient == 0.75f);
    CHECK(parse_scene(write_scene(s), s.path) == s);
    CHECK_THROWS_AS(s.set("friction.the slope.mat", "6"), Error);
    CHECK_THROWS_AS(s.set("friction.mat.mat", "1"), Error);
  }

  TEST_CASE("a copy of a scene has pairs of its own") {
    Scene s = said_by_some();
    s.of<FrictionPairs>().list = {{"plain", "bare", 0.2f}};
    Scene copy = s;
    copy.set("friction.plain.bare", "0.8");
    CHECK(of(s, 0, 2) == 0.2f);
    CHECK(of(copy, 0, 2) == 0.8f);
    CHECK(!(s == copy));
  }

  TEST_CASE("a pair that means nothing is refused with the nearest name") {
    CHECK(fault("between = [\"flag\", \"ball\"]\ncoefficient = 0.3\n").empty());
    CHECK(fault("between = [\"cotton\", \"ground\"]\ncoefficient = 0.3\n").empty());
    CHECK(contains(fault("between = [\"flag\", \"bal\"]\ncoefficient = 0.3\n"), "did you mean ball?"));
    CHECK(contains(fault("between = [\"flag\"]\ncoefficient = 0.3\n"), "between two things"));
    CHECK(contains(fault("between = [\"box\", \"ball\"]\ncoefficient = 0.3\n"), "both are bodies"));
    CHECK(contains(fault("between = [\"flag\", \"ball\"]\n"), "needs a coefficient"));
    CHECK(contains(fault("between = [\"flag\", \"ball\"]\ncoefficient = 0.3\n[[friction]]\n"
                         "between = [\"ball\", \"flag\"]\ncoefficient = 0.2\n"),
                   "s.toml:12"));
    CHECK(contains(fault("between = [\"flag\", \"ball\"]\ncoefficent = 0.3\n"), "coefficient"));
  }
}
