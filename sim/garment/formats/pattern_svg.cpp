#include "sim/garment/formats/pattern_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "sim/garment/darts.h"
#include "sim/garment/edge_curve.h"
#include "sim/garment/pattern_layout.h"
#include "sim/garment/point_seam.h"

namespace weft {
namespace {

constexpr double kPageGap = 60, kMargin = 40;  // mm, between panels and around them
constexpr double kWidest = 2200;               // mm, of a row of panels

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

class Drawing {
 public:
  explicit Drawing(const Pattern& pattern)
      : pattern_(without_darts(pattern)),
        layout_(lay_out(pattern_, 1e-3 * kWidest, 1e-3 * kPageGap, 1e-3 * kMargin)) {}

  std::string run() {
    size_ = 1e3 * layout_.size + dvec2(0, 30);
    size_.x = std::max(size_.x, 260.0);
    for (size_t p = 0; p < layout_.panels.size(); ++p) panel(p);
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

  /// From the layout's metres to the drawing's millimetres.
  static dvec2 at(const PanelView& view, const dvec2& p) { return 1e3 * view.at(p); }
  dvec2 middle(size_t panel) const { return 1e3 * layout_.panels[panel].middle(); }

  void path(const std::vector<dvec2>& points, const PanelView& view) {
    for (size_t i = 0; i < points.size(); ++i) {
      const dvec2 q = at(view, points[i]);
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
      path(points, layout_.panels[p]);
      add("Z");
    }
    add("\"/>\n");
    marks(panel, layout_.panels[p]);
    const dvec2 m = middle(p);
    const double a = glm::radians(panel.grain);
    const dvec2 g = 40.0 * dvec2(layout_.panels[p].side * std::cos(a), -std::sin(a)), n(-g.y, g.x);
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

  /// Notches as dots on the outline, drill holes as circles, internal lines dashed.
  void marks(const Panel& panel, const PanelView& view) {
    for (const dvec2& notch : panel.marks.notches) {
      const dvec2 p = at(view, notch);
      add("<circle class=\"notch\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"#333\"/>\n", p.x, p.y);
    }
    for (const dvec2& drill : panel.marks.drills) {
      const dvec2 p = at(view, drill);
      add("<circle class=\"drill\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" fill=\"none\" stroke=\"#333\"/>\n",
          p.x, p.y);
    }
    for (const std::vector<dvec2>& line : panel.marks.lines) {
      add("<path class=\"line\" fill=\"none\" stroke=\"#777\" stroke-dasharray=\"8 5\" d=\"");
      path(line, view);
      add("\"/>\n");
    }
  }

  void seam(size_t s) {
    const Seam& seam = pattern_.seams[s];
    const std::string color = fmt::format("#{:06x}", seam_color(s));
    for (const SeamSide& side : seam.sides) {
      const Panel& panel = pattern_.panels[side.panel];
      const PanelView& view = layout_.panels[side.panel];
      if (is_point(side)) {
        const dvec2 p = at(view, point_of(side));
        add("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"6\" fill=\"{}\"/>\n", p.x, p.y, color);
        continue;
      }
      const EdgeCurve curve = curve_of(panel, side.edge);
      std::vector<dvec2> points;
      for (int i = 0; i <= 32; ++i) points.push_back(curve.at(glm::mix(side.from, side.to, i / 32.0)));
      add("<path fill=\"none\" stroke=\"{}\" stroke-width=\"4\" stroke-linecap=\"butt\"{} d=\"", color,
          seam.elastic != 1 ? " stroke-dasharray=\"10 5\"" : "");
      path(points, view);
      add("\"/>\n");
      arrow(at(view, points[1]) - at(view, points[0]), at(view, points[0]), color);
      if (seam.name == "dart") continue;
      const dvec2 here = at(view, points[16]), along = at(view, points[17]) - here,
                  inward = middle(size_t(side.panel)) - here;
      dvec2 n = glm::length(along) > 0 ? dvec2(-along.y, along.x) / glm::length(along) : dvec2(0, 1);
      if (glm::dot(n, inward) < 0) n = -n;
      add("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"16\" text-anchor=\"middle\" fill=\"{}\">{}</text>\n",
          here.x + 18 * n.x, here.y + 18 * n.y + 6, color, s);
    }
  }

  void arrow(const dvec2& direction, const dvec2& from, const std::string& color) {
    if (!(glm::length(direction) > 0)) return;
    const dvec2 d = glm::normalize(direction), n(-d.y, d.x), base = from + 5.0 * d, tip = base + 12.0 * d;
    add("<path fill=\"{}\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}Z\"/>\n", color, base.x + 5 * n.x,
        base.y + 5 * n.y, tip.x, tip.y, base.x - 5 * n.x, base.y - 5 * n.y);
  }

  const Pattern pattern_;
  const PatternLayout layout_;
  dvec2 size_{0};
  fmt::memory_buffer text_;
};

}  // namespace

std::string pattern_as_svg(const Pattern& pattern) { return Drawing(pattern).run(); }

}  // namespace weft
