// Settings of the picture. No effect on the motion.
#pragma once
#include <string>

#include "sim/base/params.h"
#include "sim/methods/quantities.h"
#include "sim/run/frame_extras.h"

namespace weft {

enum class Quality { automatic, low, high };
enum class Shading { fabric, plain, facets };

struct ViewSettings {
  int quality = int(Quality::automatic);
  int shading = int(Shading::fabric);
  int colouring = 0;     // into vertex_fields()
  float colour_max = 0;  // upper end of the legend in the legend's unit; 0: fitted
  float colour_percentile = 98;
  bool colour_fixed = false;  // the scale of a fit map: see fixed_top
  int colour_map = 0;         // a ColorMap
  bool colour_lit = false;
  bool wireframe = false;
  bool shadows = true;
  float shadow_softness = 1;
  bool ambient_occlusion = true;
  int subdivision = 4;  // most pieces per triangle edge
  float thickness_scale = 1;
  float weave = 1;
  bool ground = true;
  bool obstacles = true;
  int msaa = 4;                             // samples
  float exposure = 0;                       // stops
  vec3 background = {0.78f, 0.80f, 0.83f};  // sRGB
  std::string light;                        // a picture that lights from all around; empty: the studio
  float light_strength = 1;
  float light_turn = 0;         // degrees about the vertical
  bool light_shown = true;      // on the far wall
  bool show_exceptions = true;  // tints cloth that bodies pass through
  bool contact_points = false;
  bool contact_pairs = false;
  bool active_samples = false;
  int crossings = 1;  // which states are tested for them: none, those shown as far as there is time, each
  bool legend = true;
  bool handles = true;
  bool pins = true;

  /// The quantity that these settings ask for by name: what a run that lacks it tells about.
  std::string asked_field() const {
    return colouring == 0 && contact_points ? "contact" : vertex_fields()[size_t(colouring)].name;
  }
  /// Data that the simulator must send with each frame for these settings.
  std::string needed_field() const {
    const std::string asked = asked_field();
    return asked == "none" && show_exceptions ? kExceptions : asked;
  }
  static constexpr const char* kExceptions = "let_through";
  FrameExtras needed_extras() const { return {contact_pairs, active_samples, crossings == 2}; }

  void describe(ParamVisitor& v);
};

/// Sets "view.shading", ..., or "view.light" (a Radiance picture; empty: the studio). Throws Error for an
/// unknown key, a wrong value, and a file that is not there.
void set_view(ViewSettings& view, const std::string& key, const std::string& text);

}  // namespace weft
