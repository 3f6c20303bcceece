// A running scene as Python steps it: one caller at a time, whatever thread it is on.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sim/files/frame_writer.h"
#include "sim/run/simulation.h"
#include "tests/safety/crossings.h"
#include "tests/safety/paths.h"
#include "viewer/gl/image.h"
#include "viewer/python/script_scene.h"
#include "viewer/render/view_settings.h"

namespace weft {

/// What the exact checker finds in a state and, if asked, on the straight path to it.
struct ScriptCheck {
  check::Crossings state;
  std::vector<check::PathContact> path;
  bool path_checked = false;
  bool clean() const { return state.clean() && path.empty(); }
};

/// A file that receives every state, until it is closed. For any thread.
class ScriptRecording {
 public:
  /// Throws Error where the file cannot be written.
  ScriptRecording(const std::string& path, const RunInfo& info) : writer_(make_frame_writer(path, info)) {}
  /// Does nothing after `close`. Throws Error.
  void frame(const RunFrame& frame);
  /// Completes the files; a second call does nothing. Throws Error.
  void close();
  bool open() const;
  /// States that were written.
  int frames() const;

 private:
  mutable std::mutex mutex_;
  std::unique_ptr<FrameWriter> writer_;
  int frames_ = 0;
};

/// A Simulation with its device and the files that its scene needs. Every member waits for its turn, so that
/// any thread may call; a call from within a call on the same thread throws Error.
class ScriptRun {
 public:
  /// Builds the scene. Throws Error where the device or something in the scene is not available, and
  /// Interrupted where `give_up` says so.
  ScriptRun(const ScriptScene& scene, const std::string& device, int threads,
            const std::function<bool()>& give_up);
  ~ScriptRun();

  /// The right to use the simulation while it lives.
  class Turn {
   public:
    explicit Turn(ScriptRun& run);
    ~Turn();
    Turn(const Turn&) = delete;
    Simulation* operator->() const { return run_.simulation_.get(); }
    Simulation& operator*() const { return *run_.simulation_; }

   private:
    ScriptRun& run_;
  };

  /// One time step; the open recordings receive its state. Throws as Simulation::step does, and the Error of
  /// a recording that cannot be written: the step was made then, and that recording receives no more.
  void step(const std::function<bool()>& give_up);
  /// Applies a command. Throws Error for an invalid one; nothing changes then.
  void apply(const Command& command);
  /// Makes a handle and returns its number.
  int grab(GrabBegin grab);
  int grab(GrabVertices grab);

  /// All parts and then all bodies, in the order of every export, m.
  std::vector<vec3> world_positions();
  /// Exact crossings of the present state, bodies where they are, planes left out; `since`: world_positions
  /// of an earlier state, and then contacts on the straight path from there too. Throws Error for a list of
  /// another length.
  ScriptCheck check(const std::vector<vec3>& since);
  /// Writes the present state by the file's ending (make_frame_writer). Throws Error.
  void export_state(const std::string& path);
  /// Writes the present state and those of the steps to come.
  std::shared_ptr<ScriptRecording> record(const std::string& path);
  /// A picture without a display, by the scene's camera unless `pose` says otherwise. Throws Error where
  /// there is no OpenGL.
  Image picture(ivec2 size, const ViewSettings& view, const std::optional<CameraPose>& pose);

  /// A copy of the scene as it is tuned, with pins and moved bodies.
  ScriptScene scene();
  /// The number of a body by its name. Throws Error.
  int body(const std::string& name);

 private:
  RunInfo info();
  std::shared_ptr<ScratchFolder> files_;
  std::unique_ptr<Device> device_;
  std::unique_ptr<Simulation> simulation_;
  std::mutex mutex_;
  std::atomic<std::thread::id> user_;
  std::vector<std::shared_ptr<ScriptRecording>> recordings_;
  int last_handle_ = 0;
};

/// One step's numbers: those of a row of `--csv`, by its names.
std::vector<std::pair<std::string, double>> step_numbers(Simulation& simulation);

}  // namespace weft
