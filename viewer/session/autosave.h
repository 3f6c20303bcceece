// Sliders and pins of a window that ended without closing, for instance with its display.
#pragma once
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace weft {

class Session;
struct CameraPose;

/// Writes the tuned scene to a file of this process in `folder`, some seconds after each change; removes it
/// when the window closes.
class Autosave {
 public:
  /// `folder` empty: nothing is written. `interval`: s between two writes.
  explicit Autosave(std::string folder, double interval = 10);
  ~Autosave();
  Autosave(const Autosave&) = delete;

  /// $XDG_STATE_HOME/weft or ~/.local/state/weft; empty where there is neither.
  static std::string default_folder();
  /// Files in the folder whose windows are gone, each under a new name that no window uses; to be told.
  std::vector<std::string> left_behind() const;
  /// Call in every turn of the loop. Writes at most once in the interval, and only what has changed.
  void turn(Session& session, const CameraPose& camera);

 private:
  /// Shared with what the simulator's thread writes later.
  struct File {
    std::mutex mutex;
    std::string path;
    bool closed = false;
  };
  std::string folder_;
  double interval_;
  std::shared_ptr<File> file_;
  long revision_ = -1;  // of what was written, or of the scene as it was opened
  size_t pins_ = 0;
  std::string scene_;  // whose revision it is
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace weft
