#include "sim/wrinkles/normal_map.h"

#include <doctest/doctest.h>

#include <cmath>

#include "sim/base/error.h"

namespace {

using namespace weft;
using namespace weft::wrinkles;

/// Squares over [0, width] x [0, height] m; `place` puts points of the material into space.
template <class Place>
TexturedSurface surface(int n, int m, double width, double height, const Place& place) {
  TexturedSurface s;
  for (int j = 0; j <= m; ++j)
    for (int i = 0; i <= n; ++i) {
      s.material.push_back({width * i / n, height * j / m});
      s.positions.push_back(vec3(place(s.material.back().x, s.material.back().y)));
    }
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < n; ++i) {
      const int a = j * (n + 1) + i;
      s.triangles.push_back({a, a + 1, a + n + 2}), s.triangles.push_back({a, a + n + 2, a + n + 1});
    }
  s.corners = s.triangles;
  return s;
}

dvec3 texel(const NormalMap& map, int x, int y) {
  const uint8_t* p = map.rgb.data() + 3 * (size_t(y) * size_t(map.width) + size_t(x));
  return dvec3(p[0], p[1], p[2]) / 127.5 - 1.0;
}

}  // namespace

TEST_CASE(
    "a normal map holds the fine slopes in the tangent space of a coarse mesh that is turned and bent") {
  // The coarse surface is a turned plane, then a cylinder of radius 0.2 m; the fine one has waves along its
  // normal.
  const double amplitude = 1e-3, number = 300;
  const dmat3 turn = dmat3(glm::rotate(glm::dmat4(1), 1.1, glm::normalize(dvec3(1, 2, 3))));
  for (const bool bent : {false, true}) {
    const auto base = [&](double u, double v, double h) {
      return turn *
             (bent ? dvec3((0.2 + h) * std::sin(u / 0.2), v, (0.2 + h) * std::cos(u / 0.2)) : dvec3(u, v, h));
    };
    const TexturedSurface coarse =
        surface(24, 12, 0.2, 0.1, [&](double u, double v) { return base(u, v, 0); });
    const TexturedSurface fine = surface(800, 400, 0.2, 0.1, [&](double u, double v) {
      return base(u, v, amplitude * std::sin(number * u) * std::cos(0.5 * number * v));
    });
    const NormalMap map = make_normal_map(coarse, fine, 256);
    CHECK(map.width == 256);
    CHECK(map.height == 128);
    double worst = 0, steepest = 0;
    for (int y = 12; y < map.height - 12;
         ++y)  // inside the outermost coarse triangles, whose normals at the boundary lean
      for (int x = 12; x < map.width - 12; ++x) {
        const double u = 0.2 * (x + 0.5) / 256, v = 0.1 * (127.5 - y) / 128;
        const dvec3 slope(-amplitude * number * std::cos(number * u) * std::cos(0.5 * number * v),
                          0.5 * amplitude * number * std::sin(number * u) * std::sin(0.5 * number * v), 1);
        worst = std::max(worst, glm::length(texel(map, x, y) - glm::normalize(slope)));
        steepest = std::max(steepest, std::abs(texel(map, x, y).x));
      }
    MESSAGE("off by ", worst, ", slopes of up to ", steepest);
    CHECK(steepest > 0.25);
    CHECK(worst < 0.015);  // a step of a byte is 0.008; the fine surface's triangles turn by 0.3 mm / cell
  }
}

TEST_CASE("panels mirrored in the material have the same bumps") {
  const auto waves = [](double u, double v) { return dvec3(u, v, 1e-3 * std::sin(300 * v)); };
  const auto flat = [](double u, double v) { return dvec3(u, v, 0); };
  TexturedSurface coarse = surface(4, 4, 0.1, 0.1, flat), fine = surface(200, 200, 0.1, 0.1, waves);
  const NormalMap plain = make_normal_map(coarse, fine, 64);
  for (TexturedSurface* s : {&coarse, &fine})
    for (dvec2& m : s->material) m.y = 0.1 - m.y;
  const NormalMap mirrored = make_normal_map(coarse, fine, 64);
  for (int y = 0; y < 64; ++y) {
    const dvec3 a = texel(plain, 20, y), b = texel(mirrored, 20, 63 - y);
    CHECK(std::abs(a.y + b.y) < 0.02);  // its material axis points the other way
    CHECK(std::abs(a.z - b.z) < 0.02);
  }
  CHECK_THROWS_AS(make_normal_map({}, {}, 64), Error);
}
