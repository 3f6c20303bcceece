// All points within a distance of each point, by a hashed grid on the device and a cache of what is near.
#pragma once
#include <vector>

#include "sim/collision/proximity/point_search_kernels.h"
#include "sim/device/buffer.h"

namespace weft {

/// Finds every pair of points closer than a radius, except those that it was told to leave out. Complete at any density: a list
/// that outgrows its memory raises a flag, and make_room then gives it more.
///
/// Points that are near in a wider sense are kept (the neighbourhood cache of Wu 2020, section 4.3.1) until some point has moved by
/// more than a margin against the mean of 256 that are spread over all; the lists are the same whether the cache is old or new.
class PointSearch {
 public:
  /// `left_out`: per point, ascending, the points that are no neighbours of it whatever their distance. The last `strangers` points are no
  /// neighbours of each other.
  PointSearch(Device& device, const std::vector<std::vector<int>>& left_out, int strangers = 0);

  /// Neighbours at base + offset (m, one per point). No allocation, no look at the host.
  void find(Span<const vec3> base, Span<const vec3> offset, float radius);
  /// The same in two parts, for callers that have more to do with each point: makes sure of the cache; what then finds the neighbours of point i.
  void refresh(Span<const vec3> base, Span<const vec3> offset, float radius);
  point_search::FilterCache filter(Span<const vec3> base, Span<const vec3> offset, float radius);
  /// Ascending indices.
  NeighborLists lists() const { return {count_.span(), neighbor_.span(), width_}; }

  /// To be called before the searches of a step.
  void clear_overflow() { overflow_.clear(); }
  /// Waits for the device. False if a list was cut short since clear_overflow: there is more room now, and what was computed with it
  /// is void.
  bool fits();
  /// Room for so many neighbours, and so many points in the cache, of each point.
  void make_room(int neighbors, int cached);
  /// How often the cache was built anew, on the device.
  Span<const int> rebuilds() const { return rebuilds_.span(); }
  void drop_cache();
  /// Changes when memory moves.
  int moves() const { return moves_; }

 private:
  void build_cache(Span<const vec3> base, Span<const vec3> offset, float radius);

  Device& device_;
  int points_ = 0, first_stranger_ = 0, width_ = 0, cache_width_ = 0, moves_ = 0;
  uint32_t buckets_ = 0;
  Buffer<int> left_out_start_, left_out_;
  Buffer<uint32_t> key_;
  Buffer<int> order_, bucket_begin_, bucket_end_;
  Buffer<vec3> sorted_, cached_at_, sums_;
  Buffer<float> cached_reach_;  // m: of the cache
  Buffer<int> count_, neighbor_, cache_count_, cache_, stale_, rebuilds_;
  Buffer<int> overflow_;  // places needed: neighbours, cache
};

}  // namespace weft
