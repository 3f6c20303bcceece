// Implementation of Runner: the simulator's thread and its data. Not part of the interface.
#pragma once
#include <atomic>
#include <deque>
#include <functional>
#include <future>

#include "sim/base/error.h"
#include "sim/run/device_loss_backup.h"
#include "sim/run/runner.h"

namespace weft {

struct Runner::Impl {
  using Clock = PaceControl::Clock;
  using Task = std::function<void()>;

  explicit Impl(Scene scene, Options options);
  ~Impl();

  // --- called from the window's thread
  // ---------------------------------------------------------------------------
  /// How long a step may have been running before it is given up for a task that waits: it is made again
  /// after that.
  using Patience = std::chrono::milliseconds;
  static constexpr Patience kPatient = std::chrono::hours(10000), kAtOnce{0}, kForParameter{1000},
                            kForQuestion{300};
  void enqueue(Task task, Patience patience = kPatient);
  /// Runs `question` on the simulator's thread and waits for its answer; exceptions come through.
  template <class Question>
  auto ask(Question question) {
    using Answer = decltype(question());
    auto answer = std::make_shared<std::promise<Answer>>();
    auto future = answer->get_future();
    enqueue(
        [answer, question] {
          try {
            answer->set_value(question());
          } catch (const DeviceLost&) {
            throw;  // repeated on the next device (run_tasks)
          } catch (...) {
            answer->set_exception(std::current_exception());
          }
        },
        kForQuestion);
    return future.get();
  }

  // --- the simulator's thread
  // -------------------------------------------------------------------------------------
  void main(Scene scene, std::promise<void> built);
  /// Runs the queued tasks. False when the thread should end.
  bool run_tasks();
  /// Sleeps until the next step is due or a task arrives. True if a step should be made now.
  bool wait_for_step();
  void make_step();
  bool try_step();
  void pause_after(const std::exception& fault);
  void delay_for_test();
  void apply(Command command);
  void load(Scene scene, uint64_t number);
  std::unique_ptr<Simulation> opened(const Scene& scene);
  void end_work();
  void switch_device(DeviceChoice choice);
  /// Continues with a simulation on another device.
  void move_to(std::unique_ptr<Device> new_device, std::unique_ptr<FrameRing> new_ring,
               std::unique_ptr<Simulation> moved, const std::string& note);
  /// Continues on the CPU from the last good state on the host.
  void recover(const DeviceLost& fault);
  /// Builds the present scene on another device, in the last good state. If the copy is older than a change
  /// of method, or of another parameter that determines the contents of a state, the scene is made as it was
  /// at the copy, and later changes are applied again. If nothing fits, `restored` stays false and the scene
  /// starts from the beginning.
  std::unique_ptr<Simulation> rescued(Device& on, bool& restored);
  /// Sets all parameters as a scene has them; one that cannot be set is reported.
  void set_parameters(Simulation& of, const Scene& as);
  /// Copies the state to the host if the last copy is old (device_loss_backup.h), or `now`.
  void keep_good(bool now);
  void listen(std::shared_ptr<RunListener> wanted);
  void report(LogLevel level, const std::string& text);
  void restore(const Snapshot& snapshot);
  /// The simulation is in the state of a snapshot now: cuts back the commands that led to the one before.
  void take_up(const Snapshot& snapshot);
  static uint64_t new_run_id();
  /// Warns about crossings that the method rules out; checks only what is guaranteed now and was not before
  /// (`fresh`: everything).
  void look_for_crossings(bool fresh);
  Snapshot snapshot();
  /// Everything done since the scene was loaded, in order.
  std::vector<TimedCommand> commands() const;
  HandRecording hands();

  // --- frames (runner_frames.cpp), on the simulator's thread
  // ------------------------------------------------------
  void rebuild_view(bool new_model);
  void publish();
  std::shared_ptr<Frame> free_frame();

  const Options options;
  std::unique_ptr<Device> device;
  std::string device_note;
  std::unique_ptr<FrameRing> ring;  // for `device`
  std::unique_ptr<Simulation> simulation;
  Scene start_scene;                           // as loaded
  uint64_t run_id = 0;                         // id of the loaded scene, to recognise its own snapshots
  uint64_t loaded = 0;                         // number of the load
  std::vector<TimedCommand> earlier_commands;  // done before the present Simulation's ...
  size_t recorded_from = 0;                    // ... commands from this one on
  std::shared_ptr<RunListener> listener;       // registered with the device's profiler
  DeviceLossBackup rescue;
  // scene of the last step; changes since then affect the contents of the state from the next step on
  Scene stepped_scene;
  bool scene_changed = false;            // since then
  Scene kept_scene, kept_stepped_scene;  // the present one and that, at the copy in `rescue`
  PaceControl pace;
  std::string field = "none";  // that frames carry
  FrameExtras extras;
  // crossings that the method rules out (promise_bits), and those that were checked at the start
  unsigned promised = 0, start_seen = 0;
  // replaces the guarantee: crossings when the method began, and at the start
  std::string crossed, start_crossed;
  bool dirty = false;  // something visible changed since the last frame
  std::vector<std::shared_ptr<Frame>> pool;
  uint64_t next_frame_id = 1;
  uint64_t exact_frame_id = 0;  // the last step's frame, to be released in frame-exact mode
  double test_delay = 0;
  bool test_busy = false;

  // --- shared, under `mutex`
  // --------------------------------------------------------------------------------------
  mutable std::mutex mutex;
  std::condition_variable wake;
  std::deque<Task> tasks;
  std::atomic<bool> stopping = false;
  bool stepping = false;
  // this step was abandoned before: questions now wait for it, or it would never end
  bool given_up = false;
  Clock::time_point step_began;
  bool frame_exact = false;
  int single_steps = 0;
  uint64_t released_id = 0;
  std::shared_ptr<const Frame> latest;
  std::shared_ptr<const SceneView> view;
  std::vector<std::pair<LogLevel, std::string>> messages;
  // held while a load is given its number and its place in the queue
  std::mutex load_order;
  uint64_t loads_begun = 0;  // under `load_order`
  // loading_number 0: no load runs
  std::atomic<uint64_t> loads_ended{0}, loading_number{0}, loads_cancelled{0};
  std::optional<Work> work;  // of the load
  std::atomic<bool> playing{false};
  std::atomic<Clock::time_point> step_ends_by{Clock::time_point::max()};  // written under `mutex`

  std::thread thread;
};

}  // namespace weft
