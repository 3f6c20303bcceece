// How far to go along a Newton step.
#pragma once
#include "sim/solvers/newton/newton_system.h"

namespace weft {

/// Full steps where they lower the energy enough, else the best of some shorter ones; decided on the device.
class LineSearch {
 public:
  explicit LineSearch(Device& device)
      : device_(device),
        sums_(device, "line search sums", 16),
        length_(device, "step length", 1),
        look_(device, "line search", 1) {}
  /// Room for what the system's energies consist of; before the step.
  void prepare(const StepContext&, const NewtonSystem&);
  /// Chooses the share of `p` to take from the system's displacement.
  void run(StepContext&, NewtonSystem&, Span<const vec3> p);
  Span<const float> length() const { return length_; }
  /// Energy beyond its slope after each share of the step (newton::step_length) that was tried, and after
  /// those minus the slope. For tests; waits for the device.
  std::vector<float> sums() const { return sums_.download(); }
  /// sums[i] for share number i of the step.
  void evaluate(StepContext&, NewtonSystem&, Span<const vec3> p, int i);

 private:
  Device& device_;
  Buffer<float> merit_, sums_, length_;
  Buffer<int> look_;
};

}  // namespace weft
