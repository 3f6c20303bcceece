// Distance field of a mesh whose vertices move, rebuilt on the device for every pose.
#pragma once
#include <string>
#include <vector>

#include "sim/device/buffer.h"
#include "sim/geometry/moving_sdf_kernels.h"
#include "sim/mesh/mesh.h"

namespace weft {

/// Data shared by all poses of a mesh.
class MovingMesh {
 public:
  /// Throws Error for a mesh without triangles.
  MovingMesh(Device& device, const TriMesh& mesh, const std::string& name);
  int vertex_count() const { return vertices_; }
  int triangle_count() const { return triangles_.size(); }
  bool closed() const { return closed_; }
  Span<const ivec3> triangles() const { return triangles_.span(); }
  /// Triangles with their pseudonormals, and balls around them, of the vertices at `position` (device memory,
  /// m). `vertex_normal`: room for one normal per vertex. Queues work only.
  void faces(Device& device, Span<const vec3> position, Span<SdfTriangle> triangles, Span<vec4> balls,
             Span<vec3> vertex_normal) const;

 private:
  int vertices_ = 0;
  bool closed_ = true;
  Buffer<ivec3> triangles_;
  Buffer<int> across_, corner_start_, corner_;
};

/// The field of one pose. Cells are one mean edge wide, or wider for thick cloth; distances up to a cell from
/// the surface are exact, beyond that the field holds lower bounds with the right sign, which grow with the
/// distance. 5,000 triangles take about 3 ms on two CPU cores.
class MovingSdf {
 public:
  MovingSdf(Device& device, const MovingMesh& mesh);
  /// Builds the field of `position` (device memory, one per vertex); the host passes its bounds and mean edge
  /// (m). Queues work only; lists that are too short raise `overflow`. `offset`: thickness of contact layers
  /// in which the field must be exact (m).
  void build(Span<const vec3> position, const Bounds& bounds, float mean_edge, Span<int> overflow,
             float offset = 0);
  /// Reserves `pairs` list entries.
  void make_room(int pairs);
  int room() const { return key_.size(); }
  BodyShape shape() const;
  float cell() const { return place_.cell; }
  void swap(MovingSdf& other);

 private:
  Device& device_;
  const MovingMesh& mesh_;
  moving_sdf::Place place_;
  Buffer<SdfTriangle> faces_;
  Buffer<vec4> ball_;
  Buffer<vec3> vertex_normal_;
  Buffer<int> count_, first_, triangle_, start_;
  Buffer<uint32_t> key_;
  Buffer<float> distance_;
};

}  // namespace weft
