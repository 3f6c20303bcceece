// Contacts of the solver with non-distance weights, as anchors or stencils (Lan 2024, section 4).
#pragma once
#include <array>

#include "sim/collision/contact_terms/fabric_stiffness.h"
#include "sim/collision/contact_terms/pair_springs.h"
#include "sim/collision/contact_terms/surface_directions.h"
#include "sim/collision/ndb/contact_kernels.h"
#include "sim/collision/ndb/ndb_params.h"
#include "sim/collision/surface/contact_points.h"

namespace weft {

/// Lengths on this mesh, m.
struct NdbLengths {
  float gap = 0;         // at which contact begins
  float radius = 0;      // up to which pairs are searched
  float margin = 0;      // as in TriangleSearch::find
  PartRadii parts = {};  // for contact that begins at the gap
};

/// The order in a step: begin_step; find in every round; add before each iteration; note before the search's
/// pairs change, and at the end; end_step. Between find and note the search belongs to the contacts.
class NdbContacts {
 public:
  /// All must outlive the contacts.
  NdbContacts(StepContext&, ContactPoints&, TriangleSearch&);
  ~NdbContacts();
  NdbContacts(const NdbContacts&) = delete;

  /// Reserves memory for the pairs that the search has room for. Not within a recorded sequence.
  void prepare(StepContext&, const NdbParams&, const NdbLengths&);
  /// Iterations with contact that the coming steps have: where they are few, weights grow faster.
  void plan(int iterations);
  /// `inverse_mass` in 1/kg, of all points; 0 for what contact must not move. Must outlive the step.
  void begin_step(StepContext&, Span<const float> inverse_mass);
  /// Finds contacts where cloth does not cross: at the state's positions + `safe`, and bodies at
  /// ContactPoints::body_now.
  void find(StepContext&, Span<const vec3> safe, bool first);
  /// Adds the contacts at the solver's displacement: as stencils if the solver takes them, else as anchors.
  /// Contacts with planes are anchors. `grow`: weights may grow.
  void add(StepContext&, Span<const vec3> safe, bool grow);
  /// How long contacts have lasted, per vertex, for those found next and for the next step; and how deep they
  /// are.
  void note();
  /// The step counts.
  void end_step();
  /// Changes when memory moves.
  int moves() const { return moves_ + springs_.moves(); }
  Span<ndb::Progress> progress() { return progress_; }
  Span<const ndb::Progress> progress() const { return progress_; }
  /// The same on the host; waits for the device.
  ndb::Progress course() const { return progress_.download()[0]; }
  /// m, per vertex: by how much it is nearer than the gap, for the solver, as of the last note.
  Span<const float> depth() const { return depth_; }
  /// a of the oldest contact of each vertex as of the last note of the last step; 0 where it had none.
  Span<const float> shown_age() const { return shown_age_; }

 private:
  void move_with_bodies(StepContext&, Span<const vec3> safe);
  PartRadii at_start(const StepContext&) const;
  template <class Parts>
  void make_barriers(const contact::PairDirections& directions, const Parts& parts);
  ndb::WeightRule rule() const;

  Device& device_;
  State& state_;
  ContactPoints& points_;
  TriangleSearch& search_;
  PairSprings springs_;
  SurfaceDirections directions_;
  NdbParams params_;
  NdbLengths lengths_;
  float dt_ = 0;      // s
  float growth_ = 2;  // K for the solver's number of iterations
  int moves_ = 0;
  Span<const float> inverse_mass_;
  struct PerVertex {
    FabricStiffness elastic;
    Buffer<int> rigid;  // rigid body, or -1; empty without any
  };
  PerVertex vertex_;
  Buffer<int> age_, age_now_;        // per vertex of the cloth; the first is part of the carry
  Buffer<float> depth_, shown_age_;  // m and a, per vertex of the cloth
  Buffer<vec3> x_;                   // per point, where contacts were found
  Buffer<ndb::Barrier> barriers_[2];
  Buffer<ndb::PlaneBarrier> plane_barriers_;  // per plane and vertex of the cloth
  Buffer<ndb::Progress> progress_;
};

}  // namespace weft
