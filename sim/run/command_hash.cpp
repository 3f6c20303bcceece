#include "sim/run/command_hash.h"

#include "sim/base/hash.h"

namespace weft {
namespace {

struct CommandHash {
  uint64_t value = 0;

  void bytes(const void* data, size_t count) { value = hash_bytes(data, count, value); }
  void add(int v) { bytes(&v, sizeof v); }
  void add(float v) { bytes(&v, sizeof v); }
  void add(const vec3& v) { add(v.x), add(v.y), add(v.z); }
  void add(const std::string& text) { add(int(text.size())), bytes(text.data(), text.size()); }

  void operator()(const SetParam& c) { add(c.key), add(c.text); }
  void operator()(const GrabBegin& c) {
    add(c.handle), add(c.triangle), add(c.barycentric), add(c.brush_radius);
  }
  void operator()(const GrabVertices& c) {
    add(c.handle), bytes(c.vertices.data(), c.vertices.size() * sizeof(int));
  }
  void operator()(const GrabMove& c) {
    add(c.handle), add(c.target);
    if (c.speed_factor != 1) add(c.speed_factor);
  }
  void operator()(const GrabEnd& c) { add(c.handle); }
  void operator()(const PinVertex& c) {
    add(c.vertex), add(int(c.pinned) + 2 * int(c.as_scene));
    if (c.place) add(*c.place);
  }
  void operator()(const ResetState&) {}
  void operator()(const EndSolve& c) { add(c.iterations); }
  void operator()(const PoseBody& c) {
    add(c.obstacle), bytes(c.positions.data(), c.positions.size() * sizeof(vec3)), bytes(&c.at, sizeof c.at);
  }
  void operator()(const PlaceBody& c) {
    add(c.obstacle), add(c.offset), bytes(&c.turn, sizeof c.turn), bytes(&c.at, sizeof c.at);
  }
  void operator()(const MoveBody& c) {
    add(c.obstacle), add(c.center), add(c.offset), add(c.rotation), add(c.speed_factor);
  }
};

}  // namespace

uint64_t hash_of(const std::vector<TimedCommand>& commands, size_t count) {
  CommandHash hash;
  for (size_t i = 0; i < count && i < commands.size(); ++i) {
    hash.add(commands[i].step);
    hash.add(int(commands[i].command.index()));
    std::visit([&](const auto& c) { hash(c); }, commands[i].command);
  }
  return hash.value;
}

}  // namespace weft
