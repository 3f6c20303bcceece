#include "sim/scene/strands.h"

#include "sim/base/param_rows.h"

namespace weft {

StrandParams::StrandParams() {
  skin.areal_density = skin.stretch_stiffness = skin.bending_rigidity = 0;
  skin.internal_damping = 0.05f;
  skin.thickness = 3e-3f;
  skin.threads_per_cm = 0;
  skin.front_color = skin.back_color = vec3(0.42f, 0.27f, 0.16f);
}

void StrandList::describe(ParamVisitor& v) {
  const ParamRows row(v);
  for (StrandParams& s : list) {
    const auto named = [&](const char* key, const std::string& label) {
      return param(s.name + "." + key, s.name + ": " + label);
    };
    row(s.material.density, named("density", "Weight of a strand").unit("kg/m").range(1e-6, 10).log_scale(),
        "Mass per length of a strand. A strand of a scene stands for a wisp of hairs.");
    row(s.material.stretch, named("stretch", "Stretch stiffness").unit("N").range(1e-3, 1e6).log_scale(),
        "Force over strain of a strand. More: stretches less.");
    row(s.material.bending, named("bending", "Bending rigidity").unit("N m^2").range(0, 1).log_scale(),
        "Resistance of a strand to bending. More: stands out further. 0: a chain.");
    row(s.skin.friction, named("friction", "Friction on bodies").range(-1, 5),
        "Coulomb friction coefficient on bodies; below 0: contact.friction.");
    row(s.skin.self_friction, named("self_friction", "Friction on cloth, solids and strands").range(-1, 5),
        "Coulomb friction coefficient on all that is simulated; below 0: the collision method's.");
    row(s.skin.internal_damping, named("internal_damping", "Damping").range(0, 1),
        "Share of the relative velocity between neighbours on a strand that 10 ms remove.");
  }
}

const std::vector<std::string>& strand_shapes() {
  static const std::vector<std::string> names = {"patch", "body", "ring", "file"};
  return names;
}

std::string why_no_strands(const Scene& scene, const std::string& who) {
  if (scene.of<StrandList>().list.empty()) return "";
  return who + " takes no strands, and the scene has some";
}

}  // namespace weft
