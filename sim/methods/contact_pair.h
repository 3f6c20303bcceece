// Two places in contact with each other, for view and statistics.
#pragma once
#include "sim/base/math.h"

namespace weft {

/// What is near each other. Methods that know vertices only have pairs of them (`vertices`); the others tell
/// apart the parts of the cloth that hold the nearest points, the inside of a triangle, the inside of an edge
/// or a vertex, and cloth with a body.
enum class ContactKind { vertices, vertex_triangle, edge_edge, vertex_edge, vertex_vertex, body };
constexpr int kContactKinds = 6;

struct ContactPair {
  ContactKind kind = ContactKind::vertices;
  vec3 a{0}, b{0};  // m: the nearest points of both sides
  // the corner of each side that is nearest; those of bodies follow the vertices of the cloth
  ivec2 points{-1, -1};
};

}  // namespace weft
