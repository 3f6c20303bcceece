#include "sim/grid/descent/sheet.h"

#include <algorithm>

#include "sim/scene/model/weave_springs.h"

namespace weft::block_descent {
namespace {

template <class E>
Sheet triangles(const FabricParams& f, const typename E::template Material<float>& material, float cell) {
  TriangleSheet<E> sheet;
  sheet.cell = cell, sheet.rigidity = f.bending_rigidity, sheet.density = f.areal_density;
  sheet.material = material;
  // Over the six triangles around a vertex the squares of its shape gradients sum to 4 / cell² along either
  // axis: with triangles of cell² / 2 its own block is 2 (C11 + G) along x and 2 (C22 + G) along y.
  const glm::dvec4 c = E::plane_stress(material);
  sheet.in_plane = 2 * float(std::max(c.x, c.y) + c.w);
  const float y = std::max(f.stretch_stiffness, f.weft_stiffness);
  sheet.edges = {y, 0.5f * y, y};  // springs of the same modulus
  return sheet;
}

}  // namespace

Sheet make_sheet(const FabricParams& f, ElasticModel model, float cell) {
  if (model == ElasticModel::finite_elements)
    return triangles<CorotatedTriangle>(f, CorotatedTriangle::isotropic(f.stretch_stiffness, f.poisson_ratio),
                                        cell);
  if (model == ElasticModel::stvk) {
    const float weft = f.weft_stiffness > 0 ? f.weft_stiffness : f.stretch_stiffness;
    const auto m = StvkTriangle::orthotropic(f.stretch_stiffness, weft, f.shear_stiffness, f.poisson_ratio);
    return triangles<StvkTriangle>(f,
                                   StvkTriangle::stiffened(m, f.warp_stiffening, f.weft_stiffening,
                                                           f.shear_stiffening, f.stiffening_strain),
                                   cell);
  }
  SpringSheet sheet;
  sheet.cell = cell, sheet.rigidity = f.bending_rigidity, sheet.density = f.areal_density;
  const WeaveSprings weave(f);
  const float y = f.stretch_stiffness;
  // sum A / L² over two triangles of half a cell: 1 along the threads, 1/2 along the diagonal
  sheet.edges = {y * weave.factor({1, 0}), 0.5f * y * weave.factor({1, 1}), y * weave.factor({0, 1})};
  sheet.in_plane =
      sheet.edges.x + sheet.edges.diagonal + sheet.edges.y;  // half the trace of sum k n nᵀ over six springs
  return sheet;
}

}  // namespace weft::block_descent
