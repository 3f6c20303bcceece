#include "sim/garment/formats/dxf_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "sim/base/error.h"
#include "sim/base/shorten.h"
#include "sim/garment/formats/dxf_text.h"

namespace weft {
namespace {

constexpr double kInch = 0.0254, kTouching = 2e-4;  // m; points no further apart are one
constexpr double kCorner = 30;  // degrees by which a line turns at a corner, where a file marks none
constexpr double kGap = 0.05;   // m between placed pieces

std::string upper(std::string text) {
  for (char& c : text) c = c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c;
  return text;
}

/// "Piece Name: front" with the key "PIECE NAME": "front".
std::optional<std::string> value_of(const std::string& text, const std::string& key) {
  if (upper(text).rfind(key, 0) != 0) return {};
  const size_t colon = text.find(':');
  if (colon == text.npos) return {};
  const size_t begin = text.find_first_not_of(" \t", colon + 1);
  return begin == text.npos ? std::string() : text.substr(begin);
}

/// A closed line, m.
struct Ring {
  std::vector<dvec2> points;
  std::vector<double> bulges;
};

class PieceReader {
 public:
  PieceReader(const DxfBlock& block, double unit, std::vector<std::string>& notices)
      : block_(block), unit_(unit), notices_(notices) {}

  std::optional<Panel> run() {
    Panel panel;
    panel.name = block_.name;
    for (const DxfEntity& e : block_.entities) {
      if (const auto name = value_of(e.text, "PIECE NAME"); name && !name->empty()) panel.name = *name;
      if (const auto count = value_of(e.text, "QUANTITY"); count && *count != "1" && !count->empty())
        tell("it is cut " + shortened(*count, 40) + " times; it is here once");
    }
    const std::optional<Ring> sewn = outline("14"), cut = sewn ? std::nullopt : outline("1");
    if (!sewn && !cut) return {};
    if (cut) tell("no closed sew line (layer 14): its cut line is taken (layer 1), with any seam allowance");
    panel.loops.push_back(divided(unfolded(sewn ? *sewn : *cut)));
    for (const Ring& hole : rings("11")) panel.loops.push_back(divided(hole));
    if (const DxfEntity* grain = first_line("7")) {
      const dvec2 d = grain->points.back() - grain->points.front();
      if (glm::length(d) > 0) panel.grain = glm::degrees(std::atan2(d.y, d.x));
    }
    if (on_layer("8").size())
      tell(fmt::format("{} internal lines (layer 8) are left out", on_layer("8").size()));
    return panel;
  }

 private:
  void tell(const std::string& what) {
    notices_.push_back("piece " + shortened(block_.name, 80) + ": " + what);
  }
  dvec2 metres(const dvec2& p) const { return unit_ * p; }

  std::vector<const DxfEntity*> on_layer(const std::string& layer) const {
    std::vector<const DxfEntity*> found;
    for (const DxfEntity& e : block_.entities)
      if (e.layer == layer && e.kind != "TEXT" && e.kind != "MTEXT") found.push_back(&e);
    return found;
  }
  const DxfEntity* first_line(const std::string& layer) const {
    for (const DxfEntity* e : on_layer(layer))
      if (e->points.size() >= 2) return e;
    return nullptr;
  }

  /// Closed lines of a layer; open ones are joined at their ends.
  std::vector<Ring> rings(const std::string& layer) const {
    std::vector<Ring> closed, open;
    for (const DxfEntity* e : on_layer(layer)) {
      if (e->points.size() < 2) continue;
      Ring ring;
      for (size_t i = 0; i < e->points.size(); ++i) {
        const dvec2 p = metres(e->points[i]);
        if (!ring.points.empty() && glm::length(p - ring.points.back()) < 1e-7) continue;
        ring.points.push_back(p), ring.bulges.push_back(e->bulges[i]);
      }
      const bool meets = ends_meet(ring) || e->closed;
      (meets && ring.points.size() >= 3 ? closed : open).push_back(ring);
    }
    while (!open.empty()) {
      Ring chain = open.back();
      open.pop_back();
      bool meets = ends_meet(chain);
      for (bool grown = true; grown && !meets;) {
        grown = false;
        for (size_t i = 0; i < open.size() && !grown; ++i)
          if (append(chain, open[i])) open.erase(open.begin() + long(i)), grown = true;
        meets = ends_meet(chain);
      }
      if (meets && chain.points.size() >= 3) closed.push_back(chain);
    }
    return closed;
  }

  /// True where a line ends where it began; that end is then dropped.
  static bool ends_meet(Ring& ring) {
    if (ring.points.size() < 3 || glm::length(ring.points.front() - ring.points.back()) >= kTouching)
      return false;
    ring.points.pop_back(), ring.bulges.pop_back();
    return true;
  }

  static bool append(Ring& chain, const Ring& next) {
    Ring part = next;
    if (glm::length(part.points.back() - chain.points.back()) < kTouching) {
      std::reverse(part.points.begin(), part.points.end());
      std::vector<double> bulges(part.bulges.size(), 0);
      for (size_t i = 0; i + 1 < bulges.size(); ++i) bulges[i] = -part.bulges[bulges.size() - 2 - i];
      part.bulges = bulges;
    }
    if (glm::length(part.points.front() - chain.points.back()) >= kTouching) return false;
    chain.bulges.back() = part.bulges.front();
    chain.points.insert(chain.points.end(), part.points.begin() + 1, part.points.end());
    chain.bulges.insert(chain.bulges.end(), part.bulges.begin() + 1, part.bulges.end());
    return true;
  }

  static double area(const Ring& ring) {
    double doubled = 0;
    for (size_t i = 0; i < ring.points.size(); ++i) {
      const dvec2 a = ring.points[i] - ring.points[0],
                  b = ring.points[(i + 1) % ring.points.size()] - ring.points[0];
      doubled += a.x * b.y - a.y * b.x;
    }
    return 0.5 * doubled;
  }

  /// The largest ring of a layer, counter-clockwise.
  std::optional<Ring> outline(const std::string& layer) const {
    std::vector<Ring> all = rings(layer);
    if (all.empty()) return {};
    Ring best = *std::max_element(all.begin(), all.end(), [](const Ring& a, const Ring& b) {
      return std::abs(area(a)) < std::abs(area(b));
    });
    if (area(best) < 0) {
      std::reverse(best.points.begin(), best.points.end());
      std::vector<double> bulges(best.bulges.size());
      for (size_t i = 0; i < bulges.size(); ++i)
        bulges[i] = -best.bulges[(2 * bulges.size() - 2 - i) % bulges.size()];
      best.bulges = bulges;
    }
    return best;
  }

  /// The whole of a piece whose half is drawn up to its mirror line.
  Ring unfolded(const Ring& half) {
    const DxfEntity* mirror = first_line("6");
    if (!mirror) return half;
    const dvec2 a = metres(mirror->points.front()), d = metres(mirror->points.back()) - a;
    if (!(glm::length(d) > 0)) return half;
    const dvec2 along = glm::normalize(d), across(-along.y, along.x);
    const size_t n = half.points.size();
    const auto on = [&](size_t i) { return std::abs(glm::dot(half.points[i % n] - a, across)) < kTouching; };
    size_t start = n;
    for (size_t i = 0; i < n; ++i)
      if (on(i) && !on(i + 1) && on(i + n - 1))
        start = i;  // where the ring leaves the mirror line after running along it
    if (start == n) {
      tell("its mirror line (layer 6) is no part of its outline; it is not unfolded");
      return half;
    }
    Ring whole;
    size_t count = 1;
    while (!on(start + count)) ++count;  // the drawn half: points start to start + count
    for (size_t i = 0; i <= count; ++i)
      whole.points.push_back(half.points[(start + i) % n]),
          whole.bulges.push_back(half.bulges[(start + i) % n]);
    for (size_t i = count; i-- > 1;) {
      const dvec2 p = half.points[(start + i) % n];
      whole.bulges.back() =
          half.bulges[(start + i) % n];  // of the mirrored line, run backwards: its bulge is the same
      whole.points.push_back(p - 2 * glm::dot(p - a, across) * across), whole.bulges.push_back(0);
    }
    whole.bulges.back() = half.bulges[start % n];
    mirror_ = {a, across};
    return whole;
  }

  /// Points at which an edge ends: turn points and notches, else sharp turns.
  std::vector<char> corners(const Ring& ring) const {
    std::vector<dvec2> marks;
    for (const char* layer : {"2", "4"})
      for (const DxfEntity* e : on_layer(layer))
        if (!e->points.empty()) {
          marks.push_back(metres(e->points[0]));
          if (mirror_)
            marks.push_back(marks.back() -
                            2 * glm::dot(marks.back() - mirror_->first, mirror_->second) * mirror_->second);
        }
    const size_t n = ring.points.size();
    std::vector<char> corner(n, 0);
    const bool marked = !on_layer("2").empty();
    for (size_t i = 0; i < n; ++i) {
      const dvec2 in = ring.points[i] - ring.points[(i + n - 1) % n],
                  out = ring.points[(i + 1) % n] - ring.points[i];
      const double turn = std::abs(std::atan2(in.x * out.y - in.y * out.x, glm::dot(in, out)));
      corner[i] = !marked && turn > glm::radians(kCorner);
      for (const dvec2& m : marks) corner[i] = corner[i] || glm::length(m - ring.points[i]) < kTouching;
      if (ring.bulges[i] != 0 || ring.bulges[(i + n - 1) % n] != 0) corner[i] = 1;
    }
    if (std::count(corner.begin(), corner.end(), 1) < 2) corner[0] = corner[n / 2] = 1;
    return corner;
  }

  PanelLoop divided(const Ring& ring) const {
    const std::vector<char> corner = corners(ring);
    const size_t n = ring.points.size(),
                 first = size_t(std::find(corner.begin(), corner.end(), 1) - corner.begin());
    PanelLoop loop;
    for (size_t k = 0; k < n; ++k) {
      const size_t i = (first + k) % n;
      if (!corner[i]) {
        loop.back().kind = PanelEdge::Kind::polyline, loop.back().points.push_back(ring.points[i]);
        continue;
      }
      PanelEdge edge{.start = ring.points[i]};
      if (ring.bulges[i] != 0) edge.kind = PanelEdge::Kind::arc, edge.bulge = ring.bulges[i];
      loop.push_back(edge);
    }
    return loop;
  }

  const DxfBlock& block_;
  double unit_;
  std::vector<std::string>& notices_;
  std::optional<std::pair<dvec2, dvec2>>
      mirror_;  // a point of the mirror line, and the unit vector across it
};

/// m, or 0 where the file does not say.
double unit_of(const DxfText& dxf, const std::string& path) {
  const auto stated = [&](const std::vector<DxfEntity>& entities) -> std::optional<double> {
    for (const DxfEntity& e : entities)
      if (const auto unit = value_of(e.text, "UNITS")) {
        const std::string word = upper(*unit);
        if (word.rfind("METRIC", 0) == 0) return 1e-3;
        if (word.rfind("ENGLISH", 0) == 0 || word.rfind("IMPERIAL", 0) == 0) return kInch;
        throw Error("'" + shortened(*unit, 80) + "' is no unit", fmt::format("{}:{}", path, e.line),
                    "METRIC (millimetres) and ENGLISH (inches) are known");
      }
    return {};
  };
  if (const auto unit = stated(dxf.entities)) return *unit;
  for (const DxfBlock& b : dxf.blocks)
    if (const auto unit = stated(b.entities)) return *unit;
  if (const auto at = dxf.header.find("$INSUNITS"); at != dxf.header.end()) {
    const int code = int(at->second);
    if (code == 1) return kInch;
    if (code == 4) return 1e-3;
    if (code == 5) return 1e-2;
    if (code == 6) return 1;
  }
  if (const auto at = dxf.header.find("$MEASUREMENT"); at != dxf.header.end())
    return at->second == 0 ? kInch : 1e-3;
  return 0;
}

/// Side by side, so that pieces drawn on each other are seen apart.
void place_in_a_row(Pattern& pattern) {
  double end = 0;
  for (Panel& panel : pattern.panels) {
    double low = 1e300, high = -1e300;
    for (const PanelEdge& e : panel.loops[0]) {
      low = std::min(low, e.start.x), high = std::max(high, e.start.x);
      for (const dvec2& p : e.points) low = std::min(low, p.x), high = std::max(high, p.x);
    }
    panel.position = {end - low, 0, 0};
    end += high - low + kGap;
  }
}

}  // namespace

Pattern parse_dxf_pattern(const std::string& text, const std::string& path, double unit,
                          std::vector<std::string>& notices) {
  const DxfText dxf = read_dxf(text, path);
  if (!(unit > 0)) unit = unit_of(dxf, path);
  if (!(unit > 0))
    throw Error("the file does not say its unit", path,
                "give the unit, for example 1mm, or add the text UNITS: METRIC");
  Pattern pattern;
  std::set<std::string> names;
  for (const DxfBlock& block : dxf.blocks) {
    if (block.name.rfind("*", 0) == 0) continue;  // AutoCAD's own
    std::optional<Panel> panel = PieceReader(block, unit, notices).run();
    if (!panel) {
      if (!block.entities.empty())
        notices.push_back("block " + shortened(block.name, 80) +
                          ": no closed line on layer 14 or 1; left out");
      continue;
    }
    const std::string stem = panel->name.empty() ? "piece" : panel->name;
    panel->name = stem;
    for (int n = 2; !names.insert(panel->name).second; ++n) panel->name = fmt::format("{} {}", stem, n);
    pattern.panels.push_back(std::move(*panel));
  }
  if (pattern.panels.empty())
    throw Error("the file has no pieces", path, "a piece is a block with a closed polyline on layer 14 or 1");
  if (dxf.skipped > 0) notices.push_back(fmt::format("{} entities of other kinds are left out", dxf.skipped));
  for (const DxfEntity& e : dxf.entities)
    if (const auto name = value_of(e.text, "STYLE NAME"); name && !name->empty()) pattern.name = *name;
  place_in_a_row(pattern);
  check_pattern(pattern, path);
  return pattern;
}

}  // namespace weft
