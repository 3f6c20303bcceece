#include "viewer/app/bench_wu2020.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <map>

#include "sim/base/error.h"
#include "sim/base/log.h"
#include "sim/scene/scene_file.h"
#include "sim/simulation.h"
#include "viewer/app/headless.h"
#include "viewer/app/progress.h"
#include "viewer/app/versions.h"

namespace weft {
namespace {

enum Group : int { kDynamics, kSearch, kConstraints, kTests, kBodies, kOther, kGroups };

/// Table 1 of the paper, GeForce RTX 2080 Ti: lowest and highest steps per second; 0: not in the paper.
struct PaperScene {
  const char* name;
  int vertices;
  double lowest, highest;
};
constexpr PaperScene kScenes[] = {{"funnel", 58000, 29, 72}, {"table", 58000, 31, 71}, {"tie", 49000, 19, 24},
                                  {"sphere_drape", 0, 0, 0},  {"stack", 0, 0, 0},       {"curtain", 0, 0, 0}};

struct Row {
  PaperScene paper{};
  std::string name, missing;  // missing: why there is no result
  int vertices = 0, triangles = 0, steps = 0;
  double lowest = 0, mean = 0, highest = 0, megabytes = 0, worst_step_ms = 0;
  float deepest = 0, stretch = 1;
  std::array<double, kGroups> ms{};  // per step
};

/// Adds the time of every stage, less that of the stages inside of it, to its group.
void add_stages(const std::vector<StageTime>& stages, std::array<double, kGroups>& sums) {
  std::map<std::string, double> own;
  for (const StageTime& s : stages) {
    own[s.path] += s.mean;
    const size_t slash = s.path.rfind('/');
    const std::string parent = slash == std::string::npos ? stages[0].path : s.path.substr(0, slash);
    if (s.depth > 0 && parent != s.path) own[parent] -= s.mean;
  }
  for (const auto& [path, ms] : own) sums[size_t(stage_group(path))] += std::max(0.0, ms);
}

Row measure(const PaperBenchRequest& request, const PaperScene& paper, Device& device) {
  Row row;
  row.paper = paper;
  row.name = std::string("wu2020/") + paper.name + (request.small ? "_small" : "");
  std::string path;
  for (const std::string& shipped : builtin_scenes())
    if (builtin_name(shipped) == row.name) path = shipped;
  if (path.empty()) {
    row.missing = "there is no such scene";
    return row;
  }
  Scene scene = read_scene(path);
  for (const auto& [key, value] : request.overrides) scene.set(key, value);
  row.steps = request.steps > 0 ? request.steps : std::max(1, int(scene.duration / scene.step.dt + 0.5f));
  const int window = std::clamp(int(0.1f / scene.step.dt + 0.5f), 1, row.steps);
  Simulation simulation(std::move(scene), device);
  row.vertices = simulation.model().vertex_count(), row.triangles = simulation.model().triangle_count();
  Progress progress(row.name, "steps", row.steps, request.quiet);
  double whole_ms = 0, window_ms = 0;
  int measured = 0;
  row.lowest = 1e300;
  for (int k = 1; k <= row.steps; ++k) {
    if (InterruptGuard::interrupted()) throw Error("stopped early", "bench");
    simulation.step();
    const StepStats stats = simulation.stats();
    row.deepest = std::max(row.deepest, stats.max_penetration), row.stretch = std::max(row.stretch, stats.max_stretch);
    row.worst_step_ms = std::max(row.worst_step_ms, double(stats.step_ms));
    whole_ms += double(stats.step_ms), window_ms += double(stats.step_ms);
    if (k % window == 0) {
      const double rate = 1000 * window / window_ms;
      row.lowest = std::min(row.lowest, rate), row.highest = std::max(row.highest, rate), window_ms = 0;
    }
    if (k % 100 == 0 || k == row.steps) add_stages(device.profiler().stages(), row.ms), ++measured;  // means of the last 100 steps
    progress.update(k, "");
  }
  for (double& ms : row.ms) ms /= std::max(1, measured);
  row.mean = 1000 * row.steps / whole_ms;
  row.megabytes = double(device.bytes_in_use()) * 1e-6;
  return row;
}

double total(const Row& row) {
  double sum = 1e-9;
  for (const double ms : row.ms) sum += ms;
  return sum;
}

nlohmann::ordered_json to_json(const Row& row) {
  nlohmann::ordered_json j;
  j["scene"] = row.name;
  if (!row.missing.empty()) {
    j["missing"] = row.missing;
    return j;
  }
  j["vertices"] = row.vertices, j["triangles"] = row.triangles, j["steps"] = row.steps;
  j["steps_per_second"] = {{"lowest", row.lowest}, {"mean", row.mean}, {"highest", row.highest}};
  if (row.paper.highest > 0) j["paper_rtx_2080_ti"] = {{"vertices", row.paper.vertices}, {"lowest", row.paper.lowest}, {"highest", row.paper.highest}};
  j["worst_step_ms"] = row.worst_step_ms;
  for (int g = 0; g < kGroups; ++g) j["ms_per_step"][stage_groups()[size_t(g)]] = row.ms[size_t(g)];
  j["device_megabytes"] = row.megabytes, j["max_penetration"] = row.deepest, j["max_stretch"] = row.stretch;
  return j;
}

std::string markdown(const std::vector<Row>& rows, const nlohmann::ordered_json& facts, const std::string& device) {
  std::string text = fmt::format("Scenes of Wu 2020 on {} ({}; {}; Weft {}). Steps per second in windows of 0.1 s simulated, and over the whole run.\n\n", device,
                                 facts["processor"].get<std::string>(), facts["compiler"].get<std::string>(), facts["weft"].get<std::string>());
  text += "| scene | vertices | steps | lowest | mean | highest | paper, 2080 Ti |";
  for (const std::string& group : stage_groups()) text += " " + group + " |";
  text += " memory |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const Row& r : rows) {
    if (!r.missing.empty()) {
      text += fmt::format("| {} | {} |\n", r.name, r.missing);
      continue;
    }
    const std::string paper = r.paper.highest > 0 ? fmt::format("{:g} to {:g} at {}K", r.paper.lowest, r.paper.highest, r.paper.vertices / 1000) : "not in it";
    text += fmt::format("| {} | {} | {} | {:.1f} | {:.1f} | {:.1f} | {} |", r.name, r.vertices, r.steps, r.lowest, r.mean, r.highest, paper);
    for (const double ms : r.ms) text += fmt::format(" {:.0f} % |", 100 * ms / total(r));
    text += fmt::format(" {:.0f} MB |\n", r.megabytes);
  }
  return text;
}

void write_text(const std::string& path, const std::string& text) {
  if (path.empty()) return;
  std::ofstream out(path);
  if (!(out << text) || !out.flush()) throw Error("cannot be written", path, "choose another file");
}

}  // namespace

const std::vector<std::string>& stage_groups() {
  static const std::vector<std::string> names = {"dynamics", "proximity search", "constraints", "tests", "body contact", "other"};
  return names;
}

int stage_group(const std::string& path) {
  static const std::map<std::string, Group> groups = {
      {"fine", kDynamics}, {"middle", kDynamics}, {"coarse", kDynamics}, {"linearise", kDynamics}, {"load", kDynamics}, {"residual", kDynamics},
      {"pieces", kDynamics}, {"restrict", kDynamics}, {"inject", kDynamics}, {"predict", kDynamics}, {"coupling", kDynamics}, {"finish", kDynamics},
      {"hash points", kSearch}, {"sort", kSearch}, {"fill buckets", kSearch}, {"neighbourhood cache", kSearch}, {"neighbours", kSearch},
      {"check cache", kSearch}, {"soft phase", kConstraints}, {"hard gradient", kConstraints}, {"line search", kConstraints},
      {"hard step", kConstraints}, {"staying vertices", kConstraints}, {"motion grid", kConstraints}, {"motion cells", kConstraints},
      {"motion nodes", kConstraints}, {"initial motion", kConstraints}, {"constraint tests", kTests}, {"failing vertices", kTests},
      {"rollback", kTests}, {"bodies", kBodies}, {"find contacts", kBodies}, {"body planes", kBodies}, {"contact forces", kBodies},
      {"contact", kBodies}, {"friction memory", kBodies}};
  // The innermost name that is known decides; what is inside of a solver's level is the solver's.
  for (std::string rest = path;;) {
    const size_t slash = rest.rfind('/');
    const auto found = groups.find(slash == std::string::npos ? rest : rest.substr(slash + 1));
    if (found != groups.end()) return found->second;
    if (slash == std::string::npos) return kOther;
    rest.resize(slash);
  }
}

int run_paper_bench(const PaperBenchRequest& request) {
  InterruptGuard interrupt;
  std::string note;
  nlohmann::ordered_json all;
  all["program"] = version_facts();
  std::vector<Row> rows;
  std::string device_name;
  for (const PaperScene& scene : kScenes) {
    const auto device = Device::create(request.device, request.threads, &note);  // anew, so that memory and stage times are this scene's
    if (!note.empty() && rows.empty()) log_notice("{}", note);
    device_name = device->name();
    rows.push_back(measure(request, scene, *device));
    all["scenes"].push_back(to_json(rows.back()));
  }
  all["device"] = device_name;
  const std::string table = markdown(rows, all["program"], device_name);
  std::fputs(table.c_str(), stdout);
  write_text(request.json_file, all.dump(1) + "\n");
  write_text(request.markdown_file, table);
  return ExitStatus::ok;
}

}  // namespace weft
