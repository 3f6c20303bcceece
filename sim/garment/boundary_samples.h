// Vertices on the boundaries of panels, as many on each side of a seam.
#pragma once
#include <string>
#include <vector>

#include "sim/garment/pattern.h"

namespace weft {

/// A vertex of a panel's boundary.
struct BoundarySample {
  int edge = 0;
  double share = 0;  // of the edge's length
  dvec2 at{0};       // m, in the panel
};
/// Loops one after another, each in the direction of its edges.
struct PanelBoundary {
  std::vector<BoundarySample> samples;
  std::vector<int> loop_start;  // first sample of each loop; one more for the end
  int next(int sample) const;   // around its loop
};
/// The line between sample `sample` of a panel and the next.
struct BoundaryLine {
  int panel, sample;
};

/// Divides the edges of a pattern without darts. A seam has one list of shares for all its sides, so that
/// vertex k of one side is vertex k of each other: even parts, whose number is such that the geometric mean
/// of the sides' parts is near the edge length. What is not sewn is divided on its own.
class BoundarySampling {
 public:
  /// `edge`: of each panel, m.
  BoundarySampling(const Pattern& pattern, const std::vector<double>& edge);
  const std::vector<PanelBoundary>& boundaries() const { return boundaries_; }
  /// Samples of a seam's side in its order.
  const std::vector<int>& samples_of(int seam, int side) const {
    return of_side_[size_t(seam)][size_t(side)];
  }
  /// The seam of two sides or more that the line from a sample to the next belongs to; -1: none.
  int seam_of(int panel, int sample) const;
  /// Halves lines, each on all sides of its seam.
  void halve(const std::vector<BoundaryLine>& lines);

 private:
  struct Range {  // of an edge, ascending
    double from, to;
    int seam, side;  // -1: not sewn
    bool reversed;
    std::vector<double> shares;  // of the range, where it is not sewn
  };
  const std::vector<double>& shares_of(const Range& range) const {
    return range.seam < 0 ? range.shares : seam_shares_[size_t(range.seam)];
  }
  void sample();
  void close_loop(int panel, int start, int end);

  const Pattern& pattern_;
  std::vector<std::vector<std::vector<Range>>> ranges_;  // of each panel's edges
  std::vector<std::vector<double>> seam_shares_;
  std::vector<PanelBoundary> boundaries_;
  std::vector<std::vector<std::vector<int>>> of_side_;
  struct Origin {
    int edge, range,
        part;  // of the line that begins at a sample: its range, and its part there in ascending order
  };
  std::vector<std::vector<Origin>> origins_;
};

}  // namespace weft
