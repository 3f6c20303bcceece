#include "sim/run/device_loss_backup.h"

#include <algorithm>
#include <utility>

#include "sim/base/inject.h"

namespace weft {
namespace {
constexpr auto kInterval = std::chrono::seconds(1);
}

bool DeviceLossBackup::wanted(const Device& device) { return device.is_cuda() || injected("lost"); }

bool DeviceLossBackup::due(const Device& device, int step) const {
  if (!wanted(device)) return false;
  if (!last_) return true;
  if (injected("lost")) return step % std::max(1, int(injected_value("lost", "every", 10))) == 0;
  return std::chrono::steady_clock::now() - kept_ >= kInterval;
}

void DeviceLossBackup::keep(Snapshot snapshot) {
  last_ = std::move(snapshot);
  kept_ = std::chrono::steady_clock::now();
}

}  // namespace weft
