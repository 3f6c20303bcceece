#include "sim/step/handles.h"

#include <algorithm>
#include <cstring>

#include "sim/base/error.h"
#include "sim/device/primitives.h"

namespace weft {
namespace {

constexpr int kScriptId = 1 << 20;  // ids of scripted handles start here
constexpr int kFewVertices = 64;    // as many are summed by one thread sooner than by a reduction

/// Appends and reads plain values in order.
struct Bytes {
  std::vector<unsigned char> data;
  size_t at = 0;
  template <class T>
  void put(const T& v) {
    const auto* p = reinterpret_cast<const unsigned char*>(&v);
    data.insert(data.end(), p, p + sizeof(T));
  }
  template <class T>
  T get() {
    T v;
    if (at + sizeof(T) > data.size()) throw Error("the snapshot's handles are damaged", "snapshot");
    std::memcpy(static_cast<void*>(&v), data.data() + at, sizeof(T));
    at += sizeof(T);
    return v;
  }
};

vec3 key_position(const std::vector<MotionKey>& keys, float time) {
  if (keys.empty()) return vec3(0);
  if (time <= keys.front().time) return keys.front().position;
  for (size_t i = 1; i < keys.size(); ++i)
    if (time <= keys[i].time) {
      const float span = keys[i].time - keys[i - 1].time;
      const float s = span > 0 ? (time - keys[i - 1].time) / span : 1.0f;
      return glm::mix(keys[i - 1].position, keys[i].position, s);
    }
  return keys.back().position;
}

}  // namespace

Handles::Handles(Device& device, const Model& model, State& state, const Scene& scene)
    : device_(device), model_(model), state_(state), scene_(scene), script_done_(scene.drags.size(), 0) {
  state_.carry(
      "handles", [this] { return save(); }, [this](const std::vector<unsigned char>& b) { restore(b); });
}

Handles::~Handles() { state_.forget("handles"); }

Handles::Handle Handles::make(int id, std::vector<int> vertices, std::vector<float> weights,
                              const std::vector<vec3>& positions) {
  Handle h;
  h.id = id;
  h.moved = state_.time;
  h.vertices = std::move(vertices);
  h.weights = std::move(weights);
  for (size_t i = 0; i < h.vertices.size(); ++i) h.target += h.weights[i] * positions[h.vertices[i]];
  h.goal = h.target;
  upload(h);
  return h;
}

void Handles::upload(Handle& h) {
  ++revision_;
  h.vertex = Buffer<int>(device_, "handle vertices", h.vertices);
  h.weight = Buffer<float>(device_, "handle weights", h.weights);
  h.share = h.vertex.size() > kFewVertices ? Buffer<vec3>(device_, "handle shares", h.vertex.size())
                                           : Buffer<vec3>();
}

void Handles::begin(const GrabBegin& grab, const std::vector<vec3>& positions) {
  if (grab.triangle < 0 || grab.triangle >= model_.triangle_count())
    throw Error("there is no triangle " + std::to_string(grab.triangle), "grab");
  const vec3 b = grab.barycentric;
  if (!(b.x >= -1e-3f && b.y >= -1e-3f && b.z >= -1e-3f && std::abs(b.x + b.y + b.z - 1) < 1e-3f))
    throw Error("barycentric coordinates must not be negative and sum to 1", "grab");
  take_place_of(grab.handle);
  const ivec3 t = model_.host.triangles[grab.triangle];
  std::vector<int> vertices{t.x, t.y, t.z};
  std::vector<float> weights{b.x, b.y, b.z};
  if (grab.brush_radius > 0) {
    const vec3 center = b.x * positions[t.x] + b.y * positions[t.y] + b.z * positions[t.z];
    vertices.clear();
    weights.clear();
    float sum = 0;
    for (int v = 0; v < int(positions.size()); ++v) {
      const float r = glm::length(positions[v] - center) / grab.brush_radius;
      if (!(r < 1)) continue;
      vertices.push_back(v);
      weights.push_back((1 - r * r) * (1 - r * r));
      sum += weights.back();
    }
    if (vertices.empty()) vertices = {t.x}, weights = {1}, sum = 1;
    for (auto& w : weights) w /= sum;
  }
  handles_.push_back(make(grab.handle, vertices, weights, positions));
}

void Handles::begin(const GrabVertices& grab, const std::vector<vec3>& positions) {
  std::vector<int> vertices = grab.vertices;
  std::sort(vertices.begin(), vertices.end());
  if (vertices.empty()) throw Error("there are no vertices to grab", "grab");
  for (const int v : {vertices.front(), vertices.back()})
    if (v < 0 || v >= int(positions.size())) throw Error("there is no vertex " + std::to_string(v), "grab");
  if (std::adjacent_find(vertices.begin(), vertices.end()) != vertices.end())
    throw Error("a vertex is named twice", "grab");
  take_place_of(grab.handle);
  const std::vector<float> weights(vertices.size(), 1 / float(vertices.size()));
  handles_.push_back(make(grab.handle, std::move(vertices), weights, positions));
}

void Handles::take_place_of(int id) {
  end({id});
  if (int(handles_.size()) >= kMostHandles)
    throw Error(std::to_string(kMostHandles) +
                    " handles hold the cloth already, and each takes its time in every "
                    "iteration",
                "grab", "release some before the next");
}

void Handles::move(const GrabMove& move) {
  for (auto& h : handles_)
    if (h.id == move.handle) h.goal = move.target, h.speed_factor = move.speed_factor, h.moved = state_.time;
}

bool Handles::dragged() const {
  constexpr double kStill = 1;  // s
  return std::any_of(handles_.begin(), handles_.end(),
                     [&](const Handle& h) { return state_.time - h.moved < kStill; });
}

void Handles::end(const GrabEnd& end) {
  revision_ += std::erase_if(handles_, [&](const Handle& h) { return h.id == end.handle; });
}

void Handles::clear() {
  ++revision_;
  handles_.clear();
  std::fill(script_done_.begin(), script_done_.end(), 0);
}

int Handles::grabbed_vertex(const ScriptedDrag& drag, const std::vector<vec3>& start_positions) const {
  const ModelPart* range = &model_.host.parts.front();
  for (auto& c : model_.host.parts)
    if (c.name == drag.cloth) range = &c;
  // The share of the cloth's extent in material coordinates where it has them, else in its start bounds.
  glm::vec2 low(1e30f), high(-1e30f);
  auto coordinate = [&](int v) {
    return model_.host.uv.empty() ? vec2(start_positions[v].x, start_positions[v].y) : model_.host.uv[v];
  };
  for (int i = 0; i < range->vertex_count; ++i) {
    const vec2 p = coordinate(range->first_vertex + i);
    low = glm::min(low, p), high = glm::max(high, p);
  }
  const vec2 wanted = low + drag.at * (high - low);
  int best = range->first_vertex;
  float nearest = 1e30f;
  for (int i = 0; i < range->vertex_count; ++i) {
    const int v = range->first_vertex + i;
    const vec2 off = coordinate(v) - wanted;
    if (const float d = glm::dot(off, off); d < nearest) nearest = d, best = v;
  }
  return best;
}

bool Handles::script_due(double time) const {
  for (size_t i = 0; i < scene_.drags.size(); ++i)
    if (!script_done_[i] && time >= scene_.drags[i].begin) return true;
  return false;
}

void Handles::run_script(double time, const std::vector<vec3>& positions) {
  for (size_t i = 0; i < scene_.drags.size(); ++i) {
    const ScriptedDrag& drag = scene_.drags[i];
    if (script_done_[i] || time < drag.begin) continue;
    script_done_[i] = 1;
    if (time >= drag.end) continue;
    Handle h = make(kScriptId + int(i), {grabbed_vertex(drag, model_.host.rest)}, {1.0f}, positions);
    h.script = int(i);
    h.script_start = h.target;
    handles_.push_back(std::move(h));
  }
}

vec3 Handles::next_target(const Handle& h, float dt, const DragParams& p) const {
  const vec3 displacement = h.goal - h.target;
  const float length = glm::length(displacement), limit = hand_speed(p, h.speed_factor) * dt;
  return length > limit ? h.target + displacement * (limit / length) : h.goal;
}

void Handles::prepare(StepContext& c, const DragParams& p) {
  if (handles_.empty()) return;
  if (points_.size() < int(handles_.size())) {
    const int room = int(handles_.size()) + 8;
    points_ = Buffer<vec3>(device_, "handle points", room);
    targets_ = Buffer<vec3>(device_, "handle targets", room);
    ++revision_;
  }
  std::vector<vec3> targets(size_t(targets_.size()), vec3(0));
  for (size_t i = 0; i < handles_.size(); ++i) targets[i] = next_target(handles_[i], c.dt, p);
  targets_.upload(targets);
}

void Handles::find_point(StepContext& c, Handle& h, int slot) {
  const Span<const vec3> x = c.state.position, d = c.displacement;
  if (h.share.empty()) {
    launch(device_, "handle points", 1, handles::HandlePoint{h.vertex, h.weight, x, d, points_, slot});
    return;
  }
  launch(device_, "handle points", h.vertex.size(), handles::HandleShare{h.vertex, h.weight, x, d, h.share});
  reduce_sum(device_, h.share, {points_.span().data + slot, 1});
}

void Handles::add_anchors(StepContext& c, const DragParams& p) {
  for (size_t i = 0; i < handles_.size(); ++i) {
    Handle& h = handles_[i];
    find_point(c, h, int(i));
    launch(device_, "handle forces", h.vertex.size(),
           handles::Pull{h.vertex, h.weight, points_, targets_, int(i), p.stiffness, p.force_limit,
                         c.displacement, c.anchor_weight, c.anchor_force});
  }
}

void Handles::finish_step(double time, float dt, const DragParams& p) {
  for (auto& h : handles_) {
    h.target = next_target(h, dt, p);
    if (h.script >= 0) {
      const ScriptedDrag& drag = scene_.drags[h.script];
      const vec3 goal = h.script_start + key_position(drag.keys, float(time) - drag.begin);
      if (goal != h.goal) h.moved = time;
      h.goal = goal;
    }
  }
  revision_ += std::erase_if(
      handles_, [&](const Handle& h) { return h.script >= 0 && time >= scene_.drags[h.script].end; });
}

std::vector<HandleView> Handles::views(const StepContext& c, const DragParams& p) {
  std::vector<HandleView> out;
  if (handles_.empty()) return out;
  const std::vector<vec3> positions = c.state.position.download();
  for (auto& h : handles_) {
    HandleView v;
    v.id = h.id;
    v.scripted = h.script >= 0;
    v.target = h.target;
    for (size_t i = 0; i < h.vertices.size(); ++i) v.point += h.weights[i] * positions[h.vertices[i]];
    v.force = std::min(p.stiffness * glm::length(v.target - v.point), p.force_limit);
    out.push_back(v);
  }
  return out;
}

std::vector<unsigned char> Handles::save() const {
  Bytes b;
  for (const char done : script_done_) b.put(done);
  b.put(int(handles_.size()));
  for (auto& h : handles_) {
    b.put(h.id), b.put(h.script), b.put(h.goal), b.put(h.target), b.put(h.script_start),
        b.put(int(h.vertices.size()));
    for (size_t i = 0; i < h.vertices.size(); ++i) b.put(h.vertices[i]), b.put(h.weights[i]);
  }
  // Only where there are any, so that other snapshots are those of earlier versions.
  const auto faster = [](const Handle& h) { return h.speed_factor != 1; };
  if (std::any_of(handles_.begin(), handles_.end(), faster))
    for (auto& h : handles_) b.put(h.speed_factor);
  return b.data;
}

void Handles::restore(const std::vector<unsigned char>& data) {
  const auto check = [](bool sound) {
    if (!sound) throw Error("the snapshot's handles are damaged", "snapshot");
  };
  Bytes b{data};
  for (auto& done : script_done_) done = b.get<char>();
  handles_.clear();
  ++revision_;
  const int count = b.get<int>();
  for (int i = 0; i < count; ++i) {
    Handle h;
    h.id = b.get<int>(), h.script = b.get<int>(), h.goal = b.get<vec3>(), h.target = b.get<vec3>(),
    h.script_start = b.get<vec3>();
    check(h.script >= -1 && h.script < int(scene_.drags.size()));
    const int n = b.get<int>();
    for (int k = 0; k < n; ++k) {
      h.vertices.push_back(b.get<int>());
      h.weights.push_back(b.get<float>());
      check(h.vertices.back() >= 0 && h.vertices.back() < model_.vertex_count());
    }
    upload(h);
    handles_.push_back(std::move(h));
  }
  if (b.at < b.data.size())
    for (auto& h : handles_) h.speed_factor = b.get<float>(), check(h.speed_factor >= 1);
  check(b.at == b.data.size());
}

}  // namespace weft
