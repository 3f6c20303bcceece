// A pattern as one mesh: panels meshed, placed, and welded along their seams.
#pragma once
#include <string>
#include <vector>

#include "sim/garment/panel_mesh.h"
#include "sim/garment/placement.h"
#include "sim/garment/point_seam.h"
#include "sim/mesh/mesh.h"

namespace weft {

/// A garment before it is worn. The triangles keep the shapes that they have in the pattern, whatever their
/// placement: they are the mesh's rest shape (CornerTextures::is_rest), and its texture coordinates, in
/// metres, with panels side by side.
struct GarmentMesh {
  TriMesh mesh;     // positions: as placed; vertices of a seam between their places on its sides
  Pattern pattern;  // without darts, which are edges and seams of it
  std::vector<PanelMesh> panels;             // before welding
  std::vector<int> panel_of_triangle;        // index in pattern.panels
  std::vector<std::vector<int>> vertex;      // of each panel's points: the mesh's vertex
  std::vector<std::vector<int>> seam_lines;  // of each seam: the mesh's vertices along it; of a button, one
  std::vector<std::string> notices;          // in words
};

/// Meshes a pattern; `edge` (m) replaces its edge length unless 0; `elastic` is the ratio of elastics that
/// have none of their own (kSceneElastic). Throws Error, with `where` in front, as
/// check_pattern and mesh_panel do, and where panels are too narrow for their seams at this edge length.
/// Deterministic.
GarmentMesh make_garment(const Pattern& pattern, const std::string& where, double edge = 0,
                         const LayerDistances& layers = {}, double elastic = kUsualElastic);

/// Material coordinates of points of a panel (m): along the warp, and along the weft so that the right side
/// is seen.
class MaterialFrame {
 public:
  explicit MaterialFrame(const Panel& panel);
  dvec2 at(const dvec2& p) const { return {glm::dot(p, warp_), glm::dot(p, weft_)}; }

 private:
  dvec2 warp_, weft_;
};

}  // namespace weft
