#include "sim/mesh/obj_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string_view>

#include "sim/base/error.h"

namespace weft {
namespace {

constexpr double kFarthest = 1e6;  // m; float32 resolves 6 cm there, and squares stay far from overflow

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }

/// Text from a file, made fit for a message: short, and without control characters.
std::string quoted(std::string_view s) {
  std::string shown;
  for (char c : s.substr(0, 40)) shown += static_cast<unsigned char>(c) < 32 ? '?' : c;
  return "'" + shown + (s.size() > 40 ? "..." : "") + "'";
}

class Reader {
 public:
  Reader(const std::string& text, const std::string& path) : path_(path), at_(text.data()), end_(at_ + text.size()) {}

  ObjText run() {
    check_encoding();
    while (at_ < end_) {
      next_statement();
      std::string_view keyword;
      if (next_token(keyword)) statement(keyword);
    }
    check_forward_references();
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
      fail("the file holds a zero byte, so it is no OBJ text", "export the mesh as OBJ",
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
    else if (keyword == "l") polyline();
    else if (keyword == "p") out_.points.add(line_);
    else if (!is_known(keyword)) out_.unknown[quoted(keyword)].add(line_);
  }

  /// Names, groups, materials: without meaning for a single mesh.
  static bool is_known(std::string_view keyword) {
    static constexpr std::string_view known[] = {"g", "o", "s", "usemtl", "mtllib", "mg", "lod", "usemap", "maplib"};
    return std::find(std::begin(known), std::end(known), keyword) != std::end(known);
  }

  double number(std::string_view token) const {
    double value = 0;
    std::string_view digits = token;
    if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (code == std::errc::result_out_of_range) fail(quoted(token) + " is too large or too small to be represented");
    if (code != std::errc() || end != digits.data() + digits.size())
      fail(quoted(token) + " is not a number", token.find(',') == token.npos ? "" : "write decimals with a point");
    if (!std::isfinite(value)) fail(quoted(token) + " is not a finite number", "repair the mesh where it was exported");
    return value;
  }

  /// All numbers of the statement; returns how many (those after the seventh are checked, counted, not kept).
  int numbers(double* values) {
    int count = 0;
    for (std::string_view token; next_token(token); ++count) {
      const double value = number(token);
      if (count < 7) values[count] = value;
    }
    return count;
  }

  void vertex() {
    double x[7];
    const int count = numbers(x);
    if (count < 3) fail(fmt::format("a vertex needs three coordinates, this one has {}", count));
    if (count != 3 && count != 4 && count != 6 && count != 7)
      fail(fmt::format("a vertex has three coordinates, then a weight or a colour; {} numbers make no sense", count));
    for (int k = 0; k < 3; ++k)
      if (std::abs(x[k]) > kFarthest)
        fail(fmt::format("the coordinate {:g} is beyond 1000 km", x[k]), "Weft works in metres; scale the mesh");
    if ((count == 4 || count == 7) && x[3] != 1) out_.weights.add(line_);
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
    const int count = numbers(x);
    if (count < 1 || count > 3) fail(fmt::format("a texture coordinate has one to three numbers, this one has {}", count));
    if (std::max(std::abs(x[0]), std::abs(x[1])) > kFarthest)
      fail(fmt::format("the texture coordinate ({:g}, {:g}) is too large to be meant", x[0], x[1]));
    out_.textures.push_back(vec2(dvec2(x[0], x[1])));
  }

  void normal() {
    double x[7];
    if (const int count = numbers(x); count != 3) fail(fmt::format("a normal has three numbers, this one has {}", count));
    ++normals_;
  }

  /// An index as a position from 0. A negative one counts back from what is defined so far; a positive one may refer
  /// forward, which is checked at the end.
  int index(std::string_view digits, std::string_view corner, size_t defined, const char* noun, ObjTally& highest) {
    long long value = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (code == std::errc::invalid_argument || end != digits.data() + digits.size())
      fail(fmt::format("{} in the corner {} is not a whole number", quoted(digits), quoted(corner)));
    if (code == std::errc::result_out_of_range || value > 0x7FFFFFFF || value < -(long long)defined)
      fail(fmt::format("the {} index {} is out of range: {} are defined so far", noun, digits, defined));
    if (value == 0) fail(fmt::format("the {} index 0 is not allowed", noun), "OBJ counts from 1");
    if (value < 0) return int((long long)defined + value);
    if (value > highest.count) highest = {int(value), line_};
    return int(value - 1);
  }

  void face() {
    bool first = true, with_texture = false, with_normal = false, mixed = false;
    const size_t start = out_.corners.size();
    for (std::string_view token; next_token(token); first = false) {
      const size_t slash = token.find('/');
      ObjText::Corner corner;
      corner.vertex = index(token.substr(0, slash), token, out_.vertices.size(), "vertex", highest_vertex_);
      bool has_normal = false;
      if (slash != token.npos) {
        const std::string_view after = token.substr(slash + 1);
        const size_t second = after.find('/');
        const std::string_view texture = after.substr(0, second);
        if (!texture.empty())
          corner.texture = index(texture, token, out_.textures.size(), "texture coordinate", highest_texture_);
        else if (second == after.npos) fail(quoted(token) + " ends in a slash", "write v, v/vt, v//vn or v/vt/vn");
        has_normal = second != after.npos;
        if (has_normal) index(after.substr(second + 1), token, normals_, "normal", highest_normal_);
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
  }

  void check_forward_references() const {
    const auto check = [&](const ObjTally& highest, size_t defined, const char* noun) {
      if (size_t(highest.count) > defined)
        fail(fmt::format("the {} index {} is out of range: the file defines {}", noun, highest.count, defined), "",
             highest.first_line);
    };
    check(highest_vertex_, out_.vertices.size(), "vertex");
    check(highest_texture_, out_.textures.size(), "texture coordinate");
    check(highest_normal_, normals_, "normal");
  }

  const std::string& path_;
  const char* at_;
  const char* end_;
  int line_ = 0, lines_read_ = 0;
  std::string_view rest_;
  std::string joined_;
  size_t normals_ = 0;
  ObjTally highest_vertex_, highest_texture_, highest_normal_;  // count: the highest index; first_line: where
  ObjText out_;
};

}  // namespace

ObjText read_obj_text(const std::string& text, const std::string& path_for_messages) {
  return Reader(text, path_for_messages).run();
}

}  // namespace weft
