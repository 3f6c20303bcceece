// What a person can choose about the picture. None of it changes the motion.
#pragma once
#include "sim/base/params.h"
#include "sim/run/frame_extras.h"
#include "sim/run/simulation.h"

namespace weft {

enum class Quality { automatic, low, high };
enum class Shading { fabric, plain, facets };
/// In the order of Simulation::Scalar.
enum class Colouring { none, stretch, speed, contact, phase, bound };

struct ViewSettings {
  int quality = int(Quality::automatic);
  int shading = int(Shading::fabric);
  int colouring = int(Colouring::none);
  float colour_max = 0;          // upper end of the legend in the legend's unit; 0: fitted
  bool wireframe = false;
  bool shadows = true;
  float shadow_softness = 1;
  bool ambient_occlusion = true;
  int subdivision = 4;           // most pieces per triangle edge
  float thickness_scale = 1;
  float weave = 1;
  bool ground = true;
  bool obstacles = true;
  int msaa = 4;                  // samples
  float exposure = 0;            // stops
  vec3 background = {0.78f, 0.80f, 0.83f};  // sRGB
  bool contact_points = false;
  bool contact_pairs = false;
  bool active_samples = false;
  bool legend = true;
  bool handles = true;
  bool pins = true;

  /// What the simulator must send with each frame for these settings.
  Simulation::Scalar needed_scalar() const {
    if (colouring == int(Colouring::none) && contact_points) return Simulation::Scalar::contact;
    return Simulation::Scalar(colouring);
  }
  FrameExtras needed_extras() const { return {contact_pairs, active_samples}; }

  template <class V>
  void visit(V&& v) {
    v(quality, {.key = "quality",
                .label = "Quality",
                .help = "Auto takes low with software OpenGL and high with a GPU.",
                .choices = {"auto", "low", "high"}});
    v(shading, {.key = "shading",
                .label = "Shading",
                .help = "Fabric, plain smooth shading, or flat triangles to see the mesh.",
                .choices = {"fabric", "plain", "facets"}});
    v(colouring, {.key = "colouring", .label = "Colour by", .help = "Colours the cloth by a quantity, with a legend. Phase: what kept each vertex from crossing in the last step, with vertex repulsion. "
                          "Bound: how far a vertex may go in one forward step towards what is nearest to it (\u03b3 D/2), with two-way contact.",
                  .choices = {"none", "stretch", "speed", "contact", "phase", "bound"}});
    v(colour_max, {.key = "colour_max", .label = "Colour range", .min = 0, .max = 1000,
                   .help = "Upper end of the legend, in its unit; 0 fits it to the values that occur.", .zero = "fitted"});
    v(wireframe,
      {.key = "wireframe", .label = "Wireframe", .help = "Draws the triangles that are simulated over the cloth."});
    v(shadows, {.key = "shadows", .label = "Shadows", .help = "Shadows of the key light."});
    v(shadow_softness, {.key = "shadow_softness", .label = "Shadow softness", .min = 0, .max = 4,
                        .help = "Size of the key light; 1 is a softbox of about 5 degrees. High quality only."});
    v(ambient_occlusion,
      {.key = "ambient_occlusion",
       .label = "Ambient occlusion",
       .help = "Darkens folds and places near contact that see little of the sky. High quality only."});
    v(subdivision, {.key = "subdivision",
                    .label = "Subdivision",
                    .min = 1,
                    .max = 8,
                    .help = "Most pieces per triangle edge that are drawn, along a smooth surface through the "
                            "vertices. High quality only."});
    v(thickness_scale,
      {.key = "thickness_scale",
       .label = "Drawn thickness",
       .min = 0,
       .max = 10,
       .help = "Multiplies the fabric's thickness in the picture; 0 draws a sheet without thickness."});
    v(weave, {.key = "weave",
              .label = "Weave",
              .min = 0,
              .max = 2,
              .help = "Strength of the threads that are seen from near."});
    v(ground, {.key = "ground", .label = "Ground", .help = "Draws the floor of the studio."});
    v(obstacles, {.key = "obstacles", .label = "Obstacles", .help = "Draws the obstacles."});
    v(msaa, {.key = "msaa", .label = "Antialiasing", .unit = "samples", .min = 0, .max = 16,
             .help = "Samples per pixel along edges. High quality only."});
    v(exposure, {.key = "exposure",
                 .label = "Exposure",
                 .unit = "stops",
                 .min = -4,
                 .max = 4,
                 .help = "Each stop doubles the light."});
    v(background, {.key = "background",
                   .label = "Background",
                   .min = 0,
                   .max = 1,
                   .help = "sRGB colour of the studio's far wall."});
    v(contact_points,
      {.key = "contact_points", .label = "Contact points", .help = "Marks the vertices that touch a body."});
    v(contact_pairs, {.key = "contact_pairs", .label = "Contact pairs",
                      .help = "Joins what is so near that it is kept apart: vertices with vertex repulsion; with two-way contact the nearest points of triangles, edges and vertices, and of cloth and bodies, each kind in its colour."});
    v(active_samples, {.key = "active_samples", .label = "Active samples",
                       .help = "Marks the points in stretched edges that are kept apart as vertices are, with vertex repulsion and resampling: green where safety "
                               "depends on them, white where they are only pushed."});
    v(legend, {.key = "legend", .label = "Legend", .help = "Shows the scale of the colours."});
    v(handles, {.key = "handles", .label = "Handles", .help = "Draws what pulls the cloth, coloured by force."});
    v(pins, {.key = "pins", .label = "Pins", .help = "Marks pinned vertices."});
  }
};

}  // namespace weft
