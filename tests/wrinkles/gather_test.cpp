#include "sim/wrinkles/gather.h"

#include <doctest/doctest.h>

#include <cmath>

#include "sim/base/error.h"

namespace {

using namespace weft;
using namespace weft::wrinkles;

std::vector<Gather> parsed(const std::string& text) {
  const toml::table root = parse_toml(text, "gathers.toml");
  TomlTable table(root, "gathers.toml", "");
  std::vector<Gather> out = read_gathers(table);
  table.finish();
  return out;
}

GatherView view_of(const std::vector<GatherRow>& rows) { return {{rows.data(), int(rows.size())}, {}}; }

Sym2 at(const std::vector<Gather>& gathers, const vec2& r) {
  const std::vector<GatherRow> rows = gather_rows(gathers, "cloth");
  return tensor_at(view_of(rows), 0, r);
}

double difference(const Sym2& a, const Sym2& b) {
  return std::abs(a.xx - b.xx) + std::abs(a.xy - b.xy) + std::abs(a.yy - b.yy);
}

Gather stroke(vec2 from, vec2 to, float s0, float s1) {
  Gather g;
  g.from = from, g.to = to, g.s0 = s0, g.s1 = s1, g.radius = 0.01f;
  return g;
}

}  // namespace

TEST_CASE("a stroke scales lengths along itself by s0 and across by s1, and nothing beyond its radius") {
  for (const float degrees : {0.0f, 30.0f, 90.0f, 137.0f}) {
    const vec2 d(std::cos(degrees * kPi / 180), std::sin(degrees * kPi / 180)), across(-d.y, d.x);
    const std::vector<Gather> one = {stroke(vec2(0.1f) - 0.02f * d, vec2(0.1f) + 0.05f * d, 1.7f, 0.8f)};
    const Sym2 s = at(one, vec2(0.1f) + 0.01f * d);
    CHECK(glm::length(s * d - 1.7f * d) < 2e-6f);
    CHECK(glm::length(s * across - 0.8f * across) < 2e-6f);
    for (const vec2& away :
         {vec2(0.1f) + 0.0101f * across, vec2(0.1f) + 0.0601f * d, vec2(0.1f) - 0.0301f * d})
      CHECK(difference(at(one, away), Sym2{}) == 0);
    CHECK(difference(at(one, vec2(0.1f) + 0.059f * d), Sym2{}) > 0);  // round the end
  }
}

TEST_CASE("the field of a stroke has no jump and no kink") {
  std::vector<Gather> one = {stroke({0, 0}, {0.03f, 0.01f}, 1.6f, 1.1f)};
  one[0].irregularity = 0.7f, one[0].grain = 0.004f;
  const double h = 2e-5;
  double slope = 0, kink = 0;
  for (int n = 0; n < 4000; ++n) {
    const vec2 r(0.013f, float(-0.015 + 7.5e-6 * n));
    const Sym2 a = at(one, r), b = at(one, r + vec2(0, h)), c = at(one, r + vec2(0, 2 * h));
    slope = std::max(slope, difference(a, b) / h);
    kink = std::max(kink, std::abs(double(a.xx) - 2 * double(b.xx) + double(c.xx)) / (h * h));
  }
  CHECK(slope > 20);  // it changes by 0.6 within 10 mm, and more by its irregularity
  CHECK(slope < 2000);
  CHECK(kink <
        2e6);  // a kink of this slope would be slope / h = 4e6 or more; rounding alone is 1e-7 / h^2 = 300
}

TEST_CASE("a later stroke blends into the field of earlier ones") {
  const std::vector<Gather> both = {stroke({0, 0}, {0.1f, 0}, 1.5f, 1),
                                    stroke({0.05f, -0.05f}, {0.05f, 0.05f}, 2, 1)};
  const Sym2 crossing = at(both, {0.05f, 0});
  CHECK(difference(crossing, scaling({0, 1}, 2, 1)) < 1e-6);  // the later one wins on its line
  const Sym2 beside = at(both, {0.055f, 0});                  // half the radius: w = (1 - 1/4)^2
  const float w = 0.5625f;
  CHECK(std::abs(beside.xx - (w * 1 + (1 - w) * 1.5f)) < 1e-5f);
  CHECK(std::abs(beside.yy - (w * 2 + (1 - w) * 1)) < 1e-5f);
}

TEST_CASE("irregularity is the same for the same seed, keeps the mean and stays positive") {
  Gather g = stroke({0, 0}, {1, 0}, 1.5f, 1);
  g.irregularity = 1, g.grain = 0.003f;
  double mean = 0, least = 10, most = 0, other = 0;
  Gather h = g;
  h.seed = 2;
  for (int n = 0; n < 3000; ++n) {
    const vec2 r(3e-4f * float(n), 0);
    const Sym2 s = at({g}, r);
    CHECK(difference(s, at({g}, r)) == 0);
    const double det = double(s.xx) * s.yy - double(s.xy) * s.xy;
    least = std::min(least, det), most = std::max(most, det), mean += std::log(det) / 3000;
    other += difference(s, at({h}, r)) / 3000;
  }
  CHECK(least >= 1);  // 1.5^(1 + n), n in [-1, 1], and s1 = 1
  CHECK(most <= 2.25 * (1 + 1e-5));
  CHECK(most - least > 0.5);
  CHECK(std::abs(mean - std::log(1.5)) < 0.03);
  CHECK(other > 0.05);
}

TEST_CASE("rows gather along parallel lines and diamonds along two families") {
  Gather g;
  g.kind = "rows", g.spacing = 0.03f, g.radius = 0.005f, g.s0 = 2, g.angle = 90, g.min = {-1, 0},
  g.max = {1, 0.5f};
  for (const int row : {-3, 0, 7})
    CHECK(difference(at({g}, {0.03f * float(row), 0.1f}), scaling({0, 1}, 2, 1)) < 1e-4);
  CHECK(difference(at({g}, {0.0151f, 0.1f}), Sym2{}) == 0);
  CHECK(difference(at({g}, {0, 0.51f}), Sym2{}) == 0);
  g.radius = 0;
  CHECK(difference(at({g}, {0.0151f, 0.1f}), scaling({0, 1}, 2, 1)) < 1e-5);
  g.kind = "diamonds", g.angle = 30, g.radius = 0.005f, g.min = {-1, -1};
  const vec2 up(std::cos(kPi / 6), 0.5f), down(std::cos(kPi / 6), -0.5f);
  CHECK(difference(at({g}, 0.0173f * up), scaling(up, 2, 1)) < 1e-3);
  CHECK(difference(at({g}, 0.0173f * down), scaling(down, 2, 1)) < 1e-3);
  CHECK(difference(at({g}, vec2(0, 0.01f)), Sym2{}) == 0);  // within a diamond
}

TEST_CASE(
    "a filling falls to nothing at stitched lines, as a parabola, and stitches hold an end of each crossed "
    "edge") {
  Gather g;
  g.kind = "rows", g.spacing = 0.1f, g.radius = 0.05f;
  const auto share = [](const std::vector<Gather>& list, const vec2& r) {
    const std::vector<GatherRow> rows = gather_rows(list, "cloth");
    return filling_at(view_of(rows), 0, r);
  };
  CHECK(share({g}, {0.3f, 0.1f}) == 1);  // it is not stitched
  g.stitched = true;
  CHECK(std::abs(share({g}, {0.3f, 0.1f})) < 1e-6);
  for (const float y : {0.005f, 0.02f, 0.05f, 0.08f}) {
    const float across = (y - 0.05f) / 0.05f;
    CHECK(std::abs(share({g}, {0.3f, 0.1f + y}) - (1 - across * across)) < 1e-5);
  }
  g.max = {1, 0.5f};
  CHECK(share({g}, {0.3f, 0.6f}) == 1);  // outside of its area
  g.kind = "diamonds", g.angle = 45, g.radius = 0.02f, g.max = {1, 1};
  CHECK(std::abs(share({g}, 0.3f * vec2(std::sqrt(0.5f), std::sqrt(0.5f)))) < 1e-5);
  CHECK(std::abs(share({g}, 0.3f * vec2(std::sqrt(0.5f), -std::sqrt(0.5f)))) < 1e-5);
  CHECK(share({g}, {0.1f * std::sqrt(0.5f), 0}) == 1);  // the middle of a diamond

  // a line at 25 degrees: each edge of a grid along x or y that crosses it has a held end
  Gather line = stroke({-1, -std::tan(25 * kPi / 180)}, {1, std::tan(25 * kPi / 180)}, 1, 1);
  line.stitched = true;
  const std::vector<GatherRow> list = gather_rows({line}, "cloth");
  const GatherView rows = view_of(list);
  const float cell = 0.01f;
  int crossed = 0;
  for (int x = -20; x < 20; ++x)
    for (int y = -20; y < 20; ++y)
      for (const vec2& step : {vec2(1, 0), vec2(0, 1)}) {
        const vec2 a = cell * vec2(float(x), float(y) + 0.3f), b = a + cell * step, d = line.to - line.from;
        if ((d.x * a.y - d.y * a.x > 0) == (d.x * b.y - d.y * b.x > 0)) continue;
        ++crossed;
        CHECK((stitched_at(rows, 0, a, 0.5f * cell) || stitched_at(rows, 0, b, 0.5f * cell)));
      }
  CHECK(crossed > 40);
  CHECK_FALSE(stitched_at(rows, 0, {0, 0.01f}, 0.5f * cell));
}

TEST_CASE("gathers are written as they are read") {
  const std::vector<Gather> some = parsed(
      "[[gather]]\nfrom = [0, 0.1]\nto = [0.2, 0.1]\ns0 = 1.8\nradius = 0.015\nirregularity = 0.3\nseed = "
      "9\ncloth = \"skirt\"\n"
      "[[gather]]\nkind = \"rows\"\nspacing = 0.02\nangle = 15\nmin = [0, 0]\nmax = [1, "
      "0.2]\n[[gather]]\nkind = \"diamonds\"\nangle = 30\nstitched = true\n"
      "meet_at_seams = false\n");
  REQUIRE(some.size() == 3);
  CHECK(some[0].s0 == 1.8f);
  CHECK(some[1].max.y == 0.2f);
  CHECK((some[2].stitched && !some[1].stitched));
  CHECK((some[1].meet_at_seams && !some[2].meet_at_seams));
  CHECK(parsed(gathers_as_toml(some)) == some);
  CHECK(gather_rows(some, "skirt").size() == 3);
  CHECK(gather_rows(some, "bodice").size() == 2);
}

TEST_CASE("a faulty gather is refused with its line") {
  const auto fault = [](const std::string& text) {
    try {
      parsed(text);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK(fault("[[gather]]\nfrom = [0, 0]").find("gathers.toml:1: gather: a stroke needs its ends") !=
        std::string::npos);
  CHECK(fault("[[gather]]\nfrom = [0, 0]\nto = [0, 0]").find("no direction") != std::string::npos);
  CHECK(fault("[[gather]]\nkind = \"row\"").find("rows") != std::string::npos);
  CHECK(fault("[[gather]]\nkind = \"rows\"\nfrom = [0, 0]").find("from") != std::string::npos);
  CHECK(fault("[[gather]]\nfrom = [0, 0]\nto = [1, 0]\ns0 = 0").find("s0") != std::string::npos);
  Gather g = stroke({0, 0}, {1, 0}, -1, 1);
  CHECK_THROWS_AS(gather_rows({g}, "cloth"), Error);
}
