#include "sim/plugin/host_plugin.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/base/error.h"
#include "sim/base/shorten.h"

namespace weft {
namespace {

bool is_word(const std::string& text) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !text.empty() && text.size() <= 60 && std::all_of(text.begin(), text.end(), fits);
}

}  // namespace

void check_elements(const HostEnergy& energy, int vertices, const std::string& where) {
  const int points = energy.points();
  if (points < 1 || points > 4)
    throw Error(fmt::format("its elements have {} vertices", points), where, "give 1 to 4");
  const std::vector<int>& all = energy.elements();
  if (all.size() % size_t(points) != 0)
    throw Error(fmt::format("{} numbers are no elements of {} vertices", all.size(), points), where);
  for (size_t e = 0; e < all.size() / size_t(points); ++e) {
    std::set<int> seen;
    for (size_t p = 0; p < size_t(points); ++p) {
      const int v = all[e * size_t(points) + p];
      if (v < 0 || v >= vertices)
        throw Error(fmt::format("element {} names vertex {}, and there are {} vertices", e, v, vertices),
                    where, "count vertices from 0, over all parts");
      if (!seen.insert(v).second)
        throw Error(fmt::format("element {} has vertex {} twice", e, v), where, "leave it out");
    }
  }
}

void check_plugin(const HostPlugin& plugin) {
  const std::string where = "plugin " + shortened(plugin.name(), 60) + " (" + plugin.origin() + ")";
  if (!is_word(plugin.name()))
    throw Error("this cannot be the name of a plug-in", where, "use letters, digits, _ and -");
  if (!plugin.has_energy() && !plugin.has_filter())
    throw Error("it has neither an energy nor a filter", where, "give it one");
  std::set<std::string> keys = {"on", "strength"};
  for (const HostParameter& p : plugin.parameters()) {
    if (!is_word(p.key))
      throw Error("'" + shortened(p.key, 60) + "' cannot be the key of a parameter", where,
                  "use letters, digits, _ and -");
    if (!keys.insert(p.key).second)
      throw Error("the parameter '" + p.key + "' is there twice, or is one that every plug-in has", where,
                  "choose another key");
    if (!(std::abs(p.min) <= 1e30 && std::abs(p.max) <= 1e30 && p.min <= p.fallback && p.fallback <= p.max))
      throw Error(fmt::format("the default of '{}' is not between {} and {}", p.key, p.min, p.max), where,
                  "give finite bounds around it");
  }
}

}  // namespace weft
