// Moves pieces of cloth, or islands of pieces, as rigid bodies to where what holds them is in balance.
#pragma once
#include "sim/linear/pieces.h"
#include "sim/linear/rigid_motion_kernels.h"

namespace weft {

/// rigid_motion_kernels.h says why solvers need it. Pieces with a kinematic vertex stay.
class RigidMotion {
 public:
  explicit RigidMotion(Device& device) : device_(device), any_(device, "free islands", 1) {}
  /// Allocates for these pieces, of which each is an island of its own unless a system says otherwise.
  void prepare(const Pieces& pieces);
  linear::IslandsView each_piece() const;

  /// What is moved. Rows as the pieces have them.
  struct System {
    linear::IslandsView islands;
    Span<const vec3> position, displacement;  // m, whose sum is where r and D are
    Span<const float> diagonal;               // D, N/m, interleaved 6
    Span<const float> free_row;               // 0 in kinematic rows
    StencilsView stencils;                    // those with bodies count for D; may be empty
    Span<vec3> u, r;                          // m, and N: forces that are left, which change with u
  };
  void run(const System&);
  /// One element, of the last run: not 0 where some island is free to move.
  Span<const int> any() const { return any_; }

 private:
  Device& device_;
  linear::PiecesView pieces_;
  Buffer<float> sums_;
  Buffer<vec3> x_;
  Buffer<linear::IslandMotion> motion_;
  Buffer<int> any_, island_;
  Buffer<uint32_t> key_;
};

/// What a solver keeps to balance the connected pieces of its full mesh.
struct PieceBalance {
  Pieces pieces;
  RigidMotion rigid;
  Buffer<float> sums;        // per chunk, as the solver's kernels have them
  Buffer<vec3> translation;  // m, per piece
  PieceBalance(Device& device, Pieces of, int sums_per_chunk)
      : pieces(std::move(of)),
        rigid(device),
        sums(device, "piece sums", sums_per_chunk * pieces.chunks()),
        translation(device, "piece translations", pieces.count()) {
    rigid.prepare(pieces);
  }
};

}  // namespace weft
