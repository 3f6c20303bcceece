// Places where bodies leave cloth no room, in words.
#pragma once
#include <string>
#include <vector>

#include "sim/collision/surface/no_room.h"

namespace weft {

/// Two surfaces of bodies with cloth between them.
struct PressedPlace {
  vec3 at{0};                                       // m
  int first = -1, second = kPlane;                  // points of the surfaces, as ContactSurface numbers them
  float room = 0;                                   // m between both, negative where they overlap
  static constexpr int kPlane = -1, kUnknown = -2;  // instead of a second point
};

/// Adds places, spread evenly over `more` if those are many.
void add_places(std::vector<PressedPlace>& places, const std::vector<PressedPlace>& more);

/// Where triangles of bodies with a corner in `pressing` (points of bodies) cross others of bodies, at
/// HeldBodies::now. `room` is -1: its depth is not known.
std::vector<PressedPlace> body_crossings(const HeldBodies&, const std::vector<int>& pressing);

struct PlaceWords {
  std::string where;  // "'figure' crosses itself near the left armpit", the same for all of its places
  // and where exactly: "..., between the left upper arm and the chest, at (0.18, 1.31, 0.02) m"
  std::string all;
  float room = 0;     // m, the least
  bool both = false;  // surfaces are known; else only the body that presses
};

/// One for each pair of bodies, or of their parts where they have names (Bodies::part_of), with the place
/// that has the least room; those with less room first. "leaves the cloth no room" where surfaces do not
/// overlap.
std::vector<PlaceWords> in_words(const std::vector<PressedPlace>&, const ContactSurface&, const Bodies&,
                                 const Scene&);

/// "'figure' at the left forearm": a point of a body, as ContactSurface numbers it.
std::string body_in_words(const ContactSurface&, const Bodies&, const Scene&, int point);

}  // namespace weft
