// The picture of a running scene.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/run/runner.h"
#include "viewer/gl/framebuffer.h"
#include "viewer/interact/camera.h"
#include "viewer/interact/shown_handle.h"
#include "viewer/render/view_settings.h"

namespace weft {

/// A circle on the cloth: the reach of the brush.
struct BrushCircle {
  vec3 center{0}, normal{0, 0, 1};  // world space
  float radius = 0.05f;             // m
};

/// A line in world space, m; sRGB.
struct MarkedLine {
  vec3 a{0}, b{0}, color{1};
  bool operator==(const MarkedLine&) const = default;
};

/// Overlays for the user. Pins come with the Frame.
struct Overlay {
  std::optional<std::vector<ShownHandle>> handles;  // in place of the Frame's
  int hovered_triangle = -1;                        // index into SceneView::triangles
  std::optional<vec3> hovered_point;
  std::optional<BrushCircle> brush;
  std::vector<MarkedLine> lines = {};  // on the cloth: the outline of a selected panel
  float force_limit = 4;               // N: upper end of the colour range of handles
  bool transparent = false;  // without floor and far wall: alpha is 1 on cloth and bodies, 0 beside them
};

/// Scale of the colours that the last picture shows.
struct Legend {
  bool visible = false;
  std::string title, unit;
  float min = 0, max = 1;
  std::vector<std::string> classes;  // flat colours with these names instead of a scale
  std::string note;                  // in place of colours
  bool exceeded = false;             // values above `max` occur
  int first_class = 0;               // the colour of classes[0]
};

/// Draws cloth, bodies and studio into its own picture. All calls on the thread of the current OpenGL
/// context; construct after the context, destroy before it. No call waits for the simulator.
class Renderer {
 public:
  /// Compiles the shaders. Throws Error naming file and line, or where the shaders were sought.
  Renderer();
  ~Renderer();

  /// Sets topology, fabrics and bodies. Call when SceneView::model_id or the look of a fabric changes.
  void set_scene(const SceneView& scene);
  /// Copies the needed data. A frame of another model than the scene's is ignored.
  void update(const Frame& frame);
  /// Updates the looks of the cloths (colours, thickness, threads) after fabric parameters changed.
  void set_fabrics(const Scene& scene);
  /// Draws a new picture of `camera.size` pixels. A size below 1 x 1 draws nothing. Leaves framebuffer 0
  /// bound and blending, depth and face culling off.
  void draw(const CameraView& camera, const ViewSettings& settings, const Overlay& overlay = {});
  /// Copies the last picture to a framebuffer (0: the window), its lower left corner at `at`. A window that
  /// shows the same picture again need not draw it again. Does nothing before the first draw.
  void present(GLuint framebuffer, ivec2 at = ivec2(0)) const;
  /// The last picture (not multisampled), nullptr before the first draw. To read back:
  /// read_pixels(picture()->id(), picture()->size()).
  const gl::Framebuffer* picture() const;

  /// Bounds of cloth and obstacles (planes left out) in the last frame; for Camera::frame and shadows.
  Bounds bounds() const;
  Legend legend() const;
  /// The quality that `automatic` selects.
  Quality effective_quality(const ViewSettings& settings) const;
  /// Path of vertices to OpenGL: "mapped memory", "CUDA interop" or "CUDA through host memory".
  std::string vertex_path() const;
  /// Why the device does not share its memory with OpenGL, in one line; empty if it does, or has no memory of
  /// its own.
  std::string why_not_shared() const;
  /// "llvmpipe (...)" or the GPU's name.
  std::string renderer_name() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft
