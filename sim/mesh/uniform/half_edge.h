// The half-edge mesh that connectivity is changed on (OpenMesh), for the files of this folder only.
#pragma once
#include <OpenMesh/Core/Mesh/TriMesh_ArrayKernelT.hh>

#include "sim/base/math.h"
#include "sim/mesh/mesh.h"

namespace weft {

/// A place on a source surface.
struct Site {
  int triangle = -1;  // -1: none, as in planar patterns that come from an outline
  dvec3 barycentric{1, 0, 0};
};

struct HalfEdgeTraits : OpenMesh::DefaultTraits {
  using Point = OpenMesh::Vec3d;
  VertexAttributes(OpenMesh::Attributes::Status);
  HalfedgeAttributes(OpenMesh::Attributes::PrevHalfedge);
  EdgeAttributes(OpenMesh::Attributes::Status);
  FaceAttributes(OpenMesh::Attributes::Status);
  VertexTraits {
    weft::Site site;
    int curve = -1;       // boundary curve of the source; -1: interior
    double along = 0;     // place on it, m
    bool corner = false;  // fixed
    bool kept = false;    // so does it, and edges between two such vertices are neither flipped nor split
    int label = -1;       // a number that survives changes of connectivity, for those who make them
  };
};
using HalfEdgeMesh = OpenMesh::TriMesh_ArrayKernelT<HalfEdgeTraits>;
using VertexHandle = HalfEdgeMesh::VertexHandle;
using HalfedgeHandle = HalfEdgeMesh::HalfedgeHandle;
using EdgeHandle = HalfEdgeMesh::EdgeHandle;
using FaceHandle = HalfEdgeMesh::FaceHandle;

inline dvec3 to_glm(const OpenMesh::Vec3d& p) { return {p[0], p[1], p[2]}; }
inline OpenMesh::Vec3d to_openmesh(const dvec3& p) { return {p.x, p.y, p.z}; }

inline dvec3 point(const HalfEdgeMesh& mesh, VertexHandle v) { return to_glm(mesh.point(v)); }
inline double length(const HalfEdgeMesh& mesh, EdgeHandle e) {
  const HalfedgeHandle h = mesh.halfedge_handle(e, 0);
  return glm::length(point(mesh, mesh.to_vertex_handle(h)) - point(mesh, mesh.from_vertex_handle(h)));
}
/// True if an edge is fixed as long as possible.
inline bool is_kept(const HalfEdgeMesh& mesh, EdgeHandle e) {
  const HalfedgeHandle h = mesh.halfedge_handle(e, 0);
  return mesh.data(mesh.from_vertex_handle(h)).kept && mesh.data(mesh.to_vertex_handle(h)).kept;
}
/// Twice the area, along the normal.
inline dvec3 area_normal(const HalfEdgeMesh& mesh, FaceHandle f) {
  const HalfedgeHandle h = mesh.halfedge_handle(f), next = mesh.next_halfedge_handle(h);
  const dvec3 a = point(mesh, mesh.from_vertex_handle(h)), b = point(mesh, mesh.to_vertex_handle(h)),
              c = point(mesh, mesh.to_vertex_handle(next));
  return glm::cross(b - a, c - a);
}

/// A mesh of these points and triangles. Throws Error if a half-edge mesh cannot represent it (check_manifold
/// gives details).
HalfEdgeMesh make_half_edge(const std::vector<dvec3>& points, const std::vector<ivec3>& triangles);
/// Its triangles, each with its smallest index first; no element may be marked as deleted.
std::vector<ivec3> triangles_of(const HalfEdgeMesh& mesh);
/// Area-weighted unit normal at each vertex.
std::vector<dvec3> vertex_normals(const HalfEdgeMesh& mesh);

}  // namespace weft
