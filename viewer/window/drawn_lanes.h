// The picture of runs that are compared.
#pragma once
#include <optional>
#include <vector>

#include "viewer/render/lane_pictures.h"
#include "viewer/session/window_state.h"

namespace weft {

class DrawnLanes {
 public:
  /// Runs are compared, and the picture shows them.
  static bool shows(const WindowState& state);
  /// Size of the field that each of them has in a picture of `size` pixels; without them that size.
  static ivec2 field_size(const WindowState& state, ivec2 size);
  /// Where a pixel of the picture lies in its field.
  static vec2 in_field(const WindowState& state, ivec2 size, const vec2& pixel);
  /// Takes over newer states. True if another picture is to be drawn.
  bool update(const WindowState& state);
  /// Draws them; `overlay` is of the first. The result is valid until the next call.
  const gl::Framebuffer& draw(const WindowState& state, const Overlay& overlay, ivec2 size);

 private:
  std::optional<LanePictures> pictures_;
  std::vector<LanePicture> shown_;
  std::vector<uint64_t> models_;
  long revision_ = -1, fabrics_ = -1;
  int layout_ = -1;
};

}  // namespace weft
