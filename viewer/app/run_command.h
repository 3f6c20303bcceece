// Runs of a scene: in the window, without one, as a video, from a recording.
#pragma once
#include "sim/scene/command.h"
#include "viewer/app/run_options.h"

namespace weft {

/// `weft SCENE`. Returns the exit status; throws Error.
int run_scene(const RunOptions& options);
/// `weft replay HANDS`.
int replay(const RunOptions& options);
/// The scene of recorded user input, from the file `hands`: it lies beside it, or where it was when it was
/// recorded.
std::string scene_of(const HandRecording& recording, const std::string& hands);

}  // namespace weft
