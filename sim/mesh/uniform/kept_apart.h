// Layers that do not cross must not cross after remeshing either.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "sim/mesh/mesh.h"
#include "sim/mesh/uniform/pieces.h"

namespace weft {

/// Determines which parts of a mesh may be remeshed. Longer edges cut corners and would cross another layer
/// inside the corner; there the original triangles are kept. Existing crossings within an edge and a half are
/// ignored.
class KeptApart {
 public:
  /// `pieces`: the whole mesh in pieces. `edge`: target, m. `others`: meshes that must not be crossed either,
  /// in the pose of the mesh's positions; may be null.
  KeptApart(const TriMesh& mesh, const std::vector<Piece>& pieces, double edge, const TriMesh* others);

  /// Checks a result; `piece` is the piece of each of its triangles. True if there are no new crossings;
  /// otherwise more triangles are kept, and the pieces named by `changed` must be remeshed again.
  bool accept(const TriMesh& result, const std::vector<int>& piece);
  const std::set<int>& changed() const { return changed_; }

  /// Kept vertices of a piece, with the triangles between them; empty: none.
  const std::vector<char>& kept(int piece) const { return kept_[piece]; }
  /// True if the whole piece is kept.
  bool whole(int piece) const { return whole_[piece]; }

  /// Number of triangles that cross in the original mesh.
  int crossed_before() const { return int(cross_already_.size()); }
  /// Number of kept triangles, whole pieces included.
  int kept_triangles() const;
  /// Description of what is kept and where; empty if nothing.
  std::string words() const;

 private:
  std::vector<ivec2> crossings_of(const TriMesh& mesh) const;
  bool crossed_already_near(const dvec3& place) const;
  void keep_near(const dvec3& place, double radius);

  const TriMesh& mesh_;
  const std::vector<Piece>& pieces_;
  double edge_;
  const TriMesh* others_;
  std::vector<std::vector<char>> kept_;  // per piece: its vertices
  std::vector<char> whole_;              // per piece: it is kept completely
  std::vector<int> cross_already_;       // triangles of the mesh
  std::set<int> changed_;
  int rounds_ = 0;
  bool any_place_ = false;
  dvec3 first_place_{0};
};

}  // namespace weft
