#include "sim/garment/formats/dxf_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "sim/base/error.h"
#include "sim/base/shorten.h"
#include "sim/garment/formats/dxf_text.h"

namespace weft {
namespace {

constexpr double kInch = 0.0254, kTouching = 2e-4;  // m; ends of lines no further apart meet
constexpr double kOnePoint = 1e-4;  // m; points of an outline no further apart are one, and lips of a slit
constexpr double kCorner = 30;      // degrees by which a line turns at a corner, where a file marks none
constexpr double kGap = 0.05;       // m between placed pieces

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
  std::vector<double> bulges;  // of the line from each point to the next

  size_t size() const { return points.size(); }
  void erase(size_t i) { points.erase(points.begin() + long(i)), bulges.erase(bulges.begin() + long(i)); }
};

/// Points in one place are one.
void join_points(Ring& ring) {
  for (size_t i = 1; i < ring.size() && ring.size() > 3;) {
    if (glm::distance(ring.points[i], ring.points[i - 1]) > kOnePoint) {
      ++i;
      continue;
    }
    ring.bulges[i - 1] = ring.bulges[i];
    ring.erase(i);
  }
  while (ring.size() > 3 && glm::distance(ring.points.front(), ring.points.back()) <= kOnePoint)
    ring.erase(ring.size() - 1);
}

/// Cuts whose lips lie on each other become notches, at their mouths: points whose neighbours are one point.
void close_slits(Ring& ring, std::vector<dvec2>& notches) {
  for (size_t i = 0; i < ring.size() && ring.size() > 4;) {
    const size_t n = ring.size(), before = (i + n - 1) % n, after = (i + 1) % n;
    const bool straight = ring.bulges[before] == 0 && ring.bulges[i] == 0;
    if (!straight || glm::distance(ring.points[before], ring.points[after]) > kOnePoint) {
      ++i;
      continue;
    }
    const dvec2 tip = ring.points[i], mouth = ring.points[before];
    std::erase_if(notches, [&](const dvec2& p) { return p == tip; });  // of what has been closed of it
    notches.push_back(mouth);
    ring.bulges[before] = ring.bulges[after];
    ring.erase(std::max(i, after)), ring.erase(std::min(i, after));
    i = i < 2 ? 0 : i - 2;
  }
}

/// Texts about pieces, each once with the pieces that it is true of.
class PieceNotices {
 public:
  void add(const std::string& piece, const std::string& what) {
    for (auto& [words, pieces] : all_)
      if (words == what) return pieces.push_back(piece);
    all_.push_back({what, {piece}});
  }
  void tell(std::vector<std::string>& notices) const {
    for (const auto& [words, pieces] : all_) {
      std::string who = "piece " + shortened(pieces[0], 80);
      if (pieces.size() > 1) {
        who = fmt::format("{} pieces ({}", pieces.size(), shortened(pieces[0], 40));
        for (size_t i = 1; i < pieces.size() && i < 3; ++i) who += ", " + shortened(pieces[i], 40);
        who += pieces.size() > 3 ? ", ...)" : ")";
      }
      notices.push_back(who + ": " + words);
    }
  }

 private:
  std::vector<std::pair<std::string, std::vector<std::string>>> all_;
};

class PieceReader {
 public:
  PieceReader(const DxfBlock& block, double unit, PieceNotices& notices)
      : block_(block), unit_(unit), notices_(notices) {}

  std::optional<Panel> run() {
    Panel panel;
    panel.name = block_.name;
    for (const DxfEntity& e : block_.entities)
      if (const auto name = value_of(e.text, "PIECE NAME"); name && !name->empty()) panel.name = *name;
    const std::optional<Ring> sewn = outline("14"), cut = sewn ? std::nullopt : outline("1");
    if (!sewn && !cut) return {};
    if (cut) tell("no closed sew line (layer 14): its cut line is taken (layer 1), with any seam allowance");
    Ring ring = sewn ? *sewn : *cut;
    join_points(ring), close_slits(ring, slits_);
    if (!slits_.empty()) tell("slits narrower than 0.1 mm are notches");
    ring = unfolded(ring);
    take_marks(panel.marks);
    for (const dvec2& p : panel.marks.notches) divide_at(ring, p);
    panel.loops.push_back(divided(ring));
    for (Ring hole : rings("11")) join_points(hole), panel.loops.push_back(divided(hole));
    if (const DxfEntity* grain = first_line("7")) {
      const dvec2 d = grain->points.back() - grain->points.front();
      if (glm::length(d) > 0) panel.grain = glm::degrees(std::atan2(d.y, d.x));
    }
    return panel;
  }

 private:
  void tell(const std::string& what) { notices_.add(block_.name, what); }

  /// Notches (V, and the four other shapes), drill holes and internal lines, of both halves of a piece.
  void take_marks(PanelMarks& marks) const {
    const auto add = [&](std::vector<dvec2>& to, const dvec2& p) {
      to.push_back(p);
      if (mirror_ && std::abs(glm::dot(p - mirror_->first, mirror_->second)) > kTouching)
        to.push_back(mirrored(p));
    };
    for (const dvec2& p : slits_) add(marks.notches, p);
    for (const char* layer : kNotchLayers)
      for (const DxfEntity* e : on_layer(layer))
        if (!e->points.empty()) add(marks.notches, metres(e->points[0]));
    for (const DxfEntity* e : on_layer("13"))
      if (!e->points.empty()) add(marks.drills, metres(e->points[0]));
    for (const DxfEntity* e : on_layer("8")) {
      if (e->points.size() < 2) continue;
      std::vector<dvec2> line, other;
      for (const dvec2& p : e->points)
        line.push_back(metres(p)), other.push_back(mirror_ ? mirrored(line.back()) : p);
      if (e->closed) line.push_back(line.front()), other.push_back(other.front());
      marks.lines.push_back(line);
      if (mirror_) marks.lines.push_back(other);
    }
  }

  dvec2 mirrored(const dvec2& p) const {
    return p - 2 * glm::dot(p - mirror_->first, mirror_->second) * mirror_->second;
  }

  /// A point of the outline where a notch lies on one of its straight lines.
  static void divide_at(Ring& ring, const dvec2& p) {
    for (const dvec2& q : ring.points)
      if (glm::distance(p, q) < kTouching) return;
    for (size_t i = 0; i < ring.size(); ++i) {
      const dvec2 a = ring.points[i], d = ring.points[(i + 1) % ring.size()] - a;
      const double t = glm::dot(p - a, d) / glm::dot(d, d);
      if (ring.bulges[i] != 0 || !(t > 0 && t < 1) || glm::distance(p, a + t * d) > kTouching) continue;
      ring.points.insert(ring.points.begin() + long(i) + 1, a + t * d);
      ring.bulges.insert(ring.bulges.begin() + long(i) + 1, 0);
      return;
    }
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
        size_t best = open.size();  // slits have several ends near each other: the nearest goes on
        for (size_t i = 0; i < open.size(); ++i)
          if (gap(chain, open[i]) < (best < open.size() ? gap(chain, open[best]) : kTouching)) best = i;
        if (best < open.size() && append(chain, open[best]))
          open.erase(open.begin() + long(best)), grown = true;
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

  /// m, from the end of a line to the nearer end of another.
  static double gap(const Ring& chain, const Ring& next) {
    return std::min(glm::distance(chain.points.back(), next.points.front()),
                    glm::distance(chain.points.back(), next.points.back()));
  }

  static bool append(Ring& chain, const Ring& next) {
    Ring part = next;
    if (glm::distance(part.points.back(), chain.points.back()) <
        glm::distance(part.points.front(), chain.points.back())) {
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
    std::vector<dvec2> marks = slits_;
    std::vector<const char*> layers(std::begin(kNotchLayers), std::end(kNotchLayers));
    layers.push_back("2");
    for (const char* layer : layers)
      for (const DxfEntity* e : on_layer(layer))
        if (!e->points.empty()) marks.push_back(metres(e->points[0]));
    for (size_t i = marks.size(); mirror_ && i-- > 0;) marks.push_back(mirrored(marks[i]));
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
  static constexpr const char* kNotchLayers[] = {"4", "80", "81", "82", "83"};
  PieceNotices& notices_;
  std::optional<std::pair<dvec2, dvec2>>
      mirror_;                // a point of the mirror line, and the unit vector across it
  std::vector<dvec2> slits_;  // mouths of slits that have been closed
};

std::string text_of(const DxfBlock& block, const char* key) {
  for (const DxfEntity& e : block.entities)
    if (const auto value = value_of(e.text, key); value && !value->empty()) return *value;
  return {};
}

/// How often a piece is cut as it is drawn, and how often mirrored: "QUANTITY: 1,1", or "QUANTITY: 2" of
/// pieces that come in pairs.
ivec2 quantity_of(const DxfBlock& block) {
  const std::string text = text_of(block, "QUANTITY");
  int as_drawn = 0, mirrored = 0;
  const int numbers = std::sscanf(text.c_str(), "%d , %d", &as_drawn, &mirrored);
  if (numbers < 1) return {1, 0};
  if (numbers == 2) return {std::clamp(as_drawn, 0, 1000), std::clamp(mirrored, 0, 1000)};
  as_drawn = std::clamp(as_drawn, 1, 1000);
  return {as_drawn - as_drawn / 2, as_drawn / 2};
}

/// The other piece of a pair.
DxfBlock mirrored(const DxfBlock& block) {
  DxfBlock out = block;
  for (DxfEntity& e : out.entities) {
    for (dvec2& p : e.points) p.x = -p.x;
    for (double& b : e.bulges) b = -b;
  }
  return out;
}

/// The sizes of a graded file, by the texts of its pieces or the ends of their names.
class Sizes {
 public:
  explicit Sizes(const DxfText& dxf) {
    std::map<std::string, std::set<std::string>> ends;  // of the names of a piece's blocks
    for (const DxfBlock& b : dxf.blocks)
      if (const std::string piece = text_of(b, "PIECE NAME"); is_ending(b.name, piece))
        ends[piece].insert(b.name.substr(piece.size() + 1));
    for (const DxfBlock& b : dxf.blocks) {
      std::string size = text_of(b, "SIZE");
      const std::string piece = text_of(b, "PIECE NAME");
      if (size.empty() && is_ending(b.name, piece) && ends[piece].size() > 1)
        size = b.name.substr(piece.size() + 1);
      of_block_.push_back(size);
      if (!size.empty() && std::find(all_.begin(), all_.end(), size) == all_.end()) all_.push_back(size);
    }
    for (const DxfEntity& e : dxf.entities)
      for (const char* key : {"SAMPLE SIZE", "BASE SIZE"})
        if (const auto size = value_of(e.text, key); size && !size->empty()) base_ = *size;
  }
  bool graded() const { return all_.size() > 1; }
  const std::string& of_block(size_t block) const { return of_block_[block]; }
  std::string in_words() const {
    std::string words;
    for (const std::string& s : all_) words += (words.empty() ? "" : ", ") + shortened(s, 20);
    return words;
  }
  /// The size that is asked for, else the base size, else the middle one. Throws Error for one that is not
  /// there.
  std::string chosen(const std::string& wanted, const std::string& path) const {
    const auto known = [&](const std::string& s) {
      return std::find(all_.begin(), all_.end(), s) != all_.end();
    };
    if (!wanted.empty() && !known(wanted))
      throw Error("the file has no size '" + shortened(wanted, 40) + "'", path,
                  all_.empty() ? "it names no sizes: leave it out" : "its sizes are " + in_words());
    if (!wanted.empty()) return wanted;
    return known(base_) ? base_ : all_.empty() ? std::string() : all_[(all_.size() - 1) / 2];
  }

 private:
  static bool is_ending(const std::string& block, const std::string& piece) {
    return !piece.empty() && block.size() > piece.size() + 1 && block.rfind(piece, 0) == 0 &&
           std::string("_- .").find(block[piece.size()]) != std::string::npos;
  }
  std::vector<std::string> all_, of_block_;  // in the order of the file; per block, may be empty
  std::string base_;
};

/// Pieces of clothes are 0.1 to 3 m long; files that say METRIC also have centimetres and tenths of
/// millimetres.
void ask_for_unit(const Pattern& pattern, const std::string& path, double unit, bool given,
                  std::vector<std::string>& notices) {
  double largest = 0;
  for (const Panel& panel : pattern.panels) {
    dvec2 low(1e300), high(-1e300);
    for (const PanelEdge& e : panel.loops[0]) low = glm::min(low, e.start), high = glm::max(high, e.start);
    largest = std::max({largest, high.x - low.x, high.y - low.y});
  }
  if (given || (largest >= 0.1 && largest <= 3)) return;
  const auto shown = [](double m) {
    return m < 1 ? fmt::format("{:.3g} mm", 1e3 * m) : fmt::format("{:.3g} m", m);
  };
  for (const double other : {0.01, 1.0, kInch, 1e-3, 1e-4})
    if (const double size = largest / unit * other; size >= 0.25 && size <= 2.5) {
      notices.push_back(
          fmt::format("the largest piece is {} long, as the file states its unit ({}); --unit {} makes it {}",
                      shown(largest), shown(unit),
                      other == kInch ? "1in" : fmt::format("{:g}mm", 1e3 * other), shown(size)));
      return;
    }
  notices.push_back(
      fmt::format("{}: the largest piece is {} long; --unit states the unit", path, shown(largest)));
}

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

namespace {

class PatternReader {
 public:
  PatternReader(const DxfText& dxf, double unit, const std::string& path, const std::string& size)
      : dxf_(dxf), unit_(unit), path_(path), sizes_(dxf), size_(sizes_.chosen(size, path)) {}

  Pattern run(std::vector<std::string>& notices) {
    for (size_t b = 0; b < dxf_.blocks.size(); ++b) take_block(b);
    if (pattern_.panels.empty())
      throw Error("the file has no pieces", path_,
                  "a piece is a block with a closed polyline on layer 14 or 1");
    if (sizes_.graded())
      notices.push_back(
          fmt::format("its sizes are {}: {} is taken, {} pieces of others are left out; --size, or "
                      "size = \"...\" in [[garment]], takes another",
                      sizes_.in_words(), shortened(size_, 20), other_sizes_));
    told_.tell(notices);
    int lines = 0;
    for (const Panel& p : pattern_.panels) lines += int(p.marks.lines.size() + p.marks.drills.size());
    if (lines > 0)
      notices.push_back(
          fmt::format("{} internal lines and drill holes are marks on drawings, and no cuts", lines));
    if (dxf_.skipped > 0)
      notices.push_back(fmt::format("{} entities of other kinds are left out", dxf_.skipped));
    for (const DxfEntity& e : dxf_.entities)
      if (const auto name = value_of(e.text, "STYLE NAME"); name && !name->empty()) pattern_.name = *name;
    return std::move(pattern_);
  }

 private:
  void take_block(size_t b) {
    const DxfBlock& block = dxf_.blocks[b];
    if (block.name.rfind("*", 0) == 0) return;  // AutoCAD's own
    if (sizes_.graded() && !sizes_.of_block(b).empty() && sizes_.of_block(b) != size_)
      return void(++other_sizes_);
    const ivec2 quantity = quantity_of(block);
    if (quantity.x > 0 || quantity.y == 0) add(PieceReader(block, unit_, told_).run(), block, "");
    if (quantity.y > 0) {
      PieceNotices again;  // the same as of the piece as it is drawn
      const DxfBlock other = mirrored(block);
      add(PieceReader(other, unit_, quantity.x > 0 ? again : told_).run(), other, " mirrored");
    }
    if (const int more = std::max(0, quantity.x - 1) + std::max(0, quantity.y - 1); more > 0)
      told_.add(block.name, "cut more than once, or than once on each side; it is here once on each");
  }

  void add(std::optional<Panel> panel, const DxfBlock& block, const char* side) {
    if (!panel) {
      if (!block.entities.empty()) told_.add(block.name, "no closed line on layer 14 or 1; left out");
      return;
    }
    const std::string size = sizes_.graded() ? " " + size_ : "";
    const std::string stem = (panel->name.empty() ? "piece" : panel->name) + size + side;
    panel->name = stem;
    for (int n = 2; !names_.insert(panel->name).second; ++n) panel->name = fmt::format("{} {}", stem, n);
    pattern_.panels.push_back(std::move(*panel));
  }

  const DxfText& dxf_;
  double unit_;  // m
  const std::string& path_;
  Sizes sizes_;
  std::string size_;
  PieceNotices told_;
  Pattern pattern_;
  std::set<std::string> names_;
  int other_sizes_ = 0;
};

}  // namespace

Pattern parse_dxf_pattern(const std::string& text, const std::string& path, double unit,
                          std::vector<std::string>& notices, const std::string& size) {
  const DxfText dxf = read_dxf(text, path);
  const bool given = unit > 0;
  if (!given) unit = unit_of(dxf, path);
  if (!(unit > 0))
    throw Error("the file does not say its unit", path,
                "give the unit, for example 1mm, or add the text UNITS: METRIC");
  Pattern pattern = PatternReader(dxf, unit, path, size).run(notices);
  place_in_a_row(pattern);
  ask_for_unit(pattern, path, unit, given, notices);
  check_pattern(pattern, path);
  return pattern;
}

}  // namespace weft
