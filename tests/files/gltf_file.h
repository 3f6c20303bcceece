// Small glTF files of a test's own: a square plate of two triangles, and what is added to it.
#pragma once
#include <string>
#include <vector>

#include "sim/files/gltf_document.h"
#include "tests/support/folder.h"

namespace weft::testing {

/// A document whose mesh 0 is a square in the plane z = 0, from (0, 0) to (1, 1), shown by node 0.
class PlateFile : public GltfDocument {
 public:
  static inline const std::vector<vec3> kCorners{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  PlateFile() {
    const std::vector<uint32_t> corners{0, 1, 2, 0, 2, 3};
    Json primitive = {{"attributes", {{"POSITION", vectors(kCorners)}}},
                      {"indices", add(corners, "SCALAR", kUnsignedInt, 6, kIndices)}};
    json["meshes"] = Json::array({{{"name", "plate"}, {"primitives", Json::array({primitive})}}});
    json["nodes"] = Json::array({{{"name", "plate"}, {"mesh", 0}}});
    json["scenes"] = Json::array({{{"nodes", {0}}}});
  }
  int vectors(const std::vector<vec3>& v) { return add(v, "VEC3", kFloat, v.size(), kPlain); }
  int scalars(const std::vector<float>& v) { return add(v, "SCALAR", kFloat, v.size(), kPlain); }
  int vectors4(const std::vector<vec4>& v) { return add(v, "VEC4", kFloat, v.size(), kPlain); }
  Json& primitive() { return json["meshes"][0]["primitives"][0]; }
  /// An animation of one channel.
  void animate(const std::string& name, int node, const char* path, int times, int values,
               const char* interpolation = "LINEAR") {
    json["animations"].push_back(
        {{"name", name},
         {"channels", Json::array({{{"sampler", 0}, {"target", {{"node", node}, {"path", path}}}}})},
         {"samplers",
          Json::array({{{"input", times}, {"output", values}, {"interpolation", interpolation}}})}});
  }
  /// All corners follow the nodes 1 and 2, with these shares of the second.
  void skin(const std::vector<float>& second, const std::vector<mat4>& inverse_bind) {
    std::vector<std::array<uint16_t, 4>> joints(second.size(), {0, 1, 0, 0});
    std::vector<vec4> weights;
    for (const float s : second) weights.push_back({1 - s, s, 0, 0});
    primitive()["attributes"]["JOINTS_0"] = add(joints, "VEC4", kUnsignedShort, joints.size(), kPlain);
    primitive()["attributes"]["WEIGHTS_0"] = vectors4(weights);
    json["nodes"][0]["skin"] = 0;
    json["nodes"].push_back({{"name", "lower"}, {"children", {2}}});
    json["nodes"].push_back({{"name", "upper"}, {"translation", {0, 0.5, 0}}});
    json["scenes"][0]["nodes"] = {0, 1};
    json["skins"] = Json::array({{{"joints", {1, 2}}}});
    if (!inverse_bind.empty())
      json["skins"][0]["inverseBindMatrices"] =
          add(inverse_bind, "MAT4", kFloat, inverse_bind.size(), kPlain);
  }
};

}  // namespace weft::testing
