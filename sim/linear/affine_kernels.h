// Kernels over rigid bodies: where a body is, its free flight, and motions of its points that are none of a
// body turned into the nearest that is. A row is a body.
#pragma once
#include "sim/device/row_of_threads.h"
#include "sim/linear/affine_view.h"
#include "sim/linear/rigid_motion_kernels.h"

namespace weft::affine {
using linear::total_sums;

/// x_i = p + A X_i.
struct BodyPlace {
  vec3 p{0};  // m
  mat3 a{1};
  HD vec3 operator()(const vec3& offset) const { return p + a * offset; }
};

HD inline mat3 full(const Sym3& s) { return {s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz}; }

/// Calls use(i) for the points of a body of which this call of a kernel's row has a share.
template <class L, class Use>
HD inline void each_point(const AffineBody& body, const Use& use) {
  for (int k = RowParts<L>::part(); k < body.count; k += RowParts<L>::kCount) use(body.first + k);
}

/// What threads of a row have read before, they have read before any of them writes afterwards.
template <class L>
HD inline void meet() {
  if constexpr (requires { L::meet(); }) L::meet();
}

/// The affine motion nearest to points at x(i), by mass: p = sum m x / M, A = (sum m (x - p) X') (sum m X
/// X')⁻¹; in every thread of a row. Of velocities likewise.
template <class L, class X>
HD inline BodyPlace nearest_place(const AffineView& view, const AffineBody& body, const X& x) {
  const vec3 origin = x(body.first);
  float s[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  each_point<L>(body, [&](int i) {
    const vec3 m = view.mass[i] * (x(i) - origin), offset = view.offset[i];
    for (int c = 0; c < 3; ++c) {
      s[c] += m[c];
      for (int a = 0; a < 3; ++a) s[3 + 3 * a + c] += m[c] * offset[a];
    }
  });
  total_sums<L>(s);
  const float inv = 1 / body.mass;
  const mat3 moment{s[3], s[4], s[5], s[6], s[7], s[8], s[9], s[10], s[11]};
  return {origin + inv * vec3(s[0], s[1], s[2]), inv * (moment * full(body.inverse_second))};
}

/// The rotation nearest to A (its polar part, by Higham's iteration); `otherwise`, a rotation, where A is
/// flat or inside out.
HD inline mat3 nearest_rotation(const mat3& a, const mat3& otherwise) {
  mat3 r = a;
  for (int k = 0; k < 8; ++k) {
    if (!(glm::determinant(r) > 1e-3f)) return otherwise;
    r = 0.5f * (r + glm::transpose(glm::inverse(r)));
  }
  return r;
}

/// The turn by w (radians).
HD inline mat3 rotation(const vec3& w) {
  const mat3 one(1);
  return {one[0] + linear::turn_by(w, one[0]), one[1] + linear::turn_by(w, one[1]),
          one[2] + linear::turn_by(w, one[2])};
}

/// Rotation and angular momentum per mass (m²/s) of a body on which nothing acts: momentum is kept
/// exactly, the spin follows from it by Euler's equations, of which each part of a step is a midpoint rule.
HD inline vec3 spin_of(const AffineBody& body, const mat3& turn, const vec3& momentum) {
  const mat3 s = turn * full(body.second) * glm::transpose(turn);
  const mat3 inertia = mat3(s[0][0] + s[1][1] + s[2][2]) - s;
  return glm::inverse(inertia) * momentum;
}
HD inline mat3 turned_freely(const AffineBody& body, mat3 turn, const vec3& momentum, float dt) {
  constexpr int kParts = 8;
  const float part = dt / kParts;
  for (int k = 0; k < kParts; ++k) {
    const mat3 half = rotation(0.5f * part * spin_of(body, turn, momentum)) * turn;
    turn = rotation(part * spin_of(body, half, momentum)) * turn;
  }
  return turn;
}

/// Whether points of a body with these second moments span a plane: they do not if they are one point or lie
/// on a line.
HD inline bool span_a_plane(const Sym3& c) {
  constexpr float kThin = 1e-5f;  // squared width over squared length, as far as float32 sums tell
  const float trace = c.xx + c.yy + c.zz, squared = c.xx * c.xx + c.yy * c.yy + c.zz * c.zz +
                                                    2 * (c.xy * c.xy + c.xz * c.xz + c.yz * c.yz);
  return trace * trace - squared > kThin * trace * trace;
}

/// The rotation W that brings points r nearest to t by least squares, where the r span a plane at least.
/// `moved`: sum r t', `second`: sum r r'. Gauss-Newton on the rotation vector: with p = W r,
///
///   (sum |p|² 1 - p p') w = sum p x t,    W <- turn by w, W
HD inline mat3 fitted_rotation(const mat3& moved, const mat3& second) {
  constexpr int kSteps = 8;  // from a quarter of a turn; each cubes what is left
  mat3 turn(1);
  for (int k = 0; k < kSteps; ++k) {
    const mat3 c = turn * second * glm::transpose(turn), to = turn * moved;
    const vec3 moment(to[2][1] - to[1][2], to[0][2] - to[2][0], to[1][0] - to[0][1]);
    turn = rotation(glm::inverse(mat3(c[0][0] + c[1][1] + c[2][2]) - c) * moment) * turn;
  }
  return turn;
}

/// Pinned points of bodies. A body whose pinned points span a plane is prescribed as a whole, and moves as
/// fits these best by least squares. One point, or points on a line, let it turn: they are no longer
/// prescribed, but springs of
///
///   k = kPinned M / h²         M   mass of the body, kg
///
/// hold them in the step, which take up the body's weight over a kPinned-th of g h²; FitBodies takes that
/// away.
struct HoldBodies {
  AffineView view;
  float dt = 0;               // s
  Span<const vec3> position;  // m
  Span<int> kinematic;
  Span<vec3> displacement;  // of kinematic points, m
  Span<float> spring;       // N/m, of each point; 0: none
  static constexpr bool kLongRows = true;
  static constexpr float kPinned = 1000;
  HD void operator()(int b) const { row<OneRow>(b); }
  template <class L>
  HD void row(int b) const {
    const AffineBody body = view.body[b];
    float s[7] = {0, 0, 0, 0, 0, 0, 0};
    each_point<L>(body, [&](int i) {
      spring[i] = 0;
      if (!kinematic[i]) return;
      for (int c = 0; c < 3; ++c) s[c] += displacement[i][c], s[3 + c] += view.offset[i][c];
      s[6] += 1;
    });
    total_sums<L>(s);
    if (!(s[6] > 0)) return;
    const vec3 mean = (1 / s[6]) * vec3(s[0], s[1], s[2]), centre = (1 / s[6]) * vec3(s[3], s[4], s[5]);
    if (const Sym3 c = spread<L>(body, centre); span_a_plane(c)) {
      lead<L>(body, c, centre, mean, 1 / s[6]);
      return;
    }
    const float stiffness = kPinned * body.mass / (s[6] * dt * dt);
    each_point<L>(body, [&](int i) { spring[i] = kinematic[i] ? stiffness : 0, kinematic[i] = 0; });
  }
  /// Moves a body as its pinned points do, of which `centre` and `mean` are the middles of their places in
  /// the body and of their displacements; share: one over their number. Where these differ by no more than
  /// rounding it does not turn.
  template <class L>
  HD void lead(const AffineBody& body, const Sym3& spread, const vec3& centre, const vec3& mean,
               float share) const {
    constexpr float kRounding = 1e-6f;  // of coordinates
    const BodyPlace now = nearest_place<L>(view, body, [&](int i) { return position[i]; });
    const mat3 old = nearest_rotation(now.a, mat3(1));
    float s[13] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    each_point<L>(body, [&](int i) {
      if (!kinematic[i]) return;
      const vec3 r = old * (view.offset[i] - centre), own = displacement[i] - mean;
      const vec3 x = position[i] - now.p, t = x + own;
      for (int a = 0; a < 3; ++a)
        for (int c = 0; c < 3; ++c) s[3 * c + a] += r[a] * t[c];
      s[9] += glm::dot(own, own);
      for (int c = 0; c < 3; ++c) s[10 + c] += x[c];
    });
    total_sums<L>(s);
    meet<L>();
    const float size = fabsf(now.p.x) + fabsf(now.p.y) + fabsf(now.p.z) + sqrtf(trace(spread) * share);
    if (!(s[9] * share > kRounding * kRounding * size * size)) {
      each_point<L>(body, [&](int i) { kinematic[i] = 1, displacement[i] = mean; });
      return;
    }
    const mat3 turn = fitted_rotation({s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8]},
                                      old * full(spread) * glm::transpose(old)) *
                      old;
    const vec3 middle = now.p + share * vec3(s[10], s[11], s[12]) + mean;
    each_point<L>(body, [&](int i) {
      kinematic[i] = 1, displacement[i] = (middle - position[i]) + turn * (view.offset[i] - centre);
    });
  }
  HD static float trace(const Sym3& c) { return c.xx + c.yy + c.zz; }
  /// Second moments of the pinned points about their centre, m², in every thread of a row.
  template <class L>
  HD Sym3 spread(const AffineBody& body, const vec3& centre) const {
    float s[6] = {0, 0, 0, 0, 0, 0};
    each_point<L>(body, [&](int i) {
      if (!kinematic[i]) return;
      const vec3 x = view.offset[i] - centre;
      s[0] += x.x * x.x, s[1] += x.x * x.y, s[2] += x.x * x.z;
      s[3] += x.y * x.y, s[4] += x.y * x.z, s[5] += x.z * x.z;
    });
    total_sums<L>(s);
    return {s[0], s[1], s[2], s[3], s[4], s[5]};
  }
};

/// The springs of HoldBodies among the anchors of a step: 1/2 k |d - target|².
struct AnchorBodies {
  AffineView view;
  Span<const float> spring;
  Span<const vec3> target;  // displacement, m
  Span<Sym3> anchor_weight;
  Span<vec3> anchor_force;
  static constexpr bool kLongRows = true;
  HD void operator()(int b) const { row<OneRow>(b); }
  template <class L>
  HD void row(int b) const {
    each_point<L>(view.body[b], [&](int i) {
      if (!(spring[i] > 0)) return;
      anchor_weight[i].add_identity(spring[i]);
      anchor_force[i] += spring[i] * target[i];
    });
  }
};

/// Where a step takes a body on which nothing acts, into inertial targets; and what its velocities at the
/// end of the step have beyond the mean of the step, which is a chord of its points' paths.
struct FlyFreely {
  AffineView view;
  Span<const vec3> position, velocity;
  Span<const int> kinematic;
  float dt = 0, kept = 1;            // share of the velocity that the air leaves
  Span<vec3> inertia, displacement;  // m, as stepping::Predict leaves them
  Span<vec3> velocity_change;        // m/s, added to
  static constexpr bool kLongRows = true;
  HD void operator()(int b) const { row<OneRow>(b); }
  template <class L>
  HD void row(int b) const {
    const AffineBody body = view.body[b];
    if (kinematic[body.first]) return;
    const BodyPlace now = nearest_place<L>(view, body, [&](int i) { return position[i]; });
    const BodyPlace moves = nearest_place<L>(view, body, [&](int i) { return velocity[i]; });
    const mat3 turn = nearest_rotation(now.a, mat3(1));
    // sum m (A X) x (A' X) = axial part of A' S A', S the second moments
    const mat3 w = kept * (moves.a * full(body.second) * glm::transpose(turn));
    const vec3 momentum(w[1][2] - w[2][1], w[2][0] - w[0][2], w[0][1] - w[1][0]);
    const mat3 then = turned_freely(body, turn, momentum, dt);
    const vec3 spin = spin_of(body, then, momentum), mean = kept * moves.p;
    each_point<L>(body, [&](int i) {
      const vec3 offset = then * view.offset[i];
      const vec3 flight = (now.p - position[i]) + dt * mean + offset;
      inertia[i] += flight - displacement[i];
      displacement[i] = flight;
      velocity_change[i] += mean + glm::cross(spin, offset) - (1 / dt) * flight;
    });
  }
};

/// Displacements of a body's points become those of its nearest rigid motion, which takes points that springs
/// hold (HoldBodies) to where they are pinned, in the mean.
struct FitBodies {
  AffineView view;
  Span<const vec3> position;  // m, at the start of the step
  Span<const int> kinematic;
  Span<const float> spring;
  Span<const vec3> target;  // displacements of points with a spring, m
  Span<vec3> displacement;
  static constexpr bool kLongRows = true;
  HD void operator()(int b) const { row<OneRow>(b); }
  template <class L>
  HD void row(int b) const {
    const AffineBody body = view.body[b];
    if (kinematic[body.first]) return;
    BodyPlace place = nearest_place<L>(view, body, [&](int i) { return position[i] + displacement[i]; });
    const mat3 before = nearest_place<L>(view, body, [&](int i) { return position[i]; }).a;
    place.a = nearest_rotation(place.a, nearest_rotation(before, mat3(1)));
    float s[4] = {0, 0, 0, 0};
    each_point<L>(body, [&](int i) {
      if (!(spring[i] > 0)) return;
      const vec3 lag = target[i] - ((place.p - position[i]) + place.a * view.offset[i]);
      for (int c = 0; c < 3; ++c) s[c] += lag[c];
      s[3] += 1;
    });
    total_sums<L>(s);
    if (s[3] > 0) place.p += (1 / s[3]) * vec3(s[0], s[1], s[2]);
    meet<L>();
    each_point<L>(body, [&](int i) { displacement[i] = (place.p - position[i]) + place.a * view.offset[i]; });
  }
};

/// Notes where bodies are at `y`, and puts their points there to the last bit.
struct NotePlaces {
  AffineView view;
  Span<BodyPlace> place;
  Span<vec3> y;  // m
  static constexpr bool kLongRows = true;
  HD void operator()(int b) const { row<OneRow>(b); }
  template <class L>
  HD void row(int b) const {
    const AffineBody body = view.body[b];
    const BodyPlace at = nearest_place<L>(view, body, [&](int i) { return y[i]; });
    meet<L>();
    each_point<L>(body, [&](int i) { y[i] = at(view.offset[i]); });
    if (RowParts<L>::part() == 0) place[b] = at;
  }
};

/// Pushes that contact gave single points of bodies, since their places were noted, become motions of the
/// bodies: the mean of those that the impulses of each of them alone give a rigid body, the longer ones
/// counting more,
///
///   t = 1/M sum_i a_i m_i push_i,    w = I⁻¹ sum_i a_i m_i r_i x push_i,    a_i = |push_i|² / sum |push|²
///
/// with r_i from the centre of mass, so that pushes that differ from point to point do not spin it. m_i is
/// what contact took for the mass that it pushes there: both sides of a contact get the same impulse. As
/// motions of an affine body, of which the nearest rotation is kept, pushes would turn thin bodies the wrong
/// way.
struct PushBodies {
  AffineView view;
  Span<const float> inverse_mass;  // 1 / m
  Span<BodyPlace> place;
  Span<vec3> y;  // m
  static constexpr bool kLongRows = true;
  HD void operator()(int b) const { row<OneRow>(b); }
  template <class L>
  HD void row(int b) const {
    const AffineBody body = view.body[b];
    if (!(inverse_mass[body.first] > 0)) return;
    BodyPlace at = place[b];
    float s[7] = {0, 0, 0, 0, 0, 0, 0};
    each_point<L>(body, [&](int i) { add(s, at, i); });
    total_sums<L>(s);
    if (!(s[6] > 0)) return;
    const float inv = 1 / (s[6] * body.mass);
    at.p += inv * vec3(s[0], s[1], s[2]);
    at.a = rotation(spin_of(body, at.a, inv * vec3(s[3], s[4], s[5]))) * at.a;
    meet<L>();
    each_point<L>(body, [&](int i) { y[i] = at(view.offset[i]); });
    if (RowParts<L>::part() == 0) place[b] = at;
  }
  HD void add(float (&s)[7], const BodyPlace& at, int i) const {
    const vec3 push = y[i] - at(view.offset[i]);
    const float squared = glm::dot(push, push);
    if (!(squared > 0)) return;
    const vec3 impulse = (squared / inverse_mass[i]) * push,
               moment = glm::cross(at.a * view.offset[i], impulse);
    for (int c = 0; c < 3; ++c) s[c] += impulse[c], s[3 + c] += moment[c];
    s[6] += squared;
  }
};

}  // namespace weft::affine
