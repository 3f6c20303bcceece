#include "sim/scene/grains.h"

#include "sim/base/param_rows.h"

namespace weft {

GrainParams::GrainParams() {
  skin.areal_density = skin.stretch_stiffness = skin.bending_rigidity = skin.internal_damping = 0;
  skin.thickness = 2 * radius;
  skin.friction = skin.self_friction = 0.5f;
  skin.threads_per_cm = 0;
  skin.front_color = skin.back_color = vec3(0.78f, 0.64f, 0.42f);
}

void GrainList::describe(ParamVisitor& v) {
  const ParamRows row(v);
  for (GrainParams& g : list) {
    const auto named = [&](const char* key, const std::string& label) {
      return param(g.name + "." + key, g.name + ": " + label);
    };
    row(g.density, named("density", "Density").unit("kg/m^3").range(1, 1e5).log_scale(),
        "Mass per volume of a grain.");
    row(g.skin.friction, named("friction", "Friction on bodies").range(-1, 5),
        "Coulomb friction coefficient on bodies; below 0: contact.friction.");
    row(g.skin.self_friction, named("self_friction", "Friction on cloth and grains").range(-1, 5),
        "Coulomb friction coefficient on all that is simulated; below 0: the collision method's.");
  }
}

const std::vector<std::string>& grain_shapes() {
  static const std::vector<std::string> names = {"box", "file"};
  return names;
}

std::string why_no_grains(const Scene& scene, const std::string& who) {
  if (scene.of<GrainList>().list.empty()) return "";
  return who + " takes no grains, and the scene has some";
}

}  // namespace weft
