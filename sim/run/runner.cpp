#include "sim/run/runner.h"

#include <fmt/format.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "sim/base/error.h"
#include "sim/base/work_watch.h"
#include "sim/run/crossing_warning.h"
#include "sim/run/runner_impl.h"
#include "sim/run/simulation_run.h"
#include "sim/scene/model/cloth_mesh.h"
#include "sim/scene/model/uneven_cloths.h"

namespace weft {
namespace {

constexpr double kMostLag = 1000;  // beyond, steps take a quarter of a minute

}  // namespace

Runner::Impl::Impl(Scene scene, Options options) : options(options) {
  std::promise<void> built;
  auto done = built.get_future();
  thread = std::thread([this, scene = std::move(scene), built = std::move(built)]() mutable {
    main(std::move(scene), std::move(built));
  });
  try {
    while (done.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
      WorkWatch::check();
      std::optional<Work> now;
      {
        std::lock_guard lock(mailbox.mutex);
        now = loads.work;
      }
      if (now && now->seen.frame && options.show) options.show(now->seen);
      if (now) WorkWatch::report(now->what, now->share);
    }
    done.get();
  } catch (...) {
    mailbox.stopping = true;  // the caller may have given up while the scene is still being built
    thread.join();
    throw;
  }
}

Runner::Impl::~Impl() {
  {
    std::lock_guard lock(mailbox.mutex);
    mailbox.stopping = true;
    play.step_ends_by = Clock::time_point::min();
  }
  mailbox.wake.notify_all();
  if (thread.joinable()) thread.join();
}

std::unique_ptr<Simulation> Runner::Impl::opened(const Scene& scene) {
  if (!options.open) return std::make_unique<Simulation>(scene, *device);
  return options.open(scene, *device, [this](Simulation& on_the_way) { see(on_the_way); });
}

void Runner::Impl::enqueue(Task task, Patience patience) {
  {
    std::lock_guard lock(mailbox.mutex);
    mailbox.tasks.push_back(std::move(task));
    if (mailbox.stepping && patience < kPatient && !(mailbox.given_up && patience == kForQuestion))
      play.step_ends_by = std::min(play.step_ends_by.load(), mailbox.step_began + patience);
  }
  mailbox.wake.notify_all();
}

void Runner::Impl::main(Scene scene, std::promise<void> built) {
  const auto give_up = [this] {  // also a scene that is loaded when the window is closed
    const uint64_t number = loads.running;
    return mailbox.stopping.load() || (number > 0 && number <= loads.cancelled);
  };
  const WorkWatch watch(give_up, [this](const std::string& what, double share) {
    std::lock_guard lock(mailbox.mutex);
    loads.work = Work{what, share, loads.work ? loads.work->seen : SeenWork{}};
  });
  try {
    device = Device::create(options.device, options.threads, &device_note);
    ring = std::make_unique<FrameRing>(*device);
    simulation = opened(scene);
    history.start = std::move(scene);
    history.run_id = new_run_id();
    good.stepped = simulation->scene();
    rebuild_view(true);
    keep_state();
    publish();
    keep_good(true);
    enqueue([this] { look_for_crossings(true); });  // after the first frame, so that it is not delayed
    end_work();
    built.set_value();
  } catch (...) {
    simulation.reset();
    ring.reset();
    device.reset();
    built.set_exception(std::current_exception());
    return;
  }
  while (run_tasks()) {
    try {
      try {
        if (wait_for_step()) make_step();
      } catch (const DeviceLost& e) {  // while the state was shown after a fault
        recover(e);
      }
    } catch (const std::exception& e) {  // even the last good state cannot be shown
      frames.dirty = false;
      pause_after(e);
    }
  }
  {
    std::lock_guard lock(mailbox.mutex);
    published.latest.reset();
    mailbox.tasks.clear();
  }
  frames.pool.clear();
  simulation.reset();
  ring.reset();
  device.reset();
}

bool Runner::Impl::run_tasks() {
  for (;;) {
    Task task;
    {
      std::lock_guard lock(mailbox.mutex);
      if (mailbox.stopping) return false;
      if (mailbox.tasks.empty()) return true;
      task = std::move(mailbox.tasks.front());
      mailbox.tasks.pop_front();
    }
    try {
      try {
        task();
      } catch (const DeviceLost& e) {
        recover(e);
        task();
      }
    } catch (const std::exception& e) {
      report(LogLevel::error, e.what());
    }
  }
}

bool Runner::Impl::wait_for_step() {
  const auto interrupted = [this] { return mailbox.stopping || !mailbox.tasks.empty(); };
  std::unique_lock lock(mailbox.mutex);
  const auto is_held = [this] {
    return play.frame_exact && !play.to_limit && frames.exact_id > published.released_id;
  };
  const bool held = is_held();
  const auto may_play = [this] { return (play.playing || play.to_limit) && !reached(play.time_limit); };
  const bool wanted = !held && (may_play() || play.single_steps > 0);
  const bool paced = wanted && play.single_steps == 0 && !play.frame_exact;
  if (wanted && !paced) return !interrupted();
  const auto now = Clock::now();
  const auto due = paced ? play.pace.due(simulation->state().time, now) : now;
  if (paced && due <= now) return !interrupted();
  if (frames.dirty) {
    lock.unlock();
    try {
      publish();
    } catch (const DeviceLost& e) {
      recover(e);
    }
    lock.lock();
  }
  if (paced) {
    mailbox.wake.wait_until(lock, due, [&] { return interrupted() || !may_play(); });
    return !interrupted() && may_play() && Clock::now() >= due;
  }
  const bool was_held = held;
  mailbox.wake.wait(lock, [&] {
    if (interrupted()) return true;
    return was_held ? !is_held() : may_play() || play.single_steps > 0;
  });
  return false;
}

/// The test of each state, where that is asked.
void Runner::Impl::set_test() {
  if (!frames.extras.verdict) return simulation->set_test({});
  if (!frames.test.expired()) return;
  const auto test = std::make_shared<DeviceVerdict>(*simulation);
  simulation->set_test(
      [this, test](Simulation& s) { frames.tested = std::make_shared<StateVerdict>((*test)(s)); });
  frames.test = test;
}

/// Makes a step. Returns false if another task has to run first; the state is then that before the step.
bool Runner::Impl::try_step() {
  std::optional<float> budget =
      play.pace.budget(simulation->scene().step.dt, simulation->scene().step.budget);
  {
    std::lock_guard lock(mailbox.mutex);
    if (mailbox.stopping || !mailbox.tasks.empty()) return false;
    if (budget && (play.single_steps > 0 || play.frame_exact)) budget = 0;  // nobody waits for the clock
    mailbox.stepping = true;
    mailbox.step_began = Clock::now();
    play.step_ends_by = Clock::time_point::max();
  }
  const auto end = [this](bool made) {
    std::lock_guard lock(mailbox.mutex);
    mailbox.stepping = false;
    mailbox.given_up = !made;
    return made;
  };
  const bool every = play.budget > 0;
  simulation->set_budget(every ? std::optional(play.budget) : budget, every);
  try {
    set_test();
    simulation->step([this] {
      const Clock::time_point by = play.step_ends_by;
      return by != Clock::time_point::max() && Clock::now() >= by;
    });
    delay_for_test();
  } catch (const Interrupted&) {
    return end(false);
  } catch (...) {
    end(true);
    throw;
  }
  return end(true);
}

void Runner::Impl::make_step() {
  try {
    while (!play.timed.empty() && reached(play.timed.front().first)) {
      const Command due = std::move(play.timed.front().second);
      play.timed.pop_front();
      try {
        take(due);
      } catch (const DeviceLost&) {
        throw;
      } catch (const Error& fault) {  // as of a command that is posted: it changes nothing
        report(LogLevel::error, fault.what());
      }
    }
    if (!try_step()) return;
    if (std::exchange(good.scene_changed, false)) good.stepped = simulation->scene();
    // Changed parameters act from the next step on, and a state may have recovered: a guarantee can begin
    // with any step.
    const unsigned promises = promise_bits(simulation->promises());
    if (promises & ~crossings.promised) look_for_crossings(false);
    crossings.promised = promises;
    play.pace.stepped(simulation->state().time, Clock::now());
    go_on();
    keep_state();
    publish();
    frames.exact_id = frames.next_id - 1;
    keep_good(false);
    std::lock_guard lock(mailbox.mutex);
    if (play.single_steps > 0) --play.single_steps;
  } catch (const DeviceLost& e) {
    recover(e);
  } catch (const std::exception& e) {
    pause_after(e);
    publish();
  }
}

void Runner::Impl::pause_after(const std::exception& fault) {
  {
    std::lock_guard lock(mailbox.mutex);
    play.single_steps = 0;
    play.playing = play.to_limit = false;
  }
  report(LogLevel::error,
         std::string(fault.what()) + " (paused at step " + std::to_string(simulation->state().step) + ")");
}

void Runner::Impl::delay_for_test() {
  if (play.test_delay <= 0) return;
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(play.test_delay));
  if (!play.test_busy) {
    std::unique_lock lock(mailbox.mutex);
    mailbox.wake.wait_until(lock, end, [this] { return mailbox.stopping.load(); });
    return;
  }
  device->run([&] {
    oneapi::tbb::parallel_for(0, device->threads(), [&](int) {
      while (Clock::now() < end) {}
    });
  });
}

void Runner::Impl::apply(Command command) {
  // The hand moves in wall-clock time. The factor is recorded with the command: a replay needs no clock.
  // Bodies keep to the limit: what a fast one meets is thrown.
  if (auto* move = std::get_if<GrabMove>(&command); move && play.playing)
    move->speed_factor = float(std::round(10 * std::min(play.pace.lag(), kMostLag)) / 10);
  take(command);
}

bool Runner::Impl::reached(double time) const {
  return simulation->state().time >= time - 1e-3 * double(simulation->scene().step.dt);
}

void Runner::Impl::apply_at(double time, Command command) {
  if (play.timed.empty() && reached(time)) return take(command);
  play.timed.emplace_back(time, std::move(command));
}

void Runner::Impl::take(const Command& command) {
  simulation->apply(command);
  frames.dirty = true;
  if (std::holds_alternative<ResetState>(command)) {
    play.timed.clear();
    clear_history("It begins at the reset.");
    play.pace.restart();
    crossings.promised = promise_bits(simulation->promises());
    if (crossings.promised & ~crossings.seen_at_start) look_for_crossings(true);
    else crossings.words = crossings.promised ? crossings.words_at_start : std::string();
  }
  if (const auto* grab = std::get_if<GrabBegin>(&command))
    history.rewind.begun(grab->handle, simulation->state().step);
  if (const auto* grab = std::get_if<GrabVertices>(&command))
    history.rewind.begun(grab->handle, simulation->state().step);
  if (!std::holds_alternative<SetParam>(command)) go_on();
  // A handle that is begun now is not part of the state to which it can be undone.
  if (std::holds_alternative<PinVertex>(command) || std::holds_alternative<MoveBody>(command) ||
      std::holds_alternative<PoseBody>(command) || std::holds_alternative<PlaceBody>(command))
    keep_state();
  // Parameters are on the host; pins, handles and a reset would be lost with the device.
  if (!std::holds_alternative<SetParam>(command) && !std::holds_alternative<GrabMove>(command) &&
      !std::holds_alternative<MoveBody>(command))
    keep_good(true);
  if (const auto* set = std::get_if<SetParam>(&command)) {
    good.scene_changed = true;
    Scene scene = simulation->scene();
    const ParamTable table = scene.params();
    const ParamRef* parameter = table.find(set->key);
    const bool rebuilt = parameter && parameter->info().rebuilds;
    if (rebuilt) clear_history("It begins where " + set->key + " was changed."), rebuild_view(true);
    if (set->key == "step.collision" && needs_uniform_mesh(scene))
      for (const std::string& words : uneven_cloths(scene, simulation->model().host))
        report(LogLevel::notice, words);
    look_for_crossings(rebuilt);
  }
}

void Runner::Impl::end_work() {
  std::lock_guard lock(mailbox.mutex);
  loads.running = 0;
  loads.work.reset();
}

void Runner::Impl::load(Scene scene, uint64_t number) {
  if (number <= loads.cancelled) return;
  loads.running = number;
  struct End {
    Impl& impl;
    ~End() { impl.end_work(); }
  } end{*this};
  std::unique_ptr<Simulation> built;
  try {
    built = opened(scene);  // a throw leaves the old one running
  } catch (const Interrupted&) {
    if (mailbox.stopping) throw;
    std::lock_guard order(loads.order);
    if (number < loads.begun) return;  // for another scene, which comes next
    return report(LogLevel::notice, "Loading was cancelled; the old scene stays.");
  }
  simulation = std::move(built);
  play.timed.clear();
  history.start = std::move(scene);
  history.earlier.clear();
  history.recorded_from = 0;
  history.run_id = new_run_id();
  good.stepped = simulation->scene(), good.scene_changed = false;
  history.loaded = number;
  play.pace.restart();
  crossings.words.clear();
  {
    std::lock_guard lock(mailbox.mutex);
    std::deque<FrameNumbers>().swap(published.numbers);  // of the scene before
  }
  rebuild_view(true);
  clear_history("");
  publish();
  keep_good(true);
  look_for_crossings(true);
}

void Runner::Impl::look_for_crossings(bool fresh) {
  const bool at_start = simulation->state().step == 0;
  const unsigned before = fresh ? 0 : crossings.promised;
  crossings.promised = promise_bits(simulation->promises());
  if (fresh) crossings.seen_at_start = 0, crossings.words_at_start.clear();
  if (fresh || !crossings.promised) crossings.words.clear();
  const unsigned bits = crossings.promised & ~before;
  if (!bits) return;
  try {
    const StateCrossings found = state_crossings(*simulation, crossings.promised);
    crossings.words = crossing_remark(found);
    if (at_start) crossings.seen_at_start |= crossings.promised, crossings.words_at_start = crossings.words;
    if (!crossings.words.empty()) publish();
    if (const std::string words = crossing_warning(found, at_start); !words.empty())
      report(LogLevel::warning, words);
  } catch (const DeviceLost&) {
    throw;
  } catch (const std::exception& e) {
    report(LogLevel::warning, fmt::format("This state could not be checked for crossings: {}", e.what()));
  }
}

void Runner::Impl::listen(std::shared_ptr<RunListener> wanted) {
  if (listener) device->profiler().remove_listener(listener.get());
  listener = std::move(wanted);
  if (listener) device->profiler().add_listener(listener.get());
}

void Runner::Impl::report(LogLevel level, const std::string& text) {
  std::lock_guard lock(mailbox.mutex);
  constexpr size_t kMost = 1000;  // limit, since messages may never be collected
  if (mailbox.messages.size() < kMost) mailbox.messages.emplace_back(level, text);
}

std::vector<TimedCommand> Runner::Impl::commands() const {
  std::vector<TimedCommand> all = history.earlier;
  const auto& now = simulation->recorded();
  all.insert(all.end(), now.begin() + long(history.recorded_from), now.end());
  return all;
}

HandRecording Runner::Impl::hands() {
  return recording_of(history.start, simulation->state().step, commands());
}

}  // namespace weft
