// Inside the renderer.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "viewer/render/bodies.h"
#include "viewer/render/cloth_painter.h"
#include "viewer/render/color_scale.h"
#include "viewer/render/edge_smoothing.h"
#include "viewer/render/legend_painter.h"
#include "viewer/render/light.h"
#include "viewer/render/occlusion.h"
#include "viewer/render/overlay_painter.h"
#include "viewer/render/renderer.h"
#include "viewer/render/sky_light.h"
#include "viewer/render/vertex_stream.h"

namespace weft {

/// The shaders of one quality.
struct QualityPrograms {
  explicit QualityPrograms(Quality quality);
  ClothPainter cloth;
  gl::Program body, ground;
  gl::Program shade;  // low quality only: shadows on a floor that is drawn already
};

struct Renderer::Impl {
  Impl();

  void set_scene(const SceneView& scene);
  void update(const Frame& frame);
  void draw(const CameraView& camera, const ViewSettings& settings, const Overlay& overlay);

  QualityPrograms& programs(Quality quality);
  void make_targets(ivec2 size, int samples);
  void connect_stream();
  Bounds scene_bounds() const;
  float floor_height() const;
  void describe(const CameraView& camera, const ViewSettings& settings, Quality quality);
  ColouringRange colouring(const ViewSettings& settings);
  /// Upper end of the scale for a quantity, in its unit.
  float scale_top(const ViewSettings& settings, const VertexField& quantity);
  /// `viewpoint`: the camera's place and 1, or the direction of parallel light and 0.
  void draw_depth(const mat4& transform, const vec4& viewpoint, const ViewSettings& settings,
                  ClothPainter& cloth);
  void draw_bodies(const ViewSettings& settings, const gl::Program& program);
  /// `studio`: with floor and far wall.
  void draw_scene(const CameraView& camera, const ViewSettings& settings, bool studio);
  void draw_scene_cheaply(const CameraView& camera, const ViewSettings& settings, bool studio);
  void draw_floor(const gl::Program& program);
  void draw_floor_depth();
  void copy_studio(const CameraView& camera, const ViewSettings& settings, const gl::Framebuffer& target);
  float edge_pixels(const CameraView& camera) const;
  void draw_overlays(const CameraView& camera, const ViewSettings& settings, const Overlay& overlay);

  bool software;
  std::string name;
  uint64_t model_id = 0;
  std::optional<ClothMesh> mesh;
  std::vector<ClothLooks> looks;
  DrawnBodies bodies;
  std::unique_ptr<VertexStream> stream;
  bool stream_on_device = false;  // its frames come from a CUDA device
  gl::VertexArray vertices, none;
  gl::VertexArray drawn;  // of DrawnVertices
  Bounds cloth_bounds;
  float ground_height = 0;     // m
  std::vector<float> scalars;  // of the last frame; empty: none
  std::string field = "none";  // of the scalars
  std::vector<HandleView> handles;
  std::vector<int> pinned;

  std::unique_ptr<QualityPrograms> low, high;
  gl::Program depth, ground_depth, backdrop;
  KeyLight light;
  SkyLight sky;
  Occlusion occlusion;
  std::optional<EdgeSmoothing> edges;  // low quality
  OverlayPainter overlays;
  LegendPainter legend_painter;
  gl::Buffer block_buffer;
  FrameBlock block;
  std::optional<gl::Framebuffer> samples_target, resolved, picture;
  int samples_asked = 0;                  // requested samples of `samples_target`
  std::optional<gl::Framebuffer> studio;  // floor and far wall without shadows, for `studio_block`
  FrameBlock studio_block;
  FittedRange fitted;
  std::string fitted_for;  // field
  Legend legend;
};

}  // namespace weft
