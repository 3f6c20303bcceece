#include "sim/grid/descent/grid_problem.h"

#include <algorithm>

#include "sim/device/primitives.h"
#include "sim/grid/descent/block_lists.h"
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
      work_{{device, "next positions of the grid", grid.slot_count()},
            {device, "last good positions of the grid", grid.slot_count()},
            {},
            {device, "energies of the grid", grid.slot_count()}},
      control_(device, "control of block descent", kNumbers) {
  classify();
}

void GridProblem::pin(const std::vector<unsigned char>& pinned) {
  pinned_ = Buffer<unsigned char>(*device_, "held vertices of the grid", pinned);
}

grid::GridPositions& GridProblem::target() {
  if (!target_) target_ = std::make_unique<grid::GridPositions>(*device_, *grid_);
  return *target_;
}

void GridProblem::set_rest(grid::RestLists* rest) {
  rest_ = rest;
  classify();
}

void GridProblem::set_factors(Span<const vec3> factor) {
  arguments_.rest.factor = factor;
  classify();
}

void GridProblem::classify() {
  const int blocks = grid_->block_count();
  Buffer<int> uniform(*device_, "uniform blocks", blocks), general(*device_, "general blocks", blocks);
  launch(*device_, "block lists", blocks,
         MarkUniform{grid_->view(), rest_ ? rest_->view() : grid::RestView{}, arguments_.rest.factor, uniform,
                     general});
  const auto list = [](const std::vector<int>& marks) {
    std::vector<int> out;
    for (size_t b = 0; b < marks.size(); ++b)
      if (marks[b]) out.push_back(int(b));
    return out;
  };
  blocks_.uniform = Buffer<int>(*device_, "uniform blocks", list(uniform.download()));
  blocks_.general = Buffer<int>(*device_, "general blocks", list(general.download()));
}

StepArguments GridProblem::arguments() {
  StepArguments a = arguments_;
  a.grid = grid_->view();
  a.x = std::as_const(x_).view();
  if (target_) a.target = std::as_const(*target_).view();
  else a.terms.anchor = 0;
  a.rest = {rest_ ? rest_->view() : grid::RestView{}, arguments_.rest.factor};
  a.limits.pinned = pinned_;
  a.results = {work_.next, work_.direction, work_.value};
  a.control = control_;
  const float anchor = target_ ? terms.anchor : 0.0f;
  a.terms = terms;
  a.terms.anchor = anchor;
  a.inner.lag_outer = options.lag_outer, a.inner.diagonal = options.diagonal;
  return a;
}

void GridProblem::launch_steps(Finish finish, int inner) {
  StepArguments a = arguments();
  a.finish = finish;
  a.inner.count = std::clamp(inner, 1, kMostInner);
  const std::vector<float> omega =
      options.inner_rho > 0 ? chebyshev_weights(options.inner_rho, a.inner.count) : std::vector<float>{};
  for (int l = 0; l < kMostInner; ++l) a.inner.omega[l] = l < int(omega.size()) ? omega[l] : 1.0f;
  std::visit(
      [&](const auto& s) {
        a.list = blocks_.uniform;
        launch_step(*device_, "block descent", false, a, s);
        a.list = blocks_.general;
        launch_step(*device_, "block descent", true, a, s);
      },
      sheet);
}

void GridProblem::begin() {
  launch(*device_, "control", 1, ResetControl{control_, options.alpha});
  progress_.first = true;
  progress_.iteration = 0;
  project();
  work_.next.copy_from(x_.local);
  if (conjugate(options.method) && work_.direction.size() != x_.local.size()) {
    work_.direction = Buffer<vec3>(*device_, "search direction of the grid", x_.local.size());
  }
  if (conjugate(options.method)) work_.next.clear();
}

void GridProblem::renew() {
  project();
  progress_.first = true;
}

void GridProblem::project() {
  if (arguments_.plane.any())
    launch(*device_, "half planes", grid_->slot_count(), ProjectPlanes{arguments_.plane, x_.local});
}

void GridProblem::measure() {
  std::visit(
      [&]<class S>(const S& s) {
        launch(*device_, "energy", grid_->slot_count(), VertexEnergy<S>{arguments(), s, work_.value});
      },
      sheet);
  reduce_sum(*device_, work_.value, Span<float>(control_.span().data + kEnergy, 1));
}

void GridProblem::judge() {
  measure();
  launch(*device_, "control", 1, Judge{control_, kEnergyRounding, options.alpha, progress_.first});
  progress_.first = false;
  launch(*device_, "keep or return", grid_->slot_count(),
         KeepOrReturn{control_, x_.local, work_.next, work_.saved, conjugate(options.method)});
}

void GridProblem::solve(int iterations) {
  const bool by_blocks = options.method == Method::blocks || options.method == Method::conjugate_blocks;
  const int inner = by_blocks ? options.inner : 1;
  const float rho2 = options.outer_rho * options.outer_rho;
  for (int k = 0; k < iterations; ++k, ++progress_.iteration) {
    if (options.judge_every > 0 && (progress_.first || progress_.iteration % options.judge_every == 0))
      judge();
    if (conjugate(options.method)) {
      launch_steps(Finish::direction, inner);
      reduce_sum(*device_, work_.value, Span<float>(control_.span().data + kProduct, 1));
      launch(*device_, "control", 1, NextBeta{control_, options.conjugate_restart});
      launch(*device_, "conjugate", grid_->slot_count(),
             Conjugate{control_, work_.direction, work_.next, x_.local, arguments_.plane,
                       arguments_.limits.path, grid_->view().width()});
    } else {
      launch(*device_, "control", 1, NextOmega{control_, rho2, options.restart, options.delay});
      launch_steps(Finish::momentum, inner);
      std::swap(x_.local, work_.next);
    }
    if (seams_.seams) seams_.seams->pull(*device_, x_.view(), pinned_, seams_.sweeps);
  }
  if (options.judge_every > 0) judge();  // the result is no worse than the last good positions
}

void GridProblem::take_better(Span<const vec3> other) {
  const size_t bytes = size_t(x_.local.size()) * sizeof(vec3);
  measure();
  launch(*device_, "control", 1, SaveEnergy{control_});
  work_.saved.copy_from(x_.local);
  device_->copy(x_.local.span().data, other.data, bytes);
  measure();
  launch(*device_, "better start", grid_->slot_count(), KeepBetter{control_, work_.saved, x_.local});
}

void GridProblem::reserve_estimates() {
  if (work_.direction.size() != x_.local.size())
    work_.direction = Buffer<vec3>(*device_, "gradient of the grid", x_.local.size());
}

Span<const vec3> GridProblem::queue_gradient() {
  reserve_estimates();
  work_.direction.clear();
  launch_steps(Finish::gradient, 1);
  return work_.direction;
}

Span<const float> GridProblem::queue_gains() {
  reserve_estimates();
  work_.value.clear();
  launch_steps(Finish::direction, options.inner);
  return work_.value;
}

double GridProblem::energy() {
  measure();
  double sum = 0;
  for (const float e : work_.value.download()) sum += double(e);
  return sum;
}

std::vector<vec3> GridProblem::gradient() {
  queue_gradient();
  return work_.direction.download();
}

size_t GridProblem::bytes() const {
  const size_t slots = x_.local.size();
  return (3 + (target_ ? 1 : 0)) * slots * sizeof(vec3) + slots * sizeof(float) +
         size_t(work_.direction.size()) * sizeof(vec3) + size_t(pinned_.size()) +
         size_t(x_.origin.size()) * (sizeof(vec3) + sizeof(int));
}

}  // namespace weft::block_descent
