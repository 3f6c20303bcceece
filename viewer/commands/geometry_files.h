// OBJ files of weft repair and weft flow, whose vertices keep their order.
#pragma once
#include <string>
#include <vector>

#include "sim/files/obj_groups.h"
#include "sim/mesh/import/obj_sequence.h"

namespace weft {

/// Triangles of all groups, over the vertices of the file.
std::vector<ivec3> all_triangles(const std::vector<RunGroup>& groups);
/// "triangle 12 of sheet": by its number in its group, from 0. `triangle`: as all_triangles counts.
std::string triangle_name(const std::vector<RunGroup>& groups, int triangle);

/// Writes the groups with other positions, the same names and texture coordinates. Throws Error.
void write_groups(const std::string& path, const std::vector<RunGroup>& groups,
                  const std::vector<vec3>& positions);

/// Files that the arguments name: each a file, a folder or a pattern. Throws Error where there is none, and
/// where two would be written under the same name. `notices`: gaps, and files that are not in the order of
/// their numbers.
std::vector<std::string> find_frames(const std::vector<std::string>& arguments,
                                     std::vector<std::string>& notices);

/// Throws Error where a file would overwrite one of `inputs`, or the folder cannot be written. Makes the
/// folder.
void check_folder(const std::string& folder, const std::vector<std::string>& names,
                  const std::vector<std::string>& inputs);

/// Throws Error if a file cannot be written, before the work: a folder has its name, or its folder does not
/// exist. A file written `in_place` during the work needs no room for a temporary file.
void check_file(const std::string& path, bool in_place = false);

/// The same of what a FrameWriter is to write.
void check_export(const std::string& path);

/// Throws Error if an output is one of the inputs, under any name.
void check_apart(const std::vector<std::string>& written, const std::vector<std::string>& read);

}  // namespace weft
