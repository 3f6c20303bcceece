#include "viewer/render/view_settings.h"

#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/param_rows.h"

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
  const ParamRows row(v);
  Colourings all = colourings();
  row(quality, param("quality", "Quality").choices({"auto", "low", "high"}),
      "Auto: low with software OpenGL, high with a GPU.");
  row(shading, param("shading", "Shading").choices({"fabric", "plain", "facets"}),
      "Fabric, plain smooth shading, or flat facets that show the mesh.");
  row(colouring, param("colouring", "Colour by").choices(std::move(all.names)), std::move(all.help));
  row(colour_max, param("colour_max", "Colour range").range(0, 1000).zero("fitted"),
      "Upper end of the colour scale, in its unit; 0: fitted to the values.");
  row(colour_percentile, param("colour_percentile", "Fitted to").unit("%").range(50, 100),
      "A fitted scale ends where this share of the values above its low end lies below. 100: at the largest "
      "one, which a single vertex may hold.");
  row(colour_fixed, param("colour_fixed", "Fit map scale"),
      "Stretch ends at 20 %, pressure at 5 kPa, ease at 10 cm, speed at 5 m/s, whatever the values are: "
      "pictures of several "
      "garments compare. Other quantities stay fitted; a colour range has precedence.");
  row(colour_map, param("colour_map", "Colours").choices({"green", "fire", "grey"}),
      "Blue over green to yellow, black over red to yellow, or grey. Each grows lighter throughout and "
      "survives a print without colours.");
  row(colour_lit, param("colour_lit", "Lit colours"),
      "Light and shadow on cloth that is coloured by a quantity. Off: each colour is that of the legend.");
  row(crossings, param("crossings", "Test crossings").choices({"off", "shown", "each"}),
      "Tests states for triangles that cross each other or a body: those that are shown, with a tenth of the "
      "time of a processor core, or each step, which takes about a microsecond per vertex more. The status "
      "bar "
      "says what was found.");
  row(wireframe, param("wireframe", "Wireframe"),
      "Draws the simulated triangles over the cloth, and the cells of solids, paler.");
  row(shadows, param("shadows", "Shadows"), "Shadows of the key light.");
  row(shadow_softness, param("shadow_softness", "Shadow softness").range(0, 4),
      "Size of the key light; 1 is a softbox of about 5 degrees. High quality only.");
  row(ambient_occlusion, param("ambient_occlusion", "Ambient occlusion"),
      "Ambient occlusion: darkens folds and places near contact. High quality only.");
  row(subdivision, param("subdivision", "Subdivision").range(1, 8),
      "Maximum segments drawn per triangle edge, along a smooth surface through the vertices. High quality "
      "only.");
  row(thickness_scale, param("thickness_scale", "Drawn thickness").range(0, 10),
      "Factor on the fabric's drawn thickness; 0 draws a sheet without thickness.");
  row(weave, param("weave", "Weave").range(0, 2), "Visibility of the threads in close views.");
  row(ground, param("ground", "Ground"), "Draws the floor of the studio.");
  row(obstacles, param("obstacles", "Obstacles"), "Draws the obstacles.");
  row(msaa, param("msaa", "Antialiasing").unit("samples").range(0, 16),
      "Samples per pixel along edges in high quality. In low quality above 1: edges are smoothed in the "
      "finished picture.");
  row(exposure, param("exposure", "Exposure").unit("stops").range(-4, 4),
      "Brightness of the picture; each stop doubles the light.");
  row(background, param("background", "Background").range(0, 1), "sRGB colour of the studio's far wall.");
  row(light_strength, param("light_strength", "Light strength").range(0, 10),
      "Brightness of the picture that lights the scene from all around (view.light); 1: as bright as the "
      "studio.");
  row(light_turn, param("light_turn", "Light turned").unit("degrees").range(-180, 180),
      "Turns that picture about the vertical.");
  row(light_shown, param("light_shown", "Light behind"), "Shows that picture in place of the background.");
  row(show_exceptions, param("show_exceptions", "Exceptions"),
      "Hatches cloth in orange that bodies pass through, since they leave it no room. Not while another "
      "quantity or contact points are shown, nor in recorded runs.");
  row(contact_points, param("contact_points", "Contact points"), "Marks the vertices that touch a body.");
  row(contact_pairs, param("contact_pairs", "Contact pairs"),
      "Draws a line for each contact pair, coloured by kind: vertices with vertex repulsion; nearest points "
      "of triangles, edges, vertices and bodies with two-way contact.");
  row(active_samples, param("active_samples", "Active samples"),
      "Marks the sample points in stretched edges that vertex repulsion with resampling keeps apart: green "
      "where safety depends on them, white where they are only pushed.");
  row(legend, param("legend", "Legend"), "Shows the colour scale.");
  row(handles, param("handles", "Handles"), "Draws the handles that pull the cloth, coloured by force.");
  row(pins, param("pins", "Pins"), "Marks pinned vertices.");
}

void set_view(ViewSettings& view, const std::string& key, const std::string& text) {
  if (key == "view.light") {
    std::error_code unknown;
    if (!text.empty() && !std::filesystem::is_regular_file(text, unknown))
      throw Error("there is no such file: " + text, key, "give a Radiance picture (.hdr)");
    view.light = text;
    return;
  }
  ParamTable table;
  table.add("view", view);
  table.set(key, text);
}

}  // namespace weft
