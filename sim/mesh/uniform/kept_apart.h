// Layers that do not cross must not cross after remeshing either.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "sim/mesh/mesh.h"
#include "sim/mesh/uniform/pieces.h"

namespace weft {

/// Which parts of a mesh may be remeshed. Longer edges cut corners, and where another layer lies within the corner they cross it: there
/// the triangles that the mesh has stay. Where it crosses itself already, within an edge and a half, crossings are let be.
class KeptApart {
 public:
  /// `pieces`: of the mesh, all of it. `edge`: wanted, m. `others`: what else is not to be crossed, where the mesh's positions are; may be null.
  KeptApart(const TriMesh& mesh, const std::vector<Piece>& pieces, double edge, const TriMesh* others);

  /// Looks at a result: `piece` of each of its triangles. True where nothing crosses that did not before; else more stays as it was, and what
  /// `changed` names is to be made again.
  bool accept(const TriMesh& result, const std::vector<int>& piece);
  const std::set<int>& changed() const { return changed_; }

  /// Vertices of a piece that stay where they are, with the triangles between them; empty: none of them.
  const std::vector<char>& kept(int piece) const { return kept_[size_t(piece)]; }
  /// Whether nothing of a piece is remeshed.
  bool whole(int piece) const { return whole_[size_t(piece)]; }

  /// How many triangles of the mesh cross before anything is done.
  int crossed_before() const { return int(cross_already_.size()); }
  /// Triangles that stay, whole pieces included.
  int kept_triangles() const;
  /// What stays and where, in words; empty for nothing.
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
  std::vector<char> whole_;              // per piece: nothing of it is remeshed
  std::vector<int> cross_already_;       // triangles of the mesh
  std::set<int> changed_;
  int rounds_ = 0;
  bool any_place_ = false;
  dvec3 first_place_{0};
};

}  // namespace weft
