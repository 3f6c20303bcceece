#include "viewer/render/view_settings.h"

namespace weft {

namespace {

struct Colourings {
  std::vector<std::string> names;
  std::string help = "Colours the cloth by a quantity.";
};

Colourings colourings() {
  Colourings all;
  for (const VertexField& f : vertex_fields()) {
    all.names.push_back(f.name);
    if (!f.help.empty()) all.help += " " + f.help;
  }
  return all;
}

}  // namespace

void ViewSettings::describe(ParamVisitor& v) {
  Colourings all = colourings();
  v(quality, {.key = "quality",
              .label = "Quality",
              .help = "Auto: low with software OpenGL, high with a GPU.",
              .choices = {"auto", "low", "high"}});
  v(shading, {.key = "shading",
              .label = "Shading",
              .help = "Fabric, plain smooth shading, or flat facets that show the mesh.",
              .choices = {"fabric", "plain", "facets"}});
  v(colouring,
    {.key = "colouring", .label = "Colour by", .help = std::move(all.help), .choices = std::move(all.names)});
  v(colour_max, {.key = "colour_max",
                 .label = "Colour range",
                 .min = 0,
                 .max = 1000,
                 .help = "Upper end of the colour scale, in its unit; 0: fitted to the values.",
                 .zero = "fitted"});
  v(colour_percentile, {.key = "colour_percentile",
                        .label = "Fitted to",
                        .unit = "%",
                        .min = 50,
                        .max = 100,
                        .help = "A fitted scale ends where this share of the values above its low end lies "
                                "below. 100: at the largest one, which a single vertex may hold."});
  v(colour_map, {.key = "colour_map",
                 .label = "Colours",
                 .help = "Blue over green to yellow, black over red to yellow, or grey. Each grows lighter "
                         "throughout and survives a print without colours.",
                 .choices = {"green", "fire", "grey"}});
  v(colour_lit, {.key = "colour_lit",
                 .label = "Lit colours",
                 .help = "Light and shadow on cloth that is coloured by a quantity. Off: each colour is that "
                         "of the legend."});
  v(wireframe,
    {.key = "wireframe", .label = "Wireframe", .help = "Draws the simulated triangles over the cloth."});
  v(shadows, {.key = "shadows", .label = "Shadows", .help = "Shadows of the key light."});
  v(shadow_softness, {.key = "shadow_softness",
                      .label = "Shadow softness",
                      .min = 0,
                      .max = 4,
                      .help = "Size of the key light; 1 is a softbox of about 5 degrees. High quality "
                              "only."});
  v(ambient_occlusion, {.key = "ambient_occlusion",
                        .label = "Ambient occlusion",
                        .help = "Ambient occlusion: darkens folds and places near contact. High quality "
                                "only."});
  v(subdivision, {.key = "subdivision",
                  .label = "Subdivision",
                  .min = 1,
                  .max = 8,
                  .help = "Maximum segments drawn per triangle edge, along a smooth surface through the "
                          "vertices. High quality only."});
  v(thickness_scale, {.key = "thickness_scale",
                      .label = "Drawn thickness",
                      .min = 0,
                      .max = 10,
                      .help = "Factor on the fabric's drawn thickness; 0 draws a sheet without "
                              "thickness."});
  v(weave, {.key = "weave",
            .label = "Weave",
            .min = 0,
            .max = 2,
            .help = "Visibility of the threads in close views."});
  v(ground, {.key = "ground", .label = "Ground", .help = "Draws the floor of the studio."});
  v(obstacles, {.key = "obstacles", .label = "Obstacles", .help = "Draws the obstacles."});
  v(msaa,
    {.key = "msaa",
     .label = "Antialiasing",
     .unit = "samples",
     .min = 0,
     .max = 16,
     .help = "Samples per pixel along edges in high quality. In low quality above 1: edges are smoothed in "
             "the finished picture."});
  v(exposure, {.key = "exposure",
               .label = "Exposure",
               .unit = "stops",
               .min = -4,
               .max = 4,
               .help = "Brightness of the picture; each stop doubles the light."});
  v(background, {.key = "background",
                 .label = "Background",
                 .min = 0,
                 .max = 1,
                 .help = "sRGB colour of the studio's far wall."});
  v(show_exceptions, {.key = "show_exceptions",
                      .label = "Exceptions",
                      .help = "Hatches cloth in orange that bodies pass through, since they leave it no "
                              "room. Not while another quantity or contact points are shown, nor in "
                              "recorded runs."});
  v(contact_points,
    {.key = "contact_points", .label = "Contact points", .help = "Marks the vertices that touch a body."});
  v(contact_pairs, {.key = "contact_pairs",
                    .label = "Contact pairs",
                    .help = "Draws a line for each contact pair, coloured by kind: vertices with vertex "
                            "repulsion; nearest points of triangles, edges, vertices and bodies with "
                            "two-way contact."});
  v(active_samples, {.key = "active_samples",
                     .label = "Active samples",
                     .help = "Marks the sample points in stretched edges that vertex repulsion with "
                             "resampling keeps apart: green where safety depends on them, white where "
                             "they are only pushed."});
  v(legend, {.key = "legend", .label = "Legend", .help = "Shows the colour scale."});
  v(handles, {.key = "handles",
              .label = "Handles",
              .help = "Draws the handles that pull the cloth, coloured by force."});
  v(pins, {.key = "pins", .label = "Pins", .help = "Marks pinned vertices."});
}

}  // namespace weft
