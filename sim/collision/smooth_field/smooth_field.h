// The start of x in a time step: the predicted motion, smoothed in space (Wu 2020, section 5.2).
#pragma once
#include <array>

#include "sim/collision/smooth_field/smooth_field_kernels.h"
#include "sim/device/buffer.h"

namespace weft {

/// Smooths a displacement so that close points move nearly alike and nothing collides on the way, however
/// far.
class SmoothField {
 public:
  SmoothField(Device& device, int vertices, float mean_edge);
  /// From `position` (m) and `displacement` (m), one per vertex: the motion of a vertex in each of
  /// `parts` equal parts. As a map of space the whole motion changes distances by at most the fraction
  /// `allowed`; steeper motion is scaled down. `worth` (m): the least motion for which `moves` is set.
  void smooth(Span<const vec3> position, Span<const vec3> displacement, int parts, float allowed,
              float worth);
  /// Only the grid and its nodes, filled and blurred, from `position` and `displacement`.
  void make_nodes(Span<const vec3> position, Span<const vec3> displacement);
  Span<vec4> nodes() { return level(0); }
  Span<const smooth_field::Place> place() const { return place_; }
  Span<const vec3> motion() const { return motion_; }
  Span<const int> moves() const { return moves_; }

 private:
  void fill_nodes();
  Span<vec4> level(int l);
  Device& device_;
  float least_spacing_;
  Buffer<smooth_field::Box> box_;
  Buffer<smooth_field::Place> place_;
  Buffer<uint32_t> key_;
  Buffer<int> order_, begin_, end_, most_, moves_;
  Buffer<vec4> node_, blurred_;
  Buffer<vec3> motion_;
};

}  // namespace weft
