#include "viewer/app/commands.h"
#include "viewer/app/run_options.h"
#include "viewer/bench/bench.h"
#include "viewer/bench/bench_error.h"
#include "viewer/bench/bench_scaling.h"
#include "viewer/bench/bench_wang2021.h"
#include "viewer/bench/paper_bench.h"
#include "viewer/bench/responsiveness.h"
#include "viewer/commands/scene_input.h"

namespace weft {
namespace {

struct BenchOptions {
  ComputeOptions compute;
  std::string what;  // a paper, "wang2021" or "error"; empty: the default scene
  bool window = false, small = false, scaling = false;
  std::string json, markdown;
  std::vector<int> vertices;
  int runs = 0, steps = 0;
  std::vector<std::string> scenes;
  double seconds = 0, wall = 0;  // s simulated, s of wall time; 0: no limit
};

std::vector<std::string> bench_names() {
  std::vector<std::string> names = paper_bench_names();
  names.push_back("wang2021");
  names.push_back("error");
  return names;
}

void add_bench(CLI::App& app, BenchOptions& o) {
  add_settings(app, o.compute);
  CLI::Option* const what =
      app.add_option("what", o.what,
                     "wu2020, wang2023, tang2018, lan2024: the complete scenes of that paper, beside its "
                     "figures; wang2021: a "
                     "square's step by every descent, and the cost of an iteration; error: the error of one "
                     "step against its time, for each solver at several efforts, in cloth that hangs, folds, "
                     "is dragged and lies on a table, or in the scenes of --scene; default: the "
                     "default scene, and a hanging cloth of three sizes")
          ->check(CLI::IsMember(bench_names()));
  CLI::Option* const window = app.add_flag(
      "--window", o.window,
      "Measure frames per second of the window while a step takes half a second; needs a display");
  app.add_flag("--scaling", o.scaling,
               "Measure the default scene with 1, 2, 4 ... --threads threads and on the GPU: speed-up, and "
               "bytes per step against memory bandwidth")
      ->excludes(what)
      ->excludes(window);
  app.add_option("--json", o.json, "Results as JSON");
  app.add_option("--markdown", o.markdown, "Results as a Markdown table");
  repeated(app, "--vertices", o.vertices,
           "Only the hanging cloth, of about this many vertices; may be given several times. With --scaling: "
           "of the default scene's cloth; for error: of each cloth")
      ->check(CLI::Range(100, 10000000));
  app.add_option("--runs", o.runs, "Timed runs; the median is reported")->check(CLI::Range(1, 1000));
  app.add_option("--steps", o.steps, "Steps per run; for a paper's scenes, the maximum of each")
      ->check(CLI::Range(1, 100000));
  const std::string papers = "Scenes of a paper";
  app.add_flag("--small", o.small, "Scenes of 2,000 to 4,000 vertices instead of the paper's sizes")
      ->group(papers);
  repeated(app, "--scene", o.scenes,
           "Only this scene (funnel); for error: any scene. May be given several times")
      ->group(papers);
  app.add_option("--seconds", o.seconds, "Maximum simulated time of each scene (s)")
      ->group(papers)
      ->check(PositiveNumber());
  app.add_option("--wall", o.wall, "Maximum wall time for the steps of each scene (s)")
      ->group(papers)
      ->check(PositiveNumber());
}

int bench_window(const BenchOptions& options) {
  ResponsivenessRequest request;
  request.window.scene = open_scene("", {});
  request.window.overrides = split_settings(options.compute.settings);
  request.window.device = options.compute.device;
  request.window.threads = options.compute.threads;
  request.window.width = 1280, request.window.height = 720, request.window.scale = 1;
  request.markdown_file = options.markdown;
  if (options.runs > 0) request.rounds = options.runs;
  return run_responsiveness(request);
}

int bench_paper(const BenchOptions& options) {
  PaperBenchRequest request;
  request.paper = options.what;
  request.device = options.compute.device;
  request.threads = options.compute.threads;
  request.overrides = split_settings(options.compute.settings);
  request.json_file = options.json;
  request.markdown_file = options.markdown;
  request.quiet = options.compute.quiet;
  request.small = options.small;
  request.scenes = options.scenes;
  request.steps = options.steps;
  request.seconds = options.seconds;
  request.wall_seconds = options.wall;
  return run_paper_bench(request);
}

int run_benchmark(const BenchOptions& options) {
  if (options.window) return bench_window(options);
  const bool grids = options.what == "wang2021";
  const bool error = options.what == "error";
  if (!options.what.empty() && !grids && !error) return bench_paper(options);
  BenchRequest request;
  request.device = options.compute.device;
  request.threads = options.compute.threads;
  request.overrides = split_settings(options.compute.settings);
  request.json_file = options.json;
  request.markdown_file = options.markdown;
  request.quiet = options.compute.quiet;
  if (!options.vertices.empty()) request.vertices = options.vertices;
  if (options.runs > 0) request.runs = options.runs;
  if (options.steps > 0) request.steps = options.steps;
  if (grids) return run_wang2021_bench(request);
  if (error) {
    ErrorRequest errors{.bench = request, .scenes = options.scenes};
    if (options.seconds > 0) errors.seconds = options.seconds;
    if (options.steps > 0) errors.states = options.steps;
    return run_error_bench(errors);
  }
  return options.scaling ? run_scaling_bench(request) : run_bench(request);
}

}  // namespace

void add_bench_command(CLI::App& app, Choice& choice) {
  add_command(app, choice, "bench", "Measure steps per second and the cost of every stage", add_bench,
              run_benchmark);
}

}  // namespace weft
