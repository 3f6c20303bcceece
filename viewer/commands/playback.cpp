#include "viewer/commands/playback.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sim/base/error.h"
#include "sim/files/gltf_writer.h"
#include "sim/mesh/smooth_normals.h"
#include "sim/methods/quantities.h"

namespace weft {

Playback::Playback(const std::string& path) : source_(path) {
  const RunInfo& run = source_.info();
  for (const RunGroup& g : run.groups)
    if (!g.body) cloth_vertices_ = g.first + g.count, has_rest_ &= !g.rest.empty();
  if (cloth_vertices_ == 0)
    throw Error("the run has no cloth to show", path, "use 'weft convert' to make files of its bodies");
  double end = 0;
  for (int f = 0; f < frame_count(); ++f) {
    // A frame lasts until the next. Where time was turned back (a reset) and at the end: as long as a step.
    const double length = f + 1 < frame_count() ? source_.time(f + 1) - source_.time(f) : 0;
    ends_.push_back(end += length > 0 ? length : run.dt);
  }
  source_.read(0, positions_);
  view_ = std::make_shared<SceneView>(scene_view_of(run, positions_, path));
  show(0);
}

void Playback::play() {
  if (playing_) return;
  if (at_end()) go_to(0);
  playing_ = true;
}

bool Playback::at_end() { return current_ == frame_count() - 1; }

void Playback::go_to(int frame) {
  frame = std::clamp(frame, 0, frame_count() - 1);
  if (frame != current_) show(frame);
  position_ = frame > 0 ? ends_[size_t(frame) - 1] : 0;
}

bool Playback::advance(double seconds) {
  if (!playing_) return false;
  const int before = current_;
  position_ += seconds * speed_;
  if (position_ >= duration()) {
    if (looping_) {
      position_ = std::fmod(position_, duration());
    } else {
      playing_ = false;
      go_to(frame_count() - 1);
      return current_ != before;
    }
  }
  const int frame = int(std::upper_bound(ends_.begin(), ends_.end(), position_) - ends_.begin());
  if (frame != current_) show(std::min(frame, frame_count() - 1));
  return current_ != before;
}

bool Playback::advance_one() {
  if (!playing_) return false;
  if (at_end() && !looping_) return playing_ = false;
  go_to(at_end() ? 0 : current_ + 1);
  return true;
}

void Playback::set_field(const std::string& name) {
  const std::string field = why_not(name).empty() ? name : "none";
  if (field == field_) return;
  field_ = field;
  show(current_);
}

std::string Playback::why_not(const std::string& field) const {
  if (field == "stretch" && !has_rest_) return "This recorded run has no rest shape, so stretch is unknown.";
  return vertex_fields()[size_t(vertex_field(field))].recorded;
}

void Playback::show(int frame) {
  source_.read(frame, positions_);
  auto next = std::make_shared<Frame>();
  next->id = ++shown_;
  next->model_id = view_->model_id;
  next->step = int(positions_.step);
  next->time = positions_.time;
  next->ground_height = view_->scene.contact.ground_height;
  next->positions.assign(positions_.positions.begin(), positions_.positions.begin() + cloth_vertices_);
  next->vertex_count = cloth_vertices_;
  for (const RunGroup& g : source_.info().groups) {
    if (g.body) continue;
    const std::vector<vec3> normals = smooth_normals(next->positions.data() + g.first, g.count, g.triangles);
    next->normals.insert(next->normals.end(), normals.begin(), normals.end());
  }
  fill_scalar(*next, frame);
  place_bodies(*next);
  frame_ = std::move(next);
  current_ = frame;
}

void Playback::fill_scalar(Frame& out, int frame) {
  out.field = field_;
  if (field_ == "none") return;
  out.scalar.assign(size_t(cloth_vertices_), field_ == "stretch" ? 1.0f : 0.0f);
  if (field_ == "stretch") {
    std::fill(out.scalar.begin(), out.scalar.end(), 0.0f);
    for (const ivec2& e : view_->edges) {
      const float rest = glm::distance(view_->rest[size_t(e.x)], view_->rest[size_t(e.y)]);
      const float stretch =
          rest > 0 ? glm::distance(out.positions[size_t(e.x)], out.positions[size_t(e.y)]) / rest : 1;
      for (int v : {e.x, e.y}) out.scalar[size_t(v)] = std::max(out.scalar[size_t(v)], stretch);
    }
    return;
  }
  if (frame == 0) return;
  source_.read(frame - 1, earlier_);
  const double passed = positions_.time - earlier_.time;
  if (passed <= 0) return;
  for (size_t v = 0; v < out.scalar.size(); ++v)
    out.scalar[v] = float(double(glm::distance(out.positions[v], earlier_.positions[v])) / passed);
}

void Playback::place_bodies(Frame& out) const {
  int body = 0;
  for (const RunGroup& g : source_.info().groups) {
    if (!g.body) continue;
    const vec3* now = positions_.positions.data() + g.first;
    ObstacleView placed{body, mat4(1)};
    std::shared_ptr<const std::vector<vec3>> shape;
    if (view_->scene.obstacles[size_t(body)].shape == ObstacleShape::plane) {
      placed.transform = plane_frame(now);
    } else {
      const auto before = frame_ ? frame_->obstacle_positions[size_t(body)] : nullptr;
      if (before && std::memcmp(before->data(), now, size_t(g.count) * sizeof(vec3)) == 0)
        shape = before;  // nothing to upload again
      else shape = std::make_shared<std::vector<vec3>>(now, now + g.count);
    }
    out.obstacles.push_back(placed);
    out.obstacle_positions.push_back(std::move(shape));
    ++body;
  }
}

}  // namespace weft
