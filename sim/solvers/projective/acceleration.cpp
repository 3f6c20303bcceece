#include "sim/solvers/projective/acceleration.h"

#include "sim/device/primitives.h"
#include "sim/solvers/projective/mode_space.h"

namespace weft {

Acceleration::Acceleration(Device& device, int rows)
    : device_(device),
      rows_(rows),
      gain_(device, "projective rows", mode_stride(rows)),
      sums_(device, "projective sums", 1),
      momentum_(device, "momentum", 2),
      before_(device, "projective vectors", mode_stride(rows)),
      anchored_(device, "held or not", 1) {}

void Acceleration::prepare(const StepContext& c) {
  const ProjectiveParams& params = c.scene.of<ProjectiveParams>();
  kind_ = ProjectiveAcceleration(params.acceleration);
  weights_grow_ = c.contact.weights_grow;
  if (weights_grow_ && kind_ == ProjectiveAcceleration::chebyshev) kind_ = ProjectiveAcceleration::off;
  const bool looks_back = kind_ == ProjectiveAcceleration::anderson;
  anderson_.prepare(device_, rows_, looks_back ? params.anderson_window : 0);
}

void Acceleration::begin_step(const StepContext& c) {
  device_.copy(before_.span().data, c.displacement.span().data, size_t(rows_) * sizeof(vec3));
}

/// Where weights of contact grow iterations are accelerated until it holds anything in the step.
Span<const int> Acceleration::find_anchored(StepContext& c, int k) {
  if (!weights_grow_) return {};
  if (k == 0) anchored_.clear();
  launch(device_, "acceleration", rows_, projective::FindAnchored{c.anchor_weight, anchored_});
  return anchored_;
}

Span<const float> Acceleration::sum_gains(const projective::SystemView& system) {
  launch(device_, "momentum", rows_, projective::LocalGain{system, gain_});
  reduce_sum(device_, Span<const float>(gain_.span().data, rows_), sums_);
  return sums_;
}

void Acceleration::measure(const projective::SystemView& system) {
  if (kind_ != ProjectiveAcceleration::off) sum_gains(system);
}

void Acceleration::move(StepContext& c, int k, Span<const float> free_row, Span<const vec3> step,
                        Span<const vec3> sweep) {
  const Span<float> stopped(c.solver_residual.span().data + 1, 1);
  if (kind_ == ProjectiveAcceleration::anderson)
    return anderson_.advance(k, free_row, step, sweep, sums_, stopped, c.displacement, find_anchored(c, k));
  const bool momentum = kind_ == ProjectiveAcceleration::chebyshev;
  if (momentum)
    launch(device_, "momentum", 1,
           projective::ChooseMomentum{sums_, c.scene.of<ProjectiveParams>().chebyshev_rho, k == 0, momentum_,
                                      stopped});
  launch(device_, "move", rows_,
         projective::Move{.free_row = free_row,
                          .step = step,
                          .u = sweep,
                          .state = momentum ? Span<const float>(momentum_) : Span<const float>(),
                          .d = c.displacement,
                          .before = before_});
}

}  // namespace weft
