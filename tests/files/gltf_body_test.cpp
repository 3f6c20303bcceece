// Bodies from glTF files, against transforms made by hand and against the mannequin that a file was written
// from.
#include "sim/files/gltf_body.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "sim/base/error.h"
#include "sim/files/body_gltf.h"
#include "sim/mesh/import/weld.h"
#include "sim/mesh/shapes/shapes.h"
#include "sim/scene/model/body_clips.h"
#include "tests/files/gltf_file.h"

using namespace weft;
using namespace weft::testing;
using Json = GltfDocument::Json;

namespace {

std::vector<vec3> at(const GltfBody& body, int animation, double time) {
  std::vector<vec3> out;
  body.positions(animation, time, out);
  return out;
}

float distance_of(const std::vector<vec3>& a, const std::vector<vec3>& b) {
  REQUIRE(a.size() == b.size());
  float most = 0;
  for (size_t v = 0; v < a.size(); ++v) most = std::max(most, glm::length(a[v] - b[v]));
  return most;
}

std::vector<vec3> moved(const mat4& m, std::vector<vec3> points = PlateFile::kCorners) {
  for (vec3& p : points) p = vec3(m * vec4(p, 1));
  return points;
}

mat4 turned(float degrees, const vec3& axis) { return glm::rotate(mat4(1), glm::radians(degrees), axis); }
Json quaternion(float degrees, const vec3& axis) {
  const quat q = glm::angleAxis(glm::radians(degrees), axis);
  return {q.x, q.y, q.z, q.w};
}
vec4 as_vec4(float degrees, const vec3& axis) {
  const quat q = glm::angleAxis(glm::radians(degrees), axis);
  return {q.x, q.y, q.z, q.w};
}

constexpr float kRounding = 1e-6f;  // m, of float32 numbers of a few metres and their products

/// The words with which a file is refused; "" if it is read.
std::string refusal(const std::string& path) {
  try {
    const GltfBody body(path, 0);
    for (int a = -1; a < int(body.animations().size()); ++a) at(body, a, 0.3);
    return "";
  } catch (const Error& e) {
    CHECK(e.where.find(path) != std::string::npos);
    CHECK_FALSE(e.what_to_do.empty());
    return e.what();
  }
}

}  // namespace

TEST_CASE(
    "a mannequin's glTF file gives its posed vertices back, within a micrometre at the times of its keys") {
  const Folder folder;
  MannequinParams params;
  params.edge = 0.02f;
  const auto body = make_body_mesh(params);
  std::vector<NamedMotion> motions;
  for (const char* clip : {"walk", "kick", "twirl"}) {
    Mannequin m;
    m.params = params, m.clips = {{clip, 0}};
    motions.push_back({clip, make_body_motion(m, body->skeleton)});
  }
  for (const char* name : {"body.glb", "body.gltf"}) {
    write_body_gltf(folder / name, *body, motions);
    const GltfBody read(folder / name, 0);
    CHECK(read.notices().empty());
    CHECK(read.triangles() == body->mesh.triangles);
    CHECK(read.animations() == std::vector<std::string>{"walk", "kick", "twirl"});
    CHECK(distance_of(at(read, -1, 0), body->mesh.positions) < 1e-6f);
    constexpr double kRate = 120;
    float at_keys = 0, between = 0;
    for (size_t m = 0; m < motions.size(); ++m) {
      CHECK(read.duration(int(m)) > motions[m].motion.duration() - 1e-6);
      const auto off = [&](double time) {
        std::vector<vec3> x;
        skin(*body, forward_kinematics(body->skeleton, motions[m].motion.pose(time)), x);
        return distance_of(at(read, int(m), time), x);
      };
      for (int f = 0; f < kRate * motions[m].motion.duration(); f += 13) {
        const double time = double(float(f / kRate));  // as the file has it
        at_keys = std::max(at_keys, off(time));
        between = std::max(between, off(time + 0.4 / kRate));
      }
    }
    CHECK(at_keys < 1e-6f);   // measured: 0.8 um, of sums in float32
    CHECK(between < 8e-3f);   // measured: 0.3 mm, and 6.8 mm where a knee of "walk" goes 7 m/s for 14 ms
    CHECK(between > 10e-6f);  // so the keys are where the test takes them to be
  }
}

TEST_CASE("nodes place their meshes: scale, rotation, translation, parents, matrices and mirrors") {
  const Folder folder;
  PlateFile file;
  file.json["nodes"] = Json::array(
      {{{"name", "plate"},
        {"mesh", 0},
        {"translation", {1, 2, 3}},
        {"rotation", quaternion(30, {0, 0, 1})},
        {"scale", {2, 3, 4}}},
       {{"name", "parent"}, {"rotation", quaternion(90, {1, 0, 0})}, {"children", {0, 2}}},
       {{"name", "mirrored"}, {"mesh", 0}, {"matrix", {-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1}}}});
  file.json["scenes"][0]["nodes"] = {1};
  file.write(folder / "nodes.glb");
  const GltfBody body(folder / "nodes.glb", 0);
  const mat4 parent = turned(90, {1, 0, 0});
  const mat4 own = glm::scale(glm::translate(mat4(1), vec3(1, 2, 3)) * turned(30, {0, 0, 1}), vec3(2, 3, 4));
  const mat4 mirror = glm::scale(glm::translate(mat4(1), vec3(5, 0, 0)), vec3(-1, 1, 1));
  std::vector<vec3> expected = moved(parent * own);
  const std::vector<vec3> second = moved(parent * mirror);
  expected.insert(expected.end(), second.begin(), second.end());
  CHECK(distance_of(at(body, -1, 0), expected) < 10 * kRounding);
  // front and back as in the file: a mirror turns the triangles
  CHECK(body.triangles() == std::vector<ivec3>{{0, 1, 2}, {0, 2, 3}, {4, 6, 5}, {4, 7, 6}});
}

TEST_CASE("only the shown scene's nodes are part of the body") {
  const Folder folder;
  PlateFile file;
  file.json["nodes"].push_back({{"mesh", 0}, {"translation", {0, 9, 0}}});
  file.json["scenes"].push_back({{"name", "other"}, {"nodes", {1}}});
  file.write(folder / "scenes.glb");
  const GltfBody first(folder / "scenes.glb", 0);
  CHECK(at(first, -1, 0) == PlateFile::kCorners);
  REQUIRE(first.notices().size() == 1);
  file.json["scene"] = 1;
  file.write(folder / "scenes.glb");
  CHECK(at(GltfBody(folder / "scenes.glb", 0), -1, 0)[0] == vec3(0, 9, 0));
}

TEST_CASE("skins blend their joints' matrices by the vertices' weights, wherever the node of the mesh is") {
  const Folder folder;
  PlateFile file;
  const std::vector<float> second{0, 0, 1, 0.25f};
  const mat4 bind = glm::translate(mat4(1), vec3(0, -0.5f, 0));
  file.skin(second, {mat4(1), bind});
  file.json["nodes"][0]["translation"] = {7, 7, 7};  // of no effect on what is skinned
  file.animate("bend", 2, "rotation", file.scalars({0, 1}),
               file.vectors4({as_vec4(0, {1, 0, 0}), as_vec4(90, {1, 0, 0})}));
  file.write(folder / "skin.glb");
  const GltfBody body(folder / "skin.glb", 0);
  CHECK(distance_of(at(body, -1, 0), PlateFile::kCorners) < kRounding);
  for (const float degrees : {0.0f, 30.0f, 90.0f}) {
    const mat4 upper = glm::translate(mat4(1), vec3(0, 0.5f, 0)) * turned(degrees, {1, 0, 0}) * bind;
    std::vector<vec3> expected;
    for (size_t v = 0; v < 4; ++v)
      expected.push_back(
          glm::mix(PlateFile::kCorners[v], vec3(upper * vec4(PlateFile::kCorners[v], 1)), second[v]));
    CHECK(distance_of(at(body, 0, double(degrees) / 90), expected) < kRounding);
  }
}

TEST_CASE("without inverse bind matrices a skin's joints move vertices as their nodes are") {
  const Folder folder;
  PlateFile file;
  file.skin({0, 0, 1, 1}, {});
  file.write(folder / "skin.glb");
  const std::vector<vec3> expected{{0, 0, 0}, {1, 0, 0}, {1, 1.5f, 0}, {0, 1.5f, 0}};
  CHECK(distance_of(at(GltfBody(folder / "skin.glb", 0), -1, 0), expected) < kRounding);
}

TEST_CASE("joints that a file wants blended as dual quaternions keep the width of a twisted limb") {
  const Folder folder;
  PlateFile file;
  file.skin({0.5f, 0.5f, 0.5f, 0.5f}, {mat4(1), mat4(1)});
  file.json["nodes"][2]["translation"] = {0, 0, 0};
  file.json["nodes"][2]["rotation"] = quaternion(120, {0, 1, 0});
  file.write(folder / "linear.glb");
  file.json["skins"][0]["extras"] = {{"weft_skinning", "dual_quaternion"}};
  file.write(folder / "dual.glb");
  // halfway to 120 degrees: a turn by 60, or the mean of the two matrices, which is half as wide
  CHECK(distance_of(at(GltfBody(folder / "dual.glb", 0), -1, 0), moved(turned(60, {0, 1, 0}))) < kRounding);
  const mat4 mean = 0.5f * (mat4(1) + turned(120, {0, 1, 0}));
  CHECK(distance_of(at(GltfBody(folder / "linear.glb", 0), -1, 0), moved(mean)) < kRounding);
  file.json["nodes"][1]["scale"] = {1, 2, 1};  // not rigid
  file.write(folder / "dual.glb");
  CHECK(distance_of(at(GltfBody(folder / "dual.glb", 0), -1, 0),
                    moved(glm::scale(mat4(1), vec3(1, 2, 1)) * mean)) < kRounding);
}

TEST_CASE(
    "morph targets add their offsets by the weights of mesh, node or animation, before the node's "
    "transform") {
  const Folder folder;
  PlateFile file;
  const std::vector<vec3> bulge{{0, 0, 1}, {0, 0, 0}, {0, 0, 2}, {0, 0, 0}}, shift(4, vec3(0, 1, 0));
  file.primitive()["targets"] =
      Json::array({{{"POSITION", file.vectors(bulge)}}, {{"POSITION", file.vectors(shift)}}});
  file.json["meshes"][0]["weights"] = {0.5, 0};
  file.json["nodes"][0]["scale"] = {1, 1, 3};
  file.animate("grow", 0, "weights", file.scalars({0, 2}), file.scalars({0, 0, 1, 4}));
  const auto shape = [&](float a, float b) {
    std::vector<vec3> x = PlateFile::kCorners;
    for (size_t v = 0; v < 4; ++v) x[v] = (x[v] + a * bulge[v] + b * shift[v]) * vec3(1, 1, 3);
    return x;
  };
  file.write(folder / "morph.glb");
  const GltfBody body(folder / "morph.glb", 0);
  CHECK(distance_of(at(body, -1, 0), shape(0.5f, 0)) < kRounding);
  CHECK(distance_of(at(body, 0, 0.5), shape(0.25f, 1)) < kRounding);
  CHECK(distance_of(at(body, 0, 9), shape(1, 4)) < kRounding);
  file.json["nodes"][0]["weights"] = {0, 0.25};
  file.write(folder / "morph.glb");
  CHECK(distance_of(at(GltfBody(folder / "morph.glb", 0), -1, 0), shape(0, 0.25f)) < kRounding);
}

TEST_CASE(
    "keys are held before the first and after the last, and steps, lines and splines lead from one to the "
    "next") {
  const Folder folder;
  PlateFile file;
  const int times = file.scalars({1, 2, 4});
  const std::vector<vec3> places{{0, 0, 0}, {1, 0, 0}, {1, 4, 0}};
  file.animate("line", 0, "translation", times, file.vectors(places));
  file.animate("step", 0, "translation", times, file.vectors(places), "STEP");
  // p(t) = t^3, with its derivatives as tangents (in, value, out), is a cubic that the spline must give
  // everywhere
  std::vector<vec3> cubic;
  for (const float t : {1.0f, 2.0f, 4.0f})
    for (const float value : {3 * t * t, t * t * t, 3 * t * t}) cubic.push_back({value, 0, 0});
  file.animate("spline", 0, "translation", times, file.vectors(cubic), "CUBICSPLINE");
  file.animate("turn", 0, "rotation", times,
               file.vectors4({as_vec4(0, {0, 0, 1}), -as_vec4(90, {0, 0, 1}), as_vec4(90, {0, 0, 1})}));
  file.animate("size", 0, "scale", times, file.vectors({vec3(1), vec3(3), vec3(2)}));
  file.write(folder / "keys.glb");
  const GltfBody body(folder / "keys.glb", 0);
  const auto origin = [&](const char* name, double t) { return at(body, body.find(name), t)[0]; };
  for (const double t : {0.0, 1.0}) CHECK(origin("line", t) == vec3(0));
  CHECK(glm::length(origin("line", 1.25) - vec3(0.25f, 0, 0)) < kRounding);
  CHECK(glm::length(origin("line", 3.0) - vec3(1, 2, 0)) < kRounding);
  CHECK(origin("line", 100) == vec3(1, 4, 0));
  CHECK(origin("step", 1.99) == vec3(0));
  CHECK(origin("step", 2.0) == vec3(1, 0, 0));
  CHECK(origin("step", 3.99) == vec3(1, 0, 0));
  for (const double t : {1.0, 1.3, 2.0, 2.9, 3.7, 4.0})
    CHECK(std::abs(double(origin("spline", t).x) - t * t * t) < 1e-5);
  // the short way though the second key has the other sign, and evenly
  for (const double t : {1.0, 1.25, 1.5, 2.0, 3.0})
    CHECK(distance_of(at(body, body.find("turn"), t),
                      moved(turned(float(90 * std::min(t - 1, 1.0)), {0, 0, 1}))) < kRounding);
  CHECK(distance_of(at(body, body.find("size"), 1.5), moved(glm::scale(mat4(1), vec3(2)))) < kRounding);
  CHECK(body.duration(0) == 4);
}

TEST_CASE("whole numbers as fractions, strips, fans, sparse values and gaps between elements are read") {
  const Folder folder;
  PlateFile file;
  // corners as shorts: 32767 is 1; 8 bytes apart
  std::vector<std::array<int16_t, 4>> shorts;
  for (const vec3& p : PlateFile::kCorners)
    shorts.push_back({int16_t(32767 * p.x), int16_t(32767 * p.y), 0, 0});
  const int quantized = file.add(shorts, "VEC3", 5122, 4, PlateFile::kPlain);
  file.json["accessors"][size_t(quantized)]["normalized"] = true;
  file.json["bufferViews"][size_t(quantized)]["byteStride"] = 8;
  file.json["extensionsUsed"] = file.json["extensionsRequired"] = {"KHR_mesh_quantization"};
  file.primitive()["attributes"]["POSITION"] = quantized;
  // a strip in the order 0, 1, 3, 2 and a fan that starts at 1, without indices
  file.primitive()["mode"] = 5;
  file.primitive()["indices"] =
      file.add(std::vector<uint16_t>{0, 1, 3, 2}, "SCALAR", 5123, 4, PlateFile::kPlain);
  Json fan = {{"mode", 6},
              {"attributes", {{"POSITION", file.vectors({{9, 0, 0}, {10, 0, 0}, {10, 1, 0}, {9, 1, 0}})}}}};
  // a target that moves the last corner only
  file.json["accessors"].push_back({{"componentType", 5126}, {"count", 4}, {"type", "VEC3"}});
  const int sparse = int(file.json["accessors"].size()) - 1;
  const int where =
      file.add(std::vector<uint32_t>{3}, "SCALAR", PlateFile::kUnsignedInt, 1, PlateFile::kPlain);
  const int what = file.vectors({{0, 5, 0}});
  const auto view = [&](int accessor) { return file.json["accessors"][size_t(accessor)]["bufferView"]; };
  file.json["accessors"][size_t(sparse)]["sparse"] = {
      {"count", 1},
      {"indices", {{"bufferView", view(where)}, {"componentType", 5125}}},
      {"values", {{"bufferView", view(what)}}}};
  file.primitive()["targets"] = Json::array({{{"POSITION", sparse}}});
  fan["targets"] = Json::array({{{"POSITION", sparse}}});
  file.json["meshes"][0]["weights"] = {1};
  file.json["meshes"][0]["primitives"].push_back(fan);
  file.write(folder / "numbers.gltf");
  const GltfBody body(folder / "numbers.gltf", 0);
  CHECK(body.triangles() == std::vector<ivec3>{{0, 1, 3}, {3, 1, 2}, {4, 5, 6}, {4, 6, 7}});
  const std::vector<vec3> expected{{0, 0, 0}, {1, 0, 0},  {1, 1, 0},  {0, 6, 0},
                                   {9, 0, 0}, {10, 0, 0}, {10, 1, 0}, {9, 6, 0}};
  CHECK(distance_of(at(body, -1, 0), expected) < kRounding);
}

TEST_CASE("vertices that files split are joined where they move alike, and stay apart where they do not") {
  const Folder folder;
  // a cube whose sides have vertices of their own, as normals need them
  const TriMesh cube = make_box(vec3(1));
  PlateFile file;
  std::vector<vec3> split;
  std::vector<uint32_t> corners;
  for (const ivec3& t : cube.triangles)
    for (int k = 0; k < 3; ++k)
      corners.push_back(uint32_t(split.size())), split.push_back(cube.positions[size_t(t[k])]);
  file.primitive()["attributes"]["POSITION"] = file.vectors(split);
  file.primitive()["indices"] =
      file.add(corners, "SCALAR", PlateFile::kUnsignedInt, corners.size(), PlateFile::kPlain);
  file.write(folder / "cube.glb");
  const GltfBody joined(folder / "cube.glb", 0), apart(folder / "cube.glb", kNoWeld);
  CHECK(at(joined, -1, 0).size() == 8);
  CHECK(at(apart, -1, 0).size() == 36);
  CHECK(joined.triangles().size() == cube.triangles.size());
  REQUIRE(joined.notices().size() == 1);
  CHECK(joined.notices()[0].find("28 vertices") != std::string::npos);
  // the first triangle leaves the others
  std::vector<vec3> offsets(split.size(), vec3(0));
  for (size_t k = 0; k < 3; ++k) offsets[k] = {0, 1, 0};
  file.primitive()["targets"] = Json::array({{{"POSITION", file.vectors(offsets)}}});
  file.write(folder / "torn.glb");
  const GltfBody torn(folder / "torn.glb", 0);
  CHECK(at(torn, -1, 0).size() > 8);
  CHECK(std::any_of(torn.notices().begin(), torn.notices().end(),
                    [](const std::string& n) { return n.find("differently") != n.npos; }));
}

TEST_CASE("a damaged glTF file is refused with what is wrong and what to do") {
  const Folder folder;
  PlateFile plate;
  plate.primitive()["targets"] = Json::array({{{"POSITION", plate.vectors(PlateFile::kCorners)}}});
  plate.skin({0, 0, 1, 1}, {mat4(1), mat4(1)});
  plate.animate("bend", 2, "rotation", plate.scalars({0, 1}), plate.vectors4({{0, 0, 0, 1}, {0, 0, 0, 1}}));
  const std::string good = folder / "good.gltf";
  plate.write(good);
  REQUIRE(refusal(good) == "");
  const Json whole = Json::parse(read_file(good));
  struct Fault {
    const char* words;
    std::function<void(Json&)> break_it;
  };
  const auto patch = [](const char* pointer, Json value) {
    return [=](Json& j) { j[Json::json_pointer(pointer)] = value; };
  };
  const std::vector<Fault> faults = {
      {"a buffer is missing", patch("/buffers/0/uri", "elsewhere.bin")},
      {"mismatch", patch("/buffers/0/byteLength", 99999)},
      {"reaches past the end", patch("/bufferViews/0/byteOffset", 1 << 20)},
      {"reaches past the end", patch("/accessors/0/count", 4000)},
      {"there is no buffer view 99", patch("/accessors/0/bufferView", 99)},
      {"names accessor 99", patch("/meshes/0/primitives/0/attributes/POSITION", 99)},
      {"has no positions", patch("/meshes/0/primitives/0/attributes", Json{{"NORMAL", 0}})},
      {"of mode 9", patch("/meshes/0/primitives/0/mode", 9)},
      {"no multiple of 3", patch("/accessors/1/count", 5)},
      {"should have 3 numbers", patch("/accessors/0/type", "VEC2")},
      {"not part of glTF", patch("/accessors/0/componentType", 5124)},
      {"shows mesh 7", patch("/nodes/0/mesh", 7)},
      {"has skin 7", patch("/nodes/0/skin", 7)},
      {"has child 9", patch("/nodes/1/children", {9})},
      {"two parents", patch("/nodes/0/children", {2})},
      {"its own descendant", [](Json& j) { j["nodes"][2]["children"] = {1}; }},
      {"its own descendant", [](Json& j) { j["nodes"][1]["children"] = {1}; }},
      {"shows node 12", patch("/scenes/0/nodes", {0, 12})},
      {"shows scene 3", patch("/scene", 3)},
      {"has 2 numbers in place of 3", patch("/nodes/1/translation", {1, 2})},
      {"rotation of length 0", patch("/nodes/1/rotation", {0, 0, 0, 0})},
      {"too large", patch("/nodes/1/scale", {1, 1, 1e30})},
      {"perspective", patch("/nodes/1/matrix", {1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1})},
      {"has node 5 as a joint", patch("/skins/0/joints", {1, 5})},
      {"follows joint 1", patch("/skins/0/joints", {1})},
      {"no joints", patch("/skins/0/joints", Json::array())},
      {"2 inverse bind matrices for 3", patch("/skins/0/joints", {1, 2, 0})},
      {"names sampler 4", patch("/animations/0/channels/0/sampler", 4)},
      {"moves node 50", patch("/animations/0/channels/0/target/node", 50)},
      {"not part of glTF", patch("/animations/0/channels/0/target/path", "colour")},
      {"unknown interpolation", patch("/animations/0/samplers/0/interpolation", "BEZIER")},
      {"has 8 numbers for 2 keys, and needs 24",
       patch("/animations/0/samplers/0/interpolation", "CUBICSPLINE")},
      {"should have 3 numbers", patch("/animations/0/channels/0/target/path", "scale")},
      {"no morph targets", patch("/animations/0/channels/0/target/path", "weights")},
      {"cannot be animated",
       patch("/nodes/2", Json{{"matrix", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}})},
      {"weights for 1 morph targets", patch("/nodes/0/weights", {1, 2})},
      {"export it without compression", patch("/extensionsRequired", {"KHR_draco_mesh_compression"})},
      {"without compression", patch("/extensionsRequired", {"EXT_meshopt_compression"})},
      {"requires the extension 'ACME_shapes'", patch("/extensionsRequired", {"ACME_shapes"})},
      {"version", patch("/asset/version", "1.0")},
      {"shows no triangles", patch("/nodes/0", Json{{"name", "nothing"}})},
  };
  for (const Fault& f : faults) {
    CAPTURE(std::string(f.words));
    Json broken = whole;
    f.break_it(broken);
    const std::string words = refusal(folder.write("broken.gltf", broken.dump()));
    CAPTURE(words);
    CHECK(words.find(f.words) != std::string::npos);
  }
  CHECK(refusal(folder.write("deep.gltf", std::string(100, '[') + std::string(100, ']'))).find("nested") !=
        std::string::npos);
  CHECK(refusal(folder.write("text.glb", "solid cube")).find("not a .glb") != std::string::npos);
  CHECK(refusal(folder.write("text.gltf", "{ \"asset\": ")).find("cannot be read") != std::string::npos);
  CHECK_THROWS_AS(GltfBody(folder / "none.glb", 0), Error);
}

TEST_CASE("a .glb that ends too early or holds numbers that are none is refused") {
  const Folder folder;
  PlateFile plate;
  plate.write(folder / "plate.glb");
  const std::string bytes = read_file(folder / "plate.glb");
  for (const size_t size : {size_t(3), size_t(12), size_t(19), bytes.size() / 2, bytes.size() - 1}) {
    CAPTURE(size);
    CHECK(refusal(folder.write("short.glb", bytes.substr(0, size))) != "");
  }
  CHECK(refusal(folder.write("short.glb", bytes.substr(0, bytes.size() - 4))).find("truncated") !=
        std::string::npos);
  for (const float wrong : {NAN, INFINITY, 1e8f}) {
    PlateFile file;
    std::vector<vec3> corners = PlateFile::kCorners;
    corners[2].y = wrong;
    file.primitive()["attributes"]["POSITION"] = file.vectors(corners);
    file.write(folder / "nan.glb");
    const std::string words = refusal(folder / "nan.glb");
    CAPTURE(words);
    CHECK((words.find("not a finite number") != words.npos || words.find("too large") != words.npos));
  }
  PlateFile file;
  file.primitive()["indices"] =
      file.add(std::vector<uint32_t>{0, 1, 4}, "SCALAR", PlateFile::kUnsignedInt, 3, PlateFile::kIndices);
  file.write(folder / "index.glb");
  CHECK(refusal(folder / "index.glb").find("names vertex 4, and there are 4") != std::string::npos);
  PlateFile times;
  times.animate("back", 0, "translation", times.scalars({1, 1}), times.vectors({vec3(0), vec3(1)}));
  times.write(folder / "times.glb");
  CHECK(refusal(folder / "times.glb").find("do not increase") != std::string::npos);
}
