#include "sim/solvers/newton/conjugate_gradients.h"

#include "sim/device/primitives.h"

namespace weft {
namespace {
// Iterations between two tests of whether there is anything left to do.
constexpr int kBlock = 8, kMultilevelBlock = 2;
}  // namespace

ConjugateGradients::ConjugateGradients(Device& device, int n)
    : device_(device),
      inner_(device, "CG inner products", n),
      pq_(device, "CG curvature", 1),
      next_(device, "CG residual", 1),
      progress_(device, "CG progress", 1),
      spectrum_(device, "CG spectrum", 1) {
  for (Buffer<vec3>* b : {&u_, &r_, &z_, &p_, &q_}) *b = Buffer<vec3>(device_, "CG vectors", n);
  prepare(1);
  forget_spectrum();
}

void ConjugateGradients::prepare(int iterations) {
  if (rz_.size() == iterations + 1) return;
  for (Buffer<float>* b : {&rz_, &left_, &alpha_})
    *b = Buffer<float>(device_, "CG residuals", iterations + 1);
}

void ConjugateGradients::start(NewtonSystem& system, MultilevelPreconditioner* multilevel, Balance* balance) {
  StageScope stage(device_.profiler(), "conjugate gradients");
  multilevel_ = multilevel;
  rz_.clear();
  launch(device_, "start", system.rows(), newton::StartCg{system.residual(), u_, r_});
  if (balance) balance->begin(system, u_, r_);
  if (multilevel_) multilevel_->apply(system, r_, z_, inner_);
  else launch(device_, "start", system.rows(), newton::BlockJacobi{system.preconditioner(), r_, z_, inner_});
  system.precondition_bodies(r_, z_, inner_);
  // padding too: what is no number there would stay
  device_.copy(p_.span().data, z_.span().data, size_t(z_.size()) * sizeof(vec3));
  reduce_sum(device_, inner_, Span<float>(rz_.span().data, 1));
}

void ConjugateGradients::run(NewtonSystem& system, int iterations, float tolerance, NewtonEnds* ends,
                             bool forcing) {
  StageScope stage(device_.profiler(), "conjugate gradients");
  const int block = multilevel_ ? kMultilevelBlock : kBlock;
  const newton::CgView cg{.rz = rz_,
                          .left = left_,
                          .pq = pq_,
                          .next = next_,
                          .at = progress_,
                          .iterations = iterations,
                          .tolerance = tolerance,
                          .least = ends ? newton::kLinearEnd : 0.0f,
                          .forcing = forcing ? ends->forcing() : Span<const float>()};
  launch(device_, "judge", 1, newton::BeginCg{cg, ends ? ends->worst() : measure(), left_, progress_});
  device_.repeat({&progress_.span().data->go_on, 1}, [&] {
    for (int i = 0; i < block; ++i) iterate(system, cg, ends);
  });
}

void ConjugateGradients::iterate(NewtonSystem& system, const newton::CgView& cg, NewtonEnds* ends) {
  system.multiply(p_, q_, inner_);
  reduce_sum(device_, inner_, pq_);
  const auto step = [&](auto kernel) {
    kernel = {cg, system.preconditioner(), p_, q_, u_, r_, z_, inner_};
    launch(device_, "take step", system.rows(), kernel);
  };
  if (multilevel_) {
    step(newton::StepCg<false>());
    multilevel_->apply(system, r_, z_, inner_);
  } else {
    step(newton::StepCg<true>());
  }
  system.precondition_bodies(r_, z_, inner_);
  reduce_sum(device_, inner_, next_);
  launch(device_, "turn", system.rows(), newton::TurnCg{cg, z_, p_});
  if (ends) ends->measure(inner_);
  launch(device_, "judge", 1,
         newton::EndCg{.cg = cg,
                       .now = ends ? ends->worst() : Span<const float>(next_),
                       .rz = rz_,
                       .left = left_,
                       .alpha = alpha_,
                       .at = progress_,
                       .spectrum = spectrum_,
                       .limit = ends ? ends->limit() : Span<SolveEnd>()});
}

}  // namespace weft
