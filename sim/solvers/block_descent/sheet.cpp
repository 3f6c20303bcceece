#include "sim/solvers/block_descent/sheet.h"

#include "sim/energies/bounding_springs.h"
#include "sim/scene/weave_springs.h"

namespace weft::block_descent {
namespace {

template <class E>
Sheet triangles(const FabricParams& f, const typename E::template Material<float>& material, float cell) {
  TriangleSheet<E> sheet;
  sheet.cell = cell, sheet.rigidity = f.bending_rigidity, sheet.density = f.areal_density;
  sheet.material = material;
  const double h = double(cell);
  const glm::dvec4 c = E::plane_stress(material);
  const auto lower = bounding_springs({h, 0, h, h}, c);  // edges 00-10, 10-11, 11-00
  const auto upper = bounding_springs({h, h, 0, h}, c);  // 00-11, 11-01, 01-00
  sheet.springs = {float(lower[0] + upper[1]), float(lower[2] + upper[0]), float(lower[1] + upper[2])};
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
  sheet.spring = {y * weave.factor({1, 0}), 0.5f * y * weave.factor({1, 1}), y * weave.factor({0, 1})};
  return sheet;
}

}  // namespace weft::block_descent
