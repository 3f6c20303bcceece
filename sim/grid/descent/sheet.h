// A grid's sheet from the parameters of a fabric.
#pragma once
#include <variant>

#include "sim/grid/descent/fabric.h"
#include "sim/scene/params.h"

namespace weft::block_descent {

using Corotated = TriangleSheet<CorotatedTriangle>;
using Stvk = TriangleSheet<StvkTriangle>;
using Sheet = std::variant<Corotated, SpringSheet, Stvk>;

/// `cell` in m. Springs have the stiffness of the model's on the same triangles.
Sheet make_sheet(const FabricParams& fabric, ElasticModel model, float cell);

}  // namespace weft::block_descent
