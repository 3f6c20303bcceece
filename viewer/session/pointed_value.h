// The number behind the colour under the cursor.
#pragma once
#include <optional>
#include <string>

#include "sim/run/runner.h"
#include "viewer/interact/picking.h"

namespace weft {

/// What the quantity that colours the cloth is at a point of it, with its unit: "2.14 %", "soft".
/// `colouring`: into vertex_fields(). Empty where nothing colours the cloth, or the frame holds another
/// quantity or mesh.
std::optional<std::string> pointed_value(const Frame& frame, const SceneView& scene, int colouring,
                                         const PickHit& at);

}  // namespace weft
