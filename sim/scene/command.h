// User input to a running simulation. Commands are queued and take effect between steps; stamped with their
// step they form a recording that can be replayed.
#pragma once
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/base/math.h"

namespace weft {

/// key=value as on the command line.
struct SetParam {
  std::string key, text;
};
/// Grabs a point on a triangle (index into Model::triangles) at barycentric coordinates (sum 1).
struct GrabBegin {
  int handle = 0;
  int triangle = 0;
  vec3 barycentric{1, 0, 0};
  float brush_radius = 0;  // m
};
/// Grabs vertices as one, at their middle.
struct GrabVertices {
  int handle = 0;
  std::vector<int> vertices;  // of the model, each once
};
struct GrabMove {
  int handle = 0;
  vec3 target{0};  // world space
  // at least 1: factor on DragParams::speed_limit until the next move. A Runner sets it where its steps take
  // longer than the time that they simulate, so that a handle keeps up with the hand
  float speed_factor = 1;
};
struct GrabEnd {
  int handle = 0;
};
/// Pins or frees a vertex. A vertex pinned at another place moves there at most at DragParams::speed_limit.
struct PinVertex {
  int vertex = 0;
  bool pinned = true;
  // with `pinned`: a freed vertex returns to the scene's own pin and its motion, if it has one
  bool as_scene = false;
  std::optional<vec3> place = {};  // with `pinned`: where it is held, world space
};
/// Moves an obstacle, on top of its script: x becomes center + offset + rotation (x - center). It goes there
/// from where it is, in the steps to come, at most at DragParams::speed_limit.
struct MoveBody {
  std::string obstacle;       // its name
  vec3 center{0}, offset{0};  // m, world space
  vec3 rotation{0};           // degrees, about x, then y, then z
  float speed_factor = 1;     // as of GrabMove
};
/// Sends all vertices of a body with Obstacle::frames to these places (as those frames have them: m, in its
/// own frame, without its scale), which they reach in straight lines at a time (s).
struct PoseBody {
  std::string obstacle;  // its name
  std::vector<vec3> positions;
  double at = 0;
};
/// Sends a body that keeps its shape and has no script from where it is to another place, which it reaches at
/// a time (s): x becomes p + offset + turn (x - p), x and p, Placement::position, as at the start.
struct PlaceBody {
  std::string obstacle;  // its name
  vec3 offset{0};        // m, world space
  quat turn{1, 0, 0, 0};
  double at = 0;
};
/// The solver of the coming step ends after so many iterations, at least 1, if it has not ended before: as
/// StepParams::budget ended it when it was recorded.
struct EndSolve {
  int iterations = 0;
};
/// Back to the start; parameters and pins stay. A vertex pinned by the user is then pinned at its start
/// position, and a body that was moved by hand is where its script has it.
struct ResetState {};

using Command = std::variant<SetParam, GrabBegin, GrabMove, GrabEnd, PinVertex, ResetState, EndSolve,
                             MoveBody, GrabVertices, PoseBody, PlaceBody>;

struct TimedCommand {
  int step = 0;     // acts before this step (0 is the first)
  double time = 0;  // simulated seconds, for the reader
  Command command;
};

/// A recording: its start and its commands.
struct HandRecording {
  std::string scene_path;
  std::vector<std::pair<std::string, std::string>> overrides;  // --set values at the start
  int steps = 0;                                               // length of the run
  std::vector<TimedCommand> commands;
};

/// A small readable TOML file, one inline table per command. Both throw Error with file and line.
void write_hands(const std::string& path, const HandRecording&);
HandRecording read_hands(const std::string& path);

}  // namespace weft
