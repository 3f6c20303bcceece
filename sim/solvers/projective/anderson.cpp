#include "sim/solvers/projective/anderson.h"

#include "sim/device/launch.h"

namespace weft {

void Anderson::prepare(Device& device, int rows, int window) {
  if (device_ == &device && rows_ == rows && window_ == window) return;
  device_ = &device, rows_ = rows, window_ = window;
  const int some = window > 0 ? rows : 0;
  for (Buffer<vec3>* b : {&last_f_, &last_g_}) *b = Buffer<vec3>(device, "steps before", some);
  const int all = buffer_size(int64_t(some) * window, "steps before");
  for (Buffer<vec3>* b : {&df_, &dg_}) *b = Buffer<vec3>(device, "steps before", all);
  partial_ = Buffer<double>(device, "products of steps", 2 * window * anderson::kChunks);
  state_ = Buffer<anderson::State>(device, "acceleration", window > 0 ? 1 : 0);
}

void Anderson::advance(int k, Span<const float> free_row, Span<const vec3> step, Span<const vec3> sweep,
                       Span<const float> size, Span<float> stopped, Span<vec3> d, Span<const int> plain) {
  const bool first = k == 0;
  const anderson::History h{rows_, window_, last_f_, last_g_, df_, dg_};
  launch(*device_, "acceleration", 1, anderson::Judge{first, !plain.empty(), size, state_});
  launch(*device_, "acceleration", rows_, anderson::Remember{h, first, state_, free_row, d, step, sweep});
  if (!first) launch(*device_, "acceleration", partial_.size(), anderson::Products{h, state_, partial_});
  launch(*device_, "acceleration", 1,
         anderson::Solve{window_, first, size, plain, partial_, state_, stopped});
  launch(*device_, "acceleration", rows_, anderson::Advance{h, free_row, state_, d});
}

}  // namespace weft
