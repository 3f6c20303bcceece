#include "sim/solvers/newton/conjugate_gradients.h"

#include <algorithm>

#include "sim/device/primitives.h"

namespace weft {
namespace {
// Iterations between two looks at whether there is anything left to do.
constexpr int kBlock = 8, kMultilevelBlock = 2;
}

ConjugateGradients::ConjugateGradients(Device& device, int n) : device_(device), inner_(device, "CG inner products", n), active_(device, "CG active", 1) {
  for (Buffer<vec3>* b : {&u_, &r_, &z_, &p_, &q_}) *b = Buffer<vec3>(device_, "CG vectors", n);
  prepare(1);
}

void ConjugateGradients::prepare(int iterations) {
  if (pq_.size() == iterations) return;
  rz_ = Buffer<float>(device_, "CG residuals", iterations + 1);
  pq_ = Buffer<float>(device_, "CG curvatures", iterations);
}

void ConjugateGradients::start(NewtonSystem& system, MultilevelPreconditioner* multilevel) {
  StageScope stage(device_.profiler(), "conjugate gradients");
  multilevel_ = multilevel;
  rz_.clear();
  launch(device_, "start", system.rows(), newton::StartCg{system.residual(), u_.span(), r_.span()});
  if (multilevel_) multilevel_->apply(system, r_.span(), z_.span(), inner_.span());
  else launch(device_, "start", system.rows(), newton::BlockJacobi{system.preconditioner(), r_.span(), z_.span(), inner_.span()});
  device_.copy(p_.span().data, z_.span().data, size_t(z_.size()) * sizeof(vec3));  // padding too: what is no number there would stay
  reduce_sum(device_, inner_.span(), Span<float>(rz_.span().data, 1));
}

void ConjugateGradients::run(NewtonSystem& system, int iterations, float tolerance) {
  StageScope stage(device_.profiler(), "conjugate gradients");
  const int block = multilevel_ ? kMultilevelBlock : kBlock;
  launch(device_, "judge", 1, newton::Judge{rz_.span(), rz_.span(), tolerance, active_.span()});
  for (int begin = 0; begin < iterations; begin += block)
    device_.when(active_.span(), [&] {
      for (int k = begin; k < std::min(iterations, begin + block); ++k) iterate(system, k, tolerance);
    });
}

void ConjugateGradients::iterate(NewtonSystem& system, int k, float tolerance) {
  const newton::CgView cg{rz_.span(), pq_.span(), tolerance};
  system.multiply(p_.span(), q_.span(), inner_.span());
  reduce_sum(device_, inner_.span(), Span<float>(pq_.span().data + k, 1));
  const auto step = [&](auto kernel) {
    kernel = {cg, k, system.preconditioner(), p_.span(), q_.span(), u_.span(), r_.span(), z_.span(), inner_.span()};
    launch(device_, "step", system.rows(), kernel);
  };
  if (multilevel_) {
    step(newton::StepCg<false>());
    multilevel_->apply(system, r_.span(), z_.span(), inner_.span());
  } else {
    step(newton::StepCg<true>());
  }
  reduce_sum(device_, inner_.span(), Span<float>(rz_.span().data + k + 1, 1));
  launch(device_, "turn", system.rows(), newton::TurnCg{cg, k, z_.span(), p_.span(), active_.span()});
}

}  // namespace weft
