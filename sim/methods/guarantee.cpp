#include <fmt/format.h>

#include "sim/methods/collision_handler.h"

namespace weft {
namespace {

const char* protection_words(Protection p) {
  switch (p) {
    case Protection::none: return "not handled";
    case Protection::bounded_penetration: return "bounded";
    default: return "free of crossings";
  }
}

}  // namespace

std::string Guarantee::words() const {
  std::string s = std::string("self-collision: ") + protection_words(self) + ", bodies: ";
  if (bodies != Protection::bounded_penetration) return s + protection_words(bodies);
  return s + "vertices at most " + std::to_string(int(body_bound * 1000 + 0.5f)) + " mm inside";
}

std::string Guarantee::sentences(bool self_collision) const {
  std::string s = self_collision ? "Cloth may cross itself." : "Cloth passes through itself.";
  if (self == Protection::intersection_free) s = "Cloth never crosses itself.";
  if (bodies == Protection::none) s += " Nothing keeps it out of bodies.";
  else if (bodies == Protection::intersection_free) s += " It never crosses a body.";
  else s += fmt::format(" Vertices enter bodies by at most {:.0f} mm.", 1e3 * double(body_bound));
  return s;
}

}  // namespace weft
