#include "sim/run/step_reasons.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/methods/method_table.h"

namespace weft {
namespace {

constexpr size_t kLooks = 20, kFewest = 8;  // steps
constexpr double kUnsolved = 0.05;          // of what gravity moves in a step: more is seen as lag and creep
constexpr double kMissed = 0.05;            // of its path, by the vertex that moves least
constexpr double kPinLag = 1e-3;            // m
constexpr double kGravity = 9.81;           // m/s², as in StepStats::solver_residual
constexpr double kStretched = 1.15;
constexpr double kInside = 1e-3;          // m
constexpr double kManyPairs = 3;          // per vertex
constexpr double kHalfTheVertices = 1.4;  // factor of edges
constexpr double kMostApart = 0.4;        // of the mean edge, for the distance at which pairs repel

using Kind = StepReason::Kind;

/// What reasons are made of.
struct Looked {
  const StepReasons& steps;
  Scene scene;  // a copy, whose parameters can be read by key
  ParamTable params;
  const MeshFacts& mesh;
  const SolverEntry& solver;
  const CollisionEntry& collision;
  double in_solver = 0, in_contact = 0;  // shares of a step's time

  double value(const std::string& key) const {
    const ParamRef* ref = key.empty() ? nullptr : params.find(key);
    return ref ? ref->number() : 0;
  }
  /// The value as it may be set: within its range.
  std::string within(const std::string& key, double wanted) const {
    const ParamInfo& info = params.find(key)->info();
    const double kept = std::clamp(wanted, info.min, info.max);
    return fmt::format("{:.4g}", kept);
  }
  bool can_be(const std::string& key, double wanted) const {
    const ParamRef* ref = key.empty() ? nullptr : params.find(key);
    return ref && wanted <= ref->info().max * (1 + 1e-6);
  }
};

std::string millimetres(double m) { return fmt::format("{:.3g} mm", 1e3 * m); }

/// Another method, that takes the scene.
void keep_apart(const Looked& l, StepReason& r) {
  const auto& methods = collision_methods();
  const auto found = std::find_if(methods.begin(), methods.end(), [&](const CollisionEntry& e) {
    return e.never_crosses && why_not(e, l.scene).empty();
  });
  if (found == methods.end()) return;
  r.change = {{"step.collision", found->name}};
  r.restart = true;
  r.button = "Begin with " + found->label;
}

void crosses(const Looked& l, const VerdictRecord& record, std::vector<StepReason>& list) {
  const StateVerdict& v = record.last();
  if (!v.crosses()) return;
  StepReason r{.kind = Kind::crosses};
  const char* where = v.own == 0 ? "a body" : v.with_bodies == 0 ? "itself" : "itself and a body";
  const int first = record.first_step();
  r.words = fmt::format("Cloth crosses {}, {}", where,
                        first <= 0 ? "from the start on" : fmt::format("since step {}", first));
  const bool promised = l.collision.never_crosses;
  r.tooltip = promised
                  ? "The collision method prevents new crossings; one that was there before it began may "
                    "stay. Start from a pose without crossings ('weft repair' makes one), or reset."
                  : fmt::format("{} does not rule that out.", l.collision.label);
  if (!promised) keep_apart(l, r);
  list.push_back(std::move(r));
}

void inside_body(const Looked& l, std::vector<StepReason>& list) {
  const double depth = l.steps.mean("max_penetration");
  if (depth < kInside || l.collision.never_crosses) return;
  StepReason r{.kind = Kind::inside_body};
  r.words = fmt::format("Cloth is {} inside a body", millimetres(depth));
  r.tooltip = fmt::format(
      "{} does not keep it out entirely; edges here are {} long, and bodies have finer parts or move fast.",
      l.collision.label, millimetres(l.mesh.mean_edge));
  keep_apart(l, r);
  list.push_back(std::move(r));
}

void contact_limit(const Looked& l, std::vector<StepReason>& list) {
  const double missed = l.steps.mean("residual");
  if (l.collision.steps.residual_limit.empty() || missed < kMissed) return;
  const std::string& key = l.collision.limit;
  const double most = l.value(key), next = 4 * most;
  StepReason r{.kind = Kind::contact_limit};
  r.words = fmt::format("Contact ends {:.0f} % short of the solver's target", 100 * missed);
  r.tooltip = fmt::format(
      "The vertex that moves least gets no further in {:.0f} steps of contact, so cloth in contact lags. "
      "More "
      "of them cost time in proportion.",
      l.steps.mean("collision_steps"));
  if (l.can_be(key, next)) {
    r.change = {{key, l.within(key, next)}};
    r.button = fmt::format("Allow {:.0f}", next);
  }
  list.push_back(std::move(r));
}

void unsolved(const Looked& l, std::vector<StepReason>& list) {
  const double left = l.steps.mean("solver_residual") / l.solver.residual_tells;
  if (left < kUnsolved || l.steps.mean("budget_iterations") > 0.5) return;
  StepReason r{.kind = Kind::unsolved};
  const double moved = kGravity * double(l.scene.step.dt) * double(l.scene.step.dt);
  r.words = fmt::format("Steps end unsolved, {} off", millimetres(left * moved));
  r.tooltip = fmt::format(
      "{} ends at its limit. Its mean error of a step is {:.2g} % of what gravity moves in one. Large "
      "motions "
      "lag, and resting cloth creeps.",
      l.solver.label, 100 * left);
  const SolverEffort& more = l.solver.effort;
  const double now = l.value(more.key), next = now > 0 ? 2 * now : more.first;
  if (l.can_be(more.key, next)) {
    r.change = {{more.key, l.within(more.key, next)}};
    r.button = fmt::format("Use {:.0f} {}", next, more.what);
    r.tooltip += " More of it costs time in proportion.";
  } else if (const SolverEntry& best = solvers()[0];
             best.name != l.solver.name && why_not(best, l.scene).empty()) {
    r.change = {{"step.solver", best.name}};
    r.button = fmt::format("Take {}", best.label);
  }
  list.push_back(std::move(r));
}

void pins_apart(const Looked& l, std::vector<StepReason>& list) {
  const double lag = l.steps.mean("pin_lag");
  if (lag < kPinLag) return;
  list.push_back({.kind = Kind::pins_apart,
                  .words = fmt::format("Pins are {} from their places", millimetres(lag)),
                  .tooltip =
                      "Cloth or a body is in their way, or they move faster than contact follows. They "
                      "get there when there is room."});
}

void stretched(const Looked& l, std::vector<StepReason>& list) {
  const double stretch = l.steps.mean("max_stretch");
  if (stretch < kStretched || !list.empty()) return;
  StepReason r{.kind = Kind::stretched};
  r.words = fmt::format("Edges are stretched to {:.2f} times their length", stretch);
  r.tooltip =
      "The step is solved: the fabric gives way to its load. Stiffer cloth is harder to solve. Grab it more "
      "gently, or give it a stiffer fabric.";
  if (l.scene.cloths.size() == 1) {
    const double next = 4 * double(l.scene.cloths[0].fabric.stretch_stiffness);
    r.change = {{"fabric.stretch_stiffness", fmt::format("{:.4g}", std::min(next, 1e6))}};
    r.button = "Four times as stiff";
  }
  list.push_back(std::move(r));
}

/// Half the vertices, where the scene's cloths can be made so.
void coarser(const Looked& l, StepReason& r) {
  if (!l.mesh.other_edges) return;
  r.coarser = kHalfTheVertices;
  r.restart = true;
  r.button = "Half the vertices";
  r.tooltip += " Half the vertices take about half the time, and show half the folds.";
}

void slow(const Looked& l, std::vector<StepReason>& list) {
  const double pairs = l.steps.mean("vertex_triangle_pairs") + l.steps.mean("edge_edge_pairs");
  const double per_vertex = l.mesh.vertices > 0 ? pairs / l.mesh.vertices : 0;
  StepReason r;
  if (l.in_contact > l.in_solver) {
    const bool many = per_vertex > kManyPairs;
    r.kind = many ? Kind::pairs : Kind::contact_time;
    r.words = fmt::format("{:.0f} % of a step is contact", 100 * l.in_contact);
    if (many) r.words += fmt::format(": {:.0f} close pairs a vertex", per_vertex);
    r.tooltip =
        fmt::format("Collision steps in the last steps: {:.0f} each.", l.steps.mean("collision_steps"));
    const std::string& key = l.collision.apart;
    const double next = 2 * l.value(key);
    if (many && l.can_be(key, next) && next <= kMostApart * l.mesh.mean_edge) {
      r.change = {{key, l.within(key, next)}};
      r.button = fmt::format("Let it lie {} apart", millimetres(next));
      r.tooltip += " Layers that lie further apart have fewer close pairs.";
    }
  } else {
    r.kind = Kind::solver_time;
    r.words = fmt::format("{:.0f} % of a step is the solver", 100 * l.in_solver);
    r.tooltip = fmt::format("{} for {} vertices.", l.solver.label, l.mesh.vertices);
  }
  if (!r.has_change()) coarser(l, r);
  list.push_back(std::move(r));
}

/// Pins that name vertices would hold others of another mesh.
bool takes_other_edges(const Scene& scene) {
  return !scene.cloths.empty() && std::none_of(scene.cloths.begin(), scene.cloths.end(), [](const Cloth& c) {
    return bool(c.mesh);
  }) && std::all_of(scene.pins.begin(), scene.pins.end(), [](const Pin& p) { return p.vertices.empty(); });
}

}  // namespace

MeshFacts mesh_facts(const SceneView& view) {
  MeshFacts facts{.vertices = int(view.rest.size()), .other_edges = takes_other_edges(view.scene)};
  std::vector<size_t> part_of(view.rest.size(), 0);
  std::vector<double> sums(view.parts.size() + 1, 0), counts(sums);
  for (size_t p = 0; p < view.parts.size(); ++p)
    std::fill_n(part_of.begin() + view.parts[p].first_vertex, view.parts[p].vertex_count, p);
  double sum = 0;
  for (const ivec2& e : view.edges) {
    const double length = double(glm::distance(view.rest[size_t(e.x)], view.rest[size_t(e.y)]));
    sum += length;
    sums[part_of[size_t(e.x)]] += length, counts[part_of[size_t(e.x)]] += 1;
  }
  if (!view.edges.empty()) facts.mean_edge = sum / double(view.edges.size());
  for (size_t p = 0; p < view.parts.size(); ++p)
    if (view.parts[p].kind == PartKind::cloth)
      facts.cloth_edges.push_back(counts[p] > 0 ? sums[p] / counts[p] : facts.mean_edge);
  return facts;
}

void scale_edges(Scene& scene, double factor, const MeshFacts& mesh) {
  for (size_t i = 0; i < scene.cloths.size(); ++i) {
    Cloth& cloth = scene.cloths[i];
    const double longer = factor * (i < mesh.cloth_edges.size() ? mesh.cloth_edges[i] : mesh.mean_edge);
    if (cloth.shape == ClothShape::obj) cloth.remesh_edge = float(longer);
    else if (cloth.edge > 0) cloth.edge *= float(factor);
    else if (cloth.shape == ClothShape::garment) cloth.edge = float(longer);
    else cloth.vertices = int(cloth.vertices / (factor * factor));
  }
}

void StepReasons::look(int step, const StepStats& stats, const std::vector<StageTime>& stages) {
  if (step == last_) return;
  if (step < last_) clear();
  last_ = step;
  steps_.push_back(stats.all());
  if (steps_.size() > kLooks) steps_.pop_front();
  const auto whole =
      std::find_if(stages.begin(), stages.end(), [](const StageTime& s) { return s.depth == 0; });
  if (whole == stages.end() || whole->mean <= 0) return;
  shares_.clear();
  for (const StageTime& s : stages)
    if (s.depth == 1) shares_.emplace_back(s.name, s.mean / whole->mean);
}

bool StepReasons::enough() const { return steps_.size() >= kFewest; }

double StepReasons::mean(const std::string& name) const {
  double sum = 0;
  size_t count = 0;
  for (const auto& step : steps_)
    for (const auto& [key, value] : step)
      if (key == name && std::isfinite(value)) sum += value, ++count;
  return count ? sum / double(count) : 0;
}

std::vector<StepReason> StepReasons::reasons(const Scene& scene, const MeshFacts& mesh,
                                             const VerdictRecord* verdict, bool is_slow) const {
  std::vector<StepReason> list;
  if (!enough()) return list;
  Looked l{.steps = *this,
           .scene = scene,
           .params = {},
           .mesh = mesh,
           .solver = solvers()[size_t(scene.step.solver)],
           .collision = collision_methods()[size_t(scene.step.collision)]};
  l.params = l.scene.params();
  for (const auto& [name, share] : shares_)
    (name == "solve" ? l.in_solver : l.in_contact) += name == "solve" || name == "contact" ? share : 0;
  if (verdict) crosses(l, *verdict, list);
  if (list.empty()) inside_body(l, list);
  contact_limit(l, list);
  unsolved(l, list);
  pins_apart(l, list);
  stretched(l, list);
  if (is_slow) slow(l, list);
  return list;
}

}  // namespace weft
