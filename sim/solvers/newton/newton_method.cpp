#include "sim/methods/method_table.h"
#include "sim/solvers/newton/newton_params.h"
#include "sim/solvers/newton/newton_solver.h"

namespace weft {
namespace {

// Beyond what every scene takes: shares of coarse operators (irregular meshes have a quarter more than
// grids), and
// 3x3 blocks of finite elements. Measured with grids and uniform patterns of 4,000 to 100,000 vertices: 660
// to 1,220 and 740 to 800 bytes per vertex; 180 more are the elements themselves.
constexpr double kCoarseMeshes = 1000, kBlocks = 950;

double bytes_of_newton(const Scene& scene) {
  const bool multilevel = scene.of<NewtonParams>().preconditioner == int(CgPreconditioner::multilevel);
  const bool springs = scene.step.elastic_model == int(ElasticModel::springs);
  return (multilevel ? kCoarseMeshes : 0) + (springs ? 0 : kBlocks);
}

}  // namespace

SolverEntry newton_method() {
  SolverEntry e;
  e.name = "newton";
  e.label = "Newton";
  e.help =
      "Newton's method with projected Hessians, conjugate gradients over coarser meshes and a line search "
      "(Wang 2023). Solves each step: cloth swings, falls and rests the same on every mesh, and keeps its "
      "momentum. "
      "At rest and in slow motion about as fast as descent, in fast motion up to four times slower.";
  e.params = param_group<NewtonParams>("newton", "Newton");
  e.solids = e.rigid = e.strands = e.grains = true;
  e.bytes_per_vertex = bytes_of_newton;
  e.presets = {
      {"Several steps",
       "The defaults: Newton steps with a line search until little of the motion is missing, "
       "conjugate gradients over coarser meshes.",
       {{"newton.steps", "8"},
        {"newton.line_search", "true"},
        {"newton.preconditioner", "multilevel"},
        {"newton.cg_iterations", "30"},
        {"newton.cg_tolerance", "0.1"}}},
      {"One linear step",
       "Implicit Euler linearised once, solved by conjugate gradients with block Jacobi and without a line "
       "search, as in I-Cloth (Tang 2018). Cloth that is hit hard is stretched.",
       {{"newton.steps", "1"},
        {"newton.line_search", "false"},
        {"newton.preconditioner", "block_jacobi"},
        {"newton.cg_iterations", "200"},
        {"newton.cg_tolerance", "0.001"}}}};
  e.effort = {"newton.steps", "Newton steps"};
  e.make = [](const StepContext& c) { return std::make_unique<NewtonSolver>(c); };
  return e;
}

}  // namespace weft
