#include "sim/mesh/uniform/evening.h"

#include <algorithm>
#include <cmath>

#include "sim/base/work_watch.h"
#include "sim/mesh/uniform/mesh_edits.h"
#include "sim/mesh/uniform/move_vertices.h"
#include "sim/mesh/uniform/patch.h"
#include "sim/mesh/uniform/source_surface.h"

namespace weft {
namespace {

constexpr int kRings = 4;  // rings of a patch

struct Extremes {
  double least = 1e300, most = 0;
};
Extremes extremes_of(const HalfEdgeMesh& mesh) {
  Extremes e;
  for (const EdgeHandle edge : mesh.edges()) {
    if (is_kept(mesh, edge)) continue;
    const double l = length(mesh, edge);
    e.least = std::min(e.least, l), e.most = std::max(e.most, l);
  }
  return e;
}

/// Interior edges of folded triangles.
std::vector<EdgeHandle> folds(const HalfEdgeMesh& mesh, const SourceSurface* source) {
  std::vector<EdgeHandle> edges;
  for (const FaceHandle f : mesh.faces()) {
    if (!is_folded(mesh, f, source)) continue;
    for (auto e = mesh.cfe_iter(f); e.is_valid(); ++e)
      if (!mesh.is_boundary(*e)) edges.push_back(*e);
  }
  return edges;
}

/// Interior edges at fault: those of folded triangles, then those outside of the band, the farthest outside
/// first.
std::vector<EdgeHandle> faults(const HalfEdgeMesh& mesh, const LengthBand& band,
                               const SourceSurface* source) {
  std::vector<std::pair<double, EdgeHandle>> found;
  for (const EdgeHandle e : folds(mesh, source)) found.push_back({1e300, e});
  for (const EdgeHandle e : mesh.edges()) {
    const double l = length(mesh, e), excess = std::max(l / band.high, band.low / l);
    if (excess > 1 && !mesh.is_boundary(e) && !is_kept(mesh, e)) found.push_back({excess, e});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<EdgeHandle> edges;
  for (const auto& f : found) edges.push_back(f.second);
  return edges;
}

/// Puts changed patches in the place of the triangles that they were cut from.
class Replacement {
 public:
  explicit Replacement(const HalfEdgeMesh& mesh)
      : mesh_(mesh), gone_(mesh.n_faces(), false), touched_(mesh.n_vertices(), false) {}

  bool touches(const Patch& patch) const {
    return std::any_of(patch.face.begin(), patch.face.end(), [&](int f) {
      for (auto v = mesh_.cfv_iter(FaceHandle(f)); v.is_valid(); ++v)
        if (touched_[v->idx()]) return true;
      return false;
    });
  }

  /// Omits a patch whose new edge joins two vertices already joined by an edge outside it.
  void add(const Patch& patch, HalfEdgeMesh changed) {
    for (const EdgeHandle e : changed.edges()) {
      const HalfedgeHandle h = changed.halfedge_handle(e, 0);
      const VertexHandle a(changed.data(changed.from_vertex_handle(h)).label),
          b(changed.data(changed.to_vertex_handle(h)).label);
      if (!changed.is_boundary(e) && a.is_valid() && b.is_valid() && joined_outside(patch, a, b)) return;
    }
    for (const int f : patch.face) {
      gone_[f] = true;
      for (auto v = mesh_.cfv_iter(FaceHandle(f)); v.is_valid(); ++v) touched_[v->idx()] = true;
    }
    patches_.push_back(std::move(changed));
  }

  bool empty() const { return patches_.empty(); }

  HalfEdgeMesh mesh() const {
    std::vector<dvec3> points;
    std::vector<HalfEdgeMesh::VertexData> data;
    for (const VertexHandle v : mesh_.vertices())
      points.push_back(point(mesh_, v)), data.push_back(mesh_.data(v));
    std::vector<ivec3> triangles;
    const std::vector<ivec3> before = triangles_of(mesh_);
    for (size_t f = 0; f < before.size(); ++f)
      if (!gone_[f]) triangles.push_back(before[f]);
    for (const HalfEdgeMesh& patch : patches_) {
      std::vector<int> number;
      for (const VertexHandle v : patch.vertices()) {
        const int label = patch.data(v).label;
        number.push_back(label < 0 ? int(points.size()) : label);
        if (label < 0) points.push_back({}), data.push_back({});
        points[number.back()] = point(patch, v), data[number.back()] = patch.data(v);
      }
      for (const ivec3& t : triangles_of(patch)) triangles.push_back({number[t.x], number[t.y], number[t.z]});
    }
    return rebuilt(points, data, triangles);
  }

 private:
  bool joined_outside(const Patch& patch, VertexHandle a, VertexHandle b) const {
    const HalfedgeHandle h = mesh_.find_halfedge(a, b);
    if (!h.is_valid()) return false;
    for (const HalfedgeHandle side : {h, mesh_.opposite_halfedge_handle(h)})
      if (const FaceHandle f = mesh_.face_handle(side);
          f.is_valid() && std::find(patch.face.begin(), patch.face.end(), f.idx()) != patch.face.end())
        return false;
    return true;
  }

  /// Without the vertices that are no longer in use.
  static HalfEdgeMesh rebuilt(const std::vector<dvec3>& points,
                              const std::vector<HalfEdgeMesh::VertexData>& data,
                              std::vector<ivec3>& triangles) {
    std::vector<int> number(points.size(), -1);
    for (const ivec3& t : triangles)
      for (int k = 0; k < 3; ++k) number[t[k]] = 0;
    std::vector<dvec3> used;
    for (size_t v = 0; v < points.size(); ++v)
      if (number[v] == 0) number[v] = int(used.size()), used.push_back(points[v]);
    for (ivec3& t : triangles) t = {number[t.x], number[t.y], number[t.z]};
    HalfEdgeMesh mesh = make_half_edge(used, triangles);
    for (size_t v = 0; v < points.size(); ++v)
      if (number[v] >= 0)
        mesh.data(VertexHandle(number[v])) = data[v], mesh.data(VertexHandle(number[v])).label = -1;
    return mesh;
  }

  const HalfEdgeMesh& mesh_;
  std::vector<char> gone_, touched_;
  std::vector<HalfEdgeMesh> patches_;
};

/// True if the search budget is used up.
bool is_spent(const EveningOptions& options, int searches, int64_t visits_before) {
  return searches <= 0 ||
         (options.source && options.source->triangles_visited() - visits_before > options.visits);
}

/// One round over the faults; false if none could be repaired.
bool mend(HalfEdgeMesh& mesh, const LengthBand& band, const EveningOptions& options, int& searches,
          int64_t visits_before) {
  Replacement replacement(mesh);
  for (const EdgeHandle e : faults(mesh, band, options.source)) {
    if (is_spent(options, searches, visits_before)) break;
    WorkWatch::check();
    const auto patch = cut_patch(mesh, e, kRings);
    if (!patch || replacement.touches(*patch)) continue;
    --searches;
    HalfEdgeMesh changed = best_change(*patch, band, options.source);
    if (score(changed, band, options.source) > score(patch->mesh, band, options.source) * (1 + 1e-6))
      replacement.add(*patch, std::move(changed));
    if (options.progress) options.progress(1 - double(searches) / options.searches);
  }
  if (replacement.empty()) return false;
  mesh = replacement.mesh();
  return true;
}

}  // namespace

double even_out(HalfEdgeMesh& mesh, const EveningOptions& options) {
  constexpr int kPatience = 5;  // rounds without a gain that is worth them
  flip_to_even_valence(mesh);
  move_to_even_edges(mesh, options.source, 60);
  HalfEdgeMesh best = mesh;
  double best_ratio = 0;
  size_t best_folds = size_t(-1);
  int searches = options.searches;
  const int64_t visits = options.source ? options.source->triangles_visited() : 0;
  for (int idle = 0; idle < kPatience; ++idle) {
    const Extremes now = extremes_of(mesh);
    const double ratio = now.most > 0 ? now.least / now.most : 1;  // 1: all edges are unchanged
    const size_t folded = folds(mesh, options.source).size();
    if (folded < best_folds || (folded == best_folds && ratio > best_ratio)) {
      if (folded < best_folds || ratio > best_ratio + 0.001) idle = 0;
      best = mesh, best_ratio = ratio, best_folds = folded;
    }
    if ((best_ratio >= options.enough && best_folds == 0) || is_spent(options, searches, visits)) break;
    const double aim = std::sqrt(std::min(options.enough + 0.005, ratio + 0.02)),
                 middle = std::sqrt(now.least * now.most);
    if (!mend(mesh, {middle * aim, middle / aim}, options, searches, visits)) break;
  }
  mesh = std::move(best);
  return best_ratio;
}

}  // namespace weft
