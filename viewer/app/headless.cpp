#include "viewer/app/headless.h"

#include <fmt/format.h>
#include <signal.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>

#include "sim/base/error.h"
#include "sim/base/log.h"
#include "viewer/app/progress.h"

namespace weft {
namespace {

volatile sig_atomic_t caught_signal = 0;
void catch_signal(int signal) { caught_signal = signal; }
struct sigaction old_interrupt, old_terminate;

/// Applies the commands of a recording, each before the step that it is stamped with. A reset takes the step count back to 0,
/// and what follows it counts from there.
class CommandPlayer {
 public:
  explicit CommandPlayer(const std::vector<TimedCommand>& commands) : commands_(commands) {}
  void apply_due(Simulation& simulation) {
    for (; next_ < commands_.size() && commands_[next_].step <= simulation.state().step; ++next_)
      simulation.apply(commands_[next_].command);
  }

 private:
  const std::vector<TimedCommand>& commands_;
  size_t next_ = 0;
};

/// Steps to be made, those before each reset included.
long steps_to_make(const HeadlessRequest& request) {
  long steps = request.steps;
  if (steps == 0) {
    const double seconds = request.seconds > 0 ? request.seconds : double(request.scene.duration);
    steps = long(std::ceil(seconds / double(request.scene.step.dt) - 1e-3));  // a step may miss the end by rounding
  }
  for (const TimedCommand& c : request.commands)
    if (std::holds_alternative<ResetState>(c.command)) steps += c.step;
  return steps;
}

using Outputs = std::vector<std::unique_ptr<StepOutput>>;

Outputs make_outputs(const HeadlessRequest& request, Simulation& simulation) {
  Outputs outputs;
  // Made first and finished last: it sees what the others do.
  std::unique_ptr<StepOutput> trace;
  if (!request.trace_file.empty()) trace = make_trace_output(request.trace_file, simulation);
  if (!request.video.path.empty()) outputs.push_back(make_video_output(request.video, simulation));
  if (!request.states_folder.empty()) outputs.push_back(make_states_output(request.states_folder, simulation));
  if (!request.export_path.empty()) outputs.push_back(make_file_output(request.export_path, simulation));
  if (!request.cache_file.empty()) outputs.push_back(make_file_output(request.cache_file, simulation));
  if (!request.stats_file.empty()) outputs.push_back(make_stats_output(request.stats_file));
  if (!request.csv_file.empty()) outputs.push_back(make_csv_output(request.csv_file, simulation));
  if (trace) outputs.push_back(std::move(trace));
  return outputs;
}

/// Returns the number of steps made.
long run_steps(const HeadlessRequest& request, Simulation& simulation, Outputs& outputs) {
  const long total = steps_to_make(request);
  Progress progress("simulating", "steps", total, request.quiet);
  CommandPlayer player(request.commands);
  for (auto& output : outputs) output->state(simulation);
  const auto start = std::chrono::steady_clock::now();
  const double start_time = simulation.state().time;
  long done = 0;
  for (; done < total && !InterruptGuard::interrupted(); ++done) {
    player.apply_due(simulation);
    simulation.step();
    for (auto& output : outputs) output->state(simulation);
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double factor = (simulation.state().time - start_time) / std::max(wall, 1e-9);
    progress.update(done + 1, fmt::format("{:.0f} steps/s, {:.2f} x real time", double(done + 1) / std::max(wall, 1e-9), factor));
  }
  player.apply_due(simulation);  // what was done after the last step
  return done;
}

bool finish(Outputs& outputs, Simulation& simulation) {
  bool complete = true;
  std::exception_ptr fault;  // one file that cannot be completed is no reason to leave the others open
  for (auto& output : outputs) {
    try {
      complete &= output->finish(simulation);
      if (const std::string words = output->summary(); !words.empty()) std::printf("%s\n", words.c_str());
    } catch (const std::exception&) {
      if (!fault) fault = std::current_exception();
    }
  }
  if (fault) std::rethrow_exception(fault);
  return complete;
}

/// Prints what holds at the end; returns the exit status.
int conclude(const HeadlessRequest& request, Simulation& simulation, long steps) {
  if (!request.save_snapshot.empty()) {
    write_snapshot(request.save_snapshot, simulation.snapshot());
    std::printf("snapshot: %s\n", request.save_snapshot.c_str());
  }
  const StepStats stats = simulation.stats();
  std::printf("%ld steps, %.3f s simulated on %s; worst stretch %.3f, deepest penetration %.2f mm\n", steps, simulation.state().time,
              simulation.device().name().c_str(), double(stats.max_stretch), 1e3 * double(stats.max_penetration));
  std::printf("state hash: %016llx\n", static_cast<unsigned long long>(simulation.hash()));
  if (InterruptGuard::interrupted()) {
    std::printf("stopped early\n");
    return InterruptGuard::exit_status();
  }
  const auto unmet = simulation.failed_end_conditions();
  for (const auto& words : unmet) std::printf("end condition not met: %s\n", words.c_str());
  if (unmet.empty() && !request.scene.end.empty()) std::printf("all %zu end conditions are met\n", request.scene.end.size());
  return request.check && !unmet.empty() ? ExitStatus::unmet : ExitStatus::ok;
}

}  // namespace

InterruptGuard::InterruptGuard() {
  caught_signal = 0;
  struct sigaction action {};
  action.sa_handler = catch_signal;
  action.sa_flags = int(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &old_interrupt);
  sigaction(SIGTERM, &action, &old_terminate);
}
InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &old_interrupt, nullptr);
  sigaction(SIGTERM, &old_terminate, nullptr);
}
bool InterruptGuard::interrupted() { return caught_signal != 0; }
int InterruptGuard::exit_status() { return 128 + caught_signal; }

int run_headless(const HeadlessRequest& request) {
  InterruptGuard interrupt;
  std::string note;
  const auto device = Device::create(request.device, request.threads, &note);
  if (!note.empty()) log_notice("{}", note);
  Simulation simulation(request.scene, *device);
  for (const auto& notice : simulation.model().notices) log_notice("{}", notice);
  if (!request.load_snapshot.empty()) simulation.restore(read_snapshot(request.load_snapshot));
  Outputs outputs = make_outputs(request, simulation);
  long steps = 0;
  try {
    steps = run_steps(request, simulation, outputs);
  } catch (const std::exception&) {
    finish(outputs, simulation);  // what there is until here is kept
    throw;
  }
  const bool complete = finish(outputs, simulation);
  const int status = conclude(request, simulation, steps);
  return status == ExitStatus::ok && !complete ? ExitStatus::error : status;
}

}  // namespace weft
