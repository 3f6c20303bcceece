// Drawn pictures on their way to a recorder.
#pragma once
#include <optional>

#include "viewer/gl/image.h"
#include "viewer/record/recorder.h"

namespace weft {

/// A picture with its pixels: RGB, or RGBA whose colours are multiplied by their alpha; top row first.
struct ReadPicture {
  ivec2 size{0};
  int channels = 3;
  std::vector<uint8_t> pixels;
  PictureView view() const { return {size.x, size.y, channels, pixels.data(), false}; }
};

/// Reads the colours of framebuffer `framebuffer` (0: the window), with or without alpha, and waits for it.
/// Squares of `supersample` pixels become one each: the mean of their light.
ReadPicture read_picture(GLuint framebuffer, ivec2 size, bool alpha, int supersample = 1);
/// A picture with squares of n by n pixels made one each; what is left over at the right and at the bottom is
/// cut off.
ReadPicture averaged(const ReadPicture& picture, int n);

}  // namespace weft
