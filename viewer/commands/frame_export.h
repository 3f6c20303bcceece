// The state that the window shows, as a file.
#pragma once
#include <string>

#include "sim/files/run.h"
#include "sim/run/runner.h"

namespace weft {

/// Writes the frame to the next free "weft-001.ENDING" in the current folder: ".glb", ".gltf" or ".obj".
/// Returns its path. Throws
/// Error.
std::string export_frame(const SceneView& view, const Frame& frame, const std::string& ending);

/// The meshes of a scene with the positions of a frame, in the order of every export: cloths, then bodies
/// where they are now.
RunInfo run_info_of(const SceneView& view);
/// Gives the groups of a scene's run its colours and prints (RunGroup::look). A print that cannot be read is
/// left out.
void add_looks(RunInfo& info, const Scene& scene);
RunFrame run_frame_of(const SceneView& view, const Frame& frame);

}  // namespace weft
