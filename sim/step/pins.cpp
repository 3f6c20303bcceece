#include "sim/step/pins.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/nearest.h"
#include "sim/scene/command.h"
#include "sim/scene/model/pins.h"
#include "sim/scene/motion.h"
#include "sim/scene/teleports.h"
#include "sim/step/handle_view.h"

namespace weft {

namespace {

/// The obstacle that a pin follows.
int followed(const Scene& scene, const std::string& name, const std::string& pin) {
  std::vector<std::string> names;
  for (const Obstacle& o : scene.obstacles) {
    if (o.name == name) return int(names.size());
    names.push_back(o.name);
  }
  throw Error("there is no obstacle '" + name + "'", pin,
              names.empty() ? "add an [[obstacle]]" : did_you_mean(name, names));
}

}  // namespace

std::vector<vec3> Kinematics::Group::at(const Scene& scene, double time) const {
  if (body) return body->at(time, scene.obstacles[size_t(obstacle)].motion.hand);
  std::vector<vec3> places = start;
  if (!motion.moves()) return places;
  const mat4 m = motion_transform(motion, time);
  for (vec3& p : places) p = vec3(m * vec4(p, 1));
  return places;
}

Kinematics::Kinematics(Device& device, const Model& model, State& state, const Scene& scene,
                       const std::vector<vec3>& start)
    : device_(device), model_(model), state_(state), scene_(scene), start_(start) {
  FrontViews views;
  for (size_t i = 0; i < scene.pins.size(); ++i) {
    const Pin& pin = scene.pins[i];
    const ModelPart* range = &model.host.parts.front();
    if (!pin.cloth.empty()) {
      const auto it = std::find_if(model.host.parts.begin(), model.host.parts.end(),
                                   [&](auto& c) { return c.name == pin.cloth; });
      if (it == model.host.parts.end())
        throw Error("there is no cloth '" + pin.cloth + "'", "pin " + std::to_string(i + 1));
      range = &*it;
    }
    Group g;
    g.motion = pin.motion;
    g.release_time = pin.release_time;
    for (const int local : resolve_pin(pin, model.host, *range, start, &views)) {
      g.vertices.push_back(range->first_vertex + local);
      g.start.push_back(start[range->first_vertex + local]);
    }
    if (g.vertices.empty())
      throw Error("the pin holds no vertex", "pin " + std::to_string(i + 1), "check its box or indices");
    if (!pin.body.empty()) {
      g.obstacle = followed(scene, pin.body, "pin " + std::to_string(i + 1));
      g.body =
          std::make_shared<SurfacePins>(scene.obstacles[size_t(g.obstacle)],
                                        std::filesystem::path(scene.path).parent_path().string(), g.start);
    }
    groups_.push_back(std::move(g));
  }
  state_.carry(
      "pins", [this] { return save(); }, [this](const std::vector<unsigned char>& b) { restore(b); });
}

Kinematics::~Kinematics() { state_.forget("pins"); }

std::map<int, vec3> Kinematics::places(double time) const {
  std::map<int, vec3> pinned;
  for (auto& g : groups_) {
    if (g.release_time >= 0 && time > g.release_time) continue;
    const std::vector<vec3> places = g.at(scene_, time);
    for (size_t i = 0; i < g.vertices.size(); ++i)
      if (!freed_.count(g.vertices[i])) pinned[g.vertices[i]] = places[i];
  }
  for (auto& [v, p] : hand_pins_) pinned[v] = p;
  return pinned;
}

void Kinematics::gather(double time, std::vector<int>& vertices, std::vector<vec3>& targets) const {
  for (auto& [v, p] : places(time)) {
    vec3 target = p;
    if (const auto returning = returning_.find(v); returning != returning_.end()) {
      const vec3& from = returning->second.from;
      const float distance = glm::distance(p, from), done = returning->second.done(time);
      if (done < distance) target = from + (p - from) * (done / distance);
    }
    vertices.push_back(v), targets.push_back(target);
  }
}

void Kinematics::forget_arrived(double time) {
  if (returning_.empty()) return;
  const std::map<int, vec3> pinned = places(time);
  std::erase_if(returning_, [&](const auto& returning) {
    const auto place = pinned.find(returning.first);
    return place == pinned.end() ||
           returning.second.done(time) >= glm::distance(place->second, returning.second.from);
  });
}

void Kinematics::prescribe(StepContext& c, double time) {
  c.kinematic.clear();
  c.kinematic_displacement.clear();
  std::vector<int> vertices;
  std::vector<vec3> targets;
  forget_arrived(c.state.time);
  gather(time, vertices, targets);
  if (vertices.empty()) return;
  if (vertex_.size() != int(vertices.size())) {
    vertex_ = Buffer<int>(device_, "pinned vertices", vertices);
    target_ = Buffer<vec3>(device_, "pin targets", targets);
  } else {
    vertex_.upload(vertices);
    target_.upload(targets);
  }
  launch(device_, "pins", vertex_.size(),
         kinematics::Prescribe{vertex_, target_, c.state.position, c.kinematic, c.kinematic_displacement});
}

bool Kinematics::of_scene(int vertex) const {
  return std::any_of(groups_.begin(), groups_.end(), [&](const Group& g) {
    return std::find(g.vertices.begin(), g.vertices.end(), vertex) != g.vertices.end();
  });
}

void Kinematics::set_pin(const PinVertex& pin, const vec3& position) {
  if (pin.vertex < 0 || pin.vertex >= model_.vertex_count())
    throw Error("there is no vertex " + std::to_string(pin.vertex), "pin");
  if (pin.place && !(glm::length(*pin.place) < 1e6f))
    throw Error("the place is no point of this world", "pin");
  returning_.erase(pin.vertex);
  if (!pin.pinned) {
    hand_pins_.erase(pin.vertex);
    if (of_scene(pin.vertex)) freed_[pin.vertex] = true;
  } else if (pin.as_scene && freed_.erase(pin.vertex)) {
    hand_pins_.erase(pin.vertex);
    returning_[pin.vertex] = {position, state_.time, scene_.drag.speed_limit};
  } else {
    hand_pins_[pin.vertex] = pin.place.value_or(position);
    if (pin.place) returning_[pin.vertex] = {position, state_.time, scene_.drag.speed_limit};
  }
}

void Kinematics::back_to_start() {
  for (auto& [v, p] : hand_pins_) p = start_[v];
  returning_.clear();
}

std::vector<HandPin> Kinematics::hand_pins() const {
  std::vector<HandPin> pins;
  for (auto& [v, p] : hand_pins_) pins.push_back({v, p});
  return pins;
}

float Kinematics::way(double time, float dt) const {
  const std::set<int>& teleports = scene_.of<Teleports>().pins;
  float most = 0;
  for (int i = 0; i < int(groups_.size()); ++i)
    if (!teleports.count(i)) most = std::max(most, way_of(i, time, dt));
  return most;
}

float Kinematics::way_of(int pin, double time, float dt) const {
  const Group& g = groups_[pin];
  float most = 0;
  if ((!g.body && !g.motion.moves()) || (g.release_time >= 0 && time + double(dt) > g.release_time)) return 0;
  const std::vector<vec3> a = g.at(scene_, time), b = g.at(scene_, time + double(dt));
  for (size_t i = 0; i < a.size(); ++i) most = std::max(most, glm::length(b[i] - a[i]));
  return most;
}

std::vector<int> Kinematics::held_by(int pin, double time) const {
  const Group& g = groups_[pin];
  std::vector<int> pinned;
  if (g.release_time >= 0 && time > g.release_time) return pinned;
  for (const int v : g.vertices)
    if (!freed_.count(v)) pinned.push_back(v);
  return pinned;
}

std::vector<int> Kinematics::pinned(double time) const {
  std::vector<int> vertices;
  std::vector<vec3> targets;
  gather(time, vertices, targets);
  return vertices;
}

std::vector<Pin> Kinematics::pins_to_save() const {
  std::vector<Pin> pins;
  for (size_t i = 0; i < groups_.size(); ++i) {
    const bool touched = std::any_of(groups_[i].vertices.begin(), groups_[i].vertices.end(),
                                     [&](int v) { return freed_.count(v) > 0; });
    Pin pin = scene_.pins[i];
    if (touched) {
      pin.where.clear();
      pin.box.reset();
      pin.vertices.clear();
      const ModelPart& range = model_.host.parts[model_.host.vertex_part[groups_[i].vertices.front()]];
      const std::vector<int> in_file = range.input.first_numbers(range.vertex_count);
      for (const int v : groups_[i].vertices)
        if (!freed_.count(v)) pin.vertices.push_back(in_file[v - range.first_vertex]);
      if (pin.vertices.empty()) continue;
    }
    pins.push_back(pin);
  }
  for (auto& range : model_.host.parts) {
    Pin pin;
    pin.cloth = range.name;
    const std::vector<int> in_file =
        hand_pins_.empty() ? std::vector<int>() : range.input.first_numbers(range.vertex_count);
    for (auto& [v, p] : hand_pins_)
      if (v >= range.first_vertex && v < range.first_vertex + range.vertex_count)
        pin.vertices.push_back(in_file[v - range.first_vertex]);
    if (!pin.vertices.empty()) pins.push_back(pin);
  }
  return pins;
}

namespace {
constexpr size_t kReturnBytes = 28;  // of a vertex that is on its way to its pin: number, place, time, speed
}

std::vector<unsigned char> Kinematics::save() const {
  std::vector<unsigned char> out;
  auto put = [&](const void* p, size_t n) {
    out.resize(out.size() + n);
    std::memcpy(out.data() + out.size() - n, p, n);
  };
  const int counts[2] = {int(hand_pins_.size()), int(freed_.size())};
  put(counts, sizeof counts);
  for (auto& [v, p] : hand_pins_) put(&v, sizeof v), put(&p, sizeof p);
  for (auto& [v, on] : freed_) put(&v, sizeof v);
  for (auto& [v, r] : returning_)
    put(&v, sizeof v), put(&r.from, sizeof r.from), put(&r.since, sizeof r.since),
        put(&r.speed, sizeof r.speed);
  return out;
}

void Kinematics::restore(const std::vector<unsigned char>& data) {
  int counts[2] = {0, 0};
  if (data.size() >= sizeof counts) std::memcpy(counts, data.data(), sizeof counts);
  const size_t pinned =
      sizeof counts + size_t(std::max(counts[0], 0)) * 16 + size_t(std::max(counts[1], 0)) * 4;
  if (counts[0] < 0 || counts[1] < 0 || data.size() < pinned || (data.size() - pinned) % kReturnBytes != 0)
    throw Error("the snapshot's pins are damaged", "snapshot");
  const auto vertex_at = [&](const unsigned char* place) {
    int v;
    std::memcpy(&v, place, 4);
    if (v < 0 || v >= model_.vertex_count())
      throw Error("the snapshot pins a vertex that there is not", "snapshot");
    return v;
  };
  hand_pins_.clear();
  freed_.clear();
  returning_.clear();
  const unsigned char* at = data.data() + sizeof counts;
  for (int i = 0; i < counts[0]; ++i, at += 16) {
    vec3 p;
    std::memcpy(static_cast<void*>(&p), at + 4, 12);
    hand_pins_[vertex_at(at)] = p;
  }
  for (int i = 0; i < counts[1]; ++i, at += 4) freed_[vertex_at(at)] = true;
  for (; at != data.data() + data.size(); at += kReturnBytes) {
    Return r;
    std::memcpy(static_cast<void*>(&r.from), at + 4, 12), std::memcpy(&r.since, at + 16, 8),
        std::memcpy(&r.speed, at + 24, 4);
    if (!(glm::length(r.from) < 1e6f && std::isfinite(r.since) && r.speed > 0 && std::isfinite(r.speed)))
      throw Error("the snapshot's pins are damaged", "snapshot");
    returning_[vertex_at(at)] = r;
  }
}

}  // namespace weft
