// Contact terms of the solver's energy: the quadratic repulsion of Wang 2023, section 6.2, with friction.
#pragma once
#include "sim/collision/contact_terms/pair_turn.h"
#include "sim/collision/contact_terms/surface_normals.h"
#include "sim/collision/proximity/pair_list.h"
#include "sim/collision/surface/contact_surface.h"

namespace weft::contact {

/// State of friction at the solver's displacement: sticks within its limit; slides with a force at its limit;
/// sticks beyond its limit, on trial; or slides with a direction that alternates between evaluations.
enum class Slips { no, yes, on_trial, to_and_fro };

/// Result of the last friction evaluation of a contact in this time step. If the slip has reversed, the force
/// of neither direction is right: in between the contact sticks. It is then taken to stick, without a limit,
/// and the next evaluation tests that.
struct SlipHistory {
  vec3 slid{0};  // m: its slip if it slid at the last evaluation, else 0
  int trials = 0;
  Slips slips = Slips::no;
  float load = 0;   // m: as Pressed has it, at the last evaluation; 0: it did not press
  float loose = 1;  // fraction of friction's stiffness along the slip that is left out while it slides

  /// What presses at an evaluation.
  struct Load {
    float most = 0;           // m: slip that friction holds
    float load = 0;           // m, see Pressed
    float reach = 0;          // m: how far a force at its limit moves in a step what the contact holds
    bool remembered = false;  // it pressed when the last step ended, about as hard
  };
  /// At `slip` (m). While a load is still being found it can be many times what it will be, as when cloth
  /// lands: a constant force of that size throws the slip far to the other side. Then friction has as much
  /// stiffness along the slip as brings it to rest at most.
  HD void look(const vec3& slip, const Load& now) {
    constexpr int kMostTrials = 2;
    constexpr float kSettled = 0.2f;  // change of a load that has been found
    const float squared = glm::dot(slip, slip);
    const bool turned = glm::dot(slip, slid)<0, beyond = squared> now.most * now.most,
               settled = load > 0 ? fabsf(now.load - load) < kSettled * load : now.remembered;
    slips = !beyond                ? Slips::no
            : !turned              ? Slips::yes
            : trials < kMostTrials ? Slips::on_trial
                                   : Slips::to_and_fro;
    trials += slips == Slips::on_trial;
    slid = slips == Slips::yes || slips == Slips::to_and_fro ? slip : vec3(0);
    loose = settled || squared >= now.reach * now.reach ? 1.0f : sqrtf(squared) / now.reach;
    load = now.load;
  }
  /// It does not press.
  HD void part() { slid = vec3(0), load = 0; }
};

/// Coulomb friction as a spring of `stiffness` (N/m) against `slip` (m) until its force reaches the limit, at
/// a slip of `most` (m). Beyond that its size is constant, so that it has no stiffness along the slip, only
/// across it. If the direction alternates it is a spring softened by the slip's length, which brings it to
/// rest without overshoot.
struct FrictionTangent {
  float stick = 0;  // N/m, force over slip
  vec3 along{0};    // unit slip where it slides, else 0
  FrictionTangent() = default;
  /// `share` of the history's `loose` is without stiffness along the slip while sliding; the rest is softened
  /// by the slip's length.
  HD FrictionTangent(const vec3& slip, float most, float stiffness, const SlipHistory& history,
                     float share = 1) {
    stick = stiffness;
    if (history.slips == Slips::no || history.slips == Slips::on_trial) return;
    const float length = sqrtf(glm::dot(slip, slip));
    stick = stiffness * most / length;
    if (history.slips == Slips::yes) along = slip * (sqrtf(share * history.loose) / length);
  }
  /// Adds its stiffness times `factor` to that of a spring along `normal` of stiffness `along_normal`.
  HD void add_to(Sym3& sum, float factor, const vec3& normal, float along_normal) const {
    sum.add_outer(factor * (along_normal - stick), normal);
    sum.add_identity(factor * stick);
    sum.add_outer(-factor * stick, along);
  }
};

/// The solver's contact as a spring: at first as stiff as inertia requires, and beyond `soft_depth`, where
/// constraints would have to push, also as stiff as the cloth. Where much cloth hangs on a tip, the few
/// vertices next to it are too light for the former; the latter everywhere would make cloth jitter, because
/// at that stiffness a hundredth of a millimetre carries a hundred times the load. Hence the stiffness rises
/// over `rise`, and cloth comes to rest. Beyond `most_depth` the force is constant: directions are those at
/// the start, and cloth that has slid by centimetres since then would seem to be centimetres deep.
struct Firmness {
  float inertia = 0;                               // 1/s^2; 0: the solver ignores contact
  Span<const float> elastic;                       // N/m, per vertex of the cloth
  float soft_depth = 0, rise = 1, most_depth = 1;  // m
  float reach =
      0;  // inertia times dt squared: how far a spring moves what it holds in a step, over its stretch
};

/// Force of such a spring over its initial stiffness (m), and its stiffness at `depth`: where the force no
/// longer grows, that of a spring from the onset with the same force. (Its parabola is not above the energy
/// everywhere; with the stiffness for which it is, needles need more steps.)
struct Pressed {
  float load = 0, stiffness = 0;  // m, N/m
  Pressed() = default;
  HD Pressed(float depth, float firm_depth, float soft, float firm, const Firmness& f)
      : load(depth), stiffness(soft) {
    const float over = firm_depth - f.soft_depth, most = f.most_depth - f.soft_depth;
    if (!(over > 0)) return;
    const float part = over < f.rise ? over * over / (2 * f.rise) : glm::min(over, most) - 0.5f * f.rise;
    load += firm / soft * part;
    stiffness += over < f.rise ? firm * over / f.rise : over < most ? firm : firm * part / over;
  }
};

/// Friction of a pair at the end of a step.
struct KeptPair {
  int row = 0;      // its first primitive: a vertex, or the number of points plus an edge
  int second = 0;   // its second: a triangle, or an edge
  vec3 stretch{0};  // m/s^2: of friction's spring, over dt squared, as the pair lay at the end of the step
};

/// Friction state left by previous steps. Pairs are sorted by row.
struct Recall {
  Span<const KeptPair> pairs;
  Span<const int> count;
  Span<const vec3> planes;  // m/s^2, per plane and vertex
  Span<const vec3> taken;   // m, per vertex of the cloth: see TakenBack. Springs are kept as the solver left
                            // them, cloth went less far.
  int vertices = 0;
  float dt_squared = 0;  // s^2, of the coming step

  /// Stretch of a pair's spring (m); 0 where it did not press.
  HD vec3 pair(int row, int second) const {
    int low = 0, high = glm::min(count[0], pairs.size);
    while (low < high) {
      const int middle = (low + high) / 2;
      if (pairs[middle].row < row) low = middle + 1;
      else high = middle;
    }
    for (; low < glm::min(count[0], pairs.size) && pairs[low].row == row; ++low)
      if (pairs[low].second == second) return dt_squared * pairs[low].stretch;
    return vec3(0);
  }
  HD vec3 plane(int k, int v) const {
    const vec3 kept = planes[k * vertices + v];
    return glm::dot(kept, kept) > 0 ? dt_squared * kept - taken[v] : vec3(0);
  }
};

/// A pair as the solver sees it: closest points, direction and distance are those at the beginning of a
/// handling, and move with it linearly.
struct Term {
  vec3 normal{0};
  float distance = 0;  // m
  float weight[4] = {0, 0, 0, 0};
  float stiffness = 0;  // N/m; 0: no term
  float firm = 0;       // N/m more beyond Firmness::soft_depth
  float friction = 0;
  // m by which the pair is closer than the onset of contact, at the solver's present displacement
  float depth = 0;
  // from depth; the firm part ignores the remaining motion of bodies: bodies that close in from two sides
  // must not tear cloth
  Pressed pressed;
  // m, as Pressed::load: the lesser of this iteration's and the last one's, for friction; its soft part is
  // always this one's
  float settled_load = 0;
  SlipHistory history;
  float still = 0,
        pressed_by_bodies = 0;  // m: depth if bodies stood still, and the part due to their motion
  vec3 recalled{0};             // m: how far friction's spring was stretched when the step began
  vec3 slip{0};                 // m: how far it is now, by the slip since then

  /// Friction of a pair in contact. As an anchor its firm part counts as soft along the slip, because
  /// descent's corrections overshoot without resistance.
  HD FrictionTangent friction_tangent(bool anchor) const {
    return {slip, friction * depth, stiffness * (settled_load / depth), history,
            anchor ? depth / settled_load : 1};
  }
  /// It pressed when the last step ended.
  HD bool pressed_before() const { return stiffness > 0 && recalled != vec3(0); }
  /// It presses at the solver's displacement.
  HD bool acts() const { return stiffness > 0 && depth > 0; }
  /// As pair_kernels.h has it: spring and friction, with the force of the present depth and slip.
  HD void add(bool anchor, float w, float factor, Sym3& sum, vec3& pull) const {
    const FrictionTangent tangent = friction_tangent(anchor);
    tangent.add_to(sum, factor, normal, pressed.stiffness);
    pull += (w * stiffness * pressed.load) * normal - (w * tangent.stick) * slip;
  }
};

/// Positions of all points (m): base + displacement of the cloth, then bodies.
struct Positions {
  Span<const vec3> base, displacement, body;
  int cloth_points = 0;
  Span<vec3> x;
  HD void operator()(int i) const {
    x[i] = i < cloth_points ? base[i] + displacement[i] : body[i - cloth_points];
  }
};

template <class Parts>
struct MakeTerms {
  PairList pairs;
  bool vertex_triangle = true;
  StandsOut stands_out;
  PairDirections directions;
  Span<const float> inverse_mass;
  PointFriction friction;
  int cloth_points = 0;
  float self_friction = 0;
  Firmness firmness;
  bool has_friction = true;
  Recall recall;
  PairTurn turn;
  float touching = 0;  // m: pairs further apart have no stored friction
  WideRadii<Parts> radii;
  Span<Term> term;
  HD void operator()(int i) const {
    Term t;
    const PairPoints pair(pairs.points[i], vertex_triangle, turn.x);
    float compliance = 0, weights = 0;
    t.friction = friction.between(pair.points[0], pair.points[3], self_friction);
    for (int k = 0; k < 4; ++k) {
      const float w = t.weight[k] = pair.closest.weight[k];
      compliance += w * w * inverse_mass[pair.points[k]];
      if (pair.points[k] < cloth_points)
        t.firm += fabsf(w) * firmness.elastic[pair.points[k]], weights += fabsf(w);
    }
    t.distance = sqrtf(pair.closest.squared);
    if (t.distance > 0) {  // the normal stays 0 without contact
      t.normal =
          directions(pair, pairs.primitives[i], vertex_triangle, pair.closest.offset * (1 / t.distance));
      t.distance = glm::dot(t.normal, pair.closest.offset);
    }
    const float radius = radii(pair.points, vertex_triangle);
    if (weights > 0) t.firm /= weights;
    if (compliance > 0 && t.distance > 0 && (pairs.support[i] & kOwner) &&
        !held_shut(pair.points, pairs.primitives[i], vertex_triangle, inverse_mass, cloth_points,
                   stands_out) &&
        (directions.segments || stands_out(pair, pairs.primitives[i], vertex_triangle)))
      t.stiffness = firmness.inertia / compliance;
    if (!has_friction) t.friction = 0;
    if (t.stiffness > 0 && t.friction > 0 && pairs.distance[i] - radius < touching)
      t.recalled =
          recall.pair(pairs.primitives[i].x + (vertex_triangle ? 0 : turn.x.size), pairs.primitives[i].y);
    t.distance -= radius;
    if (glm::dot(t.recalled, t.recalled) > 0) {
      // a pair in contact in the last step carries its load from the first evaluation on
      t.pressed.load = 1e30f;
      t.recalled = turn(t.recalled, pair.points, vertex_triangle, t.normal);
      for (int k = 0; k < 4; ++k)
        if (pair.points[k] < cloth_points) t.recalled -= t.weight[k] * recall.taken[pair.points[k]];
    }
    term[i] = t;
  }
};

/// Depth and slip at the solver's displacement; bodies are taken to reach their targets.
struct LookAtTerms {
  PairList pairs;
  Span<const vec3> safe, displacement, body_target, x;  // x: positions at which terms were made
  Span<const vec3> body_start;  // positions of bodies at the start of the time step, from which slip counts
  int cloth_points = 0;
  float activation = 0;
  Firmness firmness;
  Span<Term> term;
  HD void operator()(int i) const {
    Term& t = term[i];
    if (!(t.stiffness > 0)) return;
    vec3 moved(0), closing(0), slip(0);
    for (int k = 0; k < 4; ++k) {
      const int p = pairs.points[i][k];
      const bool cloth = p < cloth_points;
      (cloth ? moved : closing) +=
          t.weight[k] * (cloth ? displacement[p] - safe[p] : body_target[p - cloth_points] - x[p]);
      slip += t.weight[k] *
              (cloth ? displacement[p] : body_target[p - cloth_points] - body_start[p - cloth_points]);
    }
    const float still = activation - (t.distance + glm::dot(t.normal, moved)), before = t.pressed.load;
    t.depth = glm::max(still - glm::dot(t.normal, closing), 0.0f);
    t.pressed = Pressed(t.depth, glm::min(still, t.depth), t.stiffness, t.firm, firmness);
    t.settled_load = glm::max(glm::min(before, t.pressed.load), t.depth);
    slip += t.recalled;
    t.slip = slip - glm::dot(slip, t.normal) * t.normal;
    if (t.depth > 0)
      t.history.look(t.slip, {.most = t.friction * t.depth,
                              .load = t.pressed.load,
                              .reach = firmness.reach * t.friction * t.settled_load,
                              .remembered = t.recalled != vec3(0)});
    else t.history.part();
    t.still = still, t.pressed_by_bodies = -glm::dot(t.normal, closing);
  }
};

/// 1 for each pair of both lists (vertex-triangle, then edge-edge) whose friction spring is extended at the
/// solver's displacement.
struct MarkKept {
  Span<const int> count[2];
  Span<const Term> term[2];
  Span<int> flags;
  HD void operator()(int i) const {
    const int others = i - term[0].size, list = others < 0 ? 0 : 1, k = list ? others : i;
    flags[i] = 0;
    if (k >= count[list][0]) return;
    const Term& t = term[list][k];
    flags[i] = t.stiffness > 0 && t.depth > 0 && t.friction > 0 && glm::dot(t.slip, t.slip) > 0 ? 1 : 0;
  }
};

/// `slip` (m) cut to where a spring that is pressed `depth` (m) has reached Coulomb's limit.
HD inline vec3 within_friction(const vec3& slip, float depth, float friction) {
  const float length = sqrtf(glm::dot(slip, slip)), most = friction * depth;
  return length > most ? slip * (most / length) : slip;
}

struct CountKept {
  Span<const int> found;
  int capacity = 0;
  Span<int> count, most;  // most: largest required number
  HD void operator()(int) const {
    count[0] = glm::min(found[0], capacity);
    most[0] = glm::max(most[0], found[0]);
  }
};

struct KeepPairs {
  Span<const int> index;  // into both lists, one after the other
  PairList pairs[2];
  Span<const Term> term[2];
  float per_dt_squared = 0;
  int points = 0;
  Span<KeptPair> kept;
  HD void operator()(int i) const {
    const int others = index[i] - term[0].size, list = others < 0 ? 0 : 1, k = list ? others : index[i];
    const Term& t = term[list][k];
    const ivec2 primitives = pairs[list].primitives[k];
    kept[i] = {primitives.x + list * points, primitives.y,
               per_dt_squared * within_friction(t.slip, t.depth, t.friction)};
  }
};

struct CopyKept {
  Span<const KeptPair> from;
  Span<KeptPair> to;
  HD void operator()(int i) const { to[i] = from[i]; }
};

/// Normal and friction springs of the cloth against the ground and planes, as anchors about the solver's
/// present displacement.
struct AddPlaneTerms {
  RubbingPlanes planes;
  Span<const vec3> base, displacement;
  Span<const float> inverse_mass;
  float activation = 0;
  Firmness firmness;
  bool has_friction = true;
  bool coupled = false;  // by a solver that takes pairs whole
  Recall recall;
  Span<SlipHistory> history;  // per plane and vertex
  Span<Sym3> weight;
  Span<vec3> force;
  HD void operator()(int v) const {
    if (!(inverse_mass[v] > 0)) return;
    const vec3 d = displacement[v];
    for (int k = 0; k < planes.size; ++k) {
      const ContactPlane plane = planes(k, v, base[v]);
      const float depth = activation + plane.offset - glm::dot(plane.normal, base[v] + d),
                  stiffness = firmness.inertia / inverse_mass[v];
      SlipHistory& slips = history[k * recall.vertices + v];
      if (!(depth > 0)) {
        slips.part();
        continue;
      }
      const vec3 recalled = recall.plane(k, v), slip = plane.slip(base[v], d, recalled);
      const Pressed pressed(depth, depth, stiffness, firmness.elastic[v], firmness);
      const float friction = has_friction ? plane.friction : 0.0f, most = friction * depth;
      slips.look(slip, {.most = most,
                        .load = pressed.load,
                        .reach = firmness.reach * friction * pressed.load,
                        .remembered = recalled != vec3(0)});
      const FrictionTangent f(slip, most, stiffness * (pressed.load / depth), slips,
                              coupled ? 1 : depth / pressed.load);
      Sym3 block;
      f.add_to(block, 1, plane.normal, pressed.stiffness);
      weight[v] += block;
      force[v] += block * d + stiffness * pressed.load * plane.normal - f.stick * slip;
    }
  }
};

/// Stores friction on planes for the next step.
struct KeepPlanes {
  RubbingPlanes planes;
  Span<const vec3> base, displacement;
  Span<const float> inverse_mass;
  float activation = 0;
  Recall recall;
  Span<vec3> kept;  // m/s^2, per plane and vertex
  HD void operator()(int v) const {
    for (int k = 0; k < planes.size; ++k) {
      const ContactPlane plane = planes(k, v, base[v]);
      const vec3 d = displacement[v];
      const float depth = activation + plane.offset - glm::dot(plane.normal, base[v] + d);
      const bool has_friction = depth > 0 && plane.friction > 0 && inverse_mass[v] > 0;
      const vec3 slip = plane.slip(base[v], d, recall.plane(k, v));
      kept[k * recall.vertices + v] =
          has_friction ? within_friction(slip, depth, plane.friction) * (1 / recall.dt_squared) : vec3(0);
    }
  }
};

/// Difference between the solver's displacement and the one allowed by contact; `taken` holds the former (m).
struct TakenBack {
  Span<const vec3> displacement;
  Span<vec3> taken;
  HD void operator()(int v) const { taken[v] -= displacement[v]; }
};

/// Starts a step where the solver's last one ended: for the solver, resting cloth lies slightly deeper in
/// contact than its position.
struct StartAgain {
  Span<const vec3> taken;
  Span<const int> kinematic;
  Span<vec3> displacement;
  HD void operator()(int v) const {
    if (!kinematic[v]) displacement[v] += taken[v];
  }
};

}  // namespace weft::contact
