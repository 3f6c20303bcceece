#include "sim/grid/descent/grid_problem.h"

#include <algorithm>

#include "sim/device/primitives.h"
#include "sim/grid/descent/block_lists.h"
#include "sim/grid/descent/block_step.h"
#include "sim/linear/chebyshev.h"

namespace weft::block_descent {

extern template void launch_step(Device&, const char*, bool, const StepArguments&, const SpringSheet&);
extern template void launch_step(Device&, const char*, bool, const StepArguments&, const Corotated&);
extern template void launch_step(Device&, const char*, bool, const StepArguments&, const Stvk&);

namespace {

// Sums of energies in float32 are good to about this share of the sum of their sizes.
constexpr float kEnergyRounding = 2e-7f;

bool conjugate(Method m) { return m == Method::conjugate || m == Method::conjugate_blocks; }

}  // namespace

GridProblem::GridProblem(Device& device, const grid::Grid& grid, const Sheet& s)
    : sheet(s),
      device_(&device),
      grid_(&grid),
      x_(device, grid),
      next_(device, "next positions of the grid", grid.slot_count()),
      saved_(device, "last good positions of the grid", grid.slot_count()),
      value_(device, "energies of the grid", grid.slot_count()),
      control_(device, "control of block descent", kNumbers) {
  classify();
}

void GridProblem::hold(const std::vector<unsigned char>& held) {
  held_ = Buffer<unsigned char>(*device_, "held vertices of the grid", held);
}

grid::GridPositions& GridProblem::target() {
  if (!target_) target_ = std::make_unique<grid::GridPositions>(*device_, *grid_);
  return *target_;
}

void GridProblem::set_rest(grid::RestLists* rest) {
  rest_ = rest;
  classify();
}

void GridProblem::classify() {
  const int blocks = grid_->block_count();
  Buffer<int> uniform(*device_, "uniform blocks", blocks), general(*device_, "general blocks", blocks);
  launch(*device_, "block lists", blocks,
         MarkUniform{grid_->view(), rest_ ? rest_->view() : grid::RestView{}, uniform, general});
  const auto list = [](const std::vector<int>& marks) {
    std::vector<int> out;
    for (size_t b = 0; b < marks.size(); ++b)
      if (marks[b]) out.push_back(int(b));
    return out;
  };
  uniform_ = Buffer<int>(*device_, "uniform blocks", list(uniform.download()));
  general_ = Buffer<int>(*device_, "general blocks", list(general.download()));
}

StepArguments GridProblem::arguments() {
  StepArguments a = arguments_;
  a.grid = grid_->view();
  a.x = std::as_const(x_).view();
  if (target_) a.target = std::as_const(*target_).view();
  else a.terms.anchor = 0;
  a.rest = rest_ ? rest_->view() : grid::RestView{};
  a.held = held_;
  a.next = next_, a.direction = direction_, a.product = value_;
  a.control = control_;
  const float anchor = target_ ? terms.anchor : 0.0f;
  a.terms = terms;
  a.terms.anchor = anchor;
  a.lag_outer = options.lag_outer, a.diagonal = options.diagonal;
  return a;
}

void GridProblem::launch_steps(Finish finish, int inner) {
  StepArguments a = arguments();
  a.finish = finish;
  a.inner = std::clamp(inner, 1, kMostInner);
  const std::vector<float> omega =
      options.inner_rho > 0 ? chebyshev_weights(options.inner_rho, a.inner) : std::vector<float>{};
  for (int l = 0; l < kMostInner; ++l) a.inner_omega[l] = l < int(omega.size()) ? omega[l] : 1.0f;
  std::visit(
      [&](const auto& s) {
        a.list = uniform_;
        launch_step(*device_, "block descent", false, a, s);
        a.list = general_;
        launch_step(*device_, "block descent", true, a, s);
      },
      sheet);
}

void GridProblem::begin() {
  launch(*device_, "control", 1, ResetControl{control_, options.alpha});
  first_ = true;
  iteration_ = 0;
  project();
  next_.copy_from(x_.local);
  if (conjugate(options.method) && direction_.size() != x_.local.size()) {
    direction_ = Buffer<vec3>(*device_, "search direction of the grid", x_.local.size());
  }
  if (conjugate(options.method)) next_.clear();
}

void GridProblem::renew() {
  project();
  first_ = true;
}

void GridProblem::project() {
  if (arguments_.plane.any())
    launch(*device_, "half planes", grid_->slot_count(), ProjectPlanes{arguments_.plane, x_.local});
}

void GridProblem::measure() {
  std::visit(
      [&]<class S>(const S& s) {
        launch(*device_, "energy", grid_->slot_count(), VertexEnergy<S>{arguments(), s, value_});
      },
      sheet);
  reduce_sum(*device_, value_, Span<float>(control_.span().data + kEnergy, 1));
}

void GridProblem::judge() {
  measure();
  launch(*device_, "control", 1, Judge{control_, kEnergyRounding, options.alpha, first_});
  first_ = false;
  launch(*device_, "keep or return", grid_->slot_count(),
         KeepOrReturn{control_, x_.local, next_, saved_, conjugate(options.method)});
}

void GridProblem::solve(int iterations) {
  const bool by_blocks = options.method == Method::blocks || options.method == Method::conjugate_blocks;
  const int inner = by_blocks ? options.inner : 1;
  const float rho2 = options.outer_rho * options.outer_rho;
  for (int k = 0; k < iterations; ++k, ++iteration_) {
    if (options.judge_every > 0 && (first_ || iteration_ % options.judge_every == 0)) judge();
    if (conjugate(options.method)) {
      launch_steps(Finish::direction, inner);
      reduce_sum(*device_, value_, Span<float>(control_.span().data + kProduct, 1));
      launch(*device_, "control", 1, NextBeta{control_, options.conjugate_restart});
      launch(*device_, "conjugate", grid_->slot_count(),
             Conjugate{control_, direction_, next_, x_.local, arguments_.plane, arguments_.way,
                       grid_->view().width()});
    } else {
      launch(*device_, "control", 1, NextOmega{control_, rho2, options.restart, options.delay});
      launch_steps(Finish::momentum, inner);
      std::swap(x_.local, next_);
    }
    if (seams_) seams_->pull(*device_, x_.view(), held_, sweeps_);
  }
  if (options.judge_every > 0) judge();  // the result is no worse than the last good positions
}

void GridProblem::take_better(Span<const vec3> other) {
  const size_t bytes = size_t(x_.local.size()) * sizeof(vec3);
  measure();
  launch(*device_, "control", 1, SaveEnergy{control_});
  saved_.copy_from(x_.local);
  device_->copy(x_.local.span().data, other.data, bytes);
  measure();
  launch(*device_, "better start", grid_->slot_count(), KeepBetter{control_, saved_, x_.local});
}

void GridProblem::reserve_estimates() {
  if (direction_.size() != x_.local.size())
    direction_ = Buffer<vec3>(*device_, "gradient of the grid", x_.local.size());
}

Span<const vec3> GridProblem::queue_gradient() {
  reserve_estimates();
  direction_.clear();
  launch_steps(Finish::gradient, 1);
  return direction_;
}

Span<const float> GridProblem::queue_gains() {
  reserve_estimates();
  value_.clear();
  launch_steps(Finish::direction, options.inner);
  return value_;
}

double GridProblem::energy() {
  measure();
  double sum = 0;
  for (const float e : value_.download()) sum += double(e);
  return sum;
}

std::vector<vec3> GridProblem::gradient() {
  queue_gradient();
  return direction_.download();
}

size_t GridProblem::bytes() const {
  const size_t slots = x_.local.size();
  return (3 + (target_ ? 1 : 0)) * slots * sizeof(vec3) + slots * sizeof(float) +
         size_t(direction_.size()) * sizeof(vec3) + size_t(held_.size()) +
         size_t(x_.origin.size()) * (sizeof(vec3) + sizeof(int));
}

}  // namespace weft::block_descent
