#include "viewer/commands/headless.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/log.h"
#include "sim/base/work_watch.h"
#include "sim/dressing/dress.h"
#include "sim/run/crossing_warning.h"
#include "sim/run/device_loss_backup.h"
#include "sim/run/simulation_run.h"
#include "sim/run/step_reasons.h"
#include "sim/run/verdict.h"
#include "sim/scene/text/import_questions.h"
#include "viewer/commands/output_check.h"
#include "viewer/commands/progress.h"
#include "viewer/commands/run_origin.h"
#include "viewer/commands/run_worst.h"
#include "viewer/commands/standard_output.h"

namespace weft {
namespace {

volatile sig_atomic_t caught_signal = 0, ends_promptly = 0;
void catch_signal(int signal) {
  caught_signal = signal;
  if (ends_promptly) ::alarm(1);  // what runs may end by itself before
}
void end_at_once(int) {
  constexpr char kWords[] = "stopped before the first step\n";
  if (!ends_promptly) return;
  [[maybe_unused]] const ssize_t told = ::write(STDOUT_FILENO, kWords, sizeof kWords - 1);
  ::_exit(128 + caught_signal);
}
struct sigaction old_interrupt, old_terminate, old_hang_up;

/// Says that a step takes long, after 2 s, 4 s, 8 s ...
class SlowStep {
 public:
  void begin(int step) { step_ = step, next_ = 2, start_ = Clock::now(); }
  void look() {
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    if (seconds < next_) return;
    log_notice("step {} has taken {:.0f} s so far", step_, seconds);
    next_ = 2 * seconds;
  }

 private:
  using Clock = std::chrono::steady_clock;
  int step_ = 0;
  double next_ = 2;  // s
  Clock::time_point start_;
};

/// Applies the commands of a recording, each before the step that it is stamped with. A reset takes the step
/// count back to 0, and what follows it counts from there.
class CommandPlayer {
 public:
  explicit CommandPlayer(const std::vector<TimedCommand>& commands) : commands_(commands) {}
  void apply_due(Simulation& simulation) {
    for (; next_ < commands_.size() && commands_[next_].step <= simulation.state().step &&
           !InterruptGuard::interrupted();
         ++next_)
      simulation.apply(commands_[next_].command);
  }
  /// Current position, to return to.
  size_t place() const { return next_; }
  void go_back(size_t place) { next_ = place; }

 private:
  const std::vector<TimedCommand>& commands_;
  size_t next_ = 0;
};

/// Steps to be made, those before each reset included.
long steps_to_make(const HeadlessRequest& request) {
  long steps = request.steps;
  if (steps == 0) {
    const double seconds = request.seconds > 0 ? request.seconds : double(request.scene.duration);
    // a step may miss the end by rounding
    steps = long(std::ceil(seconds / double(request.scene.step.dt) - 1e-3));
  }
  for (const TimedCommand& c : request.commands)
    if (std::holds_alternative<ResetState>(c.command)) steps += c.step;
  return steps;
}

/// "runs/snapshot_000120.weftsnap" beside --save-snapshot.
std::string snapshot_path(const RunFiles& files, int step) {
  namespace fs = std::filesystem;
  const fs::path last = files.save_snapshot.empty() ? "snapshot.weftsnap" : files.save_snapshot;
  return (last.parent_path() /
          fmt::format("{}_{:06d}{}", last.stem().string(), step, last.extension().string()))
      .string();
}

/// Writes the complete state whenever so much time has passed.
class SnapshotsOutput final : public StepOutput {
 public:
  SnapshotsOutput(const RunFiles& files, Simulation& simulation)
      : files_(files), begun_(simulation.state().step) {}
  void state(Simulation& simulation) override {
    const int step = simulation.state().step;
    const int every =
        std::max(1, int(std::lround(files_.snapshot_every / double(simulation.scene().step.dt))));
    if (step <= begun_ || step % every != 0) return;
    last_ = snapshot_path(files_, step);
    write_snapshot(last_, simulation.snapshot());
    ++count_;
  }
  std::string summary() const override {
    return count_ == 0 ? "snapshots: none, since the run is shorter"
                       : fmt::format("snapshots: {}, the last is {}", count_, last_);
  }

 private:
  RunFiles files_;
  int begun_ = 0, count_ = 0;
  std::string last_;
};

using Outputs = std::vector<std::unique_ptr<StepOutput>>;

Outputs make_outputs(const HeadlessRequest& request, Simulation& simulation, const VerdictRecord* verdict,
                     const std::vector<std::string>& misfits) {
  Outputs outputs;
  RunInfo info = recorded_info(simulation, request.command, request.video.view);
  info.usd_rate = request.files.usd_rate;
  const RunFiles& files = request.files;
  check_outputs_apart(request, info);
  if (!request.video.path.empty()) outputs.push_back(make_video_output(request.video, simulation));
  if (!files.states_folder.empty()) outputs.push_back(make_states_output(files.states_folder, info));
  if (!files.export_path.empty()) outputs.push_back(make_file_output(files.export_path, info));
  if (!files.cache_file.empty()) outputs.push_back(make_file_output(files.cache_file, info));
  if (!files.stats_file.empty())
    outputs.push_back(make_stats_output(files.stats_file, request.command, verdict, misfits));
  if (files.snapshot_every > 0) outputs.push_back(std::make_unique<SnapshotsOutput>(files, simulation));
  if (!files.csv_file.empty()) outputs.push_back(make_csv_output(files.csv_file, info.origin, simulation));
  // Made last, since it replaces an older file at once, and finished last: it sees what the others do.
  if (!files.trace_file.empty()) outputs.push_back(make_trace_output(files.trace_file, simulation));
  return outputs;
}

void save_snapshot(const HeadlessRequest& request, Simulation& simulation) {
  if (request.files.save_snapshot.empty()) return;
  write_snapshot(request.files.save_snapshot, simulation.snapshot());
  std::printf("snapshot: %s\n", request.files.save_snapshot.c_str());
}

/// A stepped scene and the outputs that receive every state once. If the device is lost it continues on the
/// CPU from the last state on the host; states already written are not written again.
class SteppedRun {
 public:
  explicit SteppedRun(const HeadlessRequest& request) : request_(request), player_(request.commands) {
    std::string note;
    device_ = Device::create(request.device, request.threads, &note);
    if (!note.empty()) log_notice("{}", note);
    auto prompt = std::make_unique<PromptEnd>();  // until files are opened
    simulation_ = built(request);
    for (const auto& notice : simulation_->model().notices)
      if (is_import_question(notice)) log_warning("{}", notice);
      else log_notice("{}", notice);
    if (!request.files.load_snapshot.empty())
      simulation_->restore(read_snapshot(request.files.load_snapshot));
    if (const unsigned bits = promise_bits(simulation_->promises()))
      if (const std::string words = crossing_warning(state_crossings(*simulation_, bits)); !words.empty())
        log_warning("{}", words);
    prompt.reset();
    if (InterruptGuard::interrupted()) throw Interrupted();
    outputs_ = make_outputs(request, *simulation_, request.verdict ? &told_.verdict : nullptr, told_.misfits);
    if (request.verdict) told_.verdict.take(verdict_of(*simulation_)), test_each(*simulation_);
    measure();
  }

  Simulation& simulation() { return *simulation_; }
  const RunWorst& worst() const { return told_.worst; }
  const StepReasons& reasons() const { return told_.reasons; }
  const VerdictRecord& verdict() const { return told_.verdict; }
  long steps() const { return done_; }

  void make_steps() {
    const long total = steps_to_make(request_);
    Progress progress("simulating", "steps", total, request_.quiet);
    const auto start = std::chrono::steady_clock::now();
    const double start_time = simulation_->state().time;
    while (next_output_ < outputs_.size() || (done_ < total && !InterruptGuard::interrupted())) {
      try {
        advance();
      } catch (const Interrupted&) {
        break;
      } catch (const DeviceLost& fault) {
        recover(fault);
        if (++losses_ > kMostLosses) throw;
      }
      if (done_ == 0) continue;
      const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      const double factor = (simulation_->state().time - start_time) / std::max(wall, 1e-9);
      progress.update(done_, fmt::format("{:.0f} steps/s, {:.2f} x real time",
                                         double(done_) / std::max(wall, 1e-9), factor));
    }
    player_.apply_due(*simulation_);  // commands after the last step
  }

  /// Completes all files and prints a summary. A failure is reported and does not keep the others from being
  /// completed. False if a requested result is missing.
  bool finish() {
    bool complete = failed_.empty();
    const auto close = [&](StepOutput& output, bool told) {
      try {
        complete &= output.finish(*simulation_);
      } catch (const std::exception& e) {
        complete = false;
        if (!told) log_error("{}", e.what());
      }
      if (const std::string words = output.summary(); !words.empty()) std::printf("%s\n", words.c_str());
    };
    for (auto& output : failed_) close(*output, true);
    for (auto& output : outputs_) close(*output, false);
    return complete;
  }

 private:
  static constexpr int kMostLosses = 3;

  /// Building may take long if a mesh is remeshed: shows progress and stops on Ctrl-C (Interrupted).
  std::unique_ptr<Simulation> built(const HeadlessRequest& request) {
    std::unique_ptr<Progress> progress;
    std::string now;
    const WorkWatch watch(InterruptGuard::interrupted, [&](const std::string& what, double share) {
      if (what != now)
        progress = nullptr, progress = std::make_unique<Progress>(what, "%", 100, request.quiet);
      now = what;
      progress->update(long(100 * share));
    });
    return open_dressed(request.scene, *device_, {}, told_.misfits);
  }

  /// One step, or the outputs of the present state.
  void advance() {
    if (done_ < written_ || next_output_ == outputs_.size()) {
      player_.apply_due(*simulation_);
      told_.slow.begin(simulation_->state().step + 1);
      simulation_->step([this] {
        told_.slow.look();
        return InterruptGuard::interrupted();
      });
      if (++done_ > written_) written_ = done_, next_output_ = 0, measure();
    }
    if (done_ < written_) return;  // made again after a loss
    while (next_output_ < outputs_.size()) write(next_output_);
    if (!rescue_.due(*device_, simulation_->state().step)) return;
    rescue_.keep(simulation_->snapshot());
    kept_scene_ = simulation_->scene(), kept_done_ = done_, kept_place_ = player_.place();
  }

  /// Within the step, whose stage "verdict" says what it takes.
  void test_each(Simulation& simulation) {
    simulation.set_test([this, test = std::make_shared<DeviceVerdict>(simulation)](Simulation& s) {
      told_.verdict.take((*test)(s));
    });
  }

  /// Keeps what is worst, and warns of bodies and pins that lag.
  void measure() {
    const StepStats stats = simulation_->stats();
    told_.worst.take(stats, simulation_->state().step);
    told_.reasons.look(simulation_->state().step, stats, {});
    if (const std::string words = told_.worst.warning(stats); !words.empty()) log_warning("{}", words);
  }

  /// Passes the state to one output. A failure does not affect the other outputs, nor the final state.
  void write(size_t i) {
    try {
      outputs_[i]->state(*simulation_);
      ++next_output_;
    } catch (const DeviceLost&) {
      throw;
    } catch (const std::exception& fault) {
      if (outputs_.size() == 1 && request_.files.save_snapshot.empty()) {
        failed_.push_back(std::move(outputs_[i]));
        outputs_.clear();
        throw;
      }
      log_error("{}; the run continues without it", fault.what());
      failed_.push_back(std::move(outputs_[i]));
      outputs_.erase(outputs_.begin() + long(i));
    }
  }

  void recover(const DeviceLost& fault) {
    const int lost_in = simulation_->state().step + 1;
    auto cpu = Device::create(DeviceChoice::cpu, request_.threads);
    auto moved = open_simulation(rescue_.last() ? kept_scene_ : request_.scene, *cpu);
    if (rescue_.last()) moved->restore(*rescue_.last());
    else if (!request_.files.load_snapshot.empty())
      moved->restore(read_snapshot(request_.files.load_snapshot));
    if (request_.verdict) test_each(*moved);
    done_ = kept_done_;
    player_.go_back(kept_place_);
    log_warning(
        "The device was lost in step {} ({}). The run continues on the CPU from step {}, the last state "
        "copied to the host; "
        "states already written are not written again.",
        lost_in, fault.what(), moved->state().step);
    for (auto* list : {&outputs_, &failed_})
      for (auto& output : *list) output->moved(*moved);
    simulation_ = std::move(moved);  // before its device
    device_ = std::move(cpu);
  }

  const HeadlessRequest& request_;
  std::unique_ptr<Device> device_;
  std::unique_ptr<Simulation> simulation_;
  Outputs outputs_, failed_;
  CommandPlayer player_;
  size_t next_output_ = 0;       // the first output that has not received the state after `written_` steps
  long done_ = 0, written_ = 0;  // steps
  DeviceLossBackup rescue_;
  Scene kept_scene_;  // of the copy in `rescue_`, like the two below
  long kept_done_ = 0;
  size_t kept_place_ = 0;
  int losses_ = 0;
  struct Told {
    RunWorst worst;
    StepReasons reasons;
    VerdictRecord verdict;
    SlowStep slow;
    std::vector<std::string> misfits;  // of garments that were put on
  } told_;
};

/// Steps that a clock ended in this run, beside those that a recording says.
long steps_ended_by_clock(const HeadlessRequest& request, const Simulation& simulation) {
  const auto ended = [](const std::vector<TimedCommand>& commands) {
    return std::count_if(commands.begin(), commands.end(),
                         [](const TimedCommand& c) { return std::holds_alternative<EndSolve>(c.command); });
  };
  return std::max(0l, long(ended(simulation.recorded()) - ended(request.commands)));
}

/// What the error of the last steps is due to, and the change that helps.
void print_reason(Simulation& simulation, const StepReasons& steps) {
  const auto reasons =
      steps.reasons(simulation.scene(), mesh_facts(scene_view_of(simulation)), nullptr, false);
  if (reasons.empty()) return;
  std::string words = "in the last steps: " + reasons.front().words;
  for (const auto& [key, value] : reasons.front().change) words += fmt::format("; --set {}={}", key, value);
  std::printf("%s\n", words.c_str());
}

/// "no state crosses", or how many do and since when. True if none does.
bool print_verdict(const VerdictRecord& verdict) {
  const std::string cost =
      fmt::format("{} states were tested, {:.3g} ms each", verdict.tested(), verdict.mean_ms());
  if (verdict.crossing() == 0) std::printf("no state crosses (%s)\n", cost.c_str());
  else
    std::printf("%ld states cross, the first is that of step %d (%s)\n", verdict.crossing(),
                verdict.first_step(), cost.c_str());
  return verdict.crossing() == 0;
}

/// Prints what holds at the end; returns the exit status.
int conclude(const HeadlessRequest& request, SteppedRun& run) {
  Simulation& simulation = run.simulation();
  const RunWorst& worst = run.worst();
  const long steps = run.steps();
  std::printf("%ld steps, %.3f s simulated on %s; %s\n", steps, simulation.state().time,
              simulation.device().name().c_str(), worst.words(simulation.stats()).c_str());
  std::printf("state hash: %016llx\n", static_cast<unsigned long long>(simulation.hash()));
  print_reason(simulation, run.reasons());
  if (const long ended = steps_ended_by_clock(request, simulation); ended > 0)
    std::printf("step.budget ended %ld steps before they were solved: another run has another hash\n", ended);
  save_snapshot(request, simulation);
  if (InterruptGuard::interrupted()) {
    if (request.verdict) print_verdict(run.verdict());
    std::printf("stopped early\n");
    return InterruptGuard::exit_status();
  }
  const auto unmet = simulation.failed_end_conditions();
  for (const auto& words : unmet) std::printf("end condition not met: %s\n", words.c_str());
  if (unmet.empty() && !request.scene.end.empty())
    std::printf("all %zu end conditions are met\n", request.scene.end.size());
  const double missing = double(request.scene.duration) - simulation.state().time;
  if (!request.scene.end.empty() && missing > 0.5 * double(request.scene.step.dt))
    std::printf("they were evaluated %.3f s before the end of the scene, which is at %.3f s\n", missing,
                double(request.scene.duration));
  const bool crosses = request.verdict && !print_verdict(run.verdict());
  return (request.check && !unmet.empty()) || crosses ? ExitStatus::unmet : ExitStatus::ok;
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
  // A closing terminal may send it twice, from the shell and from the system; the second must not abort the
  // files. Under nohup it stays ignored.
  action.sa_flags = 0;
  sigaction(SIGHUP, nullptr, &old_hang_up);
  if (old_hang_up.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
}
InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &old_interrupt, nullptr);
  sigaction(SIGTERM, &old_terminate, nullptr);
  sigaction(SIGHUP, &old_hang_up, nullptr);
}
PromptEnd::PromptEnd() {
  struct sigaction action {};
  action.sa_handler = end_at_once;
  sigemptyset(&action.sa_mask);
  sigaction(SIGALRM, &action, nullptr);
  ends_promptly = 1;
}
PromptEnd::~PromptEnd() {
  ends_promptly = 0;
  ::alarm(0);
  signal(SIGALRM, SIG_DFL);
}
bool InterruptGuard::interrupted() { return caught_signal != 0; }
int InterruptGuard::exit_status() { return 128 + caught_signal; }

int run_headless(const HeadlessRequest& wanted) {
  InterruptGuard interrupt;
  HeadlessRequest request = wanted;
  const StandardOutput results(request.files);
  if (request.check && request.scene.end.empty())
    throw Error("the scene has no end conditions, so --check has nothing to check",
                request.scene.path.empty() ? "command line" : request.scene.path,
                "add [[end]] tables, or leave out --check");
  check_outputs(request);
  std::unique_ptr<SteppedRun> prepared;
  try {
    prepared = std::make_unique<SteppedRun>(request);
  } catch (const Interrupted&) {
    std::printf("stopped before the first step\n");
    return InterruptGuard::exit_status();
  }
  SteppedRun& run = *prepared;
  try {
    run.make_steps();
  } catch (const std::exception&) {
    run.finish();  // results so far are kept
    try {
      save_snapshot(request, run.simulation());
    } catch (const std::exception& second) {
      log_error("{}", second.what());
    }
    throw;
  }
  const bool complete = run.finish();
  const int status = conclude(request, run);
  return status == ExitStatus::ok && !complete ? ExitStatus::error : status;
}

}  // namespace weft
