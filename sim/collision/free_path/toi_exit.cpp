#include "sim/collision/free_path/toi_exit.h"

#include <algorithm>
#include <cstddef>

#include "sim/collision/surface/point_kernels.h"
#include "sim/device/primitives.h"

namespace weft {
namespace {
using namespace ndb;
constexpr float kLeastPiece = 1e-7f;  // m: shorter pieces are rounding
}  // namespace

ToiExit::ToiExit(Device& device, const ContactSurface& surface, TriangleSearch& search)
    : device_(device),
      surface_(surface),
      search_(search),
      path_(device, "ways left", surface.points()),
      farthest_(device, "ways left", 1),
      impact_(device, "time of impact", 1),
      progress_(device, "exit", 1) {
  for (auto* b : {&x_, &y_, &end_}) *b = Buffer<vec3>(device, "exit points", surface.points());
}

void ToiExit::prepare(float radius, float margin, float filter, int most_pieces) {
  radius_ = radius, margin_ = margin, filter_ = filter, most_pieces_ = most_pieces;
}

void ToiExit::begin_step() { progress_.clear(); }

void ToiExit::run(Span<const vec3> base, Span<vec3> displacement, Span<const vec3> target, Span<vec3> body,
                  const PartRadii& parts, int most) {
  most = most > 0 ? std::min(most, most_pieces_) : most_pieces_;
  StageScope stage(device_.profiler(), "full tests");
  const int points = surface_.points();
  launch(
      device_, "exit", points,
      BeginExit{base, displacement, target, body, surface_.body_targets(), surface_.cloth_points(), x_, y_});
  launch(device_, "exit", 1, BeginPieces{progress_});
  if (watcher_) watcher_(x_.download());
  static_assert(offsetof(ExitProgress, goes_on) == 0);
  device_.repeat(Span<const int>(&progress_.span().data->goes_on, 1), [&] { piece(most, parts); });
  launch(device_, "exit", points, contact::LeavePath{x_, base, surface_.cloth_points(), displacement, body});
}

void ToiExit::piece(int most, const PartRadii& parts) {
  const int points = surface_.points();
  launch(device_, "ways left", points, path::PathsLeft{x_, y_, path_});
  reduce_max(device_, path_, farthest_);
  launch(device_, "piece", 1, ChooseShare{farthest_, radius_, progress_});
  device_.when(Span<const int>(&progress_.span().data->moved, 1),
               [&] { search_.find(x_, radius_, margin_, y_); });
  launch(device_, "piece", points,
         path::PieceEnds{x_, y_, Span<const float>(&progress_.span().data->share, 1), end_});
  find_impact(parts);
  launch(device_, "piece", 1, DecidePiece{impact_, farthest_, filter_, kLeastPiece, most, progress_});
  device_.when(Span<const int>(&progress_.span().data->accepted, 1), [&] {
    launch(device_, "piece", points, TakePiece{end_, x_});
    if (watcher_) watcher_(x_.download());
  });
}

void ToiExit::find_impact(const PartRadii& parts) {
  launch(device_, "piece", 1, path::NoImpact{impact_});
  const PairList lists[2] = {search_.vertex_triangle(), search_.edge_edge()};
  for (int k = 0; k < 2; ++k) {
    const path::PairImpacts pairs{lists[k], k == 0, x_, end_, impact_};
    const int most = lists[k].capacity();
    if (parts.any())
      launch_counted(device_, "times of impact", lists[k].count, most, path::WidePairImpacts{pairs, parts});
    else launch_counted(device_, "times of impact", lists[k].count, most, pairs);
  }
  const path::PlaneImpacts planes{surface_.planes(), x_, end_, impact_};
  if (parts.any())
    launch(device_, "times of impact", surface_.cloth_points(), path::WidePlaneImpacts{planes, parts});
  else launch(device_, "times of impact", surface_.cloth_points(), planes);
}

}  // namespace weft
