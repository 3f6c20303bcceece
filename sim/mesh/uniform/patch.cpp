#include "sim/mesh/uniform/patch.h"

#include <algorithm>

#include "sim/base/error.h"
#include "sim/mesh/uniform/mesh_edits.h"
#include "sim/mesh/uniform/move_vertices.h"
#include "sim/mesh/uniform/source_surface.h"

namespace weft {
namespace {

constexpr int kQuick = 5, kThorough = 40;  // iterations per power

/// Vertices within `rings` edges of the ends of an edge, in the order in which they are reached.
std::vector<VertexHandle> vertices_near(const HalfEdgeMesh& mesh, EdgeHandle e, int rings) {
  const HalfedgeHandle h = mesh.halfedge_handle(e, 0);
  std::vector<VertexHandle> reached{mesh.from_vertex_handle(h), mesh.to_vertex_handle(h)};
  std::vector<int> seen{reached[0].idx(), reached[1].idx()};  // sorted
  std::sort(seen.begin(), seen.end());
  for (size_t first = 0; rings > 0; --rings) {
    const size_t end = reached.size();
    for (; first < end; ++first)
      for (auto n = mesh.cvv_iter(reached[first]); n.is_valid(); ++n) {
        const auto at = std::lower_bound(seen.begin(), seen.end(), n->idx());
        if (at != seen.end() && *at == n->idx()) continue;
        seen.insert(at, n->idx());
        reached.push_back(*n);
      }
  }
  return reached;
}

enum class Change { flip, split, collapse };

bool apply(HalfEdgeMesh& mesh, EdgeHandle e, Change change, const SourceSurface* source) {
  if (mesh.is_boundary(e) || is_kept(mesh, e)) return false;
  switch (change) {
    case Change::flip:
      if (!flip_allowed(mesh, e)) return false;
      mesh.flip(e);
      return true;
    case Change::split: split_interior(mesh, e, source); return true;
    case Change::collapse: return collapse_interior(mesh, e, source);
  }
  return false;
}

std::vector<EdgeHandle> edges_near(const HalfEdgeMesh& mesh, EdgeHandle centre, int rings) {
  std::vector<EdgeHandle> edges;
  for (const VertexHandle v : vertices_near(mesh, centre, rings))
    for (auto e = mesh.cve_iter(v); e.is_valid(); ++e)
      if (std::find(edges.begin(), edges.end(), *e) == edges.end()) edges.push_back(*e);
  return edges;
}

struct Outcome {
  HalfEdgeMesh mesh;
  double score = 0;
};

/// Adds every single change of the edges around the centre to `found`, and keeps those with the best scores,
/// first the best.
void add_outcomes(const HalfEdgeMesh& start, EdgeHandle centre, const LengthBand& band,
                  const SourceSurface* source, std::vector<Outcome>& found) {
  constexpr size_t kKept = 4;
  for (const EdgeHandle e : edges_near(start, centre, 1))
    for (const Change change : {Change::flip, Change::split, Change::collapse}) {
      HalfEdgeMesh mesh = start;
      if (!apply(mesh, e, change, source)) continue;
      mesh.garbage_collection();
      move_to_even_edges(mesh, source, kQuick);
      const double reached = score(mesh, band, source);
      const auto at =
          std::find_if(found.begin(), found.end(), [&](const Outcome& o) { return o.score < reached; });
      if (at == found.end() && found.size() >= kKept) continue;
      found.insert(at, {std::move(mesh), reached});
      if (found.size() > kKept) found.pop_back();
    }
}

/// The edge that is farthest outside of the band.
EdgeHandle worst_edge(const HalfEdgeMesh& mesh, const LengthBand& band) {
  EdgeHandle worst;
  double excess = 0;
  for (const EdgeHandle e : mesh.edges()) {
    const double l = length(mesh, e), x = std::max(l / band.high, band.low / l);
    if (!mesh.is_boundary(e) && !is_kept(mesh, e) && x > excess) worst = e, excess = x;
  }
  return worst;
}

}  // namespace

std::optional<Patch> cut_patch(const HalfEdgeMesh& whole, EdgeHandle centre, int rings) {
  Patch patch;
  std::vector<std::pair<int, int>> number;  // vertex of the whole, vertex of the patch
  std::vector<VertexHandle> taken;
  std::vector<dvec3> points;
  for (const VertexHandle v : vertices_near(whole, centre, rings)) {
    number.push_back({v.idx(), int(points.size())});
    taken.push_back(v);
    points.push_back(point(whole, v));
  }
  std::sort(number.begin(), number.end());
  const auto local = [&](VertexHandle v) {
    const auto at = std::lower_bound(number.begin(), number.end(), std::pair<int, int>(v.idx(), -1));
    return at != number.end() && at->first == v.idx() ? at->second : -1;
  };
  std::vector<ivec3> triangles;
  for (const VertexHandle v : taken)
    for (auto f = whole.cvf_iter(v); f.is_valid(); ++f) {
      ivec3 t;
      int k = 0;
      for (auto corner = whole.cfv_iter(*f); corner.is_valid(); ++corner) t[k++] = local(*corner);
      // Each face once, at its first vertex.
      if (t.x < 0 || t.y < 0 || t.z < 0 || local(v) != std::min({t.x, t.y, t.z})) continue;
      triangles.push_back(t);
      patch.face.push_back(f->idx());
    }
  try {
    patch.mesh = make_half_edge(points, triangles);
  } catch (const Error&) {
    return {};
  }
  for (size_t v = 0; v < taken.size(); ++v) {
    auto& data = patch.mesh.data(VertexHandle(int(v)));
    data = whole.data(taken[v]);
    data.label = taken[v].idx();
  }
  const HalfedgeHandle h = patch.mesh.find_halfedge(VertexHandle(0), VertexHandle(1));
  if (!h.is_valid()) return {};
  patch.centre = patch.mesh.edge_handle(h);
  return patch;
}

bool is_folded(const HalfEdgeMesh& mesh, FaceHandle f, const SourceSurface* source) {
  dvec3 outward(0, 0, source ? 0 : 1);
  if (source)
    for (auto v = mesh.cfv_iter(f); v.is_valid(); ++v) outward += source->normal(mesh.data(*v).site.triangle);
  return !(glm::dot(area_normal(mesh, f), outward) > 0);
}

double score(const HalfEdgeMesh& mesh, const LengthBand& band, const SourceSurface* source) {
  for (const FaceHandle f : mesh.faces())
    if (is_folded(mesh, f, source)) return 0;
  double low = band.low, high = band.high;
  for (const EdgeHandle e : mesh.edges()) {
    if (is_kept(mesh, e)) continue;
    const double l = length(mesh, e);
    low = std::min(low, l), high = std::max(high, l);
  }
  return low / high;
}

HalfEdgeMesh best_change(const Patch& patch, const LengthBand& band, const SourceSurface* source) {
  const double wanted = band.low / band.high;
  Outcome best{patch.mesh, score(patch.mesh, band, source)};
  const auto polish = [&](std::vector<Outcome>& found) {
    for (Outcome& o : found) {
      move_to_even_edges(o.mesh, source, kThorough);
      o.score = score(o.mesh, band, source);
      if (o.score > best.score) best = o;
    }
  };
  std::vector<Outcome> first{best}, second;
  add_outcomes(patch.mesh, patch.centre, band, source, first);
  polish(first);
  if (best.score >= wanted) return best.mesh;
  for (const Outcome& o : first)
    if (const EdgeHandle worst = worst_edge(o.mesh, band); worst.is_valid())
      add_outcomes(o.mesh, worst, band, source, second);
  polish(second);
  return best.mesh;
}

}  // namespace weft
