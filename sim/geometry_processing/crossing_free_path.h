// Moves a mesh towards targets without a simulation (Wang 2023, section 7.3), along a path on which it
// crosses neither itself nor bodies.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/collision/free_path/two_way_steps.h"
#include "sim/collision/surface/contact_surface.h"

namespace weft {

struct PathOptions {
  float distance = 1e-3f;              // delta, m: layers are kept so far apart; at most 0.4 of the mean edge
  int steps = 2048;                    // L: most forward steps per target
  std::vector<std::string> obstacles;  // OBJ files, closed
  DeviceChoice device = DeviceChoice::automatic;
  int threads = 0;
  // name of a triangle in messages; empty: "triangle N", from 0
  std::function<std::string(int)> name = nullptr;
  // asked often on a CPU: if it returns true, move_to ends with Interrupted
  std::function<bool()> give_up;
};

/// Distance to a target.
struct Arrival {
  int steps = 0;                 // forward steps
  double mean = 0, largest = 0;  // m, of its vertices
};

class CrossingFreePath {
 public:
  /// `start`, `triangles`: as a file has them; vertices of no triangle take no part. `where` names them in
  /// messages. Throws Error that names triangles where the start crosses itself or a body.
  CrossingFreePath(const std::vector<vec3>& start, const std::vector<ivec3>& triangles,
                   const PathOptions& options, const std::string& where);

  /// Continues from the last position. `target`: one position per vertex of the start, m. Vertices without a
  /// triangle go straight there. After Interrupted all vertices are unchanged.
  Arrival move_to(const std::vector<vec3>& target);
  const std::vector<vec3>& positions() const { return positions_; }
  /// delta on this mesh, m.
  float distance() const { return steps_->activation(); }
  const std::vector<std::string>& notices() const { return notices_; }
  /// Triangles that cross each other or a body where the mesh is now: none, unless something is wrong. By
  /// edges against triangles.
  std::vector<ivec2> crossings() const;

 private:
  Arrival try_move_to(const std::vector<vec3>& target);
  std::vector<vec3> compact(const std::vector<vec3>& all) const;
  void handle(const std::vector<vec3>& target, int most_steps);
  std::vector<vec3> with_bodies(std::vector<vec3> own) const;

  PathOptions options_;
  std::vector<std::string> notices_;
  Scene scene_;
  std::vector<vec3> positions_;
  std::vector<int> used_;  // vertices of triangles
  std::unique_ptr<Device> device_;
  std::unique_ptr<GrowingLists> lists_;
  Topology topology_;  // topology of the used vertices
  std::unique_ptr<Bodies> bodies_;
  std::unique_ptr<ContactSurface> surface_;
  std::unique_ptr<TwoWaySteps> steps_;
  /// What a handling works on: positions and displacements of used vertices and of bodies' points (m).
  struct Handled {
    Buffer<vec3> base, displacement, target, body;
    Buffer<float> mass;
    Buffer<int> kinematic;
  } handled_;
};

}  // namespace weft
