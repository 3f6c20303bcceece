#include "sim/solvers/projective/projective_solver.h"

#include <algorithm>

#include "sim/device/primitives.h"
#include "sim/linear/level_rows.h"
#include "sim/solvers/projective/projective_params.h"
#include "sim/solvers/spring_fabric.h"

namespace weft {
namespace {

constexpr int64_t kModeBytes = int64_t(256) << 20;  // of memory for modes
constexpr int kFewestSquared = 4;                   // sweeps from which on rank 2 differs from rank 1
constexpr int kMostSquared = 3'000'000;             // rows whose products (some 480 a row) an int can number

const ProjectiveParams& params(const StepContext& c) { return c.scene.of<ProjectiveParams>(); }

LevelMesh mesh_of(const StepContext& c) { return level_mesh(c.model.host); }

/// Rows with which vectors that modes meet are padded.
int stride_of(int rows) { return (rows + projective::kSums - 1) / projective::kSums * projective::kSums; }

/// Entry (i, m) of R²: products K_ij K_jm with their j, and K_im.
struct SquareEntry {
  int neighbor = 0;
  float direct = 0;
  std::vector<std::pair<int, float>> products;
};

/// Of row i, those with most products first. `slot`: -1 for each row, before and after.
std::vector<SquareEntry> square_entries(const Couplings& k, int i, std::vector<int>& slot) {
  std::vector<SquareEntry> list;
  const auto entry = [&](int m) -> SquareEntry& {
    int& at = slot[size_t(m)];
    if (at < 0) at = int(list.size()), list.push_back({m, 0, {}});
    return list[size_t(at)];
  };
  entry(i);
  for (int o = k.start[size_t(i)]; o < k.start[size_t(i) + 1]; ++o) {
    const int j = k.neighbor[size_t(o)];
    entry(j).direct += k.value[size_t(o)];
    for (int p = k.start[size_t(j)]; p < k.start[size_t(j) + 1]; ++p)
      entry(k.neighbor[size_t(p)]).products.push_back({j, k.value[size_t(o)] * k.value[size_t(p)]});
  }
  for (const SquareEntry& e : list) slot[size_t(e.neighbor)] = -1;
  std::stable_sort(list.begin(), list.end(), [](const SquareEntry& a, const SquareEntry& b) {
    return a.products.size() > b.products.size();
  });
  return list;
}

template <class T>
std::vector<T> download(Device& device, Span<const T> values) {
  std::vector<T> out(static_cast<size_t>(values.size));
  if (values.size) device.download(out.data(), values.data, out.size() * sizeof(T));
  return out;
}

}  // namespace

ProjectiveSolver::ProjectiveSolver(const StepContext& c)
    : device_(c.device),
      elements_(c.device, c.model.vertex_count(), true),
      mesh_modes_(mesh_of(c)),
      scale_(c.device, "scale of the reduced matrix", 1),
      reduced_(c.device, "reduced or not", 2),
      changed_(c.device, "diagonals changed", 1),
      sums_(c.device, "projective sums", 1),
      momentum_(c.device, "momentum", 2),
      held_now_(c.device, "held or not", 1) {
  choose_rows(c);
  const int n = stride_of(rows());
  for (Buffer<vec3>* b : {&position_, &d_, &target_, &force_, &step_, &g_, &sweep_[0], &sweep_[1], &before_})
    *b = Buffer<vec3>(device_, "projective vectors", n);
  for (Buffer<float>* b :
       {&mass_, &row_sum_, &half_bound_, &free_row_, &own_, &inverse_, &last_inverse_, &last_own_, &gain_})
    *b = Buffer<float>(device_, "projective rows", n);
  for (Buffer<float>* b : {&anchor_weight_, &added_})
    *b = Buffer<float>(device_, "projective diagonals", 6 * n);
  residual_ = Buffer<float>(device_, "projective residual", 3 * n);
  added_slice_ = Buffer<int>(device_, "anchored slices", n / kLanes);
  changed_row_ = Buffer<int>(device_, "rows whose diagonal changed", n);
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
    const FabricParams& fabric = c.scene.cloths[size_t(c.model.host.vertex_cloth[size_t(v)])].fabric;
    rigidity.push_back(row_rigidity(c.scene.step, fabric));
    lock.push_back(lock_begin(c, v));
  }
  rows_.set_fabric(SpringModuli(c), rigidity, lock);
  elements_.update(c);
  std::vector<float> mass = c.model.host_mass;
  double sum = 0;
  for (const float m : mass) sum += double(m);
  mass_sum_ = float(sum);
  mass.resize(size_t(mass_.size()), 0.0f);
  mass_.upload(mass);
  set_couplings();
  matrices_are_old_ = square_is_old_ = true;
}

/// K, and of each row its sum and what bounds its eigenvalues.
void ProjectiveSolver::set_couplings() {
  const RowsView a = rows_.view();
  std::vector<float> value = download(device_, a.stiffness);
  const std::vector<float> stiffness = value, bending = download(device_, a.bending),
                           bound = download(device_, a.bending_bound);
  for (size_t o = 0; o < value.size(); ++o) value[o] += bending[o];
  coupling_ = Buffer<float>(device_, "couplings", value);
  couplings_ = {};
  std::vector<float> row_sum(size_t(row_sum_.size()), 0.0f), half(row_sum.size(), 0.0f);
  for (int i = 0; i < rows(); ++i) {
    couplings_.start.push_back(int(couplings_.neighbor.size()));
    double sum = 0, springs = 0;
    for (const Rows::HostEntry& e : rows_.entries_of(i)) {
      couplings_.neighbor.push_back(e.neighbor);
      couplings_.value.push_back(value[size_t(e.number)]);
      sum += double(value[size_t(e.number)]), springs += double(stiffness[size_t(e.number)]);
    }
    row_sum[size_t(i)] = float(sum);
    half[size_t(i)] = float(springs + 0.5 * double(bound[size_t(i)]));
  }
  couplings_.start.push_back(int(couplings_.neighbor.size()));
  row_sum_.upload(row_sum);
  half_bound_.upload(half);
}

int ProjectiveSolver::iterations(const StepContext& c) const { return params(c).iterations; }

bool ProjectiveSolver::squares(const StepContext& c) const {
  const bool fast = device_.kind() != DeviceKind::cpu && rows() <= kMostSquared;
  const int rank = params(c).rank > 0 ? params(c).rank : fast ? 2 : 1;
  return rank == 2 && params(c).jacobi >= kFewestSquared;
}

void ProjectiveSolver::prepare(StepContext& c) {
  update_modes(c);
  acceleration_ = ProjectiveAcceleration(params(c).acceleration);
  weights_grow_ = c.contact.weights_grow;
  if (weights_grow_ && acceleration_ == ProjectiveAcceleration::chebyshev)
    acceleration_ = ProjectiveAcceleration::off;
  const bool looks_back = acceleration_ == ProjectiveAcceleration::anderson;
  anderson_.prepare(device_, rows(), looks_back ? params(c).anderson_window : 0);
  if (!squares(c)) square_ = {}, square_is_old_ = true;
  else if (square_is_old_) make_square();
}

/// Modes follow the mesh and what is pinned in this step, whatever came before: a snapshot runs on as the
/// first run did.
void ProjectiveSolver::update_modes(StepContext& c) {
  const int64_t affordable = kModeBytes / int64_t(sizeof(float)) / stride_of(rows());
  const int modes = int(std::min<int64_t>({params(c).modes, rows() / 4, affordable})),
            reused = std::min(params(c).reused_modes, modes);
  const bool other_size = modes != modes_ || reused != reused_;
  if (other_size) allocate_reduced(modes, reused);
  allocate_choices(c);
  if (modes == 0) return;
  std::vector<int> held = c.kinematic.download();
  if (other_size || held != held_) {
    modes_on_host_ = mesh_modes_.find(held, modes);
    std::vector<float> u(size_t(modes) * size_t(stride_of(rows())), 0.0f);
    for (size_t a = 0; a < modes_on_host_.size(); ++a)
      std::copy(modes_on_host_[a].begin(), modes_on_host_[a].end(),
                u.begin() + int64_t(a) * stride_of(rows()));
    u_.upload(u);
    store_products();
    held_ = std::move(held);
    matrices_are_old_ = true;
  }
  if (matrices_are_old_) reduced_matrices_ = reduce(modes_on_host_, couplings_, c.model.host_mass);
  if (!matrices_are_old_ && free_matrix_h_ == c.dt) return;
  const FreeMatrix free = free_matrix(reduced_matrices_, modes, 1.0 / (double(c.dt) * double(c.dt)));
  free_matrix_.upload(free.matrix);
  free_inverse_.upload(free.inverse);
  matrices_are_old_ = false;
  free_matrix_h_ = c.dt;
}

void ProjectiveSolver::allocate_reduced(int modes, int reused) {
  modes_ = reused_ = -1;  // until all is there
  u_ = Buffer<float>(device_, "modes", buffer_size(int64_t(modes) * stride_of(rows()), "modes"));
  for (Buffer<float>* b : {&free_matrix_, &free_inverse_})
    *b = Buffer<float>(device_, "reduced matrix", modes * modes);
  partial_ = Buffer<vec3>(device_, "mode sums", modes * projective::kSums);
  projected_ = Buffer<vec3>(device_, "projected", modes);
  q_ = Buffer<vec3>(device_, "mode amplitudes", modes);
  std::vector<projective::Pair> pairs;
  for (int a = 0; a < reused; ++a)
    for (int b = a; b < reused; ++b) pairs.push_back({a, b});
  pairs_ = Buffer<projective::Pair>(device_, "mode pairs", pairs);
  added_partial_ = Buffer<float>(device_, "anchor sums", 6 * int(pairs.size()) * projective::kContactSums);
  const int stride = padded_rows(3 * reused);
  reduced_matrix_ = {}, product_ = {};
  reduced_diagonal_ = Buffer<float>(device_, "reduced matrix", stride);
  std::vector<float> other(2 * size_t(stride), 1.0f);
  if (stride > 0) other[size_t(stride)] = 0;
  other_ = Buffer<float>(device_, "rows but the pivot's", other);
  modes_ = modes, reused_ = reused;
}

/// What the choices of products and of the reduced solve need.
void ProjectiveSolver::allocate_choices(const StepContext& c) {
  const int size = 3 * reused_, stride = padded_rows(size);
  const int columns = params(c).reduced == int(ReducedSolve::inverse) ? 2 * size + 1 : size + 1;
  if (reduced_matrix_.size() != stride * columns)
    reduced_matrix_ = Buffer<float>(device_, "reduced matrix", stride * columns);
  const int64_t products = int64_t(pairs_.size()) * stride_of(rows());
  const bool stored = params(c).products == int(ModeProducts::stored) && products > 0;
  if (stored == (product_.size() > 0)) return;
  product_ = stored ? Buffer<float>(device_, "mode products", buffer_size(products, "products of modes"))
                    : Buffer<float>{};
  if (!held_.empty() || !modes_on_host_.empty()) store_products();
}

void ProjectiveSolver::store_products() {
  if (product_.size() > 0)
    launch(device_, "mode products", product_.size(),
           projective::StoreProducts{u_.span(), pairs_.span(), stride_of(rows()), product_.span()});
}

/// Entries of a row in order of their number of products, so that those of a column have about as many.
void ProjectiveSolver::make_square() {
  const int n = rows(), slices = (n + kLanes - 1) / kLanes;
  std::vector<int> slice_start{0}, neighbor, column_slice, product_start{0}, middle, slot(size_t(n), -1);
  std::vector<float> own, direct, product;
  for (int s = 0; s < slices; ++s) {
    std::vector<SquareEntry> of_row[kLanes];
    size_t width = 0;
    for (int l = 0; l < kLanes && s * kLanes + l < n; ++l) {
      of_row[l] = square_entries(couplings_, s * kLanes + l, slot);
      width = std::max(width, of_row[l].size());
    }
    for (size_t k = 0; k < width; ++k) {
      column_slice.push_back(s);
      size_t products = 0;
      for (int l = 0; l < kLanes; ++l) {
        const int i = std::min(s * kLanes + l, n - 1);
        const SquareEntry e = k < of_row[l].size() ? of_row[l][k] : SquareEntry{i, 0, {}};
        neighbor.push_back(e.neighbor);
        own.push_back(k < of_row[l].size() && e.neighbor == i ? 1.0f : 0.0f);
        direct.push_back(e.direct);
        products = std::max(products, e.products.size());
      }
      for (size_t p = 0; p < products; ++p)
        for (int l = 0; l < kLanes; ++l) {
          const bool there = k < of_row[l].size() && p < of_row[l][k].products.size();
          middle.push_back(there ? of_row[l][k].products[p].first : std::min(s * kLanes + l, n - 1));
          product.push_back(there ? of_row[l][k].products[p].second : 0.0f);
        }
      product_start.push_back(buffer_size(int64_t(middle.size()), "products of couplings"));
    }
    slice_start.push_back(buffer_size(int64_t(neighbor.size()), "products of couplings"));
  }
  square_ = {Buffer<int>(device_, "square slices", slice_start),
             Buffer<int>(device_, "square neighbours", neighbor),
             Buffer<int>(device_, "square columns", column_slice),
             Buffer<int>(device_, "product starts", product_start),
             Buffer<int>(device_, "product middles", middle),
             Buffer<int>(device_, "stale slices", slices),
             Buffer<float>(device_, "own entries", own),
             Buffer<float>(device_, "square couplings", direct),
             Buffer<float>(device_, "products", product),
             Buffer<float>(device_, "square coefficients", int(neighbor.size()))};
  square_is_old_ = false;
  last_inverse_.clear(), last_own_.clear();  // no row has this D
}

projective::SystemView ProjectiveSolver::view() {
  return {rows_.view(),       coupling_.span(), mass_.span(),  row_sum_.span(),
          half_bound_.span(), free_row_.span(), added_.span(), own_.span(),
          inverse_.span(),    residual_.span(), inv_h2_};
}

projective::ReducedView ProjectiveSolver::reduced_view() {
  const int size = 3 * reused_, stride = padded_rows(size);
  return {size, stride, stride > 0 ? reduced_matrix_.size() / stride : 0, reduced_matrix_.span(),
          reduced_diagonal_.span()};
}

void ProjectiveSolver::begin_step(StepContext& c) {
  inv_h2_ = 1.0f / (c.dt * c.dt);
  device_.copy(position_.span().data, c.state.position.span().data, size_t(rows()) * sizeof(vec3));
  if (params(c).start == int(ProjectiveStart::inertia))
    launch(device_, "start", rows(),
           projective::StartAtTarget{c.kinematic.span(), c.inertia.span(), c.displacement.span()});
  device_.copy(before_.span().data, c.displacement.span().data, size_t(rows()) * sizeof(vec3));
}

/// The residual at the context's d, and the diagonal there.
void ProjectiveSolver::evaluate(StepContext& c) {
  StageScope stage(device_.profiler(), "gradient");
  const size_t bytes = size_t(rows()) * sizeof(vec3);
  device_.copy(d_.span().data, c.displacement.span().data, bytes);
  device_.copy(target_.span().data, c.inertia.span().data, bytes);
  elements_.evaluate(c, c.displacement.span());
  launch(device_, "load", rows(),
         linear::LoadContext{c.kinematic.span(), c.anchor_weight.span(), c.anchor_force.span(),
                             elements_.force(), free_row_.span(), anchor_weight_.span(), force_.span()});
  projective::Gradient k{view(),        position_.span(), d_.span(), target_.span(), anchor_weight_.span(),
                         force_.span(), elements_.bound()};
  k.spring_forces = c.scene.step.elastic_model == int(ElasticModel::springs);
  k.damping = params(c).damping;
  k.bending_forces = c.scene.step.bending_model == int(BendingModel::quadratic);
  launch(device_, "rows", rows(), k);
}

/// Moves the context's d, and the residual with it.
void ProjectiveSolver::balance(StepContext& c) {
  launch(device_, "pieces", pieces_->pieces.chunks(),
         projective::SumPieces{pieces_->pieces.view(), view(), anchor_weight_.span(), pieces_->sums.span()});
  launch(
      device_, "pieces", pieces_->pieces.count(),
      projective::BalancePieces{pieces_->pieces.view(), pieces_->sums.span(), pieces_->translation.span()});
  launch(device_, "pieces", rows(),
         projective::Translate{view(), pieces_->pieces.piece_of_row.span(), pieces_->translation.span(),
                               anchor_weight_.span(), c.displacement.span()});
}

/// Where weights of contact grow iterations are accelerated until it holds anything in the step.
Span<const int> ProjectiveSolver::find_held(StepContext& c, int k) {
  if (!weights_grow_) return {};
  if (k == 0) held_now_.clear();
  launch(device_, "acceleration", rows(), projective::FindHeld{c.anchor_weight.span(), held_now_.span()});
  return held_now_.span();
}

/// Of the forces left, for acceleration.
void ProjectiveSolver::measure_size() {
  launch(device_, "momentum", rows(), projective::LocalGain{view(), gain_.span()});
  reduce_sum(device_, Span<const float>(gain_.span().data, rows()), sums_.span());
}

void ProjectiveSolver::project(int count) {
  launch(device_, "project", count * projective::kSums,
         projective::Project{u_.span(), residual_.span(), stride_of(rows()), partial_.span()});
  launch(device_, "project", count, projective::SumProjected{partial_.span(), projected_.span()});
}

/// The step of the lowest modes; what is left of the residual takes its place.
void ProjectiveSolver::correct_in_subspace() {
  StageScope stage(device_.profiler(), "subspace");
  step_.clear();
  if (modes_ <= 0) return;
  const Span<const int> any(reduced_.span().data, 1), none(reduced_.span().data + 1, 1);
  launch(device_, "anchored", 1, projective::ClearAdded{reduced_.span()});
  launch(device_, "anchored", added_slice_.size(),
         projective::FindAdded{added_.span(), added_slice_.span(), reduced_.span()});
  device_.when(none, [&] {
    project(modes_);
    launch(device_, "solve", modes_,
           projective::SolveFree{free_inverse_.span(), projected_.span(), q_.span()});
    launch(device_, "expand", rows(),
           projective::Expand{u_.span(), q_.span(), modes_, stride_of(rows()), step_.span()});
  });
  if (reused_ > 0) device_.when(any, [&] { solve_reduced(); });
  launch(device_, "remainder", rows(), projective::Remainder{view(), step_.span()});
}

void ProjectiveSolver::solve_reduced() {
  project(reused_);
  launch(device_, "anchors", pairs_.size() * projective::kContactSums,
         projective::ProjectAdded{u_.span(), product_.span(), added_.span(), added_slice_.span(),
                                  pairs_.span(), stride_of(rows()), added_partial_.span()});
  const projective::ReducedView reduced = reduced_view();
  launch(device_, "anchors", 6 * pairs_.size(),
         projective::FillReduced{reduced, pairs_.span(), added_partial_.span(), free_matrix_.span(),
                                 projected_.span(), modes_, reused_});
  const bool inverse = reduced.columns > reduced.size + 1;
  if (inverse) {
    launch(device_, "scale", 1, projective::MeanEntry{reduced, scale_.span()});
    launch(device_, "scale", reduced.size * reduced.size, projective::FillScaled{reduced, scale_.span()});
  }
  launch_iterated(device_, "eliminate", reduced.size, reduced.size,
                  projective::Eliminate{reduced, other_.span()});
  if (inverse)
    launch(device_, "solve", reduced.size,
           projective::TakeInverse{reduced, scale_.span(), projected_.span(), reused_, q_.span()});
  else launch(device_, "solve", reused_, projective::TakeReduced{reduced, reused_, q_.span()});
  launch(device_, "expand", rows(),
         projective::Expand{u_.span(), q_.span(), reused_, stride_of(rows()), step_.span()});
}

void ProjectiveSolver::sweep(StepContext& c) {
  StageScope stage(device_.profiler(), "sweeps");
  const int sweeps = params(c).jacobi;
  now_ = 0;
  if (sweeps == 0) return sweep_[0].clear();
  launch(device_, "start sweeps", rows(), projective::StartSweeps{view(), sweep_[0].span()});
  if (squares(c)) return square_sweeps(sweeps);
  launch_iterated(device_, "sweep", rows(), sweeps - 1,
                  projective::Sweep{view(), {sweep_[0].span(), sweep_[1].span()}});
  now_ = (sweeps - 1) % 2;
}

void ProjectiveSolver::square_sweeps(int sweeps) {
  const projective::SquareView square{
      square_.slice_start.span(), square_.neighbor.span(), square_.column_slice.span(),
      square_.own.span(),         square_.direct.span(),   square_.product_start.span(),
      square_.middle.span(),      square_.product.span(),  square_.coefficient.span()};
  launch(device_, "coefficients", square_.stale.size(),
         projective::ClearChanged{square_.stale.span(), changed_.span()});
  launch(device_, "coefficients", rows(),
         projective::FindChanged{inverse_.span(), own_.span(), last_inverse_.span(), last_own_.span(),
                                 changed_row_.span(), changed_.span()});
  device_.when(changed_.span(), [&] {
    launch(device_, "coefficients", rows(),
           projective::FindStaleSlices{rows_.view(), changed_row_.span(), square_.stale.span()});
    launch(device_, "coefficients", square_.neighbor.size(),
           projective::Coefficients{view(), square, square_.stale.span()});
    launch(device_, "coefficients", rows(),
           projective::KeepDiagonals{inverse_.span(), own_.span(), last_inverse_.span(), last_own_.span()});
  });
  const auto from = [&](int first) {
    return projective::Sweep{view(), {sweep_[first].span(), sweep_[1 - first].span()}};
  };
  launch_iterated(device_, "sweep", rows(), 1, from(0));
  device_.copy(g_.span().data, sweep_[1].span().data, size_t(rows()) * sizeof(vec3));
  const int pairs = sweeps / 2 - 1;
  launch_iterated(device_, "square sweep", rows(), pairs,
                  projective::SquareSweep{square, g_.span(), {sweep_[1].span(), sweep_[0].span()}});
  now_ = 1 - pairs % 2;
  if (sweeps % 2 == 0) return;
  launch_iterated(device_, "sweep", rows(), 1, from(now_));
  now_ = 1 - now_;
}

void ProjectiveSolver::estimate_residual(StepContext& c) {
  StageScope stage(device_.profiler(), "residual");
  evaluate(c);
  balance(c);
  launch(device_, "residual", rows(), projective::LocalGain{view(), gain_.span()});
  reduce_sum(device_, Span<const float>(gain_.span().data, rows()), sums_.span());
  if (modes_ > 0) {
    project(modes_);
    launch(device_, "solve", modes_,
           projective::SolveFree{free_inverse_.span(), projected_.span(), q_.span()});
  }
  launch(device_, "residual", 1,
         projective::SumGains{projected_.span(), q_.span(), sums_.span(), residual_unit(mass_sum_, c.dt),
                              c.solver_residual.span()});
}

void ProjectiveSolver::iterate(StepContext& c, int k) {
  evaluate(c);
  if (k == 0) balance(c);  // what falls falls, before anything is solved
  if (acceleration_ != ProjectiveAcceleration::off) measure_size();
  correct_in_subspace();
  sweep(c);
  move(c, k);
  if (k + 1 == params(c).iterations) estimate_residual(c);
}

/// d <- d + step + sweeps, or what acceleration makes of it.
void ProjectiveSolver::move(StepContext& c, int k) {
  const Span<float> stopped(c.solver_residual.span().data + 1, 1);
  if (acceleration_ == ProjectiveAcceleration::anderson)
    return anderson_.advance(k, free_row_.span(), step_.span(), sweep_[now_].span(), sums_.span(), stopped,
                             c.displacement.span(), find_held(c, k));
  const bool momentum = acceleration_ == ProjectiveAcceleration::chebyshev;
  if (momentum)
    launch(
        device_, "momentum", 1,
        projective::ChooseMomentum{sums_.span(), params(c).chebyshev_rho, k == 0, momentum_.span(), stopped});
  launch(device_, "move", rows(),
         projective::Move{free_row_.span(), step_.span(), sweep_[now_].span(),
                          momentum ? Span<const float>(momentum_.span()) : Span<const float>(),
                          c.displacement.span(), before_.span()});
}

void ProjectiveSolver::gradient(StepContext& c, Span<vec3> out) {
  inv_h2_ = 1.0f / (c.dt * c.dt);
  device_.copy(position_.span().data, c.state.position.span().data, size_t(rows()) * sizeof(vec3));
  evaluate(c);
  launch(device_, "gradient", out.size, projective::Negate{residual_.span(), out});
}

}  // namespace weft
