#include "sim/garment/formats/dxf_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "sim/base/error.h"
#include "sim/base/shorten.h"

namespace weft {
namespace {

constexpr double kFarthestInFile = 1e9;  // units of the file

std::string trimmed(const std::string& text) {
  const size_t a = text.find_first_not_of(" \t\r"), b = text.find_last_not_of(" \t\r");
  return a == text.npos ? "" : text.substr(a, b - a + 1);
}

struct Pair {
  int code;
  std::string value;
  int line;  // of the value
};

class DxfReader {
 public:
  DxfReader(const std::string& text, const std::string& path) : text_(text), path_(path) {}

  DxfText run() {
    if (text_.rfind("AutoCAD Binary DXF", 0) == 0)
      throw Error("this is a binary DXF file", path_, "export it as text (ASCII DXF)");
    for (;;) {
      const Pair p = next();
      if (p.code != 0) fail(p.line, "a section or the end was expected");
      if (p.value == "EOF") return std::move(out_);
      if (p.value != "SECTION") fail(p.line, "'" + shortened(p.value, 80) + "' stands outside of a section");
      const Pair name = next();
      if (name.code != 2) fail(name.line, "the section has no name");
      section(name.value);
    }
  }

 private:
  [[noreturn]] void fail(int line, const std::string& what,
                         const std::string& to_do = "export it again as ASCII DXF (AAMA or ASTM)") const {
    throw Error(what, fmt::format("{}:{}", path_, line), to_do);
  }

  bool read_line(std::string& line) {
    if (at_ >= text_.size()) return false;
    const size_t end = std::min(text_.find('\n', at_), text_.size());
    line = trimmed(text_.substr(at_, end - at_));
    at_ = end + 1, ++line_;
    return true;
  }

  Pair next() {
    if (unread_) {
      unread_ = false;
      return last_;
    }
    std::string code, value;
    do {
      if (!read_line(code)) fail(line_, "the file ends without EOF", "it is incomplete; export it again");
      if (code == "999") {  // a comment
        if (!read_line(value)) fail(line_, "the file ends without EOF", "it is incomplete; export it again");
        code.clear();
      }
    } while (code.empty());
    Pair p{0, "", 0};
    const auto [end, fault] = std::from_chars(code.data(), code.data() + code.size(), p.code);
    if (fault != std::errc() || end != code.data() + code.size())
      fail(line_, "'" + shortened(code, 80) + "' is no group code, which is a whole number");
    if (!read_line(p.value))
      fail(line_, "the file ends after a group code", "it is incomplete; export it again");
    p.line = line_;
    return last_ = p;
  }
  void unread() { unread_ = true; }

  double number(const Pair& p) const {
    double x = 0;
    const char* begin = p.value.data() + (p.value.rfind('+', 0) == 0 ? 1 : 0);
    const auto [end, fault] = std::from_chars(begin, p.value.data() + p.value.size(), x);
    if (fault != std::errc() || end != p.value.data() + p.value.size() || !std::isfinite(x))
      fail(p.line, "'" + shortened(p.value, 80) + "' is no number");
    if (std::abs(x) > kFarthestInFile) fail(p.line, fmt::format("a coordinate of {:g} is too large", x));
    return x;
  }

  void section(const std::string& name) {
    std::string variable;
    for (;;) {
      const Pair p = next();
      if (p.code == 0 && p.value == "ENDSEC") return;
      if (p.code == 0 && p.value == "EOF") fail(p.line, "the section " + shortened(name, 80) + " has no end");
      if (name == "HEADER") {
        if (p.code == 9) variable = p.value;
        else if (p.code == 70 && !variable.empty()) out_.header[variable] = number(p);
      } else if (name == "BLOCKS" && p.code == 0 && p.value == "BLOCK") {
        block(p.line);
      } else if (name == "ENTITIES" && p.code == 0) {
        entity(p, out_.entities);
      }
    }
  }

  void block(int line) {
    DxfBlock block{"", line, {}};
    for (;;) {
      const Pair p = next();
      if (p.code == 2 && block.name.empty()) block.name = p.value;
      if (p.code != 0) continue;
      if (p.value == "ENDBLK") break;
      if (p.value == "ENDSEC" || p.value == "EOF")
        fail(p.line, "the block " + shortened(block.name, 80) + " has no end (ENDBLK)");
      entity(p, block.entities);
    }
    out_.blocks.push_back(std::move(block));
  }

  /// After its kind: reads up to the next entity.
  void entity(const Pair& kind, std::vector<DxfEntity>& to) {
    const std::string& k = kind.value;
    DxfEntity e{k, "", "", {}, {}, false, kind.line};
    const bool known =
        k == "POINT" || k == "LINE" || k == "POLYLINE" || k == "LWPOLYLINE" || k == "TEXT" || k == "MTEXT";
    if (!known) {
      out_.skipped += k != "INSERT" && k != "SEQEND";
      return;
    }
    read_groups(e, k == "POLYLINE");
    if (k == "POLYLINE") vertices(e);
    to.push_back(std::move(e));
  }

  /// Groups of one entity; `header`: of a polyline, whose own point means nothing.
  void read_groups(DxfEntity& e, bool header) {
    for (;;) {
      const Pair p = next();
      if (p.code == 0) return unread();
      if (p.code == 8) e.layer = p.value;
      if (p.code == 1 && (e.kind == "TEXT" || e.kind == "MTEXT")) e.text = p.value;
      if (p.code == 70 && (e.kind == "POLYLINE" || e.kind == "LWPOLYLINE")) e.closed = int(number(p)) & 1;
      if (header) continue;
      if (p.code == 10 || (p.code == 11 && e.kind == "LINE"))
        e.points.push_back({number(p), 0}), e.bulges.push_back(0);
      if ((p.code == 20 || (p.code == 21 && e.kind == "LINE")) && !e.points.empty())
        e.points.back().y = number(p);
      if (p.code == 42 && !e.bulges.empty()) e.bulges.back() = number(p);
    }
  }

  void vertices(DxfEntity& e) {
    for (;;) {
      const Pair p = next();
      if (p.code != 0) continue;
      if (p.value == "SEQEND") {
        DxfEntity end{"SEQEND", "", "", {}, {}, false, p.line};
        return read_groups(end, true);
      }
      if (p.value != "VERTEX")
        fail(p.line, "the polyline that begins in line " + std::to_string(e.line) + " has no end (SEQEND)");
      DxfEntity vertex{"VERTEX", "", "", {}, {}, false, p.line};
      read_groups(vertex, false);
      if (vertex.points.empty()) fail(p.line, "a vertex has no coordinates");
      e.points.push_back(vertex.points[0]), e.bulges.push_back(vertex.bulges[0]);
    }
  }

  const std::string& text_;
  const std::string& path_;
  DxfText out_;
  Pair last_{0, "", 0};
  size_t at_ = 0;
  int line_ = 0;
  bool unread_ = false;
};

}  // namespace

DxfText read_dxf(const std::string& text, const std::string& path) { return DxfReader(text, path).run(); }

}  // namespace weft
