// Implementation of Runner: the simulator's thread and its data. Not part of the interface.
#pragma once
#include <atomic>
#include <deque>
#include <functional>
#include <future>
#include <limits>

#include "sim/base/error.h"
#include "sim/run/device_loss_backup.h"
#include "sim/run/rewind.h"
#include "sim/run/runner.h"
#include "sim/run/verdict.h"

namespace weft {

struct Runner::Impl {
  using Clock = PaceControl::Clock;
  using Task = std::function<void()>;

  /// What led to the present state.
  struct History {
    Scene start;                        // as loaded
    uint64_t run_id = 0;                // id of the loaded scene, to recognise its own snapshots
    uint64_t loaded = 0;                // number of the load
    std::vector<TimedCommand> earlier;  // commands before the present Simulation's ...
    size_t recorded_from = 0;           // ... which are its own from this one on
    Rewind rewind;
  };
  /// What a run goes on from when its device is lost.
  struct LastGood {
    DeviceLossBackup state;
    Scene stepped;               // of the last step
    bool scene_changed = false;  // since then, which affects the contents of the state from the next step on
    Scene kept, kept_stepped;    // the present one and `stepped`, at the copy in `state`
  };
  /// The simulator's side of frames.
  struct Frames {
    std::string field = "none";  // of vertex_fields(), that they carry
    FrameExtras extras;
    bool dirty = false;                    // something visible changed since the last one
    std::vector<int> watched;              // vertices
    std::weak_ptr<DeviceVerdict> test;     // the simulation's, where states are tested
    std::shared_ptr<StateVerdict> tested;  // of the state that was made last
    std::vector<std::shared_ptr<Frame>> pool;
    uint64_t next_id = 1;
    uint64_t exact_id = 0;  // the last step's, to be released in frame-exact mode
  };
  /// Crossings that the method rules out.
  struct Crossings {
    unsigned promised = 0, seen_at_start = 0;  // promise_bits now; those that were checked at the start
    std::string words, words_at_start;  // in place of the guarantee: when the method began, and at the start
  };
  /// When steps are made.
  struct Play {
    PaceControl pace;
    float budget = 0;  // s, of every step; 0: by the pace
    double test_delay = 0;
    bool test_busy = false;
    bool frame_exact = false;  // under Mailbox::mutex, and so are single_steps and writing step_ends_by
    int single_steps = 0;
    std::atomic<bool> playing{false};
    std::atomic<Clock::time_point> step_ends_by{Clock::time_point::max()};
    double time_limit = std::numeric_limits<double>::infinity();  // s, under Mailbox::mutex, as the next
    bool to_limit = false;                                        // goes there while it is paused, too
    std::deque<std::pair<double, Command>> timed;                 // wait for their time
  };
  /// What the window asks of the simulator's thread, and what that reports. All under `mutex`.
  struct Mailbox {
    mutable std::mutex mutex;
    std::condition_variable wake;
    std::deque<Task> tasks;
    std::optional<int> wanted_step;  // to go to
    std::atomic<bool> stopping = false;
    bool stepping = false;
    // this step was abandoned before: questions now wait for it, or it would never end
    bool given_up = false;
    Clock::time_point step_began;
    std::vector<std::pair<LogLevel, std::string>> messages;
  };
  /// What the window takes. Under Mailbox::mutex.
  struct Published {
    uint64_t released_id = 0;
    std::shared_ptr<const Frame> latest;
    std::shared_ptr<const SceneView> view;
    std::shared_ptr<const RunTimeline> timeline = std::make_shared<RunTimeline>();
    std::shared_ptr<const VerdictRecord> verdict;
    std::deque<FrameNumbers> numbers;
  };
  /// Scenes that are being loaded.
  struct Loads {
    std::mutex order;    // held while a load is given its number and its place in the queue
    uint64_t begun = 0;  // under `order`
    std::atomic<uint64_t> ended{0}, running{0}, cancelled{0};  // running 0: no load runs
    std::optional<Work> work;                                  // of the load
    Clock::time_point seen_at{};                               // when a state of it was last kept
  };

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
  void set_test();
  bool try_step();
  void pause_after(const std::exception& fault);
  void delay_for_test();
  void apply(Command command);
  /// Applies a command, as it is, before the step from `time` on.
  void apply_at(double time, Command command);
  /// The state is as far as `time`, but for the rounding of summed steps.
  bool reached(double time) const;
  void take(const Command& command);
  void load(Scene scene, uint64_t number);
  std::unique_ptr<Simulation> opened(const Scene& scene);
  /// Keeps a state that a load simulates for the window, some ten times a second.
  void see(Simulation& on_the_way);
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

  // --- kept states (runner_history.cpp), on the simulator's thread
  // ------------------------------------------------------
  void keep_state();
  /// Forgets all but the present one.
  void clear_history(const std::string& why);
  /// Drops the states after the one that is shown.
  void go_on();
  void set_methods(int solver, int collision);
  /// Puts a kept state in the place of the present one. Throws Error if that cannot be; it is then unchanged.
  void put_back(const KeptState& kept);
  /// `again`: also where it is the newest state, to which something was done since.
  void go_to(int step, bool again);
  void go_to_grab(int handle);
  std::vector<RunFrame> kept_frames(const std::vector<int>& steps);

  // --- frames (runner_frames.cpp), on the simulator's thread
  // ------------------------------------------------------
  void rebuild_view(bool new_model);
  void publish();
  /// The record with this state, if states are tested.
  std::shared_ptr<const VerdictRecord> verdict(const Frame& frame);
  std::shared_ptr<Frame> free_frame();

  const Options options;
  std::unique_ptr<Device> device;
  std::string device_note;
  std::unique_ptr<FrameRing> ring;  // for `device`
  std::unique_ptr<Simulation> simulation;
  std::shared_ptr<RunListener> listener;  // registered with the device's profiler
  History history;
  LastGood good;
  Frames frames;
  Crossings crossings;
  // --- shared with the window's thread
  Play play;
  Mailbox mailbox;
  Published published;
  Loads loads;

  std::thread thread;
};

}  // namespace weft
