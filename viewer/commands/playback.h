// A recorded run for display: the current frame, and that frame as the window draws it. Needs no OpenGL.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "sim/files/run_cache.h"
#include "sim/run/runner.h"

namespace weft {

/// Reason why simulation actions are unavailable while a recorded run is shown.
constexpr const char* kPlaybackReason =
    "This is a recorded run: nothing is simulated. Open a scene to change it.";

class Playback {
 public:
  /// Opens a run cache at its first frame, paused. Throws Error.
  explicit Playback(const std::string& path);

  const std::string& path() const { return source_.path(); }
  const std::vector<std::string>& notices() const { return source_.notices(); }
  const RunInfo& info() const { return source_.info(); }
  std::shared_ptr<const SceneView> view() const { return view_; }
  /// The shown frame: positions exactly as in the file, never interpolated.
  std::shared_ptr<const Frame> frame() const { return frame_; }

  int frame_count() const { return source_.frame_count(); }
  int current() const { return current_; }
  double time(int frame) const { return source_.time(frame); }
  /// Seconds from the first frame's appearance to the end of the last, at speed 1.
  double duration() const { return ends_.back(); }
  /// When a frame ends, in the same seconds.
  double end(int frame) const { return ends_.at(size_t(frame)); }

  bool playing() const { return playing_; }
  /// From the start where the end has been reached.
  void play();
  void pause() { playing_ = false; }
  bool looping() const { return looping_; }
  void set_looping(bool on) { looping_ = on; }
  double speed() const { return speed_; }
  void set_speed(double speed) { speed_ = speed; }
  /// Shows a frame; numbers beyond the ends give the first or last. Throws Error for a damaged one, which is
  /// then not shown.
  void go_to(int frame);
  /// While playing: advances by `seconds` of wall-clock time and shows the due frame. True if another frame
  /// is shown.
  bool advance(double seconds);
  /// While playing: the next frame, however long it lasts. For videos that need every one.
  bool advance_one();

  /// Quantity that colours the cloth. Throws Error for a damaged frame.
  void set_field(const std::string& name);
  /// Why a quantity cannot be shown; empty if it can.
  std::string why_not(const std::string& field) const;

 private:
  void show(int frame);
  void fill_scalar(Frame& out, int frame);
  void place_bodies(Frame& out) const;
  bool at_end();

  RunCacheReader source_;
  std::shared_ptr<const SceneView> view_;
  std::shared_ptr<const Frame> frame_;
  std::vector<double> ends_;      // s from the start, when each frame ends
  RunFrame positions_, earlier_;  // the shown frame; the one before it, for speeds
  int cloth_vertices_ = 0, current_ = -1;
  uint64_t shown_ = 0;   // number of frames shown, which gives each an id
  double position_ = 0;  // s
  bool playing_ = false, looping_ = false, has_rest_ = true;
  double speed_ = 1;
  std::string field_ = "none";  // of vertex_fields()
};

/// Scene data of a recorded run: meshes, and colours and camera of its scene as far as they fit. `first` has
/// the positions of the first frame.
SceneView scene_view_of(const RunInfo& info, const RunFrame& first, const std::string& path);

/// A quad that represents a plane, in its own frame (y is the normal).
mat4 plane_frame(const vec3* quad);

}  // namespace weft
