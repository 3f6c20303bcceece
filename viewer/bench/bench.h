// The benchmark: how fast the default scene runs, and where the time goes.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/device/device.h"
#include "sim/scene/scene.h"

namespace weft {

struct BenchRequest {
  DeviceChoice device = DeviceChoice::automatic;
  int threads = 0;
  std::vector<int> vertices;  // about how many; empty: the default scene, and 10,000, 40,000 and 100,000
  int runs = 5;               // timed separately; the median is reported
  int steps = 100;            // timed steps per run
  int warm_up = 50;           // steps before: the cloth swings, memory and caches are warm
  std::vector<std::pair<std::string, std::string>> overrides;
  std::string json_file, markdown_file;
  bool quiet = false;
};

/// The default scene as it is, unless sizes are asked for; then a hanging cloth, dt 1/100, default
/// iterations, with springs and with finite elements, at each size.
/// Prints a Markdown table and writes the files asked for. Returns the exit status; throws Error.
int run_bench(const BenchRequest& request);

/// The default scene, with the request's parameters and, if it names one, the first of its sizes.
Scene default_bench_scene(const BenchRequest& request);
/// Files that benchmarks write.
void write_bench_files(const BenchRequest& request, const nlohmann::ordered_json& results,
                       const std::string& table);

}  // namespace weft
