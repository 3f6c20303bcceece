// Parts of bodies that go to their targets before cloth moves.
#include "sim/collision/free_path/far_bodies.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace weft;

namespace {

/// A strip of triangles through space, whose points go anywhere, and cloth in a box.
struct Beside {
  std::vector<vec3> x, y;
  std::vector<ivec3> triangles;
  std::vector<int> ring_start, ring;
  int cloth = 40;

  explicit Beside(std::mt19937& random) {
    std::uniform_real_distribution<float> any(-1, 1);
    const auto point = [&](float reach) { return reach * vec3(any(random), any(random), any(random)); };
    for (int i = 0; i < cloth; ++i) x.push_back(point(0.2f));
    y = x;
    const vec3 along = point(0.4f), first = point(0.7f);
    for (int i = 0; i < 30; ++i) {
      x.push_back(first + float(i) * 0.1f * along + point(0.1f));
      y.push_back(x.back() + point(0.3f));
    }
    for (int i = 0; i + 2 < 30; ++i) triangles.push_back(ivec3(i, i + 1, i + 2) + ivec3(cloth));
    ring_start.assign(size_t(cloth) + 1, 0);
    for (int i = 0; i < 30; ++i) {
      for (const int d : {-2, -1, 1, 2})
        if (i + d >= 0 && i + d < 30) ring.push_back(cloth + i + d);
      ring_start.push_back(int(ring.size()));
    }
  }
  /// Where the points are after those beside the cloth have moved.
  std::vector<vec3> after() const {
    std::vector<vec3> moved = x;
    smooth_field::Box box;
    smooth_field::ChunkBoxes{{x.data(), cloth}, {&box, 1}}(0);
    two_way::WholeBox{{&box, 1}}(0);
    std::vector<int> beyond(30);
    std::vector<float> remaining(x.size(), 1);
    const int points = int(x.size());
    for (int i = 0; i < 30; ++i)
      two_way::BeyondFaces{{x.data(), points}, {y.data(), points}, cloth, {&box, 1}, 1e-3f,
                           {beyond.data(), 30}}(i);
    SurfaceNeighbors next;
    next.ring_start = {ring_start.data(), int(ring_start.size())};
    next.ring = {ring.data(), int(ring.size())};
    for (int i = 0; i < 30; ++i)
      two_way::MoveFarPoints{next,
                             {beyond.data(), 30},
                             cloth,
                             {y.data(), points},
                             {moved.data(), points},
                             {remaining.data(), points}}(i);
    return moved;
  }
  /// Whether a point of a triangle, of those on a grid, comes into the cloth's box on the way.
  bool comes_in(const std::vector<vec3>& end) const {
    vec3 low(1e9f), high(-1e9f);
    for (int i = 0; i < cloth; ++i) low = glm::min(low, x[size_t(i)]), high = glm::max(high, x[size_t(i)]);
    for (const ivec3& t : triangles) {
      const size_t a = size_t(t.x), b = size_t(t.y), c = size_t(t.z);
      if (end[a] == x[a] && end[b] == x[b] && end[c] == x[c]) continue;
      for (float time = 0; time <= 1; time += 0.1f)
        for (float u = 0; u <= 1; u += 0.1f)
          for (float v = 0; u + v <= 1.0001f; v += 0.1f) {
            const vec3 p = glm::mix(x[a], end[a], time) * (1 - u - v) + glm::mix(x[b], end[b], time) * u +
                           glm::mix(x[c], end[c], time) * v;
            if (glm::all(glm::greaterThan(p, low)) && glm::all(glm::lessThan(p, high))) return true;
          }
    }
    return false;
  }
};

}  // namespace

TEST_CASE("parts of bodies that go ahead never come into the box of cloth, and most that are beside it go") {
  std::mt19937 random(5);
  int moved = 0, stayed = 0, would = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Beside scene(random);
    const std::vector<vec3> end = scene.after();
    for (size_t i = 0; i < end.size(); ++i)
      if (scene.y[i] != scene.x[i]) ++(end[i] == scene.y[i] ? moved : stayed);
    CHECK(!scene.comes_in(end));
    would += scene.comes_in(scene.y);
    for (int i = 0; i < scene.cloth; ++i) CHECK(end[size_t(i)] == scene.x[size_t(i)]);
  }
  CHECK(moved > 2000);
  CHECK(stayed > 500);
  CHECK(would > 50);  // if all of them went
}
