#include "sim/scene/memory_need.h"

#include <fmt/format.h>

#include "sim/base/error.h"
#include "sim/base/inject.h"
#include "sim/base/log.h"
#include "sim/scene/method_names.h"

namespace weft {
namespace {

// Grids, discs, tubes and strips have 1,200 to 1,290 bytes per vertex, with two triangles to each, and 32 for
// each of the 6 (grids) to 21 (irregular meshes) vertices more that a plate couples than hinges do. What is
// kept per edge goes with the triangles.
constexpr double kPerVertex = 900, kPerTriangle = 350;
// On the way, topology, hinges and rows of the levels lie in host memory: with 100,000 and 400,000 vertices
// the program's largest size is 1.4 times what its device holds.
constexpr double kBuilding = 0.45;

// What methods add: searches, pairs with what is kept for each of them, fold pairs. Measured with the same
// grids, discs, tubes and strips, and in the small scenes of both papers: 3,900 to 5,100 bytes per vertex
// with repulsion, 13,200 to 20,800 with two_way.
constexpr double kRepulsion = 4050, kTwoWay = 17000;

double collision_bytes_per_vertex(const std::string& method) {
  if (method == "repulsion") return kRepulsion;
  if (method == "two_way") return kTwoWay;
  return 0;
}

// What Newton's method has beyond descent: shares of coarse operators (irregular meshes have a quarter more
// than grids), and 3x3 blocks of finite elements. Measured with grids and uniform patterns of 4,000 to
// 100,000 vertices: 660 to 1,220 and 740 to 800 bytes per vertex; 180 more are the elements themselves.
constexpr double kCoarseMeshes = 1000, kBlocks = 950;

double solver_bytes_per_vertex(const Scene& scene) {
  if (solver_names()[size_t(scene.step.solver)] != "newton") return 0;
  return (scene.newton.preconditioner == int(CgPreconditioner::multilevel) ? kCoarseMeshes : 0) +
         (scene.step.elastic_model != int(ElasticModel::springs) ? kBlocks : 0);
}

std::string amount(double bytes) { return bytes < 1e9 ? fmt::format("{:.1f} MB", bytes * 1e-6) : fmt::format("{:.1f} GB", bytes * 1e-9); }

}  // namespace

size_t estimated_bytes(const Scene& scene, int64_t vertices, int64_t triangles) {
  const double method = collision_bytes_per_vertex(collision_names()[size_t(scene.step.collision)]);
  return size_t((kPerVertex + method + solver_bytes_per_vertex(scene)) * double(vertices) + kPerTriangle * double(triangles));
}

void require_memory(const Device& device, const Scene& scene, int64_t vertices, int64_t triangles) {
  if (injected_value("memory", "estimate", 1) == 0) return;
  const double need = double(estimated_bytes(scene, vertices, triangles)) * (device.is_cuda() ? 1 : 1 + kBuilding);
  const double free = double(device.bytes_free());
  const auto told = [&] { return fmt::format("{} vertices need about {} on {}; {} are free", vertices, amount(need), device.name(), amount(free)); };
  if (need > free) throw Error(told(), "cloth", "use a coarser mesh, or close other programs");
  if (need > 0.5 * free && need > 1e8) log_warning("{}", told());
  else if (need > 1e9) log_notice("{}", told());
}

}  // namespace weft
