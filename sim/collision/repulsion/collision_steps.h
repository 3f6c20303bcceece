// The collision handling process of Wu 2020: moves a crossing-free x towards a target y in collision steps.
#pragma once
#include <functional>

#include "sim/collision/proximity/point_search.h"
#include "sim/collision/repulsion/busy_slices.h"
#include "sim/collision/repulsion/displacements.h"
#include "sim/collision/repulsion/fold_guard/fold_guard.h"
#include "sim/collision/repulsion/guarded_step.h"
#include "sim/collision/repulsion/momentum/momentum_kernels.h"
#include "sim/collision/repulsion/phases/soft_kernels.h"
#include "sim/collision/repulsion/rest_neighbors.h"
#include "sim/collision/repulsion/samples/samples.h"
#include "sim/collision/smooth_field/smooth_field.h"
#include "sim/scene/model/painted_friction.h"

namespace weft {

/// Counts of the last time step, on the device.
enum RepulsionCount : int { kStepsFailed, kGroupsRolledBack, kHardUnsolved, kRepulsionCounts };

/// All arrays have one entry per vertex, padded to whole slices of 16. Displacements are relative to the
/// positions at the start of the time step. Every update is valid: it and the straight path to it fulfil eq.
/// 6 for every pair that is not exempt.
class CollisionSteps {
 public:
  /// `body_vertices`: number of bodies' vertices after those of the cloth, joined by `body_edges` (in their
  /// own numbering). They are kinematic, and are not paired with each other.
  CollisionSteps(GrowingLists& lists, const Topology& topology, int body_vertices = 0,
                 const std::vector<ivec2>& body_edges = {});

  /// Allocates according to the parameters. Call before begin, not within a recorded sequence.
  void prepare(const RepulsionParams& params, float kept = 1e30f);
  /// Starts a time step at `position` (m, one per vertex) with x = position. `kinematic`: 1 for vertices that
  /// constraints must not move. `mass` (kg, of the cloth's vertices): pushes between two are
  /// opposite in momentum; empty: all are alike. `pieces`: whose counts are to be kept.
  void begin(Span<const vec3> position, Span<const int> kinematic, Span<const float> mass = {},
             const repulsion::FreePieces& pieces = {});
  /// Finds bodies at displacements and, up to `reach` (m) from there, on the path to others (one per vertex),
  /// and writes plane_normal and plane_gap. Remembered data follows x: `keep` stores it, `restore` brings it
  /// back. Only launches and copies.
  struct FindPlanes {
    using Find = std::function<void(Span<const vec3>, Span<const vec3>, float reach)>;
    Find find;
    std::function<void()> keep = [] {}, restore = [] {};
    FindPlanes(std::nullptr_t = nullptr) {}
    FindPlanes(Find find) : find(std::move(find)) {}
    explicit operator bool() const { return find != nullptr; }
    void operator()(Span<const vec3> at, Span<const vec3> path_to, float reach) const {
      find(at, path_to, reach);
    }
  };
  /// Takes `count` collision steps towards `target` (displacement, one per vertex).
  void advance(Span<const vec3> target, int count, const FindPlanes& find_planes = nullptr);
  /// Takes the smoothed part of a motion (displacement, one per vertex) in RepulsionParams::initial_steps
  /// parts (section 5.2). Each may take cloth far, so `find_planes` is called for where it is about to
  /// arrive.
  void move_together(Span<const vec3> displacement, const FindPlanes& find_planes);
  /// Takes a few more steps towards the last target if a vertex is deeper than `deepest` (m) in a body: its
  /// half spaces are those of one period, and a vertex that flies around an edge may end it in the other
  /// side.
  void leave_bodies(float deepest, const FindPlanes& find_planes);
  /// One element: not 0 if there was something to move.
  Span<const int> moved_together() const { return together_.field.moves(); }

  /// The safe displacement.
  Span<const vec3> u() const { return u_.x(); }
  const RepulsionConstants& constants() const { return constants_; }
  /// Length over rest length at which the longest edge starts to resist after prepare(params).
  float stretch_limit_with(const RepulsionParams& params) const;
  NeighborLists pairs() const { return search_.lists(); }
  /// Between two time steps: the pairs near each other at `position`. The next step finds its own.
  NeighborLists pairs_at(Span<const vec3> position);
  /// True if edges beyond L are guarded by samples.
  bool samples_on() const { return samples_.on(); }
  /// The other ends of the edges at each vertex.
  NeighborLists edges() const { return rest_.edges(); }
  const EdgeRange& edges_at_rest() const { return edges_; }
  /// Planes of bodies (BodyPlanes), written by the owner when FindPlanes asks for it.
  Span<vec3> plane_normal() { return planes_.normal; }
  /// Unit normals of the cloth (or 0), along which sheets are pushed apart, to be written by the owner.
  Span<vec3> normal() { return normal_; }
  Span<float> plane_gap() { return planes_.gap; }
  int plane_stride() const { return planes_.gap.size() / repulsion::kBodyPlanes; }
  /// What may hold the cloth from outside, where x is: bodies closer than constraints reach.
  repulsion::Outside outside() const {
    return {.planes = planes(),
            .near = 3 * constants_.step_limit,
            .pairs = search_.lists(),
            .cloth = vertices_ - bodies_};
  }
  /// Phase of each vertex in this time step: 0 none, 1 soft phase, 2 hard phase or stopped.
  Span<const float> phase() const { return {record_.phase.span().data, vertices_ - bodies_}; }
  /// See repulsion::PairFriction; to be written by the owner. Without body vertices `with` is unused.
  struct Friction {
    Buffer<vec3> with;
    Buffer<int> material;  // padded; empty: nothing depends on the cloth
    Buffer<float> coefficient;
    int cloths = 1;
    PaintedFriction painted;  // counts where there are materials
  };
  Friction& friction() { return friction_; }
  Span<const int> counts() const { return record_.counts; }
  /// The same on the host; waits for the device.
  std::vector<int> read_counts() const { return record_.counts.download(); }
  /// Sum of distances (m) by which constraints held each vertex back since the last advance began, including
  /// attempts that were rolled back.
  Buffer<vec3>& push() { return record_.push; }
  /// Whose lists these are.
  GrowingLists& lists() { return lists_; }
  /// Changes when memory moves.
  int moves() const { return busy_.moves() + search_.moves() + folds_.moves() + samples_.moves(); }
  PointSearch& search() { return search_; }
  const Samples& samples() const { return samples_; }

 private:
  RepulsionParams guarded(RepulsionParams params) const;
  float limit_of(const RepulsionConstants& c) const {
    return (c.soft_edge + c.longest_edge - c.max_edge) / edges_.longest;
  }
  repulsion::ConstraintRows rows() const;
  repulsion::BodyPlanes planes() const { return {planes_.normal, planes_.gap, plane_stride()}; }
  void advance_together(Span<const vec3> motion, const FindPlanes& find_planes);
  void move_outside(Span<const vec3> motion, const FindPlanes& find_planes);
  repulsion::PairFriction pair_friction() const;
  void copy_in(Buffer<vec3>& padded, Span<const vec3> rows);
  void search_and_aim(float step_limit, float margin, Span<const vec3> motion);
  repulsion::AcceptAndAim accepting(int candidate, bool taken, float step_limit, float margin);
  void aim(int candidate, bool taken, float step_limit, float margin);
  int soft_phase(Span<const vec3> center);
  int soft_iterations() const;
  int soft_phase_result() const;
  StepInHand in_hand(int candidate);
  void search_all(const FindPlanes& find_planes);
  void run(int count, const FindPlanes& find_planes);
  void run_with_care(int count, const FindPlanes& find_planes);
  void group(int count, const FindPlanes& find_planes);
  template <class Work>
  void with_rollback(const FindPlanes& find_planes, const Work& work);

  Device& device_;
  GrowingLists& lists_;
  const Topology topology_;  // of the cloth, with space for the bodies' vertices
  EdgeRange edges_;
  RepulsionParams params_;
  RepulsionConstants constants_;
  PointSearch search_;
  /// The part of a motion that moves smoothly, in parts.
  struct Together {
    SmoothField field;
    Buffer<vec3> displacement;   // of bodies' vertices, m
    Buffer<float> whole, taken;  // one element: 1, and the share of a part that bodies allow
  } together_;
  RestNeighbors rest_;
  FoldGuard folds_;
  Samples samples_;
  Buffer<vec3> init_, target_, normal_;
  struct Planes {
    Buffer<vec3> normal;
    Buffer<float> gap;
  } planes_;
  Friction friction_;
  Displacements u_;
  struct Travel {
    Buffer<float> path, allowed;  // m that a vertex has come, and that it may come, until the next search
  } travel_;
  /// How easily constraints move a vertex.
  struct Mobility {
    Buffer<float> mobile, mass;         // 0: they must not; kg
    std::array<Buffer<float>, 3> step;  // see SoftPhase
  } mobility_;
  BusySlices busy_;
  /// What the step is asked for afterwards.
  struct Record {
    Buffer<float> phase;
    Buffer<vec3> push;
    Buffer<int> counts;
    Span<int> count(RepulsionCount one) { return {counts.span().data + one, 1}; }
  } record_;
  /// What branches and loops on the device depend on, one element each.
  struct Branches {
    Buffer<int> failed, deep;
    Buffer<repulsion::CareProgress> care;
  } branches_;
  int vertices_ = 0, bodies_ = 0;
  GuardedStep guarded_;
};

}  // namespace weft
