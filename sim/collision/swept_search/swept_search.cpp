#include "sim/collision/swept_search/swept_search.h"

#include <algorithm>
#include <cmath>

#include "sim/collision/swept_search/block_collector.h"
#include "sim/collision/swept_search/hash_collector.h"
#include "sim/device/primitives.h"

namespace weft {
namespace {

using namespace swept_search;

constexpr const char *kTriangleName = "swept vertex-triangle pairs", *kEdgeName = "swept edge-edge pairs";
constexpr int kFewestPoints = 64, kPairs = 16;  // initial room for pairs, per vertex of the cloth

std::unique_ptr<Collector> make_collector(GrowingLists& lists, const SearchSurface& surface,
                                          SweptMethod method) {
  if (method == SweptMethod::hash) return std::make_unique<HashCollector>(lists, surface);
  return std::make_unique<BlockCollector>(lists, surface);
}

}  // namespace

SweptSearch::SweptSearch(GrowingLists& lists, const SearchSurface& surface, SweptMethod method)
    : device_(lists.device()),
      cloth_points_(std::min(surface.obstacle_from, int(surface.positions.size()))),
      collector_(make_collector(lists, surface, method)),
      triangle_list_(lists, kTriangleName, [this](int n) { give_room(triangle_, kTriangleName, n); }),
      edge_list_(lists, kEdgeName, [this](int n) { give_room(edge_, kEdgeName, n); }) {
  Device& device = device_;
  const int points = int(surface.positions.size());
  displacement_ = Buffer<vec3>(device, "swept points", cloth_points_);
  motion_ = Buffer<vec3>(device, "swept motion", 2);
  lower_ = Buffer<vec3>(device, "swept points", points);
  upper_ = Buffer<vec3>(device, "swept points", points);
  for (GrowingList* list : {&triangle_list_, &edge_list_})
    list->reserve(kPairs * std::max(cloth_points_, kFewestPoints));
}

SweptSearch::~SweptSearch() = default;

void SweptSearch::give_room(Pairs& pairs, const char* name, int room) {
  pairs.points = {};
  pairs.primitives = Buffer<ivec2>(device_, name, room);
  pairs.count = Buffer<int>(device_, name, 1);
  pairs.points = Buffer<ivec4>(device_, name, room);
  ++moves_;
}

int SweptSearch::moves() const { return moves_ + collector_->moves(); }

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
  launch(device_, "swept motion", cloth_points_, Displacements{x0, x1, displacement_});
  reduce_sum(device_, displacement_, sum);
  launch(device_, "swept motion", 1, MeanMotion{sum, 1.0f / float(cloth_points_), motion});
  launch(device_, "swept points", lower_.size(), PointBoxes{x0, x1, motion, 0.5f * margin, lower_, upper_});
  const Swept swept{lower_, upper_, moved, left_out_, tests_};
  const auto room = [](Pairs& p, const GrowingList& list) {
    return PairRoom{p.count, p.points, p.primitives, list.wanted()};
  };
  collector_->collect(swept, room(triangle_, triangle_list_), room(edge_, edge_list_));
}

}  // namespace weft
