#include "sim/files/usda_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "sim/base/error.h"
#include "sim/base/shorten.h"

namespace weft {
namespace {

constexpr int kMostTextDepth = 100;  // of prims and of brackets

// Stage.Export writes what a stage is composed of as one layer; the package has no usdcat.
constexpr const char* kExport =
    "pip install usd-core, then python3 -c \"from pxr import Usd; Usd.Stage.Open('IN').Export('out.usda')\"";
const std::string kFlatten = std::string("write it flat: ") + kExport + ", or export the mesh alone";

bool one_of(std::string_view word, std::initializer_list<const char*> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Texture coordinates and the indices of such lists.
bool is_texture(const std::string& name, const std::string& type) {
  return name.starts_with("primvars:") &&
         (type.starts_with("texCoord2") || name.starts_with("primvars:st") || name.ends_with(":indices"));
}

/// Numbers and colours of points, as painted maps are.
bool is_painted(const std::string& name, const std::string& type) {
  return name.starts_with("primvars:") &&
         one_of(type, {"float[]", "double[]", "half[]", "color3f[]", "color3d[]", "color3h[]", "color4f[]",
                       "color4d[]", "color4h[]"});
}

bool is_wanted(const std::string& name) {
  return name.starts_with("xformOp:") || name.starts_with("skel:") || name.starts_with("primvars:skel:") ||
         one_of(name, {"points", "faceVertexCounts", "faceVertexIndices", "holeIndices", "orientation",
                       "subdivisionScheme", "purpose", "visibility", "xformOpOrder"});
}

struct Token {
  enum class Kind { end, word, number, text, sign } kind = Kind::end;
  std::string_view text;  // of a sign one character; of a text without its quotes
  double number = 0;
};

class Parser {
 public:
  Parser(const std::string& text, const std::string& path) : text_(text), path_(path) { next(); }

  UsdaLayer run() {
    UsdaLayer layer;
    if (is_sign('(')) layer_metadata(layer);
    while (now_.kind != Token::Kind::end) {
      if (skip_order_statement()) continue;
      layer.prims.push_back(prim("", 0));
    }
    return layer;
  }

  [[noreturn]] void fail(const std::string& what, const std::string& todo = "export the file again") const {
    throw Error(what, fmt::format("{}:{}", path_, line_), todo);
  }

 private:
  // Tokens

  static bool is_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == ':' || c == '!' || (c & 0x80);
  }

  void skip_space() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') ++line_, ++at_;
      else if (c == ' ' || c == '\t' || c == '\r' || c == ';') ++at_;
      else if (c == '#') at_ = std::min(text_.find('\n', at_), text_.size());
      else return;
    }
  }

  void next() {
    skip_space();
    now_ = {};
    if (at_ >= text_.size()) return;
    const char c = text_[at_];
    if (c == '"' || c == '\'') return quoted(c);
    if (c == '@')
      return between(text_.substr(at_, 3) == "@@@" ? "@@@" : "@",
                     text_.substr(at_, 3) == "@@@" ? "@@@" : "@");
    if (c == '<') return between("<", ">");
    if ((c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.') return number();
    if (c != ':' && is_name(c)) {
      const size_t begin = at_;
      // a colon ends a name where it is not followed by another part of it
      while (at_ < text_.size() && (is_name(text_[at_]) || text_[at_] == '.')) ++at_;
      while (at_ > begin + 1 && text_[at_ - 1] == ':') --at_;
      now_ = {Token::Kind::word, text_.substr(begin, at_ - begin), 0};
      if (one_of(now_.text, {"inf", "nan"})) now_.kind = Token::Kind::number, now_.number = NAN;
      return;
    }
    now_ = {Token::Kind::sign, text_.substr(at_++, 1), 0};
  }

  void number() {
    const size_t begin = at_;
    if (text_[at_] == '+') ++at_;
    double value = 0;
    const auto [end, code] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (code == std::errc::invalid_argument)
      fail(fmt::format("'{}' is not a number", text_.substr(begin, 12)));
    if (code == std::errc::result_out_of_range) value = INFINITY;
    at_ = size_t(end - text_.data());
    now_ = {Token::Kind::number, text_.substr(begin, at_ - begin), value};
  }

  void quoted(char quote) {
    const std::string one(1, quote), three(3, quote);
    const bool longer = text_.substr(at_, 3) == three;
    const size_t begin = at_ + (longer ? 3 : 1);
    size_t end = begin;
    while (end < text_.size() && (longer ? text_.substr(end, 3) != three : text_[end] != quote)) {
      if (text_[end] == '\n') {
        if (!longer) fail("a text in quotes does not end in its line");
        ++line_;
      }
      end += text_[end] == '\\' ? 2 : 1;
    }
    if (end >= text_.size()) fail("a text in quotes does not end");
    now_ = {Token::Kind::text, text_.substr(begin, end - begin), 0};
    at_ = end + (longer ? 3 : 1);
  }

  void between(std::string_view open, std::string_view close) {
    const size_t begin = at_ + open.size(), end = text_.find(close, begin);
    if (end == text_.npos || text_.substr(begin, end - begin).find('\n') != text_.npos)
      fail(fmt::format("'{}' is not closed", open));
    now_ = {Token::Kind::text, text_.substr(begin, end - begin), 0};
    at_ = end + close.size();
  }

  bool is_sign(char c) const { return now_.kind == Token::Kind::sign && now_.text[0] == c; }
  bool is_word(const char* word) const { return now_.kind == Token::Kind::word && now_.text == word; }
  bool take(char c) {
    if (!is_sign(c)) return false;
    next();
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail(fmt::format("'{}' is missing before '{}'", c, shortened(shown(), 40)));
  }
  std::string shown() const {
    return now_.kind == Token::Kind::end ? "the end of the file" : std::string(now_.text);
  }
  std::string word() {
    if (now_.kind != Token::Kind::word)
      fail(fmt::format("a name is missing before '{}'", shortened(shown(), 40)));
    std::string out(now_.text);
    next();
    return out;
  }

  // Values

  void skip_group() {
    int depth = 0;
    do {
      if (is_sign('(') || is_sign('[') || is_sign('{')) ++depth;
      if (is_sign(')') || is_sign(']') || is_sign('}')) --depth;
      if (now_.kind == Token::Kind::end) fail("a bracket is not closed");
      if (depth > kMostTextDepth) fail("brackets are nested too deep");
      next();
    } while (depth > 0);
  }

  /// One value, its nesting left out. `into`: nullptr skips it.
  void value(UsdaValue* into) {
    if (is_sign('{')) return skip_group();  // a dictionary
    int depth = 0;
    do {
      if (is_sign('(') || is_sign('[')) {
        if (++depth > kMostTextDepth) fail("brackets are nested too deep");
      } else if (is_sign(')') || is_sign(']')) {
        if (--depth < 0) fail("a value is missing");
      } else if (now_.kind == Token::Kind::number) {
        if (into) into->numbers.push_back(now_.number);
      } else if (now_.kind == Token::Kind::word || now_.kind == Token::Kind::text) {
        if (into && is_word("None")) into->blocked = true;
        else if (into) into->words.emplace_back(now_.text);
      } else if (!(is_sign(',') && depth > 0)) {
        fail(fmt::format("a value is missing before '{}'", shortened(shown(), 40)));
      }
      next();
      // a path behind an asset (@a.usda@</b>), or an offset in brackets, is part of list items only
    } while (depth > 0);
  }

  void time_samples(UsdaAttribute* into) {
    expect('{');
    while (!take('}')) {
      if (now_.kind != Token::Kind::number) fail("a time code is missing");
      const double code = now_.number;
      next();
      expect(':');
      UsdaValue own;
      value(into ? &own : nullptr);
      if (!is_sign('}')) expect(',');
      if (!into) continue;
      if (!std::isfinite(code)) fail("a time code is not a finite number");
      into->samples.emplace_back(code, std::move(own));
    }
    if (!into) return;
    std::stable_sort(into->samples.begin(), into->samples.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (size_t i = 1; i < into->samples.size(); ++i)
      if (into->samples[i].first == into->samples[i - 1].first)
        fail(fmt::format("time code {:g} has two samples", into->samples[i].first));
  }

  // Metadata

  void layer_metadata(UsdaLayer& layer) {
    expect('(');
    while (!take(')')) {
      if (now_.kind == Token::Kind::text) {  // a comment
        next();
        continue;
      }
      list_edit();
      const std::string key = word();
      if (!take('=')) fail("'=' is missing after " + shortened(key, 40));
      if (key == "subLayers" && !empty_list())
        fail("the file is made of sublayers, which are other files", kFlatten);
      value(&layer.metadata[key]);
      if (is_sign('(')) skip_group();
    }
  }

  /// "prepend" and the like, before a name.
  void list_edit() {
    if (now_.kind == Token::Kind::word &&
        one_of(now_.text, {"add", "append", "prepend", "delete", "reorder"}))
      next();
  }

  /// True at "[]" or "None".
  bool empty_list() const {
    if (is_word("None")) return true;
    if (!is_sign('[')) return false;
    Parser ahead(*this);
    ahead.next();
    return ahead.is_sign(']');
  }

  void prim_metadata(UsdaPrim& prim) {
    if (!take('(')) return;
    const bool shape = !one_of(prim.type, {"Material", "Shader", "NodeGraph", "TetMesh"});
    while (!take(')')) {
      if (now_.kind == Token::Kind::text) {
        next();
        continue;
      }
      list_edit();
      const std::string key = word();
      if (!take('=')) continue;
      if (shape && one_of(key, {"references", "payload", "inherits", "specializes"}) && !empty_list())
        fail(fmt::format("{} has {}, which is in another place or file", prim.path, key), kFlatten);
      if (shape && one_of(key, {"variantSets"}) && !empty_list()) fail(prim.path + " has variants", kFlatten);
      UsdaValue own;
      while (true) {  // items may carry a path and an offset
        value(&own);
        if (is_sign('(')) skip_group();
        if (now_.kind != Token::Kind::text) break;
      }
      if (key == "active")
        prim.active =
            !own.numbers.empty() ? own.numbers[0] != 0 : own.words.empty() || own.words[0] != "false";
    }
  }

  // Prims

  bool skip_order_statement() {
    if (!is_word("reorder")) return false;
    next();
    word();
    expect('=');
    value(nullptr);
    return true;
  }

  UsdaPrim prim(const std::string& parent, int depth) {
    if (depth > kMostTextDepth) fail("prims are nested too deep");
    UsdaPrim out;
    out.line = line_;
    out.specifier = word();
    if (!one_of(out.specifier, {"def", "over", "class"}))
      fail(fmt::format("'{}' is not part of USD: def, over or class is missing",
                       shortened(out.specifier, 40)));
    if (now_.kind == Token::Kind::word) out.type = word();
    if (now_.kind != Token::Kind::text) fail("the name of a prim is missing");
    out.path = parent + "/" + std::string(now_.text);
    next();
    prim_metadata(out);
    expect('{');
    while (!take('}')) {
      if (now_.kind == Token::Kind::end)
        fail("the file ends within " + shortened(out.path, 60), "it is truncated: copy or export it again");
      if (is_word("def") || is_word("over") || is_word("class"))
        out.children.push_back(prim(out.path, depth + 1));
      else if (is_word("variantSet")) variants(out);
      else if (!skip_order_statement()) attribute(out);
    }
    return out;
  }

  void variants(const UsdaPrim& owner) {
    if (!one_of(owner.type, {"Material", "Shader", "NodeGraph"}))
      fail(owner.path + " has variants", kFlatten);
    next(), next();
    expect('=');
    skip_group();
  }

  void attribute(UsdaPrim& owner) {
    list_edit();
    while (now_.kind == Token::Kind::word && one_of(now_.text, {"custom", "uniform", "varying", "config"}))
      next();
    list_edit();
    UsdaAttribute own;
    own.line = line_;
    own.type = word();
    if (take('[')) expect(']'), own.type += "[]";
    std::string name = word(), part;
    if (const size_t dot = name.find('.'); dot != name.npos) part = name.substr(dot + 1), name.resize(dot);
    const bool wanted =
        (is_wanted(name) || is_texture(name, own.type) || is_painted(name, own.type)) && part != "connect";
    UsdaAttribute& kept = wanted ? owner.attributes[name] : own;
    if (wanted) kept.type = own.type, kept.line = own.line;
    if (take('=')) {
      if (part == "timeSamples") {
        if (!kept.samples.empty()) fail(name + " has two lists of samples");
        time_samples(wanted ? &kept : nullptr);
      } else {
        UsdaValue read;
        value(wanted ? &read : nullptr);
        if (wanted) kept.value = std::move(read);
      }
    }
    if (wanted && is_sign('(')) attribute_metadata(kept);
    else if (is_sign('(')) skip_group();
  }

  void attribute_metadata(UsdaAttribute& kept) {
    int depth = 0;
    do {
      if (is_sign('(') || is_sign('[') || is_sign('{')) ++depth;
      if (is_sign(')') || is_sign(']') || is_sign('}')) --depth;
      if (now_.kind == Token::Kind::end) fail("a bracket is not closed");
      if (depth > kMostTextDepth) fail("brackets are nested too deep");
      const bool names = depth == 1 && is_word("interpolation");
      next();
      if (!names || !take('=') || now_.kind != Token::Kind::text) continue;
      kept.interpolation = std::string(now_.text);
      next();
    } while (depth > 0);
  }

  std::string_view text_;
  std::string path_;
  size_t at_ = 0;
  int line_ = 1;
  Token now_;
};

}  // namespace

UsdaLayer parse_usda(const std::string& text, const std::string& path) {
  const std::string convert = std::string("convert it to text: ") + kExport + ", or save it as .usda";
  if (text.starts_with("PXR-USDC")) throw Error("this is binary USD (usdc)", path, convert);
  if (text.starts_with("PK\x03\x04")) throw Error("this is a package of USD files (usdz)", path, convert);
  if (!text.starts_with("#usda 1."))
    throw Error("this is not USD as text: it does not begin with #usda 1.0", path, "give a .usda file");
  return Parser(text, path).run();
}

}  // namespace weft
