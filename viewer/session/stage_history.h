// History of the last few hundred steps by stage, for its plot.
#pragma once
#include <deque>
#include <string>
#include <vector>

#include "sim/device/profiler.h"

namespace weft {

/// Stores the times of the stages directly below the whole step (and the remainder) for the last `length`
/// steps.
class StageHistory {
 public:
  explicit StageHistory(size_t length = 240) : length_(length) {}
  /// A new step. `stages` as Profiler::stages gives them: the whole step first, each followed by its parts.
  void add(const std::vector<StageTime>& stages);
  void clear();

  /// Names in order of first appearance; the last is "other" where parts do not add up to the whole.
  const std::vector<std::string>& names() const { return names_; }
  /// One entry per step, oldest first: milliseconds per name (shorter than `names` for steps before a name
  /// appeared).
  const std::deque<std::vector<float>>& steps() const { return steps_; }
  /// Index into `names` of a stage by its path ("step/solve/coarse" belongs to "solve"), else -1.
  int series_of(const std::string& path) const;

 private:
  int index_of(const std::string& name);
  size_t length_;
  std::vector<std::string> names_;
  std::deque<std::vector<float>> steps_;
};

/// The smallest of 1, 2, 5, 10, 20, 50 ... that is not below `value`; for axes.
double nice_ceiling(double value);

}  // namespace weft
