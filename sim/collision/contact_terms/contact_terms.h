// What contact between triangles adds to the energy of a time step, as anchors or stencils of the solver: a
// one-sided spring along each close pair, and friction.
#pragma once
#include "sim/collision/contact_terms/fabric_stiffness.h"
#include "sim/collision/contact_terms/friction_memory.h"
#include "sim/collision/contact_terms/pair_springs.h"
#include "sim/collision/contact_terms/surface_directions.h"
#include "sim/collision/surface/contact_points.h"

namespace weft {

struct ContactTermsParams {
  float activation = 0;     // m: distance that constraints keep
  float radius = 0;         // m, up to which pairs are searched
  float margin = 0;         // m, as in TriangleSearch::find
  float stiffness = 0;      // relative to inertia, see contact::Firmness; 0: contact has no terms
  float firmness = 0;       // multiple of the cloth's stretch stiffness, see contact::Firmness
  float self_friction = 0;  // coefficient of cloth on cloth
  bool friction = true;     // false: terms are without friction
  bool segments = false;    // true: pairs act along their shortest segments, all of them
  PartRadii parts = {};     // radii of parts, for the onset of these terms
};

/// Terms of the pairs that are close when they are made, linearised there. They begin at a distance of
/// activation + slack, so that they carry the load before constraints have to. Friction outlives the step
/// (FrictionMemory), and so does the displacement that contact took back from the solver (both are part of
/// the state's carry).
///
/// The order in a step: begin_step; make; move_with_bodies; add before each iteration; then keep_friction,
/// advance_begins and advance_ends around the motion; end_step. Between make and the last add the search
/// belongs to the terms.
class ContactTerms final : private ContactMerit {
 public:
  /// All must outlive the terms.
  ContactTerms(StepContext&, ContactPoints&, TriangleSearch&);
  ~ContactTerms() override;

  /// m beyond an activation distance at which terms begin.
  static float slack_of(float activation);
  float slack() const { return params_.stiffness > 0 ? slack_of(params_.activation) : 0.0f; }
  bool any() const { return params_.stiffness > 0; }
  /// 1/s²: stiffness of contact over the mass that it moves.
  float inertia() const { return firmness_.inertia; }

  /// Reserves memory for the pairs that the search has room for. Not within a recorded sequence.
  void prepare(StepContext&, const ContactTermsParams&);
  /// `inverse_mass` in 1/kg, of all points; 0 for what contact must not move. Must outlive the step.
  void begin_step(StepContext&, Span<const float> inverse_mass);
  /// Finds pairs where the cloth is safe: at the state's positions + `safe`, and bodies at
  /// ContactPoints::body_now.
  void make(StepContext&, Span<const vec3> safe);
  /// After the first make of a step: the prediction of cloth that stuck to a moving body goes with it.
  void move_with_bodies(StepContext&, Span<const vec3> safe);
  /// Adds the terms at the solver's displacement: as stencils if the solver takes them (both sides of a pair
  /// act on each other), else as anchors. Terms of planes are anchors.
  void add(StepContext&, Span<const vec3> safe);
  /// Friction of the solver's displacement, for the next step.
  void keep_friction(StepContext&, Span<const vec3> safe);
  /// The solver's displacement is that of the context,
  void advance_begins(StepContext&);
  /// and now it is what contact left of it.
  void advance_ends(StepContext&);
  /// The step counts.
  void end_step(StepContext&);
  /// Radii of parts, beyond the onset of these terms, where points were at `start`.
  PartRadii part_radii(const StepStart& start) const {
    PartRadii parts = params_.parts;
    parts.start = start;
    return parts;
  }
  /// Changes when memory moves.
  int moves() const { return moves_ + memory_.moves() + springs_.moves(); }

 private:
  int merit_count() const override;
  void merit(StepContext&, Span<const vec3> p, float length, Span<float> out) override;
  template <class Parts>
  void make_pairs(const StepContext&, Span<const vec3> safe, const Parts& parts);
  contact::PairTurn turn(const StepContext&, Span<const vec3> safe) const;
  void evaluate(StepContext&, Span<const vec3> safe);
  void add_planes(StepContext&);
  float onset() const { return params_.activation + slack(); }

  Device& device_;
  State& state_;
  ContactPoints& points_;
  TriangleSearch& search_;
  ContactTermsParams params_;
  FrictionMemory memory_;
  PairSprings springs_;
  SurfaceDirections directions_;
  contact::Firmness firmness_;
  contact::Recall recall_;
  float contact_dt_ = 0;  // s: of which contact springs are made
  int moves_ = 0;
  Span<const float> inverse_mass_;
  FabricStiffness elastic_;
  Buffer<vec3> taken_, taken_now_;            // m: difference to the solver's displacement in the last step
  Buffer<vec3> x_;                            // per point, where terms were made
  Buffer<contact::SlipHistory> plane_slips_;  // per plane and vertex of the cloth
  Buffer<contact::Term> terms_[2];
};

}  // namespace weft
