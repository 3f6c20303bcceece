// Kernels of the tests. For CUDA they are compiled by tests/cuda/test_kernels.cu.
#pragma once
#include "sim/device/atomics.h"
#include "sim/device/launch.h"

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
  HD void row(int i) const { atomic_add(&visits[i], 1); }
};

/// Iteration k writes u[k % 2] and reads the other, of its neighbours too: what is read before it was written shows in all that follow.
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

/// The same with rows that a GPU keeps in shared memory (cuda/resident.cuh). All operations but the additions are
/// exact, so that every compiler gives the same bits.
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

/// The end of a round of a loop that goes on for as long as `left` is not 0.
struct Turn {
  Span<int> left, odd;
  HD void operator()(int) const {
    left[0] -= 1;
    odd[0] = left[0] % 2;
  }
};

/// A templated kernel with a comma in its name, of vector arithmetic and a square root, for comparing devices.
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
