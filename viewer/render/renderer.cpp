#include "viewer/render/renderer.h"

#include <algorithm>

#include "viewer/gl/context.h"
#include "viewer/render/renderer_impl.h"

namespace weft {

Renderer::Renderer() : impl_(std::make_unique<Impl>()) {}
Renderer::~Renderer() = default;

void Renderer::set_scene(const SceneView& scene) { impl_->set_scene(scene); }
void Renderer::update(const Frame& frame) { impl_->update(frame); }
void Renderer::set_fabrics(const Scene& scene) { impl_->looks = looks_of(scene); }

void Renderer::draw(const CameraView& camera, const ViewSettings& settings, const Overlay& overlay) {
  if (camera.size.x < 1 || camera.size.y < 1) return;
  impl_->draw(camera, settings, overlay);
}

void Renderer::present(GLuint framebuffer, ivec2 at) const {
  if (impl_->picture) impl_->picture->copy_to(framebuffer, at);
}

const gl::Framebuffer* Renderer::picture() const { return impl_->picture ? &*impl_->picture : nullptr; }

Bounds Renderer::bounds() const { return impl_->scene_bounds(); }
Legend Renderer::legend() const { return impl_->legend; }

Quality Renderer::effective_quality(const ViewSettings& settings) const {
  if (settings.quality != int(Quality::automatic)) return Quality(settings.quality);
  return impl_->software ? Quality::low : Quality::high;
}

std::string Renderer::vertex_path() const { return impl_->stream ? impl_->stream->path() : "mapped memory"; }
std::string Renderer::why_not_shared() const {
  return impl_->stream ? impl_->stream->why_not : std::string();
}
std::string Renderer::renderer_name() const { return impl_->name; }

QualityPrograms::QualityPrograms(Quality quality) : cloth(quality) {
  if (quality == Quality::low) {
    body = gl::Program({"body.vert", "body.frag"}, {{"LOW", "1"}});
    ground = gl::Program({"ground.vert", "ground.frag"}, {{"LOW", "1"}, {"UNLIT", "1"}});
    shade = gl::Program({"shade.vert", "shade.frag"}, {{"LOW", "1"}});
  } else {
    body = gl::Program({"body.vert", "body.frag"});
    ground = gl::Program({"ground.vert", "ground.frag"});
  }
}

Renderer::Impl::Impl()
    : software(gl::is_software_renderer()),
      name(gl::renderer_name()),
      depth({"depth.vert", "depth.frag"}),
      ground_depth({"ground.vert", "depth.frag"}),
      backdrop({"backdrop.vert", "backdrop.frag"}),
      block_buffer(sizeof(FrameBlock)) {}

QualityPrograms& Renderer::Impl::programs(Quality quality) {
  std::unique_ptr<QualityPrograms>& slot = quality == Quality::low ? low : high;
  if (!slot) slot = std::make_unique<QualityPrograms>(quality);
  return *slot;
}

void Renderer::Impl::set_scene(const SceneView& scene) {
  model_id = scene.model_id;
  mesh.emplace(scene);
  looks = looks_of(scene.scene);
  bodies = DrawnBodies(scene);
  stream.reset();
  cloth_bounds = Bounds{};
  handles.clear();
  pinned.clear();
  overlays.set_pairs({});
  overlays.set_samples({});
  fitted.reset();
  scalars.clear();
  field = "none";
  ground_height = scene.scene.contact.ground_height;
}

void Renderer::Impl::update(const Frame& frame) {
  if (!mesh || frame.model_id != model_id || frame.vertex_count != mesh->vertex_count) return;
  const bool on_device = frame.device_positions != nullptr;
  if (!stream || on_device != stream_on_device || !stream->update(frame)) {
    std::unique_ptr<VertexStream> made = make_vertex_stream(frame);
    if (!made) return;
    stream = std::move(made);
    stream_on_device = on_device;
  }
  connect_stream();
  bodies.update(frame.obstacles);
  bodies.reshape(frame.obstacle_positions);
  handles = frame.handles;
  pinned.clear();
  for (const int v : frame.pinned)
    if (size_t(v) >= mesh->root.size() || !mesh->root[size_t(v)]) pinned.push_back(v);
  overlays.set_pairs(frame.contact_pairs);
  overlays.set_samples(frame.active_samples);
  ground_height = frame.ground_height;
  field = frame.field;
  if (!frame.positions.empty()) cloth_bounds = bounds_of(frame.positions);
  scalars = frame.scalar;
}

Bounds Renderer::Impl::scene_bounds() const {
  Bounds bounds = cloth_bounds;
  for (const DrawnBodies::Body& b : bodies.all) {
    if (b.is_plane || b.bounds.empty()) continue;
    for (int corner = 0; corner < 8; ++corner) {
      const vec3 p(corner & 1 ? b.bounds.max.x : b.bounds.min.x, corner & 2 ? b.bounds.max.y : b.bounds.min.y,
                   corner & 4 ? b.bounds.max.z : b.bounds.min.z);
      bounds.add(vec3(b.transform * vec4(p, 1)));
    }
  }
  return bounds;
}

void Renderer::Impl::connect_stream() {
  vertices.attribute(0, 3, stream->positions.buffer, stream->positions.offset, sizeof(vec3));
  vertices.attribute(1, 3, stream->normals.buffer, stream->normals.offset, sizeof(vec3));
  vertices.attribute(3, 1, mesh->hem.id(), 0, sizeof(float));
  vertices.attribute(4, 1, stream->scalars.buffer, stream->scalars.offset, sizeof(float));
  vertices.indices(mesh->triangles);
  drawn.whole_numbers(0, mesh->drawn_of.id());
  drawn.attribute(2, 2, mesh->uv.id(), 0, sizeof(vec2));
  drawn.attribute(3, 1, mesh->drawn_hem.id(), 0, sizeof(float));
  drawn.indices(mesh->drawn_triangles);
}

void Renderer::Impl::make_targets(ivec2 size, int samples) {
  if (!resolved || resolved->size() != size) {
    picture.reset();
    resolved.emplace(size, GL_SRGB8_ALPHA8, GL_DEPTH_COMPONENT24);
    // Copies and read-back use the stored sRGB numbers; with a view as plain RGBA drivers convert nothing.
    picture.emplace(*resolved, GL_RGBA8);
  }
  if (samples <= 1) {
    samples_target.reset();
  } else if (!samples_target || samples_target->size() != size || samples_asked != samples) {
    // stores the request: a driver with fewer samples must not cause a new target for every picture
    samples_asked = samples;
    samples_target.emplace(size, GL_SRGB8_ALPHA8, GL_DEPTH_COMPONENT24, samples);
  }
}

}  // namespace weft
