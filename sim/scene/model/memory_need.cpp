#include "sim/scene/model/memory_need.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/error.h"
#include "sim/base/inject.h"
#include "sim/base/log.h"
#include "sim/scene/scene.h"

namespace weft {
namespace {

// Grids, discs, tubes and strips have 1,200 to 1,290 bytes per vertex, with two triangles to each, and 32 for
// each of the 6 (grids) to 21 (irregular meshes) vertices more that a plate couples than hinges do. What is
// kept per edge goes with the triangles. Coarser meshes and stencils of descent are among these; a solver
// without them tells a number below 0.
constexpr double kPerVertex = 900, kPerTriangle = 350;
// While building, topology, hinges and rows of the levels are in host memory: with 100,000 and 400,000
// vertices the peak of the process is 1.4 times the device memory.
constexpr double kBuilding = 0.45;

double bytes_per_vertex(const MethodInfo& method, const Scene& scene) {
  return method.bytes_per_vertex ? method.bytes_per_vertex(scene) : 0;
}

std::string amount(double bytes) {
  return bytes < 1e9 ? fmt::format("{:.1f} MB", bytes * 1e-6) : fmt::format("{:.1f} GB", bytes * 1e-9);
}

}  // namespace

size_t estimated_bytes(const Scene& scene, int64_t vertices, int64_t triangles) {
  const double methods =
      bytes_per_vertex(collision_info(scene), scene) + bytes_per_vertex(solver_info(scene), scene);
  return size_t(std::max(0.0, (kPerVertex + methods) * double(vertices) + kPerTriangle * double(triangles)));
}

void require_memory(const Device& device, const Scene& scene, int64_t vertices, int64_t triangles) {
  if (injected_value("memory", "estimate", 1) == 0) return;
  const double need =
      double(estimated_bytes(scene, vertices, triangles)) * (device.is_cuda() ? 1 : 1 + kBuilding);
  const double free = double(device.bytes_free());
  const auto told = [&] {
    return fmt::format("{} vertices need about {} on {}; {} are free", vertices, amount(need), device.name(),
                       amount(free));
  };
  if (need > free) throw Error(told(), "cloth", "use a coarser mesh, or close other programs");
  if (need > 0.5 * free && need > 1e8) log_warning("{}", told());
  else if (need > 1e9) log_notice("{}", told());
}

}  // namespace weft
