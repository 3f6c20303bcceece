#include <fmt/format.h>

#include "sim/base/file.h"
#include "sim/scene/command.h"
#include "sim/scene/toml/toml_table.h"
#include "sim/scene/toml/toml_text.h"

namespace weft {
namespace {

using toml_text::quoted;
using toml_text::value;

/// The command's part of a line.
struct CommandText {
  std::string operator()(const SetParam& c) const {
    return fmt::format("set = {}, value = {}", quoted(c.key), quoted(c.text));
  }
  std::string operator()(const GrabBegin& c) const {
    return fmt::format("grab = {}, triangle = {}, barycentric = {}, brush_radius = {}", c.handle, c.triangle,
                       value(c.barycentric), value(c.brush_radius));
  }
  std::string operator()(const GrabVertices& c) const {
    return fmt::format("grab = {}, vertices = {}", c.handle, value(c.vertices));
  }
  std::string operator()(const GrabMove& c) const {
    return fmt::format("move = {}, target = {}", c.handle, value(c.target)) +
           (c.speed_factor != 1 ? fmt::format(", speed_factor = {}", value(c.speed_factor)) : std::string());
  }
  std::string operator()(const GrabEnd& c) const { return fmt::format("release = {}", c.handle); }
  std::string operator()(const PinVertex& c) const {
    const char* what = c.pinned ? (c.as_scene ? "repin" : "pin") : "unpin";
    return fmt::format("{} = {}", what, c.vertex) +
           (c.place ? fmt::format(", place = {}", value(*c.place)) : std::string());
  }
  std::string operator()(const ResetState&) const { return "reset = true"; }
  std::string operator()(const EndSolve& c) const { return fmt::format("end_solve = {}", c.iterations); }
  std::string operator()(const PoseBody& c) const {
    std::string rows;
    for (const vec3& p : c.positions) rows += (rows.empty() ? "" : ", ") + value(p);
    return fmt::format("pose = {}, at = {}, positions = [{}]", quoted(c.obstacle), value(c.at), rows);
  }
  std::string operator()(const PlaceBody& c) const {
    return fmt::format("place_body = {}, at = {}, offset = {}, turn = [[{}, {}, {}, {}]]", quoted(c.obstacle),
                       value(c.at), value(c.offset), c.turn.w, c.turn.x, c.turn.y, c.turn.z);
  }
  std::string operator()(const MoveBody& c) const {
    return fmt::format("body = {}, center = {}, offset = {}, rotation = {}", quoted(c.obstacle),
                       value(c.center), value(c.offset), value(c.rotation)) +
           (c.speed_factor != 1 ? fmt::format(", speed_factor = {}", value(c.speed_factor)) : std::string());
  }
};

constexpr double kLargestIndex = 2e9;

PoseBody read_pose(TomlTable& t, PoseBody pose) {
  if (!t.read("at", pose.at, 0, 1e9)) t.fail("", "pose needs the time at which it is reached (at)");
  for (const std::vector<float>& p : t.lists("positions", 3, -1e6, 1e6))
    pose.positions.push_back({p[0], p[1], p[2]});
  if (pose.positions.empty()) t.fail("", "pose needs positions");
  return pose;
}

PlaceBody read_place(TomlTable& t, PlaceBody place) {
  if (!t.read("at", place.at, 0, 1e9)) t.fail("", "place_body needs the time at which it is reached (at)");
  t.read("offset", place.offset, -1e6, 1e6);
  for (const std::vector<float>& q : t.lists("turn", 4, -1, 1)) place.turn = quat(q[0], q[1], q[2], q[3]);
  if (!(std::abs(glm::length(place.turn) - 1) < 1e-3f))
    t.fail("turn", "this is no rotation", "write a unit quaternion, its real part first: [[1, 0, 0, 0]]");
  return place;
}

Command read_command(TomlTable& t) {
  SetParam set;
  GrabBegin grab;
  GrabMove move;
  GrabEnd release;
  PinVertex pin;
  EndSolve end_solve;
  MoveBody body;
  bool reset = false;
  if (t.read("set", set.key)) {
    if (!t.read("value", set.text)) t.fail("", "set needs a value");
    return set;
  }
  if (t.read("grab", grab.handle, 0, kLargestIndex)) {
    if (GrabVertices together{grab.handle, {}}; t.read("vertices", together.vertices, 0, kLargestIndex))
      return together;
    if (!t.read("triangle", grab.triangle, 0, kLargestIndex)) t.fail("", "grab needs a triangle or vertices");
    t.read("barycentric", grab.barycentric, -1, 2);
    if (std::abs(grab.barycentric.x + grab.barycentric.y + grab.barycentric.z - 1) > 1e-3f)
      t.fail("barycentric", "the three do not add up to 1");
    t.read("brush_radius", grab.brush_radius, 0, 1e4);
    return grab;
  }
  if (t.read("move", move.handle, 0, kLargestIndex)) {
    if (!t.read("target", move.target)) t.fail("", "move needs a target");
    t.read("speed_factor", move.speed_factor, 1, 1e4);
    return move;
  }
  if (t.read("body", body.obstacle)) {
    t.read("center", body.center, -1e6, 1e6), t.read("offset", body.offset, -1e6, 1e6);
    t.read("rotation", body.rotation, -1e4, 1e4), t.read("speed_factor", body.speed_factor, 1, 1e4);
    return body;
  }
  if (PoseBody pose; t.read("pose", pose.obstacle)) return read_pose(t, std::move(pose));
  if (PlaceBody place; t.read("place_body", place.obstacle)) return read_place(t, std::move(place));
  if (t.read("release", release.handle, 0, kLargestIndex)) return release;
  if (t.read("end_solve", end_solve.iterations, 1, kLargestIndex)) return end_solve;
  if (t.read("pin", pin.vertex, 0, kLargestIndex)) {
    if (vec3 place(0); t.read("place", place)) pin.place = place;
    return pin;
  }
  pin.as_scene = true;
  if (t.read("repin", pin.vertex, 0, kLargestIndex)) return pin;
  pin.pinned = pin.as_scene = false;
  if (t.read("unpin", pin.vertex, 0, kLargestIndex)) return pin;
  if (t.read("reset", reset) && reset) return ResetState{};
  t.fail("", "does not name an action",
         "use set, grab, move, release, pin, repin, unpin, body, pose, place_body, end_solve or reset");
}

std::pair<std::string, std::string> read_override(const TomlTable& t, const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == text.npos || equals == 0) t.fail("overrides", "'" + text + "' is not key=value");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace

void write_hands(const std::string& path, const HandRecording& recording) {
  std::string text = fmt::format("scene = {}\nsteps = {}\n", quoted(recording.scene_path), recording.steps);
  if (!recording.overrides.empty()) {
    text += "overrides = [\n";
    for (const auto& [key, set_to] : recording.overrides) text += "  " + quoted(key + "=" + set_to) + ",\n";
    text += "]\n";
  }
  text += "# Each acts before its step (0 is the first); time is in simulated seconds.\ncommands = [\n";
  for (const TimedCommand& c : recording.commands)
    text += fmt::format("  {{ step = {}, time = {}, {} }},\n", c.step, value(c.time),
                        std::visit(CommandText{}, c.command));
  write_text_file(path, text + "]\n");
}

HandRecording read_hands(const std::string& path) {
  const toml::table root = parse_toml(read_text_file(path, "a recording of user input"), path);
  TomlTable t(root, path, "");
  HandRecording recording;
  if (!t.read("scene", recording.scene_path))
    t.fail("", "this is not a recording of user input: it names no scene");
  t.read("steps", recording.steps, 0, kLargestIndex);
  std::vector<std::string> overrides;
  t.read("overrides", overrides);
  for (const std::string& text : overrides) recording.overrides.push_back(read_override(t, text));
  for (TomlTable& line : t.tables("commands")) {
    TimedCommand command;
    if (!line.read("step", command.step, 0, kLargestIndex)) line.fail("", "a command needs its step");
    // a reset turns the count back
    const auto last = recording.commands.empty() ? nullptr : &recording.commands.back();
    if (last && command.step < last->step && !std::holds_alternative<ResetState>(last->command))
      line.fail("step", "steps must not decrease");
    line.read("time", command.time, 0, 1e9);
    command.command = read_command(line);
    line.finish();
    recording.commands.push_back(command);
  }
  t.finish();
  return recording;
}

}  // namespace weft
