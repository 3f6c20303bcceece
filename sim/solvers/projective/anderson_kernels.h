// Anderson acceleration of a fixed-point iteration d <- G(d) (Anderson 1965; of local-global iterations: Peng
// et al. 2018).
//
// With the step f = G(d) - d and the last m differences of f and G between iterations, the next iterate is
//
//     d' = G(d) - sum_j theta_j dG_j,   theta = argmin | f - sum_j theta_j dF_j |²
#pragma once
#include "sim/base/math.h"
#include "sim/base/span.h"

namespace weft::anderson {

constexpr int kMost = 8;     // differences that are kept, at most
constexpr int kChunks = 64;  // partial sums of a product
// Of the matrix' largest diagonal entry: products are summed in double from vectors in float.
constexpr double kRegular = 1e-10;

// Factor on the square of the forces left that is a new beginning: they shrink unevenly.
constexpr float kGrown = 16;
// Sum of |theta| beyond which differences are rounding: steps that hardly change would be taken so many
// times.
constexpr double kMostFactor = 1000;

/// Differences that count for theta, and what decides whether they do.
struct State {
  int count = 0;
  int place = 0;                      // of the next difference
  float size = 0;                     // of the forces left, at the iterate before
  int grew = 0;                       // the forces are kGrown times that
  int accelerated = 0, rejected = 0;  // the present iterate was; and is given up for the plain step before it
  double theta[kMost] = {};
  double gram[kMost * kMost] = {};  // dF_a . dF_b, by place
};

/// Where things are: `places` differences of `rows` vectors each, one after the other.
struct History {
  int rows = 0, places = 0;
  Span<vec3> last_f, last_g;  // m: the step and G at the iterate before
  Span<vec3> df, dg;          // m
};

/// Whether the present iterate is worth going on from. An accelerated one at which the forces have grown, or
/// are no numbers, is given up; not where weights of contact grow, which alone makes them larger.
struct Judge {
  bool first = false;  // there is no iterate before
  bool weights_grow = false;
  Span<const float> size;
  Span<State> state;
  HD void operator()(int) const {
    State& s = state[0];
    s.grew = !first && !(size[0] <= kGrown * s.size);
    s.rejected = s.grew && s.accelerated && !weights_grow;
  }
};

/// f and G at the present iterate; stores the difference to the one before.
struct Remember {
  History h;
  bool first = false;  // there is no iterate before
  Span<const State> state;
  Span<const float> free_row;  // 0: the vertex is held
  Span<const vec3> d, step, sweep;
  HD void operator()(int i) const {
    if (state[0].rejected) return;
    const vec3 f = free_row[i] > 0 ? step[i] + sweep[i] : vec3(0), g = d[i] + f;
    if (!first) {
      const int place = state[0].place;
      h.df[place * h.rows + i] = f - h.last_f[i];
      h.dg[place * h.rows + i] = g - h.last_g[i];
    }
    h.last_f[i] = f;
    h.last_g[i] = g;
  }
};

/// Partial sums of dF_place . dF_j (first `places` rows) and f . dF_j (the others).
struct Products {
  History h;
  Span<const State> state;
  Span<double> partial;  // 2 places x kChunks
  HD void operator()(int item) const {
    const int row = item / kChunks, j = row % h.places;
    const vec3* a = row < h.places ? h.df.data + state[0].place * h.rows : h.last_f.data;
    const vec3* b = h.df.data + j * h.rows;
    double sum = 0;
    for (int i = item % kChunks; i < h.rows; i += kChunks) sum += double(glm::dot(a[i], b[i]));
    partial[item] = sum;
  }
};

/// theta of the differences that count; none after a rejected iterate. They begin anew where the forces left
/// have grown (`size`), since the iteration is not the same linear one any more; and none counts where
/// iterations are not those of one map.
struct Solve {
  int places = 0;
  bool first = false;  // there is no difference yet
  Span<const float> size;
  Span<const int> plain;  // one element, not 0: no acceleration; empty: always
  Span<const double> partial;
  Span<State> state;
  Span<float> stopped;  // counts the new beginnings
  HD void operator()(int) const {
    State& s = state[0];
    s.accelerated = 0;
    for (double& t : s.theta) t = 0;
    if (s.grew) stopped[0] += 1;
    if (s.rejected) {
      s.count = 0;
      return;
    }
    s.size = size[0];
    s.count = first || (plain.size > 0 && plain[0] > 0) ? 0
              : s.grew                                  ? 1
              : s.count + 1 < places                    ? s.count + 1
                                                        : places;
    const int place = first ? 0 : s.place;
    s.place = first ? 0 : (s.place + 1) % places;
    if (s.count == 0) return;
    double right[kMost];
    for (int j = 0; j < places; ++j) {
      s.gram[place * kMost + j] = s.gram[j * kMost + place] = sum(j);
      right[j] = sum(places + j);
    }
    solve(s, place, right);
    double factor = 0;
    for (const double t : s.theta) factor += t < 0 ? -t : t;
    s.accelerated = factor > 0 && factor <= kMostFactor;
    if (!s.accelerated)
      for (double& t : s.theta) t = 0;
  }

 private:
  HD double sum(int row) const {
    double total = 0;
    for (int c = 0; c < kChunks; ++c) total += partial[row * kChunks + c];
    return total;
  }
  /// Cholesky's method on the newest `count` places.
  HD void solve(State& s, int place, const double (&right)[kMost]) const {
    double l[kMost][kMost], y[kMost];
    int at[kMost];
    double largest = 0;
    for (int a = 0; a < s.count; ++a) {
      at[a] = (place - a + places) % places;
      largest = glm::max(largest, s.gram[at[a] * kMost + at[a]]);
    }
    if (!(largest > 0)) return;
    for (int a = 0; a < s.count; ++a) {
      for (int b = 0; b <= a; ++b) {
        double v = s.gram[at[a] * kMost + at[b]] + (a == b ? kRegular * largest : 0.0);
        for (int k = 0; k < b; ++k) v -= l[a][k] * l[b][k];
        l[a][b] = a == b ? ::sqrt(glm::max(v, kRegular * largest)) : v / l[b][b];
      }
      y[a] = right[at[a]];
      for (int k = 0; k < a; ++k) y[a] -= l[a][k] * y[k];
      y[a] /= l[a][a];
    }
    for (int a = s.count - 1; a >= 0; --a) {
      double v = y[a];
      for (int k = a + 1; k < s.count; ++k) v -= l[k][a] * s.theta[at[k]];
      s.theta[at[a]] = v / l[a][a];
    }
  }
};

struct Advance {
  History h;
  Span<const float> free_row;
  Span<const State> state;
  Span<vec3> d;
  HD void operator()(int i) const {
    if (!(free_row[i] > 0)) return;
    const State& s = state[0];
    vec3 at = h.last_g[i];
    if (s.count > 0)
      for (int j = 0; j < h.places; ++j)
        if (s.theta[j] != 0) at -= float(s.theta[j]) * h.dg[j * h.rows + i];
    d[i] = at;
  }
};

}  // namespace weft::anderson
