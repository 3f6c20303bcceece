// Calls from other threads: each becomes a task of the simulator's thread.
#include "sim/run/runner.h"

#include "sim/run/runner_impl.h"
#include "sim/scene/model/cloth_mesh.h"

namespace weft {

Runner::Runner(Scene scene, Options options) : impl_(std::make_unique<Impl>(std::move(scene), options)) {}
Runner::~Runner() = default;

void Runner::post(Command command) {
  // Mouse moves arrive constantly and cost little, so they wait for the running step. A changed parameter or
  // a reset may interrupt it: the user is waiting to see the effect.
  const Impl::Patience patience = std::holds_alternative<ResetState>(command) ? Impl::kAtOnce
                                  : std::holds_alternative<SetParam>(command) ? Impl::kForParameter
                                                                              : Impl::kPatient;
  impl_->enqueue([i = impl_.get(), command = std::move(command)] { i->apply(command); }, patience);
}

void Runner::post_at(double time, Command command) {
  impl_->enqueue([i = impl_.get(), time, command = std::move(command)] { i->apply_at(time, command); });
}

void Runner::set_time_limit(double time, bool paused_too) {
  {
    std::lock_guard lock(impl_->mailbox.mutex);
    impl_->play.time_limit = time, impl_->play.to_limit = paused_too;
  }
  impl_->mailbox.wake.notify_all();
}

uint64_t Runner::load(Scene scene) {
  std::lock_guard order(impl_->loads.order);
  impl_->loads.cancelled = impl_->loads.begun;  // nobody waits for an earlier scene any more
  const uint64_t number = ++impl_->loads.begun;
  impl_->enqueue([i = impl_.get(), scene = std::move(scene), number] { i->load(scene, number); },
                 Impl::kAtOnce);
  // A separate task, so that it runs however the load ends, even if the device is lost in it and the next
  // load fails.
  impl_->enqueue([i = impl_.get(), number] { i->loads.ended = number; });
  return number;
}

uint64_t Runner::loads_ended() const { return impl_->loads.ended; }

std::optional<Runner::Work> Runner::loading() const {
  std::lock_guard lock(impl_->mailbox.mutex);
  return impl_->loads.work;
}

void Runner::cancel_loads() {
  std::lock_guard order(impl_->loads.order);
  impl_->loads.cancelled = impl_->loads.begun;
}

void Runner::set_device(DeviceChoice device) {
  impl_->enqueue([i = impl_.get(), device] { i->switch_device(device); }, Impl::kForParameter);
}

void Runner::play() {
  impl_->enqueue([i = impl_.get()] { i->play.pace.restart(); });
  {
    std::lock_guard lock(impl_->mailbox.mutex);
    impl_->play.playing = true;
  }
  impl_->mailbox.wake.notify_all();  // the task above may be finished and the thread asleep again
}

void Runner::pause() {
  {
    std::lock_guard lock(impl_->mailbox.mutex);
    impl_->play.playing = false;
  }
  impl_->mailbox.wake.notify_all();
}

bool Runner::playing() const { return impl_->play.playing; }

double Runner::step_seconds() const {
  std::lock_guard lock(impl_->mailbox.mutex);
  if (!impl_->mailbox.stepping) return 0;
  return std::chrono::duration<double>(Impl::Clock::now() - impl_->mailbox.step_began).count();
}

void Runner::step_once() {
  {
    std::lock_guard lock(impl_->mailbox.mutex);
    impl_->play.playing = false;
    ++impl_->play.single_steps;
  }
  impl_->mailbox.wake.notify_all();
}

void Runner::reset() { post(ResetState{}); }

void Runner::set_pace(Pace pace, double slow_factor) {
  impl_->enqueue([i = impl_.get(), pace, slow_factor] { i->play.pace.set(pace, slow_factor); });
}

void Runner::set_keep_up(KeepUp keep_up) {
  impl_->enqueue([i = impl_.get(), keep_up] { i->play.pace.set_keep_up(keep_up); });
}

void Runner::set_budget(double seconds) {
  impl_->enqueue([i = impl_.get(), seconds] { i->play.budget = float(seconds); });
}

void Runner::set_field(const std::string& name) {
  impl_->enqueue([i = impl_.get(), name] {
    i->frames.dirty |= i->frames.field != name;
    i->frames.field = name;
  });
}

void Runner::set_extras(FrameExtras extras) {
  impl_->enqueue([i = impl_.get(), extras] {
    i->frames.dirty |= !(i->frames.extras == extras);
    i->frames.extras = extras;
  });
}

void Runner::set_frame_exact(bool on) {
  {
    std::lock_guard lock(impl_->mailbox.mutex);
    impl_->play.frame_exact = on;
    impl_->published.released_id = impl_->published.latest->id;
  }
  impl_->enqueue([i = impl_.get()] { i->play.pace.restart(); });
}

void Runner::release_frame(uint64_t frame_id) {
  {
    std::lock_guard lock(impl_->mailbox.mutex);
    impl_->published.released_id = std::max(impl_->published.released_id, frame_id);
  }
  impl_->mailbox.wake.notify_all();
}

std::shared_ptr<const Frame> Runner::latest() const {
  std::lock_guard lock(impl_->mailbox.mutex);
  return impl_->published.latest;
}

std::vector<FrameNumbers> Runner::take_numbers(uint64_t id) {
  std::vector<FrameNumbers> taken;
  std::lock_guard lock(impl_->mailbox.mutex);
  std::deque<FrameNumbers>& all = impl_->published.numbers;
  for (; !all.empty() && all.front().id <= id; all.pop_front()) taken.push_back(std::move(all.front()));
  return taken;
}

void Runner::watch(std::vector<int> vertices) {
  impl_->enqueue([i = impl_.get(), vertices = std::move(vertices)] { i->frames.watched = vertices; });
}

std::shared_ptr<const VerdictRecord> Runner::verdict() const {
  std::lock_guard lock(impl_->mailbox.mutex);
  return impl_->published.verdict;
}

std::shared_ptr<const SceneView> Runner::scene_view() const {
  std::lock_guard lock(impl_->mailbox.mutex);
  return impl_->published.view;
}

Scene Runner::tuned_scene() {
  return impl_->ask([i = impl_.get()] {
    Scene scene = i->simulation->scene_to_save();
    keep_meshes(scene, i->history.start);
    return scene;
  });
}

void Runner::tuned_scene_later(std::function<void(Scene)> take) {
  impl_->enqueue([i = impl_.get(), take = std::move(take)] {
    Scene scene = i->simulation->scene_to_save();
    keep_meshes(scene, i->history.start);
    try {
      take(std::move(scene));
    } catch (const std::exception&) {}
  });
}

HandRecording Runner::hands() {
  return impl_->ask([i = impl_.get()] { return i->hands(); });
}

Scene Runner::initial_scene() {
  return impl_->ask([i = impl_.get()] { return i->history.start; });
}

Snapshot Runner::snapshot() {
  return impl_->ask([i = impl_.get()] { return i->snapshot(); });
}

void Runner::restore(Snapshot snapshot) {
  impl_->enqueue([i = impl_.get(), snapshot = std::move(snapshot)] { i->restore(snapshot); }, Impl::kAtOnce);
}

uint64_t Runner::hash() {
  return impl_->ask([i = impl_.get()] { return i->simulation->hash(); });
}

size_t Runner::device_bytes_in_use() {
  return impl_->ask([i = impl_.get()] { return i->device->bytes_in_use(); });
}

std::vector<std::pair<LogLevel, std::string>> Runner::take_messages() {
  std::lock_guard lock(impl_->mailbox.mutex);
  return std::exchange(impl_->mailbox.messages, {});
}

void Runner::listen(std::shared_ptr<RunListener> listener) {
  impl_->enqueue([i = impl_.get(), listener = std::move(listener)] { i->listen(listener); });
}

void Runner::set_test_delay(double seconds, bool busy) {
  impl_->enqueue([i = impl_.get(), seconds, busy] {
    i->play.test_delay = seconds;
    i->play.test_busy = busy;
  });
}

}  // namespace weft
