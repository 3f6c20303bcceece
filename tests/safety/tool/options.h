// What weft-check is asked to do.
#pragma once
#include <string>
#include <vector>

namespace weft::check {

struct Options {
  std::vector<std::string> inputs, bodies;
  bool continuous = false, ignore_bodies = false, gaps = false, json = false, quiet = false;
  int jobs = 0;           // 0: one per core
  int pairs = 3;          // listed per state
  double max_depth = -1;  // metres; below 0: any depth is fine
};

/// Reads the command line. Returns true to go on; false where the program is done (--help, --version,
/// arguments that make no sense, all of it reported), with its exit status.
bool read_options(int argc, char** argv, Options& options, int& status);

}  // namespace weft::check
