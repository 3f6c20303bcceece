#include "sim/collision/free_path/shared_piece.h"

#include <cstddef>

#include "sim/device/primitives.h"

namespace weft {
using namespace path;

SharedPiece::SharedPiece(Device& device, int points)
    : device_(device),
      end_(device, "ends of a piece", points),
      path_(device, "ways left", points),
      farthest_(device, "ways left", 1),
      impact_(device, "time of impact", 1),
      piece_(device, "piece", 1) {}

void SharedPiece::find(const ContactSurface& surface, const PairList& vertex_triangle,
                       const PairList& edge_edge, Span<const vec3> x, Span<const vec3> y, float most,
                       float keep) {
  launch(device_, "piece", x.size, PathsLeft{x, y, path_});
  reduce_max(device_, path_, farthest_);
  launch(device_, "piece", 1, BeginPiece{farthest_, most, piece_});
  shorten(surface, vertex_triangle, edge_edge, x, y, keep);
}

void SharedPiece::find(const ContactSurface& surface, const PairList& vertex_triangle,
                       const PairList& edge_edge, Span<const vec3> x, Span<const vec3> y,
                       Span<const float> longest, float keep) {
  launch(device_, "piece", 1, BeginUpTo{longest, piece_});
  shorten(surface, vertex_triangle, edge_edge, x, y, keep);
}

void SharedPiece::shorten(const ContactSurface& surface, const PairList& vertex_triangle,
                          const PairList& edge_edge, Span<const vec3> x, Span<const vec3> y, float keep) {
  static_assert(offsetof(Piece, goes_on) == 0);
  device_.repeat(Span<const int>(&piece_.span().data->goes_on, 1), [&] {
    launch(device_, "piece", x.size, PieceEnds{x, y, Span<const float>(&piece_.span().data->share, 1), end_});
    launch(device_, "piece", 1, NoImpact{impact_});
    for (const bool vt : {true, false}) {
      const PairList& pairs = vt ? vertex_triangle : edge_edge;
      launch_counted(device_, "times of impact", pairs.count, pairs.capacity(),
                     PairImpacts{pairs, vt, x, end_, impact_, keep});
    }
    launch(device_, "times of impact", surface.cloth_points(),
           PlaneImpacts{surface.planes(), x, end_, impact_});
    launch(device_, "piece", 1, JudgePiece{impact_, piece_});
  });
}

}  // namespace weft
