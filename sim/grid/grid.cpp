#include "sim/grid/grid.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "sim/base/error.h"
#include "sim/grid/grid_kernels.h"
#include "sim/grid/rasterize.h"
#include "sim/mesh/topology.h"

namespace weft::grid {

MaterialMesh material_mesh(const TriMesh& mesh) {
  MaterialMesh out;
  const CornerTextures& corners = mesh.corners;
  out.triangles = mesh.triangles;
  const bool textured = !corners.empty() && (corners.is_rest || mesh.uv.empty());
  if (textured) {
    for (const vec2& p : corners.values) out.point.push_back(dvec2(p) * dvec2(mesh.uv_scale));
    out.triangles.clear();
    for (size_t t = 0; t < mesh.triangles.size(); ++t) {
      const ivec3 c = corners.of_triangle[t];
      if (c.x < 0 || c.y < 0 || c.z < 0) continue;
      out.corners.push_back(c);
      out.triangles.push_back(mesh.triangles[t]);
    }
  } else {
    const std::vector<vec2> uv = mesh.uv.empty() ? build_topology({{"", mesh}}).uv : mesh.uv;
    for (const vec2& p : uv) out.point.push_back(dvec2(p));
    out.corners = mesh.triangles;
  }
  if (out.corners.empty())
    throw Error("the mesh of a grid has no triangles", "", "use a mesh with triangles");
  return out;
}

GridNeed Grid::need(const MaterialMesh& mesh, const GridOptions& options, int positions) {
  const Layout layout = lay_out(mesh, options);
  const size_t per_slot = sizeof(Flags) + sizeof(int) + sizeof(vec2) + size_t(positions) * sizeof(vec3);
  const size_t per_block = sizeof(Block) + 9 * sizeof(int) + size_t(positions) * sizeof(vec3);
  GridNeed need{layout.inside, int64_t(layout.blocks.size()), 0, 0};
  need.slots = need.blocks * options.block_width * options.block_width;
  need.bytes = per_slot * size_t(need.slots) + per_block * layout.blocks.size() +
               layout.table.size() * sizeof(int) + layout.panels.size() * sizeof(Panel);
  return need;
}

Grid::Grid(Device& device, const MaterialMesh& mesh, const GridOptions& options)
    : device_(&device), options_(options) {
  const Layout layout = lay_out(mesh, options);
  const Rasterized vertices = rasterize(mesh, options, layout);
  inside_ = int(layout.inside);
  block_ = Buffer<Block>(device, "blocks of the grid", layout.blocks);
  around_ = Buffer<int>(device, "neighbours of blocks", blocks_around(layout));
  panel_ = Buffer<Panel>(device, "panels of the grid", layout.panels);
  table_ = Buffer<int>(device, "block table", layout.table);
  flags_ = Buffer<Flags>(device, "flags of the grid", vertices.flags);
  triangle_ = Buffer<int>(device, "triangles of the grid's vertices", vertices.triangle);
  barycentric_ = Buffer<vec2>(device, "barycentric weights of the grid", vertices.barycentric);
  ghost_ = Buffer<Ghost>(device, "ghosts of the grid", vertices.ghosts);
}

GridView Grid::view() const {
  GridView v;
  v.cell = options_.cell;
  v.log_width = std::countr_zero(unsigned(options_.block_width));
  v.blocks = block_.size();
  v.block = block_, v.around = around_, v.panel = panel_, v.table = table_;
  v.flags = flags_, v.triangle = triangle_, v.barycentric = barycentric_;
  return v;
}

size_t Grid::bytes() const {
  return size_t(slot_count()) * (sizeof(Flags) + sizeof(int) + sizeof(vec2)) +
         size_t(block_count()) * (sizeof(Block) + 9 * sizeof(int)) + size_t(table_.size()) * sizeof(int) +
         size_t(panel_.size()) * sizeof(Panel) + size_t(ghost_.size()) * sizeof(Ghost);
}

Grid::Published Grid::published() const {
  const std::vector<Flags> flags = flags_.download();
  const std::vector<Block> block = block_.download();
  const std::vector<int> around = around_.download(), table = table_.download(),
                         triangle = triangle_.download();
  const std::vector<Panel> panel = panel_.download();
  GridView v = view();
  v.block = {block.data(), int(block.size())}, v.around = {around.data(), int(around.size())};
  v.panel = {panel.data(), int(panel.size())}, v.table = {table.data(), int(table.size())};
  v.flags = {flags.data(), int(flags.size())};
  v.triangle = {triangle.data(), int(triangle.size())};
  Published out;
  std::vector<ivec3> all;  // slots
  std::vector<int> place(flags.size(), -1);
  for (int s = 0; s < int(flags.size()); ++s) {
    const bool turned = panel[block[v.block_of(s)].panel].mirrored;
    const auto add = [&](int b, int c) {
      if (v.ghost(s) || v.ghost(b) || v.ghost(c)) return;
      all.push_back(turned ? ivec3(s, c, b) : ivec3(s, b, c));
      for (const int k : {s, b, c}) place[k] = 0;
    };
    if (flags[s] & kLower) add(v.neighbor(s, 1, 0), v.neighbor(s, 1, 1));
    if (flags[s] & kUpper) add(v.neighbor(s, 1, 1), v.neighbor(s, 0, 1));
  }
  for (int s = 0; s < int(flags.size()); ++s) {
    if (place[s] < 0) continue;
    place[s] = int(out.vertices.size());
    out.vertices.push_back(s);
    out.material.push_back(v.material(s));
  }
  for (const ivec3& t : all) out.triangles.emplace_back(place[t.x], place[t.y], place[t.z]);
  return out;
}

GridPositions::GridPositions(Device& device, const Grid& grid)
    : origin(device, "origins of the grid's blocks", grid.block_count()),
      local(device, "positions of the grid", grid.slot_count()),
      log_slots(2 * grid.view().log_width) {}

PositionsView GridPositions::view() { return {origin, local, log_slots}; }
FixedPositions GridPositions::view() const { return {origin, local, log_slots}; }

void GridPositions::copy_from(const GridPositions& other) {
  origin.copy_from(other.origin);
  local.copy_from(other.local);
}

std::vector<dvec3> GridPositions::download() const {
  const std::vector<vec3> o = origin.download(), l = local.download();
  std::vector<dvec3> world(l.size());
  for (size_t v = 0; v < l.size(); ++v) world[v] = dvec3(o[v >> log_slots]) + dvec3(l[v]);
  return world;
}

void GridPositions::upload(const Grid& grid, const std::vector<dvec3>& world) {
  const GridView v = grid.view();
  const std::vector<Flags> flags = [&] {
    std::vector<Flags> f(grid.slot_count());
    grid.device().download(f.data(), v.flags.data, f.size() * sizeof(Flags));
    return f;
  }();
  std::vector<vec3> o(grid.block_count()), l(grid.slot_count());
  const size_t n = v.slots_per_block();
  for (size_t b = 0; b < o.size(); ++b) {
    dvec3 sum(0);
    int count = 0;
    for (size_t s = b * n; s < (b + 1) * n; ++s)
      if (flags[s] & kInside) sum += world[s], ++count;
    o[b] = rounded_origin(vec3(sum / double(std::max(count, 1))));
    for (size_t s = b * n; s < (b + 1) * n; ++s)
      if (flags[s] & kInside) l[s] = vec3(world[s] - dvec3(o[b]));
  }
  origin.upload(o);
  local.upload(l);
}

void resample(Device& device, const Grid& grid, Span<const ivec3> triangles, Span<const vec3> coarse,
              GridPositions& out) {
  const GridView view = grid.view();
  launch(device, "resample", grid.block_count(), PlaceOrigins{view, triangles, coarse, out.origin});
  launch(device, "resample", grid.slot_count(), Resample{view, triangles, coarse, out.view()});
}

void place_ghosts(Device& device, const Grid& grid, float theta, GridPositions& x) {
  const Span<const Ghost> ghosts = grid.ghosts();
  launch(device, "ghosts", ghosts.size,
         PlaceGhosts{grid.view(), ghosts, std::cos(theta), std::sin(theta), x.view()});
}

namespace {

GridOptions of_level(GridOptions o, int level, int levels) {
  const float ghosts = float(o.ghost_cells) * o.cell * float(1 << (levels - 1));
  o.margin = std::max(o.margin, ghosts);
  o.cell *= float(1 << level);
  return o;
}

}  // namespace

GridLevels::GridLevels(Device& device, const MaterialMesh& mesh, GridOptions options, int levels) {
  for (int l = 0; l < levels; ++l) level_.emplace_back(device, mesh, of_level(options, l, levels));
}

GridNeed GridLevels::need(const MaterialMesh& mesh, GridOptions options, int levels, int positions) {
  GridNeed all;
  for (int l = 0; l < levels; ++l) {
    const GridNeed n = Grid::need(mesh, of_level(options, l, levels), positions);
    if (l == 0) all.vertices = n.vertices;
    all.blocks += n.blocks, all.slots += n.slots, all.bytes += n.bytes;
  }
  return all;
}

void upsample(Device& device, const Grid& coarse, const Grid& fine, const GridPositions& coarse_x,
              const GridPositions& coarse_frame, const GridPositions& fine_frame, GridPositions& fine_x) {
  fine_x.origin.copy_from(fine_frame.origin);
  launch(device, "upsample", fine.slot_count(),
         Upsample{coarse.view(), fine.view(), coarse_x.view(), coarse_frame.view(), fine_frame.view(),
                  fine_x.view()});
}

}  // namespace weft::grid
