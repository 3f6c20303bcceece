#include "viewer/bench/paper_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iterator>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/base/log.h"
#include "sim/dressing/dress.h"
#include "sim/run/simulation.h"
#include "sim/scene/text/scene_file.h"
#include "viewer/bench/bench_lan2024.h"
#include "viewer/bench/bench_tang2018.h"
#include "viewer/bench/bench_wang2023.h"
#include "viewer/bench/bench_wu2020.h"
#include "viewer/commands/geometry_files.h"
#include "viewer/commands/headless.h"
#include "viewer/commands/output_check.h"
#include "viewer/commands/progress.h"
#include "viewer/commands/versions.h"

namespace weft {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

const std::map<std::string, const PaperBench& (*)()>& benches() {
  static const std::map<std::string, const PaperBench& (*)()> all = {{"lan2024", lan2024_bench},
                                                                     {"tang2018", tang2018_bench},
                                                                     {"wang2023", wang2023_bench},
                                                                     {"wu2020", wu2020_bench}};
  return all;
}

/// Launches of the steps in which they are known, see Profiler::launches_counted.
class LaunchCounts {
 public:
  void add(const Profiler& profiler) {
    if (!profiler.launches_counted()) return;
    ++steps_, sum_ += profiler.launches(), most_ = std::max(most_, profiler.launches());
  }
  void put(PaperRow& row) const {
    row.launches = double(sum_) / std::max(1, steps_), row.most_launches = most_;
  }

 private:
  long sum_ = 0;
  int most_ = 0, steps_ = 0;
};

/// Time of stages, summed over steps. A device with its own clock measures one step in 30: each step then
/// counts with the last measurement, and steps before the first do not count.
class StageSums {
 public:
  explicit StageSums(const PaperBench& bench) : bench_(bench), sums_(bench.groups.size(), 0) {}

  void add(const std::vector<StageTime>& stages) {
    if (stages.empty() || !(stages[0].now > 0)) return;
    ++steps_;
    // Time of every stage without the stages inside it.
    std::map<std::string, double> own;
    double collision = 0;
    for (const StageTime& s : stages) {
      own[s.path] += s.now;
      const size_t slash = s.path.rfind('/');
      const std::string parent = slash == std::string::npos ? stages[0].path : s.path.substr(0, slash);
      if (s.depth > 0 && parent != s.path) own[parent] -= s.now;
      if (s.name == bench_.collision_stage) collision += s.now;
    }
    for (const auto& [path, ms] : own) sums_[size_t(bench_.group_of(path))] += std::max(0.0, ms);
    collision_ += collision, longest_collision_ = std::max(longest_collision_, collision);
  }

  void put(PaperRow& row) const {
    const double per_step = 1.0 / std::max(1, steps_);
    row.ms = sums_;
    for (double& ms : row.ms) ms *= per_step;
    row.collision_ms = collision_ * per_step, row.longest_collision_ms = longest_collision_;
  }

 private:
  const PaperBench& bench_;
  std::vector<double> sums_;
  double collision_ = 0, longest_collision_ = 0;
  int steps_ = 0;
};

std::string scene_file(const std::string& name) {
  for (const std::string& shipped : builtin_scenes())
    if (builtin_name(shipped) == name) return shipped;
  throw Error("there is no such scene", name);
}

Scene scene_of(const PaperBenchRequest& request, const PaperRow& row) {
  Scene scene = read_scene(scene_file(row.name));
  if (row.scene.dt > 0) scene.step.dt = row.scene.dt;
  for (const auto& [key, value] : row.scene.parameters) scene.set(key, value);
  for (const auto& [key, value] : request.overrides) scene.set(key, value);
  return scene;
}

int steps_in(double seconds, const Scene& scene) {
  return std::max(1, int(seconds / double(scene.step.dt) + 0.5));
}

/// As many as the scene is long, or fewer where that was asked for.
int wanted_steps(const PaperBenchRequest& request, const Scene& scene) {
  int steps = steps_in(scene.duration, scene);
  if (request.seconds > 0) steps = std::min(steps, steps_in(request.seconds, scene));
  return request.steps > 0 ? std::min(request.steps, steps) : steps;
}

void add_counts(const StepStats& stats, PaperRow& row) {
  for (const auto& [name, count] : stats.counters) {
    auto found = std::find_if(row.counts.begin(), row.counts.end(),
                              [&](const PaperCount& c) { return c.name == name; });
    if (found == row.counts.end()) found = row.counts.insert(row.counts.end(), {name, 0, 0});
    found->sum += count, found->most = std::max(found->most, int(count));
  }
}

void run_scene(const PaperBenchRequest& request, const PaperBench& bench, Device& device, PaperRow& row) {
  Scene scene = scene_of(request, row);
  row.dt = scene.step.dt;
  row.whole_steps = steps_in(scene.duration, scene);
  const int wanted = wanted_steps(request, scene), window = std::clamp(int(0.1f / row.dt + 0.5f), 1, wanted);
  const auto opened = open_simulation(std::move(scene), device);
  Simulation& simulation = *opened;
  row.vertices = simulation.model().vertex_count(), row.triangles = simulation.model().triangle_count();
  Progress progress(row.name, "steps", wanted, request.quiet);
  StageSums stages(bench);
  LaunchCounts launches;
  double whole_ms = 0, window_ms = 0, forward = 0;
  const auto finish = [&] {
    stages.put(row), launches.put(row);
    if (row.steps == 0) return;
    row.mean = 1000 * row.steps / whole_ms;
    // A run too short for a window has one rate.
    if (row.highest == 0) row.lowest = row.highest = row.mean;
    row.forward_steps = forward / row.steps;
    row.megabytes = double(device.bytes_in_use()) * 1e-6;
  };
  const auto begin = Clock::now();
  row.lowest = 1e300;
  while (row.steps < wanted && row.missing.empty()) {
    try {
      simulation.step(InterruptGuard::interrupted);
    } catch (const Interrupted&) {
      row.missing = "stopped early";
      break;
    } catch (const Error& e) {
      row.missing = e.what(), row.failed = true;
      break;
    }
    ++row.steps;
    const StepStats stats = simulation.stats();
    row.deepest = std::max(row.deepest, stats.max_penetration),
    row.stretch = std::max(row.stretch, stats.max_stretch);
    row.worst_step_ms = std::max(row.worst_step_ms, double(stats.step_ms));
    forward += stats.collision_steps,
        row.most_forward_steps = std::max(row.most_forward_steps, stats.collision_steps);
    whole_ms += double(stats.step_ms), window_ms += double(stats.step_ms);
    if (row.steps % window == 0) {
      const double rate = 1000 * window / window_ms;
      row.lowest = std::min(row.lowest, rate), row.highest = std::max(row.highest, rate), window_ms = 0;
    }
    stages.add(device.profiler().stages()), launches.add(device.profiler());
    add_counts(stats, row);
    progress.update(row.steps);
    if (request.wall_seconds > 0 && row.steps < wanted &&
        std::chrono::duration<double>(Clock::now() - begin).count() > request.wall_seconds)
      row.missing = fmt::format("stopped after {:g} s", request.wall_seconds);
  }
  if (row.steps == row.whole_steps) row.unmet = simulation.failed_end_conditions();
  finish();
}

PaperRow measure(const PaperBenchRequest& request, const PaperBench& bench, const PaperScene& scene,
                 Device& device) {
  PaperRow row;
  row.scene = scene;
  row.name = request.paper + "/" + scene.name + (request.small || scene.small_only ? "_small" : "");
  try {
    run_scene(request, bench, device, row);
  } catch (const Error& e) {  // a scene that cannot be had does not stop the others
    row.missing = e.what(), row.failed = true;
  }
  return row;
}

Json to_json(const PaperBench& bench, const PaperRow& row) {
  Json j;
  j["scene"] = row.name;
  if (!row.scene.with.empty()) j["with"] = row.scene.with;
  if (!row.missing.empty()) j["missing"] = row.missing;
  if (!row.unmet.empty()) j["unmet_end_conditions"] = row.unmet;
  if (!row.ran()) return j;
  j["vertices"] = row.vertices, j["triangles"] = row.triangles, j["dt"] = row.dt, j["steps"] = row.steps,
  j["whole_steps"] = row.whole_steps;
  j["steps_per_second"] = {{"lowest", row.lowest}, {"mean", row.mean}, {"highest", row.highest}};
  j["worst_step_ms"] = row.worst_step_ms;
  j["launches"] = {{"mean", row.launches}, {"most", row.most_launches}};
  j["collision_steps"] = {{"mean", row.forward_steps}, {"most", row.most_forward_steps}};
  if (!bench.collision_stage.empty())
    j["collision_ms"] = {{"mean", row.collision_ms}, {"longest", row.longest_collision_ms}};
  for (const PaperCount& c : row.counts)
    j["counts"][c.name] = {{"mean", c.sum / row.steps}, {"most", c.most}};
  const PaperFigures& paper = row.scene.paper;
  if (paper.vertices > 0) {
    std::string card = bench.card;
    for (char& c : card) c = c == ' ' ? '_' : char(std::tolower(c));
    Json& p = j["paper_" + card];
    p["vertices"] = paper.vertices;
    if (paper.highest > 0) p["steps_per_second"] = {{"lowest", paper.lowest}, {"highest", paper.highest}};
    if (paper.forward_steps > 0)
      p["collision_steps"] = {{"mean", paper.forward_steps}, {"most", paper.most_forward_steps}};
    if (paper.collision > 0)
      p["collision_ms"] = {{"mean", 1e3 * paper.collision}, {"longest", 1e3 * paper.longest_collision}};
  }
  for (size_t g = 0; g < bench.groups.size(); ++g) j["ms_per_step"][bench.groups[g]] = row.ms[g];
  j["device_megabytes"] = row.megabytes, j["max_penetration"] = row.deepest, j["max_stretch"] = row.stretch;
  return j;
}

std::string name_of(const PaperRow& r) { return r.name + (r.scene.with.empty() ? "" : ", " + r.scene.with); }

std::string markdown(const PaperBench& bench, const std::vector<PaperRow>& rows, const Json& facts,
                     const std::string& device) {
  std::string text = fmt::format(
      "{} on {} ({}; {}; Weft {}). Steps per second in windows of 0.1 s simulated, and over the whole "
      "run.\n\n",
      bench.title, device, facts["processor"].get<std::string>(), facts["compiler"].get<std::string>(),
      facts["weft"].get<std::string>());
  text += "| scene | vertices | dt, s | steps | lowest | mean | highest |";
  for (const auto& column : bench.columns) text += " " + column.heading + " |";
  for (const std::string& group : bench.groups) text += " " + group + " |";
  text += " launches (most) | longest edge | memory |\n|";
  for (size_t k = 0; k < 10 + bench.columns.size() + bench.groups.size(); ++k) text += "---|";
  text += "\n";
  for (const PaperRow& r : rows) {
    if (!r.ran()) {
      text += fmt::format("| {} | {} |\n", name_of(r), r.missing);
      continue;
    }
    const std::string steps = r.steps < r.whole_steps ? fmt::format("{} of {}", r.steps, r.whole_steps)
                                                      : fmt::format("{}", r.steps);
    text += fmt::format("| {} | {} | 1/{:.4g} | {} | {:.3g} | {:.3g} | {:.3g} |", name_of(r), r.vertices,
                        1 / double(r.dt), steps, r.lowest, r.mean, r.highest);
    for (const auto& column : bench.columns) text += " " + column.cell(r) + " |";
    for (size_t g = 0; g < bench.groups.size(); ++g) text += fmt::format(" {:.0f} % |", r.percent(g));
    text += fmt::format(" {:.0f} ({}) | {:.2f} | {:.0f} MB |\n", r.launches, r.most_launches, r.stretch,
                        r.megabytes);
  }
  for (const PaperRow& r : rows)
    if (r.ran() && !r.missing.empty())
      text += fmt::format("\n{}, dt 1/{:.4g} s: {}.", name_of(r), 1 / double(r.dt), r.missing);
  for (const PaperRow& r : rows)
    for (const std::string& words : r.unmet)
      text +=
          fmt::format("\n{}, dt 1/{:.4g} s: end condition not met: {}.", name_of(r), 1 / double(r.dt), words);
  return text + (text.back() == '\n' ? "" : "\n");
}

void write_text(const std::string& path, const std::string& text) {
  if (!path.empty()) write_text_file(path, text);
}

std::vector<PaperScene> wanted_scenes(const PaperBenchRequest& request, const PaperBench& bench) {
  if (request.scenes.empty()) return bench.scenes;
  std::vector<PaperScene> wanted;
  for (const std::string& name : request.scenes) {
    const size_t before = wanted.size();
    std::copy_if(bench.scenes.begin(), bench.scenes.end(), std::back_inserter(wanted),
                 [&](const PaperScene& s) { return s.name == name; });
    if (wanted.size() > before) continue;
    std::string names;
    for (const PaperScene& s : bench.scenes)
      if (names.find(s.name) == std::string::npos) names += (names.empty() ? "" : ", ") + s.name;
    throw Error(fmt::format("'{}' is not a scene of this benchmark", name), "--scene",
                "choose among " + names);
  }
  return wanted;
}

}  // namespace

double PaperRow::percent(size_t group) const {
  double sum = 1e-9;
  for (const double each : ms) sum += each;
  return 100 * ms[group] / sum;
}

StageGroups with_common_stages(StageGroups own, int dynamics, int bodies) {
  for (const char* name : {"fine", "middle", "coarse", "linearise", "load", "residual", "pieces", "restrict",
                           "inject", "predict", "coupling", "finish", "assemble", "conjugate gradients"})
    own.emplace(name, dynamics);
  for (const char* name :
       {"bodies", "find contacts", "body planes", "contact forces", "contact", "friction memory"})
    own.emplace(name, bodies);
  return own;
}

int innermost_group(const std::string& path, const StageGroups& known, int other) {
  for (std::string rest = path;;) {
    const size_t slash = rest.rfind('/');
    const auto found = known.find(slash == std::string::npos ? rest : rest.substr(slash + 1));
    if (found != known.end()) return found->second;
    if (slash == std::string::npos) return other;
    rest.resize(slash);
  }
}

const PaperBench& paper_bench(const std::string& name) {
  const auto found = benches().find(name);
  if (found == benches().end()) throw Error("there is no such benchmark", name);
  return found->second();
}

std::vector<std::string> paper_bench_names() {
  std::vector<std::string> names;
  for (const auto& [name, bench] : benches()) names.push_back(name);
  return names;
}

std::vector<PaperScene> compared(const std::vector<PaperScene>& scenes,
                                 const std::vector<std::pair<std::string, std::string>>& own,
                                 const std::vector<PaperScene>& with) {
  std::vector<PaperScene> all;
  for (const PaperScene& scene : scenes) {
    all.push_back(scene);
    all.back().parameters = own;
    for (PaperScene other : with) {
      other.name = scene.name, other.dt = scene.dt, other.small_only = scene.small_only;
      all.push_back(std::move(other));
    }
  }
  return all;
}

std::string count_cell(const PaperRow& row, const std::string& name) {
  for (const PaperCount& c : row.counts)
    if (c.name == name) return fmt::format("{:.1f} ({})", c.sum / std::max(1, row.steps), c.most);
  return "";
}

int run_paper_bench(const PaperBenchRequest& request) {
  const PaperBench& bench = paper_bench(request.paper);
  const std::vector<PaperScene> scenes = wanted_scenes(request, bench);
  for (const std::string& file : {request.json_file, request.markdown_file})
    if (!file.empty()) check_file(file);
  if (!request.json_file.empty() && !request.markdown_file.empty())
    check_distinct({{"--json", request.json_file}, {"--markdown", request.markdown_file}});
  InterruptGuard interrupt;
  std::string note, device_name;
  Json all;
  all["program"] = version_facts();
  std::vector<PaperRow> rows;
  for (const PaperScene& scene : scenes) {
    if (InterruptGuard::interrupted()) break;
    // a new device, so that memory and stage times are those of this scene
    const auto device = Device::create(request.device, request.threads, &note);
    if (!note.empty() && rows.empty()) log_notice("{}", note);
    device_name = device->name();
    rows.push_back(measure(request, bench, scene, *device));
    all["scenes"].push_back(to_json(bench, rows.back()));
  }
  all["device"] = device_name;
  const std::string table = markdown(bench, rows, all["program"], device_name);
  std::fputs(table.c_str(), stdout);
  write_text(request.json_file,
             all.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  write_text(request.markdown_file, table);
  const bool failed = std::any_of(rows.begin(), rows.end(), [](const PaperRow& r) { return r.failed; });
  return InterruptGuard::interrupted() ? InterruptGuard::exit_status()
         : failed                      ? ExitStatus::error
                                       : ExitStatus::ok;
}

}  // namespace weft
