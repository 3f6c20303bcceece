// Which vertices a pin holds.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "sim/scene/model/model.h"

namespace weft {

/// The unplaced cloth seen from its front: coordinates to the right and up, and their bounds, m.
struct FrontView {
  std::vector<vec2> points;
  vec2 low{1e30f}, high{-1e30f};
  float edge = 0;  // mean edge length
};
/// Of cloths by their first vertices: many pins of one cloth look at it once.
using FrontViews = std::map<int, FrontView>;

/// Names that Pin::where knows.
const std::vector<std::string>& pin_places();

/// Indices within the cloth `range`, ascending: the pin's own vertices, those of its place, and those that
/// start inside its box, together. `start` holds the world positions of all vertices at the start. Places are
/// meant in the plane of the unplaced cloth: x to the right and y up, or, for a cloth that lies flat, -z up.
/// A corner is the nearest vertex, a side all vertices within a quarter of an edge length, "boundary" the
/// open edges; with a radius, what is as near to them in that plane, too. Throws Error for an
/// index out of range and an unknown place. `views`: kept from pin to pin; may be null.
std::vector<int> resolve_pin(const Pin& pin, const Topology& topology, const ModelPart& range,
                             const std::vector<vec3>& start, FrontViews* views = nullptr);

}  // namespace weft
