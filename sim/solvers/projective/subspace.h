// The lowest modes of a mesh: eigenvectors of its springs on the host.
#pragma once
#include <utility>
#include <vector>

#include "sim/linear/coarsen.h"

namespace weft {

/// Finds the lowest eigenvectors of K u = lambda M u for a mesh of springs of modulus 1 with an areal
/// density of 1, with vertices pinned. They depend on the mesh and on what is pinned alone, not on fabric or
/// time step. On a large mesh they are those of a coarser one, interpolated and smoothed. Deterministic.
class MeshModes {
 public:
  explicit MeshModes(const LevelMesh& mesh);
  /// Of `pinned` (1 per vertex that does not move) `count` modes in ascending order of their eigenvalues, one
  /// after the other, each of one number per vertex, 0 where pinned. Fewer where no more were found.
  std::vector<std::vector<float>> find(const std::vector<int>& pinned, int count) const;

 private:
  struct Level {
    LevelMesh mesh;
    std::vector<float> area, stiffness;  // m² per vertex; per edge, N/m
    std::vector<int> start, column;      // interpolation from the next coarser level; empty on the coarsest
    std::vector<float> weight;
  };
  using Row = std::vector<std::pair<int, double>>;
  struct Found;
  std::vector<Row> holds(const std::vector<int>& pinned) const;
  Found coarsest(const std::vector<int>& pinned, int count) const;
  void refine(Found&, size_t level, const std::vector<int>& pinned) const;
  std::vector<Level> levels_;
};

/// A symmetric matrix K with rows that sum to 0, by its couplings -K_ij (N/m): those of row i stand from
/// start[i] on.
struct Couplings {
  std::vector<int> start, neighbor;
  std::vector<float> value;
};

/// Uᵀ K U and Uᵀ M U of modes U, column by column.
struct ReducedMatrices {
  std::vector<double> stiffness, mass;  // N/m; kg
};
ReducedMatrices reduce(const std::vector<std::vector<float>>& modes, const Couplings& couplings,
                       const std::vector<float>& mass);

/// Uᵀ (M / h² + K) U of `size` modes and its inverse, in single precision; modes beyond those that there
/// are count as uncoupled.
struct FreeMatrix {
  std::vector<float> matrix, inverse;
};
FreeMatrix free_matrix(const ReducedMatrices& reduced, int size, double inv_h2);

}  // namespace weft
