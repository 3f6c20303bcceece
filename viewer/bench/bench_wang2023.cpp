#include "viewer/bench/bench_wang2023.h"

#include <fmt/format.h>

namespace weft {
namespace {

enum Group : int { kDynamics, kTerms, kSearch, kTogether, kBackward, kForward, kBodies, kOther };

int group_of(const std::string& path) {
  static const StageGroups groups = with_common_stages({{"solve", kDynamics},
                                                        {"line search", kDynamics},
                                                        {"repulsion", kTerms},
                                                        {"terms", kTerms},
                                                        {"proximity", kSearch},
                                                        {"common motion", kTogether},
                                                        {"backward", kBackward},
                                                        {"forward", kForward},
                                                        {"two-way", kForward}},
                                                       kDynamics, kBodies);
  // Forward steps have a residual, as solvers do.
  if (path.find("forward/") != std::string::npos) return kForward;
  return innermost_group(path, groups, kOther);
}

std::string forward_cell(const PaperRow& r) {
  return fmt::format("{:.1f} ({})", r.forward_steps, r.most_forward_steps);
}
std::string paper_forward_cell(const PaperRow& r) {
  const PaperFigures& p = r.scene.paper;
  return p.forward_steps > 0 ? fmt::format("{:g} ({:g})", p.forward_steps, p.most_forward_steps)
                             : "not in it";
}
std::string collision_cell(const PaperRow& r) {
  return fmt::format("{:.3g} ({:.3g})", 1e-3 * r.collision_ms, 1e-3 * r.longest_collision_ms);
}
std::string paper_collision_cell(const PaperRow& r) {
  const PaperFigures& p = r.scene.paper;
  return p.collision > 0
             ? fmt::format("{:g} ({:g}) at {}K", p.collision, p.longest_collision, p.vertices / 1000)
             : "not in it";
}

PaperFigures figures(int vertices, double steps, double most_steps, double seconds, double longest) {
  PaperFigures p;
  p.vertices = vertices;
  p.forward_steps = steps, p.most_forward_steps = most_steps;
  p.collision = seconds, p.longest_collision = longest;
  return p;
}

}  // namespace

const PaperBench& wang2023_bench() {
  static const PaperBench bench = {
      .title = "Scenes of Wang 2023",
      .scenes = {{"reef_knot", 0, figures(37000, 7, 23, 0.024, 0.097)},
                 {"bow_knot", 0, figures(71000, 5.4, 17, 0.034, 0.113)},
                 {"sphere", 0, figures(50000, 19, 219, 0.044, 0.475)},
                 {"tube", 0, figures(25000, 19, 54, 0.308, 1.5)},
                 {"funnel", 1.0f / 160, figures(49000, 10, 95, 0.029, 0.296)},
                 {"funnel", 1.0f / 80, figures(49000, 12, 165, 0.040, 0.776)},
                 {"funnel", 1.0f / 40, figures(49000, 23, 437, 0.055, 1.198)},
                 {"funnel", 1.0f / 20, figures(49000, 27, 675, 0.087, 2.161)},
                 {"stack", 0, {}},
                 {"table", 0, {}},
                 {"spin", 0, {}},
                 {"gown", 0, figures(27000, 32, 150, 0.092, 0.443), {}, {}, true},
                 {"layered_dress", 0, figures(30000, 39, 142, 0.133, 0.511), {}, {}, true},
                 {"needle", 0, figures(10000, 46, 1304, 0.036, 1.942)},
                 {"blade", 0, figures(59000, 55, 779, 0.267, 4.463)}},
      .groups = {"dynamics", "contact in the solver", "proximity search", "moving together", "backward steps",
                 "forward steps", "bodies", "other"},
      .group_of = group_of,
      .collision_stage = "two-way",
      .columns = {{"forward steps", forward_cell},
                  {"paper", paper_forward_cell},
                  {"collisions, s per step (most)", collision_cell},
                  {"paper, 2080 Ti", paper_collision_cell}}};
  return bench;
}

}  // namespace weft
