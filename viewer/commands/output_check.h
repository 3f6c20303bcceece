// What can be said of a run's files before the first of them is opened.
#pragma once
#include <string>
#include <vector>

#include "sim/files/run.h"
#include "viewer/commands/headless.h"

namespace weft {

/// A file that is written, or all files BEGIN_000123.ENDING of a folder, and the option that asks for it.
struct NamedOutput {
  std::string option, path;
  std::string begin = {}, ending = {};  // of the names in the folder `path`; empty: `path` is a file
};

/// Throws Error where two options lead to one file, however it is spelt and linked: the one would destroy what the other writes. Folders may be
/// shared, since their files have names of their own; devices and pipes, too.
void check_distinct(const std::vector<NamedOutput>& outputs);

/// Throws Error for a file that cannot be written, or is asked for twice: else that would be found out after the run, or after an older file is gone.
void check_outputs(const HeadlessRequest& request);

/// Throws Error where a file would be written over one that the run reads: the scene, its meshes, or what the request names; and where two options
/// lead to one file, which for some can be told only now.
void check_outputs_apart(const HeadlessRequest& request, const RunInfo& info);

}  // namespace weft
