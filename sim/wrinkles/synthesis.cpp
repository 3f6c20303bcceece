#include "sim/wrinkles/synthesis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "sim/base/error.h"
#include "sim/grid/contact/grid_proximity.h"
#include "sim/grid/contact/half_planes.h"
#include "sim/grid/layers.h"
#include "sim/grid/seams.h"
#include "sim/wrinkles/meeting_lines.h"
#include "sim/wrinkles/reference_kernels.h"
#include "sim/wrinkles/synthesis_kernels.h"
#include "sim/wrinkles/transfer.h"

namespace weft::wrinkles {

using block_descent::GridProblem;

namespace {

// Outer iterations between two searches for contacts, and for tethers.
constexpr int kBetween = 4, kBetweenTethers = 16;
// And between two looks at bodies: a plane of an earlier place is wrong where a body turns inwards, as under
// an arm.
constexpr int kBetweenPlanes = 16;
// Distance within which contacts are listed, over the one at which they push. Of flat cloth with the widest
// radius, 1.3 cells, the ends of a square's second diagonal (1.41 cells) are then no contact.
constexpr float kSearchMargin = 1.08f;
// Between two looks no vertex moves by more than half its distance from others, which are searched for within
// kPathReach radii. Vertices that are listed keep kKept cells, for triangles pass between vertices that are
// nearer; those that are nearer already move by kLeastPath radii, half of the margin.
constexpr float kPathReach = 2, kKept = 1, kLeastPath = 0.5f * (kSearchMargin - 1);
// Cells that a path over a seam is shorter than between vertices that count as two rings apart.
constexpr float kSewnCells = 2.83f;
// Equation 12: iterations between searches, step size, and stiffness of the anchors over that of contacts.
// Layers come closer by at most a tenth of their displacements between two searches: displacements of up to
// 14 cells meet no layer unseen.
constexpr int kBetweenTransfers = 1;
constexpr float kTransferStep = 0.05f, kTransferAnchor = 0.1f;
// Length of the noise that a flat sheet starts with, in cells: folds of a few cells are the shortest that a
// grid can have.
constexpr float kNoiseLength = 4;
// Vertices of the coarse surface further than this from bodies meet none (section 5.1): m, and cells.
constexpr float kBodyReach = 0.02f, kBodyReachCells = 8;

// Rest lengths are stored as half floats.
constexpr float kHalfFloat = 1.002f;

// Width of the bands around closed boundaries (section 4.2): what bending reaches.
constexpr int kGhostCells = 2;

grid::GridOptions options_of(const WrinkleParams& p) {
  grid::GridOptions o;
  o.cell = p.cell, o.block_width = p.block_width;
  if (p.closed) o.ghost_cells = kGhostCells;
  return o;
}

/// Blocks of a grid in groups: squares of about `width` (m), at least one block each.
struct BlockGroups {
  std::vector<int> start{0}, blocks;
  BlockGroups(const grid::Grid& g, float width) {
    const grid::GridView view = g.view();
    std::vector<grid::Block> all(view.block.size);
    g.device().download(all.data(), view.block.data, all.size() * sizeof(grid::Block));
    const float ratio = width / (g.options().cell * float(view.width()));
    const int shift = std::max(0, int(std::lround(std::log2(std::max(ratio, 1e-6f)))));
    std::map<std::tuple<int, int, int>, std::vector<int>> groups;
    for (size_t b = 0; b < all.size(); ++b)
      groups[{all[b].panel, all[b].y >> shift, all[b].x >> shift}].push_back(int(b));
    for (const auto& [place, list] : groups)
      blocks.insert(blocks.end(), list.begin(), list.end()), start.push_back(int(blocks.size()));
  }
};

/// Marks per slot: vertices that stay on the coarse surface.
std::vector<unsigned char> pinned_vertices(Device& device, const grid::Grid& g, bool boundary,
                                           const GatherView& stitches) {
  Buffer<unsigned char> pinned(device, "held vertices of the grid", g.slot_count());
  pinned.clear();
  if (boundary) launch(device, "mark boundary", g.slot_count(), MarkBoundary{g.view(), pinned});
  if (!stitches.empty())
    launch(device, "mark stitches", g.slot_count(), MarkStitched{g.view(), stitches, pinned});
  return pinned.download();
}

/// Whether a gather that concerns the cloth is stitched.
bool has_stitches(const std::vector<Gather>& gathers, const std::string& cloth) {
  return std::any_of(gathers.begin(), gathers.end(),
                     [&](const Gather& g) { return g.stitched && (g.cloth.empty() || g.cloth == cloth); });
}

bool has_layers(const WrinkleParams& p) { return p.push != 0 || p.fill > 0; }

}  // namespace

/// One grid with its problem and what the problem's terms need.
struct Synthesis::Level {
  Level(Device& device, const grid::Grid& g, const CoarseCloth& cloth, const grid::MaterialMesh& material,
        const WrinkleParams& p, const GatherView& stitches)
      : grid(g),
        frame(device, g),
        problem(device, g, block_descent::make_sheet(cloth.fabric, ElasticModel(p.planar), g.options().cell)),
        lists(device) {
    if (has_layers(p)) layers = std::make_unique<grid::Layers>(device, g);
    if (p.tether > 0) {
      const BlockGroups groups(g, p.tether_width);
      displacement = Buffer<vec3>(device, "tethers", g.block_count());
      group_start = Buffer<int>(device, "groups of blocks", groups.start),
      group_blocks = Buffer<int>(device, "groups of blocks", groups.blocks);
    }
    if (p.repel && p.repulsion > 0) {
      proximity = std::make_unique<grid_repulsion::GridProximity>(lists, g);
      proximity->set_sewn(grid::seam_neighbors(g, material, double(kSewnCells * g.options().cell)));
    }
    if (p.hold_boundary || !stitches.empty())
      problem.pin(pinned_vertices(device, g, p.hold_boundary, stitches));
    if (!p.hold_boundary) {
      const std::vector<grid::SeamPoint> points = grid::seam_points(g, material);
      if (!points.empty()) seams = std::make_unique<grid::Seams>(device, points);
      problem.set_seams(seams.get());
    }
    auto& o = problem.options;
    o.inner = p.inner, o.alpha = p.alpha, o.lag_outer = p.lag_outer;
    if (!p.chebyshev) o.outer_rho = 0;
    if (p.inner_chebyshev) o.inner_rho = 0.9f;
    auto& t = problem.terms;
    t.air = p.air, t.pressure = p.push, t.fill = p.fill, t.thickness = p.thickness;
  }
  const grid::Grid& grid;
  grid::GridPositions frame;  // x-bar
  GridProblem problem;
  grid::RestLists rest;
  float widest_scale = 1;                // of R^self
  std::unique_ptr<grid::Layers> layers;  // of eq. 16 and 17
  std::unique_ptr<grid::Seams> seams;    // of a sewn cloth
  Buffer<vec3> displacement;             // per block, from the mean to that of x-bar
  Buffer<int> group_start, group_blocks;
  GrowingLists lists;
  std::unique_ptr<grid_repulsion::GridProximity> proximity;  // none: layers do not meet
  std::unique_ptr<grid_repulsion::HalfPlanes> planes;        // none: no bodies so far
};

SynthesisNeed Synthesis::need(const CoarseCloth& cloth, const WrinkleSettings& settings) {
  const WrinkleParams& p = settings.params;
  check(p);
  // Four sets of positions: x-bar, x, what comes next, what was good.
  const grid::MaterialMesh material = grid::material_mesh(cloth.mesh);
  const grid::GridNeed need = grid::GridLevels::need(material, options_of(p), p.levels, 4);
  size_t per_slot = sizeof(float);  // energies
  if (has_layers(p)) per_slot += sizeof(uint32_t) + sizeof(float);
  if (p.tether > 0) per_slot += sizeof(vec3);
  if (p.hold_boundary || has_stitches(settings.gathers, cloth.name)) ++per_slot;
  if (p.bodies) per_slot += sizeof(uint32_t) + sizeof(float);
  if (!settings.gathers.empty() || p.existing_stretch) per_slot += 3 * sizeof(grid::Half);
  if (p.repel) per_slot += 6;  // lists of collision blocks of 16 vertices; contacts come on top
  if (p.transfer) per_slot += 2 * sizeof(vec3) / 3;  // targets and displacements, on the coarsest level alone
  const size_t outline = grid::outline_bytes(material, options_of(p));
  return {need.vertices, need.slots, need.bytes + per_slot * size_t(need.slots) + outline};
}

Synthesis::Synthesis(Device& device, const CoarseCloth& cloth, const WrinkleSettings& settings)
    : device_(device),
      settings_(settings),
      levels_(device, grid::material_mesh(cloth.mesh), options_of(settings.params), settings.params.levels) {
  const WrinkleParams& p = settings_.params;
  check(p);
  const grid::MaterialMesh material = grid::material_mesh(cloth.mesh);
  triangles_ = Buffer<ivec3>(device, "triangles of the coarse mesh", material.triangles);
  coarse_ = Buffer<vec3>(device, "coarse frame", int(cloth.mesh.positions.size()));
  const std::vector<GatherRow> rows = gather_rows(settings_.gathers, cloth.name);
  gathers_ = Buffer<GatherRow>(device, "gathers", rows);
  line_shifts_ = Buffer<vec2>(device, "gathers", meeting_lines(rows, material));
  gather_view_ = {gathers_, line_shifts_};
  if (has_stitches(settings_.gathers, cloth.name)) stitches_ = gather_view_;
  for (int l = 0; l < levels_.count(); ++l)
    level_.push_back(std::make_unique<Level>(device, levels_[l], cloth, material, p, stitches_));
  surface_ = grid::sewn(levels_[0], material);
  if (!surface_.outline.empty()) outline_ = std::make_unique<grid::OutlineVertices>(device, surface_);
  if (!p.existing_stretch && !gathers_.empty())
    for (int l = 0; l < levels_.count(); ++l) write_rest(l);
}

Synthesis::~Synthesis() = default;

GridProblem& Synthesis::problem(int level) { return level_.at(level)->problem; }
const grid::GridPositions& Synthesis::frame(int level) const { return level_.at(level)->frame; }

void Synthesis::write_rest(int l) {
  Level& level = *level_[l];
  const DesiredEdges edges{level.grid.view(), gather_view_, std::as_const(level.frame).view(),
                           settings_.params.existing_stretch ? 1 : 0};
  const int blocks = level.grid.block_count();
  Buffer<int> marked(device_, "gathered blocks", blocks);
  Buffer<float> widest(device_, "gathered blocks", blocks);
  launch(device_, "mark gathered blocks", blocks, MarkGathered{edges, marked, widest});
  const std::vector<int> marks = marked.download();
  const std::vector<float> scales = widest.download();
  level.widest_scale = 1;
  for (const float s : scales) level.widest_scale = std::max(level.widest_scale, s * kHalfFloat);
  level.rest = grid::RestLists(device_, level.grid, std::vector<char>(marks.begin(), marks.end()));
  if (!level.rest.empty())
    launch(device_, "rest lengths", level.grid.slot_count(), WriteRest{edges, level.rest.view()});
  level.problem.set_rest(level.rest.empty() ? nullptr : &level.rest);
}

void Synthesis::resample(const std::vector<vec3>& coarse) {
  if (int(coarse.size()) != coarse_.size())
    throw Error(fmt::format("a frame of {} positions does not fit a mesh of {} vertices", coarse.size(),
                            coarse_.size()),
                "wrinkles", "give frames of the same mesh");
  coarse_.upload(coarse);
}

float Synthesis::body_reach(int l) const {
  return std::max(kBodyReach, kBodyReachCells * levels_[l].options().cell) + settings_.params.body_gap;
}

/// Half planes at positions with the origins of x-bar.
void Synthesis::find_planes(int l, const grid::FixedPositions& at) {
  Level& level = *level_[l];
  if (bodies_.count == 0 || !settings_.params.bodies) {
    level.planes.reset();
    return level.problem.set_planes({});
  }
  if (!level.planes) level.planes = std::make_unique<grid_repulsion::HalfPlanes>(device_, level.grid);
  level.planes->find(device_, at, bodies_, settings_.params.body_gap, body_reach(l));
  level.problem.set_planes(level.planes->view());
}

void Synthesis::prepare(int l) {
  Level& level = *level_[l];
  find_planes(l, std::as_const(level.frame).view());
  if (settings_.params.existing_stretch) write_rest(l);
  if (level.layers) {
    level.layers->find(device_, level.frame);
    if (!stitches_.empty())
      launch(device_, "fillings", level.grid.slot_count(),
             LowerLayers{level.grid.view(), stitches_, settings_.params.thickness, level.layers->offsets()});
    level.problem.set_layers(level.layers->view());
  }
}

/// x-bar of a level, with its bands of ghosts.
void Synthesis::place_frame(int l) {
  Level& level = *level_[l];
  grid::resample(device_, level.grid, triangles_, coarse_, level.frame);
  if (settings_.params.closed) grid::place_ghosts(device_, level.grid, seam_angle(), level.frame);
}

/// Ghosts of positions with the origins of x-bar: on x-bar, or at the boundary as it is.
void Synthesis::put_ghosts(int l, grid::GridPositions& x) {
  const Level& level = *level_[l];
  if (!settings_.params.closed) return;
  if (settings_.params.renew_ghosts) return grid::place_ghosts(device_, level.grid, seam_angle(), x);
  launch(device_, "ghosts", level.grid.ghosts().size,
         PutGhosts{level.grid.ghosts(), level.frame.view(), x.view()});
}

float Synthesis::seam_angle() const { return glm::radians(settings_.params.seam_angle); }

void Synthesis::start(int l) {
  Level& level = *level_[l];
  grid::GridPositions& x = level.problem.x();
  if (settings_.params.transfer && !last_.local.empty()) {
    apply_displacements(level.grid, level.frame, last_.local, level.problem.target());
    approach(l);
    return;
  }
  x.copy_from(level.frame);
  const float cell = level.grid.options().cell;
  if (settings_.params.roughness > 0)
    launch(device_, "roughen", level.grid.slot_count(),
           Roughen{level.grid.view(), std::as_const(level.frame).view(), x.view(),
                   settings_.params.roughness * cell, kNoiseLength * cell});
}

/// Equation 12: from x-bar, which has no crossings, towards the transferred wrinkles, with layers apart.
void Synthesis::approach(int l) {
  Level& level = *level_[l];
  GridProblem& problem = level.problem;
  if (!level.proximity) {
    problem.x().copy_from(problem.target());
    return;
  }
  problem.x().copy_from(level.frame);
  const block_descent::Sheet sheet = problem.sheet;
  const block_descent::Terms terms = problem.terms;
  const block_descent::SolveOptions options = problem.options;
  block_descent::SpringSheet none;
  none.cell = level.grid.options().cell;
  problem.sheet = none;
  problem.terms = {};
  problem.terms.anchor = kTransferAnchor * settings_.params.repulsion;
  problem.options.method = block_descent::Method::descent;
  problem.options.alpha = kTransferStep, problem.options.outer_rho = 0, problem.options.judge_every = 0;
  problem.begin();
  for (int done = 0; done < settings_.params.transfer_iterations; done += kBetweenTransfers) {
    find_contacts(l, kBetweenTransfers);
    problem.solve(std::min(kBetweenTransfers, settings_.params.transfer_iterations - done));
  }
  problem.sheet = sheet, problem.terms = terms, problem.options = options;
}

/// Contacts, and how far vertices may move in each of the next `iterations`.
void Synthesis::find_contacts(int l, int iterations) {
  Level& level = *level_[l];
  const float cell = level.grid.options().cell, radius = settings_.params.repulsion_radius * cell;
  const grid_repulsion::PathLimits limits{kPathReach * radius, radius, kKept * cell, kLeastPath * radius,
                                          1.0f / float(iterations)};
  const grid::RestView rest = level.rest.empty() ? grid::RestView{} : level.rest.view();
  do
    level.proximity->find(std::as_const(level.problem.x()).view(), kSearchMargin * radius, limits, rest,
                          level.widest_scale);
  while (!level.lists.fit());
  level.problem.set_contacts(level.proximity->contacts(), level.proximity->start());
  level.problem.set_longest_paths(level.proximity->longest_paths());
  level.problem.terms.repulsion = settings_.params.repulsion, level.problem.terms.radius = radius;
  level.problem.renew();
}

void Synthesis::tether(int l) {
  Level& level = *level_[l];
  GridProblem& problem = level.problem;
  const auto x = std::as_const(problem.x()).view();
  launch(device_, "tethers", level.group_start.size() - 1,
         MeanDisplacements{level.grid.view(), std::as_const(level.frame).view(), x, level.group_start,
                           level.group_blocks, level.displacement});
  problem.target().origin.copy_from(problem.x().origin);
  launch(device_, "tethers", level.grid.slot_count(),
         SetTargets{level.grid.view(), x, level.displacement, problem.target().view()});
  problem.terms.anchor = settings_.params.tether;
  problem.renew();
}

void Synthesis::iterate(int l, int iterations) {
  Level& level = *level_[l];
  level.problem.begin();
  for (int done = 0; done < iterations; done += kBetween) {
    if (settings_.params.renew_ghosts && done > 0) {
      put_ghosts(l, level.problem.x());
      level.problem.renew();
    }
    if (level.planes && done > 0 && done % kBetweenPlanes == 0) {
      find_planes(l, std::as_const(level.problem.x()).view());
      level.problem.renew();
    }
    if (level.proximity) find_contacts(l, kBetween);
    if (!level.displacement.empty() && done % kBetweenTethers == 0) tether(l);
    if (progress)
      progress((double(levels_.count() - 1 - l) + double(done) / double(iterations)) /
               double(levels_.count()));
    level.problem.solve(std::min(kBetween, iterations - done));
  }
  if (settings_.params.renew_ghosts) put_ghosts(l, level.problem.x());
}

void Synthesis::solve(const std::vector<vec3>& coarse) {
  resample(coarse);
  const int coarsest = levels_.count() - 1;
  for (int l = coarsest; l >= 0; --l) {
    Level& level = *level_[l];
    place_frame(l);
    prepare(l);
    if (l == coarsest) {
      start(l);
    } else {
      Level& below = *level_[l + 1];
      grid::upsample(device_, below.grid, level.grid, below.problem.x(), below.frame, level.frame,
                     level.problem.x());
    }
    if (!level.problem.pinned().empty())
      launch(device_, "put held", level.grid.slot_count(),
             PutPinned{level.problem.pinned(), std::as_const(level.frame).view(), level.problem.x().view()});
    put_ghosts(l, level.problem.x());
    iterate(l, settings_.params.iterations);
  }
  Level& finest = *level_.front();
  leave_bodies();
  place_outline();
  last_.carried = Buffer<vec3>();
  last_.solved = true;
  if (settings_.params.transfer) {
    Level& last = *level_.back();
    grid::GridPositions at(device_, last.grid);
    inject(last.grid, finest.grid, coarsest, finest.problem.x(), last.frame, at);
    put_ghosts(coarsest, at);
    last_.local = local_displacements(last.grid, last.frame, at);
  }
}

void Synthesis::keep_wrinkles() {
  if (!last_.solved) throw Error("there are no wrinkles to carry yet", "wrinkles", "solve a frame first");
  Level& finest = *level_.front();
  if (last_.carried.empty())
    last_.carried = local_displacements(finest.grid, finest.frame, finest.problem.x());
}

std::vector<vec3> Synthesis::wrinkles() {
  keep_wrinkles();
  return last_.carried.download();
}

void Synthesis::carry(const std::vector<vec3>& coarse) {
  keep_wrinkles();
  put_wrinkles(coarse);
}

void Synthesis::carry(const std::vector<vec3>& coarse, const std::vector<vec3>& wrinkles) {
  if (int(wrinkles.size()) != level_.front()->grid.slot_count())
    throw Error("these wrinkles are of another cloth", "wrinkles", "give those of the same settings");
  last_.carried = Buffer<vec3>(device_, "wrinkles", wrinkles);
  put_wrinkles(coarse);
}

void Synthesis::put_wrinkles(const std::vector<vec3>& coarse) {
  Level& finest = *level_.front();
  resample(coarse);
  place_frame(0);
  apply_displacements(finest.grid, finest.frame, last_.carried, finest.problem.x());
  leave_bodies();
  place_outline();
}

void Synthesis::forget() { last_.local = Buffer<vec3>(); }

/// Vertices that have come too near to bodies since their planes were found.
void Synthesis::leave_bodies() {
  if (bodies_.count == 0 || !settings_.params.bodies) return;
  Level& finest = *level_.front();
  launch(device_, "leave bodies", finest.grid.slot_count(),
         grid_repulsion::LeaveBodies{finest.grid.view(), bodies_, settings_.params.body_gap,
                                     finest.problem.pinned(), finest.problem.x().view()});
}

/// Outline vertices of the frame, clear of bodies.
void Synthesis::place_outline() {
  if (!outline_) return;
  Level& finest = *level_.front();
  outline_->place(device_, std::as_const(finest.problem.x()).view(), std::as_const(finest.frame).view(),
                  coarse_);
  if (bodies_.count > 0 && settings_.params.bodies)
    for (const Span<const vec3> from : {outline_->base(), Span<const vec3>(outline_->at())})
      launch(device_, "outlines", outline_->at().size,
             grid_repulsion::KeepOutside{bodies_, settings_.params.body_gap, body_reach(0), from,
                                         outline_->at()});
}

std::vector<vec3> Synthesis::positions() const {
  std::vector<vec3> outline(surface_.outline.size());
  if (outline_) device_.download(outline.data(), outline_->at().data, outline.size() * sizeof(vec3));
  std::vector<vec3> out = grid::surface_positions(surface_, level_.front()->problem.x().download(),
                                                  {outline.data(), int(outline.size())});
  for (const vec3& p : out)
    if (!std::isfinite(p.x + p.y + p.z))
      throw Error("the wrinkles of a frame are not finite", "wrinkles",
                  "use a smaller step (alpha) or fewer inner iterations");
  return out;
}

LevelReport Synthesis::report(int l) {
  GridProblem& p = problem(l);
  return {settings_.params.iterations, p.accelerated(), p.returns(), p.energy()};
}

size_t Synthesis::bytes() const {
  size_t sum =
      size_t(last_.local.size() + last_.carried.size()) * sizeof(vec3) + (outline_ ? outline_->bytes() : 0);
  for (const auto& l : level_)
    sum += l->grid.bytes() + l->problem.bytes() + l->rest.bytes() +
           (l->proximity ? l->proximity->bytes() : 0) +
           size_t(l->frame.local.size() + l->frame.origin.size() + l->displacement.size()) * sizeof(vec3) +
           (l->layers ? size_t(l->grid.slot_count()) * (sizeof(uint32_t) + sizeof(float)) : 0);
  return sum;
}

}  // namespace weft::wrinkles
