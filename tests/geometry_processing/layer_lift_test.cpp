#include "sim/geometry_processing/layer_lift.h"

#include <doctest/doctest.h>

#include <cmath>

#include "sim/mesh/algorithms/crossing_triangles.h"
#include "sim/mesh/shapes/shapes.h"

using namespace weft;

namespace {

struct Outfit {
  std::vector<vec3> positions;
  std::vector<std::vector<ivec3>> layers;
  std::vector<ivec3> body;
  /// A tube of a radius that changes around its axis by `wave` (m), its diameter as made 0.3 m.
  void tube(float radius, float wave, float phase, bool inside_out = false) {
    const TriMesh mesh = make_tube(0.3f, 0.3f, 0.015f);
    vec3 middle(0);
    for (const vec3& p : mesh.positions) middle += p / float(mesh.positions.size());
    const ivec3 first(int(positions.size()));
    for (const vec3& p : mesh.positions) {
      const vec3 d = p - middle;
      const float angle = std::atan2(d.z, d.x);
      const vec2 out(std::cos(angle), std::sin(angle));
      const float r = radius + wave * std::cos(3 * angle + phase);
      positions.push_back({r * out.x, d.y, r * out.y});
    }
    std::vector<ivec3>& layer = layers.emplace_back();
    for (ivec3 t : mesh.triangles) {
      if (inside_out) std::swap(t.y, t.z);
      layer.push_back(t + first);
    }
  }
  void trunk(float radius) {
    const TriMesh mesh = make_capsule(radius, 0.5f, 48, 16);
    const ivec3 first(int(positions.size()));
    positions.insert(positions.end(), mesh.positions.begin(), mesh.positions.end());
    for (const ivec3& t : mesh.triangles) body.push_back(t + first);
  }
  LiftedLayers lifted() const { return lift_layers(positions, layers, body, 1e-3f, 0.05f); }
  size_t crossings() const {
    std::vector<ivec3> all;
    for (const auto& layer : layers) all.insert(all.end(), layer.begin(), layer.end());
    const int own = int(all.size());
    all.insert(all.end(), body.begin(), body.end());
    return crossing_triangles(positions, all, own).size();
  }
  /// Mean distance of a layer's vertices from the axis, m.
  double radius(const std::vector<vec3>& x, size_t layer) const {
    double sum = 0;
    for (const ivec3& t : layers[layer])
      for (int k = 0; k < 3; ++k) sum += std::hypot(double(x[size_t(t[k])].x), double(x[size_t(t[k])].z));
    return sum / (3.0 * double(layers[layer].size()));
  }
};

}  // namespace

TEST_CASE("three tubes that pass through each other and a trunk lie over each other in their order") {
  for (const bool inside_out : {false, true}) {
    CAPTURE(inside_out);
    Outfit outfit;
    outfit.tube(0.104f, 0.006f, 0.0f, inside_out);
    outfit.tube(0.108f, 0.006f, 2.0f);
    outfit.tube(0.112f, 0.006f, 4.0f, inside_out);
    outfit.trunk(0.1f);
    REQUIRE(outfit.crossings() > 100);
    const LiftedLayers lifted = outfit.lifted();
    CHECK(lifted.left.empty());
    for (const double way : lifted.farthest) {
      CHECK(way > 0);
      CHECK(way < 0.03);
    }
    CHECK(outfit.radius(lifted.positions, 0) < outfit.radius(lifted.positions, 1));
    CHECK(outfit.radius(lifted.positions, 1) < outfit.radius(lifted.positions, 2));
    const std::vector<vec3>& x = lifted.positions;
    for (const ivec3& t : outfit.body)  // bodies stay
      CHECK(x[size_t(t.x)] == outfit.positions[size_t(t.x)]);
  }
}

TEST_CASE("layers that are clear of each other stay where they are") {
  Outfit outfit;
  outfit.tube(0.105f, 0, 0), outfit.tube(0.11f, 0, 0);
  outfit.trunk(0.1f);
  REQUIRE(outfit.crossings() == 0);
  CHECK(outfit.lifted().positions == outfit.positions);
}

TEST_CASE("a layer that would have to move too far keeps its crossings, which are counted") {
  Outfit outfit;
  outfit.tube(0.1f, 0.08f, 0);
  outfit.trunk(0.1f);
  const LiftedLayers lifted = outfit.lifted();
  CHECK(lifted.left.size() == outfit.crossings());
  CHECK(lifted.positions == outfit.positions);
}
