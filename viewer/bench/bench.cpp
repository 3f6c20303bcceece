#include "viewer/bench/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "sim/base/file.h"
#include "sim/base/log.h"
#include "sim/dressing/dress.h"
#include "sim/run/simulation.h"
#include "sim/scene/text/scene_file.h"
#include "viewer/bench/bench_timing.h"
#include "viewer/commands/geometry_files.h"
#include "viewer/commands/headless.h"
#include "viewer/commands/output_check.h"
#include "viewer/commands/progress.h"
#include "viewer/commands/versions.h"

namespace weft {
namespace {

/// A measured scene and its display name.
struct Case {
  std::string name;
  Scene scene;
};

struct Row {
  std::string scene;
  std::string stretch_model;
  int vertices = 0, triangles = 0;
  double steps_per_second = 0, slowest = 0, fastest = 0;  // median, worst and best run
  double build_s = 0, megabytes = 0;
  int launches = 0;
  StepStats stats;
  std::vector<StageTime> stages;
};

Scene hanging_cloth(const BenchRequest& request, int vertices, const std::string& stretch_model) {
  Scene scene = read_scene(large_scene_path());
  for (Cloth& cloth : scene.cloths) {
    cloth.vertices = vertices;
    cloth.edge = 0;
  }
  scene.set("step.dt", "0.01");
  scene.set("step.elastic_model", stretch_model);
  for (const auto& [key, value] : request.overrides) scene.set(key, value);
  return scene;
}

std::vector<Case> cases(const BenchRequest& request) {
  std::vector<Case> all;
  if (request.vertices.empty()) all.push_back({"default", default_bench_scene(request)});
  for (const int vertices :
       request.vertices.empty() ? std::vector<int>{10000, 40000, 100000} : request.vertices)
    for (const char* model : {"springs", "finite_elements"})
      all.push_back({"hanging", hanging_cloth(request, vertices, model)});
  return all;
}

Row measure(const BenchRequest& request, Device& device, Case& what, Progress& progress, long& done) {
  Row row;
  row.scene = what.name;
  const ParamTable params = what.scene.params();
  row.stretch_model =
      params.find("step.elastic_model")->info().choices.at(size_t(what.scene.step.elastic_model));
  const auto build_start = BenchClock::now();
  const auto opened = open_simulation(what.scene, device);
  Simulation& simulation = *opened;
  row.build_s = seconds_since(build_start);
  row.vertices = simulation.model().vertex_count();
  row.triangles = simulation.model().triangle_count();
  const auto step = [&] {
    bench_step(simulation);
    progress.update(++done, fmt::format("{}, {}, {} vertices", row.scene, row.stretch_model, row.vertices));
  };
  for (int k = 0; k < request.warm_up; ++k) step();
  std::vector<double> rates;
  for (int run = 0; run < request.runs; ++run) {
    const auto start = BenchClock::now();
    for (int k = 0; k < request.steps; ++k) step();
    device.synchronize();
    rates.push_back(request.steps / seconds_since(start));
  }
  row.steps_per_second = median(rates);
  row.slowest = *std::min_element(rates.begin(), rates.end());
  row.fastest = *std::max_element(rates.begin(), rates.end());
  row.stages = device.profiler().stages();
  row.launches = device.profiler().launches();
  row.stats = simulation.stats();
  row.megabytes = double(device.bytes_in_use()) * 1e-6;
  return row;
}

nlohmann::ordered_json to_json(const Row& row) {
  nlohmann::ordered_json j;
  j["scene"] = row.scene;
  j["stretch_model"] = row.stretch_model;
  j["vertices"] = row.vertices;
  j["triangles"] = row.triangles;
  j["steps_per_second"] = {
      {"median", row.steps_per_second}, {"slowest_run", row.slowest}, {"fastest_run", row.fastest}};
  j["ms_per_step"] = 1000 / row.steps_per_second;
  j["launches_per_step"] = row.launches;
  j["build_s"] = row.build_s;
  j["device_megabytes"] = row.megabytes;
  j["max_stretch"] = row.stats.max_stretch;
  for (const StageTime& s : row.stages)
    j["stages"].push_back(
        {{"path", s.path}, {"mean_ms", s.mean}, {"worst_ms", s.worst}, {"calls", s.launches}});
  return j;
}

std::string markdown(const std::vector<Row>& rows, const nlohmann::ordered_json& facts,
                     const std::string& device, const BenchRequest& request) {
  std::string text = fmt::format(
      "Default scene as it is, and a hanging cloth at dt 1/100 s, default iterations, on {} ({}; {}; Weft "
      "{}). Medians of {} runs of {} steps after {} to warm up.\n\n",
      device, facts["processor"].get<std::string>(), facts["compiler"].get<std::string>(),
      facts["weft"].get<std::string>(), request.runs, request.steps, request.warm_up);
  text +=
      "| scene | vertices | triangles | stretch model | steps/s | slowest to fastest run | ms per step | "
      "launches per step | worst stretch |\n";
  text += "|---|---|---|---|---|---|---|---|---|\n";
  for (const Row& r : rows)
    text += fmt::format("| {} | {} | {} | {} | {:.1f} | {:.1f} to {:.1f} | {:.2f} | {} | {:.3f} |\n", r.scene,
                        r.vertices, r.triangles, r.stretch_model, r.steps_per_second, r.slowest, r.fastest,
                        1000 / r.steps_per_second, r.launches, r.stats.max_stretch);
  for (const Row& r : rows) {
    text += fmt::format(
        "\nStages of the {} scene at {} vertices, {} (mean of the last steps):\n\n| stage | ms | share | "
        "calls |\n|---|---|---|---|\n",
        r.scene, r.vertices, r.stretch_model);
    const double whole = r.stages.empty() ? 1 : std::max(1e-9, r.stages[0].mean);
    for (const StageTime& s : r.stages) {
      if (s.mean < 0.005 * whole) continue;  // below half a percent: only in the JSON
      std::string indent;
      for (int k = 0; k < s.depth; ++k) indent += "&nbsp;&nbsp;";
      text += fmt::format("| {}{} | {:.3f} | {:.1f} % | {} |\n", indent, s.name, s.mean, 100 * s.mean / whole,
                          s.launches);
    }
  }
  return text;
}

}  // namespace

Scene default_bench_scene(const BenchRequest& request) {
  Scene scene = read_scene(default_scene_path());
  for (Cloth& cloth : scene.cloths)
    if (!request.vertices.empty()) cloth.vertices = request.vertices.front(), cloth.edge = 0;
  for (const auto& [key, value] : request.overrides) scene.set(key, value);
  return scene;
}

void write_bench_files(const BenchRequest& request, const nlohmann::ordered_json& results,
                       const std::string& table) {
  if (!request.json_file.empty())
    write_text_file(request.json_file,
                    results.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  if (!request.markdown_file.empty()) write_text_file(request.markdown_file, table);
}

int run_bench(const BenchRequest& request) {
  for (const std::string& file : {request.json_file, request.markdown_file})
    if (!file.empty()) check_file(file);
  if (!request.json_file.empty() && !request.markdown_file.empty())
    check_distinct({{"--json", request.json_file}, {"--markdown", request.markdown_file}});
  InterruptGuard interrupt;
  std::string note;
  const auto device = Device::create(request.device, request.threads, &note);
  if (!note.empty()) log_notice("{}", note);
  std::vector<Case> wanted = cases(request);
  const long each = request.warm_up + long(request.runs) * request.steps;
  std::vector<Row> rows;
  {
    Progress progress("measuring", "steps", each * long(wanted.size()), request.quiet);
    long done = 0;
    for (Case& one : wanted) rows.push_back(measure(request, *device, one, progress, done));
  }
  nlohmann::ordered_json all;
  all["program"] = version_facts();
  all["device"] = device->name();
  all["runs"] = request.runs;
  all["steps_per_run"] = request.steps;
  for (const Row& row : rows) all["rows"].push_back(to_json(row));
  const std::string table = markdown(rows, all["program"], device->name(), request);
  std::fputs(table.c_str(), stdout);
  write_bench_files(request, all, table);
  return ExitStatus::ok;
}

}  // namespace weft
