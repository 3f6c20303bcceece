// A copy of the state on the host, for the case that the device is lost.
#pragma once
#include <chrono>
#include <optional>

#include "sim/device/device.h"
#include "sim/scene/state.h"

namespace weft {

/// Keeps the newest of the copies that it is given. On CUDA one per second of wall time: that second is the most that is
/// lost, and the copy costs 40 bytes per vertex over the bus and as many bytes of memory (about 1 % of the time with a
/// million vertices, nothing that can be measured with ten thousand). A CPU is never lost, and nothing is kept.
class DeviceLossBackup {
 public:
  /// Whether a copy should be made after this step. With the injected fault "lost": before step 1 and every 10 steps
  /// (its key `every`), on any device.
  bool due(const Device& device, int step) const;
  /// Whether this device can be lost at all.
  static bool wanted(const Device& device);
  void keep(Snapshot snapshot);
  void forget() { last_.reset(); }
  const std::optional<Snapshot>& last() const { return last_; }

 private:
  std::optional<Snapshot> last_;
  std::chrono::steady_clock::time_point kept_;
};

}  // namespace weft
