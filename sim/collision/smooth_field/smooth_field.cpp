#include "sim/collision/smooth_field/smooth_field.h"

#include <algorithm>

#include "sim/device/primitives.h"
#include "sim/device/run_kernels.h"

namespace weft {

using namespace smooth_field;

SmoothField::SmoothField(Device& device, int vertices, float mean_edge)
    : device_(device),
      least_spacing_(6 * mean_edge),
      box_(device, "motion boxes", (vertices + kChunk - 1) / kChunk),
      place_(device, "motion grid", 1),
      key_(device, "motion cells", vertices),
      order_(device, "motion cells", vertices),
      begin_(device, "motion cells", kGridSize),
      end_(device, "motion cells", kGridSize),
      most_(device, "motion flags", 1),
      moves_(device, "motion flags", 1),
      node_(device, "motion nodes", kPyramidSize),
      blurred_(device, "motion nodes", kGridSize),
      motion_(device, "initial motion", vertices) {}

Span<vec4> SmoothField::level(int l) {
  const int nodes = kNodes >> l;
  return {node_.span().data + first_of_level(l), nodes * nodes * nodes};
}

void SmoothField::fill_nodes() {
  for (int l = 1; l < kLevels; ++l)
    launch(device_, "motion nodes", level(l).size, Coarsen{kNodes >> l, level(l - 1), level(l)});
  for (int l = kLevels - 2; l >= 0; --l)
    launch(device_, "motion nodes", level(l).size, FillFrom{kNodes >> l, level(l + 1), level(l)});
  const Span<vec4> a = level(0), b = blurred_;
  for (int pass = 0; pass < 2; ++pass)
    for (int axis = 0; axis < 3; ++axis)
      launch(device_, "motion nodes", kGridSize,
             Blur{axis, (pass + axis) % 2 ? Span<const vec4>(b) : Span<const vec4>(a),
                  (pass + axis) % 2 ? a : b});
}

void SmoothField::make_nodes(Span<const vec3> position, Span<const vec3> displacement) {
  const int n = key_.size();
  launch(device_, "motion grid", box_.size(), ChunkBoxes{position, box_});
  launch(device_, "motion grid", 1, PlaceGrid{box_, least_spacing_, place_});
  launch(device_, "motion cells", n, CellKeys{place_, position, key_, order_});
  sort_pairs(device_, key_, order_);
  begin_.clear();
  end_.clear();
  launch(device_, "motion cells", n, KeyRuns{key_, begin_, end_});
  launch(device_, "motion nodes", kGridSize,
         ToNodes{place_, position, displacement, order_, begin_, end_, level(0)});
  fill_nodes();
}

void SmoothField::smooth(Span<const vec3> position, Span<const vec3> displacement, int parts, float allowed,
                         float worth) {
  const int n = key_.size();
  make_nodes(position, displacement);
  most_.clear();
  moves_.clear();
  launch(device_, "motion nodes", kGridSize, Steepness{place_, level(0), most_});
  launch(device_, "initial motion", n,
         Sample{place_, position, level(0), most_, allowed, 1.0f / float(std::max(parts, 1)), worth, motion_,
                moves_});
}

}  // namespace weft
