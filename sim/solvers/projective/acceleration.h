// Acceleration of the iterations of one step: none, by Chebyshev's momentum, or Anderson's.
#pragma once
#include "sim/methods/step_context.h"
#include "sim/solvers/projective/anderson.h"
#include "sim/solvers/projective/projective_kernels.h"
#include "sim/solvers/projective/projective_params.h"

namespace weft {

class Acceleration {
 public:
  Acceleration(Device&, int rows);
  /// Within prepare() of the solver.
  void prepare(const StepContext&);
  void begin_step(const StepContext&);
  /// The size of the forces left, which the choice of a step goes by; nothing where none is chosen.
  void measure(const projective::SystemView& system);
  /// d <- d + step + sweep, or what acceleration makes of it; `k`: number of the iteration in its step.
  void move(StepContext&, int k, Span<const float> free_row, Span<const vec3> step, Span<const vec3> sweep);
  /// The sum of r . D⁻¹ r, one element.
  Span<const float> sum_gains(const projective::SystemView& system);

 private:
  Span<const int> find_anchored(StepContext&, int k);
  Device& device_;
  int rows_;
  Buffer<float> gain_, sums_, momentum_;
  Anderson anderson_;
  Buffer<vec3> before_;                                        // d an iteration ago
  Buffer<int> anchored_;                                       // whether anything has held cloth in this step
  bool weights_grow_ = false;                                  // of contact, from iteration to iteration
  ProjectiveAcceleration kind_ = ProjectiveAcceleration::off;  // of this step
};

}  // namespace weft
