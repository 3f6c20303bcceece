// The parameters that belong to a scene as a whole or to a fabric. Those of a solver or a collision method
// stand in the method's own folder.
#pragma once
#include <string>

#include "sim/base/params.h"

namespace weft {

/// A fabric: mechanical parameters and look. Stretch stiffness is Young's modulus times thickness (N/m).
struct FabricParams {
  bool operator==(const FabricParams&) const = default;
  float areal_density = 0.15f;     // kg/m^2
  float stretch_stiffness = 4000;  // Y, N/m
  float weft_stiffness = 0;        // across the warp, N/m; 0: as stretch_stiffness, which is then isotropic
  float shear_stiffness = 0;       // G, N/m; 0: that of an isotropic sheet
  // factors by which moduli grow up to stiffening_strain; St. Venant-Kirchhoff only
  float warp_stiffening = 1;
  float weft_stiffening = 1;
  float shear_stiffening = 1;
  float stiffening_strain = 0.1f;
  float strain_limit = 0;            // stretch at which the threads have locked, as a share; 0: none
  float poisson_ratio = 0.3f;        // finite elements only; springs have 1/3
  float bending_rigidity = 1.2e-5f;  // B, N m
  float weft_bending_rigidity = 0;   // across the warp, N m; 0: as along it
  float bending_poisson_ratio = 0;   // bending Poisson ratio of the plate
  float crease_yield = 0;            // curvature beyond which folds stay, 1/m; 0: none stay
  // share of relative velocity between neighbours, beyond rigid motion, that 10 ms remove
  float internal_damping = 0.02f;
  float inner_pressure = 0;   // Pa, behind the front, beyond that in front of it
  float thickness = 0.5e-3f;  // m, contact offset from bodies and drawn thickness
  // Coulomb coefficients on bodies, and on cloth of the same fabric (friction.h); negative: not said
  float friction = -1;
  float self_friction = -1;
  vec3 front_color = {0.80f, 0.78f, 0.72f};  // sRGB
  vec3 back_color = {0.62f, 0.60f, 0.55f};
  float threads_per_cm = 24;  // drawn weave
  int weave = 0;              // drawn weave: plain, twill, satin, or the grain of leather
  float gloss = 0.1f;         // 0: matt and fuzzy like wool, 1: silk
  std::string print;          // PNG or JPEG on the front, relative to the scene file; empty: none
  float print_size = 0;       // m, width of one repeat of it; 0: once over each cloth or panel

  /// Bending rigidity along warp and weft, N m.
  vec2 bending() const {
    return {bending_rigidity, weft_bending_rigidity > 0 ? weft_bending_rigidity : bending_rigidity};
  }
  void describe(ParamVisitor& v);
};

/// Forces that act on everything.
struct ForceParams {
  bool operator==(const ForceParams&) const = default;
  vec3 gravity = {0, -9.81f, 0};  // m/s^2
  vec3 wind = {0, 0, 0};          // m/s
  float wind_gusts = 0;           // share of the wind speed that varies in time and space
  float lift = 0.6f;              // coefficient
  float drag = 1.0f;              // coefficient
  float air_damping = 0.2f;       // 1/s

  void describe(ParamVisitor& v);
};

enum class ElasticModel { springs, finite_elements, stvk };
enum class SolidModel { neo_hookean, stvk, corotated };
enum class BendingModel { quadratic, dihedral, meshless };

/// Choices for the time step and the models.
struct StepParams {
  bool operator==(const StepParams&) const = default;
  float dt = 0.01f;   // s
  int solver = 0;     // index into solvers() of the method table; the first is the default
  int collision = 0;  // index into collision_methods() of the method table
  int elastic_model = int(ElasticModel::springs);
  int bending_model = int(BendingModel::quadratic);
  int solid_model = int(SolidModel::neo_hookean);
  float budget = 0;  // s of wall time that a step may take while a handle is dragged; 0: any

  void describe(ParamVisitor& v);
};

/// Handles of the mouse.
struct DragParams {
  bool operator==(const DragParams&) const = default;
  float stiffness = 60;    // N/m
  float force_limit = 4;   // N
  float speed_limit = 4;   // m/s
  float brush_radius = 0;  // m

  void describe(ParamVisitor& v);
};

/// Contact with bodies and the floor.
struct ContactParams {
  bool operator==(const ContactParams&) const = default;
  float friction = 0.4f;
  float stiffness = 3e5f;  // N/m^3: pressure per depth
  bool ground = true;
  float ground_height = 0;  // m
  // bodies wait where they leave cloth no room; else they are where their file has them, and pass through it
  bool bodies_wait = false;

  void describe(ParamVisitor& v);
};

}  // namespace weft
