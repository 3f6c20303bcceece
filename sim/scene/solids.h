// Solids of a scene: bodies of tetrahedra that are simulated with the cloth.
#pragma once
#include <string>
#include <vector>

#include "sim/scene/scene.h"

namespace weft {

enum class SolidShape { box, disc, ball, file };

/// What a solid resists with.
struct SolidMaterial {
  bool operator==(const SolidMaterial&) const = default;
  float density = 300;  // kg/m³
  float mass = 0;       // kg; above 0 it sets the density
  float young = 2e4f;   // Young's modulus, Pa
  float poisson = 0.3f;
};

struct SolidParams {
  bool operator==(const SolidParams&) const = default;
  SolidParams();
  std::string name = "solid";
  SolidShape shape = SolidShape::box;
  // .msh: its tetrahedra (sim/mesh/solid/gmsh.h); .obj: a closed surface that is filled with cells
  std::string file;
  // m: box: extents; disc: diameter in x, thickness in y; ball: diameter in x
  vec3 size{0.2f};
  float edge = 0.02f;  // m, of a cell; not of .msh files
  Placement placement;
  vec3 velocity{0};    // m/s at the start
  vec3 spin{0};        // degrees/s at the start, about the centre of mass
  bool rigid = false;  // moves as one affine body (sim/linear/affine_bodies.h)
  SolidMaterial material;
  // what its surface has of a fabric: friction, thickness (contact offset), damping and look; it resists
  // nothing
  FabricParams skin;
};

/// The solids of a scene: one of its blocks of parameters (Scene::of); solid.NAME.young and the like.
struct SolidList {
  std::vector<SolidParams> list;
  bool operator==(const SolidList&) const = default;
  void describe(ParamVisitor& v);
};

/// Names of the values of SolidShape that a scene may choose.
const std::vector<std::string>& solid_shapes();

/// The fabric of a part of the model that is built of a scene; of solids and strands what their surface has
/// of one. Parts are the scene's cloths, then its solids, then its strands (strands.h).
const FabricParams& surface_of(const Scene& scene, int part);
/// Name of such a part, and how many there are.
const std::string& part_name(const Scene& scene, int part);
int part_count(const Scene& scene);
/// What the keys of such a part's parameters begin with: "cloth.", "solid.ball.", "grains.sand.".
std::string params_prefix(const Scene& scene, int part);

/// Young's modulus (Pa) of rigid bodies where a scene names none: they give way by 1e-4 of themselves at
/// most.
constexpr float kRigidYoung = 1e7f;

/// Why what `who` names takes no solids, in words; empty if the scene has none.
std::string why_no_solids(const Scene& scene, const std::string& who);
/// The same of rigid bodies.
std::string why_no_rigid_bodies(const Scene& scene, const std::string& who);

}  // namespace weft
