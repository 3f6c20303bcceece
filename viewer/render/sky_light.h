// Light from all around, from a picture of a place (Radiance .hdr, latitude and longitude).
#pragma once
#include <array>
#include <string>
#include <vector>

#include "viewer/gl/objects.h"
#include "viewer/render/frame_block.h"
#include "viewer/render/view_settings.h"

namespace weft {

/// Linear radiance, RGB, top row first. Its middle is what one sees along -z, its upper edge is straight up.
struct SkyPicture {
  int width = 0, height = 0;
  std::vector<vec3> radiance;
};

/// Throws Error for a file that cannot be read or is no such picture.
SkyPicture read_sky(const std::string& path);

/// Factors of 1, y, z, x, xy, yz, 3 z² - 1, xz and x² - y². Their sum is the light that a white surface with
/// the normal (x, y, z) returns (Ramamoorthi and Hanrahan 2001), scaled so that it is 1 on average over all
/// directions.
std::array<vec3, 9> sky_harmonics(const SkyPicture& sky);

/// The light that a picture's settings ask for. A file that cannot be read is reported once, and the studio's
/// light stays.
class SkyLight {
 public:
  /// Reads the file of the settings if it is another one, and writes its light into the block.
  void describe(FrameBlock& block, const ViewSettings& settings);
  /// Binds the picture for the far wall.
  void bind(int unit) const;

 private:
  std::string path_;
  std::array<vec3, 9> harmonics_{};
  float factor_ = 0;  // from the picture's radiance to harmonics of mean 1; 0: there is none
  int count_ = 0;     // of files read
  gl::Texture picture_;
};

}  // namespace weft
