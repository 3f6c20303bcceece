#include "sim/solvers/newton/balance.h"

#include "sim/device/primitives.h"
#include "sim/solvers/newton/balance_kernels.h"

namespace weft {

void Balance::prepare(const NewtonSystem& system) {
  if (layout_ == system.layouts()) return;
  Pieces pieces = make_pieces(device_, system.couplings().pieces());
  const int n = pieces.count();
  Buffer<float> sums(device_, "balance sums", newton::kBalanceSums * pieces.chunks());
  Buffer<vec3> translation(device_, "island translations", n);
  Buffer<int> island(device_, "islands", n), changed(device_, "islands", 1), piece(device_, "islands", n);
  Buffer<uint32_t> key(device_, "islands", n);
  pieces_ = std::move(pieces);
  sums_ = std::move(sums), translation_ = std::move(translation), key_ = std::move(key);
  island_ = std::move(island), changed_ = std::move(changed), piece_ = std::move(piece);
  layout_ = system.layouts();
}

void Balance::run(NewtonSystem& system, Span<vec3> u, Span<vec3> r) {
  StageScope stage(device_.profiler(), "balance");
  const StencilsView stencils = system.stencils();
  const newton::SystemView view = system.view();
  const int n = pieces_.count();
  launch(device_, "balance", pieces_.chunks(),
         newton::SumForBalance{pieces_.view(), system.residual(), u, view.diagonal, view.free_row, stencils,
                               sums_.span()});
  launch(device_, "islands", n, newton::StartIslands{island_.span(), changed_.span()});
  if (n > 1 && !stencils.empty())
    device_.repeat(changed_.span(), [&] {
      launch(device_, "islands", 1, newton::BeginRound{changed_.span()});
      launch_counted(
          device_, "islands", stencils.count, stencils.stencil.size,
          newton::JoinIslands{stencils, pieces_.piece_of_row.span(), island_.span(), changed_.span()});
    });
  launch(device_, "islands", n, newton::IslandKeys{island_.span(), key_.span(), piece_.span()});
  if (n > 1 && !stencils.empty()) sort_pairs(device_, key_.span(), piece_.span());
  launch(
      device_, "balance", n,
      newton::BalanceIslands{pieces_.view(), key_.span(), piece_.span(), sums_.span(), translation_.span()});
  launch(device_, "balance", system.rows(),
         newton::TranslateIslands{pieces_.piece_of_row.span(), island_.span(), translation_.span(),
                                  view.diagonal, view.free_row, stencils, u, r});
}

}  // namespace weft
