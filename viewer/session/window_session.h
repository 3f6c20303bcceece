// State and actions of the window, apart from drawing: the running simulator, a copy of the scene's
// parameters for the sliders, undo, handles, files. Needs no OpenGL.
#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/run/runner.h"
#include "sim/scene/text/gather_table.h"
#include "sim/scene/text/viewpoint_table.h"
#include "viewer/commands/playback.h"
#include "viewer/interact/body_mover.h"
#include "viewer/interact/drag.h"
#include "viewer/interact/pins.h"
#include "viewer/interact/undo.h"
#include "viewer/render/view_settings.h"
#include "viewer/session/compared_lanes.h"
#include "viewer/session/left_unsolved.h"
#include "viewer/session/window_options.h"

namespace weft {

class Session {
 public:
  /// Starts the simulator with the options' scene. `threads` as in Runner::Options. `tell` shows a message.
  /// Throws Error for a bad override, device or scene.
  /// `show` receives what is seen of the first scene while it is made, and may be empty.
  using Tell = std::function<void(LogLevel, const std::string&)>;
  using Show = std::function<void(const SeenWork&)>;
  Session(const WindowOptions& options, int threads, Tell tell, Show show = {});

  Runner& runner() { return *runner_; }
  const Runner& runner() const { return *runner_; }
  const Frame& frame() const { return *frame_; }
  std::shared_ptr<const Frame> shared_frame() const { return frame_; }
  std::shared_ptr<const SceneView> shared_view() const { return view_; }
  const SceneView& view() const { return *view_; }
  DragController& drag() { return drag_; }
  BodyMover& bodies() { return bodies_; }
  /// Handles as they are drawn.
  std::vector<ShownHandle> shown_handles() const;

  struct News {
    bool frame = false;  // a newer state
    bool model = false;  // another mesh: another scene, or the same one rebuilt
    bool scene = false;  // another scene was opened, or the same file again
    // the camera should be set from it: not if a file was loaded again with an unchanged camera
    bool camera = false;
    bool any() const { return frame || model || scene; }
  };
  /// Collects results and messages of the simulator since the last call. Never waits.
  News refresh();

  /// The recorded run shown instead of a simulation; nullptr: none. frame() and view() are then its own,
  /// play, pause, step_once and reset act on it, and changes of a simulation are refused with a message.
  /// Opening a scene ends it.
  Playback* playback() { return playback_.get(); }
  const Playback* playback() const { return playback_.get(); }
  bool playing() const { return playback_ ? playback_->playing() : runner_->playing(); }
  /// Advances the recorded run by wall-clock time; with `every_frame` by one frame instead. A damaged frame
  /// is reported and pauses it.
  void advance_playback(double seconds, bool every_frame);
  /// Shows a frame of the recorded run. Faults are reported.
  void go_to_frame(int frame);

  // Parameters. The window's copy changes at once, the simulator's between two steps. While another scene is
  // being loaded, changes, pins, undo and new handles are refused with a word: they would meet the one that
  // comes.
  const Scene& scene() const { return *scene_; }
  const ParamTable& params() const { return params_; }
  /// Value when the scene was opened, as text; empty for an unknown key.
  const std::string& original_text(const std::string& key) const;
  /// A slider is pressed, moved and released: one edit to undo, for any number of intermediate values.
  void begin_edit(const std::string& key);
  void edit(const std::string& key, const std::string& text);
  void end_edit();
  bool editing() const { return edit_before_.has_value(); }
  /// Sets one or several at once, as one edit.
  void change(const std::string& label, const std::vector<std::pair<std::string, std::string>>& values);
  /// Number of parameter changes, by which derived data is known to be out of date.
  long revision() const { return revision_; }

  void toggle_pin(int vertex);
  /// The same for several, as one edit (viewer/interact/pins.h).
  void toggle_pins(const std::vector<int>& vertices);
  /// Pins those that are free, or frees those that are pinned, as one edit.
  void set_pins(const std::vector<int>& vertices, bool pin);
  /// Fastens vertices as one, on a handle that stays in place and can be dragged.
  void fasten(const std::vector<int>& vertices);
  /// Other keys of the camera's path, as one edit. The path is the window's own until it is saved.
  void change_camera_path(const std::string& label, std::vector<CameraKey> keys);
  /// The scene's list of gathers, which its file gets; the simulator does not need them.
  void keep_gathers(const std::vector<Gather>& gathers) { scene_->of<GatherList>().list = gathers; }
  /// The scene's list of viewpoints, which its file gets.
  void keep_viewpoints(std::vector<Viewpoint> list) {
    scene_->of<ViewpointList>().list = std::move(list);
    ++revision_;
  }
  /// The light of the picture, which the scene's file gets.
  void keep_light(const ViewSettings& view);
  void undo();
  void redo();
  const UndoStack& history() const { return undo_; }

  /// The kept states of the simulated run. Never null.
  std::shared_ptr<const RunTimeline> timeline() const { return runner_->timeline(); }
  /// Pauses, and shows the kept state of this step, or the last one before it (Runner::go_to).
  void show_step(int step);
  /// The frame, or kept state, before the one that is shown; the first and the last.
  void step_back();
  void go_to_end(bool last);

  void play();
  void pause();
  void toggle_play();
  /// The next state: a kept one while an earlier one is shown, unless something was changed; else a new one.
  void step_once();
  /// Back to the start; handles are released, parameters and pins stay.
  void reset();
  void set_pace(Pace pace, double slow_factor);
  Pace pace() const { return course_.pace; }
  double slow_factor() const { return course_.slow_factor; }
  void set_keep_up(KeepUp keep_up);
  KeepUp keep_up() const { return course_.keep_up; }
  /// What the steps of the shown moments left, where they were ended by a budget.
  const LeftUnsolved& left_unsolved() const { return left_unsolved_; }
  DeviceChoice device_choice() const { return device_choice_; }
  void set_device(DeviceChoice choice);
  void set_field(const std::string& name);
  void set_extras(FrameExtras extras);

  /// Runs with other methods beside this one (ComparedLanes). They end where the scene gets another mesh.
  ComparedLanes& lanes() { return *course_.lanes; }
  const ComparedLanes& lanes() const { return *course_.lanes; }
  /// Adds one of the present scene. All begin anew. Faults are told.
  void compare_with(const LaneSpec& lane);
  void end_comparison();
  /// Goes on with them; once for each picture. `wall`: s since the last one; `by_step`: by one step at a
  /// time.
  void turn_lanes(double wall, bool by_step);

  // Files; faults are reported, not thrown. A scene (TOML), or OBJ files: the first is the cloth, the others
  // are obstacles.
  void open(const std::vector<std::string>& paths);
  /// Text of the user: a file or the name of a shipped scene, followed by --obstacle, --cloth-scale,
  /// --obstacle-scale and --up as on the command line.
  void open_line(const std::string& text);
  /// Opens the scene again if its file was saved since, with its original overrides and bodies unless they
  /// were saved in it; tuned values are replaced by the file's. A broken file is reported and leaves the
  /// running scene.
  void reload_if_saved();
  /// Builds the scene again with this pattern as its garment `cloth`, from its start (Cloth::start; empty: as
  /// before), with the values of all sliders, without pins by hand. Faults are reported and leave the running
  /// scene.
  void sew_again(int cloth, const Pattern& pattern, const std::string& start = {});
  /// Builds the scene again with another description of one of its bodies: its measures, clips or lead-in.
  void set_obstacle(int index, Obstacle changed);
  /// Builds the scene again with edges of its cloths this many times as long, from its start.
  void change_edges(double factor);
  /// What the scene that is being loaded takes its time for; empty without one, or if it is quick.
  std::optional<Runner::Work> loading() const { return loading_.empty() ? std::nullopt : runner_->loading(); }
  /// True while the scene is sewn from a pattern that its file does not have.
  bool pattern_by_hand() const { return by_hand_.pattern; }
  /// Writes a text to this file, or to the next free name, and reports it as `what` ("the pattern").
  void save_text(const std::string& wanted, const std::string& text, const std::string& what);
  /// Writes the tuned scene with pins and this camera, and reports the path.
  void save(const CameraPose& camera);
  /// File that `save` writes: never an existing one, except the open scene or a file that this window wrote
  /// from it.
  std::string save_path() const;
  /// Writes the shown state to the next free name in the current folder, and reports it. `ending`: ".glb",
  /// ".gltf" or ".obj".
  void export_shown(const std::string& ending);
  /// Writes the recorded input beside it, for `weft replay`.
  void save_hands();
  /// The headless equivalent of the changes, without the user's pins: see `pinned_by_hand`.
  std::string command_line(const ViewSettings& view) const;
  /// True if the user pinned or freed vertices and has not reverted that.
  bool pinned_by_hand() const { return !by_hand_.pins.empty(); }
  /// True if a body is not where its script has it.
  bool bodies_by_hand() const;
  size_t hand_pins() const { return by_hand_.pins.size(); }
  /// The scene that `save` would write, with this camera, given to `take` on the simulator's thread between
  /// two steps.
  void tuned_scene_later(const CameraPose& camera, std::function<void(const Scene&)> take);
  /// The arguments that opened the scene.
  const std::vector<std::string>& input() const { return input_; }

 private:
  void open_playback(const std::string& path);
  void show_playback();
  bool refused_in_playback();
  bool refused_while_loading();
  /// Reports why changes are impossible at the moment, if they are.
  bool refused();
  struct Opened {
    Scene scene;  // without overrides
    std::vector<std::string> input;
    std::vector<std::pair<std::string, std::string>> overrides;
    bool again = false;    // the scene that is shown, from its file as an editor has saved it
    bool by_hand = false;  // the scene that is shown, with a pattern changed in the window
  };
  void remember_original(Opened opened);
  void take_saved(Scene tuned);
  /// Bodies that were moved by hand stay there in a scene that is built again.
  void settle_bodies(Scene& scene) const;
  void load(Opened opened);
  /// Gives a scene of the simulator what only the window has: camera path, gathers, light.
  void add_own(Scene& tuned) const;
  bool arrived(const SceneView& view) const { return loading_.count(view.load) > 0; }
  /// True if the camera should be set from the new scene.
  bool take_loaded();
  void adopt(const Scene& scene);
  void carry_out(const std::vector<Command>& commands);
  /// Sends a command to all runs.
  void post(const Command& command) { course_.lanes->post(command); }
  /// Tells that the past cannot be shown, if runs are compared.
  bool refused_while_comparing();
  /// Tells that nothing can be changed while a run to compare with is being made, if one is.
  bool refused_while_making();
  /// Sends a command of the mouse on the cloth; a new handle can be undone.
  void post_of_drag(Command command);
  void set_local(const std::string& key, const std::string& text);
  void watch_file();
  std::string tuned_name() const;
  bool own_file(const std::string& path) const;
  std::string free_name(std::string path) const;
  /// Writes a file of this name, or of the next free one, and returns it.
  std::string write_file(const std::string& wanted, const std::function<void(const std::string&)>& write);

  Tell tell_;
  std::unique_ptr<Runner> runner_;
  std::unique_ptr<Playback> playback_;
  bool playback_opened_ = false;  // since the last refresh
  std::shared_ptr<const Frame> frame_;
  std::shared_ptr<const SceneView> view_;
  std::unique_ptr<Scene> scene_;  // the window's copy; params_ points into it
  ParamTable params_;
  Scene original_;  // as opened, without overrides
  std::map<std::string, std::string> original_texts_;
  std::vector<std::string> input_;
  std::vector<std::pair<std::string, std::string>> overrides_;
  std::map<uint64_t, Opened> loading_;  // by Runner::load's numbers
  // files, and the input of the scene that they were written from
  std::map<std::string, std::vector<std::string>> written_;
  bool error_heard_ = false;  // the sliders may show a value that the simulator refused
  UndoStack undo_;
  std::optional<std::pair<std::string, std::string>> edit_before_;  // key, text
  bool refusal_told_ = false;                                       // for the held slider
  struct {
    bool pattern = false;
    std::set<int> pins;
  } by_hand_;
  DragController drag_;
  BodyMover bodies_;
  long revision_ = 0;
  struct {
    Pace pace = Pace::real_time;
    double slow_factor = 0.1;
    KeepUp keep_up;
    std::unique_ptr<ComparedLanes> lanes;
  } course_;
  LeftUnsolved left_unsolved_;
  DeviceChoice device_choice_;
  std::string field_ = "none";  // that colours cloth
  FrameExtras extras_;
  std::filesystem::file_time_type file_time_;
};

}  // namespace weft
