// Flow of a surface along its normals, free of crossings (Wang 2023, eq. 19).
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "sim/base/math.h"
#include "sim/geometry_processing/crossing_free_path.h"

namespace weft {

/// The target of one step: along the normals, then smoothed. Normals and weights are those of the surface
/// that it is given.
class NormalFlow {
 public:
  NormalFlow(int vertices, const std::vector<ivec3>& triangles);
  /// beta is such that the surface advances by `advance` (m, along its normals, negative: against them) on
  /// average, smoothing included.
  std::vector<vec3> target(const std::vector<vec3>& x, float advance, float mean_edge) const;
  float mean_edge(const std::vector<vec3>& x) const;
  /// Notice about the faces' orientation before the flow; may be empty.
  std::string remark(const std::vector<vec3>& x) const;

 private:
  std::vector<vec3> smoothed(std::vector<vec3> field, const std::vector<vec3>& cotangents, float alpha) const;
  std::vector<ivec3> triangles_;
  std::vector<int> start_, corner_;  // per vertex: triangle * 3 + corner
  std::vector<char> boundary_;       // per vertex
  bool closed_ = true, oriented_ = true;
};

struct FlowResult {
  int steps = 0, forward_steps = 0;
  double mean_way = 0, largest_way = 0;  // m, of the vertices from their start
};

/// Flows `path`'s surface by `distance` (m) in `steps` steps (0: a quarter of the mean edge each).
/// `progress`: called with the steps done and all; false ends the flow there.
FlowResult flow_along_normals(CrossingFreePath& path, const NormalFlow& flow, float distance, int steps,
                              const std::function<bool(int, int)>& progress = {});

}  // namespace weft
