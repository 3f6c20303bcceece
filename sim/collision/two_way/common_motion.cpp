#include "sim/collision/two_way/common_motion.h"

#include "sim/device/primitives.h"

namespace weft {

using namespace two_way;

CommonMotion::CommonMotion(Device& device, int cloth_points, float mean_edge, Span<const ivec2> edges)
    : device_(device),
      cloth_points_(cloth_points),
      edges_(edges),
      field_(device, cloth_points, mean_edge),
      way_(device, "common motion", cloth_points),
      held_(device, "held nodes", 4 * smooth_field::kGridSize),
      maxima_(device, "field bounds", kFieldMaxima),
      far_(device, "common motion", 1),
      least_(device, "common motion", 1),
      negated_(device, "common motion", cloth_points),
      share_(device, "common motion", 1) {}

void CommonMotion::look(Span<const vec3> x, Span<const vec3> y, float worth) {
  far_.clear();
  launch(device_, "common motion", cloth_points_, FarFromTarget{x, y, worth, far_.span()});
}

void CommonMotion::move(const BodiesView& bodies, const PairList (&pairs)[2], float radius,
                        Span<const float> inverse_mass, Span<const vec3> y, Span<vec3> x,
                        Span<float> remaining, Span<float> nearest) {
  const int n = cloth_points_, nodes = smooth_field::kGridSize;
  launch(device_, "common motion", n, Ways{x, y, way_.span()});
  field_.make_nodes(Span<const vec3>(x.data, n), way_.span());
  const Span<vec4> node = field_.nodes();
  held_.clear();
  maxima_.clear();
  launch(device_, "held nodes", n, SumHeld{field_.place(), inverse_mass, x, way_.span(), held_.span()});
  launch(device_, "held nodes", nodes, TakeHeld{held_.span(), node});
  launch(device_, "field bounds", (edges_.size + 255) / 256, LongestEdge{edges_, x, maxima_.span()});
  launch(device_, "field bounds", y.size - n, BodyWays{x, y, n, maxima_.span()});
  launch(device_, "field bounds", nodes, HoldNearBodies{bodies, field_.place(), maxima_.span(), node});
  launch(device_, "field bounds", nodes, FieldDifferences{node, maxima_.span()});
  for (const PairList& list : pairs)
    launch_counted(device_, "nearest", list.count, list.capacity(), ClothDistances{list, x, n, nearest});
  launch(device_, "common motion", n, Negate{nearest, x, radius, negated_.span()});
  reduce_max(device_, negated_.span(), least_.span());
  launch(device_, "common motion", 1,
         ChooseShare{field_.place(), maxima_.span(), least_.span(), share_.span()});
  launch(device_, "common motion", n, TakeCommonMotion{field_.place(), node, share_.span(), y, x, remaining});
}

}  // namespace weft
