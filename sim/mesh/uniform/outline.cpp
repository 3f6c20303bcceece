#include "sim/mesh/uniform/outline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/error.h"

namespace weft {
namespace {

double cross(const dvec2& a, const dvec2& b) { return a.x * b.y - a.y * b.x; }

double signed_area(const std::vector<dvec2>& loop) {
  double doubled = 0;
  for (size_t i = 0; i < loop.size(); ++i)
    doubled += cross(loop[i] - loop[0], loop[(i + 1) % loop.size()] - loop[0]);
  return 0.5 * doubled;
}

double distance_to_segment(const dvec2& p, const dvec2& a, const dvec2& b) {
  const dvec2 d = b - a;
  const double dd = glm::dot(d, d), t = dd > 0 ? std::clamp(glm::dot(p - a, d) / dd, 0.0, 1.0) : 0;
  return glm::length(p - a - t * d);
}

struct Segment {
  dvec2 a, b;
  int loop, index;
};

std::vector<Segment> segments_of(const Outline& outline) {
  std::vector<Segment> segments;
  for (size_t l = 0; l < outline.loops.size(); ++l)
    for (size_t i = 0, n = outline.loops[l].size(); i < n; ++i)
      segments.push_back({outline.loops[l][i], outline.loops[l][(i + 1) % n], int(l), int(i)});
  return segments;
}

/// Two segments have a point in common; ends that touch count.
bool meet(const Segment& s, const Segment& t) {
  const double a = cross(s.b - s.a, t.a - s.a), b = cross(s.b - s.a, t.b - s.a),
               c = cross(t.b - t.a, s.a - t.a), d = cross(t.b - t.a, s.b - t.a);
  if (((a > 0 && b < 0) || (a < 0 && b > 0)) && ((c > 0 && d < 0) || (c < 0 && d > 0))) return true;
  return (a == 0 && distance_to_segment(t.a, s.a, s.b) == 0) ||
         (b == 0 && distance_to_segment(t.b, s.a, s.b) == 0) ||
         (c == 0 && distance_to_segment(s.a, t.a, t.b) == 0) ||
         (d == 0 && distance_to_segment(s.b, t.a, t.b) == 0);
}

/// Neighbours share a point by right; they are at fault where one turns back onto the other.
bool turn_back(const Segment& s, const Segment& next) {
  return cross(s.b - s.a, next.b - next.a) == 0 && glm::dot(s.b - s.a, next.b - next.a) < 0;
}

/// Sweeps along x, so that only segments that overlap there are compared.
void refuse_crossings(const Outline& outline, const std::string& where) {
  std::vector<Segment> segments = segments_of(outline);
  const auto left = [](const Segment& s) { return std::min(s.a.x, s.b.x); };
  std::stable_sort(segments.begin(), segments.end(),
                   [&](const Segment& s, const Segment& t) { return left(s) < left(t); });
  std::vector<const Segment*> open;
  for (const Segment& s : segments) {
    std::erase_if(open, [&](const Segment* t) { return std::max(t->a.x, t->b.x) < left(s); });
    for (const Segment* t : open) {
      const int n = int(outline.loops[s.loop].size());
      const bool after = s.loop == t->loop && s.index == (t->index + 1) % n,
                 before = s.loop == t->loop && t->index == (s.index + 1) % n;
      const bool fault = after || before ? turn_back(after ? *t : s, after ? s : *t) && n > 2 : meet(s, *t);
      if (fault)
        throw Error(
            fmt::format("the outline crosses or touches itself near ({:.6g}, {:.6g}) m", s.a.x, s.a.y), where,
            "keep its lines apart, with pieces and holes as separate loops");
    }
    open.push_back(&s);
  }
}

/// Arc length at each point of a loop, and the total at the end.
std::vector<double> lengths_along(const std::vector<dvec2>& loop) {
  std::vector<double> s{0};
  for (size_t i = 0; i < loop.size(); ++i)
    s.push_back(s.back() + glm::length(loop[(i + 1) % loop.size()] - loop[i]));
  return s;
}

dvec2 point_at(const std::vector<dvec2>& loop, const std::vector<double>& s, double at) {
  at = std::fmod(at, s.back());
  const size_t i =
      std::min(loop.size() - 1, size_t(std::upper_bound(s.begin(), s.end(), at) - s.begin()) - 1);
  const double length = s[i + 1] - s[i], t = length > 0 ? (at - s[i]) / length : 0;
  return glm::mix(loop[i], loop[(i + 1) % loop.size()], t);
}

std::vector<int> corners_of(const std::vector<dvec2>& loop, double corner_angle) {
  std::vector<int> corners;
  const int n = int(loop.size());
  for (int i = 0; i < n; ++i) {
    const dvec2 in = loop[i] - loop[(i + n - 1) % n], out = loop[(i + 1) % n] - loop[i];
    if (std::abs(std::atan2(cross(in, out), glm::dot(in, out))) > glm::radians(corner_angle))
      corners.push_back(i);
  }
  return corners;
}

}  // namespace

Outline checked(const Outline& outline, const std::string& where) {
  Outline clean;
  for (const auto& loop : outline.loops) {
    std::vector<dvec2> kept;
    for (const dvec2& p : loop) {
      if (!std::isfinite(p.x) || !std::isfinite(p.y))
        throw Error("a point of the outline is not finite", where, "fix it in the program that exported it");
      if (kept.empty() || kept.back() != p) kept.push_back(p);
    }
    while (kept.size() > 1 && kept.back() == kept.front()) kept.pop_back();
    if (kept.size() < 3)
      throw Error(fmt::format("a loop of the outline has {} different points and needs three", kept.size()),
                  where, "draw a closed line around an area");
    clean.loops.push_back(std::move(kept));
  }
  if (clean.loops.empty())
    throw Error("the outline has no points", where, "draw a closed line around an area");
  refuse_crossings(clean, where);
  const OutlineQuery query(clean, 0);
  for (auto& loop : clean.loops) {
    const double area = signed_area(loop);
    if (!(std::abs(area) > 0))
      throw Error("a loop of the outline encloses no area", where, "draw a closed line around an area");
    // Which side is inside shows close beside the loop's lowest edge; crossing it changes sides.
    size_t low = 0;
    for (size_t i = 1; i < loop.size(); ++i)
      if (loop[i].x < loop[low].x || (loop[i].x == loop[low].x && loop[i].y < loop[low].y)) low = i;
    Outline others;
    for (auto& other : clean.loops)
      if (&other != &loop) others.loops.push_back(other);
    const bool hole = !others.loops.empty() && OutlineQuery(others, 0).inside(loop[low]);
    if ((area > 0) == hole) std::reverse(loop.begin(), loop.end());
  }
  return clean;
}

double area_of(const Outline& outline) {
  double sum = 0;
  for (const auto& loop : outline.loops) sum += signed_area(loop);
  return sum;
}

OutlineQuery::OutlineQuery(const Outline& outline, double reach) : reach_(reach) {
  double top = -1e300;
  bottom_ = 1e300;
  for (const ::weft::Segment& s : segments_of(outline)) {
    segments_.push_back({s.a, s.b});
    bottom_ = std::min(bottom_, s.a.y), top = std::max(top, s.a.y);
  }
  if (segments_.empty()) return;
  cell_ = std::max({reach, (top - bottom_) / std::clamp(double(segments_.size()), 1.0, 4096.0), 1e-12});
  rows_.resize(size_t((top - bottom_) / cell_) + 1);
  for (int i = 0; i < int(segments_.size()); ++i) {
    const auto [low, high] = std::minmax(segments_[i].a.y, segments_[i].b.y);
    const int first = std::max(0, int(std::floor((low - reach - bottom_) / cell_))),
              last = std::min(int(rows_.size()) - 1, int(std::floor((high + reach - bottom_) / cell_)));
    for (int r = first; r <= last; ++r) rows_[r].push_back(i);
  }
}

const std::vector<int>& OutlineQuery::row(double y) const {
  static const std::vector<int> none;
  const double r = std::floor((y - bottom_) / cell_);
  return r >= 0 && r < double(rows_.size()) ? rows_[r] : none;
}

bool OutlineQuery::inside(const dvec2& p) const {
  bool in = false;
  for (int i : row(p.y)) {
    const Segment& s = segments_[i];
    if ((s.a.y > p.y) != (s.b.y > p.y) && p.x < s.a.x + (p.y - s.a.y) / (s.b.y - s.a.y) * (s.b.x - s.a.x))
      in = !in;
  }
  return in;
}

double OutlineQuery::distance(const dvec2& p) const {
  double nearest = reach_;
  for (int i : row(p.y)) nearest = std::min(nearest, distance_to_segment(p, segments_[i].a, segments_[i].b));
  return nearest;
}

int divisions_of(double length, double edge, int least) {
  const int n = std::max(1, int(length / edge));
  // The switch from n to n + 1 parts is where both miss the edge by the same factor.
  return std::max(least, length > edge * std::sqrt(double(n) * (n + 1)) ? n + 1 : n);
}

SampledOutline resampled(const Outline& outline, double edge, double corner_angle) {
  SampledOutline result;
  for (const auto& loop : outline.loops) {
    const std::vector<double> s = lengths_along(loop);
    const std::vector<int> corners = corners_of(loop, corner_angle);
    std::vector<dvec2> points;
    std::vector<char> corner;
    const int pieces = std::max(1, int(corners.size()));
    // a loop keeps an area
    const int least = corners.empty() ? 3 : corners.size() == 1 ? 3 : corners.size() == 2 ? 2 : 1;
    for (int k = 0; k < pieces; ++k) {
      const double begin = corners.empty() ? 0 : s[corners[k]];
      double end = corners.empty() ? s.back() : s[corners[(k + 1) % pieces]];
      if (end <= begin) end += s.back();
      const int n = divisions_of(end - begin, edge, least);
      for (int i = 0; i < n; ++i) {
        const bool exact = i == 0 && !corners.empty();
        points.push_back(exact ? loop[corners[k]] : point_at(loop, s, begin + (end - begin) * i / n));
        corner.push_back(exact);
      }
    }
    result.outline.loops.push_back(std::move(points));
    result.corner.push_back(std::move(corner));
  }
  return result;
}

double fitted_edge(const Outline& outline, double edge, double corner_angle) {
  std::vector<double> pieces;
  for (const auto& loop : outline.loops) {
    const std::vector<double> s = lengths_along(loop);
    const std::vector<int> corners = corners_of(loop, corner_angle);
    for (size_t k = 0; k < corners.size(); ++k) {
      const double length = s[corners[(k + 1) % corners.size()]] - s[corners[k]];
      pieces.push_back(length > 0 ? length : length + s.back());
    }
  }
  const auto unevenness = [&](double e) {  // unevenness of the parts and the interior for edge length e
    double low = e, high = e;
    for (double length : pieces) {
      const double part = length / divisions_of(length, e);
      low = std::min(low, part), high = std::max(high, part);
    }
    return high / low;
  };
  double best = edge, least = unevenness(edge);
  for (int i = 1; i <= 20; ++i)
    for (double e : {edge * (1 + 0.005 * i), edge / (1 + 0.005 * i)})
      // A part in a hundred of evenness is not worth a part in two hundred of length.
      if (const double u = unevenness(e); u < least * 0.98) best = e, least = u;
  return best;
}

double corner_limit(double angle) {
  double best = 0;
  for (int k = 1; k <= 8; ++k) {
    const double base = 2 * std::sin(0.5 * angle / k);
    best = std::max(best, std::min(base, 1 / base));
  }
  return best;
}

}  // namespace weft
