// Small pictures from files, as textures for lists.
#pragma once
#include <map>
#include <string>

#include "viewer/gl/objects.h"

namespace weft {

/// All calls on the thread of the current OpenGL context.
class Thumbnails {
 public:
  /// The texture of a PNG file; 0 for an empty path, for one that cannot be read, and while others are read
  /// first: of several new files each picture of the window reads a few.
  GLuint of(const std::string& path);
  /// To be called for each picture of the window: as many files may be read again.
  void next_picture() { budget_ = kPerPicture; }

 private:
  static constexpr int kPerPicture = 3;  // files of 20 KB, about a millisecond each
  std::map<std::string, gl::Texture> textures_;
  int budget_ = kPerPicture;
};

}  // namespace weft
