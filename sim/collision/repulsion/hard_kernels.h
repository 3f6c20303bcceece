// The hard phase: an interior point method every iterate of which is acceptable (Wu 2020, section 4.2.2).
#pragma once
#include "sim/collision/repulsion/body_planes.h"
#include "sim/collision/repulsion/fold_kernels.h"
#include "sim/collision/repulsion/settle_kernels.h"

namespace weft::repulsion {

constexpr int kTrials = 8;        // step sizes alpha_0 2^-m that one line search tries
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
  Span<const float> mobile;
  BodyPlanes planes;
  float barrier = 0, body_penalty = 1;

  /// c_ij (m^2). A pair that starts too close counts as one that has just a little room, so that the logarithm stays finite.
  HD float constraint(const vec3& p, Constraint kind, float distance) const {
    const float q = glm::dot(p, p), d = kind == Constraint::near ? distance : rows.c.distance, l = distance > rows.c.max_edge ? rows.c.longest_edge : rows.c.max_edge;
    const float c = kind == Constraint::edge ? l * l - q : q - d * d;
    const float least = 1e-3f * rows.c.slack;
    return c > least ? c : least;
  }
  HD bool moves(int i) const { return stays[i] != 0 && mobile[i] > 0; }
  /// What a trial step of size alpha moves vertex i by: down the gradient, no further than it may, and not into bodies.
  HD vec3 move(int i, const vec3& u, const vec3& gradient, float alpha, float allowed) const {
    const vec3 way = -alpha * gradient;
    const float length = sqrtf(glm::dot(way, way));
    return planes.slide(i, u, u + (length > allowed ? (allowed / length) * way : way)) - u;
  }
};

struct HardGradient {
  HardObjective f;
  Span<const vec3> u;
  Span<vec3> gradient;

  struct Look {
    const HardObjective* f;
    vec3* g;
    HD void operator()(int, const vec3& p, Constraint kind, float distance) const {
      if (kind == Constraint::near) return;  // kept by the line search alone
      const float c = f->constraint(p, kind, distance), e = f->rows.c.slack;
      const float pull = 2 * f->barrier * barrier_df(c, e) / barrier_f(c, e);
      *g += (kind == Constraint::edge ? -pull : pull) * p;
    }
  };
  HD void operator()(int i) const {
    vec3 g(0);
    if (f.moves(i)) {
      g = 2.0f * (u[i] - f.init[i]);
      for_constraints(f.rows, u, i, Look{&f, &g});
      for (int k = 0; k < kBodyPlanes; ++k) {
        const float below = -f.planes.height<OneRow>(k, i, {u[i].x, u[i].y, u[i].z});
        if (below > 0) g -= 2 * f.body_penalty * below * f.planes.normal[k * f.planes.stride + i];
      }
    }
    gradient[i] = g;
  }
};

/// Tries all step sizes at once: what each gains, and whether it breaks a constraint on its way.
struct TrySteps {
  HardObjective f;
  Span<const vec3> u, gradient;
  Span<const float> allowed;
  float first_step = 0.1f, share = 1;  // of `allowed` for this iteration
  Span<float> sums;                    // per chunk kTrials gains and kTrials slopes
  Span<int> broken;                    // bit m: step m is not acceptable

  HD void operator()(int chunk) const {
    float gain[kTrials] = {}, slope[kTrials] = {};
    // What another chunk has found broken will not be taken, whatever it gains here: which of them were met first makes no difference.
    int bad = broken_before();
    const int end = (chunk + 1) * kHardChunk < u.size ? (chunk + 1) * kHardChunk : u.size;
    for (int i = chunk * kHardChunk; i < end; ++i)
      if (f.moves(i))
        for (int m = 0; m < kTrials; ++m)
          if (!(bad >> m & 1)) attempt(i, m, gain[m], slope[m], bad);
    for (int m = 0; m < kTrials; ++m) {
      sums[chunk * 2 * kTrials + m] = gain[m];
      sums[chunk * 2 * kTrials + kTrials + m] = slope[m];
    }
    if (bad) atomic_or(&broken[0], bad);
  }

 private:
  HD int broken_before() const { return atomic_or(&broken[0], 0); }
  struct Look {
    const TrySteps* k;
    float alpha;
    vec3 own;
    int i;
    float* change;
    bool* breaks;
    HD void operator()(int j, const vec3& p0, Constraint kind, float distance) const {
      const bool both = k->f.moves(j);
      const vec3 move = (both ? k->f.move(j, k->u[j], k->gradient[j], alpha, k->share * k->allowed[j]) : vec3(0)) - own;
      if (!(excess_of(k->f.rows, i, p0, move, kind, distance) <= 0)) *breaks = true;
      const float e = k->f.rows.c.slack, c0 = k->f.constraint(p0, kind, distance), c1 = k->f.constraint(p0 + move, kind, distance);
      if (kind == Constraint::near || (c0 >= e && c1 >= e)) return;
      const float was = barrier_f(c0, e), is = barrier_f(c1, e);
      // A pair of two that move is met twice.
      *change -= (both ? 0.5f : 1.0f) * k->f.barrier * logf(is / was);
    }
  };
  HD void attempt(int i, int m, float& gain, float& slope, int& bad) const {
    const float alpha = first_step * ldexpf(1.0f, -m);
    const vec3 own = f.move(i, u[i], gradient[i], alpha, share * allowed[i]), off = u[i] - f.init[i];
    float change = glm::dot(own, own) + 2 * glm::dot(own, off);
    bool breaks = false;
    for_constraints(f.rows, u, i, Look{this, alpha, own, i, &change, &breaks});
    for (int p = 0; p < kBodyPlanes; ++p) {
      const float gap0 = f.planes.height<OneRow>(p, i, {u[i].x, u[i].y, u[i].z}), gap1 = gap0 + glm::dot(f.planes.normal[p * f.planes.stride + i], own);
      const float b0 = gap0 < 0 ? gap0 : 0.0f, b1 = gap1 < 0 ? gap1 : 0.0f;
      change += f.body_penalty * (b1 * b1 - b0 * b0);
    }
    gain -= change;
    slope -= glm::dot(own, gradient[i]);
    if (breaks) bad |= 1 << m;
  }
};

/// Which of the step sizes let neighbouring triangles meet.
struct TryFolds {
  HardObjective f;
  FoldPairSpan pairs;
  Span<const vec3> u, gradient;
  Span<const float> allowed;
  float first_step = 0.1f, share = 1;
  Span<int> broken;
  HD void operator()(int k) const {
    const FoldPair p = pairs.pair[k];
    if (!f.moves(p.v[0]) && !f.moves(p.v[1]) && !f.moves(p.v[2]) && !f.moves(p.v[3])) return;
    int bad = 0;
    for (int m = 0; m < kTrials; ++m) {
      const float alpha = first_step * ldexpf(1.0f, -m);
      const auto at = [&](int v) { return f.moves(v) ? u[v] + f.move(v, u[v], gradient[v], alpha, share * allowed[v]) : u[v]; };
      if (!(p.gap(f.rows.base, at) >= p.keep)) bad |= 1 << m;
    }
    if (bad) atomic_or(&broken[0], bad);
  }
};

/// The longest step that is acceptable and lowers the objective as Armijo asks; 0 if there is none.
struct ChooseStep {
  Span<const float> sums;
  Span<const int> broken;
  float first_step = 0.1f;
  Span<float> alpha;   // one element
  Span<int> active;    // rows and chunks that the next iteration works on: none once no step is left
  int rows = 0, chunks = 0;
  HD void operator()(int) const {
    alpha[0] = 0;
    if (active[0] == 0) return;
    active[0] = active[1] = 0;
    for (int m = 0; m < kTrials; ++m) {
      if (broken[0] >> m & 1) continue;
      float gain = 0, slope = 0;
      for (int c = 0; c < sums.size / (2 * kTrials); ++c) gain += sums[c * 2 * kTrials + m], slope += sums[c * 2 * kTrials + kTrials + m];
      if (gain >= kArmijo * slope && gain > 0) {
        alpha[0] = first_step * ldexpf(1.0f, -m);
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
  HardObjective f;
  Span<const float> alpha;
  Span<const vec3> gradient;
  Span<const float> allowed;
  float share = 1;
  Span<vec3> u;
  Span<float> path;
  HD void operator()(int i) const {
    if (!f.moves(i)) return;
    const vec3 move = f.move(i, u[i], gradient[i], alpha[0], share * allowed[i]);
    u[i] += move;
    path[i] += sqrtf(glm::dot(move, move)) * (1 + 1e-6f);
  }
};

}  // namespace weft::repulsion
