#include "sim/garment/boundary_samples.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "sim/garment/edge_curve.h"
#include "sim/garment/point_seam.h"
#include "sim/mesh/uniform/outline.h"

namespace weft {
namespace {

constexpr double kSame = 1e-9;  // shares of an edge that differ by less are one

std::vector<double> even_shares(int count) {
  std::vector<double> shares;
  for (int k = 0; k <= count; ++k) shares.push_back(double(k) / count);
  return shares;
}

}  // namespace

int PanelBoundary::next(int sample) const {
  const auto end = std::upper_bound(loop_start.begin(), loop_start.end(), sample);
  return sample + 1 < *end ? sample + 1 : *(end - 1);
}

BoundarySampling::BoundarySampling(const Pattern& pattern, const std::vector<double>& edge)
    : pattern_(pattern) {
  for (const Panel& panel : pattern.panels)
    ranges_.push_back(std::vector<std::vector<Range>>(size_t(panel.edge_count())));
  for (int s = 0; s < int(pattern.seams.size()); ++s) {
    double logs = 0;
    const auto& sides = pattern.seams[s].sides;
    if (is_button(pattern.seams[s])) {
      seam_shares_.push_back({});
      continue;
    }
    for (int k = 0; k < int(sides.size()); ++k) {
      const SeamSide& side = sides[k];
      ranges_[side.panel][side.edge].push_back(
          {std::min(side.from, side.to), std::max(side.from, side.to), s, k, side.from > side.to, {}});
      const double length =
          curve_of(pattern.panels[side.panel], side.edge).length() * std::abs(side.to - side.from);
      logs += std::log(length / edge[side.panel]) / double(sides.size());
    }
    seam_shares_.push_back(even_shares(divisions_of(std::exp(logs), 1)));
  }
  for (size_t p = 0; p < ranges_.size(); ++p)
    for (size_t e = 0; e < ranges_[p].size(); ++e) {
      auto& ranges = ranges_[p][e];
      std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.from < b.from; });
      std::vector<Range> all;
      double at = 0;
      const double length = curve_of(pattern.panels[p], int(e)).length();
      const auto fill = [&](double to) {
        if (to - at > kSame)
          all.push_back({at, to, -1, -1, false, even_shares(divisions_of((to - at) * length, edge[p]))});
      };
      for (const Range& r : ranges) fill(r.from), all.push_back(r), at = r.to;
      fill(1);
      ranges = std::move(all);
    }
  sample();
}

void BoundarySampling::sample() {
  boundaries_.assign(pattern_.panels.size(), {});
  origins_.assign(pattern_.panels.size(), {});
  of_side_.clear();
  for (const Seam& seam : pattern_.seams)
    of_side_.push_back(std::vector<std::vector<int>>(seam.sides.size()));
  for (size_t p = 0; p < pattern_.panels.size(); ++p) {
    const Panel& panel = pattern_.panels[p];
    PanelBoundary& boundary = boundaries_[p];
    int edge = 0;
    for (const PanelLoop& loop : panel.loops) {
      const int start = int(boundary.samples.size());
      boundary.loop_start.push_back(start);
      for (size_t i = 0; i < loop.size(); ++i, ++edge) {
        const EdgeCurve curve = curve_of(panel, edge);
        const auto& ranges = ranges_[p][edge];
        for (int r = 0; r < int(ranges.size()); ++r) {
          const Range& range = ranges[r];
          const auto& shares = shares_of(range);
          const int parts = int(shares.size()) - 1, first = int(boundary.samples.size());
          for (int k = 0; k < parts; ++k) {
            const double within = range.reversed ? 1 - shares[parts - k] : shares[k],
                         share = range.from + (range.to - range.from) * within;
            boundary.samples.push_back({edge, share, share <= kSame ? loop[i].start : curve.at(share)});
            origins_[p].push_back({edge, r, k});
          }
          if (range.seam < 0) continue;
          auto& side = of_side_[range.seam][range.side];
          for (int k = 0; k <= parts; ++k)
            side.push_back(first + k);  // the last is the next range's first, or the loop's
        }
      }
      close_loop(int(p), start, int(boundary.samples.size()));
    }
    boundary.loop_start.push_back(int(boundary.samples.size()));
  }
  for (size_t s = 0; s < of_side_.size(); ++s)
    for (size_t k = 0; k < of_side_[s].size(); ++k)
      if (pattern_.seams[s].sides[k].from > pattern_.seams[s].sides[k].to)
        std::reverse(of_side_[s][k].begin(), of_side_[s][k].end());
}

int BoundarySampling::seam_of(int panel, int sample) const {
  const Origin& o = origins_[panel][sample];
  const int seam = ranges_[panel][o.edge][o.range].seam;
  return seam >= 0 && pattern_.seams[seam].sides.size() > 1 ? seam : -1;
}

/// The end of a loop's last edge is the loop's first sample.
void BoundarySampling::close_loop(int panel, int start, int end) {
  for (size_t s = 0; s < of_side_.size(); ++s)
    for (size_t k = 0; k < of_side_[s].size(); ++k) {
      auto& side = of_side_[s][k];
      if (pattern_.seams[s].sides[k].panel == panel && !side.empty() && side.front() >= start &&
          side.back() == end)
        side.back() = start;
    }
}

void BoundarySampling::halve(const std::vector<BoundaryLine>& lines) {
  // Which parts are to be halved, each list of shares by itself: those of seams may be named by several
  // sides.
  std::set<std::tuple<std::vector<double>*, int>> parts;
  for (const BoundaryLine& line : lines) {
    const Origin& o = origins_[line.panel][line.sample];
    Range& range = ranges_[line.panel][o.edge][o.range];
    std::vector<double>& shares = range.seam < 0 ? range.shares : seam_shares_[range.seam];
    const int count = int(shares.size()) - 1;
    parts.insert({&shares, range.seam >= 0 && range.reversed ? count - 1 - o.part : o.part});
  }
  for (auto it = parts.rbegin(); it != parts.rend(); ++it) {  // descending within each list
    auto& [shares, part] = *it;
    shares->insert(shares->begin() + part + 1, 0.5 * ((*shares)[part] + (*shares)[part + 1]));
  }
  sample();
}

}  // namespace weft
