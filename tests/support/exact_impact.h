// Whether and when a moving vertex touches a moving triangle, or a moving edge another: decided in rational
// arithmetic, as the truth for tests. It shares nothing with the methods that it judges and with
// tests/safety: those search for directions that separate two sides, this one for roots of polynomials.
//
// All four points move along straight lines during t in [0, 1], so that their coordinates are linear in t.
// Both sides touch at t if and only if
//  - the four points lie in one plane: D(t) = det(...) = 0, a cubic, and
//  - seen along x, y and z their projections touch: signs of quadratic areas and linear differences.
// (In the plane of the four points one of the three views is a bijection, so that touching in it is touching
// in space; four points on a line are told apart by the two views in which that line is not a point.) The set
// of such t is closed, so its first time is 0, a root of D, or, where D is 0 throughout, a root of one of the
// other polynomials. Roots are isolated with Sturm's theorem; the sign of a polynomial at a root of another
// is exact as well.
#pragma once
#include <gmpxx.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "sim/base/math.h"

namespace weft::testing {

/// Four points (metres) at the start and at the end of their straight paths. An edge against an edge: 0 1 | 2
/// 3; else a vertex against a triangle: 0 | 1 2 3.
struct MovingPair {
  dvec3 start[4], end[4];
  bool edges = false;
};

/// The first time of touching, in [0, 1], within 2^-60.
struct ExactImpact {
  double not_before = 0, not_after = 0;
};

namespace exact {

/// Coefficients from the constant on, without zeros at the end; empty: zero.
using Polynomial = std::vector<mpq_class>;

inline Polynomial trimmed(Polynomial p) {
  while (!p.empty() && sgn(p.back()) == 0) p.pop_back();
  return p;
}
inline Polynomial operator-(const Polynomial& a, const Polynomial& b) {
  Polynomial d(std::max(a.size(), b.size()));
  for (size_t k = 0; k < a.size(); ++k) d[k] += a[k];
  for (size_t k = 0; k < b.size(); ++k) d[k] -= b[k];
  return trimmed(d);
}
inline Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  if (a.empty() || b.empty()) return {};
  Polynomial p(a.size() + b.size() - 1);
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t j = 0; j < b.size(); ++j) p[i + j] += a[i] * b[j];
  return p;
}
inline Polynomial remainder(Polynomial a, const Polynomial& b) {
  while (a.size() >= b.size()) {
    const mpq_class factor = a.back() / b.back();
    for (size_t k = 0; k < b.size(); ++k) a[a.size() - b.size() + k] -= factor * b[k];
    a.pop_back();
    a = trimmed(a);
  }
  return a;
}
inline Polynomial quotient(Polynomial a, const Polynomial& b) {
  Polynomial q(a.size() - b.size() + 1);
  for (size_t k = q.size(); k-- > 0;) {
    q[k] = a[b.size() - 1 + k] / b.back();
    for (size_t j = 0; j < b.size(); ++j) a[k + j] -= q[k] * b[j];
  }
  return q;
}
inline Polynomial derivative(const Polynomial& p) {
  Polynomial d;
  for (size_t k = 1; k < p.size(); ++k) d.push_back(p[k] * int(k));
  return d;
}
inline Polynomial common_divisor(Polynomial a, Polynomial b) {
  while (!b.empty()) {
    a = remainder(std::move(a), b);
    std::swap(a, b);
  }
  return a;
}
inline mpq_class value(const Polynomial& p, const mpq_class& t) {
  mpq_class sum = 0;
  for (size_t k = p.size(); k-- > 0;) sum = sum * t + p[k];
  return sum;
}

/// A polynomial without multiple roots, with its Sturm sequence.
class Sturm {
 public:
  explicit Sturm(const Polynomial& p) {
    sequence_.push_back(p.size() > 1 ? quotient(p, common_divisor(p, derivative(p))) : p);
    sequence_.push_back(derivative(sequence_[0]));
    while (!sequence_.back().empty()) {
      Polynomial next = remainder(sequence_[sequence_.size() - 2], sequence_.back());
      for (mpq_class& c : next) c = -c;
      sequence_.push_back(std::move(next));
    }
  }
  const Polynomial& polynomial() const { return sequence_[0]; }
  /// How many roots lie in (low, high].
  int roots(const mpq_class& low, const mpq_class& high) const { return changes(low) - changes(high); }

 private:
  int changes(const mpq_class& t) const {
    int count = 0, last = 0;
    for (const Polynomial& p : sequence_) {
      const int sign = sgn(value(p, t));
      if (sign != 0) count += last * sign < 0, last = sign;
    }
    return count;
  }
  std::vector<Polynomial> sequence_;
};

/// A time: the one root of a polynomial in (low, high], or low itself where both are equal.
class Time {
 public:
  explicit Time(const mpq_class& t) : low_(t), high_(t) {}
  Time(const Sturm* of, const mpq_class& low, const mpq_class& high) : of_(of), low_(low), high_(high) {
    settle();
  }

  int sign(const Polynomial& p) {
    if (p.empty()) return 0;
    if (low_ == high_) return sgn(value(p, low_));
    for (int tries = 0; tries < 4; ++tries) {
      if (low_ == high_) return sgn(value(p, low_));
      if (const int known = sign_throughout(p)) return known;
      for (int k = 0; k < 8; ++k) halve();
    }
    const Polynomial common = common_divisor(of_->polynomial(), p);
    if (common.size() > 1 && Sturm(common).roots(low_, high_) > 0) return 0;
    const Sturm roots(p);
    while (low_ != high_ && roots.roots(low_, high_) > 0) halve();
    return sgn(value(p, high_));
  }
  ExactImpact bounds() {
    const mpq_class width = mpq_class(1) / mpq_class(mpz_class(1) << 60);
    while (high_ - low_ > width) halve();
    const double above = high_.get_d();  // rounded towards 0
    return {low_.get_d(), mpq_class(above) == high_ ? above : above + 0x1p-53};
  }
  /// Whether it is the earlier one; of two within 2^-64 of each other either.
  bool before(Time& other) {
    for (int k = 0; k < 64 && low_ < other.high_ && other.low_ < high_; ++k) halve(), other.halve();
    return high_ <= other.low_ && !(low_ == other.low_ && high_ == other.high_);
  }

 private:
  void settle() {
    if (low_ == high_) return;
    sign_above_ = sgn(value(of_->polynomial(), high_));
    if (sign_above_ == 0) low_ = high_;
  }
  /// The root is simple, so the sign on its right is that at `high_`.
  void halve() {
    if (low_ == high_) return;
    const mpq_class middle = (low_ + high_) / 2;
    const int sign = sgn(value(of_->polynomial(), middle));
    if (sign == 0) low_ = high_ = middle;
    else (sign == sign_above_ ? high_ : low_) = middle;
  }
  /// The sign where the sums of least and of largest terms in [low_, high_] have the same, else 0.
  int sign_throughout(const Polynomial& p) const {
    mpq_class least = 0, most = 0, low_power = 1, high_power = 1;
    for (const mpq_class& c : p) {
      const bool rising = sgn(c) > 0;
      least += c * (rising ? low_power : high_power), most += c * (rising ? high_power : low_power);
      low_power *= low_, high_power *= high_;
    }
    return sgn(least) > 0 ? 1 : sgn(most) < 0 ? -1 : 0;
  }
  const Sturm* of_ = nullptr;
  int sign_above_ = 0;  // of its polynomial, at high_
  mpq_class low_, high_;
};

/// All roots in [0, 1] in order. They refer to `sturm`.
inline void add_roots(const Sturm& sturm, const mpq_class& low, const mpq_class& high,
                      std::vector<Time>& times) {
  const int count = sturm.roots(low, high);
  if (count == 0) return;
  if (count == 1) {
    times.emplace_back(&sturm, low, high);
    return;
  }
  const mpq_class middle = (low + high) / 2;
  add_roots(sturm, low, middle, times);
  add_roots(sturm, middle, high, times);
}

using Point = std::array<Polynomial, 3>;

/// The paths of the four points, and what of them decides about touching.
class Pair {
 public:
  explicit Pair(const MovingPair& pair) : edges_(pair.edges) {
    for (size_t k = 0; k < 4; ++k)
      for (size_t c = 0; c < 3; ++c) {
        const mpq_class from(pair.start[k][int(c)]), to(pair.end[k][int(c)]);
        x_[k][c] = trimmed({from, to - from});
      }
    for (size_t a = 0; a < 4; ++a)
      for (size_t b = 0; b < 4; ++b)
        for (size_t c = 0; c < 3; ++c) difference_[a][b][c] = x_[b][c] - x_[a][c];
    volume_ = volume();
    if (one_sign(volume_)) return;
    const std::array<std::array<size_t, 3>, 4> of_edges{{{0, 1, 2}, {0, 1, 3}, {2, 3, 0}, {2, 3, 1}}};
    const std::array<std::array<size_t, 3>, 4> of_triangle{{{1, 2, 0}, {2, 3, 0}, {3, 1, 0}, {1, 2, 3}}};
    for (size_t view = 0; view < 3; ++view)
      for (size_t k = 0; k < 4; ++k) area_[view][k] = area(view, (edges_ ? of_edges : of_triangle)[k]);
  }

  std::optional<ExactImpact> first() const {
    if (one_sign(volume_)) return std::nullopt;
    if (Time start(mpq_class(0)); touches(start)) return ExactImpact{};
    std::vector<Sturm> sturms;
    const auto add = [&](const Polynomial& p) {
      if (!p.empty()) sturms.emplace_back(p);
    };
    if (!volume_.empty()) add(volume_);
    else each_polynomial(add);
    std::vector<Time> times;
    for (const Sturm& s : sturms) add_roots(s, 0, 1, times);
    std::optional<Time> first;
    for (Time& t : times)
      if ((!first || t.before(*first)) && touches(t)) first = t;
    return first ? std::optional(first->bounds()) : std::nullopt;
  }

 private:
  Polynomial area(size_t view, const std::array<size_t, 3>& k) const {
    const size_t c = (view + 1) % 3, d = (view + 2) % 3;
    const Point &u = difference_[k[0]][k[1]], &v = difference_[k[0]][k[2]];
    return u[c] * v[d] - u[d] * v[c];
  }
  /// Six times the signed volume of the four points.
  Polynomial volume() const {
    const Point &u = difference_[0][1], &v = difference_[0][2], &w = difference_[0][3];
    Polynomial sum;
    for (size_t c = 0; c < 3; ++c) {
      const size_t d = (c + 1) % 3, e = (c + 2) % 3;
      sum = sum - (u[c] * (v[e] * w[d] - v[d] * w[e]));
    }
    return sum;
  }
  /// Whether a cubic is shown to have no root in [0, 1]: its four Bezier coefficients have one sign.
  static bool one_sign(const Polynomial& p) {
    std::array<mpq_class, 4> c;
    for (size_t k = 0; k < p.size(); ++k) c[k] = p[k];
    const int sign = sgn(c[0]);
    return sign != 0 && sgn(mpq_class(3 * c[0] + c[1])) == sign &&
           sgn(mpq_class(3 * c[0] + 2 * c[1] + c[2])) == sign &&
           sgn(mpq_class(c[0] + c[1] + c[2] + c[3])) == sign;
  }
  size_t first_side() const { return edges_ ? 2 : 1; }
  void each_polynomial(const std::function<void(const Polynomial&)>& act) const {
    for (size_t view = 0; view < 3; ++view)
      for (const Polynomial& p : area_[view]) act(p);
    for (size_t a = 0; a < first_side(); ++a)
      for (size_t b = first_side(); b < 4; ++b)
        for (const Polynomial& p : difference_[a][b]) act(p);
  }
  /// Whether the ranges of both sides along an axis have a number in common.
  bool overlap(Time& t, size_t axis) const {
    bool above = false, below = false;
    for (size_t a = 0; a < first_side(); ++a)
      for (size_t b = first_side(); b < 4; ++b) {
        const int sign = t.sign(difference_[a][b][axis]);
        above |= sign >= 0, below |= sign <= 0;
      }
    return above && below;
  }
  bool meet_in_view(Time& t, size_t view) const {
    std::array<int, 3> s{};
    for (size_t k = 0; k < 3; ++k) s[k] = t.sign(area_[view][k]);
    if (!edges_) {
      const auto [least, most] = std::ranges::minmax(s);
      return least >= 0 || most <= 0;
    }
    return s[0] * s[1] <= 0 && s[2] * t.sign(area_[view][3]) <= 0;
  }
  bool touches(Time& t) const {
    if (t.sign(volume_) != 0) return false;
    for (size_t axis = 0; axis < 3; ++axis)
      if (!overlap(t, axis)) return false;
    for (size_t view = 0; view < 3; ++view)
      if (!meet_in_view(t, view)) return false;
    return true;
  }

  bool edges_;
  std::array<Point, 4> x_;
  std::array<std::array<Point, 4>, 4> difference_;  // [a][b]: from a to b
  std::array<std::array<Polynomial, 4>, 3> area_;   // of each view
  Polynomial volume_;
};

}  // namespace exact

/// Whether one side is above the other along an axis, at the start and so at the end: then they never touch.
inline bool apart_along_an_axis(const MovingPair& pair) {
  for (int axis = 0; axis < 3; ++axis) {
    bool above = true, below = true;
    for (const dvec3* x : {pair.start, pair.end})
      for (int a = 0; a < (pair.edges ? 2 : 1); ++a)
        for (int b = pair.edges ? 2 : 1; b < 4; ++b)
          above &= x[a][axis] > x[b][axis], below &= x[a][axis] < x[b][axis];
    if (above || below) return true;
  }
  return false;
}

/// The first time at which the two sides have a point in common, or nothing where they have none in all of
/// [0, 1]. Exact for all finite coordinates. Touching at 0 counts.
inline std::optional<ExactImpact> exact_impact(const MovingPair& pair) {
  return apart_along_an_axis(pair) ? std::nullopt : exact::Pair(pair).first();
}

}  // namespace weft::testing
