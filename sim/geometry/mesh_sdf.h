// Builds the signed distance field of a triangle mesh.
#pragma once
#include <string>
#include <vector>

#include "sim/device/buffer.h"
#include "sim/geometry/signed_distance.h"
#include "sim/mesh/mesh.h"

namespace weft {

/// The smallest cells of a field for contact layers of `offset` m, so that distances below one cell are
/// exact. Rounded up to whole millimetres, so that dragging the thickness slider makes few new fields.
float least_cell(float offset);

/// A field on the host, for queries there and as the source of a device copy.
struct HostSdf {
  SdfGrid grid;  // pointers into the vectors below are set by `view`
  std::vector<float> center_distance;
  std::vector<int> start, entry;
  std::vector<SdfTriangle> triangles;
  std::vector<vec4> spheres;
  bool closed = true;
  SdfGrid view() const;
};

/// Cells are half a mean edge wide, or wider so that there are at most `max_cells`. Closed meshes have an
/// inside everywhere; an open one is a shell whose inside is known only next to its surface. Throws Error for
/// a mesh without area. `offset`: thickness of contact layers in which the field must be exact (m).
HostSdf build_sdf(const TriMesh& mesh, const std::string& name, float offset = 0, int max_cells = 2'000'000);

/// The field in the memory of a device.
class MeshSdf {
 public:
  MeshSdf(Device& device, const TriMesh& mesh, const std::string& name, float offset = 0);
  BodyShape device_shape() const;
  BodyShape host_shape() const { return {BodyKind::mesh, vec3(0), host_.view(), host_.closed ? 0 : 1}; }
  bool closed() const { return host_.closed; }

 private:
  HostSdf host_;
  Buffer<float> center_distance_;
  Buffer<int> start_, entry_;
  Buffer<SdfTriangle> triangles_;
  Buffer<vec4> spheres_;
};

}  // namespace weft
