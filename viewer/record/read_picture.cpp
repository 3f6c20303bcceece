#include "viewer/record/read_picture.h"

namespace weft {

ReadPicture read_picture(GLuint framebuffer, ivec2 size, bool alpha) {
  if (alpha) return {size, 4, gl::read_pixels_with_alpha(framebuffer, size)};
  return {size, 3, gl::read_pixels(framebuffer, size).rgb};
}

}  // namespace weft
