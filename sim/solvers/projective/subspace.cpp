#include "sim/solvers/projective/subspace.h"

#include <Spectra/SymEigsSolver.h>
#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <Eigen/SparseCholesky>

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/linear/level_rows.h"

namespace weft {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using SparseRows = Eigen::SparseMatrix<float, Eigen::RowMajor>;
using Block = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;  // one row per vertex

constexpr int kDirect = 3000;       // vertices up to which eigenvectors are found on the mesh itself
constexpr int kSmoothings = 12;     // of interpolated modes
constexpr float kSmoothing = 0.6f;  // below 1: D⁻¹ K of springs has eigenvalues up to 2
constexpr double kHold = 1e3;       // stiffness that holds a vertex, over the stiffest row of springs
constexpr double kShift = 0.01;     // over the total area: below the first mode of any sheet that is held
constexpr int kMostRestarts = 60;
constexpr double kTolerance = 1e-5;

std::vector<float> vertex_areas(const LevelMesh& m) {
  std::vector<float> area(m.rest.size(), 0.0f);
  double total = 0;
  for (const ivec3& t : m.triangles) {
    const float a = 0.5f * glm::length(glm::cross(m.rest[t.y] - m.rest[t.x], m.rest[t.z] - m.rest[t.x]));
    for (int k = 0; k < 3; ++k) area[t[k]] += a / 3;
    total += double(a);
  }
  const float least = float(1e-3 * total / double(std::max<size_t>(1, area.size()))) + 1e-12f;
  for (float& a : area) a = std::max(a, least);
  return area;
}

/// M^1/2 (K + shift M)⁻¹ M^1/2: its largest eigenvalues belong to the lowest modes.
class Inverse {
 public:
  using Scalar = double;
  Inverse(const Sparse& stiffness, const Eigen::VectorXd& root) : root_(root) { factor_.compute(stiffness); }
  bool good() const { return factor_.info() == Eigen::Success; }
  Eigen::Index rows() const { return root_.size(); }
  Eigen::Index cols() const { return root_.size(); }
  void perform_op(const double* in, double* out) const {
    const Eigen::Map<const Eigen::VectorXd> x(in, root_.size());
    Eigen::Map<Eigen::VectorXd> y(out, root_.size());
    y = root_.cwiseProduct(factor_.solve(root_.cwiseProduct(x).eval()));
  }

 private:
  const Eigen::VectorXd& root_;
  Eigen::SimplicialLLT<Sparse> factor_;
};

}  // namespace

struct MeshModes::Found {
  Eigen::VectorXf lambda;
  Block modes = Block(0, 0);
};

MeshModes::MeshModes(const LevelMesh& mesh) {
  const auto add = [&](const LevelMesh& m) {
    levels_.push_back({m, vertex_areas(m), unit_spring_stiffness(m), {}, {}, {}});
  };
  add(mesh);
  while (int(levels_.back().mesh.rest.size()) > kDirect) {
    const Coarsening c = coarsen(levels_.back().mesh);
    if (c.mesh.rest.size() * 10 > levels_.back().mesh.rest.size() * 9) break;  // nothing left to merge
    levels_.back().start = c.start, levels_.back().column = c.column, levels_.back().weight = c.weight;
    add(c.mesh);
  }
}

/// What pins vertices of the full mesh, in terms of those of the coarsest: weights of one pinned vertex each.
std::vector<MeshModes::Row> MeshModes::holds(const std::vector<int>& pinned) const {
  std::vector<Row> all;
  for (size_t v = 0; v < pinned.size(); ++v) {
    if (!pinned[v]) continue;
    Row row{{int(v), 1.0}};
    for (size_t l = 0; l + 1 < levels_.size(); ++l) {
      std::map<int, double> coarse;
      for (const auto& [i, w] : row)
        for (int o = levels_[l].start[i]; o < levels_[l].start[i + 1]; ++o)
          coarse[levels_[l].column[o]] += w * double(levels_[l].weight[o]);
      row.assign(coarse.begin(), coarse.end());
    }
    all.push_back(row);
  }
  return all;
}

/// The lowest modes of the coarsest mesh, and their eigenvalues.
MeshModes::Found MeshModes::coarsest(const std::vector<int>& pinned, int count) const {
  const Level& level = levels_.back();
  const int n = int(level.mesh.rest.size()), wanted = std::min(count, n - 2);
  if (wanted < 1) return {};
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::VectorXd root(n), diagonal = Eigen::VectorXd::Zero(n);
  for (int i = 0; i < n; ++i) root[i] = std::sqrt(double(level.area[i]));
  for (size_t e = 0; e < level.mesh.edges.size(); ++e) {
    const ivec2 ends = level.mesh.edges[e];
    const double k = double(level.stiffness[e]);
    entries.emplace_back(ends.x, ends.y, -k), entries.emplace_back(ends.y, ends.x, -k);
    diagonal[ends.x] += k, diagonal[ends.y] += k;
  }
  const double shift = kShift / root.squaredNorm(), hold = kHold * diagonal.maxCoeff();
  for (int i = 0; i < n; ++i) entries.emplace_back(i, i, diagonal[i] + shift * root[i] * root[i]);
  for (const Row& row : holds(pinned))
    for (const auto& [i, wi] : row)
      for (const auto& [j, wj] : row) entries.emplace_back(i, j, hold * wi * wj);
  Sparse stiffness(n, n);
  stiffness.setFromTriplets(entries.begin(), entries.end());

  Inverse inverse(stiffness, root);
  if (!inverse.good()) return {};
  Spectra::SymEigsSolver<Inverse> eigen(inverse, wanted, std::min(n, std::max(2 * wanted, wanted + 20)));
  eigen.init();
  const auto order = Spectra::SortRule::LargestAlge;
  const int found = int(eigen.compute(order, kMostRestarts, kTolerance, order));
  if (found < 1) return {};
  Found out{Eigen::VectorXf(found), {}};
  for (int k = 0; k < found; ++k) out.lambda[k] = float(std::max(0.0, 1 / eigen.eigenvalues()[k] - shift));
  out.modes = (root.cwiseInverse().asDiagonal() * eigen.eigenvectors().leftCols(found)).cast<float>();
  return out;
}

/// Interpolates modes from level l + 1 to level l and smooths them: u <- u - omega D⁻¹ (K u - lambda M u).
void MeshModes::refine(Found& found, size_t l, const std::vector<int>& pinned) const {
  const Level& fine = levels_[l];
  const int rows = int(fine.mesh.rest.size()), count = int(found.modes.cols());
  Block finer = Block::Zero(rows, count), pulled(rows, count);
  for (int i = 0; i < rows; ++i)
    for (int o = fine.start[i]; o < fine.start[i + 1]; ++o)
      finer.row(i) += fine.weight[o] * found.modes.row(fine.column[o]);
  std::vector<Eigen::Triplet<float>> coupling;
  Eigen::VectorXf own = Eigen::VectorXf::Zero(rows);
  for (size_t e = 0; e < fine.mesh.edges.size(); ++e) {
    const ivec2 ends = fine.mesh.edges[e];
    const float k = fine.stiffness[e];
    coupling.emplace_back(ends.x, ends.y, k), coupling.emplace_back(ends.y, ends.x, k);
    own[ends.x] += k, own[ends.y] += k;
  }
  SparseRows springs(rows, rows);
  springs.setFromTriplets(coupling.begin(), coupling.end());
  for (int s = 0; s < kSmoothings; ++s) {
    pulled.noalias() = springs * finer;
    for (int i = 0; i < rows; ++i) {
      if (l == 0 && pinned[i]) {
        finer.row(i).setZero();
      } else if (own[i] > 0) {
        const Eigen::RowVectorXf mass = fine.area[i] * found.lambda.transpose();
        const Eigen::RowVectorXf left =
            own[i] * finer.row(i) - pulled.row(i) - finer.row(i).cwiseProduct(mass);
        finer.row(i) -= (kSmoothing / own[i]) * left;
      }
    }
  }
  found.modes.swap(finer);
}

std::vector<std::vector<float>> MeshModes::find(const std::vector<int>& pinned, int count) const {
  Found found = coarsest(pinned, count);
  if (found.modes.cols() == 0) return {};
  for (size_t l = levels_.size() - 1; l-- > 0;) refine(found, l, pinned);
  std::vector<std::vector<float>> out(size_t(found.modes.cols()), std::vector<float>(pinned.size()));
  for (size_t k = 0; k < out.size(); ++k)
    for (size_t v = 0; v < pinned.size(); ++v)
      out[k][v] = pinned[v] ? 0.0f : found.modes(Eigen::Index(v), Eigen::Index(k));
  return out;
}

ReducedMatrices reduce(const std::vector<std::vector<float>>& modes, const Couplings& k,
                       const std::vector<float>& mass) {
  const int count = int(modes.size()), n = int(mass.size());
  if (count == 0) return {};
  Block u(n, count), ku = Block::Zero(n, count);
  for (int a = 0; a < count; ++a)
    for (int i = 0; i < n; ++i) u(i, a) = modes[a][i];
  for (int i = 0; i < n; ++i)  // of differences, which keep their digits where K is stiff
    for (int o = k.start[i]; o < k.start[i + 1]; ++o)
      ku.row(i) += k.value[o] * (u.row(i) - u.row(k.neighbor[o]));
  const Eigen::Map<const Eigen::VectorXf> m(mass.data(), n);
  const auto symmetric = [count](const Eigen::MatrixXf& half) {
    const Eigen::MatrixXd a = half.cast<double>(), b = 0.5 * (a + a.transpose());
    return std::vector<double>(b.data(), b.data() + count * count);
  };
  return {symmetric(u.transpose() * ku), symmetric(u.transpose() * (m.asDiagonal() * u))};
}

FreeMatrix free_matrix(const ReducedMatrices& reduced, int size, double inv_h2) {
  const int found = int(std::lround(std::sqrt(double(reduced.mass.size()))));
  Eigen::MatrixXd a = Eigen::MatrixXd::Identity(size, size);
  if (found > 0) {
    const Eigen::Map<const Eigen::MatrixXd> stiffness(reduced.stiffness.data(), found, found),
        mass(reduced.mass.data(), found, found);
    a.topLeftCorner(found, found) = stiffness + inv_h2 * mass;
  }
  const Eigen::MatrixXd inverse = a.llt().solve(Eigen::MatrixXd::Identity(size, size));
  const auto floats = [size](const Eigen::MatrixXd& m) {
    const Eigen::MatrixXf f = m.cast<float>();
    return std::vector<float>(f.data(), f.data() + size * size);
  };
  return {floats(a), floats(inverse)};
}

}  // namespace weft
