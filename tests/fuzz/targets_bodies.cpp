#include <algorithm>
#include <cmath>

#include "sim/base/error.h"
#include "sim/files/gltf_body.h"
#include "sim/files/gltf_document.h"
#include "sim/files/usda_body.h"
#include "tests/fuzz/scratch.h"
#include "tests/fuzz/targets.h"

namespace weft::fuzz {
namespace {

void play(const GltfBody& body) {
  const int animations = std::min(int(body.animations().size()), 8);
  size_t vertices = 0;
  for (int a = -1; a < animations; ++a)
    for (const double share : {-1.0, 0.0, 0.37, 1.0, 2.0}) {
      std::vector<vec3> x;
      body.positions(a, share * body.duration(a), x);
      require(vertices == 0 || x.size() == vertices, "every pose has every vertex");
      vertices = x.size();
      for (const vec3& p : x)
        require(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z), "positions are finite");
    }
  require(!body.triangles().empty(), "there are triangles");
  for (const ivec3& t : body.triangles())
    for (int k = 0; k < 3; ++k) require(t[k] >= 0 && size_t(t[k]) < vertices, "triangles name vertices");
}

/// A strip of three squares on two joints, with a morph target and an animation of each kind.
void write_seed(const std::string& path, bool whole) {
  using Json = GltfDocument::Json;
  GltfDocument file;
  std::vector<vec3> corners, bulge;
  std::vector<std::array<uint16_t, 4>> joints;
  std::vector<vec4> weights;
  for (int i = 0; i < 8; ++i) {
    corners.push_back({float(i % 2), float(i / 2), 0}), bulge.push_back({0, 0, float(i == 4)});
    joints.push_back({0, 1, 0, 0}), weights.push_back({1 - float(i / 2) / 3, float(i / 2) / 3, 0, 0});
  }
  const auto vectors = [&](const std::vector<vec3>& v) {
    return file.add(v, "VEC3", GltfDocument::kFloat, v.size(), GltfDocument::kPlain);
  };
  const std::vector<uint16_t> strip{0, 1, 2, 3, 4, 5, 6, 7};
  Json primitive = {
      {"mode", 5},
      {"attributes", {{"POSITION", vectors(corners)}}},
      {"indices", file.add(strip, "SCALAR", GltfDocument::kUnsignedShort, 8, GltfDocument::kIndices)}};
  file.json["nodes"] = Json::array({{{"mesh", 0}, {"scale", {1, 2, 1}}}});
  file.json["scenes"] = Json::array({{{"nodes", {0}}}});
  if (whole) {
    primitive["targets"] = Json::array({{{"POSITION", vectors(bulge)}}});
    primitive["attributes"]["JOINTS_0"] =
        file.add(joints, "VEC4", GltfDocument::kUnsignedShort, 8, GltfDocument::kPlain);
    primitive["attributes"]["WEIGHTS_0"] =
        file.add(weights, "VEC4", GltfDocument::kFloat, 8, GltfDocument::kPlain);
    file.json["nodes"][0]["skin"] = 0;
    file.json["nodes"].push_back({{"name", "a"}, {"children", {2}}});
    file.json["nodes"].push_back({{"name", "b"}, {"translation", {0, 1, 0}}});
    file.json["scenes"][0]["nodes"].push_back(1);
    file.json["skins"] =
        Json::array({{{"joints", {1, 2}},
                      {"extras", {{"weft_skinning", "dual_quaternion"}}},
                      {"inverseBindMatrices", file.add(std::vector<mat4>(2, mat4(1)), "MAT4",
                                                       GltfDocument::kFloat, 2, GltfDocument::kPlain)}}});
    const auto scalars = [&](const std::vector<float>& v) {
      return file.add(v, "SCALAR", GltfDocument::kFloat, v.size(), GltfDocument::kPlain);
    };
    const std::vector<vec4> turns{{0, 0, 0, 1}, {0.6f, 0, 0, 0.8f}};
    const int times = scalars({0, 1});
    const auto channel = [](int sampler, int node, const char* path) {
      return Json{{"sampler", sampler}, {"target", {{"node", node}, {"path", path}}}};
    };
    file.json["animations"] = Json::array(
        {{{"name", "all"},
          {"channels", {channel(0, 1, "translation"), channel(1, 2, "rotation"), channel(2, 0, "weights")}},
          {"samplers",
           {{{"input", times},
             {"output", vectors({vec3(0), vec3(1), vec3(0), vec3(0), vec3(2), vec3(0)})},
             {"interpolation", "CUBICSPLINE"}},
            {{"input", times},
             {"output", file.add(turns, "VEC4", GltfDocument::kFloat, 2, GltfDocument::kPlain)}},
            {{"input", times}, {"output", scalars({0, 1})}, {"interpolation", "STEP"}}}}}});
  }
  file.json["meshes"] = Json::array({{{"primitives", Json::array({primitive})}}});
  file.write(path);
}

}  // namespace

void gltf(const std::string& bytes) {
  const ScratchFolder& folder = ScratchFolder::get();
  try {
    play(GltfBody(folder.write(bytes.starts_with("glTF") ? "input.glb" : "input.gltf", bytes), 0));
  } catch (const Error&) {}
}

void usda(const std::string& bytes) {
  const ScratchFolder& folder = ScratchFolder::get();
  try {
    const UsdaBody body(folder.write("input.usda", bytes), 0);
    require(!body.triangles().empty() && !body.times().empty(), "there are triangles and times");
    size_t vertices = 0;
    for (const UsdaBody::Part& p : body.parts())
      require(p.first == int(vertices), "parts follow each other"), vertices += size_t(p.count);
    for (size_t i = 0; i < std::min<size_t>(body.times().size(), 20); ++i) {
      std::vector<vec3> x;
      body.positions(body.times()[i], x);
      require(x.size() == vertices, "every pose has every vertex");
      for (const vec3& p : x)
        require(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z), "positions are finite");
    }
    for (const ivec3& t : body.triangles())
      for (int k = 0; k < 3; ++k) require(t[k] >= 0 && size_t(t[k]) < vertices, "triangles name vertices");
  } catch (const Error&) {}
}

void write_gltf_seeds(const std::string& folder) {
  write_seed(folder + "/plain.glb", false);
  write_seed(folder + "/skin_and_morph.glb", true);
}

}  // namespace weft::fuzz
