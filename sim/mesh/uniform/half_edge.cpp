#include "sim/mesh/uniform/half_edge.h"

#include "sim/base/error.h"

namespace weft {

HalfEdgeMesh make_half_edge(const std::vector<dvec3>& points, const std::vector<ivec3>& triangles) {
  HalfEdgeMesh mesh;
  mesh.reserve(points.size(), 3 * triangles.size() / 2 + points.size(), triangles.size());
  for (const dvec3& p : points) mesh.add_vertex(to_openmesh(p));
  for (const ivec3& t : triangles)
    if (!mesh.add_face(VertexHandle(t.x), VertexHandle(t.y), VertexHandle(t.z)).is_valid())
      throw Error("the surface is not manifold", "remesh", "separate the parts that meet");
  return mesh;
}

std::vector<ivec3> triangles_of(const HalfEdgeMesh& mesh) {
  std::vector<ivec3> triangles;
  triangles.reserve(mesh.n_faces());
  for (const FaceHandle f : mesh.faces()) {
    const HalfedgeHandle h = mesh.halfedge_handle(f);
    ivec3 t(mesh.from_vertex_handle(h).idx(), mesh.to_vertex_handle(h).idx(),
            mesh.to_vertex_handle(mesh.next_halfedge_handle(h)).idx());
    while (t.x > t.y || t.x > t.z) t = {t.y, t.z, t.x};
    triangles.push_back(t);
  }
  return triangles;
}

std::vector<dvec3> vertex_normals(const HalfEdgeMesh& mesh) {
  std::vector<dvec3> normals(mesh.n_vertices(), dvec3(0));
  for (const FaceHandle f : mesh.faces()) {
    const dvec3 n = area_normal(mesh, f);
    for (auto v = mesh.cfv_iter(f); v.is_valid(); ++v) normals[v->idx()] += n;
  }
  for (dvec3& n : normals) n = glm::length(n) > 0 ? glm::normalize(n) : dvec3(0, 0, 1);
  return normals;
}

}  // namespace weft
