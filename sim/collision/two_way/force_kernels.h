// What contact adds to the solver's energy: the quadratic repulsion of Wang 2023, section 6.2, with friction.
#pragma once
#include "sim/collision/contact_surface.h"
#include "sim/collision/two_way/pair_kernels.h"

namespace weft::two_way {

/// Coulomb friction of a contact that is pressed `depth` (m) into a spring: a spring of the same stiffness against `slip` (m) until the force reaches its limit.
/// From there on its size stays, so that it has no stiffness along the slip, only across it.
struct FrictionTangent {
  float stick = 0;    // N/m, force over slip
  vec3 along{0};      // unit slip where it slides, else 0
  HD FrictionTangent(const vec3& slip, float depth, float friction, float stiffness) {
    const float length = sqrtf(glm::dot(slip, slip)), most = friction * depth;
    stick = stiffness;
    if (length <= most) return;
    stick = stiffness * most / length;
    along = slip * (1 / length);
  }
};

/// The solver's contact as a spring: as stiff as inertia asks at first, and beyond `soft_depth`, where constraints would have to push, also as the cloth
/// itself. Where much cloth hangs on a tip, the few vertices next to it are too light for the former; everywhere, the latter would make cloth restless: so firm
/// that a hundredth of a millimetre carries a hundred times what lies there, it is pressed now so, now so. Hence it stiffens over `rise`, and what it
/// carries settles. Beyond `most_depth` it pushes no harder: directions are those at the beginning, and what has slid along by centimetres since then would seem
/// to be centimetres deep.
struct Firmness {
  float inertia = 0;          // 1/s^2; 0: the solver knows of no contact
  Span<const float> elastic;  // N/m, per vertex of the cloth
  float soft_depth = 0, rise = 1, most_depth = 1;  // m
};

/// Force of such a spring over its first stiffness (m), and how stiff it is at `depth`: where the force grows no more, as a spring from where it begins
/// that carries as much. (Its parabola is not above the energy everywhere; with the stiffness for which it is, needles need more steps.)
struct Pressed {
  float load = 0, stiffness = 0;  // m, N/m
  Pressed() = default;
  HD Pressed(float depth, float firm_depth, float soft, float firm, const Firmness& f) : load(depth), stiffness(soft) {
    const float over = firm_depth - f.soft_depth, most = f.most_depth - f.soft_depth;
    if (!(over > 0)) return;
    const float part = over < f.rise ? over * over / (2 * f.rise) : glm::min(over, most) - 0.5f * f.rise;
    load += firm / soft * part;
    stiffness += over < f.rise ? firm * over / f.rise : over < most ? firm : firm * part / over;
  }
};

/// Friction of a contact that is pressed so: up to what the first stiffness carries as a spring with its tangent; what the firm part adds is a spring as soft as
/// the slip is long, which no iteration can overshoot (its load is not settled yet, and may be many times the weight).
struct PressedFriction {
  FrictionTangent soft, firm;
  HD PressedFriction(const vec3& slip, float depth, float friction, float stiffness, float load)
      : soft(slip, depth, friction, stiffness), firm(slip, depth, friction, stiffness * (load / depth - 1)) {}
  HD float stick() const { return soft.stick + firm.stick; }
  /// Adds its stiffness times `factor` to that of a spring along `normal` of stiffness `along_normal`.
  HD void add_to(Sym3& sum, float factor, const vec3& normal, float along_normal) const {
    sum.add_outer(factor * (along_normal - stick()), normal);
    sum.add_identity(factor * stick());
    sum.add_outer(-factor * soft.stick, soft.along);
  }
};

/// A pair as the solver sees it: closest points, direction and distance are those at the beginning of a handling, and move with it linearly.
struct Term {
  vec3 normal{0};
  float distance = 0;     // m
  float weight[4] = {0, 0, 0, 0};
  float stiffness = 0;    // N/m; 0: no term
  float firm = 0;         // N/m more beyond Firmness::soft_depth
  float friction = 0;
  float depth = 0;        // m by which the pair is nearer than contact begins, at the solver's present displacement
  Pressed pressed;        // by that; what is firm does not count the way that a body has yet to go: bodies that close in from two sides must not tear at cloth
  float settled_load = 0; // m, as Pressed::load: the lesser of this iteration's and the last one's, for friction; its soft part is always this one's
  vec3 slip{0};           // m, since the step began
};

struct MakeTerms {
  PairList pairs;
  bool vertex_triangle = true;
  StandsOut stands_out;
  Span<const vec3> x;
  Span<const float> inverse_mass, friction;
  int cloth_points = 0;
  float self_friction = 0;
  Firmness firmness;
  bool rubs = true;
  Span<Term> term;
  HD void operator()(int i) const {
    Term t;
    const PairPoints pair(pairs.points[i], vertex_triangle, x);
    float compliance = 0, weights = 0;
    t.friction = self_friction;
    for (int k = 0; k < 4; ++k) {
      const float w = t.weight[k] = pair.closest.weight[k];
      compliance += w * w * inverse_mass[pair.points[k]];
      if (pair.points[k] < cloth_points) t.firm += fabsf(w) * firmness.elastic[pair.points[k]], weights += fabsf(w);
      if (pair.points[k] >= cloth_points) t.friction = friction[pair.points[k] - cloth_points];
    }
    t.distance = sqrtf(pair.closest.squared);
    if (t.distance > 0) t.normal = pair.closest.offset * (1 / t.distance);
    if (weights > 0) t.firm /= weights;
    if (compliance > 0 && t.distance > 0 && (pairs.support[i] & kOwner) && stands_out(pair, pairs.primitives[i], vertex_triangle)) t.stiffness = firmness.inertia / compliance;
    if (!rubs) t.friction = 0;
    term[i] = t;
  }
};

/// Depth and slip at the solver's displacement; bodies are taken to reach their targets.
struct LookAtTerms {
  PairList pairs;
  Span<const vec3> safe, displacement, body_target, x;  // x: positions at which terms were made
  Span<const vec3> body_start;                          // where bodies were when the time step began, from which slip counts
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
      (cloth ? moved : closing) += t.weight[k] * (cloth ? displacement[p] - safe[p] : body_target[p - cloth_points] - x[p]);
      slip += t.weight[k] * (cloth ? displacement[p] : body_target[p - cloth_points] - body_start[p - cloth_points]);
    }
    const float still = activation - (t.distance + glm::dot(t.normal, moved)), before = t.pressed.load;
    t.depth = glm::max(still - glm::dot(t.normal, closing), 0.0f);
    t.pressed = Pressed(t.depth, glm::min(still, t.depth), t.stiffness, t.firm, firmness);
    t.settled_load = glm::max(glm::min(before, t.pressed.load), t.depth);
    t.slip = slip - glm::dot(slip, t.normal) * t.normal;
  }
};

/// The spring and the friction of each contact of a vertex, as anchors about the solver's present displacement. A block of the diagonal stands for the
/// whole contact: it is as large as the contact's rows add up to, so that all its points may answer at once.
struct AddTerms {
  PairList pairs[2];        // vertex-triangle, edge-edge
  PointPairs of_points[2];
  Span<const Term> term[2];
  Span<const float> inverse_mass;
  Span<const vec3> displacement;
  Span<Sym3> weight;
  Span<vec3> force;
  HD void operator()(int v) const {
    if (!(inverse_mass[v] > 0)) return;
    Sym3 sum;
    vec3 pull(0);
    for (int list = 0; list < 2; ++list)
      for (int e = of_points[list].start[v]; e < of_points[list].start[v + 1]; ++e) {
        const int pair = of_points[list].entry[e] / 4, place = of_points[list].entry[e] % 4;
        const Term& t = term[list][pair];
        const float w = t.weight[place];
        if (!(t.depth > 0) || w == 0) continue;
        float rows = 0;
        for (int k = 0; k < 4; ++k)
          if (inverse_mass[pairs[list].points[pair][k]] > 0) rows += fabsf(t.weight[k]);
        const PressedFriction f(t.slip, t.depth, t.friction, t.stiffness, t.settled_load);
        f.add_to(sum, fabsf(w) * rows, t.normal, t.pressed.stiffness);
        pull += (w * t.stiffness * t.pressed.load) * t.normal - (w * f.stick()) * t.slip;
      }
    weight[v] += sum;
    force[v] += sum * displacement[v] + pull;
  }
};

/// The same against the ground and planes.
struct AddPlaneTerms {
  Span<const ContactPlane> planes;
  Span<const vec3> base, displacement;
  Span<const float> inverse_mass;
  float activation = 0;
  Firmness firmness;
  bool rubs = true;
  Span<Sym3> weight;
  Span<vec3> force;
  HD void operator()(int v) const {
    if (!(inverse_mass[v] > 0)) return;
    const vec3 d = displacement[v];
    for (int k = 0; k < planes.size; ++k) {
      const ContactPlane plane = planes[k];
      const float depth = activation + plane.offset - glm::dot(plane.normal, base[v] + d), stiffness = firmness.inertia / inverse_mass[v];
      if (!(depth > 0)) continue;
      const vec3 slip = d - glm::dot(d, plane.normal) * plane.normal;
      const Pressed pressed(depth, depth, stiffness, firmness.elastic[v], firmness);
      const PressedFriction f(slip, depth, rubs ? plane.friction : 0.0f, stiffness, pressed.load);
      Sym3 block;
      f.add_to(block, 1, plane.normal, pressed.stiffness);
      weight[v] += block;
      force[v] += block * d + stiffness * pressed.load * plane.normal - f.stick() * slip;
    }
  }
};

/// By how much a point is nearer to something than contact begins, m.
struct Depths {
  Span<const float> nearest;
  float activation = 0;
  Span<float> depth;
  HD void operator()(int v) const { depth[v] = glm::max(activation - nearest[v], 0.0f); }
};

/// How far each point is from where a script wants it.
struct Lag {
  Span<const vec3> x, aim;
  Span<const int> kinematic;
  int cloth_points = 0;
  bool bodies = false;  // else pinned and scripted vertices
  Span<float> lag;
  HD void operator()(int i) const {
    const bool body = i >= cloth_points;
    const vec3 d = aim[i] - x[i];
    lag[i] = body == bodies && (body || kinematic[i]) ? sqrtf(glm::dot(d, d)) : 0.0f;
  }
};

}  // namespace weft::two_way
