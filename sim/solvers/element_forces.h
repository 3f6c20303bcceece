// Forces of elements that the fused rows do not hold: the element sets of a scene's models, and
// neighbourhoods. Gathered per vertex, so that sums do not depend on threads.
#pragma once
#include <optional>

#include "sim/methods/step_context.h"
#include "sim/solvers/element_kernels.h"
#include "sim/solvers/neighborhood_forces.h"

namespace weft {

/// Evaluates the elements that the scene's model choices ask for.
class ElementForces {
 public:
  /// `bounds`: whether bound() is wanted.
  ElementForces(Device& device, int vertices, bool bounds);
  /// Call after model choices or fabric changed.
  void update(const StepContext&);
  /// Forces at x_n + d. Nothing is launched where the rows hold all of the models.
  void evaluate(StepContext&, Span<const vec3> d);
  /// N per vertex, padded to whole slices of 16 rows; empty where no such element is active.
  Span<const vec3> force() const { return active() ? Span<const vec3>(total_) : Span<const vec3>(); }
  /// Isotropic bound of the elements' Hessian beyond what the rows bound, N/m per vertex, padded to whole
  /// slices of 16 rows; empty where the rows bound all.
  Span<const float> bound() const {
    return stand_in_.empty() ? Span<const float>() : Span<const float>(bound_);
  }
  /// The same where it depends on how far elements are stretched, else empty.
  Span<const float> moving_bound() const { return bound_moves_ ? bound() : Span<const float>(); }

  /// Whether there is a set with elements in it.
  bool any() const;
  /// Calls f(set) for each set with elements in it, in the order of energy_list.h.
  template <class F>
  void for_each(const F& f) const {
    for_each_energy([&]<class E>(int) {
      const ElementSet<E>& set = std::get<Entry<E>>(entries_).set;
      if (!set.empty()) f(set);
    });
  }
  /// How often sets were built or dropped.
  int structure() const { return structure_; }
  /// Null unless meshless bending is chosen.
  const NeighborhoodForces* neighborhoods() const { return meshless_ ? &*neighborhoods_ : nullptr; }

 private:
  /// A set, its forces per point, and the bounds of its Hessian per point where the rows do not bound it.
  template <class E>
  struct Entry {
    ElementSet<E> set;
    Buffer<vec3> force;
    Buffer<float> bound;
  };
  bool active() const { return meshless_ || any(); }
  template <class E>
  Entry<E> make(const StepContext&) const;
  /// Where cloth creases, rest angles are part of the state.
  void take_rest_angles(const StepContext&);
  /// Stitches that are let go pull no more.
  void take_stitches(const StepContext&);
  void fix_bounds(const StepContext&);
  void gather_bounds(const StepContext&);
  void gather();

  Device& device_;
  bool bounds_;
  PerEnergy<Entry> entries_;
  int structure_ = 0;
  bool meshless_ = false;
  std::optional<NeighborhoodForces> neighborhoods_;  // once the meshless model has been chosen
  Buffer<vec3> total_;                               // padded to whole slices
  Buffer<float> bound_, stand_in_;  // per vertex; of the springs that stand in for triangles, per edge, N/m
  bool bound_moves_ = false;
  Buffer<float> stitch_stiffness_;  // per stitch that holds, N/m
};

}  // namespace weft
