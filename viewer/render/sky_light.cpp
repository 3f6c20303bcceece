#include "viewer/render/sky_light.h"

#include <stb_image.h>

#include <algorithm>
#include <cmath>

#include "sim/base/error.h"
#include "sim/base/log.h"

namespace weft {
namespace {

constexpr float kMean = 0.34f;     // of the studio's own light from all around (lighting.glsl), but the key
constexpr float kWall = 1.6f;      // by which the far wall is brighter than what it lights
constexpr int kMostTexels = 4096;  // of a picture's width

float luminance(const vec3& c) { return glm::dot(c, vec3(0.2126f, 0.7152f, 0.0722f)); }

vec3 direction(float u, float v) {
  const float longitude = 2 * kPi * (u - 0.5f), height = std::cos(kPi * v), across = std::sin(kPi * v);
  return {across * std::sin(longitude), height, -across * std::cos(longitude)};
}

/// Every `step`-th place of a picture as the mean of step x step.
SkyPicture smaller(const SkyPicture& sky, int step) {
  SkyPicture out{sky.width / step, sky.height / step, {}};
  for (int y = 0; y < out.height; ++y)
    for (int x = 0; x < out.width; ++x) {
      vec3 sum(0);
      for (int j = 0; j < step; ++j)
        for (int i = 0; i < step; ++i)
          sum += sky.radiance[size_t(y * step + j) * size_t(sky.width) + size_t(x * step + i)];
      out.radiance.push_back(sum / float(step * step));
    }
  return out;
}

float mean_luminance(const SkyPicture& sky) {
  double sum = 0, area = 0;
  for (int y = 0; y < sky.height; ++y) {
    const double ring = std::sin(double(kPi) * (y + 0.5) / sky.height);
    for (int x = 0; x < sky.width; ++x)
      sum += ring * double(luminance(sky.radiance[size_t(y) * size_t(sky.width) + size_t(x)])), area += ring;
  }
  return float(sum / area);
}

}  // namespace

SkyPicture read_sky(const std::string& path) {
  const char* const what = "give a Radiance picture (.hdr) in latitude and longitude, twice as wide as high";
  if (stbi_is_hdr(path.c_str()) == 0) throw Error("this is no picture with a high range", path, what);
  int channels = 0;
  SkyPicture sky;
  float* data = stbi_loadf(path.c_str(), &sky.width, &sky.height, &channels, 3);
  if (!data) throw Error(std::string("the picture cannot be read: ") + stbi_failure_reason(), path, what);
  for (size_t i = 0; i < size_t(sky.width) * size_t(sky.height); ++i) {
    const vec3 c(data[3 * i], data[3 * i + 1], data[3 * i + 2]);
    const bool sound = c.r >= 0 && c.g >= 0 && c.b >= 0 && std::isfinite(c.r + c.g + c.b);
    sky.radiance.push_back(sound ? c : vec3(0));
  }
  stbi_image_free(data);
  if (!(mean_luminance(sky) > 0)) throw Error("the picture is black", path, what);
  return sky;
}

std::array<vec3, 9> sky_harmonics(const SkyPicture& sky) {
  std::array<glm::dvec3, 9> sum{};
  for (int y = 0; y < sky.height; ++y) {
    const float v = (float(y) + 0.5f) / float(sky.height);
    // solid angle of a place in this row
    const double area =
        2 * double(kPi) / sky.width *
        (std::cos(double(kPi) * y / sky.height) - std::cos(double(kPi) * (y + 1) / sky.height));
    for (int x = 0; x < sky.width; ++x) {
      const vec3 d = direction((float(x) + 0.5f) / float(sky.width), v);
      const glm::dvec3 light = area * glm::dvec3(sky.radiance[size_t(y) * size_t(sky.width) + size_t(x)]);
      const float basis[9] = {
          1, d.y, d.z, d.x, d.x * d.y, d.y * d.z, 3 * d.z * d.z - 1, d.x * d.z, d.x * d.x - d.y * d.y};
      for (size_t k = 0; k < 9; ++k) sum[k] += light * double(basis[k]);
    }
  }
  // Squares of the normalisation of each function; of it a cosine lobe keeps 1, 2/3, 1/4.
  constexpr double kSquares[9] = {0.0795775,
                                  0.2387324,
                                  0.2387324,
                                  0.2387324,
                                  1.0925484 * 1.0925484,
                                  1.0925484 * 1.0925484,
                                  0.3153916 * 0.3153916,
                                  1.0925484 * 1.0925484,
                                  0.5462742 * 0.5462742};
  constexpr double kKept[9] = {1, 2.0 / 3, 2.0 / 3, 2.0 / 3, 0.25, 0.25, 0.25, 0.25, 0.25};
  const double mean = double(luminance(vec3(sum[0] * kSquares[0])));
  std::array<vec3, 9> out;
  for (size_t k = 0; k < 9; ++k) out[k] = vec3(sum[k] * (kSquares[k] * kKept[k] / mean));
  return out;
}

void SkyLight::describe(FrameBlock& block, const ViewSettings& settings) {
  if (settings.light != path_) {
    path_ = settings.light, factor_ = 0;
    picture_ = gl::Texture();
    if (!path_.empty()) try {
        SkyPicture sky = read_sky(path_);
        if (sky.width > kMostTexels) sky = smaller(sky, (sky.width + kMostTexels - 1) / kMostTexels);
        harmonics_ = sky_harmonics(sky);
        picture_ = gl::Texture(GL_RGB16F, {sky.width, sky.height});
        glTextureSubImage2D(picture_.id(), 0, 0, 0, sky.width, sky.height, GL_RGB, GL_FLOAT,
                            sky.radiance.data());
        picture_.filter(GL_LINEAR);
        picture_.wrap(GL_REPEAT);
        factor_ = 1 / mean_luminance(sky);
        ++count_;
      } catch (const Error& e) {
        log_warning("{}", e.what());
      }
  }
  const float strength = factor_ > 0 ? kMean * settings.light_strength : 0;
  for (size_t k = 0; k < 9; ++k) block.sky[k] = vec4(strength * harmonics_[k], 0);
  block.sky[0].w = factor_ > 0 ? 1 : 0;
  block.sky[1].w = glm::radians(settings.light_turn);
  block.sky[2].w = settings.light_shown ? kWall * strength * factor_ : 0;
  block.sky[3].w = float(count_);
}

void SkyLight::bind(int unit) const {
  if (factor_ > 0) picture_.bind(unit);
}

}  // namespace weft
