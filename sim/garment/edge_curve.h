// Lines, arcs and Bézier curves by length.
#pragma once
#include <array>

#include "sim/garment/pattern.h"

namespace weft {

/// An edge of a panel, measured. Lengths are exact to about 1e-9 of themselves (Gauss-Legendre).
class EdgeCurve {
 public:
  EdgeCurve(const PanelEdge& edge, const dvec2& end);
  double length() const { return length_.back(); }
  /// The point at a share of the length, and the unit direction of the curve there.
  dvec2 at(double share) const { return point(parameter(share)); }
  dvec2 direction(double share) const;
  /// The part between two shares of the length, first < last.
  PanelEdge part(double first, double last) const;
  /// `count` + 1 points, even in the curve's parameter.
  std::vector<dvec2> polyline(int count) const;
  /// The curve as straight lines: all of it where it is made of them, else 24.
  std::vector<dvec2> drawn() const;

 private:
  dvec2 point(double t) const;
  dvec2 derivative(double t) const;
  size_t segment(double t) const;
  double parameter(double share) const;
  double integral(double from, double to) const;

  static constexpr int kParts = 32;
  PanelEdge edge_;
  std::vector<dvec2> line_;                  // of polylines: all points,
  std::vector<double> along_;                // and the length up to each
  std::array<dvec2, 4> p_;                   // of Bézier curves
  dvec2 center_{0};                          // of arcs
  double angle_ = 0;                         // of arcs, rad
  std::array<double, kParts + 1> length_{};  // up to each part
};

/// The curve of a panel's edge.
EdgeCurve curve_of(const Panel& panel, int edge);

}  // namespace weft
