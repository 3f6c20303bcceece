#include <algorithm>

#include "sim/methods/method_table.h"
#include "sim/scene/model/stitches.h"
#include "sim/scene/solids.h"
#include "sim/solvers/projective/projective_params.h"
#include "sim/solvers/projective/projective_solver.h"

namespace weft {
namespace {

double bytes_of_projective(const Scene& scene) {
  const ProjectiveParams& p = scene.of<ProjectiveParams>();
  // Products over two edges: about 60 neighbours and 330 products where bending couples vertices over two
  // edges, as columns of 16 rows a third more. Rank 0 has them on a GPU only.
  const double products =
      p.products == int(ModeProducts::stored) ? 2.0 * p.reused_modes * (p.reused_modes + 1) : 0;
  return 4.0 * p.modes + products + (p.rank == 2 && p.jacobi > 3 ? 60 * 16 + 480 * 8 : 0);
}

/// One constant matrix has no place for threads that tighten and let go, and bounds no energy of solids but
/// the co-rotated one. Two rigid bodies that meet under two-way handling leave with up to 1.6 times their
/// momentum after 20 iterations, 1.03 after 50.
std::string why_refused(const Scene& s) {
  const std::string who = "Projective dynamics";
  if (std::string why = why_no_stitches(s, who); !why.empty()) return why;
  const std::string collision = collision_names()[size_t(s.step.collision)];
  if (!why_no_rigid_bodies(s, who).empty() && collision != "ndb" && collision != "none")
    return who + " takes rigid bodies with the collision method \"ndb\" (or none), and this is \"" +
           collision + "\"";
  const std::vector<SolidParams>& solids = s.of<SolidList>().list;
  const bool soft =
      std::any_of(solids.begin(), solids.end(), [](const SolidParams& one) { return !one.rigid; });
  if (!soft || SolidModel(s.step.solid_model) == SolidModel::corotated) return "";
  return who + " takes solids whose step.solid_model is \"corotated\"; Newton's method takes all of them";
}

}  // namespace

SolverEntry projective_method() {
  SolverEntry e;
  e.name = "projective";
  e.label = "Projective dynamics";
  e.help =
      "Iterations with one constant matrix: its lowest modes in a subspace, the rest by Jacobi sweeps (Lan "
      "2024). "
      "The same work for every step, solved or not; cloth that turns or rolls lags behind, and cloth that "
      "should "
      "collapse stands on its edge for some time. Its residual tells a tenth to a fiftieth of the true "
      "error.";
  e.params = param_group<ProjectiveParams>("projective", "Projective dynamics");
  e.bytes_per_vertex = bytes_of_projective;
  e.solids = e.rigid = true;
  e.refuses = why_refused;
  e.residual_tells = 0.1;
  e.make = [](const StepContext& c) { return std::make_unique<ProjectiveSolver>(c); };
  return e;
}

}  // namespace weft
