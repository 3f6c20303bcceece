#include "sim/mesh/uniform/isotropic.h"

#include <algorithm>
#include <cmath>

#include "sim/base/work_watch.h"
#include "sim/mesh/uniform/mesh_edits.h"
#include "sim/mesh/uniform/outline.h"
#include "sim/mesh/uniform/source_surface.h"

namespace weft {
namespace {

constexpr int kRounds = 10;

class Remesher {
 public:
  Remesher(const SourceSurface& source, double edge, const std::vector<char>& kept)
      : source_(source), edge_(edge), mesh_(make_half_edge(source.points(), source.triangles())) {
    for (const VertexHandle v : mesh_.vertices()) {
      auto& data = mesh_.data(v);
      data.site.triangle = source.triangle_at(v.idx());
      data.site.barycentric = dvec3(0);
      for (int k = 0; k < 3; ++k)
        if (source.triangles()[data.site.triangle][k] == v.idx()) data.site.barycentric[k] = 1;
    }
    for (int c = 0; c < int(source.curves().size()); ++c) {
      const BoundaryCurve& curve = source.curves()[c];
      for (size_t i = 0; i < curve.vertex.size(); ++i) {
        auto& data = mesh_.data(VertexHandle(curve.vertex[i]));
        data.curve = c, data.along = curve.along[i];
      }
      for (const int i : curve.corner) mesh_.data(VertexHandle(curve.vertex[i])).corner = true;
    }
    for (size_t v = 0; v < kept.size(); ++v)
      if (kept[v]) mesh_.data(VertexHandle(int(v))).kept = mesh_.data(VertexHandle(int(v))).corner = true;
  }

  HalfEdgeMesh run(const std::function<void(double)>& progress) {
    for (int round = 0; round < kRounds; ++round) {
      if (progress) progress(double(round) / kRounds);
      split_long();
      collapse_short();
      if (round + 2 >= kRounds) fit_boundary_counts();
      flip_to_even_valence(mesh_);
      space_boundary();
      relax();
    }
    for (int i = 0; i < 5; ++i) space_boundary(), relax();
    return std::move(mesh_);
  }

 private:
  HalfedgeHandle inner_side(EdgeHandle e) const {
    const HalfedgeHandle h = mesh_.halfedge_handle(e, 0);
    return mesh_.is_boundary(h) ? mesh_.opposite_halfedge_handle(h) : h;
  }
  /// Length along the curve from one boundary vertex to the next in the direction of the triangles' sides.
  double ahead(VertexHandle from, VertexHandle to) const {
    const double whole = source_.curves()[mesh_.data(from).curve].length();
    const double d = std::fmod(mesh_.data(to).along - mesh_.data(from).along, whole);
    return d > 0 ? d : d + whole;
  }
  void place_on_curve(VertexHandle v, int curve, double along) {
    auto& data = mesh_.data(v);
    const double whole = source_.curves()[curve].length();
    data.curve = curve, data.along = std::fmod(along, whole);
    data.site = source_.on_curve(curve, data.along);
    mesh_.set_point(v, to_openmesh(source_.point(data.site)));
  }

  void split_boundary(EdgeHandle e) {
    const HalfedgeHandle h = inner_side(e);
    const VertexHandle from = mesh_.from_vertex_handle(h), to = mesh_.to_vertex_handle(h);
    const int curve = mesh_.data(from).curve;
    const double middle = mesh_.data(from).along + 0.5 * ahead(from, to);
    // a copy: the mesh's own moves when a vertex is added
    const HalfEdgeMesh::Point here = mesh_.point(from);
    const VertexHandle v = mesh_.add_vertex(here);
    mesh_.split(e, v);
    place_on_curve(v, curve, middle);
  }

  void split_long() {
    for (int pass = 0; pass < 8; ++pass) {  // each halves
      const size_t edges = mesh_.n_edges();
      bool any = false;
      for (size_t i = 0; i < edges; ++i) {
        const EdgeHandle e{int(i)};
        if (length(mesh_, e) <= 4.0 / 3 * edge_ || is_kept(mesh_, e)) continue;
        WorkWatch::check();
        any = true;
        if (mesh_.is_boundary(e)) split_boundary(e);
        else split_interior(mesh_, e, &source_);
      }
      if (!any) return;
    }
  }

  bool too_long_after(VertexHandle gone, VertexHandle kept, const dvec3& to) const {
    for (const VertexHandle v : {gone, kept})
      for (auto n = mesh_.cvv_iter(v); n.is_valid(); ++n)
        if (*n != gone && *n != kept && glm::length(point(mesh_, *n) - to) > 4.0 / 3 * edge_) return true;
    return false;
  }

  /// A boundary edge closes onto the end that may not move, else onto the later one.
  bool collapse_boundary(EdgeHandle e) {
    HalfedgeHandle h = inner_side(e);
    if (mesh_.data(mesh_.from_vertex_handle(h)).corner) h = mesh_.opposite_halfedge_handle(h);
    const VertexHandle gone = mesh_.from_vertex_handle(h), kept = mesh_.to_vertex_handle(h);
    if (mesh_.data(gone).corner || !collapse_allowed(mesh_, h, point(mesh_, kept), &source_)) return false;
    mesh_.collapse(h);
    return true;
  }

  void collapse_short() {
    for (int pass = 0; pass < 8; ++pass) {
      std::vector<std::pair<double, int>> shorts;
      for (const EdgeHandle e : mesh_.edges())
        if (const double l = length(mesh_, e); l < 0.8 * edge_) shorts.push_back({l, e.idx()});
      std::sort(shorts.begin(), shorts.end());
      int done = 0;
      for (const auto& s : shorts) {
        const EdgeHandle e(s.second);
        if (mesh_.status(e).deleted() || length(mesh_, e) >= 0.8 * edge_) continue;
        WorkWatch::check();
        done += collapse(e);
      }
      mesh_.garbage_collection();
      if (!done) return;
    }
  }

  bool stays(VertexHandle v) const { return mesh_.is_boundary(v) || mesh_.data(v).corner; }

  bool collapse(EdgeHandle e) {
    const HalfedgeHandle h = mesh_.halfedge_handle(e, 0);
    const VertexHandle a = mesh_.from_vertex_handle(h), b = mesh_.to_vertex_handle(h);
    const bool fixed_a = stays(a), fixed_b = stays(b);
    if (!mesh_.is_boundary(e) && fixed_a && fixed_b) return false;
    const dvec3 to =
        fixed_a == fixed_b ? 0.5 * (point(mesh_, a) + point(mesh_, b)) : point(mesh_, fixed_a ? a : b);
    if (too_long_after(a, b, to)) return false;
    return mesh_.is_boundary(e) ? collapse_boundary(e) : collapse_interior(mesh_, e, &source_);
  }

  /// Boundary vertices of each stretch between two corners (or of a whole curve without corners), in order;
  /// the last of one begins the next.
  std::vector<std::vector<VertexHandle>> stretches() const {
    std::vector<std::vector<VertexHandle>> found;
    std::vector<char> seen(mesh_.n_vertices(), false);
    const auto walk = [&](VertexHandle start) {
      std::vector<VertexHandle> stretch{start};
      for (VertexHandle v = start;;) {
        // From inside, the boundary runs against its boundary halfedges.
        v = mesh_.from_vertex_handle(mesh_.prev_halfedge_handle(mesh_.halfedge_handle(v)));
        seen[v.idx()] = true;
        stretch.push_back(v);
        if (v == start || mesh_.data(v).corner) break;
      }
      found.push_back(std::move(stretch));
    };
    for (const bool corners : {true, false})
      for (const VertexHandle v : mesh_.vertices())
        if (mesh_.is_boundary(v) && (corners ? mesh_.data(v).corner : !seen[v.idx()])) walk(v);
    return found;
  }

  /// Number of edges in each stretch according to its length.
  void fit_boundary_counts() {
    for (const auto& stretch : stretches()) {
      double whole = 0;
      std::vector<std::pair<double, EdgeHandle>> edges;
      for (size_t i = 0; i + 1 < stretch.size(); ++i) {
        edges.push_back({ahead(stretch[i], stretch[i + 1]),
                         mesh_.edge_handle(mesh_.find_halfedge(stretch[i], stretch[i + 1]))});
        whole += edges.back().first;
      }
      std::sort(edges.begin(), edges.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
      const int wanted = divisions_of(whole, edge_, stretch.front() == stretch.back() ? 3 : 1);
      int excess = int(edges.size()) - wanted;
      for (size_t i = 0; i < edges.size() && excess > 0; ++i)
        if (!mesh_.status(edges[i].second).deleted()) excess -= collapse_boundary(edges[i].second);
      for (auto e = edges.rbegin(); e != edges.rend() && excess < 0; ++e, ++excess)
        if (!is_kept(mesh_, e->second)) split_boundary(e->second);
    }
    mesh_.garbage_collection();
  }

  /// Spaces vertices evenly along each stretch. No vertex passes its neighbours or flips a triangle; the rest
  /// follows after the interior has moved.
  void space_boundary() {
    for (const auto& stretch : stretches()) {
      const auto& start = mesh_.data(stretch.front());
      const double begin = start.along;
      const int curve = start.curve, n = int(stretch.size()) - 1;
      std::vector<double> offset{0};
      for (int i = 0; i < n; ++i) offset.push_back(offset.back() + ahead(stretch[i], stretch[i + 1]));
      for (int sweep = 0; sweep < 3; ++sweep)
        for (int i = 1; i < n; ++i) {
          const double before = offset[i - 1], after = offset[i + 1], margin = 0.2 * (after - before);
          for (double part : {1.0, 0.5, 0.2}) {
            const double wanted = glm::mix(offset[i], offset[n] * i / n, part),
                         to = std::clamp(wanted, before + margin, after - margin);
            if (!keeps_faces(mesh_, stretch[i], VertexHandle(),
                             source_.point(source_.on_curve(curve, begin + to)), &source_))
              continue;
            offset[i] = to;
            place_on_curve(stretch[i], curve, begin + to);
            break;
          }
        }
    }
  }

  /// Interior vertices go to the mean of their neighbours, along the surface.
  void relax() {
    const std::vector<dvec3> normals = vertex_normals(mesh_);
    for (const VertexHandle v : mesh_.vertices()) {
      if (stays(v)) continue;
      WorkWatch::check();
      dvec3 mean(0);
      for (auto n = mesh_.cvv_iter(v); n.is_valid(); ++n) mean += point(mesh_, *n);
      const dvec3 move = mean / double(mesh_.valence(v)) - point(mesh_, v), &normal = normals[v.idx()];
      auto& data = mesh_.data(v);
      const Site site =
          source_.nearest(point(mesh_, v) + move - glm::dot(move, normal) * normal, data.site.triangle);
      const dvec3 to = source_.point(site);
      if (!keeps_faces(mesh_, v, VertexHandle(), to, &source_)) continue;
      data.site = site;
      mesh_.set_point(v, to_openmesh(to));
    }
  }

  const SourceSurface& source_;
  double edge_;
  HalfEdgeMesh mesh_;
};

}  // namespace

HalfEdgeMesh remeshed(const SourceSurface& source, double edge, const std::function<void(double)>& progress,
                      const std::vector<char>& kept) {
  return Remesher(source, edge, kept).run(progress);
}

}  // namespace weft
