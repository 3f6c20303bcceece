// Two places in contact with each other, for view and statistics.
#pragma once
#include "sim/base/math.h"

namespace weft {

/// What is near each other. Methods that know vertices only have pairs of them; the others tell apart what the cloth touches itself with, and bodies.
enum class ContactKind { vertices, vertex_triangle, edge_edge, body };
constexpr int kContactKinds = 4;

struct ContactPair {
  ContactKind kind = ContactKind::vertices;
  vec3 a{0}, b{0};       // m: the nearest points of both sides
  ivec2 points{-1, -1};  // the corner of each side that is nearest; those of bodies follow the vertices of the cloth
};

}  // namespace weft
