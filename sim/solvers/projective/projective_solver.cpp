#include "sim/solvers/projective/projective_solver.h"

#include <cmath>

#include "sim/linear/level_rows.h"
#include "sim/scene/model/part_surface.h"
#include "sim/solvers/projective/cell_couplings.h"
#include "sim/solvers/projective/projective_params.h"
#include "sim/solvers/spring_fabric.h"

namespace weft {
namespace {

constexpr int kFewestSquared = 4;        // sweeps from which on rank 2 differs from rank 1
constexpr int kMostSquared = 3'000'000;  // rows whose products (some 480 a row) an int can number

const ProjectiveParams& params(const StepContext& c) { return c.scene.of<ProjectiveParams>(); }

template <class T>
std::vector<T> download(Device& device, Span<const T> values) {
  std::vector<T> out(static_cast<size_t>(values.size));
  if (values.size) device.download(out.data(), values.data, out.size() * sizeof(T));
  return out;
}

/// What modes are of. Inner points of solids have no edges but those of cells.
LevelMesh mode_mesh(const Topology& t) { return t.cells.empty() ? level_mesh(t) : level_mesh_with_cells(t); }

}  // namespace

ProjectiveSolver::ProjectiveSolver(const StepContext& c)
    : device_(c.device),
      elements_(c.device, c.model.vertex_count(), true),
      step_(c.device, "projective vectors", mode_stride(c.model.vertex_count())),
      body_gain_(c.device, "rigid bodies", c.model.rigid.count()),
      subspace_(c.device, mode_mesh(c.model.host), c.model.vertex_count()),
      sweeps_(c.device, c.model.vertex_count()),
      acceleration_(c.device, c.model.vertex_count()) {
  choose_rows(c);
  const int n = mode_stride(rows());
  RowValues& r = of_row_;
  for (Buffer<vec3>* b : {&r.position, &r.d, &r.target, &r.force})
    *b = Buffer<vec3>(device_, "projective vectors", n);
  for (Buffer<float>* b : {&r.mass, &r.row_sum, &r.half_bound, &r.free_row, &r.own, &r.inverse})
    *b = Buffer<float>(device_, "projective rows", n);
  for (Buffer<float>* b : {&r.anchor_weight, &r.added})
    *b = Buffer<float>(device_, "projective diagonals", 6 * n);
  r.residual = Buffer<float>(device_, "projective residual", 3 * n);
  pieces_.emplace(device_, make_pieces(device_, rows_.pieces()), 10);
  parameters_changed(c);
}

/// Rows stand in for the Hessian of the bending model, and must not be softer.
void ProjectiveSolver::choose_rows(const StepContext& c) {
  RowLayout layout = row_layout(c.scene);
  if (layout_ == layout) return;
  rows_ = Rows(device_, fine_rows(c));
  layout_ = std::move(layout);
}

void ProjectiveSolver::parameters_changed(const StepContext& c) {
  choose_rows(c);
  std::vector<float> rigidity, lock;
  for (int v = 0; v < rows(); ++v) {
    const FabricParams& fabric = fabric_at(c.model.host, c.scene, v);
    rigidity.push_back(row_rigidity(c.scene.step, fabric));
    lock.push_back(lock_begin(c, v));
  }
  rows_.set_fabric(SpringModuli(c), rigidity, lock);
  elements_.update(c);
  std::vector<float> mass = c.model.host_mass;
  double sum = 0;
  for (const float m : mass) sum += double(m);
  mass_sum_ = float(sum);
  mass.resize(size_t(of_row_.mass.size()), 0.0f);
  of_row_.mass.upload(mass);
  set_couplings(c);
  subspace_.couplings_changed();
  sweeps_.couplings_changed();
}

/// K, and of each row its sum and what bounds its eigenvalues.
void ProjectiveSolver::set_couplings(const StepContext& c) {
  const RowsView a = rows_.view();
  std::vector<float> value = download(device_, a.stiffness), cell(value.size(), 0.0f);
  const std::vector<float> stiffness = value, bending = download(device_, a.bending),
                           bound = download(device_, a.bending_bound);
  for_each_cell_coupling(c.model.host, c.scene,
                         [&](int i, int j, float k) { cell[size_t(rows_.entry(i, j))] += k; });
  for (size_t o = 0; o < value.size(); ++o) value[o] += bending[o] + cell[o];
  of_row_.coupling = Buffer<float>(device_, "couplings", value);
  couplings_ = {};
  std::vector<float> row_sum(size_t(of_row_.row_sum.size()), 0.0f), half(row_sum.size(), 0.0f);
  for (int i = 0; i < rows(); ++i) {
    couplings_.start.push_back(int(couplings_.neighbor.size()));
    double sum = 0, springs = 0, cells = 0, own_cells = 0;
    for (const Rows::HostEntry& e : rows_.entries_of(i)) {
      couplings_.neighbor.push_back(e.neighbor);
      couplings_.value.push_back(value[e.number]);
      sum += double(value[e.number]), springs += double(stiffness[e.number]);
      cells += std::abs(double(cell[e.number])), own_cells += double(cell[e.number]);
    }
    row_sum[i] = float(sum);
    half[i] = float(springs + 0.5 * (double(bound[i]) + cells + std::abs(own_cells)));
  }
  couplings_.start.push_back(int(couplings_.neighbor.size()));
  of_row_.row_sum.upload(row_sum);
  of_row_.half_bound.upload(half);
}

bool ProjectiveSolver::squares(const StepContext& c) const {
  const bool fast = device_.kind() != DeviceKind::cpu && rows() <= kMostSquared;
  const int rank = params(c).rank > 0 ? params(c).rank : fast ? 2 : 1;
  return rank == 2 && params(c).jacobi >= kFewestSquared;
}

int ProjectiveSolver::iterations(const StepContext& c) const { return params(c).iterations; }

void ProjectiveSolver::prepare(StepContext& c) {
  subspace_.prepare(c, couplings_);
  acceleration_.prepare(c);
  sweeps_.prepare(squares(c), couplings_);
}

projective::SystemView ProjectiveSolver::view() {
  return {rows_.view(),       of_row_.coupling, of_row_.mass,  of_row_.row_sum,
          of_row_.half_bound, of_row_.free_row, of_row_.added, of_row_.own,
          of_row_.inverse,    of_row_.residual, inv_h2_};
}

void ProjectiveSolver::begin_step(StepContext& c) {
  inv_h2_ = 1.0f / (c.dt * c.dt);
  device_.copy(of_row_.position.span().data, c.state.position.span().data, size_t(rows()) * sizeof(vec3));
  if (params(c).start == int(ProjectiveStart::inertia))
    launch(device_, "start", rows(), projective::StartAtTarget{c.kinematic, c.inertia, c.displacement});
  acceleration_.begin_step(c);
}

/// The residual at the context's d, and the diagonal there.
void ProjectiveSolver::evaluate(StepContext& c) {
  StageScope stage(device_.profiler(), "gradient");
  const size_t bytes = size_t(rows()) * sizeof(vec3);
  device_.copy(of_row_.d.span().data, c.displacement.span().data, bytes);
  device_.copy(of_row_.target.span().data, c.inertia.span().data, bytes);
  elements_.evaluate(c, c.displacement);
  launch(device_, "load", rows(),
         linear::LoadContext{.kinematic = c.kinematic,
                             .anchor_weight = c.anchor_weight,
                             .anchor_force = c.anchor_force,
                             .element_force = elements_.force(),
                             .free_row = of_row_.free_row,
                             .weight = of_row_.anchor_weight,
                             .force = of_row_.force});
  launch(device_, "rigid bodies", c.model.rigid.count(),
         projective::HoldBodyRows{c.model.rigid.view(), of_row_.free_row});
  projective::Gradient k{.s = view(),
                         .position = of_row_.position,
                         .d = of_row_.d,
                         .target = of_row_.target,
                         .anchor_weight = of_row_.anchor_weight,
                         .force = of_row_.force,
                         .element_bound = elements_.bound()};
  k.spring_forces = c.scene.step.elastic_model == int(ElasticModel::springs);
  k.damping = params(c).damping;
  k.bending_forces = c.scene.step.bending_model == int(BendingModel::quadratic);
  launch(device_, "rows", rows(), k);
}

/// Moves the context's d, and the residual with it.
void ProjectiveSolver::balance(StepContext& c) {
  launch(device_, "pieces", pieces_->pieces.chunks(),
         projective::SumPieces{pieces_->pieces.view(), view(), of_row_.anchor_weight, pieces_->sums});
  launch(device_, "pieces", pieces_->pieces.count(),
         projective::BalancePieces{pieces_->pieces.view(), pieces_->sums, pieces_->translation});
  launch(device_, "pieces", rows(),
         projective::Translate{view(), pieces_->pieces.piece_of_row, pieces_->translation,
                               of_row_.anchor_weight, c.displacement});
}

void ProjectiveSolver::move_bodies(StepContext& c, bool moves) {
  launch(device_, "rigid bodies", c.model.rigid.count(),
         projective::MoveBodies{.bodies = c.model.rigid.view(),
                                .kinematic = c.kinematic,
                                .position = of_row_.position,
                                .target = of_row_.target,
                                .anchor_weight = c.anchor_weight,
                                .anchor_force = c.anchor_force,
                                .inv_h2 = inv_h2_,
                                .moves = moves,
                                .d = c.displacement,
                                .gain = body_gain_});
}

void ProjectiveSolver::estimate_residual(StepContext& c) {
  StageScope stage(device_.profiler(), "residual");
  evaluate(c);
  balance(c);
  const Span<const float> sum = acceleration_.sum_gains(view());
  subspace_.solve_free(of_row_.residual);
  move_bodies(c, false);
  launch(device_, "residual", 1,
         projective::SumGains{.projected = subspace_.projected(),
                              .q = subspace_.amplitudes(),
                              .local = sum,
                              .body = body_gain_,
                              .unit = residual_unit(mass_sum_, c.dt),
                              .residual = c.solver_residual});
}

void ProjectiveSolver::iterate(StepContext& c, int k) {
  evaluate(c);
  if (k == 0) balance(c);  // what falls falls, before anything is solved
  acceleration_.measure(view());
  subspace_.correct(view(), rows(), step_);
  sweeps_.run(view(), params(c).jacobi);
  acceleration_.move(c, k, of_row_.free_row, step_, sweeps_.result());
  move_bodies(c, true);
  if (k + 1 == params(c).iterations) estimate_residual(c);
}

void ProjectiveSolver::gradient(StepContext& c, Span<vec3> out) {
  inv_h2_ = 1.0f / (c.dt * c.dt);
  device_.copy(of_row_.position.span().data, c.state.position.span().data, size_t(rows()) * sizeof(vec3));
  evaluate(c);
  launch(device_, "gradient", out.size, projective::Negate{of_row_.residual, out});
}

}  // namespace weft
