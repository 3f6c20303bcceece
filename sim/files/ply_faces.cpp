// Stanford's polygon format (PLY), text and binary.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/base/shorten.h"
#include "sim/files/file_faces.h"

namespace weft {
namespace {

constexpr double kFarthest = 1e6;          // of a coordinate, as of OBJ files
constexpr uint64_t kMostItems = 50000000;  // of an element

struct PlyType {
  std::string_view name, alias;
  size_t bytes;
  bool real, with_sign;
};
constexpr PlyType kPlyTypes[] = {{"char", "int8", 1, false, true},    {"uchar", "uint8", 1, false, false},
                                 {"short", "int16", 2, false, true},  {"ushort", "uint16", 2, false, false},
                                 {"int", "int32", 4, false, true},    {"uint", "uint32", 4, false, false},
                                 {"float", "float32", 4, true, true}, {"double", "float64", 8, true, true}};

struct PlyProperty {
  std::string name;
  const PlyType* type = nullptr;
  const PlyType* count = nullptr;  // of a list: the type of its length; else nullptr
};

struct PlyElement {
  std::string name;
  uint64_t count = 0;
  std::vector<PlyProperty> properties;
};

class PlyReader {
 public:
  PlyReader(const std::string& bytes, const std::string& path) : bytes_(bytes), path_(path) {}

  FileFaces run() {
    header();
    for (const PlyElement& e : elements_) {
      if (e.name == "vertex") vertices(e);
      else if (e.name == "face") faces(e);
      else skip(e);
    }
    if (out_.positions.empty()) fail("the file has no vertices");
    for (const int v : out_.corners)
      if (v < 0 || size_t(v) >= out_.positions.size())
        fail(fmt::format("a face names vertex {}, and there are {}, counted from 0", v,
                         out_.positions.size()));
    return std::move(out_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw Error(what, path_, "export the file again"); }

  std::string_view line() {
    const size_t end = std::min(bytes_.find('\n', at_), bytes_.size());
    std::string_view text(bytes_.data() + at_, end - at_);
    at_ = std::min(end + 1, bytes_.size());
    if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
    return text;
  }

  static std::vector<std::string> words(std::string_view text) {
    std::vector<std::string> out;
    for (size_t at = 0; (at = text.find_first_not_of(" \t", at)) != text.npos;) {
      const size_t end = std::min(text.find_first_of(" \t", at), text.size());
      out.emplace_back(text.substr(at, end - at));
      at = end;
    }
    return out;
  }

  const PlyType* type(const std::string& name) const {
    for (const PlyType& t : kPlyTypes)
      if (name == t.name || name == t.alias) return &t;
    fail("there is no type '" + shortened(name, 40) + "'");
  }

  void header() {
    if (line() != "ply") fail("this is no PLY file: it does not begin with ply");
    for (bool open = true; open;) {
      if (at_ >= bytes_.size()) fail("the header does not end");
      const std::vector<std::string> w = words(line());
      if (w.empty() || w[0] == "comment" || w[0] == "obj_info") continue;
      if (w[0] == "end_header") open = false;
      else if (w[0] == "format" && w.size() > 1) format(w[1]);
      else if (w[0] == "element" && w.size() == 3) element(w);
      else if (w[0] == "property" && w.size() >= 3 && !elements_.empty()) property(w);
      else fail("the header has a line '" + shortened(w[0], 40) + "' that is not understood");
    }
  }

  void format(const std::string& name) {
    text_ = name == "ascii";
    big_ = name == "binary_big_endian";
    if (!text_ && !big_ && name != "binary_little_endian")
      fail("there is no format '" + shortened(name, 40) + "'");
  }

  void element(const std::vector<std::string>& w) {
    PlyElement e{w[1], 0, {}};
    const auto [end, code] = std::from_chars(w[2].data(), w[2].data() + w[2].size(), e.count);
    if (code != std::errc() || end != w[2].data() + w[2].size() || e.count > kMostItems)
      fail("an element has the count '" + shortened(w[2], 40) + "'");
    for (const PlyElement& other : elements_)
      if (other.name == e.name) fail("there are two elements '" + shortened(e.name, 40) + "'");
    elements_.push_back(e);
  }

  void property(const std::vector<std::string>& w) {
    const bool list = w[1] == "list";
    if (w.size() != (list ? 5u : 3u)) fail("a property is not understood");
    if (list) elements_.back().properties.push_back({w[4], type(w[3]), type(w[2])});
    else elements_.back().properties.push_back({w[2], type(w[1]), nullptr});
  }

  double number(const PlyType& t) { return text_ ? written() : stored(t); }

  double written() {
    while (at_ < bytes_.size() && std::isspace(static_cast<unsigned char>(bytes_[at_]))) ++at_;
    double value = 0;
    const char *begin = bytes_.data() + at_, *last = bytes_.data() + bytes_.size();
    const auto [end, code] = std::from_chars(begin, last, value);
    if (code != std::errc()) fail("the file ends too early, or has a word where a number should be");
    at_ += size_t(end - begin);
    return value;
  }

  double stored(const PlyType& t) {
    if (at_ + t.bytes > bytes_.size()) fail("the file ends too early");
    uint64_t bits = 0;
    for (size_t k = 0; k < t.bytes; ++k) {
      const size_t from = big_ ? t.bytes - 1 - k : k;
      bits |= uint64_t(static_cast<unsigned char>(bytes_[at_ + from])) << (8 * k);
    }
    at_ += t.bytes;
    if (t.real)
      return t.bytes == 4 ? double(std::bit_cast<float>(uint32_t(bits))) : std::bit_cast<double>(bits);
    const int64_t range = int64_t(1) << (8 * t.bytes), value = int64_t(bits);
    return double(t.with_sign && value >= range / 2 ? value - range : value);
  }

  void skip(const PlyElement& e) {
    if (e.properties.empty()) return;  // of which there may be as many as a header says, in no byte
    for (uint64_t i = 0; i < e.count; ++i)
      for (const PlyProperty& p : e.properties) list(p);
  }

  /// The numbers of a property: one, or those of a list.
  const std::vector<double>& list(const PlyProperty& p) {
    list_.clear();
    const double count = p.count ? number(*p.count) : 1;
    if (!(count >= 0 && count <= double(kMostItems))) fail("a list has an impossible length");
    for (int k = 0; k < int(count); ++k) list_.push_back(number(*p.type));
    return list_;
  }

  void vertices(const PlyElement& e) {
    std::vector<std::vector<float>> all(e.properties.size());
    for (uint64_t i = 0; i < e.count; ++i)
      for (size_t p = 0; p < e.properties.size(); ++p) {
        const std::vector<double>& values = list(e.properties[p]);
        if (!e.properties[p].count) all[p].push_back(float(values[0]));
      }
    const auto named = [&](std::initializer_list<const char*> names) -> const std::vector<float>* {
      for (const char* name : names)
        for (size_t p = 0; p < e.properties.size(); ++p)
          if (e.properties[p].name == name && !e.properties[p].count) return &all[p];
      return nullptr;
    };
    const auto *x = named({"x"}), *y = named({"y"}), *z = named({"z"});
    if (!x || !y || !z) fail("its vertices have no x, y and z");
    for (size_t v = 0; v < e.count; ++v) {
      const vec3 at((*x)[v], (*y)[v], (*z)[v]);
      for (int k = 0; k < 3; ++k)
        if (!(std::abs(double(at[k])) <= kFarthest))
          fail(fmt::format("vertex {} (counted from 0) is not finite or beyond 1000 km", v));
      out_.positions.push_back(at);
    }
    const auto *s = named({"s", "u", "texture_u"}), *t = named({"t", "v", "texture_v"});
    for (size_t v = 0; s && t && v < e.count; ++v) {
      if (!std::isfinite((*s)[v]) || !std::isfinite((*t)[v]))
        fail(fmt::format("the texture coordinate of vertex {} (counted from 0) is not finite", v));
      out_.textures.emplace_back((*s)[v], (*t)[v]);
    }
    attributes(e, all);
  }

  /// All other numbers by their names, and colours.
  void attributes(const PlyElement& e, const std::vector<std::vector<float>>& all) {
    std::vector<vec3> colors(e.count, vec3(0));
    int channels = 0;
    for (size_t p = 0; p < e.properties.size(); ++p) {
      const PlyProperty& own = e.properties[p];
      constexpr const char* kShape[] = {"x", "y", "z", "nx", "ny", "nz", "s", "t", "u", "v"};
      if (own.count || std::find(std::begin(kShape), std::end(kShape), own.name) != std::end(kShape))
        continue;
      const int channel = own.name == "red" ? 0 : own.name == "green" ? 1 : own.name == "blue" ? 2 : -1;
      if (channel < 0) {
        out_.attributes.push_back({own.name, all[p]});
        continue;
      }
      const float full = own.type->real ? 1.0f : own.type->bytes == 1 ? 255.0f : 65535.0f;
      for (size_t v = 0; v < e.count; ++v) colors[v][channel] = all[p][v] / full;
      ++channels;
    }
    if (channels == 3) add_color(out_.attributes, "color", colors);
  }

  void faces(const PlyElement& e) {
    if (e.properties.empty()) return;
    for (uint64_t i = 0; i < e.count; ++i)
      for (const PlyProperty& p : e.properties) {
        const std::vector<double>& values = list(p);
        if (p.name != "vertex_indices" && p.name != "vertex_index") continue;
        std::vector<int> corners;
        for (const double v : values) corners.push_back(v >= 0 && v < 2e9 ? int(v) : -1);
        out_.add_face(corners, out_.textures.empty() ? std::vector<int>() : corners);
      }
  }

  const std::string& bytes_;
  const std::string& path_;
  size_t at_ = 0;
  bool text_ = true, big_ = false;
  std::vector<PlyElement> elements_;
  std::vector<double> list_;
  FileFaces out_;
};

}  // namespace

FileFaces ply_faces(const std::string& path) {
  const std::string bytes = read_text_file(path, "a PLY mesh");
  return PlyReader(bytes, path).run();
}

}  // namespace weft
