#include "sim/run/ease.h"

#include "sim/run/ease_kernels.h"

namespace weft {
namespace {

bool is_mesh(const Obstacle& o) {
  return o.shape == ObstacleShape::mesh || o.shape == ObstacleShape::mannequin;
}

}  // namespace

Ease::Ease(Device& device, const Scene& scene, const std::vector<TriMesh>& meshes)
    : device_(device), scene_(scene), meshes_(meshes), bodies_(meshes.size()) {
  for (size_t i = 0; i < bodies_.size(); ++i) bodies_[i].shape = analytic_shape(scene.obstacles[i]);
}

/// The surface of a body where it is now.
SurfaceTree& Ease::placed(size_t index, const ObstacleView& view) {
  Body& body = bodies_[index];
  const TriMesh& mesh = meshes_[index];
  if (!body.surface)
    body.surface = std::make_unique<SurfaceTree>(device_, mesh, scene_.obstacles[index].name);
  const bool same = view.deformed ? body.at && *body.at == *view.deformed : !body.at;
  if (!same) body.surface->place(view.deformed ? *view.deformed : mesh.positions);
  body.at = view.deformed;
  return *body.surface;
}

Span<const float> Ease::measure(Span<const vec3> position, const std::vector<ObstacleView>& bodies) {
  if (bodies.empty()) return {};
  if (distance_.size() != position.size) distance_ = Buffer<float>(device_, "ease", position.size);
  launch(device_, "ease", position.size, ease::Clear{distance_.span()});
  for (const ObstacleView& view : bodies) {
    const size_t i = size_t(view.index);
    const ease::Frame frame{mat3(view.transform), vec3(view.transform[3])};
    if (view.deformed || is_mesh(scene_.obstacles[i]))
      launch(device_, "ease", position.size,
             ease::ToSurface{position, placed(i, view).view(), frame, distance_.span()});
    else
      launch(device_, "ease", position.size,
             ease::ToShape{position, bodies_[i].shape, frame, distance_.span()});
  }
  return distance_.span();
}

}  // namespace weft
