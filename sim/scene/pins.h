// Which vertices a pin holds.
#pragma once
#include <string>
#include <vector>

#include "sim/scene/model.h"

namespace weft {

/// Names that Pin::where knows.
const std::vector<std::string>& pin_places();

/// Indices within the cloth `range`, ascending: the pin's own vertices, those of its place, and those that
/// start inside its box, together. `start` holds the world positions of all vertices at the start. Places are
/// meant in the plane of the unplaced cloth: x to the right and y up, or, for a cloth that lies flat, -z up.
/// A corner is the nearest vertex, a side all vertices within a quarter of an edge length, "boundary" the
/// open edges; with a radius, what is as near to them in that plane, too. Throws Error for an
/// index out of range and an unknown place.
std::vector<int> resolve_pin(const Pin& pin, const Topology& topology, const ClothRange& range,
                             const std::vector<vec3>& start);

}  // namespace weft
