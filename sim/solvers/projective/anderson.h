// Anderson acceleration of the iterations of one step.
#pragma once
#include "sim/device/buffer.h"
#include "sim/solvers/projective/anderson_kernels.h"

namespace weft {

/// Keeps what the last iterations of a step have changed. All on the device.
class Anderson {
 public:
  /// Memory for `window` differences of `rows` vectors; none with 0. Not within a recorded sequence.
  void prepare(Device& device, int rows, int window);
  /// Moves `d` (m) by step + sweep, or further. `k`: number of the iteration in its step. `size`: of the
  /// forces left at d, as ChooseMomentum has it; `stopped` counts new beginnings. Rows whose `free_row` is 0
  /// stay.
  /// `plain`: one element, not 0 where the iteration is to be taken as it is; or empty.
  void advance(int k, Span<const float> free_row, Span<const vec3> step, Span<const vec3> sweep,
               Span<const float> size, Span<float> stopped, Span<vec3> d, Span<const int> plain = {});

 private:
  Device* device_ = nullptr;
  int rows_ = 0, window_ = 0;
  Buffer<vec3> last_f_, last_g_, df_, dg_;
  Buffer<double> partial_;
  Buffer<anderson::State> state_;
};

}  // namespace weft
