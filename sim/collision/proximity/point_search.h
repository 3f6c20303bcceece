// All points within a distance of each point, by a hashed grid on the device and a cache of neighbourhoods.
#pragma once
#include <vector>

#include "sim/collision/proximity/cell_buckets.h"
#include "sim/collision/proximity/point_search_kernels.h"
#include "sim/device/growing_lists.h"

namespace weft {

/// Finds every pair of points closer than a radius, except excluded ones. Complete at any density: a list
/// that is too short reports to the GrowingLists. A wider neighbourhood of each point is cached
/// (Wu 2020, section 4.3.1) until some point has moved by more than a margin relative to the mean of 256
/// points spread over all; the lists do not depend on the age of the cache.
class PointSearch {
 public:
  /// `left_out`: per point, ascending, points that are never paired with it, even when close. Pairs among the
  /// last `strangers` points are never reported either.
  PointSearch(GrowingLists& lists, const std::vector<std::vector<int>>& left_out, int strangers = 0);

  /// Finds neighbours at base + offset (m, one per point). Allocates nothing and does not read the device.
  void find(Span<const vec3> base, Span<const vec3> offset, float radius);
  /// The same in two parts, for callers that do more with each point: updates the cache; the returned filter
  /// then finds the neighbours of point i.
  void refresh(Span<const vec3> base, Span<const vec3> offset, float radius);
  point_search::FilterCache filter(Span<const vec3> base, Span<const vec3> offset, float radius);
  /// Ascending indices.
  NeighborLists lists() const { return {count_, neighbor_, width_}; }

  /// Reserves this many neighbours and cached points per point.
  void make_room(int neighbors, int cached) {
    neighbors_list_.reserve(neighbors), cache_list_.reserve(cached);
  }
  /// Number of rebuilds of the cache, on the device.
  Span<const int> rebuilds() const { return cache_.rebuilds; }
  void drop_cache();
  /// As GrowingLists::fit, of the lists of this search alone.
  bool fits() { return all_lists_.fit({&neighbors_list_, &cache_list_}); }
  /// Changes when memory moves.
  int moves() const { return moves_; }

 private:
  struct Exclusions {
    Buffer<int> start, point;  // by point
    int first_stranger = 0;    // those from it on are no neighbours of each other
  };
  /// Points within a wider reach.
  struct Cache {
    int width = 0;        // places per point
    Buffer<vec3> at;      // where each point was
    Buffer<float> reach;  // m
    Buffer<int> count, neighbor, stale, rebuilds;
  };
  void give_neighbors(int neighbors);
  void give_cache(int cached);
  void build_cache(Span<const vec3> base, Span<const vec3> offset, float radius);

  GrowingLists& all_lists_;
  Device& device_;
  int points_ = 0, width_ = 0, moves_ = 0;
  Exclusions excluded_;
  CellBuckets cells_;
  Buffer<vec3> sorted_, sums_;
  Buffer<int> count_, neighbor_;
  Cache cache_;
  GrowingList neighbors_list_, cache_list_;  // places per point
};

}  // namespace weft
