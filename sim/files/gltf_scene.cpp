#include "sim/files/gltf_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/shorten.h"
#include "sim/files/gltf_accessors.h"

namespace weft {
namespace {

constexpr double kMostLength = 1e6;  // of a translation, scale or position
constexpr size_t kMostTargets = 10'000;

std::string in_quotes(const std::string& name) { return "'" + shortened(name, 60) + "'"; }

/// Builds the scene from the checked numbers of a file.
class GltfReader {
 public:
  GltfReader(const std::string& path, std::vector<std::string>& notices, bool textures)
      : path_(path), file_(path), model_(file_.model()), notices_(notices), wants_textures_(textures) {}

  GltfScene run() {
    for (size_t i = 0; i < model_.nodes.size(); ++i) add_node(i);
    order_nodes();
    show_nodes();
    for (size_t i = 0; i < model_.meshes.size(); ++i) add_mesh(i);
    for (size_t i = 0; i < model_.skins.size(); ++i) add_skin(i);
    check_shown();
    for (size_t i = 0; i < model_.animations.size(); ++i) add_animation(i);
    return std::move(scene_);
  }

 private:
  void notice(const std::string& words) { notices_.push_back(path_ + ": " + words); }

  /// `values`: 0 or as many numbers as `out` has.
  void take(const std::vector<double>& values, const std::string& owner, size_t width, double* out) const {
    if (values.empty()) return;
    if (values.size() != width)
      file_.fail(fmt::format("{} has {} numbers in place of {}", owner, values.size(), width));
    for (size_t k = 0; k < width; ++k) {
      if (!(std::abs(values[k]) <= kMostLength)) file_.fail(owner + " is not finite or too large");
      out[k] = values[k];
    }
  }

  glm::dquat unit(const double* xyzw, const std::string& owner) const {
    const glm::dquat q(xyzw[3], xyzw[0], xyzw[1], xyzw[2]);
    if (!(glm::length(q) > 1e-6)) file_.fail(owner + " is a rotation of length 0");
    return glm::normalize(q);
  }

  void add_node(size_t index) {
    const tinygltf::Node& n = model_.nodes[index];
    GltfNode node;
    node.name = n.name.empty() ? fmt::format("node {}", index) : n.name;
    const std::string owner = "node " + in_quotes(node.name);
    node.mesh = n.mesh, node.skin = n.skin;
    if (n.mesh >= int(model_.meshes.size()))
      file_.fail(fmt::format("{} shows mesh {}, and there are {}", owner, n.mesh, model_.meshes.size()));
    if (n.skin >= int(model_.skins.size()))
      file_.fail(fmt::format("{} has skin {}, and there are {}", owner, n.skin, model_.skins.size()));
    take(n.translation, owner, 3, &node.transform.translation[0]);
    take(n.scale, owner, 3, &node.transform.scale[0]);
    double rotation[4] = {0, 0, 0, 1};
    take(n.rotation, owner, 4, rotation);
    node.transform.rotation = unit(rotation, owner);
    if (!n.matrix.empty()) {
      node.transform.matrix = glm::dmat4(1);
      take(n.matrix, owner, 16, &(*node.transform.matrix)[0][0]);
      check_affine(*node.transform.matrix, owner);
    }
    node.weights = n.weights;
    scene_.nodes.push_back(std::move(node));
  }

  void check_affine(const glm::dmat4& m, const std::string& owner) const {
    for (int k = 0; k < 4; ++k)
      if (std::abs(m[k][3] - (k == 3 ? 1 : 0)) > 1e-4) file_.fail(owner + " has a matrix with a perspective");
  }

  void order_nodes() {
    std::vector<GltfNode>& nodes = scene_.nodes;
    for (size_t i = 0; i < nodes.size(); ++i)
      for (const int child : model_.nodes[i].children) {
        if (child < 0 || size_t(child) >= nodes.size())
          file_.fail(fmt::format("node {} has child {}, and there are {} nodes", in_quotes(nodes[i].name),
                                 child, nodes.size()));
        if (nodes[child].parent >= 0)
          file_.fail(fmt::format("node {} has two parents", in_quotes(nodes[child].name)));
        nodes[child].parent = int(i);
      }
    for (size_t i = 0; i < nodes.size(); ++i)
      if (nodes[i].parent < 0) scene_.order.push_back(int(i));
    for (size_t i = 0; i < scene_.order.size(); ++i)
      for (const int child : model_.nodes[scene_.order[i]].children) scene_.order.push_back(child);
    // each node has one parent, so those that no root leads to are in circles
    if (scene_.order.size() < nodes.size()) {
      std::vector<char> reached(nodes.size(), 0);
      for (const int i : scene_.order) reached[i] = 1;
      const size_t first = std::find(reached.begin(), reached.end(), 0) - reached.begin();
      file_.fail(fmt::format("node {} is its own descendant", in_quotes(nodes[first].name)));
    }
  }

  /// Those of the default scene; all, where the file has no scene.
  void show_nodes() {
    const int count = int(model_.scenes.size());
    if (model_.defaultScene >= count)
      file_.fail(fmt::format("it shows scene {}, and there are {}", model_.defaultScene, count));
    const int shown = model_.defaultScene >= 0 ? model_.defaultScene : 0;
    if (count > 1)
      notice(fmt::format("of its {} scenes, {} is taken", count, in_quotes(model_.scenes[shown].name)));
    if (count == 0)
      for (GltfNode& n : scene_.nodes) n.shown = n.parent < 0;
    else
      for (const int i : model_.scenes[shown].nodes) {
        if (i < 0 || size_t(i) >= scene_.nodes.size())
          file_.fail(fmt::format("its scene shows node {}, and there are {}", i, scene_.nodes.size()));
        scene_.nodes[i].shown = true;
      }
    for (const int i : scene_.order) {
      GltfNode& n = scene_.nodes[i];
      n.shown = n.shown || (n.parent >= 0 && scene_.nodes[n.parent].shown);
    }
  }

  void add_mesh(size_t index) {
    const tinygltf::Mesh& m = model_.meshes[index];
    GltfMesh mesh;
    mesh.name = m.name.empty() ? fmt::format("mesh {}", index) : m.name;
    size_t targets = m.weights.size();
    for (const tinygltf::Primitive& p : m.primitives) targets = std::max(targets, p.targets.size());
    if (targets > kMostTargets)
      file_.fail(fmt::format("mesh {} has {} morph targets", in_quotes(mesh.name), targets));
    mesh.weights = m.weights;
    mesh.weights.resize(targets, 0.0);
    check_weights(mesh.weights, "mesh " + in_quotes(mesh.name));
    int skipped = 0;
    for (const tinygltf::Primitive& p : m.primitives) {
      const bool faces = p.mode == TINYGLTF_MODE_TRIANGLES || p.mode == TINYGLTF_MODE_TRIANGLE_STRIP ||
                         p.mode == TINYGLTF_MODE_TRIANGLE_FAN;
      if (p.mode < 0 || p.mode > 6)
        file_.fail(fmt::format("mesh {} has a primitive of mode {}", in_quotes(mesh.name), p.mode));
      if (faces) mesh.primitives.push_back(primitive(p, "mesh " + in_quotes(mesh.name)));
      else ++skipped;
    }
    if (skipped > 0)
      notice(fmt::format("mesh {}: {} primitives of points or lines are skipped", in_quotes(mesh.name),
                         skipped));
    scene_.meshes.push_back(std::move(mesh));
  }

  void check_weights(const std::vector<double>& weights, const std::string& owner) const {
    for (const double w : weights)
      if (!(std::abs(w) <= kMostLength)) file_.fail(owner + " has a weight that is not finite or too large");
  }

  std::vector<dvec3> vectors(int accessor, const std::string& owner) const {
    const std::vector<double> numbers = file_.numbers(accessor, 3, owner);
    std::vector<dvec3> out(numbers.size() / 3);
    for (size_t i = 0; i < out.size(); ++i) {
      out[i] = {numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
      if (!(std::max({std::abs(out[i].x), std::abs(out[i].y), std::abs(out[i].z)}) <= kMostLength))
        file_.fail(owner + " are too large");
    }
    return out;
  }

  GltfPrimitive primitive(const tinygltf::Primitive& p, const std::string& owner) const {
    GltfPrimitive out;
    const auto named = [&](const std::string& name) {
      const auto at = p.attributes.find(name);
      return at == p.attributes.end() ? -1 : at->second;
    };
    const int position = named("POSITION");
    if (position < 0) file_.fail(owner + " has no positions");
    if (p.extensions.count("KHR_draco_mesh_compression") &&
        model_.accessors[size_t(position) % std::max<size_t>(1, model_.accessors.size())].bufferView < 0)
      file_.fail(owner + " is compressed (KHR_draco_mesh_compression), which is not read",
                 "export it without compression (in Blender: Data, Compression off)");
    out.positions = vectors(position, "positions of " + owner);
    const auto same_count = [&](int accessor, const std::string& what) {
      if (file_.count(accessor, what) != out.positions.size())
        file_.fail(fmt::format("{}: there are {} for {} vertices", what, file_.count(accessor, what),
                               out.positions.size()));
    };
    for (const auto& target : p.targets) {
      const auto at = target.find("POSITION");
      if (at == target.end()) {
        out.targets.emplace_back();  // of normals only
        continue;
      }
      const std::string what = "morph targets of " + owner;
      same_count(at->second, what);
      out.targets.push_back(vectors(at->second, what));
    }
    out.triangles = triangles(p, out.positions.size(), owner);
    if (const int set = named("TEXCOORD_0"); wants_textures_ && set >= 0) {
      const std::string what = "texture coordinates of " + owner;
      same_count(set, what);
      const std::vector<double> numbers = file_.numbers(set, 2, what);
      for (size_t v = 0; v < out.positions.size(); ++v)
        out.textures.emplace_back(float(numbers[2 * v]), float(numbers[2 * v + 1]));
    }
    if (wants_textures_) add_attributes(p, out, owner);
    for (int set = 0; named(fmt::format("JOINTS_{}", set)) >= 0; ++set) {
      const int joints = named(fmt::format("JOINTS_{}", set)),
                weights = named(fmt::format("WEIGHTS_{}", set));
      if (weights < 0) file_.fail(owner + " has joints without weights");
      same_count(joints, "joints of " + owner), same_count(weights, "weights of " + owner);
      add_influences(out, file_.integers(joints, 4, "joints of " + owner),
                     file_.numbers(weights, 4, "weights of " + owner), owner);
    }
    return out;
  }

  /// Colours, and the file's own attributes of one number.
  void add_attributes(const tinygltf::Primitive& p, GltfPrimitive& out, const std::string& owner) const {
    for (const auto& [name, accessor] : p.attributes) {
      const bool color = name.starts_with("COLOR_");
      if (!color && !name.starts_with("_")) continue;
      const std::string what = "attribute " + in_quotes(name) + " of " + owner;
      const size_t count = file_.count(accessor, what);
      const int width = tinygltf::GetNumComponentsInType(uint32_t(model_.accessors[size_t(accessor)].type));
      if (count != out.positions.size() || (color ? width < 3 || width > 4 : width != 1)) continue;
      const std::vector<double> numbers = file_.numbers(accessor, width, what);
      if (!color) {
        out.attributes.push_back({name, {numbers.begin(), numbers.end()}});
        continue;
      }
      std::vector<vec3> colors;
      for (size_t v = 0; v < count; ++v) {
        const double* at = &numbers[v * size_t(width)];
        colors.push_back(vec3(dvec3(at[0], at[1], at[2])));
      }
      add_color(out.attributes, name, colors);
    }
  }

  /// Corners in the order of the primitive's mode, in threes.
  std::vector<ivec3> triangles(const tinygltf::Primitive& p, size_t vertices,
                               const std::string& owner) const {
    std::vector<int> corners;
    if (p.indices >= 0) corners = file_.integers(p.indices, 1, "indices of " + owner);
    else
      for (size_t v = 0; v < vertices; ++v) corners.push_back(int(v));
    for (const int v : corners)
      if (v < 0 || size_t(v) >= vertices)
        file_.fail(fmt::format("{}: a triangle names vertex {}, and there are {}, counted from 0", owner, v,
                               vertices));
    const bool list = p.mode == TINYGLTF_MODE_TRIANGLES, strip = p.mode == TINYGLTF_MODE_TRIANGLE_STRIP;
    if (list && corners.size() % 3 != 0)
      file_.fail(
          fmt::format("{} has {} corners of triangles, which is no multiple of 3", owner, corners.size()));
    std::vector<ivec3> out;
    for (size_t i = 0; i + 2 < corners.size(); i += list ? 3 : 1) {
      const ivec3 t(corners[i], corners[i + 1], corners[i + 2]);
      if (list) out.push_back(t);
      else if (strip) out.push_back(i % 2 == 0 ? t : ivec3(t.y, t.x, t.z));
      else out.push_back({corners[0], corners[i + 1], corners[i + 2]});
    }
    return out;
  }

  /// Appends four per vertex to those that it has.
  void add_influences(GltfPrimitive& p, const std::vector<int>& joints, const std::vector<double>& weights,
                      const std::string& owner) const {
    std::vector<GltfInfluence> all;
    for (size_t v = 0; v < p.positions.size(); ++v) {
      const auto first = p.influences.begin() + long(v * size_t(p.per_vertex));
      all.insert(all.end(), first, first + p.per_vertex);
      for (size_t k = 4 * v; k < 4 * v + 4; ++k) {
        if (!(weights[k] >= 0)) file_.fail(owner + " has a negative weight of a joint");
        all.push_back({joints[k], weights[k]});
      }
    }
    p.influences = std::move(all);
    p.per_vertex += 4;
  }

  void add_skin(size_t index) {
    const tinygltf::Skin& s = model_.skins[index];
    GltfSkin skin;
    const std::string owner = "skin " + (s.name.empty() ? std::to_string(index) : in_quotes(s.name));
    if (s.joints.empty()) file_.fail(owner + " has no joints");
    for (const int joint : s.joints) {
      if (joint < 0 || size_t(joint) >= scene_.nodes.size())
        file_.fail(
            fmt::format("{} has node {} as a joint, and there are {}", owner, joint, scene_.nodes.size()));
      skin.joints.push_back(joint);
    }
    skin.inverse_bind.resize(skin.joints.size(), glm::dmat4(1));
    if (s.inverseBindMatrices >= 0) {
      const std::vector<double> numbers =
          file_.numbers(s.inverseBindMatrices, 16, "inverse bind matrices of " + owner);
      if (numbers.size() < 16 * skin.joints.size())
        file_.fail(fmt::format("{} has {} inverse bind matrices for {} joints", owner, numbers.size() / 16,
                               skin.joints.size()));
      for (size_t j = 0; j < skin.joints.size(); ++j)
        for (int k = 0; k < 16; ++k) skin.inverse_bind[j][k / 4][k % 4] = numbers[16 * j + size_t(k)];
      for (const glm::dmat4& m : skin.inverse_bind) check_affine(m, owner);
    }
    skin.dual_quaternions = s.extras.IsObject() && s.extras.Has("weft_skinning") &&
                            s.extras.Get("weft_skinning").IsString() &&
                            s.extras.Get("weft_skinning").Get<std::string>() == "dual_quaternion";
    scene_.skins.push_back(std::move(skin));
  }

  /// What nodes say about meshes and skins, and shares that add up to 1.
  void check_shown() {
    for (const GltfNode& n : scene_.nodes) {
      if (n.mesh < 0) continue;
      GltfMesh& mesh = scene_.meshes[n.mesh];
      const std::string owner = "node " + in_quotes(n.name);
      if (!n.weights.empty() && n.weights.size() != mesh.weights.size())
        file_.fail(fmt::format("{} has {} weights for {} morph targets", owner, n.weights.size(),
                               mesh.weights.size()));
      check_weights(n.weights, owner);
      if (n.skin < 0) continue;
      const int joints = int(scene_.skins[n.skin].joints.size());
      for (const GltfPrimitive& p : mesh.primitives) {
        if (p.per_vertex == 0) file_.fail(owner + " has a skin, and its mesh has no joints and weights");
        for (const GltfInfluence& i : p.influences)
          if (i.share > 0 && i.joint >= joints)
            file_.fail(
                fmt::format("{}: a vertex follows joint {}, and its skin has {}", owner, i.joint, joints));
      }
    }
    for (GltfMesh& mesh : scene_.meshes) normalize(mesh);
  }

  void normalize(GltfMesh& mesh) {
    int loose = 0;
    for (GltfPrimitive& p : mesh.primitives)
      for (size_t v = 0; p.per_vertex > 0 && v < p.positions.size(); ++v) {
        GltfInfluence* const own = p.influences.data() + v * size_t(p.per_vertex);
        double sum = 0;
        for (int k = 0; k < p.per_vertex; ++k) sum += own[k].share;
        if (!(sum > 1e-6)) ++loose, own[0] = {0, 1.0}, sum = 1;
        for (int k = 0; k < p.per_vertex; ++k)
          own[k].share /= sum, own[k].joint = own[k].share > 0 ? own[k].joint : 0;
      }
    if (loose > 0)
      notice(fmt::format("mesh {}: {} vertices have no weights and follow the first joint of the skin",
                         in_quotes(mesh.name), loose));
  }

  void add_animation(size_t index) {
    const tinygltf::Animation& a = model_.animations[index];
    GltfAnimation out;
    out.name = a.name.empty() ? fmt::format("animation_{}", index + 1) : a.name;
    const std::string stem = out.name;
    const auto taken = [&] {
      return std::any_of(scene_.animations.begin(), scene_.animations.end(),
                         [&](const GltfAnimation& o) { return o.name == out.name; });
    };
    for (int n = 2; taken(); ++n) out.name = fmt::format("{}_{}", stem, n);
    const std::string owner = "animation " + in_quotes(out.name);
    for (const tinygltf::AnimationChannel& c : a.channels) {
      if (c.sampler < 0 || size_t(c.sampler) >= a.samplers.size())
        file_.fail(fmt::format("{} names sampler {}, and there are {}", owner, c.sampler, a.samplers.size()));
      if (c.target_node < 0) continue;  // of an extension
      out.channels.push_back(channel(c, a.samplers[c.sampler], owner));
      for (const GltfChannel& other : out.channels)
        if (&other != &out.channels.back() && other.node == c.target_node &&
            other.path == out.channels.back().path)
          file_.fail(fmt::format("{} moves the {} of node {} twice", owner, c.target_path,
                                 in_quotes(scene_.nodes[c.target_node].name)));
      out.duration = std::max(out.duration, out.channels.back().times.back());
    }
    scene_.animations.push_back(std::move(out));
  }

  GltfChannel channel(const tinygltf::AnimationChannel& c, const tinygltf::AnimationSampler& s,
                      const std::string& owner) const {
    GltfChannel out;
    using Path = GltfChannel::Path;
    if (size_t(c.target_node) >= scene_.nodes.size())
      file_.fail(
          fmt::format("{} moves node {}, and there are {}", owner, c.target_node, scene_.nodes.size()));
    out.node = c.target_node;
    const GltfNode& node = scene_.nodes[out.node];
    const std::string what =
        fmt::format("{} of {} in {}", shortened(c.target_path, 40), in_quotes(node.name), owner);
    if (c.target_path == "translation") out.path = Path::translation;
    else if (c.target_path == "rotation") out.path = Path::rotation, out.width = 4;
    else if (c.target_path == "scale") out.path = Path::scale;
    else if (c.target_path == "weights")
      out.path = Path::weights, out.width = node.mesh < 0 ? 0 : int(scene_.meshes[node.mesh].weights.size());
    else file_.fail(what + ": this quantity is not part of glTF");
    if (out.width == 0) file_.fail(what + ": the node has no morph targets");
    if (node.transform.matrix && out.path != Path::weights)
      file_.fail(what + ": the node has a matrix, which cannot be animated");
    if (s.interpolation == "LINEAR" || s.interpolation.empty())
      out.interpolation = GltfChannel::Interpolation::linear;
    else if (s.interpolation == "STEP") out.interpolation = GltfChannel::Interpolation::step;
    else if (s.interpolation == "CUBICSPLINE") out.interpolation = GltfChannel::Interpolation::cubic_spline;
    else file_.fail(what + ": unknown interpolation " + in_quotes(s.interpolation));
    out.times = file_.numbers(s.input, 1, "times of " + what);
    if (out.times.empty()) file_.fail(what + " has no keys");
    for (size_t k = 0; k < out.times.size(); ++k)
      if (out.times[k] < 0 || (k > 0 && out.times[k] <= out.times[k - 1]))
        file_.fail(fmt::format("{}: times of keys do not increase (key {})", what, k));
    const bool spline = out.interpolation == GltfChannel::Interpolation::cubic_spline;
    const size_t wanted = out.times.size() * size_t(spline ? 3 : 1) * size_t(out.width);
    out.values = file_.numbers(s.output, out.path == Path::weights ? 1 : out.width, "values of " + what);
    if (out.values.size() != wanted)
      file_.fail(fmt::format("{} has {} numbers for {} keys, and needs {}", what, out.values.size(),
                             out.times.size(), wanted));
    for (const double value : out.values)
      if (!(std::abs(value) <= kMostLength)) file_.fail(what + " has a value that is too large");
    if (out.path == Path::rotation)
      for (size_t k = 0; k < out.times.size(); ++k)
        (void)unit(&out.values[(spline ? 3 * k + 1 : k) * 4], what);
    return out;
  }

  std::string path_;
  GltfAccessors file_;
  const tinygltf::Model& model_;
  std::vector<std::string>& notices_;
  bool wants_textures_;
  GltfScene scene_;
};

glm::dquat quaternion(const double* xyzw) { return {xyzw[3], xyzw[0], xyzw[1], xyzw[2]}; }

}  // namespace

glm::dmat4 GltfTransform::local() const {
  if (matrix) return *matrix;
  glm::dmat4 m = glm::mat4_cast(rotation);
  for (int k = 0; k < 3; ++k) m[k] *= scale[k];
  m[3] = glm::dvec4(translation, 1);
  return m;
}

void GltfChannel::at(double time, double* out) const {
  const size_t last = times.size() - 1, w = size_t(width);
  const bool spline = interpolation == Interpolation::cubic_spline;
  const auto value = [&](size_t key) { return values.data() + (spline ? 3 * key + 1 : key) * w; };
  const auto unit = [&](const glm::dquat& q, size_t key) {
    const glm::dquat safe = glm::length(q) > 1e-9 ? q : quaternion(value(key));
    const glm::dquat n = glm::normalize(safe);
    out[0] = n.x, out[1] = n.y, out[2] = n.z, out[3] = n.w;
  };
  const size_t b = std::upper_bound(times.begin(), times.end(), time) - times.begin(), a = b == 0 ? 0 : b - 1;
  if (b == 0 || a == last || interpolation == Interpolation::step) {
    std::copy_n(value(a), w, out);
    if (path == Path::rotation) unit(quaternion(out), a);
    return;
  }
  const double span = times[b] - times[a], s = (time - times[a]) / span;
  if (interpolation == Interpolation::linear && path == Path::rotation) {
    const glm::dquat p = glm::normalize(quaternion(value(a))), q = glm::normalize(quaternion(value(b)));
    unit(glm::slerp(p, q, s), a);  // the short way
    return;
  }
  if (!spline) {
    for (size_t k = 0; k < w; ++k) out[k] = value(a)[k] + s * (value(b)[k] - value(a)[k]);
    return;
  }
  // Hermite's cubic through the values, with the out-tangent of a and the in-tangent of b, per second
  const double s2 = s * s, s3 = s2 * s;
  const double *leaves = value(a) + w, *arrives = value(b) - w;
  for (size_t k = 0; k < w; ++k)
    out[k] = (2 * s3 - 3 * s2 + 1) * value(a)[k] + span * (s3 - 2 * s2 + s) * leaves[k] +
             (3 * s2 - 2 * s3) * value(b)[k] + span * (s3 - s2) * arrives[k];
  if (path == Path::rotation) unit(quaternion(out), a);
}

GltfScene read_gltf(const std::string& path, std::vector<std::string>& notices, bool textures) {
  return GltfReader(path, notices, textures).run();
}

}  // namespace weft
