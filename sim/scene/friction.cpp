#include "sim/scene/friction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/nearest.h"
#include "sim/base/param_rows.h"
#include "sim/base/shorten.h"
#include "sim/scene/scene.h"
#include "sim/scene/solids.h"
#include "sim/scene/toml/toml_table.h"
#include "sim/scene/toml/toml_text.h"

namespace weft {
namespace {

bool same_pair(const FrictionPair& a, const FrictionPair& b) {
  return (a.first == b.first && a.second == b.second) || (a.first == b.second && a.second == b.first);
}

/// Of two values, negative where nothing is said.
float combined(float a, float b) {
  if (a < 0 || b < 0) return std::max(a, b);
  return a == b ? a : std::sqrt(a * b);
}

/// Of each material whether a name means it.
std::vector<char> meant_by(const std::string& name, const Scene& scene, int cloths) {
  std::vector<char> meant(size_t(cloths) + scene.obstacles.size() + 1, 0);
  const size_t own = scene.cloths.size();
  for (size_t p = 0; p < size_t(part_count(scene)); ++p)
    meant[p] = part_name(scene, int(p)) == name || (p < own && scene.cloths[p].fabric_name == name);
  for (size_t o = 0; o < scene.obstacles.size(); ++o)
    meant[size_t(cloths) + o] = scene.obstacles[o].name == name;
  if (name == kGroundName) meant.back() = 1;
  return meant;
}

}  // namespace

void FrictionPairs::describe(ParamVisitor& v) {
  const ParamRows row(v);
  for (FrictionPair& pair : list)
    row(pair.coefficient,
        param(pair.first + "." + pair.second, pair.first + " on " + pair.second).range(0, 5),
        "Coulomb friction coefficient between the two, whatever fabrics, bodies and methods say. More: they "
        "slide less on each other. 0: none.");
}

std::vector<FrictionPair> read_friction_pairs(TomlTable& root, const Scene& scene,
                                              const std::vector<std::string>& fabrics) {
  std::vector<std::string> soft = fabrics, all;
  for (const Cloth& c : scene.cloths) soft.push_back(c.name), soft.push_back(c.fabric_name);
  for (int p = int(scene.cloths.size()); p < part_count(scene); ++p) soft.push_back(part_name(scene, p));
  all = soft;
  for (const Obstacle& o : scene.obstacles) all.push_back(o.name);
  all.push_back(kGroundName);
  const auto in = [](const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  std::vector<FrictionPair> pairs;
  for (TomlTable& t : root.tables("friction")) {
    std::vector<std::string> names;
    FrictionPair pair;
    if (!t.read("between", names) || names.size() != 2)
      t.fail("between", "friction is between two things", "write between = [\"silk\", \"table\"]");
    for (const std::string& name : names)
      if (!in(all, name))
        t.fail("between", "no cloth, fabric or body is called '" + shortened(name, 80) + "'",
               did_you_mean(name, all));
    if (!in(soft, names[0]) && !in(soft, names[1]))
      t.fail("between", "both are bodies, which do not rub on each other", "name a cloth or a fabric");
    pair.first = names[0], pair.second = names[1];
    if (!t.read("coefficient", pair.coefficient, 0, 5))
      t.fail("", "friction needs a coefficient", "add coefficient = 0.3");
    t.finish();
    if (std::any_of(pairs.begin(), pairs.end(), [&](const auto& p) { return same_pair(p, pair); }))
      t.fail("between", "this pair has a coefficient already", "keep one of the two");
    pairs.push_back(pair);
  }
  return pairs;
}

std::string friction_pairs_as_toml(const std::vector<FrictionPair>& pairs) {
  std::string text;
  for (const FrictionPair& p : pairs)
    text += fmt::format("\n[[friction]]\nbetween = [{}, {}]\ncoefficient = {}\n", toml_text::quoted(p.first),
                        toml_text::quoted(p.second), toml_text::value(p.coefficient));
  return text;
}

std::vector<float> friction_coefficients(const Scene& scene, int cloths) {
  const size_t n = size_t(cloths), bodies = scene.obstacles.size(), materials = n + bodies + 1;
  std::vector<float> all(n * materials, -1.0f);
  for (size_t c = 0; c < n; ++c) {
    const size_t parts = size_t(part_count(scene));
    const FabricParams unknown;
    const auto surface = [&](size_t p) -> const FabricParams& {
      return p < parts ? surface_of(scene, int(p)) : unknown;
    };
    const float own = surface(c).friction, own_self = surface(c).self_friction;
    float* row = &all[c * materials];
    for (size_t o = 0; o < n; ++o) row[o] = combined(own_self, surface(o).self_friction);
    for (size_t b = 0; b <= bodies; ++b) {
      const float said = combined(own, b < bodies ? scene.obstacles[b].friction : -1);
      row[n + b] = said < 0 ? scene.contact.friction : said;
    }
  }
  for (const FrictionPair& pair : scene.of<FrictionPairs>().list) {
    const std::vector<char> first = meant_by(pair.first, scene, cloths),
                            second = meant_by(pair.second, scene, cloths);
    for (size_t c = 0; c < n; ++c)
      for (size_t m = 0; m < materials; ++m)
        if ((first[c] && second[m]) || (second[c] && first[m])) all[c * materials + m] = pair.coefficient;
  }
  return all;
}

}  // namespace weft
