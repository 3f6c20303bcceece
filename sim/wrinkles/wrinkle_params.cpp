#include "sim/wrinkles/wrinkle_settings.h"

namespace weft::wrinkles {

void WrinkleParams::describe(ParamVisitor& v) {
  v(cell, {.key = "cell",
           .label = "Cell",
           .unit = "m",
           .min = 1e-4,
           .max = 0.05,
           .help = "Distance of the vertices. Smaller shows finer folds; half the distance "
                   "needs four times the memory. Wang 2021: 0.4 to 0.6 mm.",
           .log_scale = true,
           .display_unit = "mm",
           .display_scale = 1e3,
           .rebuilds = true});
  v(levels, {.key = "levels",
             .label = "Levels",
             .min = 1,
             .max = 6,
             .help = "Grids from coarse to fine, each with half the cells of the one before. More levels "
                     "find large folds in fewer iterations. 1: the finest alone.",
             .rebuilds = true});
  v(iterations, {.key = "iterations",
                 .label = "Iterations",
                 .min = 0,
                 .max = 100000,
                 .help = "Outer iterations on each level. More lets folds deepen and spread; cloth that "
                         "nothing holds goes flat in the end.",
                 .log_scale = true});
  v(block_width,
    {.key = "block_width",
     .label = "Block width (W)",
     .min = 8,
     .max = 64,
     .help = "Vertices along a block: 8, 16, 32 or 64. Blocks are solved independently within an iteration.",
     .advanced = true,
     .rebuilds = true});
  v(inner, {.key = "inner",
            .label = "Inner iterations (L)",
            .min = 1,
            .max = 16,
            .help = "Iterations within a block before it sees its neighbours again. More does more work "
                    "per memory access, and needs a smaller step.",
            .advanced = true});
  v(alpha, {.key = "alpha",
            .label = "Step (alpha)",
            .min = 0.01,
            .max = 1,
            .help = "Share of the preconditioned step that is taken. Less is slower; too much is taken "
                    "back by the solver.",
            .advanced = true});
  v(lag_outer, {.key = "lag_outer",
                .label = "Lag outer ring",
                .help = "Bending takes vertices beyond the six neighbours from the start of an outer "
                        "iteration (equation 9).",
                .advanced = true});
  v(inner_chebyshev, {.key = "inner_chebyshev",
                      .label = "Inner Chebyshev",
                      .help = "Chebyshev acceleration within blocks; then half the inner iterations suffice.",
                      .advanced = true});
  v(chebyshev, {.key = "chebyshev",
                .label = "Outer Chebyshev",
                .help = "Chebyshev acceleration of outer iterations.",
                .advanced = true});
  v(planar, {.key = "planar",
             .label = "Planar model",
             .help = "Springs along edges couple stretch and shear; triangles do not.",
             .choices = {"springs", "finite_elements", "stvk"}});
  v(repel, {.key = "repel",
            .label = "Repulsion",
            .help = "Vertices push others away that come too close, other than neighbours (equation 11)."});
  v(repulsion_radius, {.key = "repulsion_radius",
                       .label = "Repulsion radius",
                       .unit = "cells",
                       .min = 1,
                       .max = 1.41,
                       .help = "Distance at which vertices push each other away. Below 1 triangles can "
                               "pass between vertices, above 1.41 flat cloth pushes itself apart."});
  v(repulsion, {.key = "repulsion",
                .label = "Repulsion strength",
                .unit = "N/m3",
                .min = 0,
                .max = 1e12,
                .help = "Pressure per depth of a contact. More keeps layers farther apart.",
                .log_scale = true});
  v(bodies, {.key = "bodies",
             .label = "Bodies",
             .help = "Vertices stay out of bodies: each keeps to its side of the nearest place of a body "
                     "(equation 10)."});
  v(body_gap,
    {.key = "body_gap",
     .label = "Body distance",
     .unit = "m",
     .min = 0,
     .max = 0.1,
     .help = "Distance that vertices keep from bodies. More hides cells that cut into curved bodies.",
     .display_unit = "mm",
     .display_scale = 1e3});
  v(air, {.key = "air",
          .label = "Air pressure",
          .unit = "Pa",
          .min = -1e6,
          .max = 1e6,
          .help = "Pressure along the normals of the present surface (kappa air, equation 15). 0: none."});
  v(push, {.key = "push",
           .label = "Push",
           .unit = "Pa",
           .min = -1e6,
           .max = 1e6,
           .help = "Pressure along the normals of the coarse surface (kappa norm, equation 16); below 0 "
                   "inwards. 0: none."});
  v(fill,
    {.key = "fill",
     .label = "Filling",
     .unit = "N/m3",
     .min = 0,
     .max = 1e12,
     .help = "Stiffness of stuffing that expands to its thickness (kappa fill, equation 17). 0: none."});
  v(thickness, {.key = "thickness",
                .label = "Filling thickness",
                .unit = "m",
                .min = 0,
                .max = 1,
                .help = "Height above the coarse surface to which stuffing expands (D, equation 17).",
                .display_unit = "mm",
                .display_scale = 1e3});
  v(hold_boundary, {.key = "hold_boundary",
                    .label = "Hold boundary",
                    .help = "Vertices at the boundary of a panel stay on the coarse surface, which keeps "
                            "sewn panels together.",
                    .rebuilds = true});
  v(closed,
    {.key = "closed",
     .label = "Closed boundaries",
     .help = "A band two cells wide around each panel stands for what the cloth is sewn to: it keeps the "
             "boundary in place and bends it by the seam angle.",
     .rebuilds = true});
  v(seam_angle,
    {.key = "seam_angle",
     .label = "Seam angle (theta)",
     .unit = "deg",
     .min = -90,
     .max = 90,
     .help = "Angle by which the band of a closed boundary is turned down from the cloth (equation 3). "
             "More makes bumpier seams."});
  v(renew_ghosts,
    {.key = "renew_ghosts",
     .label = "Moving seams",
     .help = "The band of a closed boundary follows the cloth. Otherwise it stays on the coarse "
             "surface.",
     .advanced = true});
  v(tether, {.key = "tether",
             .label = "Tether",
             .unit = "N/m3",
             .min = 0,
             .max = 1e9,
             .help = "Pulls means of small squares to the coarse surface, so that wrinkles move and the "
                     "cloth as a whole does not. 0: none, as in the paper.",
             .log_scale = true});
  v(tether_width, {.key = "tether_width",
                   .label = "Tether width",
                   .unit = "m",
                   .min = 1e-4,
                   .max = 10,
                   .help = "Width of the squares whose means the tether holds. Wrinkles should be narrower.",
                   .log_scale = true,
                   .display_unit = "mm",
                   .display_scale = 1e3,
                   .advanced = true,
                   .rebuilds = true});
  v(roughness, {.key = "roughness",
                .label = "Roughness",
                .unit = "cells",
                .min = 0,
                .max = 1,
                .help = "Height of the unevenness that a frame without transferred wrinkles starts with, "
                        "in cells of the coarsest level. With 0 a flat sheet cannot buckle.",
                .advanced = true});
  v(transfer,
    {.key = "transfer",
     .label = "Transfer",
     .help = "Each frame starts from the wrinkles of the frame before. Without it wrinkles flicker."});
  v(transfer_iterations, {.key = "transfer_iterations",
                          .label = "Transfer iterations",
                          .min = 1,
                          .max = 10000,
                          .help = "Iterations that move the coarse surface to the transferred wrinkles "
                                  "with layers apart (equation 12).",
                          .advanced = true});
  v(existing_stretch, {.key = "existing_stretch",
                       .label = "Keep stretch",
                       .help = "Cloth that the coarse surface stretches is taken to be cut so (equation "
                               "18). Then gathering makes wrinkles there too."});
  v(tolerance, {.key = "tolerance",
                .label = "Simplification",
                .unit = "m",
                .min = 0,
                .max = 0.1,
                .help = "Largest distance of a vertex from the simplified surface that is written. 0: "
                        "every vertex is written.",
                .display_unit = "mm",
                .display_scale = 1e3});
}

}  // namespace weft::wrinkles
