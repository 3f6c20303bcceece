#include "sim/mesh/uniform/outline_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

#include "sim/base/error.h"
#include "sim/mesh/import/obj_text.h"

namespace weft {
namespace {

/// A vertex's neighbours along the lines, and the line number of the first.
struct Joint {
  std::vector<int> next;
  int line = 0;
};

class OutlineReader {
 public:
  OutlineReader(const std::string& text, const std::string& path)
      : text_(read_obj_text(text, path)), path_(path) {}

  SpaceOutline run() {
    for (const vec3& v : text_.vertices) points_.push_back(dvec3(v));
    for (const ObjText::Line& line : text_.polylines) polyline(line);
    std::vector<std::vector<int>> loops = join();
    return flatten(loops);
  }

 private:
  [[noreturn]] void fail(int line, const std::string& what, const std::string& cure) const {
    throw Error(what, fmt::format("{}:{}", path_, line), cure);
  }

  void polyline(const ObjText::Line& said) {
    std::vector<int> indices;
    for (const std::string& word : said.words) {
      int index = 0;
      const size_t slash = std::min(word.find('/'), word.size());
      const auto [end, code] = std::from_chars(word.data(), word.data() + slash, index);
      if (code != std::errc() || end != word.data() + slash || index == 0)
        fail(said.line, "'" + word + "' is not a vertex number", "OBJ counts from 1");
      indices.push_back(index > 0 ? index - 1 : said.vertices_before + index);
      if (indices.back() < 0)
        fail(said.line, fmt::format("vertex {} is not defined yet", index), "OBJ counts from 1");
    }
    for (size_t i = 0; i + 1 < indices.size(); ++i) {
      if (indices[i] == indices[i + 1]) continue;
      for (const int k : {0, 1}) {
        Joint& joint = joints_[indices[i + k]];
        joint.next.push_back(indices[i + 1 - k]);
        if (!joint.line) joint.line = said.line;
      }
    }
  }

  std::vector<std::vector<int>> join() {
    for (const auto& [v, joint] : joints_) {
      if (v >= int(points_.size()))
        fail(joint.line, fmt::format("vertex {} is out of range: the file has {}", v + 1, points_.size()),
             "OBJ counts from 1");
      if (joint.next.size() == 1)
        fail(joint.line, fmt::format("the line ends at vertex {}, so it encloses nothing", v + 1),
             "close it by naming its first vertex again at its end");
      if (joint.next.size() > 2)
        fail(joint.line, fmt::format("{} lines meet at vertex {}", joint.next.size(), v + 1),
             "make each loop a separate line with its own vertices");
    }
    std::vector<std::vector<int>> loops;
    for (auto& [start, joint] : joints_) {
      if (joint.next.empty()) continue;
      loops.push_back({});
      for (int v = start, before = -1; !joints_[v].next.empty();) {
        loops.back().push_back(v);
        const std::vector<int> next = std::exchange(joints_[v].next, {});
        const int to = before < 0 || next[0] != before ? next[0] : next[1];
        before = v, v = to;
      }
    }
    return loops;
  }

  SpaceOutline flatten(const std::vector<std::vector<int>>& loops) const {
    dvec3 normal(0), low(1e300), high(-1e300);
    double most = 0;
    for (const auto& loop : loops) {  // the largest loop determines the front
      dvec3 own(0);
      for (size_t i = 1; i + 1 < loop.size(); ++i)
        own += glm::cross(points_[loop[i]] - points_[loop[0]], points_[loop[i + 1]] - points_[loop[0]]);
      if (glm::length(own) > most) most = glm::length(own), normal = own / most;
      for (const int v : loop) low = glm::min(low, points_[v]), high = glm::max(high, points_[v]);
    }
    if (!(most > 0)) throw Error("the lines enclose no area", path_, "draw a closed line around an area");
    SpaceOutline result;
    result.frame = frame_across(normal, points_[loops[0][0]]);
    for (const auto& loop : loops) {
      result.outline.loops.push_back({});
      for (const int v : loop) {
        const dvec3 p = points_[v];
        if (std::abs(glm::dot(p - result.frame.origin, normal)) > 1e-4 * glm::length(high - low))
          fail(joints_.at(v).line, fmt::format("vertex {} is not in the plane of the outline", v + 1),
               "flatten the outline, or give a mesh with faces");
        result.outline.loops.back().push_back(result.frame.flat(p));
      }
    }
    return result;
  }

  const ObjText text_;
  const std::string& path_;
  std::vector<dvec3> points_;
  std::map<int, Joint> joints_;
};

}  // namespace

bool holds_only_lines(const std::string& text, const std::string& path) {
  const ObjText read = read_obj_text(text, path);
  return read.lines.count > 0 && read.face_count() == 0 && read.short_faces.count == 0;
}

SpaceOutline parse_obj_outline(const std::string& text, const std::string& path) {
  return OutlineReader(text, path).run();
}

}  // namespace weft
