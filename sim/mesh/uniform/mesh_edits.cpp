#include "sim/mesh/uniform/mesh_edits.h"

#include <algorithm>
#include <cmath>

#include "sim/mesh/uniform/source_surface.h"

namespace weft {
namespace {

/// Both triangles after a flip face as those before, and are no slivers.
bool flip_keeps_shape(const HalfEdgeMesh& mesh, const Diamond& q) {
  const dvec3 a = point(mesh, q.a), b = point(mesh, q.b), c = point(mesh, q.c), d = point(mesh, q.d);
  const dvec3 before = glm::cross(b - a, c - a) + glm::cross(d - a, b - a);
  const dvec3 first = glm::cross(d - a, c - a), second = glm::cross(c - b, d - b);
  const double longest = std::max({glm::dot(c - d, c - d), glm::dot(c - a, c - a), glm::dot(d - b, d - b)});
  const double size = glm::length(before);
  return size > 0 && glm::dot(first, before) > 0.15 * longest * size &&
         glm::dot(second, before) > 0.15 * longest * size;
}

bool stays(const HalfEdgeMesh& mesh, VertexHandle v) { return mesh.is_boundary(v) || mesh.data(v).corner; }

}  // namespace

bool keeps_faces(const HalfEdgeMesh& mesh, VertexHandle moved, VertexHandle other, const dvec3& to,
                 const SourceSurface* source) {
  const dvec3 outward = source ? source->normal(mesh.data(moved).site.triangle) : dvec3(0);
  for (auto h = mesh.cvoh_iter(moved); h.is_valid(); ++h) {
    if (mesh.is_boundary(*h)) continue;
    const VertexHandle b = mesh.to_vertex_handle(*h),
                       c = mesh.to_vertex_handle(mesh.next_halfedge_handle(*h));
    if (b == other || c == other) continue;
    const dvec3 p = point(mesh, moved), pb = point(mesh, b), pc = point(mesh, c);
    const dvec3 before = glm::cross(pb - p, pc - p), after = glm::cross(pb - to, pc - to);
    const dvec3 reference = source ? outward : before / glm::length(before);
    const double faces = glm::dot(reference, after) / glm::length(after);
    const bool better = source && faces > glm::dot(reference, before) / glm::length(before);
    if (!(faces > 0.2) && !better) return false;
  }
  return true;
}

int ideal_valence(const HalfEdgeMesh& mesh, VertexHandle v) {
  if (!mesh.is_boundary(v)) return 6;
  double angle = 0;
  for (auto h = mesh.cvoh_iter(v); h.is_valid(); ++h) {
    if (mesh.is_boundary(*h)) continue;
    const dvec3 p = point(mesh, v), a = point(mesh, mesh.to_vertex_handle(*h)) - p,
                b = point(mesh, mesh.to_vertex_handle(mesh.next_halfedge_handle(*h))) - p;
    angle += std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b));
  }
  return std::max(2, int(std::lround(angle / (M_PI / 3) + 0.1)) + 1);  // a right angle is cut in two
}

Diamond diamond(const HalfEdgeMesh& mesh, EdgeHandle e) {
  const HalfedgeHandle h = mesh.halfedge_handle(e, 0), o = mesh.halfedge_handle(e, 1);
  return {mesh.from_vertex_handle(h), mesh.to_vertex_handle(h),
          mesh.to_vertex_handle(mesh.next_halfedge_handle(h)),
          mesh.to_vertex_handle(mesh.next_halfedge_handle(o))};
}

bool flip_allowed(const HalfEdgeMesh& mesh, EdgeHandle e) {
  return !mesh.is_boundary(e) && !is_kept(mesh, e) && mesh.is_flip_ok(e) &&
         flip_keeps_shape(mesh, diamond(mesh, e));
}

VertexHandle split_interior(HalfEdgeMesh& mesh, EdgeHandle e, const SourceSurface* source) {
  const Diamond q = diamond(mesh, e);
  const VertexHandle v = mesh.add_vertex(to_openmesh(0.5 * (point(mesh, q.a) + point(mesh, q.b))));
  mesh.data(v).site = mesh.data(q.a).site;
  mesh.split(e, v);
  if (source) {
    mesh.data(v).site = source->nearest(point(mesh, v), mesh.data(q.a).site.triangle);
    mesh.set_point(v, to_openmesh(source->point(mesh.data(v).site)));
  }
  return v;
}

bool collapse_allowed(HalfEdgeMesh& mesh, HalfedgeHandle h, const dvec3& to, const SourceSurface* source) {
  if (!mesh.is_collapse_ok(h)) return false;
  const VertexHandle gone = mesh.from_vertex_handle(h), kept = mesh.to_vertex_handle(h);
  for (const HalfedgeHandle side : {h, mesh.opposite_halfedge_handle(h)}) {
    if (mesh.is_boundary(side)) continue;
    const VertexHandle across = mesh.to_vertex_handle(mesh.next_halfedge_handle(side));
    if (mesh.valence(across) < (mesh.is_boundary(across) ? 3u : 4u)) return false;
  }
  return keeps_faces(mesh, gone, kept, to, source) && keeps_faces(mesh, kept, gone, to, source);
}

bool collapse_interior(HalfEdgeMesh& mesh, EdgeHandle e, const SourceSurface* source) {
  HalfedgeHandle h = mesh.halfedge_handle(e, 0);
  if (stays(mesh, mesh.from_vertex_handle(h))) h = mesh.opposite_halfedge_handle(h);
  const VertexHandle gone = mesh.from_vertex_handle(h), kept = mesh.to_vertex_handle(h);
  if (mesh.is_boundary(e) || stays(mesh, gone)) return false;
  const bool moves = !stays(mesh, kept);
  dvec3 to = moves ? 0.5 * (point(mesh, kept) + point(mesh, gone)) : point(mesh, kept);
  Site site = mesh.data(kept).site;
  if (source && moves) site = source->nearest(to, site.triangle), to = source->point(site);
  if (!collapse_allowed(mesh, h, to, source)) return false;
  mesh.collapse(h);
  mesh.set_point(kept, to_openmesh(to));
  mesh.data(kept).site = site;
  return true;
}

void flip_to_even_valence(HalfEdgeMesh& mesh) {
  std::vector<int> excess(mesh.n_vertices());
  for (const VertexHandle v : mesh.vertices())
    excess[v.idx()] = int(mesh.valence(v)) - ideal_valence(mesh, v);
  const auto squares = [](int a, int b, int c, int d) { return a * a + b * b + c * c + d * d; };
  for (const EdgeHandle e : mesh.edges()) {
    if (mesh.is_boundary(e)) continue;
    const Diamond q = diamond(mesh, e);
    int &a = excess[q.a.idx()], &b = excess[q.b.idx()], &c = excess[q.c.idx()], &d = excess[q.d.idx()];
    // A chord between two boundary vertices cuts off a corner whose hypotenuse cannot be shortened (0.707 at
    // a right angle).
    const bool is_chord = mesh.is_boundary(q.a) && mesh.is_boundary(q.b),
               makes_chord = mesh.is_boundary(q.c) && mesh.is_boundary(q.d);
    if (makes_chord && !is_chord) continue;
    const int gain =
        squares(a, b, c, d) - squares(a - 1, b - 1, c + 1, d + 1) + (is_chord && !makes_chord ? 4 : 0);
    if (gain <= 0 || !flip_allowed(mesh, e)) continue;
    mesh.flip(e);
    --a, --b, ++c, ++d;
  }
}

}  // namespace weft
