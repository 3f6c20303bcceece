#include "sim/scene/text/import_questions.h"

#include "sim/scene/model/body_file.h"
#include "sim/scene/scene_names.h"
#include "sim/scene/text/scene_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace weft {
namespace {

// Sizes (m, diagonals of bounds) that raise no question, and those that an answer must lead to.
constexpr double kLeastSize = 0.01, kMostCloth = 15, kMostBody = 40, kMostRatio = 25;
constexpr double kLikelyLeast = 0.05, kLikelyMostCloth = 12, kLikelyMostBody = 20;

// By which questions are known.
const std::string kUnitPrefix = "units: ", kUpPrefix = "up axis: ";

/// All cloths, or all bodies, that files hold.
struct Group {
  const char* noun;    // "cloth", "body"
  const char* option;  // on the command line
  const char* table;   // in a scene file
  double size = 0;     // m: the largest of them; 0 where there are none
  float scale = 1;     // of the largest group
  bool from_file = false;
  bool states_unit = false;  // the file of the largest one
};

struct Unit {
  double factor;
  const char* name;
};
constexpr std::array<Unit, 4> kUnits{
    {{1, "metres"}, {0.01, "centimetres"}, {0.001, "millimetres"}, {100, "units of 100 m"}}};

double ratio_of(double a, double b) { return a > 0 && b > 0 ? std::max(a / b, b / a) : 1; }

bool within(double size, double least, double most) { return size == 0 || (size >= least && size <= most); }

/// True if these sizes need no question.
bool unremarkable(const Group& cloth, const Group& body) {
  return (!cloth.from_file || within(cloth.size, kLeastSize, kMostCloth)) &&
         (!body.from_file || within(body.size, kLeastSize, kMostBody)) &&
         ratio_of(cloth.size, body.size) <= kMostRatio;
}

/// The units of cloth and body, with the fewest changes, that give sizes of garments and people; {1, 1} if
/// none do.
std::array<Unit, 2> likely_units(const Group& cloth, const Group& body) {
  std::array<Unit, 2> best{kUnits[0], kUnits[0]};
  double least = 1e30;
  for (const Unit& c : kUnits)
    for (const Unit& b : kUnits) {
      if ((c.factor != 1 && (!cloth.from_file || cloth.size == 0)) ||
          (b.factor != 1 && (!body.from_file || body.size == 0)))
        continue;
      const double cs = c.factor * cloth.size, bs = b.factor * body.size;
      const bool fits = (!cloth.from_file || within(cs, kLikelyLeast, kLikelyMostCloth)) &&
                        (!body.from_file || within(bs, kLikelyLeast, kLikelyMostBody));
      if (!fits || ratio_of(cs, bs) > kMostRatio) continue;
      const auto far = [](double size) { return size > 0 ? std::abs(std::log10(size)) : 0.0; };
      const double cost =
          far(cs) + far(bs) + std::log10(ratio_of(cs, bs)) + 0.2 * ((c.factor != 1) + (b.factor != 1));
      if (cost < least) least = cost, best = {c, b};
    }
  return best;
}

std::string metres(double size) {
  return size < 0.01 ? fmt::format("{:.3g} mm", 1e3 * size) : fmt::format("{:.3g} m", size);
}

/// One significant digit: 121 is "about 100".
double rounded(double ratio) {
  const double unit = std::pow(10.0, std::floor(std::log10(ratio)));
  return std::round(ratio / unit) * unit;
}

std::string what_is_odd(const Group& cloth, const Group& body) {
  if (ratio_of(cloth.size, body.size) > kMostRatio) {
    const bool body_larger = body.size > cloth.size;
    const Group &large = body_larger ? body : cloth, &small = body_larger ? cloth : body;
    return fmt::format("the {} is about {:g} times as large as the {} ({} and {} across)", large.noun,
                       rounded(large.size / small.size), small.noun, metres(large.size), metres(small.size));
  }
  if (cloth.from_file && cloth.size > 0 && body.from_file && body.size > 0)
    return fmt::format("the cloth is {} across and the body {}", metres(cloth.size), metres(body.size));
  const Group& only = cloth.from_file && cloth.size > 0 ? cloth : body;
  return fmt::format("the {} is {} across", only.noun, metres(only.size));
}

/// "--obstacle-scale 0.01", or a key of the scene file.
std::string remedy(const Group& group, double factor, bool scene_file) {
  const std::string scale = fmt::format("{:.6g}", double(group.scale) * factor);
  if (scene_file && group.scale == 1 && !group.states_unit)
    for (const std::string& unit : file_units())
      if (metres_of(unit) == factor) return fmt::format("unit = \"{}\" in [[{}]]", unit, group.table);
  return scene_file ? fmt::format("scale = {} in [[{}]]", scale, group.table)
                    : fmt::format("{} {}", group.option, scale);
}

std::string unit_question(const Group& cloth, const Group& body, bool scene_file) {
  if (unremarkable(cloth, body)) return {};
  const auto [c, b] = likely_units(cloth, body);
  const std::string odd = what_is_odd(cloth, body), metres_here = "Weft works in metres";
  if (c.factor == 1 && b.factor == 1) {
    const Group& sure = cloth.from_file && cloth.size > 0 ? cloth : body;
    return fmt::format("{}; {}, and {} scales a file", odd, metres_here,
                       scene_file ? "unit = \"cm\"" : std::string(sure.option) + " 0.01");
  }
  if (c.factor != 1 && b.factor != 1)
    return fmt::format("{}; are the files in {}{}? Try {} and {} ({})", odd, c.name,
                       c.factor == b.factor ? "" : std::string(" and ") + b.name,
                       remedy(cloth, c.factor, scene_file), remedy(body, b.factor, scene_file), metres_here);
  const bool of_cloth = c.factor != 1;
  return fmt::format(
      "{}; is the {} in {}? Try {} ({})", odd, of_cloth ? cloth.noun : body.noun, of_cloth ? c.name : b.name,
      of_cloth ? remedy(cloth, c.factor, scene_file) : remedy(body, b.factor, scene_file), metres_here);
}

/// True if something with a depth stands along an axis above 0 and is centred around 0 of the axis `depth`,
/// like a figure modelled with that axis up.
bool stands_along(const Bounds& b, float low, float high, float near, float far) {
  const float height = high - low, depth = far - near;
  return !b.empty() && low >= -0.02f * height && std::abs(near + far) < 0.5f * depth &&
         height > 1.2f * depth && depth > 0.1f * height;
}

/// True if cloth is above the bodies along the file's z axis and beside them along y.
bool lies_over_along_z(const Bounds& cloth, const Bounds& body) {
  if (cloth.empty() || body.empty()) return false;
  const vec3 c = cloth.center(), extent = body.max - body.min;
  const bool beside = c.x > body.min.x && c.x < body.max.x && c.y > body.min.y && c.y < body.max.y;
  return beside && cloth.min.z >= body.max.z - 0.1f * extent.z &&
         cloth.max.z - cloth.min.z < 0.2f * (cloth.max.y - cloth.min.y);
}

/// The `up` of all meshes from files; "" if they differ or something has been rotated or moved.
std::string common_up(const Scene& scene) {
  std::string up;
  const auto take = [&](const Placement& p) {
    const std::string own = p.rotation == kUpIsZ ? "z" : "y";
    const bool by_hand = (p.rotation != vec3(0) && own == "y") || p.position != vec3(0);
    up = by_hand || (!up.empty() && up != own) ? "mixed" : own;
  };
  for (const Cloth& c : scene.cloths)
    if (c.shape == ClothShape::obj && up != "mixed") take(c.placement);
  for (const Obstacle& o : scene.obstacles)
    if (o.shape == ObstacleShape::mesh && up != "mixed") take(o.placement);
  return up == "mixed" ? "" : up;
}

std::string up_question(const Scene& scene, const Bounds& cloth, const Bounds& body) {
  const std::string up = common_up(scene);
  const Bounds& main = body.empty() ? cloth : body;
  if (up.empty() || main.empty()) return {};
  const bool scene_file = !scene.path.empty();
  const bool along_y = stands_along(main, main.min.y, main.max.y, main.min.z, main.max.z);
  if (up == "y" && !along_y &&
      (stands_along(main, main.min.z, main.max.z, main.min.y, main.max.y) || lies_over_along_z(cloth, body)))
    return fmt::format("the files appear to have z up, while Weft has y up; if so, try {}",
                       scene_file ? "up = \"z\" in [[cloth]] and [[obstacle]]" : "--up z");
  if (up == "z" && along_y && !stands_along(main, main.min.z, main.max.z, main.min.y, main.max.y))
    return fmt::format("with z up the meshes lie on their backs; if the files have y up, leave out {}",
                       scene_file ? "up = \"z\"" : "--up z");
  return {};
}

}  // namespace

std::vector<std::string> import_questions(const Scene& scene, const std::vector<Bounds>& cloths,
                                          const std::vector<Bounds>& bodies) {
  Group cloth{"cloth", "--cloth-scale", "cloth"}, body{"body", "--obstacle-scale", "obstacle"};
  Bounds file_cloth, file_body;
  const auto take = [](Group& group, const Bounds& box, float scale, bool from_file, Bounds& of_files,
                       bool states_unit = false) {
    if (box.empty()) return;
    if (from_file) of_files.add(box.min), of_files.add(box.max);
    if (double(box.diagonal()) <= group.size) return;
    group.size = double(box.diagonal()), group.scale = scale, group.from_file = from_file;
    group.states_unit = states_unit;
  };
  for (size_t i = 0; i < scene.cloths.size() && i < cloths.size(); ++i)
    take(cloth, cloths[i], scene.cloths[i].placement.scale, scene.cloths[i].shape == ClothShape::obj,
         file_cloth);
  for (size_t i = 0; i < scene.obstacles.size() && i < bodies.size(); ++i)
    if (scene.obstacles[i].shape == ObstacleShape::mesh)
      take(body, bodies[i], scene.obstacles[i].placement.scale, true, file_body,
           states_unit(body_file(scene.obstacles[i])));
  std::vector<std::string> questions;
  if (file_cloth.empty() && file_body.empty()) return questions;
  const bool scene_file = !scene.path.empty();
  if (const std::string words = unit_question(cloth, body, scene_file); !words.empty())
    questions.push_back(kUnitPrefix + words);
  if (const std::string words = up_question(scene, file_cloth, file_body); !words.empty())
    questions.push_back(kUpPrefix + words);
  return questions;
}

bool is_import_question(const std::string& notice) {
  return notice.starts_with(kUnitPrefix) || notice.starts_with(kUpPrefix);
}

}  // namespace weft
