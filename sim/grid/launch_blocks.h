// Kernels that work on one block of a grid at a time, in memory close at hand: shared memory on the GPU
// (cuda/block.cuh), a tile on the stack on the CPU. One source for both: the kernel says what happens to one
// element of the tile, in phases with a barrier between them.
//
//   struct Kernel {
//     static constexpr int kWidth;                                // W
//     static constexpr bool kOnGpu;                               // whether its tile has room in shared memory
//     struct Tile;                                                // plain; not initialised
//     HD void load(Tile&, int row, int x, int y) const;           // -2 <= x, y < W + 2
//     void load_block(Tile&, int row) const;                      // the whole of it, for the CPU; may be missing
//     HD int phases() const;
//     HD PhaseKind kind(const Tile&, int phase) const;
//     template <class L> HD void run(Tile&, int row, int phase, int element) const;
//     HD void store(Tile&, int row, int x, int y) const;          // 0 <= x, y < W
//   };
//
// `row` is the row of the launch; which block that is, the kernel knows. The CPU runs `run` for 16 elements
// side by side, in the order of memory, so that elements of the halo at the rows' ends are computed too: they
// must come out unchanged.
#pragma once
#include "sim/device/launch.h"

namespace weft {

/// Elements of a phase.
enum class PhaseKind {
  none,
  own,         // the block's
  own_scalar,  // the block's, one at a time
  cells,       // and one row and column before them
};

/// Where elements of a tile lie: a row of W + 4 after the other, with room for 16 more at the end.
template <int W>
struct TileShape {
  static constexpr int kStride = W + 4;
  static constexpr int kSize = kStride * kStride + 2 * kLanes;
  HD static constexpr int element(int x, int y) { return (y + 2) * kStride + x + 2; }
};

#ifndef __CUDACC__
/// 1 at elements of odd x + y, else 0.
template <int W>
struct OddElements {
  float value[TileShape<W>::kSize];
  constexpr OddElements() : value() {
    for (int e = 0; e < TileShape<W>::kSize; ++e)
      value[e] = float((e % TileShape<W>::kStride + e / TileShape<W>::kStride) & 1);
  }
};
template <int W>
inline constexpr OddElements<W> kOddElements;
#endif

#ifndef __CUDACC__
#if WEFT_CUDA
namespace cuda {
template <class Kernel>
void launch_blocks(Device& device, const char* name, int count, const Kernel& kernel);
}
#endif

template <class Kernel>
void run_block(const Kernel& kernel, int row) {
  constexpr int W = Kernel::kWidth;
  using Shape = TileShape<W>;
  typename Kernel::Tile tile;
  if constexpr (requires { kernel.load_block(tile, row); }) {
    kernel.load_block(tile, row);
  } else {
    for (int y = -2; y < W + 2; ++y)
      for (int x = -2; x < W + 2; ++x) kernel.load(tile, row, x, y);
  }
  const int phases = kernel.phases(), end = Shape::element(W - 1, W - 1) + 1;
  for (int p = 0; p < phases; ++p) {
    const PhaseKind kind = kernel.kind(tile, p);
    if (kind == PhaseKind::none) continue;
    if (kind == PhaseKind::own_scalar) {
      for (int y = 0; y < W; ++y)
        for (int x = 0; x < W; ++x) kernel.template run<OneRow>(tile, row, p, Shape::element(x, y));
      continue;
    }
    // Rows that begin at the same element in each phase: what one phase writes for 16 elements the next
    // reads.
    const int own = Shape::element(0, 0), past = own + (end - own + kLanes - 1) / kLanes * kLanes;
    for (int e = kind == PhaseKind::cells ? Shape::element(-1, -1) : own; e < past; e += kLanes)
      kernel.template run<SixteenRows>(tile, row, p, e);
  }
  for (int y = 0; y < W; ++y)
    for (int x = 0; x < W; ++x) kernel.store(tile, row, x, y);
}
template <class Kernel>
WEFT_ONE_COPY void run_block_rows(const Kernel& kernel, int begin, int end) {
  const Kernel local = kernel;
  for (int row = begin; row < end; ++row) run_block(local, row);
}

/// Runs `kernel` for 0 <= row < count.
template <class Kernel>
void launch_blocks(Device& device, const char* name, int count, const Kernel& kernel) {
  if (count <= 0) return;
  StageScope stage(device.profiler(), name);
  device.profiler().count_launch();
#if WEFT_CUDA
  if constexpr (Kernel::kOnGpu)
    if (device.is_cuda()) return cuda::launch_blocks(device, name, count, kernel);
#endif
  if (device.noting() && note_launch(device, name, count, 1, kernel)) return;
  if (Traffic* traffic = device.traffic()) traffic->launched(&kernel, sizeof kernel, count);
  parallel_blocks(
      device, count, [&](int begin, int end) { run_block_rows(kernel, begin, end); }, 1);
}
#endif

}  // namespace weft
