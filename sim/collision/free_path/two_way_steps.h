// Algorithm 1 of Wang 2023: x moves from a crossing-free state towards a target along a crossing-free path of
// straight pieces.
#pragma once
#include <functional>

#include "sim/collision/free_path/common_motion.h"
#include "sim/collision/free_path/edge_limits.h"
#include "sim/collision/free_path/far_bodies.h"
#include "sim/collision/free_path/rigid_paths.h"
#include "sim/collision/free_path/shared_piece.h"
#include "sim/collision/free_path/step_contacts.h"

namespace weft {

/// Points are those of a ContactSurface: the cloth's vertices, then those of bodies, which follow their own
/// targets under the same bounds and are not pushed by contact. All memory is on the device; nothing in a
/// step reads it on the host.
class TwoWaySteps {
 public:
  /// `positions`: of all points, in m, at the beginning.
  TwoWaySteps(GrowingLists& lists, const ContactSurface& surface, const std::vector<vec3>& positions);

  /// Lengths for this mesh. Not from within a recorded sequence. `body_friction`: backward steps apply
  /// friction of cloth on triangles of bodies (false: the solver alone does). `closer`: see Closer.
  void prepare(const FreePathOptions& options, bool body_friction = true, Span<const float> closer = {});
  /// For a step in which bodies leave cloth no room, so that it does not arrive: limits `options` to a few
  /// forward steps, and lets the search not go on from what it knows of the step before, on which long loops
  /// depend.
  void search_anew(FreePathOptions& options);
  /// Starts a time step. For the cloth's vertices: `mass` in kg; `kinematic` 1 if contact must not push.
  /// `contact_stiffness`: of the solver's contact, relative to inertia in this step (the velocity filter's
  /// normal load). `rigid`: bodies among the vertices; of these `mass` is what a push on one point moves.
  void begin(Span<const float> mass, Span<const int> kinematic, float contact_stiffness = 0,
             const AffineView& rigid = {});
  /// Moves the cloth from base + `displacement` towards base + `target`, and bodies from `body` towards their
  /// targets. Writes back how far they came.
  /// `bodies`: the same as distance fields; `body_start`: where bodies were when the time step began, m.
  /// `most`: pieces of the path; 0: FreePathOptions::step_limit.
  void handle(const BodiesView& bodies, Span<const vec3> base, Span<vec3> displacement,
              Span<const vec3> target, Span<vec3> body, Span<const vec3> body_start, int most = 0);

  TriangleSearch& search() { return search_; }
  Span<const vec3> x() const { return x_; }
  /// The target of the last handling, m.
  Span<const vec3> aim() const { return aim_; }
  /// Pairs in a list; waits for the device.
  int count(const PairList& pairs) const;
  /// The contacts of the last backward step, at their final positions; at most this many, from all over the
  /// cloth.
  std::vector<ContactPair> contact_pairs(int most) const { return contacts_.pairs(most, x_); }
  /// Distance that each vertex of the cloth could move in the last forward step straight towards the nearest
  /// primitive, m (eq. 15 and 17); planes count too.
  void bounds(Span<float> out);
  Span<const float> inverse_mass() const { return inverse_mass_; }
  /// Safe fraction of the path and known distance of each point in the last forward step.
  Span<const float> share() const { return forward_.share; }
  Span<const float> nearest() const { return forward_.nearest; }
  /// Of each vertex of the cloth how much nearer it is to something than what contact keeps, after a
  /// handling, m.
  void depths(Span<float> out);
  Span<const float> remaining() const { return remaining_; }
  two_way::Progress progress() const { return progress_.download()[0]; }
  /// m beyond delta at which the solver's contact begins.
  float slack() const { return slack_of(reach_.activation); }
  /// delta on this mesh, m.
  float activation() const { return reach_.activation; }
  /// m at which parts without a radius of their own meet.
  float usual() const { return reach_.usual; }
  /// Radii of parts, for contact that begins at activation() + slack().
  PartRadii part_radii(const StepStart& start) const {
    return surface_.own_radii().view(reach_.usual, reach_.activation + slack(), start);
  }
  /// Mean edge of the cloth, m.
  float mean_edge() const { return mean_edge_; }
  /// For checks, on a CPU device: called with the positions of all points wherever the path has a corner.
  void watch_path(std::function<void(const std::vector<vec3>&)> watcher) { watcher_ = std::move(watcher); }
  int moves() const { return moves_ + search_.moves() + contacts_.moves(); }
  /// m: pairs that the last prepare() lets it know, and the margin of their candidates.
  float radius() const { return reach_.radius; }
  float margin() const { return reach_.margin; }

 private:
  /// Distances on this mesh, m: of contact, within which pairs are known, and beyond that of candidates.
  struct Reach {
    float activation = 0, radius = 0, margin = 0;
    float usual = 0;  // at which parts without a radius of their own meet
  };
  /// Of the last forward step, per point.
  struct ForwardStep {
    Buffer<float> share, nearest, moved;  // see the accessors; m
    Buffer<int> active;                   // it moved, or its target is not reached: its pairs matter
    Buffer<vec3> target;                  // m: y, or x where pairs are not known
  };
  void corner() {
    if (watcher_) watcher_(x_.download());
  }
  float slack_of(float activation) const;
  bool grains() const { return surface_.largest_radius() > 0; }
  void move_far_bodies();
  void move_together(const BodiesView& bodies);
  void step(int most);
  void backward();
  void forward(int most);
  StepContacts::State state();
  void find_contacts(two_way::FrictionMode mode);
  void keep_above(two_way::FrictionMode mode);
  bool filters() const { return options_.friction_by == int(FrictionBy::velocity_filter); }
  void filter_velocities();

  Device& device_;
  const ContactSurface& surface_;
  TriangleSearch search_;
  FreePathOptions options_;
  float mean_edge_;
  CommonMotion common_;
  SharedPiece piece_;
  struct {
    bool friction = true;
    two_way::Closer closer;
  } with_bodies_;
  float contact_stiffness_ = 0;
  Reach reach_;
  int moves_ = 0;
  std::function<void(const std::vector<vec3>&)> watcher_;
  Buffer<vec3> x_, y_, start_, aim_;
  ForwardStep forward_;
  Buffer<float> remaining_, inverse_mass_, residual_, farthest_;
  Buffer<two_way::Progress> progress_;
  struct {
    FarBodies far;
    RigidPaths rigid;
  } bodies_;
  EdgeLimits edge_limits_;
  StepContacts contacts_;
};

}  // namespace weft
