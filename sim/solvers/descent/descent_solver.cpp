#include "sim/solvers/descent/descent_solver.h"
#include "sim/scene/model/part_surface.h"
#include "sim/solvers/descent/descent_params.h"

#include <algorithm>
#include <numeric>

#include "sim/device/primitives.h"
#include "sim/linear/level_rows.h"
#include "sim/solvers/residual_kernels.h"
#include "sim/solvers/spring_fabric.h"

namespace weft {
namespace {

constexpr int kLevels = 3;
// visits to the coarser meshes where the scene leaves it open
constexpr int kCycles = 2, kCyclesAmongCloth = 6;
// Where weights of contact grow with every iteration: each is then a whole cycle, or they would grow while
// nothing but local errors is taken out, and loads would be those of cloth that has not given way yet. More
// cycles than the limit let weights outgrow the solver.
constexpr int kCyclesWhereWeightsGrow = 12, kMostWhereWeightsGrow = 16;
constexpr int kSmallestLevel = 6;      // a coarser mesh than this has nothing left to carry
constexpr int kFineInner = 3;          // fine iterations between two linearisations with springs
constexpr int kFineInnerElements = 2;  // with finite elements, whose tangent the rows only approximate
// P bounds A from above, so any gamma below 2 lowers the quadratic model; the rest is margin for the model's
// error.
constexpr float kGamma = 1.8f;
constexpr int kSmoothing = 3;   // iterations that smooth a prolonged correction
constexpr int kSums = kLevels;  // gain and cost of a correction; or what each level has left to gain

const FabricParams& fabric_at(const StepContext& c, int vertex) {
  return fabric_at(c.model.host, c.scene, vertex);
}

int inner_iterations(const StepContext& c) {
  return row_terms(c.scene.step).springs ? kFineInner : kFineInnerElements;
}

}  // namespace

DescentSolver::DescentSolver(const StepContext& context)
    : device_(context.device),
      elements_(context.device, context.model.vertex_count(), true),
      sums_(context.device, "step sums", kSums),
      before_(context.device, "displacements before", context.model.vertex_count()),
      entry_(context.device, "displacements before", context.model.vertex_count()),
      turn_size_(context.device, "turn sizes", 2),
      momentum_(context.device, "momentum", 1) {
  LevelMesh mesh{context.model.host.rest, context.model.host.triangles, context.model.host.edges};
  const std::vector<float> painted = painted_factors(context.model.host, Painted::bending_rigidity);
  std::vector<int> vertex(mesh.rest.size());
  for (size_t i = 0; i < vertex.size(); ++i) vertex[i] = int(i);
  levels_.push_back(make_level(mesh, vertex));
  while (int(levels_.size()) < kLevels && int(mesh.rest.size()) > 4 * kSmallestLevel) {
    const Coarsening c = coarsen(mesh);
    if (c.mesh.rest.size() * 10 > mesh.rest.size() * 9) break;  // nothing left to merge
    std::vector<int> coarse_vertex;
    for (const int f : c.fine_vertex) coarse_vertex.push_back(vertex[f]);
    LevelMesh coarse = c.mesh;
    for (const ivec3& t : painted.empty() ? std::vector<ivec3>() : coarse.triangles) {
      const ivec3 in_model(coarse_vertex[t.x], coarse_vertex[t.y], coarse_vertex[t.z]);
      coarse.bending.push_back(painted_mean(painted, in_model));
    }
    Level level = make_level(coarse, coarse_vertex);
    level.rows_of_finer = {Buffer<int>(device_, "interpolation", c.start),
                           Buffer<int>(device_, "interpolation", c.column),
                           Buffer<float>(device_, "interpolation", c.weight)};
    std::vector<int> start, column;
    std::vector<float> weight;
    transpose(c, start, column, weight);
    level.rows_of_this = {Buffer<int>(device_, "restriction", start),
                          Buffer<int>(device_, "restriction", column),
                          Buffer<float>(device_, "restriction", weight)};
    level.finer_row = Buffer<int>(device_, "injection", c.fine_vertex);
    levels_.push_back(std::move(level));
    mesh = c.mesh;
    vertex = coarse_vertex;
  }
  levels_.front().pieces.emplace(device_, make_pieces(device_, levels_.front().rows.pieces()), 9);
  parameters_changed(context);
}

DescentSolver::Level DescentSolver::make_level(const LevelMesh& mesh, const std::vector<int>& fine_vertex) {
  Level l;
  l.rows = Rows(device_, level_rows(mesh));
  l.fine_vertex = fine_vertex;
  const int n = l.rows.padded();
  l.position = Buffer<vec3>(device_, "level positions", n);
  l.source = Buffer<vec3>(device_, "level sources", n);
  l.drift = Buffer<vec3>(device_, "level drifts", n);
  l.entry = Buffer<vec3>(device_, "level entries", n);
  l.force = Buffer<vec3>(device_, "level forces", n);
  l.constant = Buffer<float>(device_, "level constants", 3 * n);
  l.diagonal = Buffer<float>(device_, "level diagonals", 6 * n);
  l.preconditioner = Buffer<float>(device_, "level preconditioners", 6 * n);
  l.anchor_weight = Buffer<float>(device_, "level anchors", 6 * n);
  l.hold = Buffer<float>(device_, "level holds", n);
  l.direction_before = Buffer<vec3>(device_, "level directions before", n);
  l.direction = Buffer<vec3>(device_, "level directions", n);
  l.gain = Buffer<float>(device_, "level gains", n);
  l.cost = Buffer<float>(device_, "level costs", n);
  std::vector<float> free_row(fine_vertex.size(), 1.0f);
  free_row.resize(size_t(n), 0.0f);
  l.mass = Buffer<float>(device_, "level masses", n);
  l.free_row = Buffer<float>(device_, "level free rows", free_row);
  for (auto& u : l.u) u = Buffer<vec3>(device_, "level displacements", n);
  return l;
}

descent::LevelView DescentSolver::Level::view() {
  return {rows.view(), position, constant, diagonal, preconditioner};
}

/// Rows of the full mesh stand in for the Hessian of the bending model, and must not be softer.
void DescentSolver::choose_rows(const StepContext& c) {
  RowLayout layout = row_layout(c.scene);
  if (layout_ == layout) return;
  levels_[0].rows = Rows(device_, fine_rows(c));
  layout_ = std::move(layout);
}

/// Masses of the full mesh, which follow the density of fabrics, and what coarser meshes get of them by the
/// transposed interpolation.
void DescentSolver::set_masses(const StepContext& c) {
  if (c.model.host_mass == masses_) return;
  std::vector<float> mass = c.model.host_mass;
  for (Level& level : levels_) {
    if (level.finer_row.size() > 0) {
      const std::vector<int> start = level.rows_of_finer.start.download(),
                             column = level.rows_of_finer.column.download();
      const std::vector<float> weight = level.rows_of_finer.weight.download();
      std::vector<float> coarse(level.fine_vertex.size(), 0.0f);
      for (size_t f = 0; f + 1 < start.size(); ++f)
        for (int o = start[f]; o < start[f + 1]; ++o) coarse[column[o]] += weight[o] * mass[f];
      mass = coarse;
    }
    std::vector<float> padded = mass;
    padded.resize(size_t(level.mass.size()), 0.0f);
    level.mass.upload(padded);
  }
  masses_ = c.model.host_mass;
  mass_ = float(std::accumulate(masses_.begin(), masses_.end(), 0.0));
}

void DescentSolver::parameters_changed(const StepContext& c) {
  choose_rows(c);
  set_masses(c);
  const SpringModuli of_full_mesh(c);
  const std::vector<float> painted = painted_factors(c.model.host, Painted::stretch_stiffness);
  for (auto& level : levels_) {
    const bool fine = &level == &levels_[0];
    std::vector<float> bending, lock;
    for (const int v : level.fine_vertex) {
      bending.push_back(row_rigidity(c.scene.step, fabric_at(c, v)));
      lock.push_back(lock_begin(c, v));
    }
    level.rows.set_fabric(
        [&](int row, int neighbor) {
          const int v = level.fine_vertex[row], w = level.fine_vertex[neighbor];
          return fine ? of_full_mesh(v, w) : coarse_spring_modulus(c, painted, v, w);
        },
        bending, lock);
  }
  elements_.update(c);
}

int DescentSolver::iterations(const StepContext& c) const { return schedule(c).iterations(); }

DescentSchedule DescentSolver::schedule(const StepContext& c) const {
  const DescentParams& p = c.scene.of<DescentParams>();
  const int levels = int(levels_.size());
  if (c.contact.weights_grow && levels > 1) {
    const int cycles = p.cycles > 0 ? std::min(p.cycles, kMostWhereWeightsGrow) : kCyclesWhereWeightsGrow;
    const int inner = std::max(inner_iterations(c), (p.fine_iterations + cycles - 1) / cycles);
    return descent_schedule(p, levels, cycles, inner, true);
  }
  const int cycles = levels == 1             ? 0
                     : p.cycles > 0          ? p.cycles
                     : c.contact.among_cloth ? kCyclesAmongCloth
                                             : kCycles;
  return descent_schedule(p, levels, cycles, inner_iterations(c));
}

void DescentSolver::prepare(StepContext& c) {
  schedule_ = schedule(c);
  set_omegas(turn_omegas_, schedule_.before_correction);
  set_omegas(smooth_omegas_, {resolving_rho(kSmoothing), kSmoothing});
  for (size_t level = 0; level < levels_.size(); ++level)
    set_omegas(levels_[level].omegas, schedule_.level[level]);
}

void DescentSolver::begin_step(StepContext& c) {
  dt_ = c.dt;
  for (auto& l : levels_) l.now = 0;  // each step makes the same launches
  device_.copy(levels_[0].position.span().data, c.state.position.span().data,
               size_t(c.model.vertex_count()) * sizeof(vec3));
}

void DescentSolver::load(StepContext& c, const DescentTurn& turn) {
  Level& l = levels_[0];
  const size_t bytes = size_t(c.model.vertex_count()) * sizeof(vec3);
  // The context's d is the truth between iterations (contact may have moved it); momentum survives where it
  // did not.
  device_.copy(l.u[l.now].span().data, c.displacement.span().data, bytes);
  device_.copy(l.source.span().data, c.inertia.span().data, bytes);
  if (turn.level > 0 && turn.alone)
    launch(device_, "go back", c.model.vertex_count(),
           descent::GoBack{c.displacement, before_, entry_, l.u[l.now], turn.first == 0});
  elements_.evaluate(c, Span<const vec3>(l.u[l.now].span().data, c.model.vertex_count()));
  launch(device_, "load", c.model.vertex_count(),
         linear::LoadContext{c.kinematic, c.anchor_weight, c.anchor_force, elements_.force(), l.free_row,
                             l.anchor_weight, l.force});
}

void DescentSolver::linearize(StepContext& c, int level) {
  Level& l = levels_[level];
  const bool fine = level == 0;
  const RowTerms terms = row_terms(c.scene.step);
  descent::LinearizeRows k{l.view(),
                           fine ? l.u[l.now] : l.entry,
                           fine ? l.source : l.drift,
                           l.mass,
                           l.source,
                           l.anchor_weight,
                           l.force,
                           fine ? elements_.bound() : Span<const float>(),
                           l.free_row,
                           l.hold};
  k.inv_h2 = 1.0f / (dt_ * dt_);
  k.fine = fine;
  k.spring_forces = terms.springs;
  k.bending_forces = terms.bending;
  launch(device_, "linearise", l.rows.rows(), k);
}

void DescentSolver::set_omegas(Omegas& o, const DescentWeights& w) const {
  if (o.rho == w.rho && o.count == w.count) return;
  o = {Buffer<float>(device_, "Chebyshev weights", chebyshev_weights(w.rho, w.count)), w.rho, w.count};
}

void DescentSolver::relax(int level, const Omegas& omegas, int first, int iterations) {
  Level& l = levels_[level];
  const Span<const float> weights(omegas.weight.span().data + first, omegas.count - first);
  launch_iterated(device_, "relax", l.rows.rows(), iterations,
                  descent::RelaxRows{l.view(), {l.u[l.now], l.u[1 - l.now]}, weights, kGamma});
  l.now = (l.now + iterations) % 2;
}

/// `go_on`: with the correction that the level has.
void DescentSolver::restrict_to(int level, bool go_on) {
  Level& finer = levels_[level - 1];
  Level& l = levels_[level];
  launch(device_, "residual", finer.rows.rows(),
         descent::ResidualRows{finer.view(), finer.u[finer.now], finer.free_row, finer.force});
  launch(device_, "restrict", l.rows.rows(),
         descent::GoCoarser{{l.rows_of_this.view(), finer.force, finer.anchor_weight, finer.free_row,
                             finer.hold, l.source, l.anchor_weight},
                            {l.finer_row, finer.position, level == 1 ? finer.u[finer.now] : finer.entry,
                             level == 1 ? finer.source : finer.drift, l.position, l.entry, l.drift}});
  if (go_on) return;
  for (auto& u : l.u) u.clear();
}

void DescentSolver::correct_from(StepContext& c, const DescentTurn& turn) {
  Level& fine = levels_[0];
  linearize(c, 0);
  const int coarsest = int(levels_.size()) - 1;
  if (turn.level == coarsest) translate_pieces(fine);
  for (int level = 1; level <= turn.level; ++level) {
    restrict_to(level, level == turn.level && turn.first > 0);
    linearize(c, level);
  }
  for (int level = turn.level; level >= 1; --level) {
    StageScope stage(device_.profiler(), level == coarsest ? "coarse" : "middle");
    const Omegas& omegas = levels_[level].omegas;
    if (level == turn.level) relax(level, omegas, turn.first, turn.iterations);
    else if (!turn.alone) relax(level, omegas, 0, omegas.count);
    add_correction(level);
  }
  if (schedule_.balanced) translate_pieces(fine);
  const Span<const vec3> reached = fine.u[fine.now];
  for (Buffer<vec3>* to : {&c.displacement, &before_})
    device_.copy(to->span().data, reached.data, size_t(c.model.vertex_count()) * sizeof(vec3));
}

void DescentSolver::balance_pieces(Level& l) {
  launch(device_, "residual", l.rows.rows(),
         descent::ResidualRows{l.view(), l.u[l.now], l.free_row, l.force});
  sum_pieces(l);
}

/// The translation of each piece for the forces that are left.
void DescentSolver::sum_pieces(Level& l) {
  launch(
      device_, "pieces", l.pieces->pieces.chunks(),
      descent::SumChunks{l.pieces->pieces.view(), l.force, l.diagonal, l.free_row, l.hold, l.pieces->sums});
  launch(device_, "pieces", l.pieces->pieces.count(),
         descent::Translate{l.pieces->pieces.view(), l.pieces->sums, l.pieces->translation});
}

void DescentSolver::translate_pieces(Level& l) {
  balance_pieces(l);
  launch(device_, "pieces", l.rows.rows(),
         descent::AddTranslation{l.pieces->pieces.piece_of_row, l.pieces->translation, l.free_row, l.u[l.now],
                                 l.u[1 - l.now]});
}

void DescentSolver::add_correction(int level) {
  Level& l = levels_[level];
  Level& finer = levels_[level - 1];
  const int n = finer.rows.rows();
  const Span<vec3> direction = finer.direction, before = finer.direction_before;
  launch(device_, "prolong", n, descent::Prolong{l.rows_of_finer.view(), l.u[l.now], finer.free_row, before});
  device_.copy(direction.data, before.data, size_t(n) * sizeof(vec3));
  // Linear interpolation leaves kinks, whose bending would cost more than the correction gains.
  static_assert(kSmoothing % 2 == 1, "the last of them must write to `direction`");
  launch_iterated(device_, "smooth", n, kSmoothing,
                  descent::SmoothRows{finer.view(), {before, direction}, smooth_omegas_.weight, kGamma});
  launch(device_, "step length", n,
         descent::StepTerms{finer.view(), finer.direction, finer.force,
                            level == 1 ? elements_.moving_bound() : Span<const float>(), finer.gain,
                            finer.cost});
  const Span<float> gain(sums_.span().data, 1), cost(sums_.span().data + 1, 1);
  reduce_sum(device_, Span<const float>(finer.gain.span().data, n), gain);
  reduce_sum(device_, Span<const float>(finer.cost.span().data, n), cost);
  launch(device_, "correct", n,
         descent::Correct{gain, cost, finer.direction, finer.u[finer.now], finer.u[1 - finer.now]});
}

void DescentSolver::relax_fine(StepContext& c, const DescentTurn& turn) {
  StageScope stage(device_.profiler(), "fine");
  Level& l = levels_[0];
  device_.copy(l.u[1 - l.now].span().data, l.u[l.now].span().data,
               size_t(c.model.vertex_count()) * sizeof(vec3));
  linearize(c, 0);
  relax(0, turn.before_correction ? turn_omegas_ : l.omegas, 0, turn.iterations);
  if (schedule_.balanced) translate_pieces(l);
  const int n = c.model.vertex_count();
  // Momentum between turns is that of one map; contacts whose weights grow, or that move the cloth between
  // turns, change it.
  const float omega = c.contact.weights_grow ? 1.0f : turn.omega;
  const bool first = !(omega > 1);
  const Span<float> size(turn_size_.span().data, 1), last(turn_size_.span().data + 1, 1),
      stopped(c.solver_residual.span().data + 1, 1);
  launch(device_, "momentum", n, descent::TurnSize{l.u[l.now], c.displacement, l.hold, l.gain});
  reduce_sum(device_, Span<const float>(l.gain.span().data, n), size);
  launch(device_, "momentum", 1, descent::WatchMomentum{size, first, last, stopped, momentum_});
  launch(device_, "momentum", n, descent::TakeOver{l.u[l.now], c.displacement, before_, omega, momentum_});
}

/// Moves the context's d: what rolls turns.
void DescentSolver::turn_pieces(StepContext& c, Level& l) {
  const int n = l.rows.rows();
  launch(device_, "residual", n, descent::ResidualRows{l.view(), l.u[l.now], l.free_row, l.force});
  l.pieces->rigid.run({.islands = l.pieces->rigid.each_piece(),
                       .position = l.position,
                       .displacement = l.u[l.now],
                       .diagonal = l.diagonal,
                       .free_row = l.free_row,
                       .stencils = {},
                       .u = c.displacement,
                       .r = l.force});
}

/// Turns and translates pieces to where they are in balance, and sums r . A⁻¹ r of what is left by the parts
/// that each level sees: the full mesh and the middle one their local errors, the coarsest what its
/// iterations solve for.
void DescentSolver::estimate_residual(StepContext& c) {
  StageScope stage(device_.profiler(), "residual");
  sums_.clear();
  const auto sum = [&](int slot, Span<const float> gain) {
    reduce_sum(device_, gain, Span<float>(sums_.span().data + slot, 1));
  };
  load(c, {});
  linearize(c, 0);
  Level& fine = levels_[0];
  turn_pieces(c, fine);
  sum_pieces(fine);
  const int coarsest = int(levels_.size()) - 1;
  // Exact, and so momentum is kept however far the rest is from solved; it is no part of what is left.
  launch(device_, "pieces", fine.rows.rows(),
         descent::AddTranslation{fine.pieces->pieces.piece_of_row, fine.pieces->translation, fine.free_row,
                                 c.displacement, before_});
  for (int level = 0; level <= coarsest; ++level) {
    Level& l = levels_[level];
    const int n = l.rows.rows();
    if (level > 0) {
      restrict_to(level, false);
      linearize(c, level);
    }
    const Span<const vec3> left = level > 0 ? l.source : l.force;
    if (level > 0 && level == coarsest) {
      relax(level, l.omegas, 0, l.omegas.count);
      launch(device_, "residual", n, descent::SolvedGain{left, l.u[l.now], l.gain});
    } else {
      launch(device_, "residual", n, descent::LocalGain{left, l.preconditioner, l.gain});
    }
    sum(level, Span<const float>(l.gain.span().data, n));
  }
  launch(device_, "residual", 1, residual::SumGains{sums_, residual_unit(mass_, dt_), c.solver_residual});
}

void DescentSolver::iterate(StepContext& c, int k) {
  size_t at = schedule_.first_turn(k);
  for (bool goes_on = true; goes_on; ++at) {
    const DescentTurn& turn = schedule_.turns[at];
    load(c, turn);
    if (turn.level > 0) correct_from(c, turn);
    else relax_fine(c, turn);
    goes_on = turn.goes_on;
  }
  if (at == schedule_.turns.size()) estimate_residual(c);
}

void DescentSolver::gradient(StepContext& c, Span<vec3> out) {
  Level& l = levels_[0];
  dt_ = c.dt;
  device_.copy(l.position.span().data, c.state.position.span().data, size_t(out.size) * sizeof(vec3));
  load(c, {});
  linearize(c, 0);
  launch(device_, "residual", l.rows.rows(),
         descent::ResidualRows{l.view(), l.u[l.now], l.free_row, l.force});
  launch(device_, "gradient", out.size, residual::Negate{l.force, out});
}

}  // namespace weft
