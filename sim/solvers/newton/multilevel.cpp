#include "sim/solvers/newton/multilevel.h"

#include <algorithm>
#include <cmath>

#include "sim/linear/chebyshev.h"
#include "sim/linear/level_rows.h"

namespace weft {
namespace {

constexpr int kSmallest = 100;  // vertices; a smaller mesh is quickly solved without coarser ones
constexpr int kCoarsest = 150;  // vertices of the coarsest level, at most
// On the full mesh elements couple at most four vertices, so that A <= 4 P (meshless bending couples more;
// 2.6 is the most that was measured with any model), and a value below 1/2 keeps a V-cycle positive definite.
// Coarse levels have block diagonals B with A <= 2 B, and a value below 1 does.
constexpr float kDamping = 0.5f, kCoarseDamping = 0.8f;
// Linear interpolation leaves more to do on the levels beyond the first coarse one: two Chebyshev iterations
// over the upper 7/8 of eigenvalues up to 2; the rest is margin for rounding.
constexpr float kHighest = 2.05f, kLowest = kHighest / 8;
constexpr float kMiddle = (kHighest + kLowest) / 2, kHalf = (kHighest - kLowest) / 2;
constexpr float kFirst = 1 / kMiddle;
constexpr float kSecond = 1 / (kMiddle - kHalf * kHalf / (2 * kMiddle)),
                kMomentum = kSecond * kHalf * kHalf / (2 * kMiddle);
constexpr float kGamma = 0.98f;
constexpr double kReduction = 3;  // of errors by the coarsest level's iterations

/// What connects a piece is as far away as the piece has rows at most, however many pieces there are.
int iterations_on(const Rows& rows) {
  std::vector<int> size;
  for (const int piece : rows.pieces()) {
    if (piece >= int(size.size())) size.resize(size_t(piece) + 1, 0);
    ++size[size_t(piece)];
  }
  return 2 * int(std::ceil(std::sqrt(double(*std::max_element(size.begin(), size.end())))));
}

/// Vertices that nothing couples to others, as grains are: smoothing solves them, and thousands of them on
/// every level would cost what the cloth does not.
std::vector<char> alone(const LevelMesh& mesh, const Rows& rows, const std::vector<RowJoins>& joins) {
  std::vector<char> marks(mesh.rest.size(), 1);
  for (const ivec2& e : mesh.edges) marks[e.x] = marks[e.y] = 0;
  for (size_t v = 0; v < marks.size(); ++v) {
    if (marks[v] && !rows.entries_of(int(v)).empty()) marks[v] = 0;
    for (const RowJoins& of : joins)
      if (!of[v].empty()) marks[v] = 0;
  }
  return marks;
}

/// The interval that n iterations reduce by kReduction: T_n(1 / rho) = kReduction.
float rho_of(int n) { return float(1.0 / std::cosh(std::acosh(kReduction) / n)); }

}  // namespace

newton::SystemView MultilevelPreconditioner::Level::view() {
  return {rows.view(), block, diagonal, preconditioner, free_row};
}

MultilevelPreconditioner::Sources MultilevelPreconditioner::sources(
    const std::vector<std::vector<CoarseStructure::Share>>& shares, const Rows& coarse) const {
  const CoarseSourceLists lists = source_lists(shares, coarse);
  return {Buffer<int>(device_, "coarse sources", lists.start),
          Buffer<int>(device_, "coarse sources", lists.from),
          Buffer<float>(device_, "coarse sources", lists.weight)};
}

MultilevelPreconditioner::Level MultilevelPreconditioner::make_level(
    const Rows& finer, const Coarsening& c, const std::vector<RowJoins>& joins) const {
  Level l;
  CoarseStructure structure = coarse_structure(finer, c, joins);
  l.rows = Rows(device_, structure.rows, true);
  l.couplings = sources(structure.couplings, l.rows);
  structure.couplings = {};
  l.diagonals = sources(structure.diagonals, l.rows);
  for (const CoarseStructure::Shares& joined : structure.joined)
    l.elements.push_back(sources(joined, l.rows));
  std::vector<int> start, column;
  std::vector<float> weight;
  transpose(c, start, column, weight);
  l.rows_of_finer = {Buffer<int>(device_, "interpolation", c.start),
                     Buffer<int>(device_, "interpolation", c.column),
                     Buffer<float>(device_, "interpolation", c.weight)};
  l.rows_of_this = {Buffer<int>(device_, "restriction", start), Buffer<int>(device_, "restriction", column),
                    Buffer<float>(device_, "restriction", weight)};
  const int n = l.rows.padded();
  l.block =
      Buffer<float>(device_, "coarse blocks", buffer_size(9 * int64_t(l.rows.entries()), "coarse blocks"));
  l.diagonal = Buffer<float>(device_, "coarse diagonals", 6 * n);
  l.preconditioner = Buffer<float>(device_, "coarse diagonals", 6 * n);
  std::vector<float> free_row(size_t(n), 0.0f);
  std::fill(free_row.begin(), free_row.begin() + l.rows.rows(), 1.0f);
  l.free_row = Buffer<float>(device_, "coarse free rows", free_row);
  for (Buffer<vec3>* b : {&l.r, &l.left, &l.x[0], &l.x[1]}) {
    *b = Buffer<vec3>(device_, "coarse vectors", n);
    b->clear();  // padding too
  }
  return l;
}

void MultilevelPreconditioner::prepare(const StepContext& c, const NewtonSystem& system) {
  if (layout_ == system.layouts()) return;
  // Everything first, so that a failed allocation leaves what there was.
  std::vector<Level> levels;
  LevelMesh mesh = level_mesh_with_cells(c.model.host);
  while (int(mesh.rest.size()) > (levels.empty() ? kSmallest : kCoarsest)) {
    const bool first = levels.empty();
    const Rows& finer = first ? system.couplings() : levels.back().rows;
    const std::vector<RowJoins> joins = first ? system.host().joins(system.rows()) : std::vector<RowJoins>();
    Coarsening coarser = coarsen(mesh, alone(mesh, finer, joins));
    // nothing left to merge
    if (coarser.mesh.rest.empty() || coarser.mesh.rest.size() * 10 > mesh.rest.size() * 9) break;
    levels.push_back(make_level(finer, coarser, joins));
    mesh = std::move(coarser.mesh);
  }
  const int n = levels.empty() ? 0 : system.padded(),
            iterations = levels.empty() ? 0 : iterations_on(levels.back().rows);
  Buffer<float> diagonal(device_, "held diagonals", 6 * n), omega;
  Buffer<vec3> x(device_, "V-cycle vectors", n), left(device_, "V-cycle vectors", n);
  if (iterations > 0)
    omega = Buffer<float>(device_, "Chebyshev weights", chebyshev_weights(rho_of(iterations), iterations));
  diagonal_ = std::move(diagonal), x_ = std::move(x), left_ = std::move(left), omega_ = std::move(omega);
  levels_ = std::move(levels);
  layout_ = system.layouts();
}

void MultilevelPreconditioner::clear() {
  if (layout_ == 0) return;
  levels_.clear();
  diagonal_ = Buffer<float>(), x_ = Buffer<vec3>(), left_ = Buffer<vec3>(), omega_ = Buffer<float>();
  layout_ = 0;
}

void MultilevelPreconditioner::assemble(NewtonSystem& system) {
  StageScope stage(device_.profiler(), "coarse operators");
  newton::SystemView finer = system.view();
  launch(device_, "held", system.rows(),
         newton::PinnedDiagonal{.system = finer,
                                .stencil_diagonal = system.stencil_diagonal(),
                                .joined = system.whole_diagonal(),
                                .blocks = system.blocks(),
                                .diagonal = diagonal_});
  Span<const float> diagonal = diagonal_;
  bool blocks = system.blocks();
  for (Level& l : levels_) {
    const newton::SystemView view = l.view();
    const auto gather = [&](auto k) {
      k = {finer, diagonal, l.couplings.view(), l.diagonals.view(), l.block};
      launch(device_, "couplings", l.rows.entries(), k);
    };
    if (blocks) gather(newton::GatherCoarse<true>());
    else gather(newton::GatherCoarse<false>());
    if (&l == &levels_.front())
      for (const host::ElementsView& e : system.host().couplings())
        launch(device_, "plug-ins", l.rows.entries(),
               newton::AddCoarseElements{e, l.elements[size_t(e.energy)].view(), l.block});
    launch(device_, "diagonals", l.rows.rows(),
           newton::CoarseDiagonal{view, l.rows_of_this.view(), diagonal});
    finer = view;
    diagonal = l.diagonal;
    blocks = true;
  }
}

void MultilevelPreconditioner::restrict_to(size_t i, Span<const vec3> finer) {
  Level& l = levels_[i];
  newton::RestrictResidual kernel{l.rows_of_this.view(), finer, l.r, {}};
  if (i + 1 == levels_.size()) kernel.start[0] = l.x[0], kernel.start[1] = l.x[1];
  launch(device_, "restrict", l.rows.rows(), kernel);
}

Span<const vec3> MultilevelPreconditioner::solve_coarsest() {
  Level& l = levels_.back();
  launch_iterated(device_, "coarsest", l.rows.rows(), omega_.size(),
                  newton::CoarsestSolve{l.view(), l.r, {l.x[0], l.x[1]}, omega_, kGamma});
  return l.x[omega_.size() % 2];
}

Span<const vec3> MultilevelPreconditioner::solve(size_t i) {
  if (i + 1 == levels_.size()) return solve_coarsest();
  Level &l = levels_[i], &coarser = levels_[i + 1];
  const bool twice = i > 0;
  const int n = l.rows.rows();
  const newton::SystemView a = l.view();
  const Span<vec3> x = l.x[0], other = l.x[1];
  const Span<vec3> smooth = twice ? other : x, after = twice ? x : other;
  launch(device_, "smooth", n,
         newton::FirstSmoothing{a.preconditioner, l.r, twice ? kFirst : kCoarseDamping, x});
  if (twice)
    launch(device_, "smooth", n, newton::Smoothing<true>{a, l.r, x, {}, kMomentum, kSecond, other, {}});
  launch(device_, "residual", n, newton::LevelResidual<true>{a, l.r, smooth, l.left});
  restrict_to(i + 1, l.left);
  const Span<const vec3> correction = solve(i + 1);
  launch(device_, "prolong", n,
         newton::AddProlonged{coarser.rows_of_finer.view(), correction, l.free_row, smooth});
  launch(device_, "smooth", n,
         newton::Smoothing<true>{a, l.r, smooth, {}, 0, twice ? kFirst : kCoarseDamping, after, {}});
  if (twice)
    launch(device_, "smooth", n,
           newton::Smoothing<true>{a, l.r, after, smooth, kMomentum, kSecond, smooth, {}});
  return twice ? smooth : after;
}

void MultilevelPreconditioner::apply(NewtonSystem& system, Span<const vec3> r, Span<vec3> z,
                                     Span<float> inner) {
  StageScope stage(device_.profiler(), "V-cycle");
  const newton::SystemView a = system.view();
  Level& coarser = levels_.front();
  const int n = system.rows();
  launch(device_, "smooth", n, newton::FirstSmoothing{a.preconditioner, r, kDamping, x_});
  if (system.blocks()) launch(device_, "residual", n, newton::LevelResidual<true>{a, r, x_, left_});
  else launch(device_, "residual", n, newton::LevelResidual<false>{a, r, x_, left_});
  restrict_to(0, left_);
  const Span<const vec3> correction = solve(0);
  launch(device_, "prolong", n,
         newton::AddProlonged{coarser.rows_of_finer.view(), correction, a.free_row, x_});
  if (system.blocks())
    launch(device_, "smooth", n, newton::Smoothing<true>{a, r, x_, {}, 0, kDamping, z, inner});
  else launch(device_, "smooth", n, newton::Smoothing<false>{a, r, x_, {}, 0, kDamping, z, inner});
}

}  // namespace weft
