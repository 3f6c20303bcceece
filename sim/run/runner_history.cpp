// The kept states of a run: keeping them, going back, handing them out.
#include <fmt/format.h>

#include <algorithm>
#include <climits>

#include "sim/base/error.h"
#include "sim/methods/method_table.h"
#include "sim/run/runner_impl.h"
#include "sim/run/simulation_run.h"

namespace weft {

void Runner::Impl::keep_state() {
  const Scene& scene = simulation->scene();
  history.rewind.kept.keep(simulation->state(), scene.step.solver, scene.step.collision,
                           history.earlier.size() + simulation->recorded().size() - history.recorded_from);
}

void Runner::Impl::clear_history(const std::string& why) {
  history.rewind.clear(why, frames.next_id);
  keep_state();
}

void Runner::Impl::go_on() { history.rewind.go_on(frames.next_id); }

void Runner::Impl::set_methods(int solver, int collision) {
  if (simulation->scene().step.solver != solver)
    simulation->apply(SetParam{"step.solver", solvers()[size_t(solver)].name});
  if (simulation->scene().step.collision != collision)
    simulation->apply(SetParam{"step.collision", collision_methods()[size_t(collision)].name});
}

void Runner::Impl::put_back(const KeptState& kept) {
  play.timed.clear();
  const StepParams now = simulation->scene().step;
  set_methods(kept.solver, kept.collision);  // whose data it has
  try {
    simulation->restore(kept.snapshot());
  } catch (const DeviceLost&) {
    throw;
  } catch (...) {
    set_methods(now.solver, now.collision);
    throw;
  }
  set_methods(now.solver, now.collision);
}

void Runner::Impl::go_to(int step, bool again) {
  Rewind& rewind = history.rewind;
  if (rewind.kept.states().empty())
    return report(LogLevel::notice, "No earlier state is kept. " + rewind.timeline(false).why);
  const int index = std::max(0, rewind.kept.at_or_before(step));
  const int now = rewind.back() ? rewind.shown() : int(rewind.kept.states().size()) - 1;
  if (index == now && !again) return;
  const std::vector<TimedCommand> before = commands();
  const size_t since = simulation->recorded().size() - history.recorded_from;
  put_back(*rewind.kept.states()[size_t(index)]);
  history.earlier = rewind.show(index, before, since);
  history.recorded_from = simulation->recorded().size();
  play.pace.restart();
  keep_good(true);
  publish();
}

void Runner::Impl::go_to_grab(int handle) {
  const int step = history.rewind.step_of_grab(handle);
  if (step < 0)
    return report(LogLevel::notice, "The state before this drag is no longer kept: nothing was undone.");
  go_to(step, true);
}

std::vector<RunFrame> Runner::Impl::kept_frames(const std::vector<int>& steps) {
  const StateHistory& kept = history.rewind.kept;
  std::vector<RunFrame> out;
  const Snapshot present = simulation->snapshot();
  const auto read = [&] {
    for (const int step : steps) {
      const int index = kept.at_or_before(step);
      if (index < 0 || kept.states()[size_t(index)]->state.step != step)
        throw Error(fmt::format("the state of step {} is no longer kept", step), "export",
                    "pause the run, and choose the stretch again");
      put_back(*kept.states()[size_t(index)]);
      read_state(*simulation, out.emplace_back());
    }
  };
  try {
    read();
  } catch (const DeviceLost&) {
    throw;
  } catch (...) {
    simulation->restore(present);
    throw;
  }
  simulation->restore(present);
  return out;
}

std::shared_ptr<const RunTimeline> Runner::timeline() const {
  std::lock_guard lock(impl_->mailbox.mutex);
  return impl_->published.timeline;
}

void Runner::go_to(int step) {
  {
    std::lock_guard lock(impl_->mailbox.mutex);
    const bool waits = impl_->mailbox.wanted_step.has_value();
    impl_->mailbox.wanted_step = step;
    if (waits) return;
  }
  impl_->enqueue(
      [i = impl_.get()] {
        std::optional<int> wanted;
        {
          std::lock_guard lock(i->mailbox.mutex);
          wanted.swap(i->mailbox.wanted_step);
        }
        if (wanted) i->go_to(*wanted, false);
      },
      Impl::kAtOnce);
}

void Runner::go_to_grab(int handle) {
  impl_->enqueue([i = impl_.get(), handle] { i->go_to_grab(handle); }, Impl::kAtOnce);
}

void Runner::set_history_budget(size_t bytes) {
  impl_->enqueue([i = impl_.get(), bytes] {
    Rewind& rewind = i->history.rewind;
    const bool none = rewind.kept.states().empty();
    if (rewind.back()) i->go_to(INT_MAX, false);  // what is shown might be dropped
    rewind.kept.set_budget(bytes);
    if (none || rewind.kept.states().empty()) i->keep_state();
    i->frames.dirty = true;
  });
}

std::vector<RunFrame> Runner::kept_frames(const std::vector<int>& steps) {
  return impl_->ask([i = impl_.get(), steps] { return i->kept_frames(steps); });
}

RunInfo Runner::run_info() {
  return impl_->ask([i = impl_.get()] { return run_info_of(*i->simulation); });
}

}  // namespace weft
