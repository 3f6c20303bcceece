// The way that a collision method takes the cloth from one state to the next, for checks of it.
#pragma once
#include <vector>

#include "sim/base/math.h"

namespace weft {

/// Where the path of a time step has its corners: positions of all points (m), the cloth's and behind them those of bodies that are points of the method.
/// Between two corners every point goes straight.
using Path = std::vector<std::vector<dvec3>>;

/// While it lives, steps taken on CPU devices that do not verify replays keep their path in `path`, each in place of the one before; of a step that is made in parts, the last
/// part. One at a time, and on the thread that takes the steps.
class KeepPath {
 public:
  explicit KeepPath(Path& path) { now_ = &path; }
  ~KeepPath() { now_ = nullptr; }
  KeepPath(const KeepPath&) = delete;
  /// nullptr: nobody asks.
  static Path* now() { return now_; }

 private:
  static inline Path* now_ = nullptr;
};

}  // namespace weft
