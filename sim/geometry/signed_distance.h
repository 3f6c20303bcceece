// Signed distance of bodies in their own frame: negative inside, with the outward unit normal of the nearest
// surface.
#pragma once
#include "sim/base/math.h"
#include "sim/geometry/closest_point.h"

namespace weft {

/// A triangle with the pseudonormals of its face, edges and corners (Baerentzen and Aanaes 2005): the sign of
/// their inner product with the offset from the closest point is that of the distance.
struct SdfTriangle {
  vec3 corner[3];
  vec3 normal[7];  // by ClosestOnTriangle::feature
};

/// Field of a triangle mesh: a grid of cells. Cells near the surface list every triangle that can be nearest
/// to a point in them, so that distances there are exact; the others hold a distance for their centre.
struct SdfGrid {
  vec3 origin{0};
  float cell = 1;
  ivec3 cells{0};
  const float* center_distance = nullptr;  // signed, per cell
  const int* start = nullptr;              // cells + 1
  const int* entry = nullptr;              // per cell, nearest to its centre first
  const SdfTriangle* triangle = nullptr;
  const vec4* sphere = nullptr;  // per triangle: centre and radius of a ball around it
  float reach = 1e30f;           // m: lists are complete for points this near to the surface
  // m: all smaller distances are exact; larger ones may be lower bounds
  float exact = 0;
};

/// The point of a mesh's surface nearest to a query.
struct ClosestOnMesh {
  int triangle = -1;  // -1: none is listed near the query
  ClosestOnTriangle point;
  float distance = 1e19f;  // m, unsigned
};

/// `nowhere`: a body whose field was not requested; it has no contact.
enum class BodyKind : int { plane, sphere, box, capsule, mesh, nowhere };

/// One body. Plane: y = 0, outside is +y. Box: half extents. Capsule: radius and length between centres,
/// along y.
struct BodyShape {
  BodyKind kind = BodyKind::plane;
  vec3 size{0};
  SdfGrid grid;
  int open = 0;    // 1: mesh with a boundary, so that below its surface is not inside
  int unused = 0;  // explicit padding (see Span)

  static BodyShape nowhere() { return {BodyKind::nowhere, vec3(0), {}}; }
  static BodyShape plane() { return {}; }
  static BodyShape sphere(float radius) { return {BodyKind::sphere, vec3(radius), {}}; }
  static BodyShape box(const vec3& half_extents) { return {BodyKind::box, half_extents, {}}; }
  static BodyShape capsule(float radius, float length) {
    return {BodyKind::capsule, vec3(radius, length, 0), {}};
  }

  /// Signed distance in m and the outward normal. Far from a mesh the value is a lower bound of the distance.
  HD float distance(const vec3& p, vec3& normal) const {
    switch (kind) {
      case BodyKind::plane: normal = vec3(0, 1, 0); return p.y;
      case BodyKind::sphere: return away_from(p, size.x, normal);
      case BodyKind::box: return box_distance(p, normal);
      case BodyKind::capsule: {
        const float half = 0.5f * size.y;
        const float y = p.y < -half ? -half : p.y > half ? half : p.y;
        return away_from(p - vec3(0, y, 0), size.x, normal);
      }
      case BodyKind::nowhere: normal = vec3(0, 1, 0); return 1e30f;
      default: return mesh_distance(p, normal);
    }
  }

  /// For a mesh: the nearest surface point, if it is near enough to be listed.
  HD ClosestOnMesh closest(const vec3& p) const {
    if (kind != BodyKind::mesh || outside_grid(p) > 0) return {};
    const int c = cell_of(p);
    const ClosestOnMesh nearest = closest_listed(p, grid.start[c], grid.start[c + 1]);
    return nearest.distance > grid.reach ? ClosestOnMesh{} : nearest;
  }

  /// Smaller distances are exact; larger ones may be lower bounds (m).
  HD float exact_within() const { return kind == BodyKind::mesh ? grid.exact : 1e30f; }

  /// A cheap lower bound of the distance outside; inside a mesh only the sign is right.
  HD float lower_bound(const vec3& p) const {
    if (kind != BodyKind::mesh) {
      vec3 unused;
      return distance(p, unused);
    }
    const float outside = outside_grid(p);
    // From the centre's value to any point of the cell: half the diagonal.
    return outside > 0 ? outside : grid.center_distance[cell_of(p)] - 0.8661f * grid.cell;
  }

 private:
  HD static float away_from(const vec3& p, float radius, vec3& normal) {
    const float length = sqrtf(glm::dot(p, p));
    normal = length > 0 ? p / length : vec3(0, 1, 0);
    return length - radius;
  }

  HD float box_distance(const vec3& p, vec3& normal) const {
    const vec3 sign(p.x < 0 ? -1.0f : 1.0f, p.y < 0 ? -1.0f : 1.0f, p.z < 0 ? -1.0f : 1.0f);
    const vec3 q = sign * p - size;
    if (q.x <= 0 && q.y <= 0 && q.z <= 0) {
      const int axis = q.x >= q.y && q.x >= q.z ? 0 : q.y >= q.z ? 1 : 2;
      normal = vec3(0);
      normal[axis] = sign[axis];
      return q[axis];
    }
    const vec3 out(q.x > 0 ? q.x : 0.0f, q.y > 0 ? q.y : 0.0f, q.z > 0 ? q.z : 0.0f);
    const float length = sqrtf(glm::dot(out, out));
    normal = sign * out / length;
    return length;
  }

  /// Distance to the grid's box, 0 inside.
  HD float outside_grid(const vec3& p) const {
    const vec3 high = grid.origin + grid.cell * vec3(grid.cells);
    vec3 out(0);
    for (int a = 0; a < 3; ++a)
      out[a] = p[a] < grid.origin[a] ? grid.origin[a] - p[a] : p[a] > high[a] ? p[a] - high[a] : 0.0f;
    return sqrtf(glm::dot(out, out));
  }

  HD int cell_of(const vec3& p) const {
    ivec3 c((p - grid.origin) * (1.0f / grid.cell));
    for (int a = 0; a < 3; ++a) c[a] = c[a] < 0 ? 0 : c[a] >= grid.cells[a] ? grid.cells[a] - 1 : c[a];
    return (c.z * grid.cells.y + c.y) * grid.cells.x + c.x;
  }

  HD float mesh_distance(const vec3& p, vec3& normal) const {
    const float outside = outside_grid(p);
    if (outside > 0) {
      const vec3 away = p - (grid.origin + 0.5f * grid.cell * vec3(grid.cells));
      normal = away / sqrtf(glm::dot(away, away));
      return outside + grid.cell;  // the surface lies at least one cell inside the grid
    }
    const int c = cell_of(p);
    const int begin = grid.start[c], end = grid.start[c + 1];
    if (begin == end) {
      normal = gradient(p);
      const float d = grid.center_distance[c];
      return d > 0 ? d - 0.8661f * grid.cell : d + 0.8661f * grid.cell;
    }
    const ClosestOnMesh nearest = closest_listed(p, begin, end);
    if (nearest.distance > grid.reach) {
      // No surface lies between this point and the centre, or it would be nearer.
      normal = gradient(p);
      return grid.center_distance[c] > 0 ? grid.reach : -grid.reach;
    }
    const vec3 pseudonormal = grid.triangle[nearest.triangle].normal[nearest.point.feature];
    const float length = nearest.distance;
    const bool inside = glm::dot(pseudonormal, nearest.point.offset) < 0;
    // On the surface itself the direction of the offset is rounding; the pseudonormal is not.
    normal = length > 1e-5f * grid.cell ? (inside ? -nearest.point.offset : nearest.point.offset) / length
                                        : pseudonormal;
    return inside ? -length : length;
  }

  HD ClosestOnMesh closest_listed(const vec3& p, int begin, int end) const {
    ClosestOnMesh nearest;
    float best = 3e38f;
    for (int o = begin; o < end; ++o) {
      // A tenth of the triangles of a cell survive this.
      const vec4 ball = grid.sphere[grid.entry[o]];
      const vec3 off(p.x - ball.x, p.y - ball.y, p.z - ball.z);
      const float limit = nearest.distance + ball.w;
      if (glm::dot(off, off) > limit * limit) continue;
      const SdfTriangle& t = grid.triangle[grid.entry[o]];
      const ClosestOnTriangle q = closest_on_triangle(p, t.corner[0], t.corner[1], t.corner[2]);
      const float squared = glm::dot(q.offset, q.offset);
      if (squared < best) best = squared, nearest = {grid.entry[o], q, sqrtf(squared)};
    }
    return nearest;
  }

  /// Direction in which the centre values grow.
  HD vec3 gradient(const vec3& p) const {
    vec3 g(0);
    for (int a = 0; a < 3; ++a) {
      vec3 step(0);
      step[a] = grid.cell;
      g[a] = grid.center_distance[cell_of(p + step)] - grid.center_distance[cell_of(p - step)];
    }
    const float length = sqrtf(glm::dot(g, g));
    return length > 0 ? g / length : vec3(0, 1, 0);
  }
};

}  // namespace weft
