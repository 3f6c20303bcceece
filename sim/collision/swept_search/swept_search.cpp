#include "sim/collision/swept_search/swept_search.h"

#include <algorithm>
#include <cmath>

#include "sim/collision/swept_search/block_collector.h"
#include "sim/collision/swept_search/hash_collector.h"
#include "sim/collision/swept_search/patches.h"
#include "sim/device/primitives.h"

namespace weft {
namespace {

using namespace swept_search;

constexpr int kFewest = 64, kPairs = 16;  // initial room for pairs, per vertex of the cloth

std::unique_ptr<Collector> make_collector(Device& device, const SearchSurface& surface, SweptMethod method) {
  if (method == SweptMethod::hash) return std::make_unique<HashCollector>(device, surface);
  if (method == SweptMethod::patches)
    return std::make_unique<BlockCollector>(device, surface, patch_layout(surface));
  return std::make_unique<BlockCollector>(device, surface, forest_layout(surface));
}

}  // namespace

SweptSearch::SweptSearch(Device& device, const SearchSurface& surface, SweptMethod method)
    : device_(device),
      cloth_points_(std::min(surface.obstacle_from, int(surface.positions.size()))),
      collector_(make_collector(device, surface, method)) {
  const int points = int(surface.positions.size());
  way_ = Buffer<vec3>(device, "swept points", cloth_points_);
  motion_ = Buffer<vec3>(device, "swept motion", 2);
  lower_ = Buffer<vec3>(device, "swept points", points);
  upper_ = Buffer<vec3>(device, "swept points", points);
  needed_ = Buffer<int>(device, "swept overflow", 2);
  make_room(kPairs * std::max(cloth_points_, kFewest));
}

SweptSearch::~SweptSearch() = default;

void SweptSearch::make_room(Pairs& pairs, const char* name, int room) {
  if (room <= pairs.points.size()) return;
  pairs.points = Buffer<ivec4>(device_, name, room);
  pairs.primitives = Buffer<ivec2>(device_, name, room);
  pairs.count = Buffer<int>(device_, name, 1);
  ++moves_;
}

void SweptSearch::make_room(int pairs) {
  make_room(triangle_, "swept vertex-triangle pairs", pairs);
  make_room(edge_, "swept edge-edge pairs", pairs);
}

void SweptSearch::take_room() {
  collector_->take_room();
  triangle_ = Pairs(), edge_ = Pairs();
  make_room(1);
}

int SweptSearch::moves() const { return moves_ + collector_->moves(); }

void SweptSearch::clear_overflow() {
  needed_.clear();
  collector_->clear_overflow();
}

bool SweptSearch::fits() {
  const std::vector<int> needed = needed_.download();
  const bool collected = collector_->fits(), listed = needed[0] == 0 && needed[1] == 0;
  const auto room = [](int entries) { return buffer_size(int64_t(entries) + entries / 4, "swept pairs"); };
  make_room(triangle_, "swept vertex-triangle pairs", room(needed[0]));
  make_room(edge_, "swept edge-edge pairs", room(needed[1]));
  if (!listed) needed_.clear();
  return collected && listed;
}

void SweptSearch::leave_out(const std::vector<int>& marks) {
  if (marks.empty() && left_out_.empty()) return;
  if (int(marks.size()) == left_out_.size()) return left_out_.upload(marks);
  left_out_ = marks.empty() ? Buffer<int>() : Buffer<int>(device_, "excluded points", marks);
  ++moves_;
}

void SweptSearch::count_tests(bool wanted) {
  tests_ = wanted ? Buffer<int64_t>(device_, "swept tests", 1) : Buffer<int64_t>();
  ++moves_;
}

void SweptSearch::find_moved(Span<const vec3> x0, Span<const vec3> x1, float margin, Span<const int> moved) {
  if (!(margin >= 0 && std::isfinite(margin)) || cloth_points_ <= 0) {
    triangle_.count.clear();
    edge_.count.clear();
    return;
  }
  const Span<vec3> sum(motion_.span().data, 1), motion(motion_.span().data + 1, 1);
  launch(device_, "swept motion", cloth_points_, Displacements{x0, x1, way_.span()});
  reduce_sum(device_, way_.span(), sum);
  launch(device_, "swept motion", 1, CommonMotion{sum, 1.0f / float(cloth_points_), motion});
  launch(device_, "swept points", lower_.size(),
         PointBoxes{x0, x1, motion, 0.5f * margin, lower_.span(), upper_.span()});
  const Swept swept{lower_.span(), upper_.span(), moved, left_out_.span(), tests_.span()};
  const auto room = [&](Pairs& p, int place) {
    return PairRoom{p.count.span(), p.points.span(), p.primitives.span(),
                    Span<int>(needed_.span().data + place, 1)};
  };
  collector_->collect(swept, room(triangle_, 0), room(edge_, 1));
}

}  // namespace weft
