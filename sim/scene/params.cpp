#include "sim/scene/params.h"

#include "sim/scene/method_info.h"

namespace weft {

void FabricParams::describe(ParamVisitor& v) {
  v(areal_density, {.key = "areal_density",
                    .label = "Areal density",
                    .unit = "kg/m^2",
                    .min = 0.001,
                    .max = 10,
                    .help = "Mass per area. Heavier cloth hangs straighter and forms fewer, larger folds.",
                    .log_scale = true});
  v(stretch_stiffness, {.key = "stretch_stiffness",
                        .label = "Stretch stiffness",
                        .unit = "N/m",
                        .min = 1,
                        .max = 1e6,
                        .help = "Young's modulus times thickness, along the warp (the first texture "
                                "direction). Low values look like rubber.",
                        .log_scale = true});
  v(weft_stiffness, {.key = "weft_stiffness",
                     .label = "Weft stiffness",
                     .unit = "N/m",
                     .min = 0,
                     .max = 1e6,
                     .help = "Young's modulus times thickness, across the warp. 0: as along the warp. For "
                             "springs and St. Venant-Kirchhoff.",
                     .log_scale = true,
                     .zero = "as along the warp"});
  v(shear_stiffness, {.key = "shear_stiffness",
                      .label = "Shear stiffness",
                      .unit = "N/m",
                      .min = 0,
                      .max = 1e6,
                      .help = "Shear modulus times thickness (G). Low in woven cloth, which lets it "
                              "drape. 0: as in an isotropic sheet. For springs (at least a seventh of the "
                              "stretch stiffness) and St. Venant-Kirchhoff.",
                      .log_scale = true,
                      .zero = "isotropic"});
  const char* grows =
      "Factor by which the modulus grows with strain: threads straighten before they stretch. It "
      "grows linearly up to the stiffening strain, and is constant beyond. St. Venant-Kirchhoff "
      "only.";
  v(warp_stiffening, {.key = "warp_stiffening",
                      .label = "Warp stiffening",
                      .min = 1,
                      .max = 100,
                      .help = grows,
                      .log_scale = true});
  v(weft_stiffening, {.key = "weft_stiffening",
                      .label = "Weft stiffening",
                      .min = 1,
                      .max = 100,
                      .help = grows,
                      .log_scale = true});
  v(shear_stiffening, {.key = "shear_stiffening",
                       .label = "Shear stiffening",
                       .min = 1,
                       .max = 100,
                       .help = grows,
                       .log_scale = true});
  v(stiffening_strain, {.key = "stiffening_strain",
                        .label = "Stiffening strain",
                        .min = 0.001,
                        .max = 1,
                        .help = "Strain (of shear: the angle in radians) up to which the moduli grow.",
                        .log_scale = true,
                        .display_unit = "%",
                        .display_scale = 100});
  v(strain_limit, {.key = "strain_limit",
                   .label = "Strain limit",
                   .min = 0,
                   .max = 1,
                   .help = "Strain at which threads lock and are 30 times as stiff; they stiffen from "
                           "half of it on. 0: no limit.",
                   .display_unit = "%",
                   .display_scale = 100,
                   .zero = "none"});
  v(poisson_ratio, {.key = "poisson_ratio",
                    .label = "Poisson ratio",
                    .min = 0,
                    .max = 0.49,
                    .help = "Lateral contraction of a pulled strip. Finite elements only; springs have "
                            "1/3."});
  v(bending_rigidity, {.key = "bending_rigidity",
                       .label = "Bending rigidity",
                       .unit = "N m",
                       .min = 0,
                       .max = 0.1,
                       .help = "Bending moment per width and curvature (B), along the warp. Higher: wider, "
                               "rounder folds.",
                       .log_scale = true,
                       .display_unit = "uN m",
                       .display_scale = 1e6});
  v(weft_bending_rigidity, {.key = "weft_bending_rigidity",
                            .label = "Weft bending rigidity",
                            .unit = "N m",
                            .min = 0,
                            .max = 0.1,
                            .help = "Bending rigidity along the weft. Higher than along the warp: folds run "
                                    "along the warp rather. 0: as along the warp; meshless bending always.",
                            .log_scale = true,
                            .display_unit = "uN m",
                            .display_scale = 1e6,
                            .zero = "as along the warp"});
  v(bending_poisson_ratio, {.key = "bending_poisson_ratio",
                            .label = "Bending Poisson ratio",
                            .min = 0,
                            .max = 0.45,
                            .help = "Curvature across a strip that is bent along. Woven cloth has 0 to "
                                    "0.1, leather and film 0.3 to 0.4. Quadratic bending only; dihedral "
                                    "has -1/3, meshless 1/3."});
  v(crease_yield, {.key = "crease_yield",
                   .label = "Crease yield",
                   .unit = "1/m",
                   .min = 0,
                   .max = 1e5,
                   .help = "Curvature (one over the radius) up to which folds spring back; what is beyond "
                           "stays as a crease. Lower: creases stay more easily. 0: none stay; dihedral "
                           "bending only.",
                   .log_scale = true,
                   .zero = "no creases"});
  v(internal_damping, {.key = "internal_damping",
                       .label = "Internal damping",
                       .min = 0,
                       .max = 1,
                       .help = "Fraction of the relative velocity between neighbouring vertices removed "
                               "in 10 ms. Calms small ripples; rigid motion is not damped."});
  v(inner_pressure, {.key = "inner_pressure",
                     .label = "Inner pressure",
                     .unit = "Pa",
                     .min = 0,
                     .max = 1e5,
                     .help = "Pressure inside of closed cloth (a cushion, a balloon), beyond that outside; "
                             "on open cloth, behind its front. Higher: fuller and tauter. It stays the "
                             "same when the cloth is squeezed.",
                     .log_scale = true,
                     .zero = "none"});
  v(thickness, {.key = "thickness",
                .label = "Thickness",
                .unit = "m",
                .min = 0,
                .max = 0.02,
                .help = "Distance kept from bodies (at least 0.1 mm), and drawn thickness.",
                .display_unit = "mm",
                .display_scale = 1e3});
  v(friction,
    {.key = "friction",
     .label = "Friction on bodies",
     .min = -1,
     .max = 5,
     .help = "Coulomb friction coefficient on bodies, with the geometric mean where the body has one "
             "too. More: slides less; 0: none. Below 0: not said, as contact.friction."});
  v(self_friction, {.key = "self_friction",
                    .label = "Friction on cloth",
                    .min = -1,
                    .max = 5,
                    .help = "Coulomb friction coefficient on the same fabric; the geometric mean of both on "
                            "another one. More: slides less; 0: none. Below 0: not said, as the collision "
                            "method has it."});
  v(front_color, {.key = "front_color",
                  .label = "Front colour",
                  .min = 0,
                  .max = 1,
                  .help = "sRGB colour of the front side."});
  v(back_color, {.key = "back_color",
                 .label = "Back colour",
                 .min = 0,
                 .max = 1,
                 .help = "sRGB colour of the back side."});
  v(threads_per_cm, {.key = "threads_per_cm",
                     .label = "Threads per cm",
                     .unit = "1/cm",
                     .min = 1,
                     .max = 100,
                     .help = "Drawn threads per centimetre. No effect on the motion."});
  v(weave, {.key = "weave",
            .label = "Weave",
            .help = "Drawn weave; grain is leather. No effect on the motion.",
            .choices = {"plain", "twill", "satin", "grain"}});
  v(gloss, {.key = "gloss",
            .label = "Gloss",
            .min = 0,
            .max = 1,
            .help = "Drawn gloss: 0 is matt like wool, 1 shines like silk. No effect on the motion."});
}

void ForceParams::describe(ParamVisitor& v) {
  v(gravity, {.key = "gravity",
              .label = "Gravity",
              .unit = "m/s^2",
              .min = -100,
              .max = 100,
              .help = "Gravitational acceleration."});
  v(wind, {.key = "wind",
           .label = "Wind",
           .unit = "m/s",
           .min = -50,
           .max = 50,
           .help = "Wind velocity; it acts on triangles through lift and drag."});
  v(wind_gusts, {.key = "wind_gusts",
                 .label = "Gusts",
                 .min = 0,
                 .max = 2,
                 .help = "Variation of the wind in space and time, as a fraction of its speed."});
  v(lift, {.key = "lift",
           .label = "Lift",
           .min = 0,
           .max = 5,
           .help = "Lift coefficient of a triangle in moving air."});
  v(drag, {.key = "drag",
           .label = "Drag",
           .min = 0,
           .max = 5,
           .help = "Drag coefficient of a triangle in moving air."});
  v(air_damping, {.key = "air_damping",
                  .label = "Air damping",
                  .unit = "1/s",
                  .min = 0,
                  .max = 20,
                  .help = "Decay rate of velocity, a simple model of still air."});
}

void StepParams::describe(ParamVisitor& v) {
  v(dt, {.key = "dt",
         .label = "Time step",
         .unit = "s",
         .min = 1e-5,
         .max = 0.1,
         .help = "Simulated time per step. Larger: cheaper, but more damping and stretch.",
         .log_scale = true,
         .display_unit = "ms",
         .display_scale = 1e3});
  v(solver, {.key = "solver",
             .label = "Solver",
             .help = "Method that minimises the energy of a time step.",
             .choices = solver_names()});
  v(collision, {.key = "collision",
                .label = "Collision method",
                .help = "Method that keeps cloth out of bodies and itself.",
                .choices = collision_names()});
  v(elastic_model,
    {.key = "elastic_model",
     .label = "Stretch model",
     .help = "springs: fastest, but stiff in shear and deaf to Poisson's ratio: a weave pulled at "
             "45 degrees gives by a quarter to a half of what its shear stiffness says. "
             "finite_elements: co-rotated, isotropic, with Poisson's ratio. "
             "st_venant_kirchhoff: separate warp, weft and shear stiffness, within 7 %.",
     .choices = {"springs", "finite_elements", "st_venant_kirchhoff"}});
  v(bending_model, {.key = "bending_model",
                    .label = "Bending model",
                    .help = "quadratic: fast, exact for flat rest shapes. dihedral: keeps a curved rest "
                            "shape. meshless: the same, also where three or more sheets share an edge.",
                    .choices = {"quadratic", "dihedral", "meshless"}});
  v(budget, {.key = "budget",
             .label = "Budget of a step",
             .unit = "s",
             .min = 0,
             .max = 100,
             .help = "While a handle is dragged Newton's method ends when a step has taken so long (contact "
                     "never does): less is nearer to real time, with a larger solver_residual. Two runs are "
                     "then not the same bit by bit. 0: all steps are solved.",
             .log_scale = true,
             .display_unit = "ms",
             .display_scale = 1e3,
             .zero = "none"});
}

void DragParams::describe(ParamVisitor& v) {
  v(stiffness, {.key = "stiffness",
                .label = "Drag stiffness",
                .unit = "N/m",
                .min = 1,
                .max = 10000,
                .help = "Stiffness of the spring between cursor and grabbed point.",
                .log_scale = true});
  v(force_limit, {.key = "force_limit",
                  .label = "Drag force limit",
                  .unit = "N",
                  .min = 0.01,
                  .max = 100,
                  .help = "Maximum force of a handle.",
                  .log_scale = true});
  v(speed_limit, {.key = "speed_limit",
                  .label = "Drag speed limit",
                  .unit = "m/s",
                  .min = 0.1,
                  .max = 50,
                  .help = "Maximum speed at which a handle follows the mouse."});
  v(brush_radius, {.key = "brush_radius",
                   .label = "Brush radius",
                   .unit = "m",
                   .min = 0,
                   .max = 0.5,
                   .help = "Vertices within this distance are grabbed. 0: one point.",
                   .display_unit = "mm",
                   .display_scale = 1e3,
                   .zero = "one point"});
}

void ContactParams::describe(ParamVisitor& v) {
  v(friction,
    {.key = "friction",
     .label = "Friction",
     .min = 0,
     .max = 5,
     .help = "Coulomb friction coefficient between cloth and bodies of which neither has one of its "
             "own. More: slides less; 0: none."});
  v(stiffness, {.key = "stiffness",
                .label = "Contact stiffness",
                .unit = "N/m^3",
                .min = 1e3,
                .max = 1e9,
                .help = "Contact pressure per depth. Higher: thinner contact layer, slower convergence.",
                .log_scale = true});
  v(ground, {.key = "ground", .label = "Ground", .help = "Adds the floor as a body."});
  v(ground_height, {.key = "ground_height",
                    .label = "Ground height",
                    .unit = "m",
                    .min = -1000,
                    .max = 1000,
                    .help = "Height of the floor."});
  v(bodies_wait,
    {.key = "bodies_wait",
     .label = "Bodies wait for cloth",
     .help = "Bodies, and parts of one, that leave the cloth between them no room stop before it, as "
             "parts of a machine. Off: they are where their file has them, and the cloth there is let "
             "through the one that moves, which is reported. Used by two-way contact, non-distance "
             "barriers and impact zones."});
}

}  // namespace weft
