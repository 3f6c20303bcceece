// A body whose vertices move by script: its distance fields at the start and the end of a step.
#pragma once
#include <memory>
#include <vector>

#include "sim/geometry/moving_sdf.h"
#include "sim/scene/model/deformation.h"

namespace weft {

/// Bounds of a few neighbouring triangles, m.
struct SurfaceBox {
  vec3 low{0}, high{0};
  HD float distance(const vec3& p) const {
    const vec3 out = glm::max(glm::max(low - p, p - high), vec3(0));
    return sqrtf(glm::dot(out, out));
  }
};

/// The body in world space on the device.
struct DeformingView {
  BodyShape at_start;  // field at the start of the step; the one at its end is BodiesView::shape
  Span<const ivec3> triangles;
  Span<const vec3> start, end;   // vertices
  Span<const SurfaceBox> boxes;  // boxes of all triangles at the end of the step
  /// Motion in this step of the surface nearest to a world point; 0 if none is near.
  HD vec3 carried(const vec3& p) const {
    const ClosestOnMesh q = at_start.closest(p);
    if (q.triangle < 0) return vec3(0);
    const ivec3 t = triangles[q.triangle];
    vec3 sum(0);
    for (int k = 0; k < 3; ++k) sum += q.point.barycentric[k] * (end[t[k]] - start[t[k]]);
    return sum;
  }
};

/// Boxes of groups of neighbouring triangles.
class TriangleGroups {
 public:
  TriangleGroups(Device& device, const std::vector<ivec3>& triangles, const std::vector<vec3>& positions);
  /// Boxes at positions of the same vertices, m.
  void bound(const std::vector<vec3>& positions);
  Span<const SurfaceBox> boxes() const { return boxes_.span(); }

 private:
  std::vector<int> start_, vertex_;  // vertices of each group
  Buffer<SurfaceBox> boxes_;
};

class DeformingBody {
 public:
  DeformingBody(Device& device, const Obstacle& obstacle, std::unique_ptr<Deformation> deformation,
                const TriMesh& mesh);
  /// Fields of the poses at `time` and `time + dt`. The start is not rebuilt if it was the end of the step
  /// before. `offset`: thickness of the contact layers (m). `fields`: false makes positions and boxes only.
  void set_step(const Obstacle& obstacle, double time, float dt, Span<int> overflow, float offset = 0,
                bool fields = true);
  /// Number of parts into which a step must be divided so that nothing moves further in one than the fields
  /// can follow: half a cell. At most `kMostParts`. `jump`: motion of a vertex in the whole step, m. `reach`:
  /// bounds of both poses.
  int parts(const Obstacle& obstacle, double time, float dt, float& jump, Bounds& reach) const;
  static constexpr int kMostParts = 64;
  /// Largest motion of a vertex in the step of the last set_step, m.
  float way() const;
  /// Reserves this many list entries; the fields are then rebuilt.
  void make_room(int pairs);
  DeformingView view() const;
  BodyShape shape() const { return fields_ ? end_field_.shape() : BodyShape::nowhere(); }
  bool closed() const { return mesh_.closed(); }
  float limit() const { return 0.5f * end_field_.cell(); }
  /// World positions at the end of the last set_step.
  const std::vector<vec3>& positions() const { return end_; }
  /// And at its start.
  const std::vector<vec3>& start_positions() const { return start_; }
  /// Host-side exact distance at the end of the last set_step, by all triangles; the sign is that of the
  /// winding number.
  float distance(const vec3& p) const;
  /// World positions at any time by the body's own script.
  std::vector<vec3> world(const Obstacle& obstacle, double time) const;
  void own_positions(double time, std::vector<vec3>& out) const { deformation_->positions(time, out); }
  /// See Deformation::given.
  GivenPoses* given() const { return deformation_->given(); }
  /// See Deformation::part_of.
  BodyPart part_of(int vertex) const { return deformation_->part_of(vertex); }

 private:
  float mean_edge(const std::vector<vec3>& positions) const;

  std::unique_ptr<Deformation> deformation_;
  std::vector<ivec3> host_triangles_;
  MovingMesh mesh_;
  MovingSdf start_field_, end_field_;
  std::vector<vec3> start_, end_;
  Buffer<vec3> start_positions_, end_positions_;
  TriangleGroups groups_;
  float cell_edge_ = 0;  // mean edge at time 0, m
  float offset_ = 0;     // offset for which the fields were made, m
  double end_time_ = -1;
  bool fields_ = true;
  bool rests_ = false;  // start and end are the same pose, in the end's field
};

}  // namespace weft
