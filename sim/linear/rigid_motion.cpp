#include "sim/linear/rigid_motion.h"

#include "sim/device/launch.h"

namespace weft {

void RigidMotion::prepare(const Pieces& pieces) {
  const int n = pieces.count();
  std::vector<int> island(static_cast<size_t>(n));
  std::iota(island.begin(), island.end(), 0);
  Buffer<float> sums(device_, "rigid motion sums", linear::kTurnSums * pieces.chunks());
  Buffer<vec3> x(device_, "rigid motion rows", pieces.row.size());
  Buffer<linear::IslandMotion> motion(device_, "rigid motions", n);
  Buffer<int> islands(device_, "islands", island);
  Buffer<uint32_t> key(device_, "islands", std::vector<uint32_t>(island.begin(), island.end()));
  pieces_ = pieces.view();
  sums_ = std::move(sums), x_ = std::move(x), motion_ = std::move(motion);
  island_ = std::move(islands), key_ = std::move(key);
}

linear::IslandsView RigidMotion::each_piece() const { return {pieces_, island_, key_, island_}; }

void RigidMotion::run(const System& s) {
  const int rows = x_.size(), chunks = pieces_.chunk_start.size - 1, pieces = motion_.size();
  launch(device_, "rigid motion", rows, linear::PlaceRows{s.position, s.displacement, x_});
  launch(device_, "rigid motion", chunks, linear::SumForCentre{pieces_, x_, s.free_row, sums_});
  any_.clear();
  launch(device_, "rigid motion", pieces, linear::FindCentres{s.islands, sums_, motion_, any_});
  device_.when(any_, [&] {
    launch(device_, "rigid motion", chunks,
           linear::SumForTurn{.islands = s.islands,
                              .motion = motion_,
                              .x = x_,
                              .residual = s.r,
                              .diagonal = s.diagonal,
                              .stencils = s.stencils,
                              .sums = sums_});
    launch(device_, "rigid motion", pieces, linear::SolveTurn{s.islands, sums_, motion_});
    launch(device_, "rigid motion", rows,
           linear::TurnIslands{.islands = s.islands,
                               .motion = motion_,
                               .x = x_,
                               .diagonal = s.diagonal,
                               .stencils = s.stencils,
                               .u = s.u,
                               .r = s.r});
  });
}

}  // namespace weft
