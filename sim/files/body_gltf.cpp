#include "sim/files/body_gltf.h"

#include <cmath>

#include "sim/files/gltf_document.h"
#include "sim/files/gltf_writer.h"
#include "sim/mesh/smooth_normals.h"

namespace weft {
namespace {

using Json = GltfDocument::Json;
constexpr size_t kJoints = 1;  // node of the first bone; the mesh is node 0

Json as_json(const vec3& v) { return {v.x, v.y, v.z}; }
Json as_json(const quat& q) { return {q.x, q.y, q.z, q.w}; }

struct LocalPose {
  std::array<vec3, kBodyBones> translation;
  std::array<quat, kBodyBones> rotation;
};

/// Each bone's frame in its parent's: at its joint, turned as it is posed.
LocalPose local_pose(const Skeleton& s, const Pose& pose) {
  LocalPose out;
  for (size_t b = 0; b < kBodyBones; ++b) {
    const int parent = bone_parent(int(b));
    out.rotation[b] = glm::normalize(pose.turn[b]);
    out.translation[b] =
        parent < 0 ? pose.root : glm::conjugate(s.rest[parent]) * (s.head[b] - s.head[parent]);
  }
  return out;
}

int add_mesh(GltfDocument& file, const BodyMesh& body) {
  const auto& points = body.mesh.positions;
  const Bounds box = bounds_of(points);
  std::vector<std::array<uint16_t, 4>> joints;
  std::vector<std::array<float, 4>> weights;
  for (const SkinWeights& w : body.weights) {
    auto& bone = joints.emplace_back();
    for (size_t k = 0; k < 4; ++k)
      bone[k] = w.share[k] > 0 ? uint16_t(w.bone[k]) : uint16_t(0);  // glTF: unused ones are 0
    weights.push_back(w.share);
  }
  const size_t count = points.size();
  Json attributes;
  const int position = file.add(points, "VEC3", GltfDocument::kFloat, count, GltfDocument::kVertices);
  file.set_bounds(position, as_json(box.min), as_json(box.max));
  attributes["POSITION"] = position;
  attributes["NORMAL"] = file.add(smooth_normals(points.data(), int(count), body.mesh.triangles), "VEC3",
                                  GltfDocument::kFloat, count, GltfDocument::kVertices);
  attributes["JOINTS_0"] =
      file.add(joints, "VEC4", GltfDocument::kUnsignedShort, count, GltfDocument::kVertices);
  attributes["WEIGHTS_0"] = file.add(weights, "VEC4", GltfDocument::kFloat, count, GltfDocument::kVertices);
  const int indices = file.add(body.mesh.triangles, "SCALAR", GltfDocument::kUnsignedInt,
                               3 * body.mesh.triangles.size(), GltfDocument::kIndices);
  file.json["materials"] = {
      {{"name", "skin"},
       {"pbrMetallicRoughness",
        {{"baseColorFactor", {0.62, 0.56, 0.51, 1.0}}, {"metallicFactor", 0.0}, {"roughnessFactor", 0.7}}}}};
  file.json["meshes"] = {
      {{"name", "mannequin"},
       {"primitives", {{{"attributes", attributes}, {"indices", indices}, {"material", 0}, {"mode", 4}}}}}};
  return 0;
}

void add_skeleton(GltfDocument& file, const Skeleton& s) {
  const LocalPose rest = local_pose(s, rest_pose(s));
  std::vector<mat4> inverse_bind;
  Json joints = Json::array();
  file.json["nodes"].push_back({{"name", "mannequin"}, {"mesh", 0}, {"skin", 0}});
  for (size_t b = 0; b < kBodyBones; ++b) {
    Json children = Json::array();
    for (size_t c = b + 1; c < kBodyBones; ++c)
      if (bone_parent(int(c)) == int(b)) children.push_back(kJoints + c);
    Json node = {{"name", bone_name(int(b))},
                 {"translation", as_json(rest.translation[b])},
                 {"rotation", as_json(rest.rotation[b])}};
    if (!children.empty()) node["children"] = children;
    file.json["nodes"].push_back(node);
    joints.push_back(kJoints + b);
    mat4 bind = glm::mat4_cast(s.rest[b]);
    bind[3] = vec4(s.head[b], 1);
    inverse_bind.push_back(glm::inverse(bind));
    inverse_bind.back()[0][3] = inverse_bind.back()[1][3] = inverse_bind.back()[2][3] = 0,
    inverse_bind.back()[3][3] = 1;
  }
  const int matrices =
      file.add(inverse_bind, "MAT4", GltfDocument::kFloat, size_t(kBodyBones), GltfDocument::kPlain);
  file.json["skins"] = {{{"name", "mannequin"},
                         {"skeleton", kJoints},
                         {"inverseBindMatrices", matrices},
                         {"joints", joints},
                         {"extras", {{"weft_skinning", "dual_quaternion"}}}}};
  file.json["scenes"] = Json::array({{{"name", "mannequin"}, {"nodes", {0, kJoints}}}});
}

void add_motion(GltfDocument& file, const Skeleton& s, const NamedMotion& named, double fps) {
  const int frames = int(std::ceil(named.motion.duration() * fps)) + 1;
  std::vector<float> times;
  std::vector<vec3> root;
  std::array<std::vector<quat>, kBodyBones> turns;
  for (int f = 0; f < frames; ++f) {
    const double time = double(float(f / fps));  // as the file has it
    const LocalPose pose = local_pose(s, named.motion.pose(time));
    times.push_back(float(time));
    root.push_back(pose.translation[kPelvis]);
    for (size_t b = 0; b < kBodyBones; ++b) {
      quat q = pose.rotation[b];
      if (f > 0 && glm::dot(q, turns[b].back()) < 0) q = -q;  // viewers interpolate the short way
      turns[b].push_back(q);
    }
  }
  const int input = file.add(times, "SCALAR", GltfDocument::kFloat, times.size(), GltfDocument::kPlain);
  file.set_bounds(input, {times.front()}, {times.back()});
  Json samplers = Json::array(), channels = Json::array();
  const auto channel = [&](size_t node, const char* path, int output) {
    channels.push_back({{"sampler", samplers.size()}, {"target", {{"node", node}, {"path", path}}}});
    samplers.push_back({{"input", input}, {"output", output}, {"interpolation", "LINEAR"}});
  };
  channel(kJoints, "translation",
          file.add(root, "VEC3", GltfDocument::kFloat, root.size(), GltfDocument::kPlain));
  for (size_t b = 0; b < kBodyBones; ++b) {
    std::vector<vec4> values;
    for (const quat& q : turns[b]) values.emplace_back(q.x, q.y, q.z, q.w);
    channel(kJoints + b, "rotation",
            file.add(values, "VEC4", GltfDocument::kFloat, values.size(), GltfDocument::kPlain));
  }
  file.json["animations"].push_back({{"name", named.name}, {"channels", channels}, {"samplers", samplers}});
}

}  // namespace

void write_body_gltf(const std::string& path, const BodyMesh& body, const std::vector<NamedMotion>& motions,
                     double fps) {
  GltfDocument file;
  add_mesh(file, body);
  add_skeleton(file, body.skeleton);
  for (const NamedMotion& m : motions) add_motion(file, body.skeleton, m, fps);
  file.write(path);
}

}  // namespace weft
