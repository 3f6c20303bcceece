#include "viewer/commands/lane_spec.h"

#include <fmt/format.h>

#include <charconv>

#include "sim/base/error.h"
#include "sim/scene/assets.h"
#include "viewer/commands/scene_input.h"

namespace weft {
namespace {

/// At commas outside of brackets.
std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (c == ',' && depth == 0) parts.emplace_back();
    else parts.back() += c;
  }
  return parts;
}

float read_edge(const std::string& text) {
  float edge = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), edge);
  if (code != std::errc() || end != text.data() + text.size() || !(edge > 0) || edge > 1e3f)
    throw Error("'" + text + "' is no edge length in metres", "--lane", "write for example edge=0.02");
  return edge;
}

DeviceChoice read_device(const std::string& text) {
  if (text == "cpu") return DeviceChoice::cpu;
  if (text == "cuda") return DeviceChoice::cuda;
  throw Error("'" + text + "' is no device of a lane", "--lane", "write device=cpu or device=cuda");
}

std::string full_key(const std::string& key) {
  for (const char* short_key : {"solver", "collision", "dt"})
    if (key == short_key) return std::string("step.") + key;
  return key;
}

/// Newton's method as far as it goes: steps that are left before they are solved are rare, and told by the
/// residual.
const std::vector<std::pair<const char*, const char*>> kSolvedToTheEnd = {
    {"step.solver", "newton"},       {"newton.steps", "60"},          {"newton.tolerance", "0.001"},
    {"newton.cg_iterations", "300"}, {"newton.cg_tolerance", "0.01"}, {"newton.forcing_terms", "0"},
    {"newton.line_search", "true"}};

void solve_to_the_end(Scene& scene) {
  scene.set("step.dt", fmt::format("{:.9g}", 0.25 * double(scene.step.dt)));
  for (const auto& [key, value] : kSolvedToTheEnd) scene.set(key, value);
}

/// Another mesh has other vertices under the same numbers.
void refuse_numbered_pins(const Scene& scene, const LaneSpec& lane) {
  for (const Pin& pin : scene.pins)
    if (!pin.vertices.empty())
      throw Error("a pin names vertices of the mesh that the scene has", "lane " + lane.name,
                  "leave out edge, or pin places (where)");
}

}  // namespace

LaneSpec read_lane(const std::string& text) {
  LaneSpec lane;
  lane.text = text;
  for (const std::string& part : split_at_commas(text)) {
    if (part.find('=') == std::string::npos || part.front() == '=')
      throw Error("'" + part + "' is not key=value", "--lane",
                  "write for example --lane solver=descent,collision=ndb,dt=0.005");
    const auto [key, value] = split_setting(part);
    if (key == "name") lane.name = value;
    else if (key == "device") lane.device = read_device(value), lane.own_device = true;
    else if (key == "edge") lane.edge = read_edge(value);
    else if (key == "reference" && value == "true") lane.reference = true;
    else if (key == "preset") {
      const PaperPreset preset = paper_preset(value);
      lane.settings.insert(lane.settings.end(), preset.settings.begin(), preset.settings.end());
    } else lane.settings.emplace_back(full_key(key), value);
  }
  if (lane.name.empty()) lane.name = text;
  return lane;
}

Scene lane_scene(Scene scene, const LaneSpec& lane) {
  if (lane.edge > 0 && scene.cloths.empty())
    throw Error("the scene has no cloth, whose edge length it would be", "lane " + lane.name,
                "leave out edge");
  if (lane.edge > 0) refuse_numbered_pins(scene, lane);
  for (Cloth& cloth : scene.cloths) {
    if (lane.edge <= 0) break;
    if (cloth.mesh)
      throw Error("cloth " + cloth.name + " has the mesh that it has, and no other edge length",
                  "lane " + lane.name, "leave out edge");
    (cloth.shape == ClothShape::obj ? cloth.remesh_edge : cloth.edge) = lane.edge;
  }
  if (lane.reference) solve_to_the_end(scene);
  for (const auto& [key, value] : lane.settings) {
    if (key.rfind("view.", 0) == 0)
      throw Error("pictures of all lanes look alike", "lane " + lane.name + ": " + key, "give it with --set");
    scene.set(key, value);
  }
  return scene;
}

double lane_budget(const LaneSpec& lane, double budget, double step, double longest) {
  return lane.reference || longest <= 0 ? 0 : budget * step / longest;
}

std::set<std::string> own_keys(const LaneSpec& lane) {
  std::set<std::string> keys;
  for (const auto& [key, value] : lane.settings) keys.insert(key);
  if (!lane.reference) return keys;
  keys.insert("step.dt");
  for (const auto& [key, value] : kSolvedToTheEnd) keys.insert(key);
  return keys;
}

}  // namespace weft
