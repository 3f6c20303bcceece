// What can be said of a run's files before the first of them is opened.
#pragma once
#include "sim/files/run.h"
#include "viewer/app/headless.h"

namespace weft {

/// Throws Error for a file that cannot be written: else that would be found out after the run, or after an older file is gone.
void check_outputs(const HeadlessRequest& request);

/// Throws Error where a file would be written over one that the run reads: the scene, its meshes, or what the request names.
void check_outputs_apart(const HeadlessRequest& request, const RunInfo& info);

}  // namespace weft
