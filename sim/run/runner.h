// The simulator on its own thread. The window posts commands and takes finished frames; neither waits for the
// other.
#pragma once
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "sim/base/log.h"
#include "sim/device/frame_ring.h"
#include "sim/files/run.h"
#include "sim/run/frame_extras.h"
#include "sim/run/pace.h"
#include "sim/run/run_timeline.h"
#include "sim/run/simulation.h"

namespace weft {

/// Pairs in contact, and active samples, that one frame carries at most.
constexpr int kMostPairs = 20000, kMostSamples = 20000;

/// The numbers of a published state.
struct FrameNumbers {
  uint64_t id = 0;
  uint64_t model_id = 0;  // changes when topology changes (another scene)
  int step = 0;
  double time = 0;
  StepStats stats;
  int collision = 0;  // the method of the last step: index into collision_methods()
  std::vector<StageTime> stages;
  int launches = 0;
  double steps_per_second = 0, real_time_factor = 0;
  float handle_force = 0;                     // N, of the handle that pulls most
  std::vector<std::pair<int, vec3>> watched;  // vertices of Runner::watch, m; none without a host copy
};

/// A published state. Its vertices are on the host, or in GPU memory and, on request, on the host too.
struct Frame : FrameVertices, FrameNumbers {
  std::string field = "none";  // of vertex_fields(): contents of `scalar`
  std::vector<HandleView> handles;
  std::vector<ObstacleView> obstacles;
  /// One per obstacle mesh where bodies change their shape: positions that take the mesh's place, nullptr for
  /// the mesh's own.
  std::vector<std::shared_ptr<const std::vector<vec3>>> obstacle_positions;
  std::vector<int> pinned;
  std::vector<HandPin> hand_pins;            // those of them that the user pinned
  float ground_height = 0;                   // m
  std::vector<ContactPair> contact_pairs;    // on request; at most kMostPairs
  std::vector<ActiveSample> active_samples;  // on request; at most kMostSamples
  std::vector<std::string> remarks;          // Simulation::collision_remarks
  bool too_slow = false;                     // real time was requested and cannot be kept
};

/// Data that changes only with the scene: made once per scene, shared with the window.
struct SceneView {
  uint64_t model_id = 0;
  uint64_t load = 0;  // number of the Runner::load that loaded this scene; 0: the Runner's first
  Scene scene;
  std::vector<ivec3> triangles;
  std::vector<ivec2> edges;
  std::vector<ivec4> cells;  // of solids, as Topology has them, as the next
  std::vector<ivec2> lines;
  std::vector<vec2> uv;
  std::vector<vec3> rest;
  std::vector<ModelPart> parts;
  std::vector<TriMesh> obstacle_meshes;
  std::string device_name, device_note, guarantee;
  std::vector<std::string> notices;
};

/// A state on the way to a scene: garments that are being put on. Its vertices are on the host.
struct SeenWork {
  std::shared_ptr<const SceneView> view;
  std::shared_ptr<const Frame> frame;
  bool operator==(const SeenWork&) const = default;
};

/// The same views of a Simulation that is stepped without a Runner: for headless runs and tests. `fill_frame`
/// sets all but
/// `id`, `model_id` and the pace; the frame's vectors keep their capacity from call to call. `ring` is of the
/// simulation's device; `host_copy` matters on CUDA only.
SceneView scene_view_of(Simulation& simulation, const std::string& device_note = {});
void fill_frame(Simulation& simulation, const std::string& field, FrameRing& ring, bool host_copy,
                Frame& frame, FrameExtras extras = {});

/// Receives the steps, and the statistics of every published state. Called on the simulator's thread.
class RunListener : public StepListener {
 public:
  virtual void published(const StepStats& stats) = 0;
};

class VerdictRecord;

/// Owns device, simulation and thread. All members may be called from the window's thread. Requests are
/// carried out in order, between steps. On a CPU a long step is abandoned for some of them and repeated
/// afterwards: at once for requests that discard its state, after a second for parameters, after 0.3 s (and
/// once at most) for answers that a caller waits for.
class Runner {
 public:
  struct Options {
    DeviceChoice device = DeviceChoice::automatic;
    int threads = 0;        // 0: all; the window passes cores - 1 when OpenGL runs in software
    bool host_copy = true;  // always fill Frame's vectors (CUDA)
    /// Begins the run of a scene that was loaded (open_simulation in sim/dressing/dress.h), and shows what it
    /// simulates for that; empty: the scene is run as it is.
    using See = std::function<void(Simulation&)>;
    std::function<std::unique_ptr<Simulation>(Scene, Device&, const See&)> open;
    /// Receives what is seen of the first scene, on the thread that waits for it; may be empty.
    std::function<void(const SeenWork&)> show;
  };
  /// Builds the scene (waits for it) and stays paused. Throws Error if device or scene are unavailable.
  Runner(Scene scene, Options options);
  ~Runner();

  /// Applies a command before the next step. An invalid one changes nothing and is reported in
  /// `take_messages`. Sets GrabMove::speed_factor while it plays, by the pace of the last second.
  void post(Command command);
  /// The same before the first step that begins at this simulated time (s) or after, at once where the state
  /// is that far. Waiting ones are dropped by a reset, another scene and a state that is put back. GrabMove
  /// keeps its speed factor: runs that are compared get the same.
  void post_at(double time, Command command);
  /// While it plays, makes no step from this simulated time (s) on; infinity, as at first: none is left out.
  /// `paused_too`: it goes on to the limit also while it is paused, and waits for no frame to be released; a
  /// step that fails ends that until the next call.
  void set_time_limit(double time, bool paused_too = false);
  /// Swaps in another scene between steps. A scene that fails to build leaves the old one running; the error
  /// is in
  /// `take_messages`. Returns the number of this load, larger than those before, by which its scene is known
  /// (SceneView::load).
  uint64_t load(Scene scene);
  /// All loads up to this number are finished: their scenes were shown, or could not be built. Call before
  /// `scene_view`, which then includes them.
  uint64_t loads_ended() const;
  /// What a load does at the moment ("remeshing cloth shirt"), and its share, 0 to 1; empty where nothing
  /// takes long.
  struct Work {
    std::string what;
    double share = 0;
    SeenWork seen;  // may be empty
  };
  std::optional<Work> loading() const;
  /// Ends the loads that have begun; their scenes are not shown.
  void cancel_loads();
  /// Moves the running state to another device. On failure the old one continues and the reason is reported.
  void set_device(DeviceChoice device);
  /// A step that fails pauses and reports; the state is then the last good one.
  void play();
  void pause();
  bool playing() const;
  /// How long the step that is being made has taken so far, s; 0: none is being made.
  double step_seconds() const;
  /// Pauses and makes one step.
  void step_once();
  /// Back to the start; parameters and pins stay.
  void reset();
  void set_pace(Pace pace, double slow_factor = 0.1);
  /// Of the steps that are made while it plays, unless each is waited for (set_frame_exact). Until this is
  /// called all steps are made as the scene says.
  void set_keep_up(KeepUp keep_up);
  /// Wall-clock time that each step may take, dragged or not, s: its solver ends then
  /// (Simulation::set_budget). 0, as at first: as pace and scene say.
  void set_budget(double seconds);
  void set_field(const std::string& name);
  void set_extras(FrameExtras extras);
  /// What was found in states of this scene, with FrameExtras::verdict; nullptr: nothing was tested.
  std::shared_ptr<const VerdictRecord> verdict() const;
  /// Frame-exact mode: after each step the simulator waits until `release_frame` is called for its frame or a
  /// later one. The pace is then that of the caller.
  void set_frame_exact(bool on);
  void release_frame(uint64_t frame_id);

  /// Latest finished frame; the same pointer until a newer one is there. Never null after the first build.
  std::shared_ptr<const Frame> latest() const;
  /// The numbers of all states that were published since the last call, up to frame `id`, oldest first; of
  /// more than kMostNumbers the newest.
  static constexpr size_t kMostNumbers = 2000;
  std::vector<FrameNumbers> take_numbers(uint64_t id);
  /// The vertices whose positions are among those numbers from now on.
  void watch(std::vector<int> vertices);
  std::shared_ptr<const SceneView> scene_view() const;
  /// The scene with all changes and the user's pins, as Ctrl-S writes it.
  Scene tuned_scene();
  /// The same without waiting: `take` is called on the simulator's thread between two steps, and never if
  /// the runner ends before. What it throws is lost.
  void tuned_scene_later(std::function<void(Scene)> take);
  /// Commands since the scene was loaded. `scene_path` is empty for a scene without a file; save
  /// `initial_scene` then.
  HandRecording hands();
  /// The scene as it was loaded.
  Scene initial_scene();
  /// Takes a snapshot between two steps and waits for it.
  Snapshot snapshot();
  void restore(Snapshot snapshot);
  /// The states that are kept of this run, and which of them is shown. Never null.
  std::shared_ptr<const RunTimeline> timeline() const;
  /// Shows the kept state of this step, or the last one before it, in the place of the present one. The later
  /// ones stay until a step is made or something but a parameter is changed: the run then goes on from here.
  /// Parameters stay as they are set. Of several calls that wait only the last counts.
  void go_to(int step);
  /// The same with the state in which a handle was begun (GrabBegin, GrabVertices).
  void go_to_grab(int handle);
  /// Memory for kept states; 0, as at first: none are kept.
  void set_history_budget(size_t bytes);
  /// The kept states of these steps as frames of a file, in order. Waits; throws Error where one is no longer
  /// kept. For any thread.
  std::vector<RunFrame> kept_frames(const std::vector<int>& steps);
  /// What a file says about the run of those frames, with the present values of the parameters.
  RunInfo run_info();
  /// Hash of the whole state, between two steps.
  uint64_t hash();
  /// Bytes that the present device holds for this simulation.
  size_t device_bytes_in_use();
  /// Errors, warnings and notices since the last call, including a warning for a start that crosses although
  /// the collision method is free of crossings.
  std::vector<std::pair<LogLevel, std::string>> take_messages();
  /// Reports all later steps to `listener`, on any device; nullptr: to none.
  void listen(std::shared_ptr<RunListener> listener);
  /// For tests of responsiveness: every step sleeps (or, with `busy`, computes) this long.
  void set_test_delay(double seconds, bool busy);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft
