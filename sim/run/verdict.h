// Whether a state crosses: cloth with itself, or with a body.
#pragma once
#include <memory>
#include <vector>

#include "sim/run/runner.h"

namespace weft {

class CrossingSearch;

/// Crossings of one state. Exact up to touching within 1e-15 of a triangle's size (crossing_triangles).
struct StateVerdict {
  int step = -1;
  int own = 0, with_bodies = 0;  // triangles of cloth and skins that cross each other; a body. Each once
  std::vector<int> triangles;    // all of them, ascending
  double ms = 0;                 // what it took
  bool crosses() const { return !triangles.empty(); }
};

/// Tests a state on the host: about a microsecond per vertex. Planes are left out, and so
/// are strands and grains, which have no triangles. A frame without positions on the host crosses nowhere.
StateVerdict verdict_of(const Frame& frame, const SceneView& view);
/// The same of the present state; waits for the device.
StateVerdict verdict_of(Simulation& simulation);

/// Tests states of one simulation on its device, with the same answer. Its memory is allocated at once; where
/// there is none, which it says, states are tested on the host.
class DeviceVerdict {
 public:
  explicit DeviceVerdict(Simulation& simulation);
  ~DeviceVerdict();
  /// The present state. Waits for the device.
  StateVerdict operator()(Simulation& simulation);
  /// Of the last state: pairs that rounding on the device left open, and the host decided.
  int open() const;

 private:
  /// Goes on without the device.
  void leave(const Error& fault);
  std::unique_ptr<CrossingSearch> search_;  // nullptr: there is no memory
  std::vector<vec3> bodies_;                // m, where the search has them
};

/// What is known of a run so far, state by state.
class VerdictRecord {
 public:
  /// A state before the last one takes back what was found after it; step 0 begins the record anew.
  void take(StateVerdict verdict);
  const StateVerdict& last() const { return last_; }
  /// First step that was found to cross; -1: none.
  int first_step() const { return first_; }
  long tested() const { return tested_; }
  long crossing() const { return crossing_; }
  double mean_ms() const { return tested_ > 0 ? ms_ / double(tested_) : 0; }

 private:
  StateVerdict last_;
  int first_ = -1;
  long tested_ = 0, crossing_ = 0;
  double ms_ = 0;
};

}  // namespace weft
