#include "viewer/app/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/base/log.h"
#include "sim/scene/scene_file.h"
#include "sim/simulation.h"
#include "viewer/app/geometry_files.h"
#include "viewer/app/headless.h"
#include "viewer/app/output_check.h"
#include "viewer/app/progress.h"
#include "viewer/app/versions.h"

namespace weft {
namespace {

using Clock = std::chrono::steady_clock;

struct Row {
  std::string stretch_model;
  int vertices = 0, triangles = 0;
  double steps_per_second = 0, slowest = 0, fastest = 0;  // median, worst and best run
  double build_s = 0, megabytes = 0;
  int launches = 0;
  StepStats stats;
  std::vector<StageTime> stages;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  return n % 2 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
}

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

Scene bench_scene(const BenchRequest& request, int vertices, const std::string& stretch_model) {
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

Row measure(const BenchRequest& request, Device& device, int vertices, const std::string& stretch_model, Progress& progress, long& done) {
  Row row;
  row.stretch_model = stretch_model;
  const auto build_start = Clock::now();
  Simulation simulation(bench_scene(request, vertices, stretch_model), device);
  row.build_s = seconds_since(build_start);
  row.vertices = simulation.model().vertex_count();
  row.triangles = simulation.model().triangle_count();
  const auto step = [&] {
    try {
      simulation.step(InterruptGuard::interrupted);
    } catch (const Interrupted&) {
      throw Error("stopped early", "bench");
    }
    progress.update(++done, fmt::format("{}, {} vertices", stretch_model, row.vertices));
  };
  for (int k = 0; k < request.warm_up; ++k) step();
  std::vector<double> rates;
  for (int run = 0; run < request.runs; ++run) {
    const auto start = Clock::now();
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
  j["stretch_model"] = row.stretch_model;
  j["vertices"] = row.vertices;
  j["triangles"] = row.triangles;
  j["steps_per_second"] = {{"median", row.steps_per_second}, {"slowest_run", row.slowest}, {"fastest_run", row.fastest}};
  j["ms_per_step"] = 1000 / row.steps_per_second;
  j["launches_per_step"] = row.launches;
  j["build_s"] = row.build_s;
  j["device_megabytes"] = row.megabytes;
  j["max_stretch"] = row.stats.max_stretch;
  for (const StageTime& s : row.stages) j["stages"].push_back({{"path", s.path}, {"mean_ms", s.mean}, {"worst_ms", s.worst}, {"calls", s.launches}});
  return j;
}

std::string markdown(const std::vector<Row>& rows, const nlohmann::ordered_json& facts, const std::string& device, const BenchRequest& request) {
  std::string text = fmt::format(
      "Default scene, dt 1/100 s, default iterations, on {} ({}; {}; Weft {}). Medians of {} runs of {} steps after {} to warm up.\n\n",
      device, facts["processor"].get<std::string>(), facts["compiler"].get<std::string>(), facts["weft"].get<std::string>(), request.runs,
      request.steps, request.warm_up);
  text += "| vertices | triangles | stretch model | steps/s | slowest to fastest run | ms per step | launches per step | worst stretch |\n";
  text += "|---|---|---|---|---|---|---|---|\n";
  for (const Row& r : rows)
    text += fmt::format("| {} | {} | {} | {:.1f} | {:.1f} to {:.1f} | {:.2f} | {} | {:.3f} |\n", r.vertices, r.triangles, r.stretch_model,
                        r.steps_per_second, r.slowest, r.fastest, 1000 / r.steps_per_second, r.launches, r.stats.max_stretch);
  for (const Row& r : rows) {
    text += fmt::format("\nStages at {} vertices, {} (mean of the last steps):\n\n| stage | ms | share | calls |\n|---|---|---|---|\n", r.vertices,
                        r.stretch_model);
    const double whole = r.stages.empty() ? 1 : std::max(1e-9, r.stages[0].mean);
    for (const StageTime& s : r.stages) {
      if (s.mean < 0.005 * whole) continue;  // below half a percent: only in the JSON
      std::string indent;
      for (int k = 0; k < s.depth; ++k) indent += "&nbsp;&nbsp;";
      text += fmt::format("| {}{} | {:.3f} | {:.1f} % | {} |\n", indent, s.name, s.mean, 100 * s.mean / whole, s.launches);
    }
  }
  return text;
}

void write_text(const std::string& path, const std::string& text) {
  if (!path.empty()) write_text_file(path, text);
}

}  // namespace

int run_bench(const BenchRequest& request) {
  for (const std::string& file : {request.json_file, request.markdown_file})
    if (!file.empty()) check_file(file);
  if (!request.json_file.empty() && !request.markdown_file.empty()) check_distinct({{"--json", request.json_file}, {"--markdown", request.markdown_file}});
  InterruptGuard interrupt;
  std::string note;
  const auto device = Device::create(request.device, request.threads, &note);
  if (!note.empty()) log_notice("{}", note);
  const char* const models[] = {"springs", "finite_elements"};
  const long each = request.warm_up + long(request.runs) * request.steps;
  std::vector<Row> rows;
  {
    Progress progress("measuring", "steps", each * 2 * long(request.vertices.size()), request.quiet);
    long done = 0;
    for (const int vertices : request.vertices)
      for (const char* model : models) rows.push_back(measure(request, *device, vertices, model, progress, done));
  }
  nlohmann::ordered_json all;
  all["program"] = version_facts();
  all["device"] = device->name();
  all["runs"] = request.runs;
  all["steps_per_run"] = request.steps;
  for (const Row& row : rows) all["rows"].push_back(to_json(row));
  const std::string table = markdown(rows, all["program"], device->name(), request);
  std::fputs(table.c_str(), stdout);
  write_text(request.json_file, all.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  write_text(request.markdown_file, table);
  return ExitStatus::ok;
}

}  // namespace weft
