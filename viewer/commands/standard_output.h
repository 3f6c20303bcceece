// Results on standard output: `--stats -`, `--csv -`.
#pragma once
#include "viewer/commands/run_files.h"

namespace weft {

/// While it lives a file of results that is named "-" is standard output, and what a run prints there goes to
/// standard error.
class StandardOutput {
 public:
  /// Puts a path that can be opened in place of "-". Throws Error where two results are to go there.
  explicit StandardOutput(RunFiles& files);
  ~StandardOutput();
  StandardOutput(const StandardOutput&) = delete;

  /// True of that path.
  static bool is(const std::string& path);
  /// As a message names a file: "standard output" for that path.
  static std::string name(const std::string& path);

 private:
  int kept_ = -1;  // file descriptor
};

}  // namespace weft
