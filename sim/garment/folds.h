// Fold lines become seams between the parts of a panel.
#pragma once
#include <vector>

#include "sim/garment/pattern.h"
#include "sim/mesh/mesh.h"

namespace weft {

/// The same garment without fold lines: each divides its panel in two parts, which keep their places in the
/// panel's material (Panel::part_of), with a seam of its angle between them. The pattern has passed
/// check_pattern. Throws Error, with `where` in front, for fold lines of a panel that cross or are one.
Pattern without_folds(const Pattern& pattern, const std::string& where);

/// The edges of a mesh along seams with an angle. `lines`: of each seam, the mesh's vertices along it.
std::vector<RestAngles::Fold> fold_edges(const Pattern& pattern, const std::vector<std::vector<int>>& lines);

/// Makes the corners of parts of one panel that meet at a fold line the same material points, so that it is
/// no seam. `panel_of_triangle`: index in pattern.panels.
void join_parts(const Pattern& pattern, const std::vector<int>& panel_of_triangle, TriMesh& mesh);

}  // namespace weft
