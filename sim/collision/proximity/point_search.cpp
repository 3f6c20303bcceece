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
      first_stranger_(points_ - strangers),
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
  left_out_start_ = Buffer<int>(device, "search exceptions", start);
  left_out_ = Buffer<int>(device, "search exceptions", entry);
  sorted_ = Buffer<vec3>(device, "search points", points_);
  cached_at_ = Buffer<vec3>(device, "search points", points_);
  sums_ = Buffer<vec3>(device, "search sums", point_search::kSums);
  count_ = Buffer<int>(device, "neighbour counts", padded_rows(points_));
  cache_count_ = Buffer<int>(device, "cache counts", padded_rows(points_));
  cached_reach_ = Buffer<float>(device, "search reach", 1);
  stale_ = Buffer<int>(device, "search flags", 1);
  rebuilds_ = Buffer<int>(device, "search rebuilds", 1);
  make_room(kRoom, kCacheRoom);
}

/// A difference to NaN is never below the margin.
void PointSearch::drop_cache() { cached_at_.upload(std::vector<vec3>(size_t(points_), vec3(NAN))); }

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
  cache_ = Buffer<int>(device_, "neighbourhood cache", buffer_size(rows * cached, "neighbourhood cache"));
  cache_width_ = cached;
  drop_cache();
  ++moves_;
}

void PointSearch::build_cache(Span<const vec3> base, Span<const vec3> offset, float radius) {
  using namespace point_search;
  const float inv_cell = 0.999f / radius;  // cells a little larger than the reach
  launch(device_, "hash points", points_,
         HashPoints{base, offset, inv_cell, cells_.mask(), cells_.key(), cells_.order(), rebuilds_});
  cells_.sort();
  launch(device_, "fill buckets", points_,
         FillBuckets{cells_.key(), cells_.order(), base, offset, cells_.begin(), cells_.end(), sorted_});
  launch(device_, "neighbourhood cache", points_,
         FillCache{cells_.order(),
                   cells_.begin(),
                   cells_.end(),
                   sorted_,
                   left_out_start_,
                   left_out_,
                   first_stranger_,
                   inv_cell,
                   radius,
                   cells_.mask(),
                   {{}, {}, cache_width_},
                   cache_count_,
                   cache_,
                   cached_at_,
                   cached_reach_,
                   cache_list_.wanted()});
}

void PointSearch::refresh(Span<const vec3> base, Span<const vec3> offset, float radius) {
  using namespace point_search;
  const float margin = kMargin * radius, reach = radius + 2 * margin;
  launch(device_, "check cache", sums_.size(), SumWays{base, offset, cached_at_, sums_});
  stale_.clear();
  launch(device_, "check cache", points_,
         CheckCache{base, offset, cached_at_, sums_, margin, reach, cached_reach_, stale_});
  device_.when(stale_, [&] { build_cache(base, offset, reach); });
}

point_search::FilterCache PointSearch::filter(Span<const vec3> base, Span<const vec3> offset, float radius) {
  return {base,
          offset,
          {cache_count_, cache_, cache_width_},
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
