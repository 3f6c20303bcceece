// Hands contacts between pairs to the solver of a step.
#pragma once
#include <array>

#include "sim/collision/contact_terms/pair_kernels.h"
#include "sim/collision/proximity/triangle_search.h"
#include "sim/device/primitives.h"
#include "sim/methods/step_context.h"

namespace weft {

/// The contacts of a search's pairs, one for each place in its lists, become stencils if the solver takes
/// them, else
/// anchors (sim/collision/contact_terms/pair_kernels.h).
class PairSprings {
 public:
  /// Both must outlive this. `name`: of its stages and memory.
  PairSprings(StepContext&, TriangleSearch&, const char* name);
  ~PairSprings();
  PairSprings(const PairSprings&) = delete;

  /// Reserves memory for the pairs that the search has room for. Not within a recorded sequence. `any`: there
  /// will be
  /// contacts. `merit`: see Stencils::set_merit; with one, pairs can be chosen whatever the solver takes.
  void prepare(StepContext&, bool any, ContactMerit* merit = nullptr);
  /// The solver takes stencils.
  bool coupled() const { return coupled_; }
  std::array<PairList, 2> pairs() const { return {search_.vertex_triangle(), search_.edge_edge()}; }
  /// `inverse_mass` in 1/kg, of all points.
  template <class Contact>
  void add(StepContext&, const Buffer<Contact> contacts[2], Span<const float> inverse_mass);
  /// Chooses pairs: `flags` of them, 0 or 1, are written first.
  Span<int> flags() { return flags_; }
  void choose() { select(device_, flags_, index_, count_); }
  /// Places of the chosen pairs, the lists one after the other, and their number.
  Span<const int> index() const { return index_; }
  Span<const int> count() const { return count_; }
  /// Changes when memory moves.
  int moves() const { return moves_; }

 private:
  Device& device_;
  Stencils& stencils_;
  TriangleSearch& search_;
  const char* name_;
  bool coupled_ = false;
  int moves_ = 0;
  Buffer<int> flags_, index_, count_;
  GrowingList list_;  // of stencils
};

template <class Contact>
void PairSprings::add(StepContext& c, const Buffer<Contact> contacts[2], Span<const float> inverse_mass) {
  const std::array<PairList, 2> lists = pairs();
  const Span<const Contact> both[2] = {contacts[0], contacts[1]};
  if (!coupled_) {
    launch(device_, name_, c.model.vertex_count(),
           contact::AddPairs<Contact>{{lists[0], lists[1]},
                                      {search_.vertex_triangle_of_points(), search_.edge_edge_of_points()},
                                      {both[0], both[1]},
                                      inverse_mass,
                                      c.displacement,
                                      c.anchor_weight,
                                      c.anchor_force});
    return;
  }
  launch(device_, name_, flags_.size(),
         contact::MarkActing<Contact>{{lists[0].count, lists[1].count}, {both[0], both[1]}, flags_});
  choose();
  launch(device_, name_, 1,
         contact::CountWanted{count_, stencils_.capacity(), stencils_.count(), list_.wanted()});
  launch_counted(
      device_, name_, stencils_.count(), stencils_.capacity(),
      contact::EmitPairs<Contact>{
          index_, {lists[0], lists[1]}, {both[0], both[1]}, inverse_mass, c.displacement, stencils_.list()});
  stencils_.link();
}

}  // namespace weft
