#include "viewer/bench/bench_lan2024.h"

#include <fmt/format.h>

namespace weft {
namespace {

enum Group : int { kDynamics, kTerms, kSearch, kExit, kBodies, kOther };

int group_of(const std::string& path) {
  static const StageGroups groups = with_common_stages({{"solve", kDynamics},
                                                        {"line search", kDynamics},
                                                        {"gradient", kDynamics},
                                                        {"subspace", kDynamics},
                                                        {"sweeps", kDynamics},
                                                        {"repulsion", kTerms},
                                                        {"terms", kTerms},
                                                        {"find contacts", kTerms},
                                                        {"proximity", kSearch},
                                                        {"common motion", kExit},
                                                        {"backward", kExit},
                                                        {"forward", kExit},
                                                        {"exit", kExit},
                                                        {"full tests", kExit},
                                                        {"two-way", kExit}},
                                                       kDynamics, kBodies);
  if (path.find("forward/") != std::string::npos) return kExit;
  return innermost_group(path, groups, kOther);
}

std::string rounds_cell(const PaperRow& r) { return count_cell(r, "rounds"); }
std::string iterations_cell(const PaperRow& r) { return count_cell(r, "contact_iterations"); }
std::string exit_cell(const PaperRow& r) {
  return fmt::format("{:.1f} ({})", r.forward_steps, r.most_forward_steps);
}

}  // namespace

const PaperBench& lan2024_bench() {
  static const PaperBench bench = {
      .title = "Scenes of Lan 2024",
      .scenes = compared({{.name = "strip"},
                          {.name = "animal"},
                          {.name = "twist"},
                          {.name = "teapot"},
                          {.name = "ribbons"},
                          {.name = "tight_knot"},
                          {.name = "sphere"},
                          {.name = "ten_cloths"},
                          {.name = "folding"},
                          {.name = "washer"},
                          {.name = "funnel"},
                          {.name = "kick"}},
                         {{"step.collision", "ndb"}, {"step.solver", "projective"}},
                         {{.with = "two-way contact and descent",
                           .parameters = {{"step.collision", "two_way"}, {"step.solver", "descent"}}},
                          {.with = "two-way contact and Newton's method",
                           .parameters = {{"step.collision", "two_way"}, {"step.solver", "newton"}}}}),
      .groups = {"dynamics", "contact in the solver", "proximity search", "exit", "bodies", "other"},
      .group_of = group_of,
      .collision_stage = "exit",
      .card = "RTX 3090",
      .columns = {{"full detections", rounds_cell},
                  {"contact_iterations", iterations_cell},
                  {"pieces of the exit", exit_cell}}};
  return bench;
}

}  // namespace weft
