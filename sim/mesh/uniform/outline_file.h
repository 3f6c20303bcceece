// Outlines as closed lines in an OBJ file.
#pragma once
#include <string>

#include "sim/mesh/uniform/outline.h"
#include "sim/mesh/uniform/pieces.h"

namespace weft {

/// True if an OBJ text has lines ("l 1 2 3 1") and no faces. Throws Error as read_obj_text does.
bool holds_only_lines(const std::string& obj_text, const std::string& path_for_messages);

/// An outline and the plane that it lies in.
struct SpaceOutline {
  Outline outline;
  PlaneFrame frame;
};

/// Joins line statements at common vertices to closed loops. Throws Error "file:line" for lines that end,
/// that branch, that leave the plane of the others by more than a ten-thousandth of their size, and for
/// numbers that are none.
SpaceOutline parse_obj_outline(const std::string& obj_text, const std::string& path_for_messages);

}  // namespace weft
