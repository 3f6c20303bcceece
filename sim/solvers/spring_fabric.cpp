#include "sim/solvers/spring_fabric.h"

#include <algorithm>

#include "sim/scene/weave_springs.h"

namespace weft {
namespace {

constexpr float kElementMargin = 1.5f;  // springs have neither the triangles' shear nor their stiffness while they turn
constexpr float kNeverLocks = 1e6f;     // stretch; small enough to stay finite in products

const FabricParams& fabric_at(const StepContext& c, int vertex) {
  return c.scene.cloths[size_t(c.model.host.vertex_cloth[size_t(vertex)])].fabric;
}

}  // namespace

float spring_modulus(const StepContext& c, int v, int w, bool stands_in) {
  const FabricParams& f = fabric_at(c, v);
  if (ElasticModel(c.scene.step.elastic_model) == ElasticModel::springs)
    return f.stretch_stiffness * WeaveSprings(f).factor(c.model.host.uv[size_t(w)] - c.model.host.uv[size_t(v)]);
  // Springs stand in for the tangent of finite elements on the fine level and must bound it: the stiffest mode of
  // the lattice (Poisson ratio 1/3) is 3/2 Y, that of the sheet Y / (1 - nu) in dilation and Y / (1 + nu) in shear
  // against 3/4 Y.
  const float nu = f.poisson_ratio, scale = std::max(1 / (1.5f * (1 - nu)), 1 / (0.75f * (1 + nu)));
  return std::max(f.stretch_stiffness, f.weft_stiffness) * (stands_in ? kElementMargin * scale : 1.0f);
}

float lock_begin(const StepContext& c, int v) {
  const FabricParams& f = fabric_at(c, v);
  const float strain = f.strain_limit > 0 ? f.strain_limit : kNeverLocks, most = c.stretch_limit > 1 ? c.stretch_limit - 1 : kNeverLocks;
  return 1 + 0.5f * std::min(strain, most);
}

}  // namespace weft
