#include "sim/solvers/newton/balance.h"

#include "sim/device/primitives.h"

namespace weft {

void Balance::prepare(const NewtonSystem& system) {
  if (layout_ == system.layouts()) return;
  Pieces pieces = make_pieces(device_, system.pieces());
  const int n = pieces.count();
  Buffer<float> sums(device_, "balance sums", newton::kBalanceSums * pieces.chunks());
  Buffer<vec3> translation(device_, "island translations", n);
  Buffer<int> island(device_, "islands", n), changed(device_, "islands", 1), piece(device_, "islands", n);
  Buffer<uint32_t> key(device_, "islands", n);
  pieces_ = std::move(pieces);
  sums_ = std::move(sums), translation_ = std::move(translation), key_ = std::move(key);
  island_ = std::move(island), changed_ = std::move(changed), piece_ = std::move(piece);
  rigid_.prepare(pieces_);
  layout_ = system.layouts();
}

void Balance::find_islands(const StencilsView& stencils) {
  const int n = pieces_.count();
  launch(device_, "islands", n, newton::StartIslands{island_, changed_});
  if (n > 1 && !stencils.empty())
    device_.repeat(changed_, [&] {
      launch(device_, "islands", 1, newton::BeginRound{changed_});
      launch_counted(device_, "islands", stencils.count, stencils.stencil.size,
                     newton::JoinIslands{stencils, pieces_.piece_of_row, island_, changed_});
    });
  launch(device_, "islands", n, newton::IslandKeys{island_, key_, piece_});
  if (n > 1 && !stencils.empty()) sort_pairs(device_, key_, piece_);
}

linear::IslandsView Balance::islands() const { return {pieces_.view(), island_, key_, piece_}; }

void Balance::translate(NewtonSystem& system, Span<vec3> u, Span<vec3> r) {
  const StencilsView stencils = system.stencils();
  const newton::SystemView view = system.view();
  launch(device_, "balance", pieces_.chunks(),
         newton::SumForBalance{pieces_.view(), system.residual(), u, view.diagonal, view.free_row, stencils,
                               sums_});
  launch(device_, "balance", pieces_.count(), newton::BalanceIslands{islands(), sums_, translation_});
  launch(device_, "balance", system.rows(),
         newton::TranslateIslands{islands(), translation_, view.diagonal, view.free_row, stencils, u, r});
}

void Balance::begin(NewtonSystem& system, Span<vec3> u, Span<vec3> r) {
  StageScope stage(device_.profiler(), "balance");
  find_islands(system.stencils());
  translate(system, u, r);
}

void Balance::turn(NewtonSystem& system, Span<vec3> u, Span<vec3> r) {
  StageScope stage(device_.profiler(), "balance");
  find_islands(system.stencils());
  const newton::SystemView view = system.view();
  rigid_.run({.islands = islands(),
              .position = system.position(),
              .displacement = system.displacement(),
              .diagonal = view.diagonal,
              .free_row = view.free_row,
              .stencils = system.stencils(),
              .u = u,
              .r = r});
  translate(system, u, r);
}

void Balance::end(NewtonSystem& system, Span<vec3> u) {
  StageScope stage(device_.profiler(), "balance");
  translate(system, u, {});
}

}  // namespace weft
