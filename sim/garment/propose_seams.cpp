#include "sim/garment/propose_seams.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "sim/base/shorten.h"
#include "sim/garment/edge_curve.h"

namespace weft {
namespace {

constexpr double kShortest = 0.03, kOff = 2e-3, kShareOff = 0.01;  // m, m, of the length
constexpr double kAtNotch = 3e-4;                                  // m
constexpr double kCorner = 30;  // degrees by which an outline turns at a corner, also where it is notched

EdgeCurve curve_of_edge(const Panel& panel, int edge) { return {edge_of(panel, edge), end_of(panel, edge)}; }

/// Edges one after another, between two corners.
struct Side {
  int panel = 0;
  std::vector<int> edges;
  std::vector<double> lengths;  // m, of each
  double length = 0;
};

/// True if a notch divides a side where an edge begins.
bool is_division(const Panel& panel, int before, int edge) {
  const dvec2 here = edge_of(panel, edge).start;
  const bool notched = std::any_of(panel.marks.notches.begin(), panel.marks.notches.end(),
                                   [&](const dvec2& p) { return glm::distance(p, here) < kAtNotch; });
  if (!notched) return false;
  const dvec2 in = curve_of_edge(panel, before).direction(1), out = curve_of_edge(panel, edge).direction(0);
  return std::abs(std::atan2(in.x * out.y - in.y * out.x, glm::dot(in, out))) < glm::radians(kCorner);
}

/// The sides of one loop that are not sewn yet.
void add_sides(const Pattern& pattern, int panel, int first, int count, std::vector<Side>& out) {
  const Panel& p = pattern.panels[panel];
  const auto sewn = [&](int edge) {
    for (const Seam& s : pattern.seams)
      for (const SeamSide& side : s.sides)
        if (side.panel == panel && side.edge == edge) return true;
    return false;
  };
  int begin = 0;
  while (begin < count && is_division(p, first + (begin + count - 1) % count, first + begin)) ++begin;
  for (int k = 0; k < count; ++k) {
    const int i = (begin + k) % count, edge = first + i;
    const bool goes_on = k > 0 && is_division(p, first + (i + count - 1) % count, edge);
    if (!goes_on) out.push_back({panel, {}, {}, 0});
    Side& side = out.back();
    side.edges.push_back(edge), side.lengths.push_back(curve_of_edge(p, edge).length());
    side.length += sewn(edge) ? -1e6 : side.lengths.back();  // then too short
  }
}

std::vector<Side> sides_of(const Pattern& pattern) {
  std::vector<Side> all;
  for (int p = 0; p < int(pattern.panels.size()); ++p) {
    int first = 0;
    for (const PanelLoop& loop : pattern.panels[p].loops) {
      add_sides(pattern, p, first, int(loop.size()), all);
      first += int(loop.size());
    }
  }
  std::erase_if(all, [](const Side& s) { return s.length < kShortest; });
  return all;
}

/// How far the parts of two sides that are sewn on each other are from equal, as a share; infinite: they do
/// not fit.
double misfit(const Side& a, const Side& b) {
  if (a.lengths.size() != b.lengths.size()) return INFINITY;
  double worst = 0;
  for (size_t i = 0; i < a.lengths.size(); ++i) {
    const double x = a.lengths[i], y = b.lengths[b.lengths.size() - 1 - i];
    if (std::abs(x - y) > std::max(kOff, kShareOff * std::max(x, y))) return INFINITY;
    worst = std::max(worst, std::abs(x - y) / std::max(x, y));
  }
  return worst;
}

std::string in_words(const Pattern& pattern, const Side& s) {
  const std::string name = shortened(pattern.panels[s.panel].name, 60);
  return s.edges.size() == 1 ? fmt::format("{}, edge {}", name, s.edges[0])
                             : fmt::format("{}, edges {} to {}", name, s.edges.front(), s.edges.back());
}

}  // namespace

std::vector<SeamProposal> propose_seams(const Pattern& pattern) {
  const std::vector<Side> sides = sides_of(pattern);
  struct Pair {
    int notches;
    double off;
    size_t a, b;
  };
  std::vector<Pair> pairs;
  std::vector<int> fitting(sides.size(), 0);
  for (size_t a = 0; a < sides.size(); ++a)
    for (size_t b = a + 1; b < sides.size(); ++b) {
      const double off = misfit(sides[a], sides[b]);
      if (!std::isfinite(off)) continue;
      pairs.push_back({int(sides[a].edges.size()) - 1, off, a, b});
      ++fitting[a], ++fitting[b];
    }
  // equally good within a thousandth: of two panels first, then in the order of the pattern
  const auto rank = [&](const Pair& p) {
    return std::tuple(-p.notches, int(1e3 * p.off), sides[p.a].panel == sides[p.b].panel);
  };
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](const Pair& x, const Pair& y) { return rank(x) < rank(y); });
  std::vector<char> taken(sides.size(), 0);
  std::vector<SeamProposal> out;
  for (const Pair& pair : pairs) {
    if (taken[pair.a] || taken[pair.b]) continue;
    taken[pair.a] = taken[pair.b] = 1;
    const Side &a = sides[pair.a], &b = sides[pair.b];
    SeamProposal& proposal = out.emplace_back();
    proposal.sides[0] = in_words(pattern, a), proposal.sides[1] = in_words(pattern, b);
    proposal.length[0] = a.length, proposal.length[1] = b.length;
    proposal.notches = pair.notches;
    proposal.others = std::max(fitting[pair.a], fitting[pair.b]) - 1;
    for (size_t i = 0; i < a.edges.size(); ++i) {
      Seam seam;
      seam.name = fmt::format("proposed {}", out.size());
      seam.sides = {{a.panel, a.edges[i], 0, 1}, {b.panel, b.edges[b.edges.size() - 1 - i], 1, 0}};
      proposal.seams.push_back(seam);
    }
  }
  return out;
}

}  // namespace weft
