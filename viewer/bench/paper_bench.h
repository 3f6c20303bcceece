// Benchmarks of papers: the scenes made after one, measured over their length, beside the figures that it
// gives.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "viewer/bench/bench.h"

namespace weft {

struct PaperBenchRequest {
  std::string paper;  // "wu2020": the folder of its scenes, and the name of the benchmark
  DeviceChoice device = DeviceChoice::automatic;
  int threads = 0;
  bool small = false;               // 2,000 to 4,000 vertices instead of the paper's sizes
  std::vector<std::string> scenes;  // only these; empty: all
  int steps = 0;                    // per scene, at most; 0: no limit
  double seconds = 0;               // simulated, per scene, at most; 0: the scene's whole length
  double wall_seconds = 0;          // for stepping one scene, at most; 0: no limit
  std::vector<std::pair<std::string, std::string>> overrides;
  std::string json_file, markdown_file;
  bool quiet = false;
};

/// Figures that a paper gives for one of its scenes; 0: not given. PaperBench::card names the GPU that it
/// used.
struct PaperFigures {
  int vertices = 0;
  double lowest = 0, highest = 0;                    // time steps per second
  double forward_steps = 0, most_forward_steps = 0;  // per time step
  double collision = 0, longest_collision = 0;       // s per time step spent on collisions
};

struct PaperScene {
  std::string name;  // file name without "_small.toml"
  float dt = 0;      // s, instead of the file's; 0: the file's
  PaperFigures paper = {};
  std::string with = {};  // methods other than the file's, in words; empty: the file's
  std::vector<std::pair<std::string, std::string>> parameters = {};  // that make them
  bool small_only = false;  // exists as "_small" alone, and runs as that at the paper's sizes too
};

/// What a collision method counts (CollisionNumbers::counters), per time step.
struct PaperCount {
  std::string name;
  double sum = 0;
  int most = 0;
};

/// Measurements of one scene.
struct PaperRow {
  PaperScene scene;
  std::string name;                // "wu2020/funnel_small"
  std::string missing;             // why there is no result, or why it ends early
  bool failed = false;             // `missing` is a fault
  std::vector<std::string> unmet;  // end conditions of the scene that do not hold at its end, in words
  int vertices = 0, triangles = 0, steps = 0;
  int whole_steps = 0;  // length of the scene in steps
  float dt = 0;         // s
  // steps per second: in windows of a tenth of a simulated second, and over the whole run
  double lowest = 0, mean = 0, highest = 0;
  double megabytes = 0, worst_step_ms = 0;
  double forward_steps = 0;  // mean per time step
  int most_forward_steps = 0;
  double collision_ms = 0, longest_collision_ms = 0;  // per time step, in stages that the benchmark names
  std::vector<PaperCount> counts;                     // sums over the steps
  double launches = 0;                                // mean per time step, of those that were counted
  int most_launches = 0;
  float deepest = 0, stretch = 1;
  std::vector<double> ms;  // per step, in each of the benchmark's groups of stages
  bool ran() const { return steps > 0; }
  /// Part of all time that a group takes, in percent.
  double percent(size_t group) const;
};

/// One benchmark: its scenes, the grouping of stages, and the columns of its table between "highest" and the
/// groups.
struct PaperBench {
  std::string title;
  std::vector<PaperScene> scenes;
  std::vector<std::string> groups;
  int (*group_of)(const std::string& path);  // into groups, by the names on a stage's path
  std::string collision_stage;               // name of the stage whose time is PaperRow::collision_ms
  std::string card = "RTX 2080 Ti";          // of the paper's figures
  struct Column {
    std::string heading;
    std::string (*cell)(const PaperRow&);
  };
  std::vector<Column> columns;
};

/// By name. Throws Error for one that does not exist.
const PaperBench& paper_bench(const std::string& name);
/// "lan2024", "tang2018", "wang2023", "wu2020".
std::vector<std::string> paper_bench_names();
/// Each scene with the paper's methods (`own`: parameters), then with those that it is compared with, one
/// after the other.
std::vector<PaperScene> compared(const std::vector<PaperScene>& scenes,
                                 const std::vector<std::pair<std::string, std::string>>& own,
                                 const std::vector<PaperScene>& with);
/// Mean and most of a count, "3.4 (12)"; "" if the method has no such count.
std::string count_cell(const PaperRow& row, const std::string& name);

/// Groups by name of a stage.
using StageGroups = std::map<std::string, int>;
/// `own`, and the stages that all methods share: those of solvers and those of contact with bodies.
StageGroups with_common_stages(StageGroups own, int dynamics, int bodies);
/// The group that `path` ("solve/coarse/relax") belongs to: that of the innermost of its names that `known`
/// has, else `other`.
int innermost_group(const std::string& path, const StageGroups& known, int other);

/// Measures every scene on a separate device: steps per second, time per stage, and memory. Prints a Markdown
/// table and writes the requested files; after Ctrl-C with the results so far. Returns the exit status;
/// throws Error.
int run_paper_bench(const PaperBenchRequest& request);

}  // namespace weft
