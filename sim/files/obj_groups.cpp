#include "sim/files/obj_groups.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/mesh/import/obj_text.h"
#include "sim/mesh/import/polygon.h"

namespace weft {
namespace {

/// Start of a group.
struct Mark {
  int line = 0;
  std::string name;
  RunGroup kind;  // body, filling and width alone
};

/// The kind that a comment gives to the next group, if it does.
void take_kind(std::string_view comment, RunGroup& kind) {
  constexpr std::string_view kGrains = "# grains ";
  RunGroup found;
  found.body = comment == "# body";
  if (comment == "# rigid body") found.filling = Filling::rigid;
  if (comment == "# solid") found.filling = Filling::soft;
  if (comment.starts_with(kGrains)) {
    const float width = float(std::strtod(std::string(comment.substr(kGrains.size())).c_str(), nullptr));
    if (!(width > 0) || !std::isfinite(width)) return;
    found.width = width;
  } else if (!found.body && found.filling == Filling::none && comment != "# cloth") {
    return;
  }
  kind = found;
}

/// The "g" and "o" statements, with lines counted as read_obj_text does.
std::vector<Mark> group_marks(const std::string& text) {
  std::vector<Mark> marks;
  RunGroup kind;
  int line = 0;
  for (size_t at = 0; at < text.size();) {
    size_t end = text.find_first_of("\r\n", at);
    if (end == text.npos) end = text.size();
    std::string_view s(text.data() + at, end - at);
    ++line;
    take_kind(s, kind);
    if (s.size() > 2 && (s[0] == 'g' || s[0] == 'o') && (s[1] == ' ' || s[1] == '\t')) {
      s.remove_prefix(2);
      while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
      marks.push_back({line, std::string(s), kind});
      kind = {};
    }
    at = end + 1;
    if (end + 1 < text.size() && text[end] == '\r' && text[end + 1] == '\n') ++at;
  }
  return marks;
}

/// Number of the mark that a line belongs to; -1 before the first.
int mark_of(const std::vector<Mark>& marks, int line) {
  const auto after =
      std::upper_bound(marks.begin(), marks.end(), line, [](int l, const Mark& m) { return l < m.line; });
  return int(after - marks.begin()) - 1;
}

/// Triangles of one face, corners as places in text.corners.
std::vector<ivec3> face_triangles(const ObjText& text, int face) {
  const int first = text.face_starts[face], corners = text.face_starts[face + 1] - first;
  if (corners == 3) return {ivec3(first, first + 1, first + 2)};
  std::vector<dvec3> points;
  for (int c = 0; c < corners; ++c) points.push_back(text.vertices[text.corners[first + c].vertex]);
  bool simple = true;
  std::vector<ivec3> triangles = triangulate_polygon(points, simple);
  for (ivec3& t : triangles) t += ivec3(first);
  return triangles;
}

/// One texture coordinate per vertex if that suffices; otherwise each corner keeps its own, since vertices
/// are not duplicated. On entry `corners.of_triangle` holds indices into text.textures.
void settle_textures(const ObjText& text, RunGroup& g) {
  std::vector<vec2> uv(g.count, vec2(NAN));
  bool any = false, whole = true;
  for (size_t f = 0; f < g.triangles.size(); ++f)
    for (int k = 0; k < 3; ++k) {
      const int texture = g.corners.of_triangle[f][k];
      whole &= texture >= 0;
      if (texture < 0) continue;
      any = true;
      vec2& seen = uv[g.triangles[f][k]];
      const vec2& here = text.textures[texture];
      whole &= std::isnan(seen.x) || seen == here;
      seen = here;
    }
  if (!any) g.corners = {};
  if (!any) return;
  if (whole) {
    for (vec2& t : uv)
      if (std::isnan(t.x)) t = vec2(0);
    g.uv = std::move(uv);
    g.corners = {};
    return;
  }
  g.corners = used_textures(text.textures, std::move(g.corners.of_triangle));
}

/// The groups' ranges of vertices, without triangles; empty where the vertices are not grouped as the marks
/// are.
std::vector<RunGroup> ranges(const ObjText& text, const std::vector<Mark>& marks,
                             std::vector<int>& group_of_mark) {
  std::vector<RunGroup> groups;
  group_of_mark.assign(marks.size(), -1);
  for (size_t v = 0; v < text.vertices.size(); ++v) {
    const int mark = mark_of(marks, text.vertex_lines[v]);
    if (mark < 0) return {};
    if (group_of_mark[mark] < 0) {
      group_of_mark[mark] = int(groups.size());
      RunGroup& own = groups.emplace_back(marks[mark].kind);
      own.name = marks[mark].name, own.first = int(v);
    }
    ++groups[group_of_mark[mark]].count;
  }
  for (int f = 0; f < text.face_count(); ++f) {
    const int mark = mark_of(marks, text.face_lines[f]);
    if (mark < 0 || group_of_mark[mark] < 0) return {};
    const RunGroup& g = groups[group_of_mark[mark]];
    for (int c = text.face_starts[f]; c < text.face_starts[f + 1]; ++c)
      if (const int v = text.corners[c].vertex; v < g.first || v >= g.first + g.count) return {};
  }
  return groups;
}

/// Lines within a group belong to it; those from one to another to none.
void add_lines(const ObjText& text, std::vector<RunGroup>& groups) {
  for (const ObjText::Line& l : text.polylines) {
    const std::vector<int> on = vertices_of(text, l);
    for (size_t k = 1; k < on.size(); ++k)
      for (RunGroup& g : groups) {
        const auto inside = [&](int v) { return v >= g.first && v < g.first + g.count; };
        if (on[k - 1] != on[k] && inside(on[k - 1]) && inside(on[k]))
          g.lines.push_back({on[k - 1] - g.first, on[k] - g.first});
      }
  }
}

}  // namespace

ObjGroups read_obj_groups(const std::string& path) {
  const std::string source = read_text_file(path, "an OBJ mesh");
  const ObjText text = read_obj_text(source, path);
  const std::vector<Mark> marks = group_marks(source);
  const bool grains = std::any_of(marks.begin(), marks.end(), [](const Mark& m) { return m.kind.width > 0; });
  if (text.face_count() == 0 && text.polylines.empty() && !grains)
    throw Error("the mesh has no faces", path, "export it with its faces");
  std::vector<int> group_of_mark;
  ObjGroups out{ranges(text, marks, group_of_mark), text.vertices};
  const bool whole = out.groups.empty();
  if (whole)
    out.groups.push_back(
        {std::filesystem::path(path).stem().string(), false, 0, int(text.vertices.size()), {}, {}, {}});
  for (int f = 0; f < text.face_count(); ++f) {
    RunGroup& g = out.groups[whole ? 0 : size_t(group_of_mark[mark_of(marks, text.face_lines[f])])];
    for (const ivec3& t : face_triangles(text, f)) {
      const auto vertex = [&](int corner) { return text.corners[corner].vertex - g.first; };
      g.triangles.push_back({vertex(t.x), vertex(t.y), vertex(t.z)});
      const auto texture = [&](int corner) { return text.corners[corner].texture; };
      g.corners.of_triangle.push_back({texture(t.x), texture(t.y), texture(t.z)});
    }
  }
  add_lines(text, out.groups);
  for (RunGroup& g : out.groups) settle_textures(text, g);
  return out;
}

}  // namespace weft
