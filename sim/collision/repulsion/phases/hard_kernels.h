// The hard phase: an interior point method every iterate of which is acceptable (Wu 2020, section 4.2.2).
#pragma once
#include "sim/collision/repulsion/bodies/body_planes.h"
#include "sim/collision/repulsion/phases/settle_kernels.h"

namespace weft::repulsion {

constexpr int kRounds = 5;  // rounds of one line search
// share of its step that is left to a vertex at which a constraint fails; none if one fails again
constexpr float kShortened = 0.25f;
// fraction of the squared maximum length of an edge at which it starts to resist
constexpr float kEdgeReach = 0.05f;
// fraction of the step without barriers: a wedged vertex with a shorter step stops, and does not delay others
constexpr float kWorthAStep = 1e-3f;
constexpr int kHardChunk = 32;  // rows that one thread adds up
constexpr float kArmijo = 1e-4f;

/// f of eq. 16 between 0 and epsilon: -x^3 / e^2 + x^2 / e + x, which solves eq. 17; and its derivative over
/// itself.
template <class L>
HD inline typename L::Real barrier_f(const typename L::Real& x, const typename L::Real& e) {
  const typename L::Real t = L::smaller(x / e, L::splat(1));
  return e * t * (1.0f + t * (1.0f - t));
}
template <class L>
HD inline typename L::Real barrier_slope(const typename L::Real& x, const typename L::Real& e) {
  const typename L::Real t = L::smaller(x / e, L::splat(1));
  return (1.0f - t) * (1.0f + 3.0f * t) / (e * t * (1.0f + t * (1.0f - t)));
}

/// The objective of eq. 15 over the vertices that stayed behind; the others do not move any more.
struct HardObjective {
  ConstraintRows rows;
  Span<const vec3> init;
  Span<int> moving;  // from HardGradient: 1 for vertices that take part
  BodyPlanes planes;
  float barrier = 0, body_penalty = 1;

  /// epsilon (m^2) of eq. 16. Vertices within two edges have a separate one, since most are closer at rest
  /// than others, and so have edges that must hardly grow before the next search.
  template <class L, Constraint kKind>
  HD typename L::Real slack(Kind<kKind>, const typename L::Real& distance) const {
    // 0 in places without a neighbour
    if constexpr (kKind == Constraint::near)
      return (kNearReach * kNearReach - 1) * distance * distance + 1e-20f;
    else if constexpr (kKind == Constraint::edge)
      return L::smaller(L::splat(rows.c.slack), kEdgeReach * distance * distance + 1e-20f);
    else return L::splat(rows.c.slack);
  }
  /// c_ij (m^2). A pair that starts too close counts as slightly apart, so that the logarithm stays finite.
  template <class L, Constraint kKind>
  HD static typename L::Real constraint(Kind<kKind>, const Vec3<typename L::Real>& p,
                                        const typename L::Real& distance, const typename L::Real& slack) {
    const typename L::Real q = dot(p, p),
                           c = kKind == Constraint::edge ? distance * distance - q : q - distance * distance;
    return L::larger(c, 1e-3f * slack);
  }
  /// Motion of vertex i in a trial step of size alpha: down the gradient, within its limit, and not into
  /// bodies.
  HD vec3 move(int i, const vec3& u, const vec3& gradient, float alpha, float allowed) const {
    const vec3 displacement = -alpha * gradient;
    const float length = sqrtf(glm::dot(displacement, displacement));
    return planes.slide(i, u, u + (length > allowed ? (allowed / length) * displacement : displacement)) - u;
  }
};

/// State of the hard phase.
struct HardProgress {
  WorkSize size;
  int iterations = 0;  // left of this round; 0: it ends
  int rounds = 0;      // left after this one
  int round = 0;       // round of the line search
  int searching = 1;   // 0: the line search ends
  int halvings = 0;    // halvings of the step size
  int stamp = 1;       // number of this round; only rows affected by a change are examined again
  int everything = 1;  // 1: all rows are examined
  int taken = 0;       // 1: the trial step is the step
};

/// Motion of each vertex in a trial step, and which vertices move differently than in the last one.
struct Trial {
  Span<const HardProgress> progress;
  Span<vec3> move;
  Span<int> changed;  // per vertex: stamp
  Span<int> touched;  // per slice of 16 rows: stamp of the last change of one of them or of a neighbour
  Span<int> broken;   // one element: 1: some constraint fails
  Span<int> blocks;   // per vertex: 1: one fails there
  HD bool is_new(int v) const { return progress[0].everything || changed[v] == progress[0].stamp; }
  HD bool sees_new(int row) const {
    return progress[0].everything || touched[row / kLanes] == progress[0].stamp;
  }
};

/// The gradient of eq. 15, and by how much steps down it are shortened: near a limit the logarithm is so
/// steep that a step which suits the others would be far too long. 2 is the second derivative without
/// barriers.
struct HardGradient {
  HardObjective f;
  Span<const int> stays;
  Span<const int> blocked;  // 1: even the shortest step failed here; the others continue without this vertex
  Span<const float> mobile;
  Span<const vec3> u;
  Span<vec3> gradient;
  Span<float> shorter;

  HD void operator()(int i) const { row<OneRow>(i); }
  void sixteen(int first) const { row<SixteenRows>(first); }

 private:
  template <class L>
  struct Look {
    using R = typename L::Real;
    const HardObjective* f;
    Vec3<R>* g;
    R* curvature;
    template <Constraint kKind>
    HD void operator()(Kind<kKind> kind, const int*, const Vec3<R>& p, const R& distance) const {
      const R e = f->slack<L>(kind, distance), c = f->constraint<L>(kind, p, distance, e);
      // A place without a neighbour has p = 0.
      const R relative = L::where(dot(p, p), barrier_slope<L>(c, e)), pull = 2.0f * f->barrier * relative;
      *curvature = *curvature + 4.0f * pull * relative * dot(p, p);  // twice: the other end moves as much
      *g = *g + (kKind == Constraint::edge ? L::splat(0) - pull : pull) * p;
    }
  };
  template <class L>
  HD void row(int i) const {
    using R = typename L::Real;
    bool any = false;
    for (int l = 0; l < kRowsOf<L>; ++l) any |= moves(i + l);
    const Vec3<R> own = L::rows(&u[i]);
    Vec3<R> g = L::splat(2) * (own - L::rows(&f.init[i]));
    R curvature = L::splat(2);
    if (any) {
      for_constraints<L>(f.rows, u.data, i, Look<L>{&f, &g, &curvature});
      for (int k = 0; k < kBodyPlanes; ++k) {
        const R below = L::larger(L::splat(0) - f.planes.height<L>(k, i, own), L::splat(0));
        g = g - (2 * f.body_penalty * below) * L::rows(&f.planes.normal[k * f.planes.stride + i]);
        curvature = curvature + L::where(below, L::splat(2 * f.body_penalty));
      }
    }
    L::store(&shorter[i], L::where(2 / kWorthAStep - curvature, 2.0f / curvature));
    change_rows<L>(g, [&](int l, vec3& v) {
      f.moving[i + l] = moves(i + l);
      if (!moves(i + l)) v = vec3(0);
    });
    L::store_rows(&gradient[i], g);
  }
  HD bool moves(int i) const { return stays[i] != 0 && blocked[i] == 0 && mobile[i] > 0; }
};

/// Vertices at which a constraint failed move less in the next round, all others the same, so that a wedged
/// vertex delays no other.
struct FindTrial {
  HardObjective f;
  Span<const vec3> u, gradient;
  Span<const float> shorter, allowed;
  float first_step = 0.1f, share = 1;  // share: of `allowed` for one iteration
  Trial trial;
  Span<int> failures;  // per vertex, in this line search
  HD void operator()(int i) const {
    const HardProgress p = trial.progress[0];
    const bool failed = p.round > 0 && trial.blocks[i];
    failures[i] = p.round > 0 ? failures[i] + failed : 0;
    trial.blocks[i] = 0;
    if (failed && f.moving[i]) touch(i, p.stamp);
    if (!failed && !p.everything) return;
    const float length = failures[i] > 1 ? 0.0f : ldexpf(failures[i] ? kShortened : 1.0f, -p.halvings);
    trial.move[i] = f.moving[i] && length > 0
                        ? f.move(i, u[i], shorter[i] * gradient[i], first_step * length, share * allowed[i])
                        : vec3(0);
  }
  HD void touch(int i, int stamp) const {
    trial.changed[i] = stamp;
    atomic_max(&trial.touched[i / kLanes], stamp);
    for (const NeighborLists& list : {f.rows.edges, f.rows.pairs, f.rows.near})
      for (int s = 0; s < list.count[i]; ++s)
        atomic_max(&trial.touched[list.neighbor[list.at(i, s)] / kLanes], stamp);
  }
};

/// Gain of the trial step, and whether it violates a constraint on its path.
struct TrySteps {
  HardObjective f;
  Span<const vec3> u, gradient;
  Trial trial;
  Span<float> gains, slopes;  // per vertex

  HD void operator()(int i) const { row<OneRow>(i); }
  void sixteen(int first) const { row<SixteenRows>(first); }

 private:
  template <class L>
  struct Look {
    using R = typename L::Real;
    const TrySteps* k;
    Vec3<R> own;
    R margin;
    R *change, *excess, *no_number, *product;
    int* factors;
    template <Constraint kKind>
    HD void operator()(Kind<kKind> kind, const int* j, const Vec3<R>& p0, const R& distance) const {
      const HardObjective& f = k->f;
      const Vec3<R> move = relative<L>(k->trial.move.data, j, own);
      const R over = excess_of<L>(f.rows, kind, p0, move, distance, margin);
      *excess = L::larger(*excess, over);
      *no_number = *no_number + (over - over);
      const R e = f.slack<L>(kind, distance);
      const R was = barrier_f<L>(f.constraint<L>(kind, p0, distance, e), e),
              is = barrier_f<L>(f.constraint<L>(kind, p0 + move, distance, e), e);
      // A pair of two moving vertices is visited twice, so half of the logarithm each time; a pair with one
      // moving vertex needs all of it. A factor is between 1e-6 and 1e6.
      const R ratio = is / was;
      *product = *product * ratio * (1.0f + (1.0f - L::flags(f.moving.data, j)) * (ratio - 1.0f));
      if (++*factors % kFactors == 0) take_logarithm();
    }
    HD void take_logarithm() const {
      float logarithm[kRowsOf<L>];
      L::store(logarithm, *product);
      for (float& v : logarithm) v = logf(v);
      *change = *change - 0.5f * k->f.barrier * L::load(logarithm);
      *product = L::splat(1);
    }
  };
  static constexpr int kFactors = 6;  // number of factors whose product stays within float32

  template <class L>
  HD void row(int i) const {
    using R = typename L::Real;
    if (!trial.sees_new(i)) return;
    const R moving = flags_of<L>(i);
    bool any = false;
    for (int l = 0; l < kRowsOf<L>; ++l) any |= f.moving[i + l] != 0;
    const Vec3<R> own = L::rows(&trial.move[i]);
    R change = L::splat(0), excess = L::splat(-1);
    if (any) attempt<L>(i, own, change, excess);
    L::store(&gains[i], L::where(moving, L::splat(0) - change));
    L::store(&slopes[i], L::where(moving, L::splat(0) - dot(own, L::rows(&gradient[i]))));
    bool breaks = false;
    for (int l = 0; l < kRowsOf<L>; ++l) {
      if (!f.moving[i + l] || lane<L>(excess, l) <= 0) continue;
      trial.blocks[i + l] = 1;
      breaks = true;
    }
    if (breaks) atomic_or(&trial.broken[0], 1);
  }
  template <class L>
  HD void attempt(int i, const Vec3<typename L::Real>& own, typename L::Real& change,
                  typename L::Real& excess) const {
    using R = typename L::Real;
    const Vec3<R> at = L::rows(&u[i]), off = at - L::rows(&f.init[i]);
    R no_number = L::splat(0), product = L::splat(1);
    int factors = 0;
    change = dot(own, own) + 2.0f * dot(own, off);
    const Look<L> look{this,     own,     rounding<L>(L::rows(&f.rows.base[i])), &change, &excess, &no_number,
                       &product, &factors};
    for_constraints<L>(f.rows, u.data, i, look);
    look.take_logarithm();
    for (int p = 0; p < kBodyPlanes; ++p) {
      const R gap0 = f.planes.height<L>(p, i, at),
              gap1 = gap0 + dot(L::rows(&f.planes.normal[p * f.planes.stride + i]), own);
      const R b0 = L::smaller(gap0, L::splat(0)), b1 = L::smaller(gap1, L::splat(0));
      change = change + f.body_penalty * (b1 * b1 - b0 * b0);
    }
    excess = excess + no_number;
  }
  template <class L>
  HD typename L::Real flags_of(int i) const {
    float flag[kRowsOf<L>];
    for (int l = 0; l < kRowsOf<L>; ++l) flag[l] = f.moving[i + l] ? 1.0f : 0.0f;
    return L::load(flag);
  }
};

/// Adds up gains and slopes, kHardChunk rows at a time.
struct SumTrial {
  Span<const float> gains, slopes;
  int rows = 0;
  Span<vec2> sums;  // per chunk
  HD void operator()(int chunk) const {
    const int end = (chunk + 1) * kHardChunk < rows ? (chunk + 1) * kHardChunk : rows;
    vec2 sum(0);
    for (int i = chunk * kHardChunk; i < end; ++i) sum += vec2(gains[i], slopes[i]);
    sums[chunk] = sum;
  }
};

/// Tests whether the trial step lets neighbouring triangles meet.
struct TryFolds {
  HardObjective f;
  FoldPairSpan pairs;
  Span<const vec3> u;
  Trial trial;
  HD void operator()(int k) const { row<OneRow>(k); }
  void sixteen(int first) const { row<SixteenRows>(first); }

 private:
  template <class L>
  HD void row(int k) const {
    const HardProgress& now = trial.progress[0];
    if (!FoldLanes<L>::any_is(pairs, k, now.everything ? f.moving.data : trial.changed.data,
                              now.everything ? 1 : now.stamp))
      return;
    const FoldLanes<L> p(pairs, k);
    p.for_failing(
        f.rows.base, [&](const int* v) { return L::gather(u.data, v) + L::gather(trial.move.data, v); },
        [&](const ivec4& v) {
          bool breaks = false;
          for (int c = 0; c < 4; ++c) {
            if (!f.moving[v[c]]) continue;
            breaks = true;
            atomic_or(&trial.blocks[v[c]], 1);
          }
          if (breaks) atomic_or(&trial.broken[0], 1);
        });
  }
};

struct BeginHardPhase {
  int rows = 0;
  Span<const int> folds, samples;  // one element: how many there are; or none
  int iterations = 0, rounds = 1;
  Span<HardProgress> progress;  // one element
  HD void operator()(int) const {
    progress[0] = {};
    progress[0].size = {rows, folds.size > 0 ? folds[0] : 0, samples.size > 0 ? samples[0] : 0};
    progress[0].iterations = iterations;
    progress[0].rounds = rounds - 1;
  }
};

/// Adds up the squares of the gradient, kHardChunk rows at a time.
struct SumSquares {
  Span<const vec3> gradient;
  int rows = 0;
  Span<float> sums;  // per chunk, m^2
  HD void operator()(int chunk) const {
    const int end = (chunk + 1) * kHardChunk < rows ? (chunk + 1) * kHardChunk : rows;
    float sum = 0;
    for (int i = chunk * kHardChunk; i < end; ++i) sum += glm::dot(gradient[i], gradient[i]);
    sums[chunk] = sum;
  }
};

/// Takes the trial step if it is valid and lowers the objective by Armijo's condition. If it is valid and
/// does not, all steps are halved; if even that does not help the phase ends. Vertices at which it is invalid
/// after the last round are left out.
struct JudgeTrial {
  Span<const vec2> sums;
  Span<int> broken;             // one element
  Span<HardProgress> progress;  // one element
  HD void operator()(int) const {
    HardProgress p = progress[0];
    const bool safe = broken[0] == 0;
    broken[0] = 0;
    vec2 sum(0);
    for (int c = 0; safe && c < sums.size; ++c) sum += sums[c];
    p.taken = safe && sum.x >= kArmijo * sum.y && sum.x > 0;
    p.searching = !p.taken && ++p.round < kRounds;
    p.everything = safe;
    p.halvings += safe;
    ++p.stamp;
    if (safe && !p.taken && !p.searching) p.iterations = 1, p.rounds = 0;
    progress[0] = p;
  }
};

/// Ends an iteration. After those of a round another follows until the gradient's norm is at most `end`.
struct EndIteration {
  Span<const float> squares;  // of the gradient, per chunk; empty: one round
  float end = 0;              // eta, m
  int of_round = 0;
  Span<HardProgress> progress;  // one element
  Span<int> unsolved;           // one element: phases that their last round ended, counted
  HD void operator()(int) const {
    HardProgress& p = progress[0];
    if (--p.iterations == 0 && squares.size > 0) {
      float norm = 0;
      for (int c = 0; c < squares.size; ++c) norm += squares[c];
      const bool solved = norm <= end * end;
      if (solved) p.rounds = 0;
      else if (p.rounds > 0) p.iterations = of_round, --p.rounds;
      else ++unsolved[0];
    }
    p.searching = p.everything = 1;
    p.round = p.halvings = 0;
    ++p.stamp;
  }
};

struct HardMove {
  Span<const HardProgress> progress;
  Span<const vec3> move;
  Span<const int> blocks;
  Span<int> blocked;
  Span<vec3> u;
  Span<float> path;
  Span<float> allowed;  // m, lessened by what is used of it; empty: each iteration has its share
  HD void operator()(int i) const {
    if (!progress[0].taken) {
      if (blocks[i]) blocked[i] = 1;
      return;
    }
    u[i] += move[i];
    const float distance = sqrtf(glm::dot(move[i], move[i])) * (1 + 1e-6f);
    path[i] += distance;
    if (!allowed.empty()) allowed[i] = fmaxf(allowed[i] - distance, 0.0f);
  }
};

}  // namespace weft::repulsion
