// What a person chooses for the synthesis of wrinkles, as read from files and the command line.
#pragma once
#include <string>
#include <vector>

#include "sim/base/params.h"
#include "sim/wrinkles/gather.h"

namespace weft::wrinkles {

/// Wang 2021; symbols of the paper in the help texts.
struct WrinkleParams {
  float cell = 0.5e-3f;
  int levels = 3, iterations = 256;
  int block_width = 8, inner = 8;
  float alpha = 0.4f;
  bool lag_outer = true, inner_chebyshev = false, chebyshev = true;
  int planar = 1;  // index of ElasticModel
  float repulsion_radius = 1.3f;
  float repulsion = 3e8f;
  bool repel = true;
  bool bodies = true;
  float body_gap = 1e-3f;
  float air = 0, push = 0, fill = 0, thickness = 3e-3f;
  float tether = 0, tether_width = 0.03f, roughness = 0.05f;
  bool hold_boundary = false;
  bool closed = false, renew_ghosts = false;
  float seam_angle = 0;
  bool transfer = true;
  int transfer_iterations = 64;
  bool existing_stretch = false;
  float tolerance = 0;
  bool operator==(const WrinkleParams&) const = default;

  void describe(ParamVisitor& v);
};

struct WrinkleSettings {
  WrinkleParams params;
  std::vector<Gather> gathers;
  bool operator==(const WrinkleSettings&) const = default;
};

/// A file with a table [wrinkle] and tables [[gather]]. Throws Error "file:line".
WrinkleSettings read_wrinkle_settings(const std::string& path);
WrinkleSettings parse_wrinkle_settings(const std::string& text, const std::string& path);
/// Text that reads back to the same values; parameters with their defaults are left out.
std::string as_toml(const WrinkleSettings& settings);
/// Values that only hold together. Throws Error.
void check(const WrinkleParams& params);

}  // namespace weft::wrinkles
