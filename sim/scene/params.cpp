#include "sim/scene/params.h"

#include "sim/base/param_rows.h"
#include "sim/scene/method_info.h"

namespace weft {

void FabricParams::describe(ParamVisitor& v) {
  const ParamRows row(v);
  row(areal_density, param("areal_density", "Areal density").unit("kg/m^2").range(0.001, 10).log_scale(),
      "Mass per area. Heavier cloth hangs straighter and forms fewer, larger folds.");
  row(stretch_stiffness,
      param("stretch_stiffness", "Stretch stiffness").unit("N/m").range(1, 1e6).log_scale(),
      "Young's modulus times thickness, along the warp (the first texture direction). Low values look like "
      "rubber.");
  row(weft_stiffness,
      param("weft_stiffness", "Weft stiffness")
          .unit("N/m")
          .range(0, 1e6)
          .log_scale()
          .zero("as along the warp"),
      "Young's modulus times thickness, across the warp. 0: as along the warp. For springs and St. "
      "Venant-Kirchhoff.");
  row(shear_stiffness,
      param("shear_stiffness", "Shear stiffness").unit("N/m").range(0, 1e6).log_scale().zero("isotropic"),
      "Shear modulus times thickness (G). Low in woven cloth, which lets it drape. 0: as in an isotropic "
      "sheet. For springs (at least a seventh of the stretch stiffness) and St. Venant-Kirchhoff.");
  const char* grows =
      "Factor by which the modulus grows with strain: threads straighten before they stretch. It "
      "grows linearly up to the stiffening strain, and is constant beyond. St. Venant-Kirchhoff "
      "only.";
  row(warp_stiffening, param("warp_stiffening", "Warp stiffening").range(1, 100).log_scale(), grows);
  row(weft_stiffening, param("weft_stiffening", "Weft stiffening").range(1, 100).log_scale(), grows);
  row(shear_stiffening, param("shear_stiffening", "Shear stiffening").range(1, 100).log_scale(), grows);
  row(stiffening_strain,
      param("stiffening_strain", "Stiffening strain").range(0.001, 1).log_scale().shown_in("%", 100),
      "Strain (of shear: the angle in radians) up to which the moduli grow.");
  row(strain_limit, param("strain_limit", "Strain limit").range(0, 1).shown_in("%", 100).zero("none"),
      "Strain at which threads lock and are 30 times as stiff; they stiffen from half of it on. 0: no "
      "limit.");
  row(poisson_ratio, param("poisson_ratio", "Poisson ratio").range(0, 0.49),
      "Lateral contraction of a pulled strip. Finite elements only; springs have 1/3.");
  row(bending_rigidity,
      param("bending_rigidity", "Bending rigidity")
          .unit("N m")
          .range(0, 0.1)
          .log_scale()
          .shown_in("uN m", 1e6),
      "Bending moment per width and curvature (B), along the warp. Higher: wider, rounder folds.");
  row(weft_bending_rigidity,
      param("weft_bending_rigidity", "Weft bending rigidity")
          .unit("N m")
          .range(0, 0.1)
          .log_scale()
          .shown_in("uN m", 1e6)
          .zero("as along the warp"),
      "Bending rigidity along the weft. Higher than along the warp: folds run along the warp rather. 0: as "
      "along the warp; meshless bending always.");
  row(bending_poisson_ratio, param("bending_poisson_ratio", "Bending Poisson ratio").range(0, 0.45),
      "Curvature across a strip that is bent along. Woven cloth has 0 to 0.1, leather and film 0.3 to 0.4. "
      "Quadratic bending only; dihedral has -1/3, meshless 1/3.");
  row(crease_yield,
      param("crease_yield", "Crease yield").unit("1/m").range(0, 1e5).log_scale().zero("no creases"),
      "Curvature (one over the radius) up to which folds spring back; what is beyond stays as a crease. "
      "Lower: creases stay more easily. 0: none stay; dihedral bending only.");
  row(internal_damping, param("internal_damping", "Internal damping").range(0, 1),
      "Fraction of the relative velocity between neighbouring vertices removed in 10 ms. Calms small "
      "ripples; rigid motion is not damped.");
  row(inner_pressure,
      param("inner_pressure", "Inner pressure").unit("Pa").range(0, 1e5).log_scale().zero("none"),
      "Pressure inside of closed cloth (a cushion, a balloon), beyond that outside; on open cloth, behind "
      "its front. Higher: fuller and tauter. It stays the same when the cloth is squeezed.");
  row(thickness, param("thickness", "Thickness").length(0, 0.02),
      "Distance kept from bodies (at least 0.1 mm), and drawn thickness.");
  row(friction, param("friction", "Friction on bodies").range(-1, 5),
      "Coulomb friction coefficient on bodies, with the geometric mean where the body has one too. More: "
      "slides less; 0: none. Below 0: not said, as contact.friction.");
  row(self_friction, param("self_friction", "Friction on cloth").range(-1, 5),
      "Coulomb friction coefficient on the same fabric; the geometric mean of both on another one. More: "
      "slides less; 0: none. Below 0: not said, as the collision method has it.");
  row(front_color, param("front_color", "Front colour").range(0, 1), "sRGB colour of the front side.");
  row(back_color, param("back_color", "Back colour").range(0, 1), "sRGB colour of the back side.");
  row(threads_per_cm, param("threads_per_cm", "Threads per cm").unit("1/cm").range(1, 100),
      "Drawn threads per centimetre. No effect on the motion.");
  row(weave, param("weave", "Weave").choices({"plain", "twill", "satin", "grain"}),
      "Drawn weave; grain is leather. No effect on the motion.");
  row(gloss, param("gloss", "Gloss").range(0, 1),
      "Drawn gloss: 0 is matt like wool, 1 shines like silk. No effect on the motion.");
  row(print_size, param("print_size", "Print size").length(0, 10).zero("once over the cloth"),
      "Width of one repeat of the picture that `print` names in a scene. 0: once over each cloth or panel. "
      "No "
      "effect on the motion.");
}

void ForceParams::describe(ParamVisitor& v) {
  const ParamRows row(v);
  row(gravity, param("gravity", "Gravity").unit("m/s^2").range(-100, 100), "Gravitational acceleration.");
  row(wind, param("wind", "Wind").unit("m/s").range(-50, 50),
      "Wind velocity; it acts on triangles through lift and drag.");
  row(wind_gusts, param("wind_gusts", "Gusts").range(0, 2),
      "Variation of the wind in space and time, as a fraction of its speed.");
  row(lift, param("lift", "Lift").range(0, 5), "Lift coefficient of a triangle in moving air.");
  row(drag, param("drag", "Drag").range(0, 5), "Drag coefficient of a triangle in moving air.");
  row(air_damping, param("air_damping", "Air damping").unit("1/s").range(0, 20),
      "Decay rate of velocity, a simple model of still air.");
}

void StepParams::describe(ParamVisitor& v) {
  const ParamRows row(v);
  row(dt, param("dt", "Time step").unit("s").range(1e-5, 0.1).log_scale().shown_in("ms", 1e3),
      "Simulated time per step. Larger: cheaper, but more damping and stretch.");
  row(solver, param("solver", "Solver").choices(solver_names()),
      "Method that minimises the energy of a time step.");
  row(collision, param("collision", "Collision method").choices(collision_names()),
      "Method that keeps cloth out of bodies and itself.");
  row(elastic_model,
      param("elastic_model", "Stretch model").choices({"springs", "finite_elements", "st_venant_kirchhoff"}),
      "springs: fastest, but stiff in shear and deaf to Poisson's ratio: a weave pulled at 45 degrees gives "
      "by a quarter to a half of what its shear stiffness says. finite_elements: co-rotated, isotropic, with "
      "Poisson's ratio. st_venant_kirchhoff: separate warp, weft and shear stiffness, within 7 %.");
  row(bending_model, param("bending_model", "Bending model").choices({"quadratic", "dihedral", "meshless"}),
      "quadratic: fast, exact for flat rest shapes. dihedral: keeps a curved rest shape. meshless: the same, "
      "also where three or more sheets share an edge.");
  row(solid_model,
      param("solid_model", "Model of solids").choices({"neo_hookean", "st_venant_kirchhoff", "corotated"}),
      "What solids resist with. neo_hookean: pulls back from every shape. st_venant_kirchhoff: for moderate "
      "strains; a cell pressed to 0.58 of its height has no stiffness left. corotated: linear about the "
      "nearest rotation, the one that projective dynamics takes.");
  row(budget,
      param("budget", "Budget of a step")
          .unit("s")
          .range(0, 100)
          .log_scale()
          .shown_in("ms", 1e3)
          .zero("none"),
      "While a handle is dragged the solver ends when a step has taken so long (contact and block descent "
      "never do): less is nearer to real time, with a larger solver_residual. Two runs are then not the same "
      "bit by bit. 0: all steps are solved.");
}

void DragParams::describe(ParamVisitor& v) {
  const ParamRows row(v);
  row(stiffness, param("stiffness", "Drag stiffness").unit("N/m").range(1, 10000).log_scale(),
      "Stiffness of the spring between cursor and grabbed point.");
  row(force_limit, param("force_limit", "Drag force limit").unit("N").range(0.01, 100).log_scale(),
      "Maximum force of a handle.");
  row(speed_limit, param("speed_limit", "Drag speed limit").unit("m/s").range(0.1, 50),
      "Maximum speed at which a handle follows the mouse.");
  row(brush_radius, param("brush_radius", "Brush radius").length(0, 0.5).zero("one point"),
      "Vertices within this distance are grabbed. 0: one point.");
}

void ContactParams::describe(ParamVisitor& v) {
  const ParamRows row(v);
  row(friction, param("friction", "Friction").range(0, 5),
      "Coulomb friction coefficient between cloth and bodies of which neither has one of its own. More: "
      "slides less; 0: none.");
  row(stiffness, param("stiffness", "Contact stiffness").unit("N/m^3").range(1e3, 1e9).log_scale(),
      "Contact pressure per depth. Higher: thinner contact layer, slower convergence.");
  row(ground, param("ground", "Ground"), "Adds the floor as a body.");
  row(ground_height, param("ground_height", "Ground height").unit("m").range(-1000, 1000),
      "Height of the floor.");
  row(bodies_wait, param("bodies_wait", "Bodies wait for cloth"),
      "Bodies, and parts of one, that leave the cloth between them no room stop before it, as parts of a "
      "machine. Off: they are where their file has them, and the cloth there is let through the one that "
      "moves, which is reported. Used by two-way contact, non-distance barriers and impact zones.");
}

}  // namespace weft
