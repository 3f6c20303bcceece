// The benchmark of Wu 2020: its scenes over their whole length, beside the paper's figures.
#pragma once
#include "viewer/app/bench.h"

namespace weft {

struct PaperBenchRequest {
  DeviceChoice device = DeviceChoice::automatic;
  int threads = 0;
  bool small = false;   // 2,000 to 4,000 vertices instead of the paper's sizes
  int steps = 0;        // per scene; 0: the scene's whole length
  std::vector<std::pair<std::string, std::string>> overrides;
  std::string json_file, markdown_file;
  bool quiet = false;
};

/// Steps per second (lowest, mean, highest over the run, in windows of a tenth of a second of simulated time), the share of each group
/// of stages (Wu 2020, figure 13) and memory of every scene in assets/scenes/wu2020. Prints a Markdown table and writes the files
/// asked for. Returns the exit status; throws Error.
int run_paper_bench(const PaperBenchRequest& request);

/// The group of figure 13 that a stage belongs to, by the names on its path ("solve/coarse/relax"): an index into stage_groups().
int stage_group(const std::string& path);
/// "dynamics", "proximity search", "constraints", "tests", "body contact", "other".
const std::vector<std::string>& stage_groups();

}  // namespace weft
