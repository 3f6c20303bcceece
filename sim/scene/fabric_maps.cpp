#include "sim/scene/fabric_maps.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/base/nearest.h"
#include "sim/base/shorten.h"
#include "sim/scene/scene.h"
#include "sim/scene/toml/toml_table.h"
#include "sim/scene/toml/toml_text.h"

namespace weft {
namespace {

// A sheet without stiffness or mass has no state of its own at rest; beyond a thousand the fabric is another.
constexpr float kLeastFactor = 1e-3f, kMostFactor = 1e3f;

float least_factor(Painted parameter) {
  return parameter == Painted::stretch_stiffness || parameter == Painted::areal_density ? kLeastFactor : 0;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// Numbers between white space, commas or semicolons.
std::vector<float> numbers_of_file(const std::string& path) {
  const std::string text = read_text_file(path, "a painted map");
  std::vector<float> values;
  int line = 1;
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    if (const char c = *at; c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',' || c == ';') {
      line += c == '\n', ++at;
      continue;
    }
    float value = 0;
    const auto [next, code] = std::from_chars(at, end, value);
    if (code != std::errc())
      throw Error(fmt::format("'{}' is no number", shortened(std::string(at, std::find(at, end, '\n')), 40)),
                  fmt::format("{}:{}", path, line), "write one number for each vertex of the cloth");
    values.push_back(value), at = next;
  }
  return values;
}

/// Of the mesh's vertices, of numbers of the vertices of its file.
std::vector<float> of_mesh(const std::vector<float>& given, const TriMesh& mesh, const std::string& what,
                           const std::string& owner) {
  const size_t count = mesh.positions.size(),
               wanted = mesh.input.vertex.empty() ? count : mesh.input.vertex.size();
  if (given.size() != wanted)
    throw Error(fmt::format("{} has {} numbers, and the cloth has {} vertices", what, given.size(), wanted),
                owner, "give one number for each vertex, in the order of its mesh");
  std::vector<float> values;
  for (const int v : mesh.input.first_numbers(int(count))) values.push_back(v < 0 ? NAN : given[size_t(v)]);
  return values;
}

const std::vector<float>& of_attribute(const TriMesh& mesh, const Cloth& cloth, const std::string& name,
                                       const std::string& owner) {
  std::vector<std::string> names;
  for (const VertexAttribute& a : mesh.attributes) {
    if (a.name == name) return a.values;
    names.push_back(a.name);
  }
  const std::string missing = "its mesh has no attribute '" + shortened(name, 60) + "'";
  if (cloth.file.empty())
    throw Error(missing, owner, "only cloth from a file has attributes: give the map a file of numbers");
  throw Error(missing, owner,
              names.empty() ? "the file has none: paint it, or export it with its attributes"
                            : "it has " + listed(names));
}

std::vector<float> values_of(const TriMesh& mesh, const Cloth& cloth, const FabricMap& map,
                             const std::string& folder, bool remeshed, const std::string& owner) {
  if (map.values) return of_mesh(*map.values, mesh, "the list", owner);
  if (map.file.empty()) return of_attribute(mesh, cloth, map.attribute, owner);
  if (remeshed)
    throw Error("a file of numbers belongs to the vertices of the cloth's file, and the cloth is remeshed",
                owner, "add remesh = \"never\" to the cloth, or paint the map on its mesh");
  const std::filesystem::path path(map.file);
  const std::filesystem::path there = path.is_absolute() ? path : std::filesystem::path(folder) / path;
  return of_mesh(numbers_of_file(there.string()), mesh, map.file, owner);
}

PaintedFactors factors_of(const std::vector<float>& values, const FabricMap& map, const std::string& owner) {
  PaintedFactors out{painted_parameter(map.parameter, owner), {}};
  const float least = least_factor(out.parameter);
  for (size_t v = 0; v < values.size(); ++v) {
    if (!std::isfinite(values[v]))
      throw Error(fmt::format("vertex {} (counted from 0) has no number there", v), owner,
                  "paint all of the cloth");
    const float factor = map.from + values[v] * (map.to - map.from);
    if (!(factor >= least && factor <= kMostFactor))
      throw Error(fmt::format("the value {:g} at vertex {} (counted from 0) makes the factor {:g}, and "
                              "factors on {} are {:g} to {:g}",
                              values[v], v, factor, map.parameter, least, kMostFactor),
                  owner, "change from and to: the factors at the values 0 and 1");
    out.factor.push_back(factor);
  }
  return out;
}

/// The component of CornerTextures::factor, or -1.
int component_of(Painted parameter) {
  switch (parameter) {
    case Painted::stretch_stiffness: return 0;
    case Painted::bending_rigidity: return 1;
    case Painted::areal_density: return 2;
    default: return -1;
  }
}

}  // namespace

const std::vector<std::string>& painted_parameters() {
  static const std::vector<std::string> all = {"stretch_stiffness", "bending_rigidity", "areal_density",
                                               "internal_damping",  "inner_pressure",   "friction",
                                               "self_friction"};
  return all;
}

Painted painted_parameter(const std::string& key, const std::string& where) {
  const std::vector<std::string>& all = painted_parameters();
  const auto at = std::find(all.begin(), all.end(), key);
  if (at != all.end()) return Painted(at - all.begin());
  throw Error("'" + shortened(key, 60) + "' cannot be painted", where, "these can: " + listed(all));
}

std::vector<FabricMap> read_fabric_maps(TomlTable& cloth) {
  std::vector<FabricMap> maps;
  for (TomlTable& t : cloth.tables("map")) {
    FabricMap map;
    if (!t.read("parameter", map.parameter))
      t.fail("", "a map needs a parameter of the fabric", "add parameter = \"bending_rigidity\"");
    try {
      painted_parameter(map.parameter, "");
    } catch (const Error& e) {
      t.fail("parameter", e.what_happened, e.what_to_do);
    }
    const bool attribute = t.read("attribute", map.attribute), file = t.read("file", map.file);
    if (attribute == file || (map.attribute.empty() && map.file.empty()))
      t.fail(attribute && file ? "file" : "", "a map is either an attribute of the mesh or a file of numbers",
             "give one: attribute = \"color\", or file = \"stiffness.txt\"");
    t.read("from", map.from, -1e6, 1e6);
    t.read("to", map.to, -1e6, 1e6);
    t.finish();
    maps.push_back(map);
  }
  return maps;
}

std::string fabric_maps_as_toml(const std::vector<FabricMap>& maps) {
  std::string text;
  for (const FabricMap& map : maps) {
    const bool file = !map.file.empty();
    text +=
        fmt::format("[[cloth.map]]\n{} = {}\nparameter = {}\nfrom = {}\nto = {}\n",
                    file ? "file" : "attribute", toml_text::quoted(file ? map.file : map.attribute),
                    toml_text::quoted(map.parameter), toml_text::value(map.from), toml_text::value(map.to));
  }
  return text;
}

void paint(TriMesh& mesh, const Cloth& cloth, const std::vector<FabricMap>& maps, const std::string& folder,
           bool remeshed) {
  for (const FabricMap& map : maps) {
    const std::string owner = "map of " + map.parameter + " of cloth " + cloth.name;
    PaintedFactors painted = factors_of(values_of(mesh, cloth, map, folder, remeshed, owner), map, owner);
    if (const int k = component_of(painted.parameter); k >= 0) {
      mesh.corners.factor.resize(mesh.triangles.size(), vec3(1));
      for (size_t t = 0; t < mesh.triangles.size(); ++t)
        mesh.corners.factor[t][k] *= painted_mean(painted.factor, mesh.triangles[t]);
    }
    mesh.corners.painted.push_back(std::move(painted));
  }
  mesh.attributes.clear();
}

}  // namespace weft
