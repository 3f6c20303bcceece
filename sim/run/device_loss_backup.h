// A copy of the state on the host, for the case that the device is lost.
#pragma once
#include <chrono>
#include <optional>

#include "sim/device/device.h"
#include "sim/scene/model/state.h"

namespace weft {

/// Keeps the newest copy of the state. On CUDA one copy per second of wall time, so that at most that second
/// is lost; a copy costs 40 bytes per vertex over the bus and in memory (about 1 % of the time with a million
/// vertices, not measurable with ten thousand). A CPU device is never lost, and nothing is kept.
class DeviceLossBackup {
 public:
  /// True if a copy is due after this step. With the injected fault "lost": before step 1 and every 10 steps
  /// (its key `every`), on any device.
  bool due(const Device& device, int step) const;
  /// True if this device can be lost.
  static bool wanted(const Device& device);
  void keep(Snapshot snapshot);
  void forget() { last_.reset(); }
  const std::optional<Snapshot>& last() const { return last_; }

 private:
  std::optional<Snapshot> last_;
  std::chrono::steady_clock::time_point kept_;
};

}  // namespace weft
