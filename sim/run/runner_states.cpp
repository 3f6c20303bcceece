// States that go from one device to another, to the host and back.
#include <fmt/format.h>

#include <atomic>
#include <cstring>

#include "sim/base/error.h"
#include "sim/run/command_hash.h"
#include "sim/run/runner_impl.h"
#include "sim/scene/fabric_prints.h"
#include "sim/scene/model/cloth_mesh.h"

namespace weft {
namespace {

constexpr const char* kMarkName = "runner/commands";

}  // namespace

uint64_t Runner::Impl::new_run_id() {
  static std::atomic<uint64_t> next{1};
  return next++;
}

void Runner::Impl::switch_device(DeviceChoice choice) {
  std::string note;
  auto new_device = Device::create(choice, options.threads, &note);
  Scene scene = simulation->scene();
  keep_meshes(scene, history.start);
  auto moved = std::make_unique<Simulation>(std::move(scene), *new_device);
  moved->restore(simulation->snapshot());
  auto new_ring = std::make_unique<FrameRing>(*new_device);
  Frame trial;  // a device that cannot show the state is refused: a throw leaves everything unchanged
  fill_frame(*moved, frames.field, *new_ring, options.host_copy, trial, frames.extras);
  move_to(std::move(new_device), std::move(new_ring), std::move(moved), note);
  publish();
  keep_good(true);
}

void Runner::Impl::move_to(std::unique_ptr<Device> new_device, std::unique_ptr<FrameRing> new_ring,
                           std::unique_ptr<Simulation> moved, const std::string& note) {
  history.earlier = commands();
  history.recorded_from = moved->recorded().size();  // earlier commands led to this state
  simulation = std::move(moved);                     // before its device
  ring = std::move(new_ring);
  device = std::move(new_device);
  device_note = note;
  if (listener) device->profiler().add_listener(listener.get());
  play.pace.restart();
  rebuild_view(false);
}

void Runner::Impl::recover(const DeviceLost& fault) {
  const int lost_in = simulation->state().step + 1;
  auto cpu = Device::create(DeviceChoice::cpu, options.threads);
  bool restored = false;
  auto moved = rescued(*cpu, restored);
  auto new_ring = std::make_unique<FrameRing>(*cpu);
  move_to(std::move(cpu), std::move(new_ring), std::move(moved),
          fmt::format("on the CPU: the device was lost in step {}", lost_in));
  if (restored) {
    take_up(*good.state.last());
  } else {  // parameters are kept, handles and pins are not
    std::erase_if(history.earlier,
                  [](const TimedCommand& c) { return !std::holds_alternative<SetParam>(c.command); });
    for (TimedCommand& c : history.earlier) c.step = 0, c.time = 0;
  }
  const State& state = simulation->state();
  report(LogLevel::warning, fmt::format("The device was lost in step {} ({}). The run continues on the CPU "
                                        "from step {} ({:.3f} s), the last state "
                                        "copied to the host.",
                                        lost_in, fault.what(), state.step, state.time));
  history.rewind.clear("It begins where the device was lost.", frames.next_id);
  keep_state();
  keep_good(true);
  publish();
}

std::unique_ptr<Simulation> Runner::Impl::rescued(Device& on, bool& restored) {
  const Scene now = simulation->scene();
  std::string why;
  for (const Scene* scene : std::initializer_list<const Scene*>{&now, &good.kept, &good.kept_stepped}) {
    if (!good.state.last()) break;
    try {
      Scene meshed = *scene;
      keep_meshes(meshed, history.start);
      auto moved = std::make_unique<Simulation>(std::move(meshed), on);
      moved->restore(*good.state.last());
      restored = true;
      if (scene != &now) set_parameters(*moved, now);
      return moved;
    } catch (const std::exception& e) {
      if (why.empty()) why = e.what();
    }
  }
  Scene meshed = now;
  keep_meshes(meshed, history.start);
  auto anew = std::make_unique<Simulation>(std::move(meshed), on);  // a throw leaves the run unchanged
  if (!why.empty())
    report(LogLevel::warning,
           fmt::format(
               "The backup of the state cannot be restored ({}): the run starts again from the beginning.",
               why));
  history.run_id = new_run_id();
  return anew;
}

void Runner::Impl::set_parameters(Simulation& of, const Scene& as) {
  Scene before = of.scene(), after = as;
  const ParamTable old_table = before.params(), new_table = after.params();
  for (const ParamRef& ref : new_table.refs()) {
    if (ref.key().rfind("fabric.", 0) == 0) continue;  // the cloths' own keys have the same values
    const ParamRef* old = old_table.find(ref.key());
    if (!old || old->text() == ref.text()) continue;
    try {
      of.apply(SetParam{ref.key(), ref.text()});
    } catch (const std::exception& e) {
      report(LogLevel::error, e.what());
    }
  }
  for (const auto& [key, text] : changed_prints(before, after)) of.apply(SetParam{key, text});
}

void Runner::Impl::keep_good(bool now) {
  if (now ? DeviceLossBackup::wanted(*device) : good.state.due(*device, simulation->state().step)) {
    good.state.keep(snapshot());
    good.kept = simulation->scene(), good.kept_stepped = good.stepped;
  } else if (!DeviceLossBackup::wanted(*device)) {
    good.state.forget();
  }
}

Snapshot Runner::Impl::snapshot() {
  // The snapshot also stores its run and the number and hash of the commands before it, so that the recording
  // of user input can be cut back when it is restored.
  Snapshot snapshot = simulation->snapshot();
  const std::vector<TimedCommand> done = commands();
  const uint64_t mark[3] = {history.run_id, done.size(), hash_of(done, done.size())};
  const auto* bytes = reinterpret_cast<const unsigned char*>(mark);
  snapshot.parts.emplace_back(kMarkName, std::vector<unsigned char>(bytes, bytes + sizeof mark));
  return snapshot;
}

void Runner::Impl::restore(const Snapshot& snapshot) {
  play.timed.clear();
  simulation->restore(snapshot);
  take_up(snapshot);
  clear_history("It begins with a snapshot that was taken up.");
  keep_good(true);
}

void Runner::Impl::take_up(const Snapshot& snapshot) {
  uint64_t mark[3] = {0, 0, 0};
  for (const auto& [name, bytes] : snapshot.parts)
    if (name == kMarkName && bytes.size() == sizeof mark) std::memcpy(mark, bytes.data(), sizeof mark);
  std::vector<TimedCommand> done = commands();
  // The count alone is no proof: after going back, other commands may have been given.
  const bool own = mark[0] == history.run_id && mark[1] <= done.size() && mark[2] == hash_of(done, mark[1]);
  if (!own) {
    history.run_id = new_run_id();  // later snapshots do not belong to a run from the scene's start
    report(LogLevel::notice,
           "This snapshot is from another run, or from steps that an earlier restore discarded: user input "
           "recorded from here on "
           "cannot be replayed from the start of the scene.");
  }
  history.earlier.assign(done.begin(), done.begin() + long(own ? mark[1] : 0));
  // Parameters are not part of a snapshot: those set since then act from now on.
  for (size_t i = history.earlier.size(); i < done.size(); ++i)
    if (std::holds_alternative<SetParam>(done[i].command))
      history.earlier.push_back({snapshot.step, snapshot.time, done[i].command});
  history.recorded_from = simulation->recorded().size();
  play.pace.restart();
  frames.dirty = true;
}

}  // namespace weft
