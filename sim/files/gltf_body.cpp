#include "sim/files/gltf_body.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/base/error.h"
#include "sim/base/nearest.h"
#include "sim/base/shorten.h"
#include "sim/mesh/import/tidy.h"
#include "sim/mesh/import/weld.h"

namespace weft {
namespace {

constexpr size_t kMostVertices = 20'000'000;
const char* const kNone = "none";

/// Transforms of all nodes and weights of their morph targets.
struct GltfPose {
  std::vector<glm::dmat4> world;
  std::vector<std::vector<double>> weights;
};

GltfPose pose_at(const GltfScene& scene, int animation, double time) {
  std::vector<GltfTransform> local;
  GltfPose pose;
  for (const GltfNode& n : scene.nodes) {
    local.push_back(n.transform);
    pose.weights.push_back(!n.weights.empty() || n.mesh < 0 ? n.weights : scene.meshes[n.mesh].weights);
  }
  if (animation >= 0)
    for (const GltfChannel& c : scene.animations[animation].channels) {
      GltfTransform& own = local[c.node];
      double q[4];
      switch (c.path) {
        case GltfChannel::Path::translation: c.at(time, &own.translation[0]); break;
        case GltfChannel::Path::scale: c.at(time, &own.scale[0]); break;
        case GltfChannel::Path::weights: c.at(time, pose.weights[c.node].data()); break;
        case GltfChannel::Path::rotation: c.at(time, q), own.rotation = {q[3], q[0], q[1], q[2]}; break;
      }
    }
  pose.world.resize(scene.nodes.size());
  for (const int i : scene.order) {
    const int parent = scene.nodes[i].parent;
    const glm::dmat4 own = local[i].local();
    pose.world[i] = parent >= 0 ? pose.world[parent] * own : own;
  }
  return pose;
}

/// q + e d: turns by q, then moves by t with d = 1/2 t q (Kavan, Collins, Zara, O'Sullivan 2008).
struct DualQuaternion {
  glm::dquat real{1, 0, 0, 0}, dual{0, 0, 0, 0};
};

/// Unit dual quaternions of rigid motions; none, if one is not rigid.
std::vector<DualQuaternion> dual_quaternions(const std::vector<glm::dmat4>& motions) {
  std::vector<DualQuaternion> out;
  for (const glm::dmat4& m : motions) {
    const glm::dmat3 turn(m);
    const glm::dmat3 rest = glm::transpose(turn) * turn - glm::dmat3(1);
    double off = glm::determinant(turn) > 0 ? 0 : 1;
    for (int k = 0; k < 9; ++k) off = std::max(off, std::abs(rest[k / 3][k % 3]));
    if (!(off < 1e-4)) return {};
    const glm::dquat q = glm::normalize(glm::quat_cast(turn));
    const dvec3 t(m[3]);
    out.push_back({q, 0.5 * (glm::dquat(0, t.x, t.y, t.z) * q)});
  }
  return out;
}

dvec3 blended(const std::vector<DualQuaternion>& joints, const GltfInfluence* own, int count,
              const dvec3& p) {
  glm::dquat real(0, 0, 0, 0), dual(0, 0, 0, 0);
  const glm::dquat& first = joints[own[0].joint].real;
  for (int k = 0; k < count; ++k) {
    if (!(own[k].share > 0)) continue;
    const DualQuaternion& j = joints[own[k].joint];
    const double share = glm::dot(first, j.real) < 0 ? -own[k].share : own[k].share;  // the short way round
    real = real + share * j.real, dual = dual + share * j.dual;
  }
  const double length = glm::length(real);
  if (!(length > 1e-9)) return p;  // joints that cancel each other
  real = real / length, dual = dual / length;
  const glm::dquat t = 2.0 * (dual * glm::conjugate(real));
  return real * p + dvec3(t.x, t.y, t.z);
}

dvec3 blended(const std::vector<glm::dmat4>& joints, const GltfInfluence* own, int count, const dvec3& p) {
  dvec3 sum(0);
  for (int k = 0; k < count; ++k)
    if (own[k].share > 0) sum += own[k].share * dvec3(joints[own[k].joint] * glm::dvec4(p, 1));
  return sum;
}

/// True if two vertices of a primitive, or of two, follow the same joints and morph targets.
bool move_alike(const GltfPrimitive& p, int a, const GltfPrimitive& q, int b, double near) {
  if (p.per_vertex != q.per_vertex || p.targets.size() != q.targets.size()) return false;
  for (int k = 0; k < p.per_vertex; ++k) {
    const GltfInfluence &i = p.influences[size_t(a) * p.per_vertex + k],
                        &j = q.influences[size_t(b) * q.per_vertex + k];
    if (i.joint != j.joint || std::abs(i.share - j.share) > 1e-6) return false;
  }
  const auto offset = [](const std::vector<dvec3>& target, int v) {
    return target.empty() ? dvec3(0) : target[v];
  };
  for (size_t t = 0; t < p.targets.size(); ++t)
    if (glm::length(offset(p.targets[t], a) - offset(q.targets[t], b)) > near) return false;
  return true;
}

}  // namespace

GltfBody::GltfBody(const std::string& path, float weld, const PartChoice& parts)
    : GltfBody(path, parts, false) {
  clean(weld);
}

GltfBody::GltfBody(const std::string& path, const PartChoice& parts, bool textures)
    : path_(path), scene_(read_gltf(path, notices_, textures)) {
  parts_ = shown_parts();
  if (!parts.all()) parts.check(parts_, path_);
  for (size_t i = 0; i < scene_.nodes.size(); ++i) {
    const GltfNode& n = scene_.nodes[i];
    if (!n.shown || n.mesh < 0 || !parts.takes({n.name, scene_.meshes[n.mesh].name})) continue;
    for (size_t p = 0; p < scene_.meshes[n.mesh].primitives.size(); ++p) {
      Piece piece;
      piece.node = int(i), piece.primitive = int(p);
      piece.vertices.resize(source(piece).positions.size());
      std::iota(piece.vertices.begin(), piece.vertices.end(), 0);
      const size_t before = pieces_.empty() ? 0 : pieces_.back().first + pieces_.back().vertices.size();
      piece.first = before;
      if (before + piece.vertices.size() > kMostVertices)
        throw Error("its nodes show more than 20 million vertices", path_, "export fewer details");
      for (const ivec3& t : source(piece).triangles) triangles_.push_back(t + int(before));
      pieces_.push_back(std::move(piece));
    }
  }
  if (triangles_.empty()) throw Error("the file shows no triangles", path_, "export the body with its mesh");
}

FileFaces GltfBody::faces(const std::string& path, const PartChoice& parts) {
  GltfBody body(path, parts, true);
  body.turn_mirrored(body.piece_of_vertex());
  FileFaces out;
  body.positions(-1, 0, out.positions);
  std::vector<int> texture;  // of each vertex
  for (const Piece& piece : body.pieces_)
    add_attributes(out.attributes, body.source(piece).attributes, piece.first, piece.vertices.size());
  for (const Piece& piece : body.pieces_) {
    const std::vector<vec2>& own = body.source(piece).textures;
    for (size_t i = 0; i < piece.vertices.size(); ++i) {
      texture.push_back(own.empty() ? -1 : int(out.textures.size()));
      if (!own.empty()) out.textures.emplace_back(own[i].x, 1 - own[i].y);
    }
  }
  for (const ivec3& t : body.triangles_)
    out.add_face({t.x, t.y, t.z}, {texture[t.x], texture[t.y], texture[t.z]});
  for (VertexAttribute& a : out.attributes) a.values.resize(out.positions.size(), NAN);
  out.notices = body.notices_;
  return out;
}

FileFaces gltf_faces(const std::string& path, const PartChoice& parts) {
  return GltfBody::faces(path, parts);
}

std::vector<int> GltfBody::piece_of_vertex() const {
  std::vector<int> out;
  for (size_t p = 0; p < pieces_.size(); ++p) out.insert(out.end(), pieces_[p].vertices.size(), int(p));
  return out;
}

std::vector<std::vector<std::string>> GltfBody::shown_parts() const {
  std::vector<std::vector<std::string>> out;
  for (const GltfNode& n : scene_.nodes)
    if (n.shown && n.mesh >= 0) out.push_back({n.name, scene_.meshes[n.mesh].name});
  return out;
}

const GltfPrimitive& GltfBody::source(const Piece& piece) const {
  return scene_.meshes[scene_.nodes[piece.node].mesh].primitives[piece.primitive];
}

/// Joins vertices, drops triangles and vertices that say nothing, and turns triangles of mirrored nodes.
void GltfBody::clean(float weld) {
  std::vector<vec3> rest;
  positions(-1, 0, rest);
  const std::vector<int> piece_of = piece_of_vertex();
  turn_mirrored(piece_of);
  const double near = double(std::max(weld, coincident_distance(rest)));
  const TidyMesh tidy = tidied(rest, triangles_, weld, [&](int v, int w) {
    const Piece &a = pieces_[piece_of[v]], &b = pieces_[piece_of[w]];
    const GltfNode &m = scene_.nodes[a.node], &n = scene_.nodes[b.node];
    const bool same = a.node == b.node || (m.skin >= 0 && m.skin == n.skin && m.mesh == n.mesh);
    return same && move_alike(source(a), v - int(a.first), source(b), w - int(b.first), near);
  });
  if (tidy.triangles.empty())
    throw Error("all of its triangles are without area", path_, "export the body with its mesh");
  for (std::string& words : tidy.notices(path_)) notices_.push_back(std::move(words));
  triangles_ = tidy.triangles;
  std::vector<std::vector<int>> kept(pieces_.size());
  for (const int v : tidy.kept) kept[piece_of[v]].push_back(v - int(pieces_[piece_of[v]].first));
  size_t first = 0;
  for (size_t p = 0; p < pieces_.size(); ++p) {
    pieces_[p].vertices = std::move(kept[p]);
    pieces_[p].first = first;
    first += pieces_[p].vertices.size();
  }
}

void GltfBody::turn_mirrored(const std::vector<int>& piece_of) {
  const GltfPose pose = pose_at(scene_, -1, 0);
  for (ivec3& t : triangles_) {
    const int node = pieces_[piece_of[t.x]].node;
    if (scene_.nodes[node].skin < 0 && glm::determinant(glm::dmat3(pose.world[node])) < 0)
      std::swap(t.y, t.z);
  }
}

std::vector<std::string> GltfBody::bones() const {
  std::vector<std::string> names;
  for (size_t i = 0; i < scene_.nodes.size(); ++i) {
    const std::string& name = scene_.nodes[i].name;  // of its reader where the file has none
    names.push_back(name == fmt::format("node {}", i) ? std::string() : name);
  }
  return names;
}

int GltfBody::bone_of(int vertex) const {
  const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), size_t(vertex),
                                      [](size_t v, const Piece& p) { return v < p.first; });
  const Piece& piece = *(after - 1);
  const GltfNode& node = scene_.nodes[piece.node];
  const GltfPrimitive& p = source(piece);
  if (node.skin < 0 || p.per_vertex == 0) return piece.node;
  const size_t v = size_t(piece.vertices[size_t(vertex) - piece.first]);
  const auto own = p.influences.begin() + std::ptrdiff_t(v * size_t(p.per_vertex));
  const auto most = std::max_element(own, own + p.per_vertex,
                                     [](const auto& a, const auto& b) { return a.share < b.share; });
  return scene_.skins[node.skin].joints[most->joint];
}

std::vector<std::string> GltfBody::animations() const {
  std::vector<std::string> names;
  for (const GltfAnimation& a : scene_.animations) names.push_back(a.name);
  return names;
}

int GltfBody::find(const std::string& animation) const {
  const std::vector<std::string> names = animations();
  const auto at = std::find(names.begin(), names.end(), animation);
  if (at != names.end()) return int(at - names.begin());
  if (animation == kNone) return -1;
  throw Error("the file has no animation '" + shortened(animation, 80) + "'", path_,
              names.empty() ? "it has none: leave out 'animation'" : did_you_mean(animation, names));
}

double GltfBody::duration(int animation) const {
  return animation < 0 ? 0 : scene_.animations[animation].duration;
}

void GltfBody::positions(int animation, double time, std::vector<vec3>& out) const {
  const GltfPose pose = pose_at(scene_, animation, time);
  out.resize(pieces_.empty() ? 0 : pieces_.back().first + pieces_.back().vertices.size());
  for (const Piece& piece : pieces_) {
    const GltfNode& node = scene_.nodes[piece.node];
    const GltfPrimitive& p = source(piece);
    const std::vector<double>& weights = pose.weights[piece.node];
    std::vector<glm::dmat4> joints;
    const GltfSkin* const skin = node.skin >= 0 ? &scene_.skins[node.skin] : nullptr;
    for (size_t j = 0; skin && j < skin->joints.size(); ++j)
      joints.push_back(pose.world[skin->joints[j]] * skin->inverse_bind[j]);
    const std::vector<DualQuaternion> rigid =
        skin && skin->dual_quaternions ? dual_quaternions(joints) : std::vector<DualQuaternion>();
    tbb::parallel_for(size_t(0), piece.vertices.size(), [&](size_t i) {
      const size_t v = piece.vertices[i];
      dvec3 at = p.positions[v];
      for (size_t t = 0; t < p.targets.size(); ++t)
        if (weights[t] != 0 && !p.targets[t].empty()) at += weights[t] * p.targets[t][v];
      const GltfInfluence* const own = p.influences.data() + v * size_t(p.per_vertex);
      if (!skin) at = dvec3(pose.world[piece.node] * glm::dvec4(at, 1));
      else
        at = rigid.empty() ? blended(joints, own, p.per_vertex, at) : blended(rigid, own, p.per_vertex, at);
      out[piece.first + i] = vec3(at);
    });
  }
  for (const vec3& p : out)
    if (!std::isfinite(p.x + p.y + p.z))
      throw Error(fmt::format("its shape at {:g} s is not finite", time), path_, "export the file again");
}

}  // namespace weft
