// Opens the frames of a run, whatever the format.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "sim/files/run.h"

namespace weft {

/// `path`: a .weftcache; a folder with mesh.obj and step_000123.npy files (--states); an OBJ sequence (a
/// folder, a pattern or one of its files); a .usda; or a .pc2 with its .obj of the same name beside it.
/// `fps`: frames per second of inputs without a rate (all but the cache and USD); 0: 100 for states, 24
/// otherwise. Throws Error.
std::unique_ptr<FrameSource> open_frame_source(const std::string& path, double fps = 0);

/// The files that hold them: reading is over once one of them is overwritten.
std::vector<std::string> files_to_read(const std::string& path);

}  // namespace weft
