#include "sim/scene/model/deformation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/shorten.h"
#include "sim/files/file_kind.h"
#include "sim/files/frame_source.h"
#include "sim/files/gltf_body.h"
#include "sim/files/usda_body.h"
#include "sim/geometry/closest_point.h"
#include "sim/mannequin/skinning.h"
#include "sim/mesh/import/obj_sequence.h"
#include "sim/mesh/import/tidy.h"
#include "sim/scene/model/body_clips.h"
#include "sim/scene/model/body_file.h"
#include "sim/scene/model/cloth_mesh.h"
#include "sim/scene/motion.h"

namespace weft {
namespace {

/// Frames at a constant rate with linear interpolation; the first and last are held, or the sequence loops.
class SequenceDeformation final : public Deformation {
 public:
  SequenceDeformation(const Obstacle& o, std::vector<std::vector<vec3>> frames, float fps)
      : frames_(std::move(frames)), fps_(fps), loop_(o.loop) {
    for (auto& frame : frames_)
      for (vec3& p : frame) p *= o.placement.scale;
  }
  void positions(double time, std::vector<vec3>& out) const override {
    const double last = double(frames_.size() - 1);
    double at = std::max(0.0, time * double(fps_));
    // the interval from the last frame back to the first is one frame long
    if (loop_ && last > 0) at = std::fmod(at, last + 1);
    const size_t a = std::min(size_t(at), size_t(last));
    const size_t b = a + 1 <= size_t(last) ? a + 1 : loop_ ? 0 : a;
    const float s = float(std::min(1.0, at - double(a)));
    out = frames_[a];
    if (b != a && s > 0)
      for (size_t v = 0; v < out.size(); ++v) out[v] += s * (frames_[b][v] - out[v]);
  }

 private:
  std::vector<std::vector<vec3>> frames_;
  float fps_;
  bool loop_;
};

/// The frames of a script, until it gives poses.
class FramesDeformation final : public Deformation {
 public:
  explicit FramesDeformation(std::unique_ptr<Deformation> frames) : frames_(std::move(frames)) {}
  void positions(double time, std::vector<vec3>& out) const override {
    if (!given_.at(time, out)) frames_->positions(time, out);
  }
  GivenPoses* given() override { return &given_; }

 private:
  std::unique_ptr<Deformation> frames_;
  GivenPoses given_;
};

/// Linear blend skinning.
class SkinDeformation final : public Deformation {
 public:
  SkinDeformation(const Obstacle& o, const TriMesh& mesh) : bones_(o.bones), rest_(mesh.positions) {
    for (Bone& b : bones_) b.head *= o.placement.scale, b.tail *= o.placement.scale;
    weights_ = skin_weights(rest_, bones_);
    std::vector<std::string> names;
    for (const Bone& b : bones_) names.push_back(b.name);
    parts_ = body_parts(names);
  }
  BodyPart part_of(int vertex) const override {
    const auto own = weights_.begin() + std::ptrdiff_t(size_t(vertex) * bones_.size());
    return parts_[std::max_element(own, own + std::ptrdiff_t(bones_.size())) - own];
  }
  void positions(double time, std::vector<vec3>& out) const override {
    const std::vector<mat4> pose = bone_poses(bones_, time);
    out.resize(rest_.size());
    for (size_t v = 0; v < rest_.size(); ++v) {
      vec3 sum(0);
      for (size_t b = 0; b < pose.size(); ++b) {
        const float w = weights_[v * pose.size() + b];
        if (w > 0) sum += w * vec3(pose[b] * vec4(rest_[v], 1));
      }
      out[v] = sum;
    }
  }

 private:
  std::vector<Bone> bones_;
  std::vector<vec3> rest_;
  std::vector<float> weights_;
  std::vector<BodyPart> parts_;  // of the bones
};

/// A mannequin in its clips' poses.
class MannequinDeformation final : public Deformation {
 public:
  explicit MannequinDeformation(const Obstacle& o)
      : body_(make_body_mesh(o.mannequin.params)),
        motion_(make_body_motion(o.mannequin, body_->skeleton)),
        scale_(o.placement.scale) {
    std::vector<std::string> names;
    for (int b = 0; b < kBodyBones; ++b) names.push_back(bone_name(b));
    parts_ = body_parts(names);
  }
  BodyPart part_of(int vertex) const override { return parts_[body_->weights[vertex].bone[0]]; }
  void positions(double time, std::vector<vec3>& out) const override {
    skin(*body_, forward_kinematics(body_->skeleton, motion_.pose(time)), out);
    for (vec3& p : out) p *= scale_;
  }

 private:
  std::shared_ptr<const BodyMesh> body_;
  BodyMotion motion_;
  float scale_;
  std::vector<BodyPart> parts_;  // of the bones
};

/// A glTF body in one of its animations.
class GltfDeformation final : public Deformation {
 public:
  GltfDeformation(const Obstacle& o, std::shared_ptr<const GltfBody> body, int animation)
      : body_(std::move(body)),
        animation_(animation),
        loop_(o.loop),
        scale_(o.placement.scale),
        parts_(body_parts(body_->bones())) {}
  BodyPart part_of(int vertex) const override { return parts_[body_->bone_of(vertex)]; }
  void positions(double time, std::vector<vec3>& out) const override {
    const double duration = body_->duration(animation_);
    body_->positions(animation_, loop_ && duration > 0 ? std::fmod(std::max(0.0, time), duration) : time,
                     out);
    for (vec3& p : out) p *= scale_;
  }

 private:
  std::shared_ptr<const GltfBody> body_;
  int animation_;
  bool loop_;
  float scale_;
  std::vector<BodyPart> parts_;  // of the bones
};

/// A body from USD, at the stage's times.
class UsdaDeformation final : public Deformation {
 public:
  UsdaDeformation(const Obstacle& o, std::shared_ptr<const UsdaBody> body)
      : body_(std::move(body)), loop_(o.loop), scale_(o.placement.scale) {
    std::vector<std::string> names;
    for (const UsdaBody::Part& p : body_->parts())
      names.push_back(p.name), ends_.push_back(p.first + p.count);
    parts_ = body_parts(names);
  }
  BodyPart part_of(int vertex) const override {
    return parts_[std::upper_bound(ends_.begin(), ends_.end(), vertex) - ends_.begin()];
  }
  void positions(double time, std::vector<vec3>& out) const override {
    // the way back to the start takes one time code
    const double last = body_->times().back(), gap = 1 / body_->rate();
    double at = std::max(0.0, time);
    if (loop_ && last > 0) at = std::fmod(at, last + gap);
    body_->positions(at, out);
    if (loop_ && at > last && last > 0) {
      std::vector<vec3> start;
      body_->positions(0, start);
      const float s = float((at - last) / gap);
      for (size_t v = 0; v < out.size(); ++v) out[v] += s * (start[v] - out[v]);
    }
    for (vec3& p : out) p *= scale_;
  }

 private:
  std::shared_ptr<const UsdaBody> body_;
  bool loop_;
  float scale_;
  std::vector<BodyPart> parts_;  // of the meshes
  std::vector<int> ends_;        // of each mesh: the vertex after its last
};

/// In the unit of the file.
float weld_of(const Obstacle& o) {
  return o.from_file.weld > 0 ? o.from_file.weld / o.placement.scale : o.from_file.weld;
}

std::unique_ptr<Deformation> usda_deformation(const Obstacle& o, const std::string& path, TriMesh& mesh,
                                              std::vector<std::string>& notices) {
  const auto body = std::make_shared<const UsdaBody>(path, weld_of(o), o.from_file.parts);
  notices.insert(notices.end(), body->notices().begin(), body->notices().end());
  mesh = {};
  mesh.triangles = body->triangles();
  auto deformation = std::make_unique<UsdaDeformation>(o, body);
  deformation->positions(0, mesh.positions);
  return deformation;
}

/// The animation that a scene asks for: the one with that name, else the first.
int chosen_animation(const GltfBody& body, const AnimationReference& file,
                     std::vector<std::string>& notices) {
  if (!file.animation.empty()) return body.find(file.animation);
  const std::vector<std::string> names = body.animations();
  if (names.size() > 1) {
    constexpr size_t kMost = 12;
    std::string words;
    for (size_t i = 0; i < std::min(names.size(), kMost); ++i)
      words += (i ? ", " : "") + shortened(names[i], 40);
    if (names.size() > kMost) words += fmt::format(" and {} more", names.size() - kMost);
    notices.push_back(fmt::format(
        "{}: of its {} animations ({}) the first is played; animation = \"{}\" in [[obstacle]] selects "
        "another, and \"none\" none",
        file.path, names.size(), words, shortened(names[1], 40)));
  }
  return names.empty() ? -1 : 0;
}

std::unique_ptr<Deformation> gltf_deformation(const Obstacle& o, const AnimationReference& file,
                                              TriMesh& mesh, std::vector<std::string>& notices) {
  const auto body = std::make_shared<const GltfBody>(file.path, weld_of(o), o.from_file.parts);
  notices.insert(notices.end(), body->notices().begin(), body->notices().end());
  mesh = {};
  mesh.triangles = body->triangles();
  auto deformation = std::make_unique<GltfDeformation>(o, body, chosen_animation(*body, file, notices));
  deformation->positions(0, mesh.positions);
  return deformation;
}

/// Rotation of a bone at a time: spherical between keys, held outside.
quat key_rotation(const std::vector<MotionKey>& keys, double time) {
  Motion motion;
  motion.keys = keys;
  return motion_pose(motion, time).rotation;
}

/// True for sequences that are read as runs: caches, point caches, folders of --states. OBJ sequences are
/// imported with repairs.
bool is_run(const std::string& path) {
  const std::string ending = file_ending(path);
  std::error_code ignored;
  return ending == ".weftcache" || ending == ".pc2" ||
         std::filesystem::exists(std::filesystem::path(path) / "mesh.obj", ignored);
}

/// Joins vertices that files split, where they stay together in all frames.
void join_split(const Obstacle& o, const std::string& path, TriMesh& mesh,
                std::vector<std::vector<vec3>>& frames, std::vector<std::string>& notices) {
  const TidyMesh tidy = tidied(frames, mesh.triangles, weld_of(o));
  if (tidy.triangles.empty())
    throw Error("the sequence has no triangle with an area in its first frame", path, "name another file");
  for (std::string& words : tidy.notices(path)) notices.push_back(std::move(words));
  mesh = {};
  mesh.triangles = tidy.triangles;
  mesh.positions = frames.front();
}

/// The bodies of a run, or all of it where it has none. A cache has a rate of its own.
std::unique_ptr<Deformation> run_deformation(const Obstacle& o, const std::string& path, TriMesh& mesh,
                                             std::vector<std::string>& notices) {
  const std::unique_ptr<FrameSource> source = open_frame_source(path, double(o.fps));
  notices.insert(notices.end(), source->notices().begin(), source->notices().end());
  const RunInfo& info = source->info();
  const auto is_body = [](const RunGroup& g) { return g.body; };
  const bool bodies = std::any_of(info.groups.begin(), info.groups.end(), is_body);
  if (bodies && !std::all_of(info.groups.begin(), info.groups.end(), is_body))
    notices.push_back(path + ": only its bodies are taken, not its cloths");
  mesh = {};
  std::vector<RunGroup> taken;
  for (const RunGroup& g : info.groups) {
    if (bodies && !g.body) continue;
    const int first = mesh.vertex_count();
    mesh.positions.resize(size_t(first + g.count));
    for (const ivec3& t : g.triangles) mesh.triangles.push_back(t + first);
    taken.push_back(g);
  }
  if (mesh.triangles.empty()) throw Error("the run has no triangles", path, "name another file");
  std::vector<std::vector<vec3>> frames;
  RunFrame frame;
  for (int f = 0; f < source->frame_count(); ++f) {
    source->read(f, frame);
    std::vector<vec3>& own = frames.emplace_back();
    for (const RunGroup& g : taken)
      own.insert(own.end(), frame.positions.begin() + g.first, frame.positions.begin() + g.first + g.count);
  }
  if (frames.empty()) throw Error("the run has no frames", path, "name another file");
  join_split(o, path, mesh, frames, notices);
  auto deformation = std::make_unique<SequenceDeformation>(o, std::move(frames), float(info.fps));
  deformation->positions(0, mesh.positions);
  return deformation;
}

int parent_of(const std::vector<Bone>& bones, size_t bone) {
  for (size_t i = 0; i < bone; ++i)
    if (bones[i].name == bones[bone].parent) return int(i);
  return -1;
}

}  // namespace

void GivenPoses::add(Pose now, Pose next) {
  std::erase_if(poses_, [&](const Pose& p) { return p.time <= now.time || p.time >= next.time; });
  poses_.insert(poses_.begin(), std::move(now));
  poses_.push_back(std::move(next));
}

bool GivenPoses::at(double time, std::vector<vec3>& out) const {
  if (poses_.empty() || time < poses_.front().time) return false;
  const auto next = std::upper_bound(poses_.begin(), poses_.end(), time,
                                     [](double t, const Pose& p) { return t < p.time; });
  const Pose& last = next[-1];
  out = last.positions;
  if (next == poses_.end() || time == last.time) return true;
  const float s = float((time - last.time) / (next->time - last.time));
  for (size_t v = 0; v < out.size(); ++v) out[v] += s * (next->positions[v] - out[v]);
  return true;
}

std::vector<float> skin_weights(const std::vector<vec3>& vertices, const std::vector<Bone>& bones) {
  std::vector<float> weights;
  std::vector<double> row(bones.size());
  for (const vec3& p : vertices) {
    double sum = 0;
    for (size_t b = 0; b < bones.size(); ++b) {
      const float t = closest_on_segment(p, bones[b].head, bones[b].tail);
      const double d = std::max(1e-6, double(glm::length(p - glm::mix(bones[b].head, bones[b].tail, t))));
      row[b] = 1 / (d * d * d * d);
      sum += row[b];
    }
    // Deformation below visibility would only cost time.
    double kept = 0;
    for (double& w : row) w = w / sum < 1e-3 ? 0 : w / sum, kept += w;
    for (const double w : row) weights.push_back(float(w / kept));
  }
  return weights;
}

std::vector<mat4> bone_poses(const std::vector<Bone>& bones, double time) {
  std::vector<mat4> pose;
  for (size_t b = 0; b < bones.size(); ++b) {
    const mat4 turn = glm::mat4_cast(key_rotation(bones[b].keys, time));
    const mat4 own = glm::translate(mat4(1), bones[b].head) * turn * glm::translate(mat4(1), -bones[b].head);
    const int parent = bones[b].parent.empty() ? -1 : parent_of(bones, b);
    pose.push_back(parent >= 0 ? pose[parent] * own : own);
  }
  return pose;
}

namespace {

/// Any other deformation, whose time begins to run gently: at the speed s(t / T), s(u) = 6 u^5 - 15 u^4 + 10
/// u^3, until the lead-in T is over. Poses are those of the time
///
///   T (u^6 - 3 u^5 + 5/2 u^4) for t < T, u = t / T;   t - T / 2 after it,
///
/// so that no vertex is faster than it is without a lead-in, and none jumps in speed.
class LeadIn final : public Deformation {
 public:
  LeadIn(std::unique_ptr<Deformation> body, float duration)
      : body_(std::move(body)), duration_(double(duration)) {}
  void positions(double time, std::vector<vec3>& out) const override {
    const double u = std::max(0.0, time) / duration_;
    body_->positions(u < 1 ? duration_ * u * u * u * u * (u * (u - 3) + 2.5) : time - 0.5 * duration_, out);
  }
  BodyPart part_of(int vertex) const override { return body_->part_of(vertex); }

 private:
  std::unique_ptr<Deformation> body_;
  double duration_;  // s
};

std::unique_ptr<Deformation> deformation_of(const Obstacle& o, const std::string& folder, TriMesh& mesh,
                                            std::vector<std::string>& notices) {
  if (o.frames) {
    Obstacle once = o;
    once.loop = false;
    auto deformation =
        std::make_unique<FramesDeformation>(std::make_unique<SequenceDeformation>(once, *o.frames, o.fps));
    deformation->positions(0, mesh.positions);
    return deformation;
  }
  if (!o.sequence.empty()) {
    ImportReport report;
    if (const AnimationReference file = split_animation(resolve_path(o.sequence, folder)); is_gltf(file.path))
      return gltf_deformation(o, file, mesh, notices);
    else if (is_usd(file.path)) return usda_deformation(o, file.path, mesh, notices);
    if (const std::string path = resolve_path(o.sequence, folder); is_run(path))
      return run_deformation(o, path, mesh, notices);
    MeshSequence sequence = read_obj_sequence(resolve_path(o.sequence, folder), report);
    notices.insert(notices.end(), report.notices.begin(), report.notices.end());
    mesh = std::move(sequence.mesh);
    join_split(o, o.sequence, mesh, sequence.frames, notices);
    auto deformation = std::make_unique<SequenceDeformation>(o, std::move(sequence.frames), o.fps);
    deformation->positions(0, mesh.positions);
    return deformation;
  }
  if (o.shape == ObstacleShape::mannequin) {
    auto deformation = std::make_unique<MannequinDeformation>(o);
    deformation->positions(0, mesh.positions);
    return deformation;
  }
  if (o.bones.empty()) return nullptr;
  for (size_t b = 0; b < o.bones.size(); ++b)
    if (!o.bones[b].parent.empty() && parent_of(o.bones, b) < 0)
      throw Error("bone '" + o.bones[b].name + "' has no parent '" + o.bones[b].parent + "' before it",
                  "obstacle " + o.name, "name parents before their children");
  auto deformation = std::make_unique<SkinDeformation>(o, mesh);
  deformation->positions(0, mesh.positions);
  return deformation;
}

}  // namespace

std::unique_ptr<Deformation> make_deformation(const Obstacle& o, const std::string& folder, TriMesh& mesh,
                                              std::vector<std::string>& notices) {
  std::unique_ptr<Deformation> body = deformation_of(o, folder, mesh, notices);
  // a mannequin's clips have their own way from its rest pose
  if (!body || o.frames || o.shape == ObstacleShape::mannequin || !(lead_in_of(o) > 0)) return body;
  return std::make_unique<LeadIn>(std::move(body), lead_in_of(o));
}

}  // namespace weft
