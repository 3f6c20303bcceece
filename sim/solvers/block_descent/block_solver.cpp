#include "sim/solvers/block_descent/block_solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "sim/base/error.h"
#include "sim/base/shorten.h"
#include "sim/device/primitives.h"
#include "sim/scene/model/stitches.h"
#include "sim/solvers/block_descent/solver_kernels.h"
#include "sim/solvers/residual_kernels.h"

namespace weft {

using block_descent::make_sheet;

namespace {

constexpr int kRounds = 4, kRoundsAmongCloth = 8;
constexpr float kAtVertex = 0.999f;  // weight of a corner from which on a grid's vertex lies there

int rounds_of(const StepContext& c) {
  const int rounds = c.scene.of<BlockDescentParams>().rounds;
  return rounds > 0 ? rounds : c.contact.among_cloth ? kRoundsAmongCloth : kRounds;
}

/// Spectral radius whose slowest part n accelerated iterations make twenty times smaller: with rho = 1 - e
/// each iteration takes sqrt(2 e) of it, and n sqrt(2 e) = 3. Beyond kLargestRho steps are taken back more
/// and more often.
constexpr float kLargestRho = 0.9998f;
float rho_for(int n) { return std::min(1 - std::min(4.5f / (float(n) * float(n)), 0.5f), kLargestRho); }

[[noreturn]] void no_grid(const std::string& cloth) {
  throw Error(fmt::format("cloth '{}' is no grid of squares", shortened(cloth)), "step.solver",
              "use pattern = \"square\" and a size of whole edges, or another solver");
}

/// The cloth in its material: triangles by the model's numbers.
grid::MaterialMesh material_of(const Topology& host, const ModelPart& range) {
  grid::MaterialMesh mesh;
  for (int v = 0; v < range.vertex_count; ++v) mesh.point.push_back(dvec2(host.uv[range.first_vertex + v]));
  for (int t = 0; t < range.triangle_count; ++t) {
    const ivec3 all = host.triangles[range.first_triangle + t];
    mesh.corners.push_back(all - ivec3(range.first_vertex));
    mesh.triangles.push_back(all);
  }
  return mesh;
}

/// Side of the squares if there are any: a triangle is half of one.
float cell_of(const grid::MaterialMesh& mesh) {
  double twice = 0;
  for (const ivec3& t : mesh.corners) {
    const dvec2 a = mesh.point[t.y] - mesh.point[t.x], b = mesh.point[t.z] - mesh.point[t.x];
    twice += std::abs(a.x * b.y - a.y * b.x);
  }
  return float(std::sqrt(twice / double(std::max(size_t(1), mesh.corners.size()))));
}

std::array<int, 3> sorted(const ivec3& t) {
  std::array<int, 3> s = {t.x, t.y, t.z};
  std::sort(s.begin(), s.end());
  return s;
}

/// Vertices of the model per slot; empty if grid and mesh differ.
std::vector<int> slots_of(const grid::Grid& g, const grid::MaterialMesh& mesh) {
  const grid::GridView view = g.view();
  const size_t slots = size_t(g.slot_count());
  std::vector<int> triangle(slots), vertex(slots, -1);
  std::vector<vec2> weight(slots);
  g.device().download(triangle.data(), view.triangle.data, slots * sizeof(int));
  g.device().download(weight.data(), view.barycentric.data, slots * sizeof(vec2));
  for (size_t s = 0; s < slots; ++s) {
    if (triangle[s] < 0) continue;
    const vec3 w(1 - weight[s].x - weight[s].y, weight[s].x, weight[s].y);
    for (int k = 0; k < 3; ++k)
      if (w[k] > kAtVertex) vertex[s] = mesh.triangles[triangle[s]][k];
    if (vertex[s] < 0) return {};
  }
  // The same triangles, and so the same vertices, each once.
  std::vector<std::array<int, 3>> of_grid, of_mesh;
  const grid::Grid::Published published = g.published();
  const auto at = [&](int k) { return vertex[published.vertices[k]]; };
  for (const ivec3& t : published.triangles) of_grid.push_back(sorted({at(t.x), at(t.y), at(t.z)}));
  for (const ivec3& t : mesh.triangles) of_mesh.push_back(sorted(t));
  std::sort(of_grid.begin(), of_grid.end());
  std::sort(of_mesh.begin(), of_mesh.end());
  return of_grid == of_mesh ? vertex : std::vector<int>{};
}

}  // namespace

std::string why_no_grid(const Scene& scene) {
  if (BendingModel(scene.step.bending_model) != BendingModel::quadratic)
    return "Block descent has quadratic bending alone";
  if (const std::string why = why_no_stitches(scene, "Block descent"); !why.empty()) return why;
  for (const Cloth& c : scene.cloths) {
    if (c.fabric.bending().x != c.fabric.bending().y)
      return fmt::format(
          "Block descent bends alike along warp and weft, and cloth '{}' has a "
          "weft_bending_rigidity",
          shortened(c.name));
    const bool squares =
        (c.shape == ClothShape::grid || c.shape == ClothShape::strip) && c.pattern == "square";
    if (!squares && !c.mesh)
      return fmt::format("Block descent needs grids of squares, and cloth '{}' is none", shortened(c.name));
  }
  return "";
}

BlockSolver::Part::Part(Device& device, const grid::MaterialMesh& mesh, float cell, int width)
    : grid(device, mesh, {.cell = cell, .block_width = width}),
      problem(device, grid, block_descent::SpringSheet{}),
      base(device, grid),
      start(device, "inertial targets of the grid", grid.slot_count()),
      weight(device, "anchors of the grid", grid.slot_count()),
      force(device, "anchors of the grid", grid.slot_count()),
      weighted(device, "anchored blocks", grid.block_count()),
      gain(device, "gains of blocks", grid.block_count()) {
  problem.pin(std::vector<unsigned char>(size_t(grid.slot_count()), 0));
  problem.target();
  problem.reserve_estimates();
}

BlockSolver::BlockSolver(const StepContext& c)
    : device_(c.device), gains_(c.device, "gains of grids", 2 * int(c.model.host.parts.size())) {
  if (const std::string why = why_no_grid(c.scene); !why.empty())
    throw Error(why, "step.solver", "choose another solver or other models");
  const int width = c.scene.of<BlockDescentParams>().block_width > 8 ? 16 : 8;
  for (const ModelPart& range : c.model.host.parts) {
    const grid::MaterialMesh mesh = material_of(c.model.host, range);
    auto part = std::make_unique<Part>(device_, mesh, cell_of(mesh), width);
    const std::vector<int> vertex = slots_of(part->grid, mesh);
    if (vertex.empty()) no_grid(range.name);
    part->vertex = Buffer<int>(device_, "vertices of the grid", vertex);
    parts_.push_back(std::move(part));
  }
  parameters_changed(c);
}

void BlockSolver::parameters_changed(const StepContext& c) {
  for (size_t p = 0; p < parts_.size(); ++p)
    parts_[p]->problem.sheet = make_sheet(c.scene.cloths[p].fabric, ElasticModel(c.scene.step.elastic_model),
                                          parts_[p]->grid.options().cell);
  load_painted(c);
  mass_ = float(std::accumulate(c.model.host_mass.begin(), c.model.host_mass.end(), 0.0));
}

/// Rows beyond the least density, whose inertia the sheet has, and stiffnesses per slot.
void BlockSolver::load_painted(const StepContext& c) {
  const Topology& host = c.model.host;
  const std::vector<float> stretch = painted_factors(host, Painted::stretch_stiffness),
                           bending = painted_factors(host, Painted::bending_rigidity),
                           density = painted_factors(host, Painted::areal_density),
                           area = density.empty() ? density : c.model.contact.area.download();
  const Buffer<float> of_stretch(device_, "painted stiffness", stretch),
      of_bending(device_, "painted stiffness", bending);
  for (size_t p = 0; p < parts_.size(); ++p) {
    Part& part = *parts_[p];
    if (!density.empty()) {
      const auto first = density.begin() + host.parts[p].first_vertex;
      part.painted.lightest = *std::min_element(first, first + host.parts[p].vertex_count);
      const float least = part.painted.lightest * c.scene.cloths[p].fabric.areal_density;
      std::vector<float> more;
      for (const int v : part.vertex.download())
        more.push_back(v < 0 ? 0.0f : std::max(c.model.host_mass[size_t(v)] - least * area[size_t(v)], 0.0f));
      part.painted.more_mass = Buffer<float>(device_, "masses beyond the least", more);
    }
    if (stretch.empty() && bending.empty()) continue;
    if (part.painted.factor.empty())
      part.painted.factor = Buffer<vec3>(device_, "painted stiffness of the grid", part.grid.slot_count());
    launch(device_, "painted stiffness", part.grid.slot_count(),
           block_descent::LoadFactors{part.grid.view(), part.vertex, of_stretch, of_bending,
                                      part.painted.factor});
    part.problem.set_factors(part.painted.factor);
  }
}

float BlockSolver::anchor_of(const StepContext& c, size_t part) const {
  return parts_[part]->painted.lightest * c.scene.cloths[part].fabric.areal_density / (c.dt * c.dt);
}

int BlockSolver::iterations(const StepContext& c) const { return rounds_of(c); }

void BlockSolver::prepare(StepContext& c) {
  const BlockDescentParams& p = c.scene.of<BlockDescentParams>();
  // An even number: positions end in the memory in which they began, so that a recorded sequence fits the
  // next step.
  per_round_ = std::max(2, (p.iterations / rounds_of(c) + 1) / 2 * 2);
  for (size_t k = 0; k < parts_.size(); ++k) {
    Part& part = *parts_[k];
    auto& o = part.problem.options;
    o.method = block_descent::Method(p.method);
    o.inner = p.inner, o.alpha = p.alpha, o.lag_outer = p.lag_outer;
    o.outer_rho = p.chebyshev_rho > 0 ? p.chebyshev_rho : rho_for(per_round_ * rounds_of(c));
    part.problem.terms.anchor = anchor_of(c, k);
    part.problem.set_anchors({part.weight, part.force, part.weighted, std::as_const(part.base).view()});
  }
}

void BlockSolver::load(StepContext& c, Part& part) {
  const int slots = part.grid.slot_count(), per_block = part.grid.view().slots_per_block();
  launch(device_, "load", part.grid.block_count(),
         block_descent::PlaceBlocks{part.vertex, c.state.position, per_block, 0, part.base.origin});
  part.problem.x().origin.copy_from(part.base.origin);
  part.problem.target().origin.copy_from(part.base.origin);
  launch(device_, "load", slots,
         block_descent::LoadStep{part.vertex, c.state.position, c.inertia, c.displacement, c.kinematic,
                                 part.base.view(), part.problem.target().view(), part.start,
                                 part.problem.pinned()});
}

void BlockSolver::begin_step(StepContext& c) {
  for (const auto& part : parts_) load(c, *part);
}

void BlockSolver::load_anchors(StepContext& c, Part& part) {
  const int per_block = part.grid.view().slots_per_block();
  launch(device_, "load", part.grid.slot_count(),
         block_descent::LoadAnchors{.vertex = part.vertex,
                                    .anchor_weight = c.anchor_weight,
                                    .anchor_force = c.anchor_force,
                                    .inertia = c.inertia,
                                    .more_mass = part.painted.more_mass,
                                    .inv_h2 = 1 / (c.dt * c.dt),
                                    .weight = part.weight,
                                    .force = part.force});
  launch(device_, "load", part.grid.block_count(),
         block_descent::MarkAnchored{part.weight, part.force, per_block, 0, part.weighted});
  launch(device_, "load", part.grid.slot_count(),
         block_descent::LoadStart{part.vertex, c.displacement, part.base.local, part.problem.x().local});
}

void BlockSolver::iterate(StepContext& c, int k) {
  for (const auto& part : parts_) {
    load_anchors(c, *part);
    // What nothing holds falls with the target; what hangs at rest does not move at all.
    if (k == 0) part->problem.take_better(part->start);
    // Momentum goes on through the rounds; F is evaluated afresh, since anchors have changed.
    k == 0 ? part->problem.begin() : part->problem.renew();
    part->problem.solve(per_round_);
    launch(device_, "store", part->grid.slot_count(),
           block_descent::StoreStep{part->vertex, c.kinematic, part->problem.x().local, part->base.local,
                                    c.displacement});
  }
  if (k + 1 == rounds_of(c)) estimate_residual(c);
}

/// Blocks as wholes by their masses, which is an upper bound, and what an iteration would gain within them.
void BlockSolver::estimate_residual(StepContext& c) {
  StageScope stage(device_.profiler(), "residual");
  gains_.clear();
  int at = 0;
  const auto sum = [&](Span<const float> gain) {
    reduce_sum(device_, gain, Span<float>(gains_.span().data + at++, 1));
  };
  for (const auto& part : parts_) {
    sum(part->problem.queue_gains());
    launch(device_, "residual", part->grid.block_count(),
           block_descent::BlockGains{part->vertex, part->problem.queue_gradient(), part->problem.pinned(),
                                     c.model.mass, c.dt * c.dt, part->grid.view().slots_per_block(),
                                     part->gain});
    sum(part->gain);
  }
  launch(device_, "residual", 1, residual::SumGains{gains_, residual_unit(mass_, c.dt), c.solver_residual});
}

void BlockSolver::gradient(StepContext& c, Span<vec3> out) {
  for (size_t k = 0; k < parts_.size(); ++k) {
    Part& part = *parts_[k];
    part.problem.terms.anchor = anchor_of(c, k);
    part.problem.set_anchors({part.weight, part.force, part.weighted, std::as_const(part.base).view()});
    load(c, part);
    load_anchors(c, part);
    launch(device_, "gradient", part.grid.slot_count(),
           block_descent::StoreGradient{part.vertex, part.problem.queue_gradient(), out});
  }
}

}  // namespace weft
