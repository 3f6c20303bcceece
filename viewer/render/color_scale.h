// Colours for numbers.
#pragma once
#include <string>
#include <vector>

#include "sim/base/math.h"
#include "sim/methods/contact_pair.h"
#include "viewer/render/view_settings.h"

namespace weft {

/// The scales for amounts, in the order of menus. Each grows lighter throughout, so that it survives a print
/// without colours, and is safe for the colour-blind.
enum class ColorMap { green, fire, grey };
constexpr int kColorMaps = 3;

/// Linear colour at 0 <= t <= 1: dark blue over green to yellow, black over red to pale yellow, or dark to
/// light grey.
vec3 scale_color(ColorMap map, float t);

/// Linear colour of class 0, 1 or 2: grey, blue, orange red, safe for the colour-blind.
vec3 class_color(int i);
constexpr int kClasses = 3;
constexpr int kMarkClass = 2;  // whose colour hatches cloth that bodies pass through

/// sRGB colour of a contact pair.
vec3 contact_color(ContactKind kind);

/// sRGB colour of an active sample: green where safety depends on it, white else.
vec3 sample_color(bool guarded);

/// Linear colour of a force as a share of the limit: green over yellow to red.
vec3 force_color(float share);

/// The next number of the form 1, 2 or 5 times a power of ten that is not below `value`.
float round_up_nice(float value);

/// The value that `percent` of the values above `low` do not exceed; 0 where there are none, as for a field
/// that is nowhere above it. 100: the largest.
float percentile_above(const std::vector<float>& values, float low, float percent);

/// Upper end of the legend of a fit map, in the legend's unit: the same for every garment. 0: the quantity
/// has none.
float fixed_top(const std::string& field);

/// Upper end of a legend that follows the values without flickering: unchanged while the largest value is
/// between 0.35 and 1 of it.
class FittedRange {
 public:
  float update(float largest);
  void reset() { range_ = 0; }

 private:
  float range_ = 0;
};

}  // namespace weft
