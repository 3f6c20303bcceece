// The hard phase: an interior point method every iterate of which is acceptable (Wu 2020, section 4.2.2).
#pragma once
#include "sim/collision/repulsion/body_planes.h"
#include "sim/collision/repulsion/settle_kernels.h"

namespace weft::repulsion {

constexpr int kTrials = 5;        // step sizes alpha_0 2^-m that one line search tries
constexpr float kEdgeReach = 0.05f;  // of the squared longest length of an edge: where it begins to resist
constexpr float kWorthAStep = 1e-3f;  // of the step without barriers: a vertex wedged in so tightly that its step is shorter stays, and holds nobody up
constexpr int kAllTrials = (1 << kTrials) - 1;
constexpr int kLastTrial = 1 << (kTrials - 1);
constexpr int kHardChunk = 32;    // rows that one thread adds up
constexpr float kArmijo = 1e-4f;

/// f of eq. 16 between 0 and epsilon: -x^3 / e^2 + x^2 / e + x, which solves eq. 17; and its derivative.
HD inline float barrier_f(float x, float e) { return x >= e ? e : x * (1 + x / e * (1 - x / e)); }
HD inline float barrier_df(float x, float e) { return x >= e ? 0.0f : 1 + x / e * (2 - 3 * x / e); }

/// The objective of eq. 15 over the vertices that stayed behind; the others do not move any more.
struct HardObjective {
  ConstraintRows rows;
  Span<const vec3> init;
  Span<const int> stays;
  Span<const int> blocked;     // 1: even the shortest step failed here; others go on without this vertex
  Span<const float> mobile;
  BodyPlanes planes;
  float barrier = 0, body_penalty = 1;

  /// epsilon (m^2) of eq. 16. Vertices within two edges have one of their own, for at rest most of them are nearer than the others', and so have edges
  /// that must not get much longer than they are before the next search.
  HD float slack(Constraint kind, float distance) const {
    if (kind == Constraint::near) return (kNearReach * kNearReach - 1) * distance * distance;
    return kind == Constraint::edge ? fminf(rows.c.slack, kEdgeReach * distance * distance) : rows.c.slack;
  }
  /// c_ij (m^2). A pair that starts too close counts as one that has just a little room, so that the logarithm stays finite.
  HD float constraint(const vec3& p, Constraint kind, float distance) const {
    const float q = glm::dot(p, p), d = kind == Constraint::pair ? rows.c.distance : distance;
    const float c = kind == Constraint::edge ? d * d - q : q - d * d;
    const float least = 1e-3f * slack(kind, distance);
    return c > least ? c : least;
  }
  HD bool moves(int i) const { return stays[i] != 0 && blocked[i] == 0 && mobile[i] > 0; }
  /// What a trial step of size alpha moves vertex i by: down the gradient, no further than it may, and not into bodies.
  HD vec3 move(int i, const vec3& u, const vec3& gradient, float alpha, float allowed) const {
    const vec3 way = -alpha * gradient;
    const float length = sqrtf(glm::dot(way, way));
    return planes.slide(i, u, u + (length > allowed ? (allowed / length) * way : way)) - u;
  }
};

/// What the trial steps move each vertex by: kTrials rows of `stride`.
struct Trials {
  Span<const vec3> move;
  int stride = 0;
  HD const vec3& of(int v, int m) const { return move[m * stride + v]; }
};

struct FindTrials {
  HardObjective f;
  Span<const vec3> u, gradient;
  Span<const float> shorter, allowed;
  float first_step = 0.1f, share = 1;  // share: of `allowed` for this iteration
  int stride = 0;
  Span<vec3> move;
  Span<int> blocks;                    // of this iteration: none yet
  HD void operator()(int i) const {
    blocks[i] = 0;
    const bool moves = f.moves(i);
    for (int m = 0; m < kTrials; ++m)
      move[m * stride + i] = moves ? f.move(i, u[i], shorter[i] * gradient[i], first_step * ldexpf(1.0f, -m), share * allowed[i]) : vec3(0);
  }
};

/// The gradient of eq. 15, and by how much steps down it are shortened: near a limit the logarithm is so steep that a step which suits the others
/// would be far too long. 2 is the second derivative without barriers.
struct HardGradient {
  HardObjective f;
  Span<const vec3> u;
  Span<vec3> gradient;
  Span<float> shorter;

  struct Look {
    const HardObjective* f;
    vec3* g;
    float* curvature;
    HD void operator()(int, const vec3& p, Constraint kind, float distance) const {
      const float c = f->constraint(p, kind, distance), e = f->slack(kind, distance);
      const float relative = barrier_df(c, e) / barrier_f(c, e), pull = 2 * f->barrier * relative;
      *curvature += 4 * pull * relative * glm::dot(p, p);  // twice: the other end moves as much
      *g += (kind == Constraint::edge ? -pull : pull) * p;
    }
  };
  HD void operator()(int i) const {
    vec3 g(0);
    float curvature = 2;
    if (f.moves(i)) {
      g = 2.0f * (u[i] - f.init[i]);
      for_constraints(f.rows, u, i, Look{&f, &g, &curvature});
      for (int k = 0; k < kBodyPlanes; ++k) {
        const float below = -f.planes.height<OneRow>(k, i, {u[i].x, u[i].y, u[i].z});
        if (below > 0) g -= 2 * f.body_penalty * below * f.planes.normal[k * f.planes.stride + i], curvature += 2 * f.body_penalty;
      }
    }
    gradient[i] = g;
    shorter[i] = curvature < 2 / kWorthAStep ? 2 / curvature : 0.0f;
  }
};

/// Tries all step sizes at once: what each gains, and whether it breaks a constraint on its way.
struct TrySteps {
  HardObjective f;
  Span<const vec3> u, gradient;
  Trials trials;
  Span<float> sums;    // per chunk kTrials gains and kTrials slopes
  Span<int> broken;    // bit m: step m is not acceptable
  Span<int> blocks;    // per vertex: 1 where the shortest step is not

  HD void operator()(int chunk) const {
    float gain[kTrials] = {}, slope[kTrials] = {};
    // What another chunk has found broken will not be taken, whatever it gains here: which of them were met first makes no difference.
    int bad = atomic_or(&broken[0], 0);
    const int end = (chunk + 1) * kHardChunk < u.size ? (chunk + 1) * kHardChunk : u.size;
    for (int i = chunk * kHardChunk; i < end; ++i)
      if (f.moves(i))
        for (int m = 0; m < kTrials; ++m)
          if (!(bad >> m & 1) || m == kTrials - 1) attempt(i, m, gain[m], slope[m], bad);
    for (int m = 0; m < kTrials; ++m) {
      sums[chunk * 2 * kTrials + m] = gain[m];
      sums[chunk * 2 * kTrials + kTrials + m] = slope[m];
    }
    if (bad) atomic_or(&broken[0], bad);
  }

 private:
  struct Look {
    const TrySteps* k;
    vec3 own;
    int i, m;
    float* change;
    bool* breaks;
    HD void operator()(int j, const vec3& p0, Constraint kind, float distance) const {
      const vec3 move = k->trials.of(j, m) - own;
      if (!(excess_of(k->f.rows, i, p0, move, kind, distance) <= 0)) *breaks = true;
      const float e = k->f.slack(kind, distance), c0 = k->f.constraint(p0, kind, distance), c1 = k->f.constraint(p0 + move, kind, distance);
      if (c0 >= e && c1 >= e) return;
      const float was = barrier_f(c0, e), is = barrier_f(c1, e);
      // A pair of two that move is met twice.
      *change -= (k->f.moves(j) ? 0.5f : 1.0f) * k->f.barrier * logf(is / was);
    }
  };
  HD void attempt(int i, int m, float& gain, float& slope, int& bad) const {
    const vec3 own = trials.of(i, m), off = u[i] - f.init[i];
    float change = glm::dot(own, own) + 2 * glm::dot(own, off);
    bool breaks = false;
    for_constraints(f.rows, u, i, Look{this, own, i, m, &change, &breaks});
    for (int p = 0; p < kBodyPlanes; ++p) {
      const float gap0 = f.planes.height<OneRow>(p, i, {u[i].x, u[i].y, u[i].z}), gap1 = gap0 + glm::dot(f.planes.normal[p * f.planes.stride + i], own);
      const float b0 = gap0 < 0 ? gap0 : 0.0f, b1 = gap1 < 0 ? gap1 : 0.0f;
      change += f.body_penalty * (b1 * b1 - b0 * b0);
    }
    gain -= change;
    slope -= glm::dot(own, gradient[i]);
    if (!breaks) return;
    bad |= 1 << m;
    if (m == kTrials - 1) blocks[i] = 1;
  }
};

/// Which of the step sizes let neighbouring triangles meet.
struct TryFolds {
  HardObjective f;
  FoldPairSpan pairs;
  Span<const vec3> u;
  Trials trials;
  Span<const int> active;    // of ChooseStep
  Span<int> broken, blocks;  // as in TrySteps
  HD void operator()(int k) const {
    if (active[0] == 0) return;
    const FoldPair p = pairs.pair[k];
    if (!f.moves(p.v[0]) && !f.moves(p.v[1]) && !f.moves(p.v[2]) && !f.moves(p.v[3])) return;
    int bad = 0;
    for (int m = 0; m < kTrials; ++m)
      if (!(p.gap(f.rows.base, [&](int v) { return u[v] + trials.of(v, m); }) >= p.keep)) bad |= 1 << m;
    if (bad) atomic_or(&broken[0], bad);
    if (bad & kLastTrial)
      for (const int v : p.v) atomic_or(&blocks[v], 1);
  }
};

/// The longest step that is acceptable and lowers the objective as Armijo asks. Where none is acceptable, those are blocked that stand in the way of
/// the shortest; where none lowers it, the phase ends.
struct ChooseStep {
  Span<const float> sums;
  Span<const int> broken;
  Span<int> chosen;    // one element: m of the step, -1 for none
  Span<int> active;    // rows and chunks that the next iteration works on: none once no step is left
  int rows = 0, chunks = 0;
  HD void operator()(int) const {
    chosen[0] = -1;
    if (active[0] == 0 || (broken[0] & kAllTrials) == kAllTrials) return;
    active[0] = active[1] = 0;
    for (int m = 0; m < kTrials; ++m) {
      if (broken[0] >> m & 1) continue;
      float gain = 0, slope = 0;
      for (int c = 0; c < sums.size / (2 * kTrials); ++c) gain += sums[c * 2 * kTrials + m], slope += sums[c * 2 * kTrials + kTrials + m];
      if (gain >= kArmijo * slope && gain > 0) {
        chosen[0] = m;
        active[0] = rows;
        active[1] = chunks;
        return;
      }
    }
  }
};

struct BeginHardPhase {
  int rows = 0, chunks = 0;
  Span<int> active;
  HD void operator()(int) const {
    active[0] = rows;
    active[1] = chunks;
  }
};

struct HardMove {
  Span<const int> chosen;  // of ChooseStep
  Trials trials;
  Span<const int> blocks;
  Span<int> blocked;
  Span<vec3> u;
  Span<float> path;
  HD void operator()(int i) const {
    if (blocks[i]) blocked[i] = 1;
    if (chosen[0] < 0) return;
    const vec3 move = trials.of(i, chosen[0]);
    u[i] += move;
    path[i] += sqrtf(glm::dot(move, move)) * (1 + 1e-6f);
  }
};

}  // namespace weft::repulsion
