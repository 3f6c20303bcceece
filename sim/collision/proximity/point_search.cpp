#include "sim/collision/proximity/point_search.h"

#include <algorithm>

#include "sim/device/primitives.h"

namespace weft {
namespace {

constexpr int kRoom = 24, kCacheRoom = 64;  // initial capacity per point
constexpr float kMargin = 0.32f;  // fraction of the radius that points may move before the cache is rebuilt

}  // namespace

PointSearch::PointSearch(GrowingLists& lists, const std::vector<std::vector<int>>& left_out, int strangers)
    : all_lists_(lists),
      device_(lists.device()),
      points_(int(left_out.size())),
      cells_(device_, points_),
      neighbors_list_(
          lists, "neighbour lists", [this](int n) { give_neighbors(n); }, GrowingListOptions{.doubled = 0}),
      cache_list_(
          lists, "neighbourhood cache", [this](int n) { give_cache(n); }, GrowingListOptions{.doubled = 0}) {
  Device& device = device_;
  std::vector<int> start{0}, entry;
  for (auto& row : left_out) {
    entry.insert(entry.end(), row.begin(), row.end());
    start.push_back(int(entry.size()));
  }
  excluded_.start = Buffer<int>(device, "search exceptions", start);
  excluded_.point = Buffer<int>(device, "search exceptions", entry);
  sorted_ = Buffer<vec3>(device, "search points", points_);
  cache_.at = Buffer<vec3>(device, "search points", points_);
  sums_ = Buffer<vec3>(device, "search sums", point_search::kSums);
  count_ = Buffer<int>(device, "neighbour counts", padded_rows(points_));
  cache_.count = Buffer<int>(device, "cache counts", padded_rows(points_));
  cache_.reach = Buffer<float>(device, "search reach", 1);
  cache_.stale = Buffer<int>(device, "search flags", 1);
  cache_.rebuilds = Buffer<int>(device, "search rebuilds", 1);
  excluded_.first_stranger = points_ - strangers;
  make_room(kRoom, kCacheRoom);
}

/// A difference to NaN is never below the margin.
void PointSearch::drop_cache() { cache_.at.upload(std::vector<vec3>(size_t(points_), vec3(NAN))); }

void PointSearch::give_neighbors(int neighbors) {
  const int64_t rows = padded_rows(points_);
  std::vector<int> self(size_t(buffer_size(rows * neighbors, "neighbour lists")));
  const NeighborLists l{{}, {}, neighbors};
  for (int i = 0; i < padded_rows(points_); ++i)
    for (int k = 0; k < neighbors; ++k) self[l.at(i, k)] = i;
  neighbor_ = Buffer<int>(device_, "neighbour lists", self);
  width_ = neighbors;
  count_.clear();
  ++moves_;
}

void PointSearch::give_cache(int cached) {
  const int64_t rows = padded_rows(points_);
  cache_.neighbor =
      Buffer<int>(device_, "neighbourhood cache", buffer_size(rows * cached, "neighbourhood cache"));
  cache_.width = cached;
  drop_cache();
  ++moves_;
}

void PointSearch::build_cache(Span<const vec3> base, Span<const vec3> offset, float radius) {
  using namespace point_search;
  const float inv_cell = 0.999f / radius;  // cells a little larger than the reach
  launch(device_, "hash points", points_,
         HashPoints{base, offset, inv_cell, cells_.mask(), cells_.key(), cells_.order(), cache_.rebuilds});
  cells_.sort();
  launch(device_, "fill buckets", points_,
         FillBuckets{{cells_.key(), cells_.begin(), cells_.end()}, cells_.order(), base, offset, sorted_});
  launch(device_, "neighbourhood cache", points_,
         FillCache{{cells_.order(), cells_.begin(), cells_.end(), sorted_, inv_cell, cells_.mask()},
                   excluded_.start,
                   excluded_.point,
                   excluded_.first_stranger,
                   radius,
                   {{}, {}, cache_.width},
                   cache_.count,
                   cache_.neighbor,
                   cache_.at,
                   cache_.reach,
                   cache_list_.wanted()});
}

void PointSearch::refresh(Span<const vec3> base, Span<const vec3> offset, float radius) {
  using namespace point_search;
  const float margin = kMargin * radius, reach = radius + 2 * margin;
  launch(device_, "check cache", sums_.size(), SumDisplacements{base, offset, cache_.at, sums_});
  cache_.stale.clear();
  launch(device_, "check cache", points_,
         CheckCache{base, offset, cache_.at, sums_, margin, reach, cache_.reach, cache_.stale});
  device_.when(cache_.stale, [&] { build_cache(base, offset, reach); });
}

point_search::FilterCache PointSearch::filter(Span<const vec3> base, Span<const vec3> offset, float radius) {
  return {base,
          offset,
          {cache_.count, cache_.neighbor, cache_.width},
          radius,
          {{}, {}, width_},
          count_,
          neighbor_,
          neighbors_list_.wanted()};
}

void PointSearch::find(Span<const vec3> base, Span<const vec3> offset, float radius) {
  refresh(base, offset, radius);
  launch(device_, "neighbours", points_, filter(base, offset, radius));
}

}  // namespace weft
