// Runs of a scene: in the window, without one, as a video, from a recording.
#pragma once
#include "viewer/app/run_options.h"

namespace weft {

/// `weft SCENE`. Returns the exit status; throws Error.
int run_scene(const RunOptions& options);
/// `weft replay HANDS`.
int replay(const RunOptions& options);

}  // namespace weft
