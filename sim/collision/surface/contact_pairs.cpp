#include "sim/collision/surface/contact_pairs.h"

#include <algorithm>

#include "sim/collision/surface/view_kernels.h"
#include "sim/device/launch.h"
#include "sim/geometry/primitive_distance.h"

namespace weft {
namespace {

/// Kind of a pair from the number of corners with weight on each side: one for a vertex, two for the interior
/// of an edge.
ContactKind kind_of(int first, int second) {
  if (first == 2 && second == 2) return ContactKind::edge_edge;
  const int more = std::max(first, second);
  return more == 3   ? ContactKind::vertex_triangle
         : more == 2 ? ContactKind::vertex_edge
                     : ContactKind::vertex_vertex;
}

template <class T>
std::vector<T> first_of(Device& device, Span<const T> values, int count) {
  std::vector<T> out(static_cast<size_t>(count));
  if (count) device.download(out.data(), values.data, out.size() * sizeof(T));
  return out;
}

/// Distances (m) at which the listed pairs meet.
std::vector<float> reaches(Device& device, const PairList& pairs, bool vertex_triangle, int count,
                           float distance, const PartRadii& parts) {
  if (!parts.any() || count == 0) return std::vector<float>(size_t(count), distance);
  Buffer<float> reach(device, "where pairs meet", pairs.capacity());
  launch_counted(device, "where pairs meet", pairs.count, pairs.capacity(),
                 contact::PairReach{pairs, vertex_triangle, parts, distance, reach.span()});
  std::vector<float> out = reach.download();
  out.resize(size_t(count));
  return out;
}

}  // namespace

ContactPair contact_pair(const ivec4& points, const float (&weight)[4], const std::vector<vec3>& x,
                         int cloth_points) {
  ContactPair pair;
  float heaviest = 0, lightest = 0;  // each side is represented by its corner of largest weight
  int corners[2] = {0, 0};
  bool body = false;
  for (int k = 0; k < 4; ++k) {
    const int point = points[k];
    if (point < 0) continue;
    (weight[k] > 0 ? pair.a : pair.b) += std::abs(weight[k]) * x[point];
    if (weight[k] > heaviest) heaviest = weight[k], pair.points.x = point;
    if (weight[k] < lightest) lightest = weight[k], pair.points.y = point;
    if (weight[k] != 0) ++corners[weight[k] < 0];
    body |= point >= cloth_points;
  }
  pair.kind = body ? ContactKind::body : kind_of(corners[0], corners[1]);
  return pair;
}

std::vector<ContactPair> close_pairs(Device& device, const std::array<PairList, 2>& lists,
                                     const std::vector<vec3>& x, int cloth_points, float distance, int most,
                                     const PartRadii& parts) {
  std::vector<ContactPair> found;
  for (size_t list = 0; list < 2; ++list) {
    const PairList& pairs = lists[list];
    const int count = std::min(first_of(device, pairs.count, 1)[0], pairs.capacity());
    const std::vector<ivec4> points = first_of(device, pairs.points, count);
    const std::vector<int> support = first_of(device, pairs.support, count);
    const std::vector<float> reach = reaches(device, pairs, list == 0, count, distance, parts);
    for (size_t i = 0; i < points.size(); ++i) {
      if (!(support[i] & kOwner)) continue;
      const ivec4& p = points[i];
      const vec3 &a = x[p[0]], &b = x[p[1]], &c = x[p[2]], &d = x[p[3]];
      const ClosestPair<float> closest =
          list == 0 ? closest_vertex_triangle(a, b, c, d) : closest_edge_edge(a, b, c, d);
      if (closest.squared < reach[i] * reach[i])
        found.push_back(contact_pair(p, closest.weight, x, cloth_points));
    }
  }
  return thinned(std::move(found), most);
}

std::vector<ContactPair> thinned(std::vector<ContactPair> pairs, int most) {
  if (most <= 0) return {};
  const size_t stride = (pairs.size() + size_t(most) - 1) / size_t(most);
  if (stride <= 1) return pairs;
  std::vector<ContactPair> some;
  for (size_t i = 0; i < pairs.size(); i += stride) some.push_back(pairs[i]);
  return some;
}

}  // namespace weft
