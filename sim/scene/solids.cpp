#include "sim/scene/solids.h"

#include "sim/base/param_rows.h"
#include "sim/scene/grains.h"
#include "sim/scene/strands.h"

namespace weft {

SolidParams::SolidParams() {
  skin.areal_density = skin.stretch_stiffness = skin.bending_rigidity = skin.internal_damping = 0;
  skin.thickness = 1e-3f;
  skin.threads_per_cm = 0;
  skin.front_color = skin.back_color = vec3(0.72f, 0.45f, 0.36f);
}

void SolidList::describe(ParamVisitor& v) {
  const ParamRows row(v);
  for (SolidParams& s : list) {
    const auto named = [&](const char* key, const std::string& label) {
      return param(s.name + "." + key, s.name + ": " + label);
    };
    if (s.rigid)
      row(s.material.young, named("young", "Stiffness as a whole").unit("Pa").range(10, 1e9).log_scale(),
          "Stress per strain with which the rigid body keeps its shape. Less than 1e6: contact squeezes it.");
    else
      row(s.material.young, named("young", "Young's modulus").unit("Pa").range(10, 1e9).log_scale(),
          "Stress per strain of the solid. More: stiffer. Foam 1e4 to 1e6, rubber 1e6 to 1e7.");
    if (!s.rigid)
      row(s.material.poisson, named("poisson", "Poisson's ratio").range(0, 0.49),
          "How much the solid narrows across a pull, as a share of its strain. 0.49: nearly keeps its "
          "volume.");
    if (s.material.mass > 0)
      row(s.material.mass, named("mass", "Mass").unit("kg").range(1e-6, 1e6).log_scale(),
          "Mass of the solid.");
    else
      row(s.material.density, named("density", "Density").unit("kg/m^3").range(1, 1e5).log_scale(),
          "Mass per volume of the solid.");
    row(s.skin.friction, named("friction", "Friction on bodies").range(-1, 5),
        "Coulomb friction coefficient on bodies; below 0: contact.friction.");
    row(s.skin.self_friction, named("self_friction", "Friction on cloth and solids").range(-1, 5),
        "Coulomb friction coefficient on cloth and other solids; below 0: the collision method's.");
    row(s.skin.thickness, named("thickness", "Contact thickness").length(0, 0.1),
        "Twice the distance from which the solid touches bodies where the collision method is \"bodies\".");
    row(s.skin.internal_damping, named("internal_damping", "Damping of the surface").range(0, 1),
        "Share of the relative velocity between neighbours on the surface that 10 ms remove.");
  }
}

const std::vector<std::string>& solid_shapes() {
  static const std::vector<std::string> names = {"box", "disc", "ball", "file"};
  return names;
}

namespace {

const SolidParams* solid_at(const Scene& scene, int part) {
  const size_t own = size_t(part) - scene.cloths.size();
  const std::vector<SolidParams>& solids = scene.of<SolidList>().list;
  return size_t(part) >= scene.cloths.size() && own < solids.size() ? &solids[own] : nullptr;
}
const StrandParams* strands_at(const Scene& scene, int part) {
  const size_t before = scene.cloths.size() + scene.of<SolidList>().list.size();
  const std::vector<StrandParams>& strands = scene.of<StrandList>().list;
  return size_t(part) < before || size_t(part) - before >= strands.size() ? nullptr
                                                                          : &strands[size_t(part) - before];
}
const GrainParams* grains_at(const Scene& scene, int part) {
  const size_t before =
      scene.cloths.size() + scene.of<SolidList>().list.size() + scene.of<StrandList>().list.size();
  return size_t(part) < before ? nullptr : &scene.of<GrainList>().list.at(size_t(part) - before);
}

}  // namespace

const FabricParams& surface_of(const Scene& scene, int part) {
  if (const SolidParams* solid = solid_at(scene, part)) return solid->skin;
  if (const StrandParams* strands = strands_at(scene, part)) return strands->skin;
  if (const GrainParams* grains = grains_at(scene, part)) return grains->skin;
  return scene.cloths[size_t(part)].fabric;
}

const std::string& part_name(const Scene& scene, int part) {
  if (const SolidParams* solid = solid_at(scene, part)) return solid->name;
  if (const StrandParams* strands = strands_at(scene, part)) return strands->name;
  if (const GrainParams* grains = grains_at(scene, part)) return grains->name;
  return scene.cloths[size_t(part)].name;
}

std::string params_prefix(const Scene& scene, int part) {
  const char* kind = solid_at(scene, part)     ? "solid."
                     : strands_at(scene, part) ? "strands."
                     : grains_at(scene, part)  ? "grains."
                                               : "";
  return kind + part_name(scene, part) + ".";
}

int part_count(const Scene& scene) {
  return int(scene.cloths.size() + scene.of<SolidList>().list.size() + scene.of<StrandList>().list.size() +
             scene.of<GrainList>().list.size());
}

std::string why_no_solids(const Scene& scene, const std::string& who) {
  if (scene.of<SolidList>().list.empty()) return "";
  return who + " takes no solids, and the scene has some";
}

std::string why_no_rigid_bodies(const Scene& scene, const std::string& who) {
  for (const SolidParams& s : scene.of<SolidList>().list)
    if (s.rigid) return who + " takes no rigid bodies, and the scene has " + s.name;
  return "";
}

}  // namespace weft
