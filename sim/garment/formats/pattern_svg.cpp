#include "sim/garment/formats/pattern_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "sim/garment/darts.h"
#include "sim/garment/edge_curve.h"
#include "sim/garment/placement.h"

namespace weft {
namespace {

constexpr double kGap = 60, kMargin = 40;  // mm, between panels and around them
constexpr double kWidest = 2200;           // mm, of a row of panels
// Colours of seams that differ from their neighbours (Tableau's ten, without grey).
constexpr const char* kColors[] = {"#1f77b4", "#d62728", "#2ca02c", "#ff7f0e", "#9467bd",
                                   "#8c564b", "#e377c2", "#bcbd22", "#17becf"};

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') out += "&amp;";
    else if (c == '<') out += "&lt;";
    else if (c == '>') out += "&gt;";
    else if (c == '"') out += "&quot;";
    else if (static_cast<unsigned char>(c) >= ' ') out += c;
  }
  return out;
}

/// From a panel's plane (m) to the drawing (mm, y down), seen from its right side.
struct View {
  double side = 1;
  dvec2 offset{0};
  dvec2 at(const dvec2& p) const { return offset + 1e3 * dvec2(side * p.x, -p.y); }
};

class Drawing {
 public:
  explicit Drawing(const Pattern& pattern) : pattern_(without_darts(pattern)) {}

  std::string run() {
    lay_out();
    for (size_t p = 0; p < views_.size(); ++p) panel(p);
    for (size_t s = 0; s < pattern_.seams.size(); ++s) seam(s);
    add("<path d=\"M{:.1f} {:.1f}h100m-100 -6v12m100 -12v12\" fill=\"none\" stroke=\"#333\" "
        "stroke-width=\"1.5\"/>\n",
        kMargin, size_.y - 22);
    add("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"18\" fill=\"#333\">10 cm</text>\n", kMargin + 110,
        size_.y - 16);
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}mm\" height=\"{1:.0f}mm\" viewBox=\"0 0 "
        "{0:.0f} {1:.0f}\" font-family=\"DejaVu Sans, sans-serif\">\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{2}</svg>\n",
        size_.x, size_.y, fmt::to_string(text_));
  }

 private:
  template <class... T>
  void add(fmt::format_string<T...> form, T&&... values) {
    fmt::format_to(std::back_inserter(text_), form, std::forward<T>(values)...);
  }

  /// Rows of panels from the top left.
  void lay_out() {
    double x = kMargin, y = kMargin, row = 0;
    for (const Panel& panel : pattern_.panels) {
      View view{right_side(panel), dvec2(0)};
      dvec2 low(1e300), high(-1e300);
      for (int e = 0; e < int(panel.loops[0].size()); ++e)
        for (const dvec2& p : curve_of(panel, e).drawn())
          low = glm::min(low, view.at(p)), high = glm::max(high, view.at(p));
      if (x > kMargin && x + high.x - low.x > kWidest) x = kMargin, y += row + kGap, row = 0;
      view.offset = dvec2(x, y) - low;
      views_.push_back(view);
      middle_.push_back(0.5 * (low + high) + view.offset);
      x += high.x - low.x + kGap, row = std::max(row, high.y - low.y);
      size_ = glm::max(size_, dvec2(x - kGap + kMargin, y + row + kMargin + 30));
    }
    size_.x = std::max(size_.x, 260.0);
  }

  void path(const std::vector<dvec2>& points, const View& view) {
    for (size_t i = 0; i < points.size(); ++i) {
      const dvec2 q = view.at(points[i]);
      add("{}{:.2f} {:.2f}", i ? "L" : "M", q.x, q.y);
    }
  }

  void panel(size_t p) {
    const Panel& panel = pattern_.panels[p];
    add("<path fill=\"#f4f1ea\" fill-rule=\"evenodd\" stroke=\"#333\" stroke-width=\"1.5\" d=\"");
    int edge = 0;
    for (const PanelLoop& loop : panel.loops) {
      std::vector<dvec2> points;
      for (size_t i = 0; i < loop.size(); ++i, ++edge) {
        const auto line = curve_of(panel, edge).drawn();
        points.insert(points.end(), line.begin(), line.end() - 1);
      }
      path(points, views_[p]);
      add("Z");
    }
    add("\"/>\n");
    const dvec2 m = middle_[p];
    const double a = glm::radians(panel.grain);
    const dvec2 g = 40.0 * dvec2(views_[p].side * std::cos(a), -std::sin(a)), n(-g.y, g.x);
    add("<path fill=\"none\" stroke=\"#777\" stroke-width=\"1.5\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}",
        m.x - g.x, m.y - g.y, m.x + g.x, m.y + g.y);
    for (const double s : {1.0, -1.0})
      for (const double w : {1.0, -1.0})
        add("M{:.1f} {:.1f}l{:.1f} {:.1f}", m.x + s * g.x, m.y + s * g.y, -s * 0.25 * g.x + w * 0.12 * n.x,
            -s * 0.25 * g.y + w * 0.12 * n.y);
    add("\"/>\n<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"20\" text-anchor=\"middle\" "
        "fill=\"#333\">{}</text>\n",
        m.x, m.y + 66, escaped(panel.name));
  }

  void seam(size_t s) {
    const Seam& seam = pattern_.seams[s];
    const char* color = kColors[s % std::size(kColors)];
    for (const SeamSide& side : seam.sides) {
      const Panel& panel = pattern_.panels[size_t(side.panel)];
      const View& view = views_[size_t(side.panel)];
      const EdgeCurve curve = curve_of(panel, side.edge);
      std::vector<dvec2> points;
      for (int i = 0; i <= 32; ++i) points.push_back(curve.at(glm::mix(side.from, side.to, i / 32.0)));
      add("<path fill=\"none\" stroke=\"{}\" stroke-width=\"4\" stroke-linecap=\"butt\"{} d=\"", color,
          seam.elastic != 1 ? " stroke-dasharray=\"10 5\"" : "");
      path(points, view);
      add("\"/>\n");
      arrow(view.at(points[1]) - view.at(points[0]), view.at(points[0]), color);
      if (seam.name == "dart") continue;
      const dvec2 at = view.at(points[16]), along = view.at(points[17]) - at,
                  inward = middle_[size_t(side.panel)] - at;
      dvec2 n = glm::length(along) > 0 ? dvec2(-along.y, along.x) / glm::length(along) : dvec2(0, 1);
      if (glm::dot(n, inward) < 0) n = -n;
      add("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"16\" text-anchor=\"middle\" fill=\"{}\">{}</text>\n",
          at.x + 18 * n.x, at.y + 18 * n.y + 6, color, s);
    }
  }

  void arrow(const dvec2& direction, const dvec2& from, const char* color) {
    if (!(glm::length(direction) > 0)) return;
    const dvec2 d = glm::normalize(direction), n(-d.y, d.x), base = from + 5.0 * d, tip = base + 12.0 * d;
    add("<path fill=\"{}\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}Z\"/>\n", color, base.x + 5 * n.x,
        base.y + 5 * n.y, tip.x, tip.y, base.x - 5 * n.x, base.y - 5 * n.y);
  }

  const Pattern pattern_;
  std::vector<View> views_;
  std::vector<dvec2> middle_;
  dvec2 size_{0};
  fmt::memory_buffer text_;
};

}  // namespace

std::string pattern_as_svg(const Pattern& pattern) { return Drawing(pattern).run(); }

}  // namespace weft
