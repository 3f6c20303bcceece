#include "sim/mesh/uniform/move_vertices.h"

#include "sim/mesh/uniform/edge_ratio.h"
#include "sim/mesh/uniform/source_surface.h"

namespace weft {
namespace {

/// The mesh as arrays, and back.
class Mover {
 public:
  Mover(HalfEdgeMesh& mesh, const SourceSurface* source) : mesh_(mesh), source_(source) {
    problem_.x.reserve(mesh.n_vertices());
    for (const VertexHandle v : mesh.vertices()) {
      problem_.x.push_back(point(mesh, v));
      problem_.movable.push_back(!mesh.is_boundary(v) && !mesh.data(v).corner);
    }
    for (const EdgeHandle e : mesh.edges()) {
      if (is_kept(mesh, e)) continue;
      const HalfedgeHandle h = mesh.halfedge_handle(e, 0);
      problem_.edges.push_back({mesh.from_vertex_handle(h).idx(), mesh.to_vertex_handle(h).idx()});
    }
    problem_.triangles = triangles_of(mesh);
    problem_.normals = source_ ? vertex_normals(mesh) : std::vector<dvec3>(mesh.n_vertices(), dvec3(0, 0, 1));
    if (source_)
      problem_.project = [this](int v, dvec3& x) {
        Site& site = mesh_.data(VertexHandle(v)).site;
        site = source_->nearest(x, site.triangle);
        x = source_->point(site);
      };
  }

  double run(int iterations) {
    const double ratio = improve_edge_ratio(problem_, iterations);
    for (const VertexHandle v : mesh_.vertices())
      if (problem_.movable[v.idx()]) {
        dvec3 x = problem_.x[v.idx()];
        mesh_.set_point(v, to_openmesh(x));
        if (source_) mesh_.data(v).site = source_->nearest(x, mesh_.data(v).site.triangle);
      }
    return ratio;
  }

 private:
  HalfEdgeMesh& mesh_;
  const SourceSurface* source_;
  RatioProblem problem_;
};

}  // namespace

double move_to_even_edges(HalfEdgeMesh& mesh, const SourceSurface* source, int iterations) {
  return Mover(mesh, source).run(iterations);
}

}  // namespace weft
