// Pairs of cloth and bodies that are near each other, for the view.
#pragma once
#include <array>
#include <vector>

#include "sim/collision/proximity/pair_list.h"
#include "sim/collision/proximity/part_radii.h"
#include "sim/device/buffer.h"
#include "sim/methods/contact_pair.h"

namespace weft {

/// The nearest points of the two sides of a pair, from the weights of its points: those of the second side
/// are negative. `x`: positions of all points, m; points from `cloth_points` on belong to bodies; -1 is none.
ContactPair contact_pair(const ivec4& points, const float (&weight)[4], const std::vector<vec3>& x,
                         int cloth_points);

/// Those of the listed pairs (vertex-triangle, edge-edge) that are nearer than `distance` (m), or than
/// `parts` meet, at positions `x`, each pair of features once; of more than `most` a part, from all over the
/// list. Waits for the device.
std::vector<ContactPair> close_pairs(Device&, const std::array<PairList, 2>&, const std::vector<vec3>& x,
                                     int cloth_points, float distance, int most, const PartRadii& parts);

/// Leaves at most `most` of them, evenly.
std::vector<ContactPair> thinned(std::vector<ContactPair> pairs, int most);

}  // namespace weft
