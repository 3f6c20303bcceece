#include "viewer/render/light.h"

namespace weft {
namespace {

const vec3 kTowardsLight = glm::normalize(vec3(-0.50f, 0.92f, 0.62f));
// tangent of the angular radius of the softbox seen from the scene, about 3 degrees
constexpr float kTangentOfRadius = 0.05f;

}  // namespace

KeyLight::KeyLight()
    : map_(ivec2(1), 0, GL_DEPTH_COMPONENT24), compared_(GL_LINEAR, true), plain_(GL_NEAREST, false) {}

void KeyLight::fit(const Bounds& casters, int texels) {
  if (map_.size().x != texels) map_ = gl::Framebuffer(ivec2(texels), 0, GL_DEPTH_COMPONENT24);
  const vec3 side = glm::normalize(glm::cross(vec3(0, 1, 0), kTowardsLight)),
             up = glm::cross(kTowardsLight, side);
  const vec3 center = casters.empty() ? vec3(0) : casters.center();
  const float needed = 0.5f * std::max(casters.diagonal(), 0.1f) + 0.02f;
  // Grow by quarters of the size, shrink only when half would do.
  if (needed > radius_ || needed < 0.5f * radius_) radius_ = 1.25f * needed;
  const float texel = 2 * radius_ / float(texels);
  const float x = std::floor(glm::dot(center, side) / texel) * texel,
              y = std::floor(glm::dot(center, up) / texel) * texel;
  const float z = glm::dot(center, kTowardsLight);
  depth_ = 2 * radius_;
  mat4 view(1);
  for (int k = 0; k < 3; ++k) view[k] = vec4(side[k], up[k], kTowardsLight[k], 0);
  view[3] = vec4(-x, -y, -z, 1);
  matrix_ = glm::ortho(-radius_, radius_, -radius_, radius_, -radius_, radius_) * view;
}

vec4 KeyLight::shadow_on_floor(const Bounds& casters, float height) {
  Bounds area;
  for (int corner = 0; corner < 8; ++corner) {
    const vec3 p(corner & 1 ? casters.max.x : casters.min.x, corner & 2 ? casters.max.y : casters.min.y,
                 corner & 4 ? casters.max.z : casters.min.z);
    const float drop = std::max(0.0f, p.y - height) / kTowardsLight.y;
    area.add(p - drop * kTowardsLight);
  }
  const float margin = 0.03f;  // m, for the penumbra
  return {area.min.x - margin, area.min.z - margin, area.max.x + margin, area.max.z + margin};
}

void KeyLight::begin() const {
  map_.bind();
  glClear(GL_DEPTH_BUFFER_BIT);
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(1.5f, 2);
}

void KeyLight::end() const { glDisable(GL_POLYGON_OFFSET_FILL); }

void KeyLight::bind() const {
  map_.depth().bind(0);
  map_.depth().bind(1);
  compared_.bind(0);
  plain_.bind(1);
}

void KeyLight::unbind() const {
  glBindSampler(0, 0);
  glBindSampler(1, 0);
}

void KeyLight::describe(FrameBlock& block, bool enabled, float softness) const {
  const mat4 to_texture = glm::translate(mat4(1), vec3(0.5f)) * glm::scale(mat4(1), vec3(0.5f));
  block.light_matrix = to_texture * matrix_;
  block.light_direction = vec4(kTowardsLight, kTangentOfRadius * softness);
  block.shadow = vec4(1.0f / float(map_.size().x), 2 * radius_, depth_, enabled ? 1 : 0);
}

}  // namespace weft
