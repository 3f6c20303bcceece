#include "sim/mesh/solid/gmsh.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/base/shorten.h"

namespace weft {
namespace {

constexpr int kTetrahedron = 4, kTetrahedronOfTenPoints = 11;
constexpr const char* kCure = "export it again from Gmsh (Mesh.MshFileVersion = 4.1, ASCII)";

/// The words of a text one after the other, with the line that each stands in.
class Words {
 public:
  Words(const std::string& text, const std::string& path) : text_(text), path_(path) {}
  bool at_end() {
    skip_space();
    return at_ >= text_.size();
  }
  std::string_view word() {
    if (at_end()) fail("the file ends too early");
    const size_t begin = at_;
    while (at_ < text_.size() && !is_space(text_[at_])) ++at_;
    return std::string_view(text_).substr(begin, at_ - begin);
  }
  /// The word "$name" alone.
  void expect(std::string_view name) {
    if (const std::string_view found = word(); found != name)
      fail(fmt::format("'{}' should stand here, not '{}'", name, shortened(std::string(found), 40)));
  }
  template <class T>
  T number() {
    const std::string_view w = word();
    T value{};
    const auto [end, code] = std::from_chars(w.data(), w.data() + w.size(), value);
    if (code != std::errc() || end != w.data() + w.size())
      fail(fmt::format("'{}' is no number that fits here", shortened(std::string(w), 40)));
    return value;
  }
  /// A number of things that follow.
  int64_t count() {
    const int64_t n = number<int64_t>();
    if (n < 0 || n > int64_t(text_.size())) fail(fmt::format("{} of them cannot follow in this file", n));
    return n;
  }
  void skip(int64_t words) {
    for (int64_t i = 0; i < words; ++i) word();
  }
  void skip_section(std::string_view name) {
    const std::string end = fmt::format("$End{}", name.substr(1));
    while (word() != end) {}
  }
  [[noreturn]] void fail(const std::string& what, const char* cure = kCure) const {
    throw Error(what, fmt::format("{}:{}", path_, line_), cure);
  }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
  void skip_space() {
    for (; at_ < text_.size() && is_space(text_[at_]); ++at_) line_ += text_[at_] == '\n';
  }
  const std::string& text_;
  const std::string& path_;
  size_t at_ = 0;
  int line_ = 1;
};

class Reader {
 public:
  Reader(const std::string& text, const std::string& path) : words_(text, path), path_(path) {}
  TetMesh run() {
    while (!words_.at_end()) {
      const std::string section(words_.word());
      if (section == "$MeshFormat") format();
      else if (section == "$Nodes") version_4_ ? nodes_4() : nodes_2();
      else if (section == "$Elements") version_4_ ? elements_4() : elements_2();
      else if (!section.empty() && section[0] == '$') words_.skip_section(section);
      else words_.fail("this is no file of Gmsh: sections begin with $");
    }
    if (mesh_.cells.empty())
      throw Error("it has no tetrahedra", path_, "mesh the volume in Gmsh (Mesh, 3D), then export");
    return checked(std::move(mesh_), path_);
  }

 private:
  void format() {
    const double version = words_.number<double>();
    if (words_.number<int>() != 0) words_.fail("it is a binary file");
    words_.skip(1);
    version_4_ = version > 4 && version < 5;
    if (!version_4_ && !(version >= 2 && version < 3))
      words_.fail(fmt::format("version {} is not read, 2.2 and 4.1 are", version));
    if (version_4_ && version < 4.1) words_.fail("version 4.0 is not read, 2.2 and 4.1 are");
    words_.expect("$EndMeshFormat");
  }
  void add_node(int64_t tag, const dvec3& p) {
    if (!number_.try_emplace(tag, int(mesh_.positions.size())).second)
      words_.fail(fmt::format("node {} comes twice", tag));
    mesh_.positions.push_back(vec3(p));
  }
  dvec3 place() {
    dvec3 p;
    for (int k = 0; k < 3; ++k) p[k] = words_.number<double>();
    if (!std::isfinite(p.x + p.y + p.z)) words_.fail("a coordinate is not finite");
    return p;
  }
  void nodes_2() {
    for (int64_t n = words_.count(); n > 0; --n) {
      const int64_t tag = words_.number<int64_t>();
      add_node(tag, place());
    }
    words_.expect("$EndNodes");
  }
  void nodes_4() {
    int64_t blocks = words_.count();
    words_.skip(3);
    std::vector<int64_t> tags;
    for (; blocks > 0; --blocks) {
      words_.skip(2);
      const bool parametric = words_.number<int>() != 0;
      tags.resize(size_t(words_.count()));
      if (parametric) words_.fail("it has parametric nodes", "export it without them");
      for (int64_t& tag : tags) tag = words_.number<int64_t>();
      for (const int64_t tag : tags) add_node(tag, place());
    }
    words_.expect("$EndNodes");
  }
  void add_cell() {
    ivec4 cell;
    for (int k = 0; k < 4; ++k) {
      const int64_t tag = words_.number<int64_t>();
      const auto found = number_.find(tag);
      if (found == number_.end()) words_.fail(fmt::format("there is no node {}", tag));
      cell[k] = found->second;
    }
    mesh_.cells.push_back(cell);
  }
  /// Points of the kinds of elements that stand in a file with tetrahedra; 0 for others.
  static int points_of(int kind) {
    static const std::unordered_map<int, int> points = {{1, 2},   {2, 3},  {3, 4}, {4, 4}, {5, 8},
                                                        {6, 6},   {7, 5},  {8, 3}, {9, 6}, {10, 9},
                                                        {11, 10}, {15, 1}, {16, 8}};
    const auto found = points.find(kind);
    return found == points.end() ? 0 : found->second;
  }
  /// An element's points, after its tag.
  void element(int kind) {
    const int points = points_of(kind);
    if (points == 0) words_.fail(fmt::format("elements of kind {} are not read", kind));
    if (kind == 5 || kind == 6 || kind == 7)
      words_.fail("it has hexahedra, prisms or pyramids", "mesh it with tetrahedra alone");
    if (kind == kTetrahedron || kind == kTetrahedronOfTenPoints) add_cell(), words_.skip(points - 4);
    else words_.skip(points);
  }
  void elements_2() {
    for (int64_t n = words_.count(); n > 0; --n) {
      words_.skip(1);
      const int kind = words_.number<int>();
      words_.skip(words_.count());
      element(kind);
    }
    words_.expect("$EndElements");
  }
  void elements_4() {
    int64_t blocks = words_.count();
    words_.skip(3);
    for (; blocks > 0; --blocks) {
      words_.skip(2);
      const int kind = words_.number<int>();
      for (int64_t n = words_.count(); n > 0; --n) words_.skip(1), element(kind);
    }
    words_.expect("$EndElements");
  }

  Words words_;
  const std::string& path_;
  bool version_4_ = false;
  std::unordered_map<int64_t, int> number_;
  TetMesh mesh_;
};

}  // namespace

TetMesh parse_gmsh(const std::string& text, const std::string& path) { return Reader(text, path).run(); }
TetMesh read_gmsh(const std::string& path) {
  return parse_gmsh(read_text_file(path, "a mesh of Gmsh"), path);
}

}  // namespace weft
