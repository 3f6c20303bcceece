// Kernels of the tests. For CUDA they are compiled by tests/cuda/test_kernels.cu.
#pragma once
#include "sim/device/atomics.h"
#include "sim/device/launch.h"
#include "sim/device/row_of_threads.h"
#include "sim/grid/launch_blocks.h"

namespace weft::testing {

/// Counts how often each index was run.
struct CountVisits {
  Span<int> visits;
  HD void operator()(int i) const { atomic_add(&visits[i], 1); }
};

/// The same for kernels that run 16 rows at a time on the CPU.
struct CountRowVisits {
  Span<int> visits;
  HD void operator()(int i) const { row<OneRow>(i); }
  void sixteen(int first) const {
    for (int l = 0; l < kLanes; ++l) row<OneRow>(first + l);
  }
  template <class L>
  HD void row(int i) const {
    atomic_add(&visits[i], 1);
  }
};

/// Iteration k writes u[k % 2] and reads the other, of its neighbours too: what is read before it was written
/// shows in all that follow.
struct MixWithNeighbors {
  Span<unsigned> u[2];
  int count = 0;
  HD void operator()(int i, int k) const { row<OneRow>(i, k); }
  void sixteen(int first, int k) const {
    for (int i = first; i < first + kLanes && i < count; ++i) row<OneRow>(i, k);
  }
  template <class L>
  HD void row(int i, int k) const {
    const unsigned* now = u[1 - k % 2].data;
    u[k % 2][i] = 3 * now[i] + 5 * now[(i + 1) % count] + 7 * now[(i + count / 2) % count] + unsigned(k);
  }
};

/// The same with rows that a GPU keeps in shared memory (cuda/resident.cuh). All operations but the additions
/// are exact, so that every compiler gives the same bits.
struct MeanOfNeighbors {
  Span<vec3> u[2];
  int count = 0;
  HD void operator()(int i, int k) const { u[1 - k % 2][i] = moved(i, k, u[k % 2].data, u[1 - k % 2].data); }
  void sixteen(int first, int k) const {
    for (int i = first; i < first + kLanes && i < count; ++i) (*this)(i, k);
  }
  HD vec3 moved(int i, int k, const vec3* now, const vec3* before) const {
    const vec3 sum = now[i] + now[(i + 1) % count] + now[(i + count / 2) % count] + before[i];
    return 0.25f * sum + vec3(0, 0, float(k));
  }
};

/// Sums over rows of entries that neighbours share, by several threads of a GPU each. All operations are
/// exact.
struct SumOfRow {
  static constexpr bool kLongRows = true;
  Span<const vec3> in;
  Span<vec3> out;
  Span<int> bits;
  Span<float> number;  // a number of the row, its sum of first components and its count of entries
  Span<float> three;   // the sum again, interleaved
  Span<float> entry;   // kEntries per row, each written by the thread that has it
  static constexpr int kEntries = 37;
  HD void operator()(int i) const { row<OneRow>(i); }
  template <class L>
  HD void row(int i) const {
    Vec3<float> sum{0, 0, 0};
    unsigned seen = 0;
    float first = RowParts<L>::once(float(100 + i));
    int count = 0;
    const int entries = 1 + i % kEntries;
    for (int o = RowParts<L>::part(); o < entries; o += RowParts<L>::kCount) {
      sum = sum + L::rows(&in[(i + o) % in.size]);
      seen |= 1u << o % 32;
      first += in[(i + o) % in.size].x;
      ++count;
      RowParts<L>::store_own(&entry[kEntries * i + o], in[(i + o) % in.size].y);
    }
    L::store(&number[i], RowParts<L>::total(first) + float(RowParts<L>::total(count)));
    L::store3(&three[interleaved(i, 0, 3)], RowParts<L>::total(sum));
    L::store_rows(&out[i], RowParts<L>::total(sum));
    seen = RowParts<L>::all(seen);
    if (RowParts<L>::part() == 0) bits[i] = int(seen);
  }
};

/// Iterations of long rows, which a GPU may keep in shared memory. Between reading and writing a row there is
/// nothing but RowOfThreads::of_first.
struct MeanOfLongRows {
  static constexpr bool kLongRows = true;
  Span<vec3> u[2];
  int count = 0;
  HD void operator()(int i, int k) const { row<OneRow>(i, k); }
  void sixteen(int first, int k) const {
    for (int i = first; i < first + kLanes && i < count; ++i) row<OneRow>(i, k);
  }
  template <class L>
  HD void row(int i, int k) const {
    L::store_rows(&u[1 - k % 2][i], moved<L>(i, k, u[k % 2].data, u[1 - k % 2].data));
  }
  HD vec3 moved(int i, int k, const vec3* now, const vec3* before) const {
    const Vec3<float> m = moved<OneRow>(i, k, now, before);
    return {m.x, m.y, m.z};
  }
  template <class L>
  HD Vec3<float> moved(int i, int k, const vec3* now, const vec3* before) const {
    Vec3<float> sum{0, 0, 0};
    for (int o = RowParts<L>::part(); o < 15; o += RowParts<L>::kCount)
      sum = sum + L::rows(now + (i + o * o) % count);
    return L::splat(0.0625f) * (RowParts<L>::total(sum) + L::rows(before + i)) + Vec3<float>{0, 0, float(k)};
  }
};

/// A block of a grid of numbers, each of which becomes a sum of its neighbours in each phase.
struct BlockSums {
  static constexpr int kWidth = 8;
  static constexpr bool kOnGpu = true;
  using Shape = TileShape<kWidth>;
  struct Tile {
    float value[2][Shape::kSize];
  };
  Span<const int> in;  // kWidth² a block
  Span<int> out;
  HD void load(Tile& tile, int row, int x, int y) const {
    const int n = kWidth, from = row * n * n + (y + n) % n * n + (x + n) % n;
    for (auto& copy : tile.value) copy[Shape::element(x, y)] = float(in[from]);
  }
  HD int phases() const { return 4; }
  HD PhaseKind kind(const Tile&, int phase) const {
    return phase == 2 ? PhaseKind::none : PhaseKind::own_scalar;
  }
  template <class L>
  HD void run(Tile& tile, int, int phase, int e) const {
    const int turn = phase == 3 ? 0 : phase;
    const float* now = tile.value[turn];
    tile.value[1 - turn][e] = now[e - 1] + now[e + 1] + 2 * now[e + Shape::kStride];
  }
  HD void store(Tile& tile, int row, int x, int y) const {
    out[(row * kWidth + y) * kWidth + x] = int(tile.value[1][Shape::element(x, y)]);
  }
};

/// The end of a round of a loop that goes on for as long as `left` is not 0.
struct Turn {
  Span<int> left, odd;
  HD void operator()(int) const {
    left[0] -= 1;
    odd[0] = left[0] % 2;
  }
};

/// A templated kernel with a comma in its name, of vector arithmetic and a square root, for comparing
/// devices.
template <class T, int kPower>
struct Normalize {
  Span<const vec3> in;
  Span<T> out;
  HD void operator()(int i) const {
    T scale = T(1);
    for (int k = 0; k < kPower; ++k) scale *= sqrtf(glm::dot(in[i], in[i]) + T(1));
    out[i] = in[i].x / scale;
  }
};

/// Records the largest value and the union of bits over all elements.
struct Accumulate {
  Span<const int> in;
  Span<int> largest, bits;
  HD void operator()(int i) const {
    atomic_max(&largest[0], in[i]);
    atomic_or(&bits[0], in[i]);
  }
};

}  // namespace weft::testing
