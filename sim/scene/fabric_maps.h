// Maps that are painted on cloth: numbers per vertex that scale a parameter of its fabric.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/params.h"
#include "sim/mesh/painted.h"

namespace weft {

class TomlTable;
struct Cloth;
struct TriMesh;

/// One map. The parameter at a vertex is the fabric's, times from + value (to - from).
struct FabricMap {
  std::string parameter;  // one of painted_parameters()
  std::string attribute;  // of the cloth's file, as VertexAttribute has it; or
  std::string file;  // numbers as text, one for each vertex of the cloth's file; relative to the scene; or
  std::shared_ptr<const std::vector<float>> values;  // the same in memory; not in files
  float from = 0, to = 1;
  bool operator==(const FabricMap&) const = default;
};

/// Maps of cloths by their names: one of a scene's blocks of parameters (Scene::of). None can be set in a
/// run.
struct FabricMaps {
  std::map<std::string, std::vector<FabricMap>> of;
  bool operator==(const FabricMaps&) const = default;
  void describe(ParamVisitor&) {}
};

/// What a map does to a parameter colours the cloth under this and the parameter's key: "map_friction".
inline constexpr std::string_view kMapField = "map_";

/// Keys of the fabric's parameters that may be painted, in the order of Painted.
const std::vector<std::string>& painted_parameters();
/// The one of this key. Throws Error `where` that names those that may be painted.
Painted painted_parameter(const std::string& key, const std::string& where);

/// The [[cloth.map]] tables of a cloth. Throws Error "file:line".
std::vector<FabricMap> read_fabric_maps(TomlTable& cloth);
/// As [[cloth.map]] tables that read back to the same maps.
std::string fabric_maps_as_toml(const std::vector<FabricMap>& maps);

/// Makes a mesh's factors (CornerTextures::painted and factor) of maps, and drops its attributes. `folder`:
/// of the scene. `remeshed`: it may have other vertices than its file, so that only attributes fit. Throws
/// Error for attributes and files that are not there, lists of another length, values that are not finite
/// and factors that are out of range.
void paint(TriMesh& mesh, const Cloth& cloth, const std::vector<FabricMap>& maps, const std::string& folder,
           bool remeshed);

}  // namespace weft
