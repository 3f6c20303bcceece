#include "sim/wrinkles/wrinkle_settings.h"

#include "sim/base/param_rows.h"

namespace weft::wrinkles {

void WrinkleParams::describe(ParamVisitor& v) {
  const ParamRows row(v);
  row(cell, param("cell", "Cell").length(1e-4, 0.05).log_scale().rebuilds(),
      "Distance of the vertices. Smaller shows finer folds; half the distance needs four times the memory. "
      "Wang 2021: 0.4 to 0.6 mm.");
  row(levels, param("levels", "Levels").range(1, 6).rebuilds(),
      "Grids from coarse to fine, each with half the cells of the one before. More levels find large folds "
      "in fewer iterations. 1: the finest alone.");
  row(iterations, param("iterations", "Iterations").range(0, 100000).log_scale(),
      "Outer iterations on each level. More lets folds deepen and spread; cloth that nothing holds goes flat "
      "in the end.");
  row(block_width, param("block_width", "Block width (W)").range(8, 64).advanced().rebuilds(),
      "Vertices along a block: 8, 16, 32 or 64. Blocks are solved independently within an iteration.");
  row(inner, param("inner", "Inner iterations (L)").range(1, 16).advanced(),
      "Iterations within a block before it sees its neighbours again. More does more work per memory access, "
      "and needs a smaller step.");
  row(alpha, param("alpha", "Step (alpha)").range(0.01, 1).advanced(),
      "Share of the preconditioned step that is taken. Less is slower; too much is taken back by the "
      "solver.");
  row(lag_outer, param("lag_outer", "Lag outer ring").advanced(),
      "Bending takes vertices beyond the six neighbours from the start of an outer iteration (equation 9).");
  row(inner_chebyshev, param("inner_chebyshev", "Inner Chebyshev").advanced(),
      "Chebyshev acceleration within blocks; then half the inner iterations suffice.");
  row(chebyshev, param("chebyshev", "Outer Chebyshev").advanced(),
      "Chebyshev acceleration of outer iterations.");
  row(planar, param("planar", "Planar model").choices({"springs", "finite_elements", "stvk"}),
      "Springs along edges couple stretch and shear; triangles do not.");
  row(repel, param("repel", "Repulsion"),
      "Vertices push others away that come too close, other than neighbours (equation 11).");
  row(repulsion_radius, param("repulsion_radius", "Repulsion radius").unit("cells").range(1, 1.41),
      "Distance at which vertices push each other away. Below 1 triangles can pass between vertices, above "
      "1.41 flat cloth pushes itself apart.");
  row(repulsion, param("repulsion", "Repulsion strength").unit("N/m3").range(0, 1e12).log_scale(),
      "Pressure per depth of a contact. More keeps layers farther apart.");
  row(bodies, param("bodies", "Bodies"),
      "Vertices stay out of bodies: each keeps to its side of the nearest place of a body (equation 10).");
  row(body_gap, param("body_gap", "Body distance").length(0, 0.1),
      "Distance that vertices keep from bodies. More hides cells that cut into curved bodies.");
  row(air, param("air", "Air pressure").unit("Pa").range(-1e6, 1e6),
      "Pressure along the normals of the present surface (kappa air, equation 15). 0: none.");
  row(push, param("push", "Push").unit("Pa").range(-1e6, 1e6),
      "Pressure along the normals of the coarse surface (kappa norm, equation 16); below 0 inwards. 0: "
      "none.");
  row(fill, param("fill", "Filling").unit("N/m3").range(0, 1e12),
      "Stiffness of stuffing that expands to its thickness (kappa fill, equation 17). 0: none.");
  row(thickness, param("thickness", "Filling thickness").length(0, 1),
      "Height above the coarse surface to which stuffing expands (D, equation 17).");
  row(hold_boundary, param("hold_boundary", "Hold boundary").rebuilds(),
      "Vertices at the boundary of a panel stay on the coarse surface, which keeps sewn panels together.");
  row(closed, param("closed", "Closed boundaries").rebuilds(),
      "A band two cells wide around each panel stands for what the cloth is sewn to: it keeps the boundary "
      "in place and bends it by the seam angle.");
  row(seam_angle, param("seam_angle", "Seam angle (theta)").unit("deg").range(-90, 90),
      "Angle by which the band of a closed boundary is turned down from the cloth (equation 3). More makes "
      "bumpier seams.");
  row(renew_ghosts, param("renew_ghosts", "Moving seams").advanced(),
      "The band of a closed boundary follows the cloth. Otherwise it stays on the coarse surface.");
  row(tether, param("tether", "Tether").unit("N/m3").range(0, 1e9).log_scale(),
      "Pulls means of small squares to the coarse surface, so that wrinkles move and the cloth as a whole "
      "does not. 0: none, as in the paper.");
  row(tether_width, param("tether_width", "Tether width").length(1e-4, 10).log_scale().advanced().rebuilds(),
      "Width of the squares whose means the tether holds. Wrinkles should be narrower.");
  row(roughness, param("roughness", "Roughness").unit("cells").range(0, 1).advanced(),
      "Height of the unevenness that a frame without transferred wrinkles starts with, in cells of the "
      "coarsest level. With 0 a flat sheet cannot buckle.");
  row(transfer, param("transfer", "Transfer"),
      "Each frame starts from the wrinkles of the frame before. Without it wrinkles flicker.");
  row(transfer_iterations, param("transfer_iterations", "Transfer iterations").range(1, 10000).advanced(),
      "Iterations that move the coarse surface to the transferred wrinkles with layers apart (equation 12).");
  row(existing_stretch, param("existing_stretch", "Keep stretch"),
      "Cloth that the coarse surface stretches is taken to be cut so (equation 18). Then gathering makes "
      "wrinkles there too.");
  row(tolerance, param("tolerance", "Simplification").length(0, 0.1),
      "Largest distance of a vertex from the simplified surface that is written. 0: every vertex is "
      "written.");
}

}  // namespace weft::wrinkles
