// One picture: shadow map, ambient occlusion, the scene, overlays.
#include <algorithm>
#include <cstring>

#include "viewer/render/renderer_impl.h"

namespace weft {

float Renderer::Impl::floor_height() const { return bodies.floor().value_or(ground_height); }

void Renderer::Impl::describe(const CameraView& camera, const ViewSettings& settings, Quality quality) {
  block.view_projection = camera.view_projection();
  block.view = camera.view;
  block.eye = vec4(camera.eye, 1);
  block.background = vec4(to_linear(settings.background), 1);
  // The floor is large enough to fade before its edge, for any target.
  const float reach = std::max(6.0f, 3.5f * glm::length(camera.eye - camera.target));
  block.ground = vec4(camera.target.x, floor_height(), camera.target.z, reach);
  block.picture = vec4(camera.size, 1.0f / vec2(camera.size));
  const bool occluded = settings.ambient_occlusion;
  const float weave = settings.shading == int(Shading::fabric) ? settings.weave : 0.0f;
  block.tone = vec4(std::exp2(settings.exposure), occluded ? 1 : 0, weave, camera.pixel_size(1));
  block.lens = vec4(camera.projection[0][0], camera.projection[1][1], camera.projection[2][2],
                    camera.projection[3][2]);
  light.describe(block, settings.shadows, quality == Quality::low ? 0.0f : settings.shadow_softness);
  sky.describe(block, settings);
  sky.bind(5);
  block_buffer.write(&block, sizeof block);
  glBindBufferBase(GL_UNIFORM_BUFFER, 0, block_buffer.id());
}

float Renderer::Impl::scale_top(const ViewSettings& settings, const VertexField& quantity) {
  if (fitted_for != field) fitted.reset(), fitted_for = field;
  if (settings.colour_max > 0) return settings.colour_max;
  if (const float top = fixed_top(quantity.name); settings.colour_fixed && top > 0) return top;
  const float top = percentile_above(scalars, quantity.offset, settings.colour_percentile);
  return fitted.update(std::max(0.0f, (top - quantity.offset) * quantity.factor));
}

ColouringRange Renderer::Impl::colouring(const ViewSettings& settings) {
  legend = Legend{};
  legend_painter.use(ColorMap(settings.colour_map));
  if (settings.needed_field() == ViewSettings::kExceptions && settings.colouring == 0) {
    const bool any = std::any_of(scalars.begin(), scalars.end(), [](float v) { return v > 0; });
    if (field != ViewSettings::kExceptions || !any) return {};
    legend.visible = settings.legend, legend.title = "Bodies leave this cloth no room";
    legend.classes = {"let through by them"}, legend.first_class = kMarkClass;
    return {.marks = true};
  }
  // Until the simulator sends the requested quantity, the cloth keeps its own colours.
  if (settings.colouring == 0 || vertex_field(field) != settings.colouring) return {};
  const VertexField& quantity = vertex_fields()[size_t(settings.colouring)];
  legend.title = quantity.label;
  if (scalars.empty()) {
    legend.visible = settings.legend && !quantity.missing.empty(), legend.note = quantity.missing;
    return {};
  }
  legend.visible = settings.legend;
  if (!quantity.classes.empty()) {  // each has an equal part of the scale, its scalar in the middle
    legend.classes = quantity.classes;
    return {true, -0.5f, float(kClasses)};
  }
  const float top = scale_top(settings, quantity), range = top / quantity.factor;
  const float largest = *std::max_element(scalars.begin(), scalars.end());
  legend.unit = quantity.unit, legend.max = top;
  legend.exceeded = largest > quantity.offset + 1.0001f * range;
  return {true, quantity.offset, range};
}

void Renderer::Impl::draw_depth(const mat4& transform, const vec4& viewpoint, const ViewSettings& settings,
                                ClothPainter& cloth) {
  if (stream) cloth.draw_strand_depth(*mesh, looks, *stream, transform);
  depth.use();
  depth.set("transform", transform);
  depth.set("place", mat4(1));
  depth.set("viewpoint", viewpoint);
  depth.set("behind", 0.0f);
  if (stream) {
    vertices.bind();
    glDrawElements(GL_TRIANGLES, 3 * GLsizei(mesh->host_triangles.size()), GL_UNSIGNED_INT, nullptr);
  }
  if (!settings.obstacles) return;
  for (const DrawnBodies::Body& b : bodies.all) {
    if (b.is_plane) continue;
    depth.set("place", b.transform);
    depth.set("behind", depth_behind_cloth(b.bounds, mesh ? mesh->mean_edge : 0));
    b.vertices.bind();
    glDrawArrays(GL_TRIANGLES, 0, b.count);
  }
}

void Renderer::Impl::draw_bodies(const ViewSettings& settings, const gl::Program& program) {
  if (!settings.obstacles) return;
  program.use();
  for (const DrawnBodies::Body& b : bodies.all) {
    if (!bodies.drawn(b)) continue;
    program.set("transform", b.transform);
    program.set("color", b.color);
    program.set("inset", b.inset);
    program.set("behind", depth_behind_cloth(b.bounds, mesh ? mesh->mean_edge : 0));
    b.vertices.bind();
    glDrawArrays(GL_TRIANGLES, 0, b.count);
  }
}

void Renderer::Impl::draw_floor(const gl::Program& program) {
  // From below the floor is not there, as a window into the scene.
  glEnable(GL_CULL_FACE);
  glCullFace(GL_BACK);
  none.bind();
  program.use();
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  glDisable(GL_CULL_FACE);
}

float Renderer::Impl::edge_pixels(const CameraView& camera) const {
  const vec3 nearest = glm::clamp(camera.eye, cloth_bounds.min, cloth_bounds.max);
  const float distance =
      std::max(glm::distance(camera.eye, cloth_bounds.empty() ? camera.target : nearest), camera.near);
  return mesh->mean_edge / camera.pixel_size(distance);
}

void Renderer::Impl::draw_scene(const CameraView& camera, const ViewSettings& settings, bool studio) {
  QualityPrograms& shaders = programs(Quality::high);
  glClearColor(0, 0, 0, 0);
  glClear(GL_DEPTH_BUFFER_BIT | (studio ? 0 : GL_COLOR_BUFFER_BIT));
  light.bind();
  occlusion.bind(!settings.ambient_occlusion);
  const ColouringRange colours = colouring(settings);
  (legend.classes.empty() ? legend_painter.scale() : legend_painter.classes()).bind(3);
  if (stream)
    shaders.cloth.draw(*mesh, looks, *stream, {vertices, drawn}, settings, colours, edge_pixels(camera));
  draw_bodies(settings, shaders.body);
  if (settings.ground && studio) draw_floor(shaders.ground);
  none.bind();
  backdrop.use();
  if (studio) glDrawArrays(GL_TRIANGLES, 0, 3);
  light.unbind();
}

void Renderer::Impl::copy_studio(const CameraView& camera, const ViewSettings& settings,
                                 const gl::Framebuffer& target) {
  // All inputs of floor and far wall; the light's matrix is not one.
  FrameBlock key = block;
  key.light_matrix = mat4(1);
  key.shadow = vec4(settings.ground);
  const bool fresh =
      studio && studio->size() == camera.size && std::memcmp(&key, &studio_block, sizeof key) == 0;
  if (!fresh) {
    if (!studio || studio->size() != camera.size) studio.emplace(camera.size, GL_SRGB8_ALPHA8, 0);
    studio->bind();
    glDisable(GL_DEPTH_TEST);
    none.bind();
    backdrop.use();
    glDrawArrays(GL_TRIANGLES, 0, 3);
    if (settings.ground) draw_floor(programs(Quality::low).ground);
    glEnable(GL_DEPTH_TEST);
    studio_block = key;
  }
  glDisable(GL_FRAMEBUFFER_SRGB);
  glCopyImageSubData(studio->color().id(), GL_TEXTURE_2D, 0, 0, 0, 0, target.color().id(), GL_TEXTURE_2D, 0,
                     0, 0, 0, camera.size.x, camera.size.y, 1);
  glEnable(GL_FRAMEBUFFER_SRGB);
}

/// The copied floor has no depth, and would not hide what of walls is below it.
void Renderer::Impl::draw_floor_depth() {
  const auto is_wall = [this](const DrawnBodies::Body& b) { return b.is_plane && bodies.drawn(b); };
  if (std::none_of(bodies.all.begin(), bodies.all.end(), is_wall)) return;
  glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(1, 4);  // behind the shadows on it
  draw_floor(ground_depth);
  glDisable(GL_POLYGON_OFFSET_FILL);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

void Renderer::Impl::draw_scene_cheaply(const CameraView& camera, const ViewSettings& settings, bool studio) {
  QualityPrograms& shaders = programs(Quality::low);
  if (studio) copy_studio(camera, settings, *resolved);
  resolved->bind();
  glClearColor(0, 0, 0, 0);
  glClear(GL_DEPTH_BUFFER_BIT | (studio ? 0 : GL_COLOR_BUFFER_BIT));
  light.bind();
  const ColouringRange colours = colouring(settings);
  (legend.classes.empty() ? legend_painter.scale() : legend_painter.classes()).bind(3);
  if (stream)
    shaders.cloth.draw(*mesh, looks, *stream, {vertices, drawn}, settings, colours, edge_pixels(camera));
  if (studio && settings.ground && settings.obstacles) draw_floor_depth();
  draw_bodies(settings, shaders.body);
  const Bounds casters = settings.obstacles ? scene_bounds() : cloth_bounds;
  if (studio && settings.ground && settings.shadows && !casters.empty()) {
    glEnable(GL_BLEND);
    glBlendFunc(GL_ZERO, GL_SRC_COLOR);
    shaders.shade.set("area", light.shadow_on_floor(casters, floor_height()));
    draw_floor(shaders.shade);
    glDisable(GL_BLEND);
  }
  light.unbind();
}

void Renderer::Impl::draw_overlays(const CameraView& camera, const ViewSettings& settings,
                                   const Overlay& overlay) {
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glDepthMask(GL_FALSE);
  const float scale = std::max(1.0f, float(camera.size.y) / 720);
  if (stream) {
    if (settings.wireframe) overlays.wireframe(*mesh, vertices, true);
    overlays.triangle(*mesh, vertices, overlay.hovered_triangle);
    if (settings.contact_points && field == "contact") overlays.contacts(*mesh, vertices, 1e-9f, 6 * scale);
    if (settings.contact_pairs) overlays.pairs(scale);
    if (settings.active_samples) overlays.samples(*mesh, stream->positions, scale);
    // many at once leave each other room
    const float largest = pinned.size() > 40 ? std::clamp(edge_pixels(camera) / scale, 3.5f, 11.0f) : 11.0f;
    if (settings.pins) overlays.pins(*mesh, vertices, pinned, largest * scale);
  }
  std::vector<ShownHandle> shown;
  if (overlay.handles) shown = *overlay.handles;
  else
    for (const HandleView& h : handles) shown.push_back({h, h.target});
  if (!settings.handles) shown.clear();
  overlays.marks(camera, shown, overlay);
  glDisable(GL_DEPTH_TEST);
  legend_painter.draw(legend, camera.size);
  glEnable(GL_DEPTH_TEST);
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
}

void Renderer::Impl::draw(const CameraView& camera, const ViewSettings& settings, const Overlay& overlay) {
  Quality quality = Quality(settings.quality);
  if (quality == Quality::automatic) quality = software ? Quality::low : Quality::high;
  const bool is_low = quality == Quality::low;
  make_targets(camera.size, is_low ? 0 : settings.msaa);

  glDisable(GL_BLEND);
  glDisable(GL_CULL_FACE);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LEQUAL);
  glDepthMask(GL_TRUE);
  if (settings.shadows) {
    light.fit(settings.obstacles ? scene_bounds() : cloth_bounds, is_low ? 1024 : 2048);
    light.begin();
    const mat4& l = light.matrix();  // parallel light: depth grows along it
    const vec3 along = glm::normalize(vec3(l[0][2], l[1][2], l[2][2]));
    draw_depth(l, vec4(along, 0), settings, programs(quality).cloth);
    light.end();
  }
  describe(camera, settings, quality);
  if (settings.ambient_occlusion && !is_low) {
    occlusion.begin(camera.size);
    draw_depth(block.view_projection, block.eye, settings, programs(quality).cloth);
    if (settings.ground) draw_floor(ground_depth);
    occlusion.compute();
  }
  glEnable(GL_FRAMEBUFFER_SRGB);
  if (is_low) {
    draw_scene_cheaply(camera, settings, !overlay.transparent);
    if (settings.msaa > 1) {
      if (!edges) edges.emplace();
      edges->apply(*resolved);
    }
  } else {
    (samples_target ? *samples_target : *resolved).bind();
    draw_scene(camera, settings, !overlay.transparent);
  }
  draw_overlays(camera, settings, overlay);
  glDisable(GL_FRAMEBUFFER_SRGB);
  if (stream) stream->drawn();
  if (samples_target) samples_target->resolve_to(*resolved);
  glDisable(GL_DEPTH_TEST);
  glUseProgram(0);
  glBindVertexArray(0);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

}  // namespace weft
