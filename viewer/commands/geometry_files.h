// What weft repair and weft flow read and write: OBJ files whose vertices keep their order.
#pragma once
#include <string>
#include <vector>

#include "sim/files/obj_groups.h"
#include "sim/mesh/obj_sequence.h"

namespace weft {

/// Triangles of all groups, over the vertices of the file.
std::vector<ivec3> all_triangles(const std::vector<RunGroup>& groups);
/// "triangle 12 of sheet": by its number in its group, from 0. `triangle`: as all_triangles counts.
std::string triangle_name(const std::vector<RunGroup>& groups, int triangle);

/// Writes the groups with other positions; names and texture coordinates stay. Throws Error.
void write_groups(const std::string& path, const std::vector<RunGroup>& groups, const std::vector<vec3>& positions);

/// Files that the arguments name: each a file, a folder or a pattern. Throws Error where there is none, and where two would be written under the
/// same name. `notices`: gaps, and files that are not in the order of their numbers.
std::vector<std::string> find_frames(const std::vector<std::string>& arguments, std::vector<std::string>& notices);

/// Throws Error where a file would overwrite one of `inputs`, or the folder cannot be written. Makes the folder.
void check_folder(const std::string& folder, const std::vector<std::string>& names, const std::vector<std::string>& inputs);

/// Throws Error where a file cannot be written: a folder of its name, or none to lie in. Before the work, not after it. What is
/// written in place, while the work goes on, needs no room for another file beside it.
void check_file(const std::string& path, bool in_place = false);

/// The same of what a FrameWriter is to write.
void check_export(const std::string& path);

/// Throws Error where one of the files that would be written is one of those that are read, by whatever name.
void check_apart(const std::vector<std::string>& written, const std::vector<std::string>& read);

}  // namespace weft
