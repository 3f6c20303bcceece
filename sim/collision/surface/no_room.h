// Bodies, or two parts of one, that leave cloth between them less room than it needs.
#pragma once
#include <vector>

#include "sim/base/math.h"
#include "sim/collision/surface/contact_surface.h"

namespace weft {

/// Of the room that cloth takes at rest between surfaces: with less than this share it is let through, with
/// more it lies nearer to both.
constexpr float kLeastRoom = 0.3f;

/// Points of cloth and bodies at the end of a step, as ContactSurface numbers them.
struct HeldBodies {
  const std::vector<ivec3>& triangles;  // the cloth's first, then those of bodies
  int cloth_points = 0, cloth_triangles = 0;
  const std::vector<vec3>& now;     // m: of all points; bodies where cloth has let them come
  const std::vector<vec3>& wanted;  // m: of all points; bodies where their script has them
  std::vector<ContactPlane> planes;
  float spacing = 0;  // m that a layer of cloth needs on each side
};

/// Where the line at + s n meets triangle t, m; NaN where it does not.
float along_line(const std::vector<vec3>& x, const ivec3& t, const vec3& at, const vec3& n);

/// A place on a body that cannot be where it should, since cloth between it and another surface of a body has
/// no room there.
struct NoRoom {
  int triangle = -1;  // as ContactSurface numbers it
  int before = -1;    // the triangle of the surface in front; -1: a plane
  vec3 at{0};         // m, where it should be
  float room = 0;     // m between both surfaces, negative where they overlap
  float needed = 0;   // m for the cloth that lies between
};

/// Places on triangles of bodies with a corner in `late` (points that lag) that are without room: along the
/// normal the nearest surface that faces them, of any body, comes nearer, and with cloth between will be
/// nearer than that cloth needs. Some `most` places are looked at, spread evenly.
std::vector<NoRoom> places_without_room(const HeldBodies&, const std::vector<int>& late, int most);

/// `seeds` and the points of bodies that hang together with them within `reach` (m along edges) and face the
/// same way: the part of a body that presses. Ascending.
std::vector<int> pressing_part(const HeldBodies&, const std::vector<int>& seeds, float reach);

/// Cloth that lies behind surfaces of bodies.
struct Behind {
  std::vector<int> points;  // per point of all 1; also 1 for the other points of their triangles
  float deepest = 0;        // m, of a vertex below the nearest surface behind which it lies
};

/// The cloth behind the surface of `part` (points of bodies): points of `known` as far behind as 5 cm, others
/// at most `deepest` (m).
Behind behind(const HeldBodies&, const std::vector<int>& part, const std::vector<int>& known, float deepest);

/// How a vertex behind a surface goes with it; free: `normal` is 0.
struct Carried {
  vec3 way{0};     // m within the step
  vec3 normal{0};  // unit: of the surface; across it the vertex is free
};

/// How the cloth that lies behind the surface of `part` goes with it, at most 5 cm behind, of the points in
/// `of` (not 0). Where no other surface is in front of the nearest place of the part, out to that place, by
/// at most `back` (m), and with it from `now` to `wanted`; else with it where the cloth is inside what is in
/// front, too; else it is free: it lies on that. Per point of the cloth.
std::vector<Carried> carried(const HeldBodies&, const std::vector<int>& part, const std::vector<int>& of,
                             float back);

}  // namespace weft
