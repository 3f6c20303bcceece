#include "sim/solvers/neighborhood_forces.h"

#include <algorithm>

#include "sim/mesh/bending/bending_neighborhoods.h"
#include "sim/scene/solids.h"

namespace weft {

NeighborhoodForces::NeighborhoodForces(Device& device, const Topology& topology)
    : device_(device), vertex_part_(topology.vertex_part) {
  const BendingNeighborhoods b = bending_neighborhoods(topology);
  const int n = int(topology.rest.size()), padded = padded_rows(n), slices = padded / kLanes;
  std::vector<int> start(size_t(slices) + 1, 0), self(padded), place(b.neighbor.size());
  for (int i = 0; i < padded; ++i) self[i] = std::min(i, n - 1);
  for (int s = 0; s < slices; ++s) {
    int longest = 0;
    for (int i = s * kLanes; i < std::min(n, (s + 1) * kLanes); ++i) {
      const int count = b.start[i + 1] - b.start[i];
      longest = std::max(longest, count);
      for (int k = 0; k < count; ++k) place[b.start[i] + k] = start[s] + kLanes * k + i % kLanes;
    }
    start[s + 1] = start[s] + kLanes * longest;
  }
  std::vector<int> neighbor(start.back()), reverse(start.back());
  for (int s = 0; s < slices; ++s)
    for (int o = start[s]; o < start[s + 1]; ++o) neighbor[o] = self[s * kLanes + o % kLanes], reverse[o] = o;
  std::vector<float> reference(3 * size_t(start.back()), 0.0f), inverse(2 * size_t(padded), 0.0f);
  for (size_t e = 0; e < place.size(); ++e) {
    neighbor[place[e]] = b.neighbor[e];
    reverse[place[e]] = place[b.reverse[e]];
    for (int c = 0; c < 3; ++c) reference[interleaved(place[e], c, 3)] = b.reference[e][c];
  }
  for (int i = 0; i < n; ++i)
    for (int c = 0; c < 2; ++c) inverse[interleaved(i, c, 2)] = b.inverse_moment[i][c];
  unit_stiffness_ = b.stiffness;
  const std::vector<float> painted = painted_factors(topology, Painted::bending_rigidity);
  for (size_t v = 0; v < painted.size(); ++v) unit_stiffness_[v] *= painted[v];
  slice_start_ = Buffer<int>(device, "neighbourhood slices", start);
  self_ = Buffer<int>(device, "neighbourhood vertices", self);
  neighbor_ = Buffer<int>(device, "neighbourhoods", neighbor);
  reverse_ = Buffer<int>(device, "neighbourhoods reversed", reverse);
  reference_ = Buffer<float>(device, "neighbourhood references", reference);
  inverse_moment_ = Buffer<float>(device, "neighbourhood moments", inverse);
  stiffness_ = Buffer<float>(device, "neighbourhood stiffness", padded);
  force_ = Buffer<vec3>(device, "neighbourhood forces", start.back());
  own_ = Buffer<vec3>(device, "neighbourhood own forces", padded);
}

void NeighborhoodForces::set_fabric(const Scene& scene) {
  std::vector<float> k(size_t(stiffness_.size()), 0.0f);
  for (size_t v = 0; v < unit_stiffness_.size(); ++v)
    k[v] = unit_stiffness_[v] * surface_of(scene, vertex_part_[v]).bending_rigidity;
  stiffness_.upload(k);
}

neighborhoods::NeighborhoodsView NeighborhoodForces::view() const {
  return {slice_start_, self_, neighbor_, reverse_, reference_, inverse_moment_, stiffness_};
}

void NeighborhoodForces::add(Span<const vec3> position, Span<const vec3> d, Span<const vec3> others,
                             Span<vec3> total) {
  const int n = int(unit_stiffness_.size());
  launch(device_, "neighbourhoods", n, neighborhoods::BendNeighborhoods{view(), position, d, force_, own_});
  launch(device_, "neighbourhoods", n,
         neighborhoods::GatherNeighborhoods{view(), force_, own_, others, total});
}

}  // namespace weft
