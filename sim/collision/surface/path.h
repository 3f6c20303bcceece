// Path of the cloth from one state to the next, recorded for the checker.
#pragma once
#include <vector>

#include "sim/base/math.h"

namespace weft {

/// Corners of the path of a time step: positions of all points (m), the cloth's followed by those of bodies
/// that the method treats as points. Between two corners every point moves in a straight line.
using Path = std::vector<std::vector<dvec3>>;

/// While it lives, steps taken on CPU devices that do not verify replays keep their path in `path`, each in
/// place of the one before; of a step that is made in parts, the last part. One at a time, and on the thread
/// that takes the steps.
class KeepPath {
 public:
  explicit KeepPath(Path& path) { now_ = &path; }
  ~KeepPath() { now_ = nullptr; }
  KeepPath(const KeepPath&) = delete;
  /// nullptr: not recorded.
  static Path* now() { return now_; }

 private:
  static inline Path* now_ = nullptr;
};

}  // namespace weft
