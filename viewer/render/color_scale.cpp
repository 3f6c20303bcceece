#include "viewer/render/color_scale.h"

#include <algorithm>

#include "viewer/render/cloth_mesh.h"

namespace weft {
namespace {

vec3 through(const std::vector<vec3>& stops, float t) {
  const float at = std::clamp(t, 0.0f, 1.0f) * float(stops.size() - 1);
  const auto i = std::min(size_t(at), stops.size() - 2);
  return to_linear(glm::mix(stops[i], stops[i + 1], at - float(i)));
}

}  // namespace

vec3 scale_color(ColorMap map, float t) {
  static const std::vector<vec3> stops[kColorMaps] = {{{0.16f, 0.11f, 0.38f},
                                                       {0.14f, 0.29f, 0.55f},
                                                       {0.09f, 0.46f, 0.56f},
                                                       {0.13f, 0.62f, 0.50f},
                                                       {0.42f, 0.76f, 0.34f},
                                                       {0.76f, 0.85f, 0.22f},
                                                       {0.99f, 0.91f, 0.26f}},
                                                      {{0.07f, 0.05f, 0.18f},
                                                       {0.30f, 0.07f, 0.42f},
                                                       {0.55f, 0.13f, 0.40f},
                                                       {0.80f, 0.24f, 0.27f},
                                                       {0.95f, 0.45f, 0.12f},
                                                       {0.98f, 0.72f, 0.15f},
                                                       {0.98f, 0.97f, 0.65f}},
                                                      {vec3(0.13f), vec3(0.93f)}};
  return through(stops[std::clamp(int(map), 0, kColorMaps - 1)], t);
}

vec3 class_color(int i) {
  static const vec3 colors[kClasses] = {{0.62f, 0.63f, 0.65f}, {0.22f, 0.53f, 0.86f}, {0.90f, 0.36f, 0.10f}};
  return to_linear(colors[std::clamp(i, 0, kClasses - 1)]);
}

vec3 contact_color(ContactKind kind) {
  static const vec3 colors[kContactKinds] = {{1.0f, 0.42f, 0.82f}, {1.0f, 0.42f, 0.82f},
                                             {0.25f, 0.85f, 1.0f}, {0.50f, 0.92f, 0.30f},
                                             {1.0f, 0.38f, 0.22f}, {1.0f, 0.85f, 0.25f}};
  return colors[std::clamp(int(kind), 0, kContactKinds - 1)];
}

vec3 sample_color(bool guarded) { return guarded ? vec3(0.35f, 0.95f, 0.25f) : vec3(0.95f, 0.95f, 0.95f); }

vec3 force_color(float share) {
  static const std::vector<vec3> stops = {
      {0.25f, 0.75f, 0.42f}, {0.95f, 0.78f, 0.22f}, {0.90f, 0.24f, 0.18f}};
  return through(stops, share);
}

float round_up_nice(float value) {
  if (!(value > 1e-6f)) return 1e-6f;
  const float power = std::pow(10.0f, std::floor(std::log10(value)));
  for (float step : {1.0f, 2.0f, 5.0f, 10.0f})
    if (step * power >= 0.9999f * value) return step * power;
  return 10 * power;
}

float fixed_top(const std::string& field) {
  if (field == "stretch" || field == "warp" || field == "weft") return 20;  // %
  if (field == "pressure") return 5;                                        // kPa
  if (field == "ease") return 10;                                           // cm
  if (field == "speed") return 5;                                           // m/s
  return 0;
}

float percentile_above(const std::vector<float>& values, float low, float percent) {
  std::vector<float> above;
  for (const float v : values)
    if (v > low) above.push_back(v);
  if (above.empty()) return 0;
  const float share = std::clamp(percent, 0.0f, 100.0f) / 100;
  const auto at = above.begin() + std::ptrdiff_t(share * float(above.size() - 1) + 0.5f);
  std::nth_element(above.begin(), at, above.end());
  return *at;
}

float FittedRange::update(float largest) {
  if (range_ <= 0 || largest > range_ || largest < 0.35f * range_) range_ = round_up_nice(largest);
  return range_;
}

}  // namespace weft
