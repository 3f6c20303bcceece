#include "sim/geometry_processing/layer_lift.h"

#include "sim/collision/surface/lift_out.h"
#include "sim/mesh/algorithms/crossing_triangles.h"

namespace weft {
namespace {

/// Vertices of some triangles, and the triangles over these alone.
struct Part {
  std::vector<int> vertices;
  std::vector<ivec3> triangles;

  Part(const std::vector<ivec3>& all, size_t count) {
    std::vector<int> number(count, -1);
    for (const ivec3& t : all) {
      ivec3& own = triangles.emplace_back(0);
      for (int k = 0; k < 3; ++k) {
        int& v = number[t[k]];
        if (v < 0) v = int(vertices.size()), vertices.push_back(t[k]);
        own[k] = v;
      }
    }
  }
};

/// With the outside counter-clockwise, by the sign of the volume about the mean of the vertices.
std::vector<ivec3> outwards(const std::vector<vec3>& x, std::vector<ivec3> triangles) {
  dvec3 mean(0);
  for (const ivec3& t : triangles)
    for (int k = 0; k < 3; ++k) mean += dvec3(x[t[k]]) / (3.0 * double(triangles.size()));
  double volume = 0;
  for (const ivec3& t : triangles) {
    const dvec3 a = dvec3(x[t.x]) - mean, b = dvec3(x[t.y]) - mean, c = dvec3(x[t.z]) - mean;
    volume += glm::dot(a, glm::cross(b, c));
  }
  if (volume < 0)
    for (ivec3& t : triangles) std::swap(t.y, t.z);
  return triangles;
}

/// One layer out of what is below it.
double lift(std::vector<vec3>& x, const std::vector<ivec3>& layer, const std::vector<ivec3>& below,
            float distance, float most) {
  constexpr float kFarther = 16;
  const Part own(layer, x.size()), under(below, x.size());
  std::vector<vec3> positions;
  std::vector<ivec3> triangles = own.triangles;
  for (const int v : own.vertices) positions.push_back(x[v]);
  for (const int v : under.vertices) positions.push_back(x[v]);
  for (const ivec3& t : under.triangles) triangles.push_back(t + ivec3(int(own.vertices.size())));
  const SurfaceCounts counts{int(own.vertices.size()), int(own.triangles.size())};
  LiftOut done;
  for (float share = 1; share <= kFarther && !done.moved; share *= 2) {
    done = lift_out_of_bodies(positions, triangles, counts, share * distance, most);
    if (done.triangles == 0) return 0;
  }
  for (size_t v = 0; v < own.vertices.size(); ++v) x[own.vertices[v]] = positions[v];
  return double(done.farthest);
}

}  // namespace

LiftedLayers lift_layers(std::vector<vec3> positions, const std::vector<std::vector<ivec3>>& layers,
                         const std::vector<ivec3>& bodies, float distance, float most) {
  LiftedLayers out;
  std::vector<ivec3> below = outwards(positions, bodies), all;
  for (const std::vector<ivec3>& layer : layers) {
    const std::vector<ivec3> side = outwards(positions, layer);
    out.farthest.push_back(lift(positions, side, below, distance, most));
    below.insert(below.end(), side.begin(), side.end());
    all.insert(all.end(), layer.begin(), layer.end());
  }
  const int own = int(all.size());
  all.insert(all.end(), bodies.begin(), bodies.end());
  out.left = crossing_triangles(positions, all, own);
  out.positions = std::move(positions);
  return out;
}

}  // namespace weft
