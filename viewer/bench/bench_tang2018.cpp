#include "viewer/bench/bench_tang2018.h"

#include <fmt/format.h>

namespace weft {
namespace {

enum Group : int { kDynamics, kTerms, kBroad, kNarrow, kZones, kBodies, kOther };

int group_of(const std::string& path) {
  static const StageGroups groups = with_common_stages({{"solve", kDynamics},
                                                        {"line search", kDynamics},
                                                        {"repulsion", kTerms},
                                                        {"terms", kTerms},
                                                        {"broad phase", kBroad},
                                                        {"proximity", kBroad},
                                                        {"narrow phase", kNarrow},
                                                        {"zones", kZones},
                                                        {"zone solver", kZones},
                                                        {"hold back", kZones},
                                                        {"impact zones", kZones},
                                                        {"common motion", kZones},
                                                        {"backward", kZones},
                                                        {"forward", kZones},
                                                        {"two-way", kZones}},
                                                       kDynamics, kBodies);
  if (path.find("forward/") != std::string::npos) return kZones;
  return innermost_group(path, groups, kOther);
}

/// Time steps per second of the whole simulation, on a GeForce GTX 1080.
PaperFigures figures(int vertices, double rate) {
  PaperFigures p;
  p.vertices = vertices, p.lowest = p.highest = rate;
  return p;
}

std::string rounds_cell(const PaperRow& r) { return count_cell(r, "rounds"); }
std::string impacts_cell(const PaperRow& r) { return count_cell(r, "impacts"); }
std::string parts_cell(const PaperRow& r) { return count_cell(r, "parts"); }
std::string paper_cell(const PaperRow& r) {
  const PaperFigures& p = r.scene.paper;
  return p.highest > 0          ? fmt::format("{:g} at {}K", p.highest, p.vertices / 1000)
         : r.scene.with.empty() ? "not in it"
                                : "";
}

}  // namespace

const PaperBench& tang2018_bench() {
  static const PaperBench bench = {
      .title = "Scenes of Tang 2018",
      .scenes = compared({{.name = "sphere", .paper = figures(100000, 1.95)},
                          {.name = "twisting", .paper = figures(100000, 5.08)},
                          {.name = "funnel", .paper = figures(100000, 8.47)},
                          {.name = "kung_fu", .paper = figures(64000, 3.73), .small_only = true},
                          {.name = "dress", .paper = figures(45000, 6.06), .small_only = true},
                          {.name = "tiered", .paper = figures(108000, 1.23), .small_only = true},
                          {.name = "swing", .paper = figures(62000, 4.46), .small_only = true},
                          {.name = "scarf"},
                          {.name = "skirt"},
                          {.name = "cone"}},
                         {{"step.collision", "impact_zones"}},
                         {{.with = "two-way contact", .parameters = {{"step.collision", "two_way"}}}}),
      .groups = {"dynamics", "contact in the solver", "broad phase", "narrow phase", "zones or steps",
                 "bodies", "other"},
      .group_of = group_of,
      .collision_stage = "impact zones",
      .card = "GTX 1080",
      .columns = {{"rounds", rounds_cell},
                  {"impacts", impacts_cell},
                  {"parts of a step", parts_cell},
                  {"paper, steps per second", paper_cell}}};
  return bench;
}

}  // namespace weft
