// Numbers of a run over time, for plots: every number of every state that was seen, and which are drawn.
#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "sim/run/runner.h"

namespace weft {

/// A line through points of one curve.
struct CurveLine {
  std::vector<dvec2> points;  // time (s), value
  bool pale = false;          // of a future that was left, or of other methods
};

/// One number over time.
struct Curve {
  std::string id, label, unit;
  std::vector<CurveLine> lines;
  double low = 0, high = 1;  // of all its values
  int lane = -1;             // of runs that are compared: the one whose number it is, which gives its colour
  int dashes = 0;            // then: which of the shown numbers, told apart by dashes
};

/// Keeps the numbers of the last `length` states. A number has an id: "stats.NAME" (StepStats::all, counters
/// among them), "stage.PATH" (ms), "rate.steps", "rate.real_time", "rate.launches", "handle.force" (N, of the
/// one that pulls most), "vertex.NUMBER" (its height, m), "distance.FIRST.SECOND" (of two vertices, m); of
/// compared runs "lane.error" and "lane.apart" (mean distance from the reference and from the first, m).
class Curves {
 public:
  explicit Curves(size_t length = 20000) : length_(length) {}

  /// Takes the numbers of a state if it is a new one: not one that is only shown again. `methods`: what made
  /// it; once that changes, what was before is pale. Another model clears everything.
  /// `more`: numbers that the state itself does not have.
  using More = std::vector<std::pair<std::string, double>>;
  void add(const FrameNumbers& frame, const RunTimeline& timeline, const std::string& methods,
           const More& more = {});
  /// Shows or hides a number. Those of places ("vertex.", "distance.") begin then.
  void toggle(const std::string& id);
  bool shows(const std::string& id) const;
  /// Shows these, and no others.
  void show(std::vector<std::string> ids) { shown_ = std::move(ids); }
  /// The vertices of the shown numbers, whose positions `add` needs (Runner::watch).
  std::vector<int> vertices() const;
  const std::vector<std::string>& shown() const { return shown_; }
  /// All ids that the states so far have.
  std::vector<std::string> ids() const;
  /// The shown ones, over the last `seconds`; 0: over all.
  std::vector<Curve> curves(double seconds) const;
  bool empty() const { return rows_.empty(); }

 private:
  struct Row {
    int step = 0;
    double time = 0;
    int line = 0;  // points of one line are joined
    bool pale = false;
    std::vector<float> values;  // by number; shorter than the names where the last ones did not exist
  };
  size_t number(const std::string& id);
  void branch_off(const RunTimeline& timeline);
  size_t length_;
  std::vector<std::string> names_, shown_;
  std::deque<Row> rows_;
  std::string methods_;
  uint64_t model_ = 0, branch_ = 0;
  int line_ = 0;
};

/// What a number is called, and its unit.
std::string curve_label(const std::string& id);
std::string curve_unit(const std::string& id);

/// "time_s,max_speed_m_s,..." and a row per time: the points that are shown, those of pale lines in columns
/// of their own.
std::string curves_csv(const std::vector<Curve>& curves);

/// How a line is drawn. `color`: number of the curve, or from kLaneColors on that of a lane.
constexpr int kLaneColors = 1000;
struct CurveStyle {
  int color = 0;
  bool pale = false;
  std::vector<float> dashes = {};  // lengths of strokes and gaps by turns, pixels; empty: one stroke
};

/// What a plot is drawn with: a window's list of shapes, or a file.
struct CurveCanvas {
  std::function<void(const std::vector<vec2>&, const CurveStyle&)> line;
  std::function<void(vec2 from, vec2 to)> rule;                                   // of the axes
  std::function<void(vec2 at, const std::string&, float align, int color)> text;  // align: 0 left to 1 right
  std::function<float(const std::string&)> width;                                 // of a text, pixels
  float em = 13;                                                                  // height of a text, pixels
};

/// Draws curves with axes, units and a legend into a rectangle.
void draw_curves(const CurveCanvas& canvas, const std::vector<Curve>& curves, vec2 at, vec2 size);
/// The same as the text of an SVG file.
std::string curves_svg(const std::vector<Curve>& curves, vec2 size);

}  // namespace weft
