#include "sim/scene/memory_need.h"

#include <fmt/format.h>

#include "sim/base/error.h"
#include "sim/base/inject.h"
#include "sim/base/log.h"

namespace weft {
namespace {

// Measured with grids, discs, tubes and strips: see estimated_bytes.
constexpr double kPerVertex = 700, kPerTriangle = 200, kFixed = 20000;
// Topology, hinges and the levels' rows pass through host memory while they are built.
constexpr double kBuilding = 1.5;

}  // namespace

size_t estimated_bytes(int64_t vertices, int64_t triangles) {
  return size_t(kFixed + kPerVertex * double(vertices) + kPerTriangle * double(triangles));
}

void require_memory(const Device& device, int64_t vertices, int64_t triangles) {
  if (injected_value("memory", "estimate", 1) == 0) return;
  const double need = double(estimated_bytes(vertices, triangles)) * (device.is_cuda() ? 1 : 1 + kBuilding);
  const double free = double(device.bytes_free());
  const auto told = [&] { return fmt::format("{} vertices need about {:.2f} GB on {}; {:.2f} GB are free", vertices, need * 1e-9, device.name(), free * 1e-9); };
  if (need > free) throw Error(told(), "cloth", "use a coarser mesh, or close other programs");
  if (need > 0.5 * free && need > 1e8) log_warning("{}", told());
  else if (need > 1e9) log_notice("{}", told());
}

}  // namespace weft
