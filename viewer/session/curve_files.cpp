// Curves as a picture of lines and texts, and as tables.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "viewer/session/curves.h"
#include "viewer/session/stage_history.h"

namespace weft {
namespace {

struct Axis {
  std::string unit;
  double low = 0, high = 1, step = 1;
};

/// Round ends and a round step, for about `count` marks.
Axis round_axis(const std::string& unit, double low, double high, int count) {
  if (!(high > low)) {
    const double around = std::max(std::abs(high) * 0.1, 1e-6);
    low -= around, high += around;
  }
  Axis axis{unit, low, high, nice_ceiling((high - low) / std::max(1, count))};
  axis.low = axis.step * std::floor(low / axis.step + 1e-9);
  axis.high = axis.step * std::ceil(high / axis.step - 1e-9);
  return axis;
}

std::string number(double value, double step) {
  if (std::abs(value) < 1e-9 * step) value = 0;
  return fmt::format("{:.6g}", value);
}

/// One axis for each unit, in the order of the curves.
std::vector<Axis> axes_of(const std::vector<Curve>& curves, int count) {
  std::vector<Axis> axes;
  for (const Curve& c : curves) {
    if (c.lines.empty()) continue;
    const auto same = std::find_if(axes.begin(), axes.end(), [&](const Axis& a) { return a.unit == c.unit; });
    if (same == axes.end()) axes.push_back({c.unit, c.low, c.high, 1});
    else same->low = std::min(same->low, c.low), same->high = std::max(same->high, c.high);
  }
  for (Axis& a : axes) a = round_axis(a.unit, a.low, a.high, count);
  return axes;
}

struct Plot {
  const CurveCanvas& to;
  vec2 at, size;  // of the area of the lines
  Axis time;
  vec2 place(const Axis& axis, const dvec2& p) const {
    const double x = (p.x - time.low) / (time.high - time.low), y = (p.y - axis.low) / (axis.high - axis.low);
    return at + vec2(float(x), float(1 - y)) * size;
  }
};

void draw_axis(const Plot& plot, const Axis& axis, bool right) {
  const float em = plot.to.em, x = right ? plot.at.x + plot.size.x + em / 2 : plot.at.x - em / 2;
  for (double v = axis.low; v <= axis.high + 0.5 * axis.step; v += axis.step) {
    const float y = plot.place(axis, {plot.time.low, v}).y;
    if (!right) plot.to.rule({plot.at.x, y}, {plot.at.x + plot.size.x, y});
    plot.to.text({x, y - em / 2}, number(v, axis.step), right ? 0.0f : 1.0f, -1);
  }
  plot.to.text({x, plot.at.y - 1.5f * em}, axis.unit, right ? 0.0f : 1.0f, -1);
}

void draw_time(const Plot& plot) {
  const float em = plot.to.em, y = plot.at.y + plot.size.y;
  for (double t = plot.time.low; t <= plot.time.high + 0.5 * plot.time.step; t += plot.time.step) {
    const float x = plot.at.x + float((t - plot.time.low) / (plot.time.high - plot.time.low)) * plot.size.x;
    plot.to.rule({x, y}, {x, y + em / 4});
    plot.to.text({x, y + em / 3}, number(t, plot.time.step) + " s", 0.5f, -1);
  }
}

/// Of runs that are compared the colour says which, dashes say which number.
CurveStyle style_of(const std::vector<Curve>& curves, size_t i, bool pale, float em) {
  const Curve& c = curves[i];
  if (c.lane < 0) return {int(i), pale};
  static const std::vector<std::vector<float>> kDashes = {
      {}, {0.7f, 0.4f}, {0.2f, 0.3f}, {0.9f, 0.3f, 0.2f, 0.3f}};
  CurveStyle style{kLaneColors + c.lane, pale, kDashes[size_t(c.dashes) % kDashes.size()]};
  for (float& length : style.dashes) length *= em;
  return style;
}

/// Where the name, unit and last value of each curve stand in rows above the lines.
struct CurveLegend {
  struct Entry {
    vec2 at{0};  // from the upper left corner of the rows, em apart by kRow
    std::string words;
  };
  static constexpr float kRow = 1.3f;  // em
  std::vector<Entry> entries;
  int rows = 1;
};

CurveLegend legend_of(const CurveCanvas& canvas, const std::vector<Curve>& curves, float width) {
  CurveLegend legend;
  float x = 0;
  for (const Curve& c : curves) {
    std::string words = c.label + (c.unit.empty() ? "" : " (" + c.unit + ")");
    if (!c.lines.empty()) words += fmt::format(" {:.4g}", c.lines.back().points.back().y);
    const float wide = (c.lane < 0 ? 0 : 2 * canvas.em) + canvas.width(words);
    if (x > 0 && x + wide > width) x = 0, ++legend.rows;
    legend.entries.push_back({{x, float(legend.rows - 1) * CurveLegend::kRow * canvas.em}, words});
    x += wide + 1.5f * canvas.em;
  }
  return legend;
}

void draw_legend(const Plot& plot, const std::vector<Curve>& curves, const CurveLegend& legend) {
  const float em = plot.to.em;
  const vec2 corner = plot.at + vec2(em, -(float(legend.rows - 1) * CurveLegend::kRow + 1.5f) * em);
  for (size_t i = 0; i < curves.size(); ++i) {
    const CurveStyle style = style_of(curves, i, false, em);
    vec2 at = corner + legend.entries[i].at;
    if (curves[i].lane >= 0) {
      plot.to.line({at + vec2(0, 0.5f * em), at + vec2(1.6f * em, 0.5f * em)}, style);
      at.x += 2 * em;
    }
    plot.to.text(at, legend.entries[i].words, 0, style.color);
  }
}

std::string xml(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

/// Of a white page, told apart in print and by people who do not see all colours (Okabe and Ito).
constexpr std::array<const char*, 8> kColors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                "#e69f00", "#56b4e9", "#000000", "#b0a000"};
/// Near those of pictures (lane_color), and dark enough for print.
constexpr std::array<const char*, 4> kLaneInks = {"#0072b2", "#d55e00", "#00794f", "#7b3fa8"};
const char* svg_color(int i) {
  if (i >= kLaneColors) return kLaneInks[size_t(i - kLaneColors) % kLaneInks.size()];
  return i < 0 ? "#444444" : kColors[size_t(i) % kColors.size()];
}

}  // namespace

void draw_curves(const CurveCanvas& canvas, const std::vector<Curve>& curves, vec2 at, vec2 size) {
  const float em = canvas.em;
  const std::vector<Axis> axes = axes_of(curves, int(size.y / (3 * em)));
  if (axes.empty()) return;
  double first = 1e300, last = -1e300;
  for (const Curve& c : curves)
    for (const CurveLine& line : c.lines)
      for (const dvec2& p : line.points) first = std::min(first, p.x), last = std::max(last, p.x);
  const float left = 5 * em, right = axes.size() > 1 ? 5 * em : em;
  const CurveLegend legend = legend_of(canvas, curves, size.x - left - right - em);
  const float top = (2 + float(legend.rows - 1) * CurveLegend::kRow) * em;
  Plot plot{canvas, at + vec2(left, top), size - vec2(left + right, top + 1.7f * em),
            round_axis("s", first, last, int(size.x / (8 * em)))};
  if (plot.size.x < em || plot.size.y < em) return;
  draw_time(plot);
  draw_axis(plot, axes[0], false);
  if (axes.size() > 1) draw_axis(plot, axes[1], true);
  for (const bool pale : {true, false})
    for (size_t i = 0; i < curves.size(); ++i) {
      const auto axis =
          std::find_if(axes.begin(), axes.end(), [&](const Axis& a) { return a.unit == curves[i].unit; });
      for (const CurveLine& line : curves[i].lines) {
        if (line.pale != pale) continue;
        std::vector<vec2> points;
        for (const dvec2& p : line.points) points.push_back(plot.place(*axis, p));
        canvas.line(points, style_of(curves, i, pale, em));
      }
    }
  draw_legend(plot, curves, legend);
}

std::string curves_svg(const std::vector<Curve>& curves, vec2 size) {
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" viewBox=\"0 0 {0:g} "
      "{1:g}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      size.x, size.y);
  CurveCanvas canvas;
  canvas.em = 12;
  canvas.line = [&](const std::vector<vec2>& points, const CurveStyle& style) {
    std::string dashes;
    for (const float length : style.dashes) dashes += fmt::format("{:g} ", length);
    if (!dashes.empty()) dashes = " stroke-dasharray=\"" + dashes + "\"";
    out +=
        fmt::format("<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\" opacity=\"{}\"{} points=\"",
                    svg_color(style.color), style.pale ? 0.35 : 1.0, dashes);
    for (const vec2& p : points) out += fmt::format("{:.2f},{:.2f} ", p.x, p.y);
    out += "\"/>\n";
  };
  canvas.rule = [&](vec2 from, vec2 to) {
    out += fmt::format("<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" stroke=\"#cccccc\"/>\n",
                       from.x, from.y, to.x, to.y);
  };
  canvas.text = [&](vec2 to, const std::string& words, float align, int color) {
    const char* anchor = align < 0.25f ? "start" : align > 0.75f ? "end" : "middle";
    out += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\" fill=\"{}\">{}</text>\n", to.x,
                       to.y + 10, anchor, svg_color(color), xml(words));
  };
  canvas.width = [](const std::string& words) { return 6.5f * float(words.size()); };
  draw_curves(canvas, curves, vec2(0), size);
  return out + "</svg>\n";
}

std::string curves_csv(const std::vector<Curve>& curves) {
  std::map<double, std::vector<std::string>> rows;
  std::string head = "time_s";
  size_t columns = 0;
  for (const Curve& c : curves)
    for (const bool pale : {false, true}) {
      if (pale && (c.lines.empty() || !c.lines.front().pale)) continue;
      std::string name = c.label + (c.unit.empty() ? "" : " " + c.unit) + (pale ? " before" : "");
      std::replace_if(
          name.begin(), name.end(), [](char ch) { return ch == ' ' || ch == '/' || ch == ','; }, '_');
      head += "," + name;
      for (const CurveLine& line : c.lines)
        for (const dvec2& p : line.points)
          if (line.pale == pale) {
            std::vector<std::string>& row = rows[p.x];
            row.resize(columns + 1);
            row[columns] = fmt::format("{:.9g}", p.y);
          }
      ++columns;
    }
  std::string out = head + "\n";
  for (auto& [time, row] : rows) {
    row.resize(columns);
    out += fmt::format("{:.9g}", time);
    for (const std::string& value : row) out += "," + value;
    out += "\n";
  }
  return out;
}

}  // namespace weft
