#include "sim/mesh/import/rest_marks.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <sstream>

namespace weft {
namespace {

constexpr float kLeastMark = 1e-3f, kMostMark = 1e3f;  // of rest scales along the axes, and of factors

bool read_three(const char* text, vec3& value) {
  float x, y, z;
  if (std::sscanf(text, "%f %f %f", &x, &y, &z) != 3) return false;
  value = {x, y, z};
  return std::isfinite(x) && std::isfinite(y) && std::isfinite(z);
}

bool within(float x) { return x >= kLeastMark && x <= kMostMark; }

}  // namespace

std::string rest_mark(const CornerTextures& c, size_t t) {
  std::string text;
  const auto put = [&](const char* what, const vec3& v) {
    text += fmt::format("#weft {} {} {} {}\n", what, v.x, v.y, v.z);
  };
  if (!c.rest_scale.empty() && c.rest_scale[t] != vec3(1, 0, 1)) put("rest", c.rest_scale[t]);
  if (!c.factor.empty() && c.factor[t] != vec3(1)) put("factor", c.factor[t]);
  return text;
}

void take_rest_marks(const std::string& text, const std::string& group, TriMesh& mesh,
                     const std::string& where, std::vector<std::string>& notices) {
  if (text.find("#weft ") == text.npos || !mesh.corners.is_rest) return;
  std::istringstream lines(text);
  std::map<size_t, vec3> rest, factor;
  bool own = group.empty(), sound = true;
  size_t faces = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("g ", 0) == 0 || line.rfind("o ", 0) == 0) {
      std::string name;
      std::istringstream(line.substr(2)) >> name;
      own = group.empty() || name == group;
    }
    if (!own) continue;
    if (line.rfind("f ", 0) == 0) ++faces;
    vec3 v;
    if (faces > 0 && line.rfind("#weft rest ", 0) == 0) {
      sound =
          sound && read_three(line.c_str() + 11, v) && within(v.x) && within(v.z) && v.x * v.z > v.y * v.y;
      rest[faces - 1] = v;
    } else if (faces > 0 && line.rfind("#weft factor ", 0) == 0) {
      sound = sound && read_three(line.c_str() + 13, v) && within(v.x) && within(v.y) && within(v.z);
      factor[faces - 1] = v;
    }
  }
  if (rest.empty() && factor.empty()) return;
  if (!sound || faces != mesh.triangles.size()) {
    notices.push_back(where + ": its marks of elastic and fabrics do not fit its faces and are left out");
    return;
  }
  if (!rest.empty()) mesh.corners.rest_scale.assign(mesh.triangles.size(), vec3(1, 0, 1));
  if (!factor.empty()) mesh.corners.factor.assign(mesh.triangles.size(), vec3(1));
  for (const auto& [t, v] : rest) mesh.corners.rest_scale[t] = v;
  for (const auto& [t, v] : factor) mesh.corners.factor[t] = v;
}

}  // namespace weft
