#include "viewer/app/commands.h"
#include "viewer/commands/batch.h"

namespace weft {
namespace {

void add_batch(CLI::App& app, BatchRequest& r) {
  app.add_option("jobs", r.jobs, "The runs (TOML): docs/batch.md")->required();
  app.add_option("-o,--out", r.out,
                 "Folder of the results; default: NAME.batch beside NAME.toml. A second call with the same "
                 "folder goes on with what has no result yet");
  app.add_option("-j,--jobs", r.processes, "Runs at the same time, each a process of its own; 0: one a core")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  auto* retry = app.add_flag("--retry", r.retry, "Run again what failed");
  app.add_flag("--again", r.again, "Run everything again")->excludes(retry);
  app.add_flag("--list", r.list, "Print the jobs with their arguments, and run none");
  add_compute(app, r.device, r.threads, r.quiet, "simulate",
              "CPU threads of each run; 0: the cores divided by --jobs");
  app.footer(
      "Exit status: 0 all is well; 3 an end condition is not met or a crossing was found; 1 a run failed; "
      "130 stopped by Ctrl-C.\n"
      "Example:\n  weft batch drapes.toml --jobs 8");
}

}  // namespace

void add_batch_command(CLI::App& app, Choice& choice) {
  add_command(app, choice, "batch", "Many runs from one file, resumable, with a verdict each", add_batch,
              run_batch);
}

}  // namespace weft
