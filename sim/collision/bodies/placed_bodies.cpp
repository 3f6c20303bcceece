#include "sim/collision/bodies/placed_bodies.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/error.h"

namespace weft {
namespace {

void set_time(GrowingLists& lists, Bodies& bodies, const Scene& scene, double time) {
  const float dt = scene.step.dt;
  do bodies.set_step(scene, time - double(dt), dt);
  while (!lists.fit());
}

/// An obstacle that stands still with its vertices at these places.
Obstacle standing(Obstacle o, const std::vector<vec3>& positions) {
  o.placement = {};
  o.motion = {};
  o.frames = std::make_shared<const std::vector<std::vector<vec3>>>(1, positions);
  return o;
}

}  // namespace

PlacedBodies::PlacedBodies(Device& device, const Scene& scene)
    : lists_(device), scene_(scene), scripted_(lists_, scene_, notices_) {}

BodiesView PlacedBodies::at(double time, const BodyPlaces& places) {
  if (std::none_of(places.begin(), places.end(), [](const auto& p) { return p != nullptr; })) {
    placed_.reset();
    set_time(lists_, scripted_, scene_, time);
    return scripted_.view();
  }
  Scene scene = scene_;
  for (size_t i = 0; i < places.size() && i < scene.obstacles.size(); ++i) {
    if (!places[i]) continue;
    if (const size_t vertices = scripted_.meshes()[i].positions.size(); places[i]->size() != vertices)
      throw Error(
          fmt::format("{} positions do not fit an obstacle of {} vertices", places[i]->size(), vertices),
          "obstacle " + scene.obstacles[i].name, "give positions of the same mesh");
    scene.obstacles[i] = standing(scene.obstacles[i], *places[i]);
  }
  placed_ = std::make_unique<Bodies>(lists_, scene, notices_);
  set_time(lists_, *placed_, scene, time);
  return placed_->view();
}

BodyPlaces PlacedBodies::lagging(double time, const BodyPlaces& all, float most) {
  set_time(lists_, scripted_, scene_, time);
  BodyPlaces out(scene_.obstacles.size());
  for (size_t i = 0; i < out.size() && i < all.size(); ++i) {
    if (!all[i]) continue;
    const auto deformed = scripted_.deformed(int(i));
    const std::vector<vec3>& rest = scripted_.meshes()[i].positions;
    const mat4 placed = Bodies::transform(scene_.obstacles[i], time);
    float farthest = 0;
    for (size_t v = 0; v < all[i]->size() && v < rest.size(); ++v) {
      const vec3 script = deformed ? (*deformed)[v] : vec3(placed * vec4(rest[v], 1));
      farthest = std::max(farthest, glm::length((*all[i])[v] - script));
    }
    if (farthest > most && all[i]->size() == rest.size()) out[i] = all[i];
  }
  return out;
}

}  // namespace weft
