// The soft phase, and the test of its result (Wu 2020, sections 4.2.1 and 5).
#pragma once
#include "sim/collision/repulsion/bodies/body_planes.h"
#include "sim/collision/repulsion/constraints/constraint_rows.h"
#include "sim/collision/repulsion/fold_guard/fold_kernels.h"
#include "sim/device/atomics.h"
#include "sim/device/row_of_threads.h"
#include "sim/scene/model/friction_table.h"

namespace weft::repulsion {

// factor on the distance of close vertices: closer ones may approach further, and their surroundings are
// examined exactly
constexpr float kSqueezed = 1.1f;
constexpr float kMaySqueeze = 0.78f;  // fraction of the present or coming distance that they then keep
// times the least of other edges: how far edges at such vertices may grow
constexpr float kSqueezedGrows = 2;
constexpr float kNearMargin = 0.15f;  // fraction of the margin of other pairs: neighbours move together

/// Coulomb coefficients of pairs.
struct PairFriction {
  float all = 0;              // of cloth on cloth that says nothing of its own
  Span<const vec3> with;      // in x: of each vertex for its contacts; empty: `all`
  PointFriction by_material;  // of vertices, instead of `with`; empty: nothing depends on the cloth
  HD bool depends() const { return !by_material.material.empty(); }
  template <class L>
  HD typename L::Real of(int i, const int* j) const {
    if (depends()) return each<L>(i, j);
    return with.empty() ? L::splat(all) : L::gather(with.data, j).x;
  }
  HD float of_samples(int p, int q) const { return depends() ? by_material.between(p, q, all) : all; }

 private:
  template <class L>
  HD typename L::Real each(int i, const int* j) const {
    if constexpr (sizeof(typename L::Real) == sizeof(float)) {
      return by_material.between(i, *j, all);
    } else {
      typename L::Real r;
      for (int l = 0; l < kLanes; ++l) r[l] = by_material.between(i + l, j[l], all);
      return r;
    }
  }
};

/// Fraction of its path from x_init that a vertex returns in an iteration.
constexpr float kReturn = 0.05f;
/// Constraints that may act on a vertex before the first iteration has counted them.
constexpr float kUncounted = 8;

/// Step of a vertex of mass m (kg) on which n constraints act: each gradient is divided by at most 1 / step.
/// The sum of a row of the Hessian (both ends of each constraint) times it is at most m.
HD inline float first_step(float mass, float penalty) { return mass / (1 + 2 * kUncounted * penalty); }
constexpr float kPinnedStep = 1e30f;  // kg, of vertices that constraints must not move

/// One iteration of the soft phase from x^(k): x_init + p, where p leaves the momentum of the cloth as it is:
///
///   p_i <- (1 - kReturn) p_i + 1 / m_i sum_j lambda_ij
///   lambda_ij = -lambda_ji = rho min(c_i, c_j) C_ij e_ij
///
/// with the violation C (m, >= 0), its direction e, and c_i = m_i over a bound of row i of the Hessian, as
/// the iteration before has it, so that no step overshoots. Where p is at rest it is the minimum of eq. 13
/// with masses, a penalty that sets in smoothly, and rho c / (m kReturn) for rho. Iteration 0 starts from
/// x_init.
struct SoftPhase {
  ConstraintRows rows;
  Span<const vec3> init, center;  // x_init; where the limit of a vertex is measured from. Padded
  Span<const float> allowed;      // m around `center`
  Span<const float> mobile;       // 1; 0: moves by command alone
  BodyPlanes planes;
  Span<const vec3> normal;  // of the cloth, unit; 0: unknown
  Span<const int> busy;     // per slice of 16 rows: may anything act in this step
  Span<vec3> u[2];          // iteration k writes u[k % 2] and reads the other
  Span<const float> mass;   // kg, padded
  Span<float> step[3];      // c, kg: iteration k writes step[k % 2] and reads the other, 0 reads step[2]
  float penalty = 1, body_penalty = 1;
  PairFriction pair_friction;
  float soft_reach = 0;  // m below its maximum at which an edge starts to resist

  static constexpr bool kLongRows = true;
  HD void operator()(int i, int k) const { row<OneRow>(i, k); }
  void sixteen(int first, int k) const { row<SixteenRows>(first, k); }

  template <class L>
  HD void row(int i, int k) const {
    using R = typename L::Real;
    const bool acts = busy[i / kLanes] != 0;
    if (!acts && k >= 2) return;
    const vec3* now = k == 0 ? init.data : u[1 - k % 2].data;
    const Vec3<R> x = L::rows(now + i), from = L::rows(&init[i]);
    const R own = L::load(&mass[i]), moves = L::load(&mobile[i]);
    Vec3<R> next = x;
    R diagonal = RowParts<L>::once(L::splat(1));
    if (acts) {
      const Pass<L> pass{now, k == 0 ? step[2].data : step[1 - k % 2].data, x, L::rows(&rows.base[i])};
      const R step_here = L::load(pass.step + i);
      const R zero = L::splat(0);
      Vec3<R> push{zero, zero, zero};
      add_edges<L>(i, pass, step_here, push, diagonal);
      add_pairs<L>(i, pass, step_here, push, diagonal);
      add_near<L>(i, pass, step_here, push, diagonal);
      const Vec3<R> of_body = body_push<L>(i, x, diagonal);
      const R total = RowParts<L>::total(diagonal);
      next = x + moves * ((1.0f / own) * RowParts<L>::total(push) +
                          (1.0f / total) * RowParts<L>::total(of_body) - L::splat(kReturn) * (x - from));
      diagonal = total;
    }
    L::store(&step[k % 2][i], L::where(L::splat(0.5f) - moves, L::splat(kPinnedStep)) +
                                  L::where(moves - 0.5f, own / diagonal));
    L::store_rows(&u[k % 2][i], limited<L>(i, next, acts));
  }

 private:
  /// What the constraints of a row read.
  template <class L>
  struct Pass {
    using R = typename L::Real;
    const vec3* now;    // u
    const float* step;  // c
    Vec3<R> x, base;    // of the row
    /// The lesser of both ends' c.
    HD R least_step(const R& own, const int* j) const { return L::smaller(own, L::pick(step, j)); }
  };

  template <class L>
  HD void add_edges(int i, const Pass<L>& pass, const typename L::Real& step_here,
                    Vec3<typename L::Real>& push, typename L::Real& diagonal) const {
    using R = typename L::Real;
    const int slots = most<L>(&rows.edges.count[i]);
    for (int s = RowParts<L>::part(); s < slots; s += RowParts<L>::kCount) {
      const int at = rows.edges.at(i, s);
      const int* j = &rows.edges.neighbor[at];
      const Vec3<R> e = relative<L>(rows.base.data, j, pass.base) + relative<L>(pass.now, j, pass.x);
      const R squared = dot(e, e);
      // Beyond L where the sample in the edge allows it.
      const R longest = L::load(&rows.longest[at]),
              further = L::where(longest - rows.c.max_edge, L::splat(rows.c.longest_edge - rows.c.max_edge));
      const R length = L::root(squared), soft = L::smaller(rows.c.soft_edge + further, longest - soft_reach);
      const R over = L::larger(length - soft, L::splat(0));
      push = push + (penalty * pass.least_step(step_here, j) * over / (length + 1e-20f)) * e;
      diagonal = diagonal + L::where(over, L::splat(2 * penalty));
    }
  }

  template <class L>
  HD void add_pairs(int i, const Pass<L>& pass, const typename L::Real& step_here,
                    Vec3<typename L::Real>& push, typename L::Real& diagonal) const {
    using R = typename L::Real;
    const R zero = L::splat(0);
    const Vec3<R> n = L::rows(&normal[i]);
    const int slots = most<L>(&rows.pairs.count[i]);
    for (int s = RowParts<L>::part(); s < slots; s += RowParts<L>::kCount) {
      const int* j = &rows.pairs.neighbor[rows.pairs.at(i, s)];
      const Vec3<R> displacement = relative<L>(pass.now, j, pass.x),
                    e = relative<L>(rows.base.data, j, pass.base) + displacement;
      const R squared = dot(e, e);  // 0 in a place that names the row itself
      const R length = L::root(squared), inv = 1.0f / (length + 1e-20f);
      const R under = L::where(squared, L::larger(rows.c.soft_distance - length, zero));
      const R c = pass.least_step(step_here, j);
      push = push - (penalty * c * under) * across<L>(n, L::gather(normal.data, j), inv * e);
      // Coulomb friction: a spring against the slip of this time step, whose force is limited to mu times the
      // push.
      const Vec3<R> along = displacement - (dot(displacement, e) * inv * inv) * e;
      const R stick = L::smaller(L::splat(penalty), pair_friction.of<L>(i, j) * penalty * under /
                                                        (L::root(dot(along, along)) + 1e-12f));
      push = push + (c * L::where(under, stick)) * along;
      diagonal = diagonal + L::where(under, 2.0f * (stick + penalty));
    }
    if (rows.samples.active() && RowParts<L>::part() == 0) add_samples<L>(i, pass, push, diagonal);
  }

  /// Pairs with samples, one row after the other: few have any.
  template <class L>
  HD void add_samples(int i, const Pass<L>& pass, Vec3<typename L::Real>& push,
                      typename L::Real& diagonal) const {
    if constexpr (sizeof(typename L::Real) == sizeof(float)) {
      add_samples_of(i, pass.now, pass.step, push, diagonal);
    } else {
      for (int l = 0; l < kLanes; ++l) {
        Vec3<float> p{push.x[l], push.y[l], push.z[l]};
        float d = diagonal[l];
        add_samples_of(i + l, pass.now, pass.step, p, d);
        push.x[l] = p.x, push.y[l] = p.y, push.z[l] = p.z;
        diagonal[l] = d;
      }
    }
  }

  HD void add_samples_of(int i, const vec3* now, const float* steps, Vec3<float>& push,
                         float& diagonal) const {
    const SampleRows& samples = rows.samples;
    samples.for_pairs(rows.edges, i, [&](int own, int other, float weight) {
      const vec3 displacement = samples.between(now, own, other),
                 e = samples.between(rows.base.data, own, other) + displacement;
      const float length = sqrtf(glm::dot(e, e)), inv = 1.0f / (length + 1e-20f),
                  under = rows.c.soft_distance - length;
      if (!(under > 0)) return;
      const ivec2 a = samples.corners(own), b = samples.corners(other);
      const float c = fminf(fminf(steps[a.x], steps[a.y]), fminf(steps[b.x], steps[b.y]));
      const vec3 along = displacement - (glm::dot(displacement, e) * inv * inv) * e;
      const float friction = pair_friction.of_samples(a.x, b.x);
      const float stick =
          fminf(penalty, friction * penalty * under / (sqrtf(glm::dot(along, along)) + 1e-12f));
      const vec3 unit = inv * e, n = normal[a.x] + normal[a.y], m = normal[b.x] + normal[b.y];
      const Vec3<float> direction =
          across<OneRow>({n.x, n.y, n.z}, {m.x, m.y, m.z}, {unit.x, unit.y, unit.z});
      const vec3 g = (weight * c * stick) * along;
      push = push - (weight * c * penalty * under) * direction + Vec3<float>{g.x, g.y, g.z};
      // The weights of either side add up to 1: a row of the Hessian to twice the own weight.
      diagonal += 2.0f * weight * (stick + penalty);
    });
  }

  template <class L>
  HD void add_near(int i, const Pass<L>& pass, const typename L::Real& step_here,
                   Vec3<typename L::Real>& push, typename L::Real& diagonal) const {
    using R = typename L::Real;
    const int slots = most<L>(&rows.near.count[i]);
    for (int s = RowParts<L>::part(); s < slots; s += RowParts<L>::kCount) {
      const int at = rows.near.at(i, s);
      const int* j = &rows.near.neighbor[at];
      const Vec3<R> e = relative<L>(rows.base.data, j, pass.base) + relative<L>(pass.now, j, pass.x);
      const R length = L::root(dot(e, e));
      const R under = L::larger(kNearReach * L::load(&rows.near_distance[at]) - length, L::splat(0));
      push = push - (penalty * pass.least_step(step_here, j) * under / (length + 1e-20f)) * e;
      diagonal = diagonal + L::where(under, L::splat(2 * penalty));
    }
  }

  /// Direction in which two points whose sheets have the normals n and m are pushed apart, at `e` (unit) from
  /// each other: the same at both, but for its sign. Sheets that lie on each other are pushed apart across,
  /// not along: vertices that fit between those of the other sheet would lock into it and stretch their own
  /// sheet. A push along the sheet, as between rims, is unchanged.
  template <class L>
  HD static Vec3<typename L::Real> across(const Vec3<typename L::Real>& n, const Vec3<typename L::Real>& m,
                                          const Vec3<typename L::Real>& e) {
    using R = typename L::Real;
    const R one = L::splat(1), sign = 2.0f * L::where(dot(n, m), one) - 1.0f;
    const Vec3<R> both = n + sign * m;
    const R squared = dot(both, both) + 1e-20f, along = dot(both, e);
    // Share of e that is across, squared: 0.25 and less leave it, 0.5 and more straighten it.
    const R share = L::smaller(L::larger((along * along / squared - 0.25f) * 4.0f, L::splat(0)), one);
    return e + share * ((along / squared) * both - e);
  }

  /// How far bodies push the row, times its bound of the Hessian.
  template <class L>
  HD Vec3<typename L::Real> body_push(int i, const Vec3<typename L::Real>& x,
                                      typename L::Real& diagonal) const {
    using R = typename L::Real;
    const R zero = L::splat(0);
    Vec3<R> push{zero, zero, zero};
    for (int k = RowParts<L>::part(); k < kBodyPlanes; k += RowParts<L>::kCount) {
      const R below = L::larger(zero - planes.height<L>(k, i, x), zero);
      push = push + (body_penalty * below) * L::rows(&planes.normal[k * planes.stride + i]);
      diagonal = diagonal + L::where(below, L::splat(body_penalty));
    }
    return push;
  }

  /// Within `allowed` of the centre, and in the half spaces of bodies, which have priority, since the cloth
  /// may be pulled hard.
  template <class L>
  HD Vec3<typename L::Real> limited(int i, const Vec3<typename L::Real>& next, bool acts) const {
    using R = typename L::Real;
    const Vec3<R> from = L::rows(&center[i]);
    const R most = L::load(&allowed[i]);
    if (!acts) return within<L>(from, next, most);
    // The ball and the half spaces are convex, so the segment between two of their points lies within them.
    const R can_move = L::load(&mobile[i]);
    const Vec3<R> out = within<L>(from, planes.cut<L>(i, from, planes.outside<L>(i, from, can_move)), most),
                  step = out - from;
    const Vec3<R> end = planes.cut<L>(i, out, planes.outside<L>(i, next, can_move));
    return within<L>(out, end, L::larger(most - L::root(dot(step, step)), L::splat(0)));
  }
  template <class L>
  HD static Vec3<typename L::Real> within(const Vec3<typename L::Real>& from,
                                          const Vec3<typename L::Real>& to, const typename L::Real& most) {
    using R = typename L::Real;
    const Vec3<R> displacement = to - from;
    const R share = most / (L::root(dot(displacement, displacement)) + 1e-20f);
    return from + L::smaller(share, L::splat(1)) * displacement;
  }
};

/// What steps add up, per vertex.
struct Travel {
  Span<float> path;     // m moved since neighbours were searched
  Span<float> allowed;  // m that are left of it
  Span<float> phase;    // 1 where the soft phase moved a vertex off its x_init
  Span<vec3> push;      // sum of such distances
};

/// Accepts `candidate` as the next update for this row: counts failures, and computes the next target (eq.
/// 23).
struct AcceptAndAim {
  ConstraintRows rows;
  FoldRows fold;                       // written where no step ends
  Span<const vec3> before, candidate;  // x^[k], x^[k+1]; equal if there is nothing to accept yet
  Span<const vec3> target;             // y
  BodyPlanes planes;
  float step_limit = 0, budget = 0;  // m
  float margin = 0;                  // m that two vertices may approach each other in the next step
  Travel travel;
  Span<vec3> init;    // of the ending step; on return, of the next
  bool taken = true;  // false: no step ends here, and init holds start positions
  Span<int> busy;     // of the next step, cleared before
  Span<int> failed;   // one element

  HD void operator()(int i) const { row<OneRow>(i); }
  void sixteen(int first) const { row<SixteenRows>(first); }

 private:
  template <class L>
  struct Look {
    typename L::Real excess;     // m^2, positive: a constraint fails
    typename L::Real nearest;    // positive: something may act in the next step
    typename L::Real folds;      // m, positive: exact examination needed
    typename L::Real stretched;  // m, positive: an edge needs a sample
  };

  template <class L>
  HD void row(int i) const {
    using R = typename L::Real;
    const Vec3<R> u0 = L::rows(&before[i]), u1 = L::rows(&candidate[i]);
    Look<L> look{L::splat(-1e30f), L::splat(-1e30f), L::splat(-1e30f), L::splat(-1e30f)};
    const R squeezed = see_near<L>(i, u0, u1, look);
    see_edges<L>(i, u0, u1, squeezed, look);
    see_pairs<L>(i, u0, u1, look);
    look.excess = L::larger(look.excess, planes.excess<L>(i, u0, u1));
    look.nearest = L::larger(look.nearest, margin - planes.least_height<L>(i, u1));
    if (any<L>(look.nearest)) atomic_or(&busy[i / kLanes], 1);
    if (!none<L>(look.excess)) atomic_or(&failed[0], 1);
    const Vec3<R> moved = u1 - u0;
    const R gone = L::load(&travel.path[i]) + L::root(dot(moved, moved)) * (1 + 1e-6f);
    L::store(&travel.path[i], gone);
    if (!taken && any<L>(look.folds)) atomic_or(&fold.needed[0], 1);
    if (!taken && any<L>(look.stretched)) atomic_or(&fold.stretched[0], 1);
    if (!taken && (any<L>(look.folds) || any<L>(look.stretched))) atomic_or(&fold.look[0], 1);
    const R left = L::larger(L::splat(budget) - gone, L::splat(0));
    L::store(&travel.allowed[i], step_limit > 0 ? L::smaller(left, L::splat(rows.c.move_limit)) : left);
    const Vec3<R> pushed = u1 - L::rows(&init[i]);
    if (taken) L::store_rows(&travel.push[i], L::rows(&travel.push[i]) + pushed);
    // Less than a hundredth of a step is rounding, or the end of a decaying motion.
    const float felt = 0.01f * rows.c.step_limit;
    if (taken)
      L::store(&travel.phase[i], L::larger(L::load(&travel.phase[i]),
                                           L::where(dot(pushed, pushed) - felt * felt, L::splat(1))));
    const Vec3<R> displacement = L::rows(&target[i]) - u1;
    const R share =
        L::smaller(L::splat(step_limit), left) / (L::root(dot(displacement, displacement)) + 1e-20f);
    L::store_rows(&init[i], u1 + L::smaller(share, L::splat(1)) * displacement);
  }

  /// Position of a vertex on the path to its target at the next search.
  template <class L>
  HD Vec3<typename L::Real> ahead(const Vec3<typename L::Real>& goal, const Vec3<typename L::Real>& u) const {
    using R = typename L::Real;
    const Vec3<R> displacement = goal - u;
    const R share =
        float(rows.c.steps_per_search) * step_limit / (L::root(dot(displacement, displacement)) + 1e-20f);
    return u + L::smaller(share, L::splat(1)) * displacement;
  }

  template <class L>
  HD void see_edges(int i, const Vec3<typename L::Real>& u0, const Vec3<typename L::Real>& u1,
                    const typename L::Real& squeezed, Look<L>& look) const {
    using R = typename L::Real;
    const Vec3<R> base = L::rows(&rows.base[i]);
    const R rounded = rounding<L>(base);
    const Vec3<R> goal = L::rows(&target[i]);
    const float act = rows.c.soft_edge - margin;
    const int slots = most<L>(&rows.edges.count[i]);
    for (int s = 0; s < slots; ++s) {
      const int at = rows.edges.at(i, s);
      const int* j = &rows.edges.neighbor[at];
      const Vec3<R> d0 = relative<L>(before.data, j, u0), d1 = relative<L>(candidate.data, j, u1);
      const Vec3<R> p0 = relative<L>(rows.base.data, j, base) + d0, move = d1 - d0, p1 = p0 + move;
      look.excess = L::larger(look.excess, edge_excess<L>(L::load(&fold.longest[at]), p0, move, rounded));
      look.nearest = L::larger(look.nearest, dot(p1, p1) - act * act);
      if (taken) continue;
      // Length at the next search if both ends move towards their targets.
      const Vec3<R> there =
          relative<L>(rows.base.data, j, base) +
          (ahead<L>(L::gather(target.data, j), L::gather(candidate.data, j)) - ahead<L>(goal, u1));
      const R length = L::root(L::larger(dot(p1, p1), dot(there, there)));
      const R safe = L::load(&fold.safe_edge[at]);
      const R free = L::where(squeezed - 1.0f, length + kSqueezedGrows * fold.grows - safe);
      const R until =
          edge_until_search(length, safe + L::smaller(free, L::splat(0)), fold.grows, rows.c.max_edge);
      L::store(&fold.longest[at], until);
      look.folds = L::larger(look.folds, until - safe);
      look.stretched = L::larger(look.stretched, length - fold.resampled_from);
    }
  }

  template <class L>
  HD void see_pairs(int i, const Vec3<typename L::Real>& u0, const Vec3<typename L::Real>& u1,
                    Look<L>& look) const {
    using R = typename L::Real;
    const Vec3<R> base = L::rows(&rows.base[i]);
    const R rounded = rounding<L>(base);
    const float act = rows.c.soft_distance + margin;
    const int slots = most<L>(&rows.pairs.count[i]);
    for (int s = 0; s < slots; ++s) {
      const int* j = &rows.pairs.neighbor[rows.pairs.at(i, s)];
      const Vec3<R> d0 = relative<L>(before.data, j, u0), d1 = relative<L>(candidate.data, j, u1);
      const Vec3<R> p0 = relative<L>(rows.base.data, j, base) + d0, move = d1 - d0, p1 = p0 + move;
      const R now = dot(p0, p0);
      look.excess = L::larger(look.excess, L::where(now, pair_excess<L>(rows.c, p0, move, rounded)));
      look.nearest = L::larger(look.nearest, L::where(now, act * act - dot(p1, p1)));
    }
  }

  /// Minimum distance of two close vertices until the next search (m): less than their distance if they are,
  /// or will be, this close.
  template <class L>
  HD typename L::Real kept_until_search(const int* j, const Vec3<typename L::Real>& base,
                                        const Vec3<typename L::Real>& goal, const Vec3<typename L::Real>& u1,
                                        const Vec3<typename L::Real>& p1,
                                        const typename L::Real& distance) const {
    using R = typename L::Real;
    const Vec3<R> there =
        relative<L>(rows.base.data, j, base) +
        (ahead<L>(L::gather(target.data, j), L::gather(candidate.data, j)) - ahead<L>(goal, u1));
    const R least = L::root(L::smaller(dot(p1, p1), dot(there, there)));
    const R kept = L::larger(L::smaller(kMaySqueeze * least, distance), fold.released * distance);
    return distance + L::where(kSqueezed * distance - least, kept - distance);
  }

  template <class L>
  HD typename L::Real see_near(int i, const Vec3<typename L::Real>& u0, const Vec3<typename L::Real>& u1,
                               Look<L>& look) const {
    using R = typename L::Real;
    const Vec3<R> base = L::rows(&rows.base[i]), goal = L::rows(&target[i]);
    const int slots = most<L>(&rows.near.count[i]);
    R squeezed = L::splat(1);
    for (int s = 0; s < slots; ++s) {
      const int at = rows.near.at(i, s);
      const int* j = &rows.near.neighbor[at];
      const Vec3<R> d0 = relative<L>(before.data, j, u0), d1 = relative<L>(candidate.data, j, u1);
      const Vec3<R> p0 = relative<L>(rows.base.data, j, base) + d0, move = d1 - d0, p1 = p0 + move;
      const R distance = L::load(&rows.near_distance[at]), act = kNearReach * distance + kNearMargin * margin;
      const R real = L::where(distance, L::splat(1));  // 0 in a place that names the row itself
      look.excess =
          L::larger(look.excess, L::where(real, near_excess<L>(L::load(&rows.near_kept[at]), p0, move)));
      look.nearest = L::larger(look.nearest, L::where(real, act * act - dot(p1, p1)));
      if (taken) continue;
      const R kept = kept_until_search<L>(j, base, goal, u1, p1, distance);
      L::store(&fold.near_kept[at], kept);
      squeezed =
          L::larger(squeezed, L::where(real, distance / (L::smaller(kept, L::root(dot(p1, p1))) + 1e-20f)));
    }
    if (taken) return squeezed;
    L::store(&fold.squeezed[i], squeezed);
    look.folds = L::larger(look.folds, squeezed - 1.0f);
    return squeezed;
  }

  /// True if any of the rows is above 0.
  template <class L>
  HD static bool any(const typename L::Real& v) {
    if constexpr (sizeof(v) == sizeof(float)) {
      return v > 0;
    } else {
      for (int l = 0; l < kLanes; ++l)
        if (v[l] > 0) return true;
      return false;
    }
  }
  /// True if all are at most 0; false for NaN.
  template <class L>
  HD static bool none(const typename L::Real& v) {
    if constexpr (sizeof(v) == sizeof(float)) {
      return v <= 0;
    } else {
      for (int l = 0; l < kLanes; ++l)
        if (!(v[l] <= 0)) return false;
      return true;
    }
  }
};

/// Pieces of cloth without a kinematic vertex, counted down from all.
struct FreePieces {
  Span<const int> piece;  // of each vertex of the cloth
  Span<int> pinned;       // per piece, 0 before
  Span<int> free;         // one element
  HD void hold(int i) const {
    if (i < piece.size && atomic_or(&pinned[piece[i]], 1) == 0) atomic_add(&free[0], -1);
  }
};

/// Kinematic vertices are not pushed.
struct Mobile {
  Span<const int> kinematic;
  Span<const float> mass;  // kg
  float penalty = 0;
  Span<float> mobile, step;  // step: of the first iteration of the soft phase, kg
  FreePieces pieces;
  HD void operator()(int i) const {
    if (kinematic[i]) pieces.hold(i);
    mobile[i] = kinematic[i] ? 0.0f : 1.0f;
    step[i] = kinematic[i] ? kPinnedStep : first_step(mass[i], penalty);
  }
};

/// x_init of a part of the initial motion, about which every vertex may then move by `budget`.
struct MoveTogether {
  Span<const vec3> u, motion;
  Span<const float> scale;  // one element: share of the motion that is taken
  float budget = 0;
  Span<vec3> init;
  Span<float> allowed;
  HD void operator()(int i) const {
    init[i] = u[i] + scale[0] * motion[i];
    allowed[i] = budget;
  }
};

}  // namespace weft::repulsion
