#include "viewer/bench/bench_wu2020.h"

#include <fmt/format.h>

namespace weft {
namespace {

enum Group : int { kDynamics, kSearch, kConstraints, kTests, kBodies, kOther };

int group_of(const std::string& path) {
  static const StageGroups groups = with_common_stages({{"hash points", kSearch},
                                                        {"sort", kSearch},
                                                        {"fill buckets", kSearch},
                                                        {"neighbourhood cache", kSearch},
                                                        {"neighbours", kSearch},
                                                        {"check cache", kSearch},
                                                        {"sample search", kSearch},
                                                        {"soft phase", kConstraints},
                                                        {"hard gradient", kConstraints},
                                                        {"line search", kConstraints},
                                                        {"hard step", kConstraints},
                                                        {"staying vertices", kConstraints},
                                                        {"motion grid", kConstraints},
                                                        {"motion cells", kConstraints},
                                                        {"motion nodes", kConstraints},
                                                        {"initial motion", kConstraints},
                                                        {"constraint tests", kTests},
                                                        {"sample tests", kTests},
                                                        {"fold guard", kTests},
                                                        {"failing vertices", kTests},
                                                        {"rollback", kTests}},
                                                       kDynamics, kBodies);
  return innermost_group(path, groups, kOther);
}

std::string paper_cell(const PaperRow& r) {
  const PaperFigures& p = r.scene.paper;
  return p.highest > 0 ? fmt::format("{:g} to {:g} at {}K", p.lowest, p.highest, p.vertices / 1000)
                       : "not in it";
}

/// A garment, which exists as a small scene alone; with repulsion, or with two-way contact where repulsion
/// does not take the cloth (three triangles at an edge).
PaperScene garment(const std::string& name, int vertices, double lowest, double highest, bool repulsion) {
  PaperScene scene;
  scene.name = name, scene.small_only = true;
  scene.paper = {.vertices = vertices, .lowest = lowest, .highest = highest};
  if (repulsion) scene.parameters = {{"step.collision", "repulsion"}};
  else scene.with = "two-way contact";
  return scene;
}

}  // namespace

const PaperBench& wu2020_bench() {
  static const PaperBench bench = {
      .title = "Scenes of Wu 2020",
      .scenes = {{"funnel", 0, {.vertices = 58000, .lowest = 29, .highest = 72}},
                 {"table", 0, {.vertices = 58000, .lowest = 31, .highest = 71}},
                 {"tie", 0, {.vertices = 49000, .lowest = 19, .highest = 24}},
                 garment("shirt", 56000, 39, 61, true),
                 garment("dress_pull", 55000, 38, 72, true),
                 garment("gown", 139000, 28, 50, false),
                 garment("layered_dress", 297000, 10, 14, false),
                 {"sphere_drape", 0, {}},
                 {"stack", 0, {}},
                 {"curtain", 0, {}}},
      .groups = {"dynamics", "proximity search", "constraints", "tests", "body contact", "other"},
      .group_of = group_of,
      .collision_stage = "",
      .columns = {{"paper, 2080 Ti", paper_cell}}};
  return bench;
}

}  // namespace weft
