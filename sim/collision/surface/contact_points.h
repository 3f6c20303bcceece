// Cloth and bodies as the points that contact between triangles moves: where bodies really are, starts that
// cross, lag.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "sim/collision/proximity/triangle_search.h"
#include "sim/collision/surface/closing_bodies.h"
#include "sim/collision/surface/contact_surface.h"
#include "sim/collision/surface/lift_out.h"
#include "sim/collision/surface/no_room.h"
#include "sim/collision/surface/path.h"
#include "sim/collision/surface/pressed_places.h"
#include "sim/methods/collision_handler.h"
#include "sim/methods/quantities.h"

namespace weft {

/// Lengths on which a start that crosses or touches is judged, m.
struct StartLengths {
  float activation = 0;  // onset of contact
  float edge = 0;        // mean edge of the cloth
  float margin = 0;      // as in TriangleSearch::find
};

/// ContactPoints::passed_cloth, as a colour.
VertexField let_through_field();

/// What methods of contact between triangles have in common from step to step. Bodies are points like those
/// of the cloth: they move to their targets only as far as cloth leaves room, so their actual positions are
/// part of the state's carry.
class ContactPoints {
 public:
  explicit ContactPoints(StepContext&);
  ~ContactPoints();
  ContactPoints(const ContactPoints&) = delete;

  const ContactSurface& surface() const { return surface_; }
  /// Positions of all points now, m: cloth, then bodies. Waits for the device.
  std::vector<vec3> positions(const StepContext&) const;
  /// What a TriangleSearch of these points searches.
  SearchSurface search_surface(const StepContext&) const;
  /// Mean edge of the cloth at `positions`, m.
  float mean_edge(const std::vector<vec3>& positions) const { return mean_cloth_edge(surface_, positions); }

  /// Targets of bodies for the coming step; before its examination. Not within a recorded sequence.
  void prepare(StepContext&);
  /// Examines the present state if no step led to it, or if it crosses. Lifts cloth that another method left
  /// slightly inside bodies, and a start that touches one. Pairs that still touch or cross are left out of
  /// `search` until they have separated: otherwise they would block everything around them. Not within a
  /// recorded sequence. `of_step`: a step begins, for which prepare() was called: cloth between surfaces of
  /// bodies that are about to meet is let go by the one that moves more against it.
  void examine(StepContext&, TriangleSearch& search, const StartLengths&, bool of_step);
  bool crosses() const { return !left_out_.empty(); }
  /// Per point the marks of the pairs that are left out (TriangleSearch::leave_out); empty if none is.
  const std::vector<int>& left_out() const { return left_out_; }
  /// Those of them whose pairs cross, in the same form; the others only touch.
  const std::vector<int>& crossed() const { return crossed_; }
  /// Whether a body went to its place though it left cloth no room there (ContactParams::bodies_wait).
  bool let_through() const { return !passage_.pressing.empty(); }
  /// Whether cloth in this step has less room between bodies than contact needs, or none: it never arrives,
  /// so that forward steps are to be few.
  bool squeezed() const { return passage_.tight || let_through(); }
  /// Per vertex of the cloth, m: by how much less than usual contact keeps it, where bodies leave its layers
  /// less room; empty where they leave enough.
  Span<const float> closer() const { return passage_.tight ? passage_.closer.span() : Span<const float>(); }
  /// What is promised of cloth and bodies.
  Protection bodies_kept() const { return let_through() ? Protection::none : Protection::intersection_free; }
  /// let_through_field(): empty while bodies pass through nothing.
  Span<const float> passed_cloth() const {
    return let_through() ? passage_.cloth_marks.span() : Span<const float>();
  }
  /// How much of the cloth bodies pass through, where, and how deep it lies in them.
  void add_passage(const StepContext&, CollisionNumbers&) const;
  /// The last lift of a state that did not result from a step.
  const LiftOut& lifted() const { return lifted_; }

  /// Adds anchors by which cloth that bodies have passed through goes with them, and out of them where it has
  /// room again. The same launches while let_through() stays.
  void add_anchors(StepContext&) const;

  void begin_step(Device&);
  /// Positions of the bodies' points when the step began, m.
  Span<const vec3> body_start() const { return body_.span(); }
  /// The same while a step is tried.
  Span<vec3> body_now() { return body_now_.span(); }
  /// The step counts: bodies are where it left them. `search`: that of examine().
  void end_step(StepContext&, const TriangleSearch& search);
  /// Whether a step of the method led to the present state.
  bool led_here(const StepContext& c) const { return c.state.revision == made_; }

  /// Largest distance (m) of pinned vertices, or of bodies' points, from their scripted places after the last
  /// step.
  /// `x`, `aim`: positions and targets of all points then.
  float lag(StepContext&, Span<const vec3> x, Span<const vec3> aim, bool of_bodies);
  /// CollisionNumbers::body_lag_place, after lag() of bodies.
  std::string body_lag_place(const StepContext&) const;
  /// See CollisionHandler::lagging_bodies.
  std::vector<LaggingBody> lagging_bodies(StepContext&, Span<const vec3> x, Span<const vec3> aim);
  /// Words on what was lifted, and on pins and bodies that lag.
  std::vector<std::string> remarks(const CollisionNumbers&) const;

 private:
  std::vector<int> touching(StepContext&, TriangleSearch&, const std::vector<vec3>& x, const StartLengths&,
                            const std::vector<int>* with = nullptr);
  void give_way(StepContext&);
  HeldBodies held(const StepContext&, const std::vector<vec3>& now, const std::vector<vec3>& wanted) const;
  void forget_starts();
  void carry_passed(StepContext&, const HeldBodies&);
  void foresee(const StepContext&, const HeldBodies&, std::vector<int>& marks);
  void share_room(Device&, const HeldBodies&, const std::vector<Between>&);
  int presser(const Between&, const std::vector<bool>& pressing) const;
  void note_passed(StepContext&);
  Behind find_passed(const HeldBodies&) const;
  bool may_close(StepContext&) const;
  std::vector<PlaceWords> places_in_words(const StepContext&) const;
  std::string passed_place(const StepContext&) const;
  void report_passage(const StepContext&);
  void add_passed(const StepContext&, const std::vector<vec3>& x, std::vector<int>& marks);
  State& state_;
  ContactSurface surface_;
  Buffer<vec3> body_;  // m; part of the carry
  Buffer<vec3> body_now_;
  Buffer<float> lag_, worst_lag_;
  struct BodyLag {
    float way = -1;  // m, of the last step; -1: not computed yet
    int point = -1;  // of the bodies' points the one that lags most; -1: none to be told
  } body_lag_;
  /// Whether the present state is a snapshot of one that a step had led to.
  bool put_back() const { return state_.revision == put_back_; }
  std::vector<unsigned char> starts_to_save() const;
  void take_starts(const std::vector<unsigned char>& bytes);
  void keep_marks(const TriangleSearch&);
  uint64_t made_ = ~uint64_t(0);      // revision of the state to which the last step led
  uint64_t put_back_ = ~uint64_t(0);  // revision of a snapshot of such a state, once it is restored
  // what the next examination of such a state goes on from, part of the carry: the marks of pairs left out
  // that were still near, and of cloth that bodies have passed; empty if none is
  std::vector<int> kept_;
  LiftOut lifted_;
  int lifted_at_ = -1;  // State::step then
  std::vector<int> left_out_, crossed_;
  struct Passage {
    float spacing = 0;                 // m that a layer of cloth keeps from a body
    float way = 0;                     // m by which bodies went on through cloth in the last step
    std::vector<int> late, pressing;   // points of bodies that did, and with those around them
    int cloth = 0;                     // points of the cloth behind what presses
    float deepest = 0;                 // m, of those
    std::vector<PressedPlace> places;  // where cloth has no room
    std::set<std::string> told;        // PlaceWords::where
    // per vertex, see passed_cloth() and carried(); empty until bodies pass through cloth
    Buffer<float> cloth_marks;
    Buffer<vec3> way_along, normal;
    bool tight = false;    // see squeezed()
    Buffer<float> closer;  // see closer(); empty until bodies leave too little room
  } passage_;
};

/// Where the path of the step on this device is to be recorded, emptied; nullptr: nowhere. See KeepPath.
Path* path_to_keep(const Device&);
/// Adds a corner at which something has moved.
void add_corner(Path&, const std::vector<vec3>& positions);

}  // namespace weft
