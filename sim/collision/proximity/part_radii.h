// Radii that parts have of their own in contact (sim/scene/contact_radii.h), for kernels.
#pragma once
#include "sim/base/math.h"
#include "sim/base/span.h"

namespace weft {

/// Where points were when the time step began, m.
struct StepStart {
  Span<const vec3> cloth, body;
  int cloth_points = 0;
  int unused = 0;  // explicit padding, since replays are compared byte by byte
  HD vec3 operator()(int p) const { return p < cloth_points ? cloth[p] : body[p - cloth_points]; }
};

/// How far apart pairs meet. Parts with a radius meet others at the sum of both radii, and bodies, which have
/// none, at their own; of a part without one half of the method's usual distance is the radius. A method asks
/// by how much that is beyond `onset`, the distance at which its contact would begin without any radius:
///
/// Two exceptions. What is near each other over one part meets as without a radius (see OwnRadii). And a
/// pair is asked for no more than `onset` beyond what it had when the step began, as where surfaces without
/// radius touch: parts that start too near, or that get a radius in a run, open step by step.
struct PartRadii {
  Span<const float> radius;          // m, per point, 0 where its part has none; empty: no part has one
  Span<const int> near_start, near;  // of each point, ascending: those near it over its part
  float usual = 0, onset = 0;        // m: where parts without radius meet; of the method; usual >= onset
  int cloth_points = 0;              // points from here on are of bodies
  int unused = 0;                    // explicit padding
  StepStart start = {};

  HD bool any() const { return !radius.empty(); }
  /// By how much (m) boxes around what a point belongs to are wider, so that all that it may meet is found.
  HD float width(int p) const {
    if (p >= cloth_points) return 0;
    return glm::max(radius[p] > 0 ? radius[p] - 0.5f * onset : usual - onset, 0.0f);
  }
  /// m beyond the onset where nothing else is known of both.
  HD float of_points(int a, int b) const {
    float meets = 0;
    if (a >= cloth_points || b >= cloth_points) {
      const int own = a < cloth_points ? a : b;
      meets = own < cloth_points && radius[own] > 0 ? radius[own] : usual;
    } else {
      meets = own_share(a) + own_share(b);
    }
    return glm::max(meets - onset, 0.0f);
  }
  /// Whether the sides of a pair are near each other over the part that both belong to.
  HD bool beside(const ivec4& points, bool vertex_triangle) const {
    const int second = vertex_triangle ? 1 : 2;
    for (int i = 0; i < second; ++i)
      for (int k = second; k < 4; ++k)
        if (are_near(points[i], points[k])) return true;
    return false;
  }
  /// m beyond the onset at which a pair meets, wherever it was when the step began.
  HD float beyond(const ivec4& points, bool vertex_triangle) const {
    if (!any()) return 0;
    const float most = of_points(points[0], points[vertex_triangle ? 1 : 2]);
    return most > 0 && beside(points, vertex_triangle) ? 0.0f : most;
  }
  /// The same of a pair by the weights of its closest points, those of its second side being negative; 0
  /// where there is no second side (points of -1).
  HD float beyond(const ivec4& points, const float (&weight)[4]) const {
    int first = -1, second = -1;
    for (int i = 0; any() && i < 4; ++i)
      for (int k = 0; k < 4; ++k) {
        if (points[i] < 0 || points[k] < 0 || !(weight[i] > 0) || !(weight[k] < 0)) continue;
        if (are_near(points[i], points[k])) return 0;
        first = points[i], second = points[k];
      }
    return first < 0 ? 0.0f : of_points(first, second);
  }
  /// The same of a vertex and a plane; `height`: above it when the step began, m.
  HD float above_plane(int v, float height) const {
    return any() ? glm::clamp(of_points(v, cloth_points), 0.0f, glm::max(height, 0.0f)) : 0.0f;
  }

 private:
  HD float own_share(int p) const { return radius[p] > 0 ? radius[p] : 0.5f * usual; }
  HD bool are_near(int a, int b) const {
    if (a >= cloth_points || b >= cloth_points) return false;
    int low = near_start[a], high = near_start[a + 1];
    while (low < high) {
      const int middle = (low + high) / 2;
      if (near[middle] < b) low = middle + 1;
      else high = middle;
    }
    return low < near_start[a + 1] && near[low] == b;
  }
};

/// What kernels have instead where no part has a radius: they are then those without radii.
struct NoPartRadii {};

}  // namespace weft
