// The selected panel of a garment on the simulated cloth.
#pragma once
#include <vector>

#include "sim/run/runner.h"
#include "viewer/render/renderer.h"
#include "viewer/session/window_state.h"

namespace weft {

/// Finds the panels of the scene's first garment in its mesh: pieces of its material space.
class GarmentMarks {
 public:
  void set_scene(const SceneView& scene);
  /// Panel of a triangle of SceneView::triangles; -1: not of the garment.
  int panel_of(int triangle) const;
  /// Outline of the selected panel where the frame has it; empty without a visible pattern or selection.
  std::vector<MarkedLine> lines(const PatternView& pattern, const SceneView& scene, const Frame& frame);

 private:
  int first_triangle_ = 0;
  std::vector<ivec3> triangles_;  // of the garment
  std::vector<int> piece_;
  int outlined_ = -1;
  std::vector<ivec2> outline_;
};

}  // namespace weft
