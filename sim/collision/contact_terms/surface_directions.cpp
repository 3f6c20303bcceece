#include "sim/collision/contact_terms/surface_directions.h"

#include "sim/device/launch.h"

namespace weft {

SurfaceDirections::SurfaceDirections(Device& device, const ContactSurface& surface)
    : device_(device),
      surface_(surface),
      face_normal_(device, "surface normals", surface.points()),
      normal_(device, "surface normals", surface.points()) {}

contact::PairDirections SurfaceDirections::find(Span<const vec3> x, bool segments) {
  const ContactSurface& s = surface_;
  if (segments) return {normal_, s.neighbors(), s.triangles(), x, s.cloth_points(), true};
  launch(device_, "surface normals", s.points(),
         contact::SmoothNormals{s.triangles(), s.corner_start(), s.corners(), x, face_normal_});
  const SurfaceNeighbors next = s.neighbors();
  launch(device_, "surface normals", s.points(),
         contact::MeanNormals{next.ring_start, next.ring, face_normal_, normal_});
  return {normal_, next, s.triangles(), x, s.cloth_points()};
}

}  // namespace weft
