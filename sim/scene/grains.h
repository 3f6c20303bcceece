// Grains of a scene: sand, beads and balls too many for bodies, simulated with the cloth as points with a
// radius.
#pragma once
#include <string>
#include <vector>

#include "sim/scene/scene.h"

namespace weft {

enum class GrainShape { box, file };

struct GrainParams {
  bool operator==(const GrainParams&) const = default;
  GrainParams();
  std::string name = "sand";
  GrainShape shape = GrainShape::box;
  std::string file;       // .obj: a closed surface that is filled
  vec3 size{0.1f};        // m, extents of a box
  float radius = 0.006f;  // m, of a grain
  float spacing = 0;      // m between neighbours at the start; 0: 2.3 radii and two millimetres
  Placement placement;
  vec3 velocity{0};      // m/s at the start
  float density = 1600;  // kg/m³, of a grain
  // what a grain has of a fabric: friction, thickness (its diameter) and look; it resists nothing
  FabricParams skin;
};

/// The grains of a scene: one of its blocks of parameters (Scene::of); grains.NAME.density and the like.
struct GrainList {
  std::vector<GrainParams> list;
  bool operator==(const GrainList&) const = default;
  void describe(ParamVisitor& v);
};

/// Names of the values of GrainShape that a scene may choose.
const std::vector<std::string>& grain_shapes();

/// Why what `who` names takes no grains, in words; empty if the scene has none.
std::string why_no_grains(const Scene& scene, const std::string& who);

}  // namespace weft
