// Pictures of several runs of one scene, seen by one camera, as one picture.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "viewer/render/caption_painter.h"
#include "viewer/render/color_scale.h"
#include "viewer/render/motion_blur.h"
#include "viewer/render/renderer.h"

namespace weft {

/// How lanes stand in a picture.
enum class LaneLayout {
  split,       // each in a field of its own
  wipe,        // the first left of the middle, the second right of it
  overlay,     // all over each other, in equal parts of light
  difference,  // as split, the others coloured by their distance from the first
};
/// Their names, in the order of the values.
const std::vector<std::string>& lane_layouts();

/// Fields of `lanes` pictures in one of `size` pixels, row by row from the upper left: left, top, width,
/// height. All of one size, a line of two pixels apart; what is left over stays free at the right and below.
std::vector<ivec4> lane_fields(LaneLayout layout, int lanes, ivec2 size);

/// What a lane's cloths look like: in layout `overlay` those of all but the first have one colour each, by
/// which runs that lie over each other are told apart.
struct LaneColor {
  std::string name;  // empty: its own colours
  vec3 color{0};     // sRGB
};
LaneColor lane_color(LaneLayout layout, size_t lane);
/// The scene with cloths of that colour.
Scene in_lane_color(Scene scene, const LaneColor& color);

/// One lane's part of a picture.
struct LanePicture {
  std::string caption;           // UTF-8, lower left
  std::vector<float> distances;  // m, of each vertex from the first lane; NaN: unknown. For `difference`
};

/// All calls on the thread of the OpenGL context.
class LanePictures {
 public:
  explicit LanePictures(std::string font_file) : captions_(std::move(font_file)) {}
  /// As many renderers as there are lanes.
  void resize(size_t lanes);
  Renderer& lane(size_t i) { return *renderers_[i]; }
  size_t size() const { return renderers_.size(); }
  /// Gives a lane its newest state; in layout `difference` with its distances.
  void update(size_t lane, const Frame& frame, LaneLayout layout, const LanePicture& picture);
  /// Draws all of them. `wipe`: the share of the width that shows the first lane. The result is valid until
  /// the next call.
  const gl::Framebuffer& draw(const CameraPose& camera, const ViewSettings& settings, LaneLayout layout,
                              ivec2 size, const std::vector<LanePicture>& pictures,
                              const std::vector<Overlay>& overlays, float wipe = 0.5f);

 private:
  void draw_lane(size_t i, const CameraView& view, const ViewSettings& settings, LaneLayout layout,
                 const std::vector<Overlay>& overlays);
  void caption(const std::vector<LanePicture>& pictures, LaneLayout layout, const std::vector<ivec4>& fields);
  std::vector<std::unique_ptr<Renderer>> renderers_;
  std::optional<gl::Framebuffer> picture_;
  std::optional<MotionBlur> overlay_;
  CaptionPainter captions_;
  FittedRange range_;
  float top_ = 0;  // of the colours, mm
};

}  // namespace weft
