#include "viewer/commands/standard_output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "sim/base/error.h"

namespace weft {
namespace {

std::string given;  // the path that stands for standard output; one run at a time

}  // namespace

StandardOutput::StandardOutput(RunFiles& files) {
  const bool stats = files.stats_file == "-", table = files.csv_file == "-";
  if (stats && table)
    throw Error("--stats and --csv would both write to standard output", "-", "give one of them a file");
  if (!stats && !table) return;
  std::fflush(stdout);
  kept_ = ::dup(STDOUT_FILENO);
  if (kept_ < 0) throw Error("standard output is closed", "-", "give a file");
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  given = fmt::format("/dev/fd/{}", kept_);
  (stats ? files.stats_file : files.csv_file) = given;
}

StandardOutput::~StandardOutput() {
  if (kept_ < 0) return;
  std::fflush(stdout);
  ::dup2(kept_, STDOUT_FILENO);
  ::close(kept_);
  given.clear();
}

bool StandardOutput::is(const std::string& path) { return !given.empty() && path == given; }

std::string StandardOutput::name(const std::string& path) { return is(path) ? "standard output" : path; }

}  // namespace weft
