// Checks of a run's output files before the first is opened.
#pragma once
#include <string>
#include <vector>

#include "sim/files/run.h"
#include "viewer/commands/headless.h"

namespace weft {

/// An output file, or all files BEGIN_000123.ENDING of a folder, and the option that requests it.
struct NamedOutput {
  std::string option, path;
  std::string begin = {}, ending = {};  // of the names in the folder `path`; empty: `path` is a file
};

/// Throws Error if two options lead to one file, however it is spelt and linked, since one would destroy the
/// other's output. Folders may be shared, since their files have different names, and devices and pipes too.
void check_distinct(const std::vector<NamedOutput>& outputs);

/// Throws Error for a file that cannot be written or is requested twice, before the run and before an older
/// file is replaced.
void check_outputs(const HeadlessRequest& request);

/// Throws Error if an output would overwrite an input of the run: the scene, its meshes, or what the request
/// names; and if two options lead to one file, which for some is known only now.
void check_outputs_apart(const HeadlessRequest& request, const RunInfo& info);

}  // namespace weft
