#include "sim/mesh/import/obj_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <string_view>

#include "sim/base/error.h"
#include "sim/base/shorten.h"

namespace weft {
namespace {

constexpr double kFarthestVertex = 1e6;  // m; float32 resolves 6 cm there, and squares are far from overflow

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }

constexpr size_t kLongestShown = 60;  // bytes of a word from the file that a message shows

/// Text from a file for a message: shortened, control characters replaced.
std::string shown(std::string_view s) {
  std::string text = shortened(std::string(s), kLongestShown);
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 32) c = '?';
  return text;
}

std::string in_quotes(std::string_view s) { return "'" + shown(s) + "'"; }

/// Length of the well-formed UTF-8 character at the start of `s`; 0 if there is none.
size_t utf8_length(std::string_view s) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(s[i]); };
  const size_t length = byte(0) < 0x80   ? 1
                        : byte(0) < 0xC2 ? 0
                        : byte(0) < 0xE0 ? 2
                        : byte(0) < 0xF0 ? 3
                        : byte(0) < 0xF5 ? 4
                                         : 0;
  if (length > s.size()) return 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  if (length == 3 && ((byte(0) == 0xE0 && byte(1) < 0xA0) || (byte(0) == 0xED && byte(1) > 0x9F))) return 0;
  if (length == 4 && ((byte(0) == 0xF0 && byte(1) < 0x90) || (byte(0) == 0xF4 && byte(1) > 0x8F))) return 0;
  return length;
}

/// A valid name for scenes: control characters and bytes that are not UTF-8 become '_'.
std::string clean_name(std::string_view s) {
  std::string name;
  while (!s.empty()) {
    const size_t length = utf8_length(s);
    const bool control = static_cast<unsigned char>(s[0]) < 32 || s[0] == 127;
    if (length == 0 || control) name += '_';
    else name += s.substr(0, length);
    s.remove_prefix(std::max<size_t>(1, length));
  }
  return name;
}

class ObjReader {
 public:
  ObjReader(const std::string& text, const std::string& path)
      : path_(path), at_(text.data()), end_(at_ + text.size()) {}

  ObjText run() {
    check_encoding();
    while (at_ < end_) {
      next_statement();
      std::string_view keyword;
      if (next_token(keyword)) statement(keyword);
    }
    check_forward_references();
    drop_unusable_textures();
    if (colors_.empty()) return std::move(out_);
    colors_.resize(out_.vertices.size(), vec3(NAN));
    add_color(out_.attributes, "color", colors_);
    return std::move(out_);
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& hint = {}, int line = 0) const {
    throw Error(what, fmt::format("{}:{}", path_, line ? line : line_), hint);
  }

  void check_encoding() {
    const std::string_view all(at_, size_t(end_ - at_));
    if (all.substr(0, 3) == "\xEF\xBB\xBF") out_.byte_order_mark = true, at_ += 3;
    if (all.substr(0, 2) == "\xFF\xFE" || all.substr(0, 2) == "\xFE\xFF")
      fail("the file is UTF-16 text", "save it as plain text (UTF-8)", 1);
    if (const void* zero = std::memchr(at_, 0, size_t(end_ - at_)))
      fail("the file holds a zero byte, so it is not OBJ text", "export the mesh as OBJ",
           1 + int(std::count(all.data(), static_cast<const char*>(zero), '\n')));
  }

  /// Takes the next line; lines that end in a backslash are joined.
  void next_statement() {
    line_ = ++lines_read_;
    std::string_view line = next_line();
    if (line.empty() || line.back() != '\\') {
      rest_ = line;
      return;
    }
    joined_.clear();
    while (!line.empty() && line.back() == '\\') {
      joined_.append(line.substr(0, line.size() - 1)) += ' ';
      if (at_ >= end_) break;
      ++lines_read_;
      line = next_line();
    }
    if (!line.empty() && line.back() != '\\') joined_.append(line);
    rest_ = joined_;
  }

  /// Ends at LF, CR LF or CR.
  std::string_view next_line() {
    const char* begin = at_;
    while (at_ < end_ && *at_ != '\n' && *at_ != '\r') ++at_;
    const std::string_view line(begin, size_t(at_ - begin));
    if (at_ < end_ && *at_++ == '\r' && at_ < end_ && *at_ == '\n') ++at_;
    return line;
  }

  /// The next word of the statement; false at its end or at a comment.
  bool next_token(std::string_view& token) {
    size_t i = 0;
    while (i < rest_.size() && is_space(rest_[i])) ++i;
    rest_.remove_prefix(i);
    if (rest_.empty() || rest_[0] == '#') return false;
    size_t length = 0;
    while (length < rest_.size() && !is_space(rest_[length])) ++length;
    token = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return true;
  }

  void statement(std::string_view keyword) {
    if (keyword == "v") vertex();
    else if (keyword == "f") face();
    else if (keyword == "vt") texture();
    else if (keyword == "vn") normal();
    else if (keyword == "o") object_ = name_of_rest();
    else if (keyword == "g") group_ = name_of_rest();
    else if (keyword == "l") polyline();
    else if (keyword == "p") out_.points.add(line_);
    else if (!is_known(keyword)) out_.unknown[in_quotes(keyword)].add(line_);
  }

  /// The rest of the statement as a place in `names`; -1 where there is none.
  int name_of_rest() {
    while (!rest_.empty() && is_space(rest_.front())) rest_.remove_prefix(1);
    while (!rest_.empty() && is_space(rest_.back())) rest_.remove_suffix(1);
    if (rest_.empty()) return -1;
    const auto [at, is_new] = name_places_.try_emplace(clean_name(rest_), int(out_.names.size()));
    if (is_new) out_.names.push_back(at->first);
    return at->second;
  }

  /// Smoothing, materials: without meaning for cloth.
  static bool is_known(std::string_view keyword) {
    static constexpr std::string_view known[] = {"s", "usemtl", "mtllib", "mg", "lod", "usemap", "maplib"};
    return std::find(std::begin(known), std::end(known), keyword) != std::end(known);
  }

  double number(std::string_view token, bool may_be_infinite = false) const {
    double value = 0;
    std::string_view digits = token;
    if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (code == std::errc::result_out_of_range)
      fail(in_quotes(token) + " is too large or too small to be represented");
    if (code != std::errc() || end != digits.data() + digits.size())
      fail(in_quotes(token) + " is not a number",
           token.find(',') == token.npos ? "" : "write decimals with a point");
    if (!may_be_infinite && !std::isfinite(value))
      fail(in_quotes(token) + " is not a finite number", "fix the mesh in the program that exported it");
    return value;
  }

  /// All numbers of the statement; returns how many (those after the seventh are checked, counted, not kept).
  int numbers(double* values, bool may_be_infinite = false) {
    int count = 0;
    for (std::string_view token; next_token(token); ++count) {
      const double value = number(token, may_be_infinite);
      if (count < 7) values[count] = value;
    }
    return count;
  }

  void vertex() {
    double x[7];
    const int count = numbers(x);
    if (count < 3) fail(fmt::format("a vertex needs three coordinates, this one has {}", count));
    if (count != 3 && count != 4 && count != 6 && count != 7)
      fail(
          fmt::format("a vertex has three coordinates, then a weight or a colour; it has {} numbers", count));
    for (int k = 0; k < 3; ++k)
      if (std::abs(x[k]) > kFarthestVertex)
        fail(fmt::format("the coordinate {:g} is beyond 1000 km", x[k]),
             "Weft works in metres; scale the mesh");
    if ((count == 4 || count == 7) && x[3] != 1) out_.weights.add(line_);
    if (count >= 6) {
      colors_.resize(out_.vertices.size(), vec3(NAN));
      colors_.push_back(vec3(dvec3(x[count - 3], x[count - 2], x[count - 1])));
    }
    out_.vertices.push_back(vec3(dvec3(x[0], x[1], x[2])));
    out_.vertex_lines.push_back(line_);
  }

  void polyline() {
    out_.lines.add(line_);
    out_.polylines.push_back({line_, int(out_.vertices.size()), {}});
    for (std::string_view token; next_token(token);) out_.polylines.back().words.emplace_back(token);
  }

  void texture() {
    double x[7] = {};
    const int count = numbers(x, true);
    if (count < 1 || count > 3)
      fail(fmt::format("a texture coordinate has one to three numbers, this one has {}", count));
    const bool usable =
        std::max(std::abs(x[0]), std::abs(x[1])) <= kFarthestVertex && !std::isnan(x[0]) && !std::isnan(x[1]);
    if (!usable) out_.bad.textures.add(line_);
    out_.textures.push_back(usable ? vec2(dvec2(x[0], x[1])) : vec2(NAN));
  }

  /// Normals are not used (surfaces compute their own), so an invalid one does not refuse the mesh.
  void normal() {
    int count = 0;
    bool sound = true;
    for (std::string_view token; next_token(token); ++count) {
      double value = 0;
      const auto [end, code] =
          std::from_chars(token.data() + (token[0] == '+'), token.data() + token.size(), value);
      sound &= code == std::errc() && end == token.data() + token.size() && std::isfinite(value);
    }
    if (!sound || count != 3) out_.bad.normals.add(line_);
    ++normals_;
  }

  /// The whole number that an index is written as; one that int cannot hold becomes the largest or the
  /// smallest int.
  int whole_number(std::string_view digits, std::string_view corner) const {
    long long value = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (code == std::errc::invalid_argument || end != digits.data() + digits.size())
      fail(fmt::format("{} in the corner {} is not a whole number", in_quotes(digits), in_quotes(corner)));
    if (code == std::errc::result_out_of_range) value = digits[0] == '-' ? -0x7FFFFFFFLL : 0x7FFFFFFFLL;
    return int(std::clamp(value, -0x7FFFFFFFLL, 0x7FFFFFFFLL));
  }

  /// An index of a vertex as a position from 0. A negative one counts back from the last defined one; a
  /// positive one may refer forward, which is checked at the end.
  int vertex_index(std::string_view digits, std::string_view corner) {
    const int value = whole_number(digits, corner), defined = int(out_.vertices.size());
    if (value == 0x7FFFFFFF || value < -defined)
      fail(fmt::format("the vertex index {} is out of range: {} are defined so far", shown(digits), defined));
    if (value == 0) fail("the vertex index 0 is not allowed", "OBJ counts from 1");
    if (value < 0) return defined + value;
    if (value > highest_vertex_.count) highest_vertex_ = {value, line_};
    return value - 1;
  }

  /// The same for a texture coordinate; an invalid one becomes the largest int, which is beyond any file.
  int texture_index(std::string_view digits, std::string_view corner) const {
    const int value = whole_number(digits, corner), defined = int(out_.textures.size());
    if (value > 0) return value - 1;
    return value < 0 && value >= -defined ? defined + value : 0x7FFFFFFF;
  }

  /// Checked only; normals are not used.
  void normal_index(std::string_view digits, std::string_view corner) {
    const int value = whole_number(digits, corner);
    if (value == 0 || value < -normals_) out_.bad.normal_indices.add(line_);
    if (value > normals_) forward_normals_.push_back({value, line_});
  }

  void face() {
    bool first = true, with_texture = false, with_normal = false, mixed = false;
    const size_t start = out_.corners.size();
    for (std::string_view token; next_token(token); first = false) {
      const size_t slash = token.find('/');
      ObjText::Corner corner;
      corner.vertex = vertex_index(token.substr(0, slash), token);
      bool has_normal = false;
      if (slash != token.npos) {
        const std::string_view after = token.substr(slash + 1);
        const size_t second = after.find('/');
        const std::string_view texture = after.substr(0, second);
        if (!texture.empty()) corner.texture = texture_index(texture, token);
        else if (second == after.npos)
          fail(in_quotes(token) + " ends in a slash", "write v, v/vt, v//vn or v/vt/vn");
        has_normal = second != after.npos;
        if (has_normal) normal_index(after.substr(second + 1), token);
      }
      if (first) with_texture = corner.texture >= 0, with_normal = has_normal;
      mixed |= with_texture != (corner.texture >= 0) || with_normal != has_normal;
      out_.corners.push_back(corner);
    }
    if (mixed) out_.mixed_corners.add(line_);
    if (out_.corners.size() - start < 3) {
      out_.short_faces.add(line_);
      out_.corners.resize(start);
      return;
    }
    out_.face_starts.push_back(int(out_.corners.size()));
    out_.face_lines.push_back(line_);
    out_.face_object.push_back(object_);
    out_.face_group.push_back(group_);
  }

  void check_forward_references() {
    if (highest_vertex_.count > int(out_.vertices.size()))
      fail(fmt::format("the vertex index {} is out of range: the file defines {}", highest_vertex_.count,
                       out_.vertices.size()),
           "", highest_vertex_.first_line);
    for (const auto& [index, line] : forward_normals_)
      if (index > normals_) out_.bad.normal_indices.add(line);
  }

  /// Removes missing and invalid texture coordinates from corners.
  void drop_unusable_textures() {
    for (int f = 0; f < out_.face_count(); ++f)
      for (int c = out_.face_starts[f]; c < out_.face_starts[f + 1]; ++c) {
        int& texture = out_.corners[c].texture;
        if (texture < 0) continue;
        if (texture >= int(out_.textures.size()))
          out_.bad.texture_indices.add(out_.face_lines[f]), texture = -1;
        else if (std::isnan(out_.textures[texture].x)) texture = -1;
      }
  }

  const std::string& path_;
  const char* at_;
  const char* end_;
  int line_ = 0, lines_read_ = 0;
  std::string_view rest_;
  std::string joined_;
  int normals_ = 0;
  std::vector<std::pair<int, int>> forward_normals_;  // index and line
  ObjTally highest_vertex_;                           // count: the highest index; first_line: where
  int object_ = -1, group_ = -1;                      // places in ObjText::names
  std::map<std::string, int> name_places_;
  std::vector<vec3> colors_;  // of vertices; empty: none has one
  ObjText out_;
};

}  // namespace

ObjText read_obj_text(const std::string& text, const std::string& path_for_messages) {
  return ObjReader(text, path_for_messages).run();
}

std::vector<int> vertices_of(const ObjText& text, const ObjText::Line& line) {
  std::vector<int> vertices;
  for (const std::string& word : line.words) {
    const long long index = std::atoll(word.c_str()),
                    vertex = index < 0 ? line.vertices_before + index : index - 1;
    if (vertex >= 0 && vertex < (long long)text.vertices.size()) vertices.push_back(int(vertex));
  }
  return vertices;
}

}  // namespace weft
