// Elastic and other fabrics in OBJ files of garments, as comments behind faces, which other programs skip.
#pragma once
#include <string>
#include <vector>

#include "sim/mesh/mesh.h"

namespace weft {

/// "#weft rest xx xy yy" and "#weft factor stretch bending density" of a triangle
/// (CornerTextures::rest_scale, factor); empty where both are the identity.
std::string rest_mark(const CornerTextures& corners, size_t triangle);

/// Takes the marks of one object of a file (`group`: its name; empty: all of them) into a mesh that was
/// read from it, whose rest shape belongs to corners. Left out, with a notice, where import changed the
/// number of faces or a mark is no three finite numbers.
void take_rest_marks(const std::string& text, const std::string& group, TriMesh& mesh,
                     const std::string& where, std::vector<std::string>& notices);

}  // namespace weft
