#include "viewer/commands/scene_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/nearest.h"
#include "sim/base/shorten.h"
#include "sim/dressing/dress.h"
#include "sim/garment/formats/pattern_file.h"
#include "sim/plugin/library.h"
#include "sim/plugin/plugin_list.h"
#include "sim/scene/model/body_file.h"
#include "sim/scene/model/cloth_mesh.h"
#include "sim/scene/scene_names.h"
#include "sim/scene/text/scene_file.h"
#include "viewer/commands/catalogue.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

std::string lower_extension(const std::string& path) {
  std::string extension = fs::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  return extension;
}

/// Advice for a missing input: names without an extension are taken as scenes.
std::string advice_for_missing(const std::string& input) {
  if (!lower_extension(input).empty())
    return "check the path; 'weft list' names the scenes and garments that ship with the program";
  const std::string near = near_name(input, shipped_names());
  return (near.empty() ? "" : "did you mean " + near + "? ") +
         "'weft list' names the scenes and garments that ship with the program";
}

/// A scene saved with --obstacle already has that body; a second copy would be in its place.
bool has_body(const Scene& scene, const std::string& file) {
  const std::string folder = fs::path(scene.path).parent_path().string();
  std::error_code gone;
  return std::any_of(scene.obstacles.begin(), scene.obstacles.end(), [&](const Obstacle& o) {
    return !body_file(o).empty() && fs::equivalent(resolve_path(body_file(o), folder), file, gone);
  });
}

void add_obstacles(Scene& scene, const std::vector<std::string>& files, const ObjUnits& units) {
  for (const std::string& file : files) {
    if (has_body(scene, file)) continue;
    Obstacle body;
    body.name = fs::path(file).stem().string();
    set_body_file(body, fs::absolute(file).string());
    body.placement.scale = units.body_scale;
    if (units.up == "z" && !has_own_times(file)) body.placement.rotation = kUpIsZ;
    scene.obstacles.push_back(std::move(body));
  }
}

/// A scene file defines the units of its meshes: options apply only to bodies given beside it.
void refuse_units(const std::string& path, bool bodies, const ObjUnits& units) {
  const auto fail = [&](const std::string& option, const std::string& key) {
    throw Error(option + " is for OBJ files named on the command line", path,
                "a scene file has the key " + key + " for each mesh");
  };
  if (units.cloth_scale != 1) fail("--cloth-scale", "scale");
  if (!bodies && units.body_scale != 1) fail("--obstacle-scale", "scale");
  if (!bodies && units.up != "y") fail("--up", "up");
}

}  // namespace

std::vector<std::string> unit_arguments(const ObjUnits& units) {
  std::vector<std::string> words;
  if (units.cloth_scale != 1)
    words.insert(words.end(), {"--cloth-scale", fmt::format("{}", units.cloth_scale)});
  if (units.body_scale != 1)
    words.insert(words.end(), {"--obstacle-scale", fmt::format("{}", units.body_scale)});
  if (units.up != "y") words.insert(words.end(), {"--up", units.up});
  return words;
}

ObjUnits units_of_arguments(const std::vector<std::string>& arguments) {
  ObjUnits units;
  const auto factor = [](const std::string& option, const std::string& text) {
    double value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size() || !(value >= 1e-6 && value <= 1e6))
      throw Error("'" + text + "' is not a scale", option,
                  "write metres per unit of the file, for example 0.01 for centimetres");
    return float(value);
  };
  for (size_t i = 0; i + 1 < arguments.size(); ++i) {
    if (arguments[i] == "--cloth-scale") units.cloth_scale = factor(arguments[i], arguments[i + 1]);
    if (arguments[i] == "--obstacle-scale") units.body_scale = factor(arguments[i], arguments[i + 1]);
    if (arguments[i] != "--up") continue;
    units.up = arguments[i + 1];
    if (std::find(up_axes().begin(), up_axes().end(), units.up) == up_axes().end())
      throw Error("'" + units.up + "' is not an up axis", "--up", "write y or z");
  }
  return units;
}

Scene scene_from_pattern(const std::string& pattern, const std::vector<std::string>& bodies) {
  std::vector<std::string> notices;  // reported again where the garment is made
  const Pattern read = read_pattern(pattern, 0, notices);
  Scene scene = dressing_scene(pattern, bodies, 0, {});
  scene.title = read.name;
  scene.set("step.collision", "two_way");
  const bool folded =
      std::any_of(read.panels.begin(), read.panels.end(), [](const Panel& p) { return !p.folds.empty(); }) ||
      std::any_of(read.seams.begin(), read.seams.end(), [](const Seam& s) { return s.angle != 0; });
  if (folded) scene.set("step.bending_model", "dihedral");
  scene.cloths[0].name = read.name;
  // Pieces without seams are sewn in the window first.
  scene.cloths[0].start = read.seams.empty() ? "placed" : "dressed";
  return scene;
}

Scene open_scene(const std::string& input, const std::vector<std::string>& obstacles, const ObjUnits& units) {
  std::string path = input.empty() ? default_scene_path() : input;
  if (!fs::exists(path))
    if (const std::string shipped = shipped_file(input); !shipped.empty()) path = shipped;
  const std::string file = split_size(split_object(path).path).path;  // without an object or a size
  if (!fs::exists(file)) throw Error("there is no such file or scene", path, advice_for_missing(path));
  const std::string extension = lower_extension(file);
  if (extension == ".obj" || has_own_times(file)) return scene_from_obj(path, obstacles, units);
  if (extension == ".json" || extension == ".dxf") {
    if (units.cloth_scale != ObjUnits{}.cloth_scale || units.up != ObjUnits{}.up)
      throw Error("a pattern has its own units", path, "leave out --cloth-scale and --up");
    return scene_from_pattern(path, obstacles);
  }
  if (extension != ".toml")
    throw Error("this is neither a scene nor a mesh nor a pattern", path,
                "give a .toml, .obj, .glb, .gltf, .usda, .json, .dxf or .weftcache file");
  refuse_units(path, !obstacles.empty(), units);
  Scene scene = read_scene(path);
  add_obstacles(scene, obstacles, units);
  return scene;
}

std::vector<std::string> vertices_argument(int vertices) { return {"--vertices", std::to_string(vertices)}; }

int vertices_of_arguments(const std::vector<std::string>& arguments) {
  const auto name = std::find(arguments.begin(), arguments.end(), "--vertices");
  if (name == arguments.end() || std::next(name) == arguments.end()) return 0;
  const std::string& text = *std::next(name);
  int vertices = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), vertices);
  if (code != std::errc() || end != text.data() + text.size() || vertices < 4)
    throw Error("'" + shortened(text) + "' is no number of vertices", "--vertices", "write 4 or more");
  return vertices;
}

void set_vertices(Scene& scene, int vertices) {
  if (vertices <= 0) return;
  if (scene.cloths.empty())
    throw Error("the scene has no cloth, whose vertices it would set", "--vertices",
                "set the edge of its solids in the scene file");
  scene.cloths.front().vertices = vertices;
}

void add_plugins(Scene& scene, const std::vector<std::string>& paths) {
  for (const std::string& path : paths) scene.of<PluginList>().add(load_plugin(path));
}

std::vector<std::string> plugins_of_arguments(const std::vector<std::string>& arguments) {
  std::vector<std::string> paths;
  for (size_t i = 0; i + 1 < arguments.size(); ++i)
    if (arguments[i] == "--plugin") paths.push_back(arguments[i + 1]);
  return paths;
}

std::pair<std::string, std::string> split_setting(const std::string& setting) {
  const size_t at = setting.find('=');
  if (at == std::string::npos || at == 0)
    throw Error("'" + setting + "' is not a setting", "--set",
                "write key=value, for example --set step.dt=0.005");
  return {setting.substr(0, at), setting.substr(at + 1)};
}

void apply_settings(const std::vector<std::pair<std::string, std::string>>& settings, Scene& scene,
                    ViewSettings& view) {
  for (const auto& [key, value] : settings) {
    if (key.rfind("view.", 0) == 0) set_view(view, key, value);
    else scene.set(key, value);
  }
}

Scene idle_scene() {
  Scene scene;
  scene.cloths.resize(1);
  scene.cloths[0].vertices = 100;
  return scene;
}

Scene demo_scene() {
  Scene scene = read_scene(default_scene_path());
  ScriptedDrag drag;
  drag.at = {0.5f, 0.0f};
  drag.begin = 2;
  drag.end = 6;
  drag.keys = {{0, {0, 0, 0}, {}},
               {1.2f, {0.02f, 0.1f, 0.19f}, {}},
               {2.4f, {0.15f, 0.19f, 0.1f}, {}},
               {3.6f, {-0.15f, 0.21f, 0.12f}, {}}};
  scene.drags.push_back(drag);
  return scene;
}

}  // namespace weft
