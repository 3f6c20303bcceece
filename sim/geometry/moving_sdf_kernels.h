// Kernels that build a distance field from moving vertices.
#pragma once
#include "sim/device/atomics.h"
#include "sim/device/launch.h"
#include "sim/geometry/signed_distance.h"

namespace weft::moving_sdf {

constexpr float kHalfDiagonal = 0.8661f;  // half diagonal of a unit cell, rounded up
constexpr uint32_t kNoCell = 0xffffffffu;

/// Cells of the grid that may list a triangle: those that the box around its ball, grown by the range of the
/// lists, meets.
struct CellRange {
  ivec3 low{0}, high{-1};
  HD int count() const {
    const ivec3 n = high - low + 1;
    return n.x > 0 && n.y > 0 && n.z > 0 ? n.x * n.y * n.z : 0;
  }
};

/// The part of a grid that does not change while lists are built.
struct Place {
  vec3 origin{0};
  float cell = 1;
  ivec3 cells{1};

  HD int size() const { return cells.x * cells.y * cells.z; }
  HD vec3 center(int c) const {
    return origin +
           cell * (vec3(float(c % cells.x), float(c / cells.x % cells.y), float(c / (cells.x * cells.y))) +
                   0.5f);
  }
  /// Distance from a cell's centre below which a triangle is listed: within one cell of any point of the
  /// cell.
  HD float listed_within() const { return (1 + kHalfDiagonal) * cell; }
  HD CellRange around(const vec4& ball) const {
    const vec3 c = (vec3(ball.x, ball.y, ball.z) - origin) * (1 / cell);
    const float r = ball.w / cell + 1 + kHalfDiagonal;
    CellRange range;
    for (int a = 0; a < 3; ++a) {
      // Centres at k + 1/2 within r of c.
      const float low = ceilf(c[a] - r - 0.5f), high = floorf(c[a] + r - 0.5f);
      range.low[a] = low > 0 ? int(low) : 0;
      range.high[a] = high < float(cells[a] - 1) ? int(high) : cells[a] - 1;
    }
    return range;
  }
  HD bool lists(int c, const vec4& ball) const {
    const vec3 off = center(c) - vec3(ball.x, ball.y, ball.z);
    const float within = ball.w + listed_within();
    return glm::dot(off, off) <= within * within;
  }
};

HD inline vec3 unit_or_zero(const vec3& n) {
  const float length = sqrtf(glm::dot(n, n));
  return length > 0 ? n / length : vec3(0);
}

/// Corners, face normals and balls.
struct Faces {
  Span<const vec3> position;
  Span<const ivec3> triangles;
  Span<SdfTriangle> out;
  Span<vec4> ball;
  HD void operator()(int t) const {
    SdfTriangle& s = out[t];
    vec3 middle(0);
    for (int k = 0; k < 3; ++k) s.corner[k] = position[triangles[t][k]], middle += s.corner[k];
    middle *= 1.0f / 3.0f;
    float squared = 0;
    for (int k = 0; k < 3; ++k) {
      const vec3 off = s.corner[k] - middle;
      squared = glm::dot(off, off) > squared ? glm::dot(off, off) : squared;
    }
    s.normal[0] = unit_or_zero(glm::cross(s.corner[1] - s.corner[0], s.corner[2] - s.corner[0]));
    ball[t] = vec4(middle.x, middle.y, middle.z, 1.0001f * sqrtf(squared));
  }
};

/// Sum of the face normals at a vertex, weighted by their angles there.
struct VertexNormals {
  Span<const SdfTriangle> faces;
  Span<const int> start, entry;  // corners (3 t + k) at each vertex
  Span<vec3> normal;
  HD void operator()(int v) const {
    vec3 sum(0);
    for (int o = start[v]; o < start[v + 1]; ++o) {
      const SdfTriangle& s = faces[entry[o] / 3];
      const int k = entry[o] % 3;
      const vec3 a = unit_or_zero(s.corner[(k + 1) % 3] - s.corner[k]),
                 b = unit_or_zero(s.corner[(k + 2) % 3] - s.corner[k]);
      const float cosine = glm::dot(a, b);
      sum += acosf(cosine < -1 ? -1.0f : cosine > 1 ? 1.0f : cosine) * s.normal[0];
    }
    normal[v] = unit_or_zero(sum);
  }
};

/// Pseudonormals of edges and corners.
struct Pseudonormals {
  Span<const ivec3> triangles;
  Span<const int> across;  // 3 per triangle: the triangle beyond edge k, or -1
  Span<const vec3> vertex_normal;
  Span<SdfTriangle> faces;
  HD void operator()(int t) const {
    SdfTriangle& s = faces[t];
    for (int k = 0; k < 3; ++k) {
      const int other = across[3 * t + k];
      s.normal[1 + k] = unit_or_zero(other >= 0 ? s.normal[0] + faces[other].normal[0] : s.normal[0]);
      s.normal[4 + k] = vertex_normal[triangles[t][k]];
    }
  }
};

/// Counts the cells that list a triangle. A degenerate triangle is never the only nearest one: its neighbours
/// share its points.
struct CountCells {
  Place place;
  Span<const vec4> ball;
  Span<const SdfTriangle> faces;
  Span<int> count;
  HD void operator()(int t) const {
    int n = 0;
    if (faces[t].normal[0] != vec3(0)) {
      const CellRange r = place.around(ball[t]);
      for (int z = r.low.z; z <= r.high.z; ++z)
        for (int y = r.low.y; y <= r.high.y; ++y)
          for (int x = r.low.x; x <= r.high.x; ++x)
            n += place.lists((z * place.cells.y + y) * place.cells.x + x, ball[t]);
    }
    count[t] = n;
  }
};

struct ClearKeys {
  Span<uint32_t> cell;
  HD void operator()(int i) const { cell[i] = kNoCell; }
};

/// Writes the pairs (cell, triangle), ascending with the triangle. If there are more than fit, `overflow`
/// becomes the required number.
struct ListPairs {
  Place place;
  Span<const vec4> ball;
  Span<const int> first;  // triangles + 1
  Span<uint32_t> cell;
  Span<int> triangle;
  Span<int> overflow;
  HD void operator()(int t) const {
    int at = first[t];
    const int end = first[t + 1];
    if (end > cell.size) {
      atomic_max(&overflow[0], end);
      return;
    }
    if (at == end) return;
    const CellRange r = place.around(ball[t]);
    for (int z = r.low.z; z <= r.high.z; ++z)
      for (int y = r.low.y; y <= r.high.y; ++y)
        for (int x = r.low.x; x <= r.high.x; ++x) {
          const int c = (z * place.cells.y + y) * place.cells.x + x;
          if (!place.lists(c, ball[t])) continue;
          cell[at] = uint32_t(c);
          triangle[at++] = t;
        }
  }
};

/// First sorted pair of each cell.
struct CellStarts {
  Span<const uint32_t> cell;  // ascending; unused entries last
  Span<int> start;            // cells + 1
  HD void operator()(int c) const {
    int low = 0, high = cell.size;
    while (low < high) {
      const int middle = (low + high) / 2;
      if (cell[middle] < uint32_t(c)) low = middle + 1;
      else high = middle;
    }
    start[c] = low;
  }
};

/// Signed distance at the centres of cells whose lists reach the surface; 0 means "further than `reach`".
struct CenterDistances {
  Place place;
  BodyShape shape;  // its grid without centre distances
  Span<float> distance;
  HD void operator()(int c) const {
    const vec3 p = place.center(c);
    const ClosestOnMesh q = shape.closest(p);
    float d = 0;
    if (q.triangle >= 0) {
      const vec3 n = shape.grid.triangle[q.triangle].normal[q.point.feature];
      d = glm::dot(n, q.point.offset) < 0 ? -q.distance : q.distance;
      if (d == 0) d = 1e-12f * place.cell;
    }
    distance[c] = d;
  }
};

/// Sign of the cells in between, row by row from outside: between two neighbouring centres that are both
/// further than a cell from the surface there is no surface. Of cells without a list also how many steps
/// along the row away the next one with a list is.
struct SweepRows {
  Place place;
  Span<const int> start;
  int closed = 1;  // an open mesh has no inside beyond its lists
  Span<float> distance;
  HD void operator()(int row) const {
    const int begin = row * place.cells.x, end = begin + place.cells.x;
    float sign = 1, steps = kManySteps;
    for (int c = begin; c < end; ++c) {
      const float d = distance[c];
      const bool listed = start[c + 1] > start[c];
      steps = listed ? 0.0f : steps + 1;
      if (d != 0) sign = d < 0 && closed ? -1.0f : 1.0f;
      else distance[c] = sign * (listed ? place.cell : steps);
    }
    steps = kManySteps;
    for (int c = end - 1; c >= begin; --c) steps = listed_or_nearer(start, c, steps + 1, distance[c]);
  }
  // more than any grid has cells in a row, all of them exact in float
  static constexpr float kManySteps = 1e6f;

  /// Lowers the steps of a cell without a list. Returns the steps of the cell.
  HD static float listed_or_nearer(Span<const int> start, int c, float steps, float& distance) {
    if (start[c + 1] > start[c]) return 0;
    if (steps < fabsf(distance)) distance = distance < 0 ? -steps : steps;
    return fabsf(distance);
  }
};

/// The same along the y axis, then along the z axis, which turns steps into lower bounds of distances D from
/// centres. Any point q that is a cell from the surface's nearest point lies in a cell with a list; where
/// that is m steps away, D - c = |q - centre| >= (m - 3/2) c / sqrt(3).
struct SpreadBounds {
  Place place;
  Span<const int> start;
  int axis = 1;
  Span<float> distance;
  HD void operator()(int row) const {
    const ivec3 n = place.cells;
    const int stride = axis == 1 ? n.x : n.x * n.y, count = axis == 1 ? n.y : n.z;
    const int begin = axis == 1 ? row % n.x + row / n.x * n.x * n.y : row;
    float steps = SweepRows::kManySteps;
    for (int k = 0; k < count; ++k)
      steps = SweepRows::listed_or_nearer(start, begin + k * stride, steps + 1, distance[begin + k * stride]);
    steps = SweepRows::kManySteps;
    for (int k = count - 1; k >= 0; --k) {
      const int c = begin + k * stride;
      steps = SweepRows::listed_or_nearer(start, c, steps + 1, distance[c]);
      if (axis == 2 && steps > 0)
        distance[c] = (distance[c] < 0 ? -1.0f : 1.0f) *
                      fmaxf(place.listed_within(), (0.133f + 0.577f * steps) * place.cell);
    }
  }
};

}  // namespace weft::moving_sdf
