#include "viewer/render/thumbnails.h"

#include "sim/base/error.h"
#include "viewer/gl/image.h"

namespace weft {

GLuint Thumbnails::of(const std::string& path) {
  if (path.empty()) return 0;
  if (const auto found = textures_.find(path); found != textures_.end()) return found->second.id();
  if (budget_ <= 0) return 0;
  --budget_;
  gl::Texture& texture = textures_[path];
  try {
    const Image image = read_png(path);
    // The window is drawn without conversion: the file's sRGB numbers are taken as they are.
    texture = gl::Texture(GL_RGB8, ivec2(image.width, image.height));
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTextureSubImage2D(texture.id(), 0, 0, 0, image.width, image.height, GL_RGB, GL_UNSIGNED_BYTE,
                        image.rgb.data());
    texture.filter(GL_LINEAR);
  } catch (const Error&) {
    texture = gl::Texture();  // a list without this picture
  }
  return texture.id();
}

}  // namespace weft
