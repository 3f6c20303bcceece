#include "sim/scene/model/stitches.h"

#include <fmt/format.h>

#include <algorithm>
#include <queue>

#include "sim/base/error.h"
#include "sim/base/nearest.h"
#include "sim/base/param_rows.h"
#include "sim/base/shorten.h"
#include "sim/mesh/split_mesh.h"
#include "sim/scene/model/cloth_mesh.h"
#include "sim/scene/scene.h"
#include "sim/scene/scene_names.h"
#include "sim/scene/toml/toml_table.h"
#include "sim/scene/toml/toml_text.h"

namespace weft {
namespace {

using toml_text::quoted;
using toml_text::value;

void read_cloth_name(TomlTable& t, const Scene& scene, std::string& name) {
  if (!t.read("cloth", name) || name.empty()) return;
  std::vector<std::string> names;
  for (const Cloth& c : scene.cloths) names.push_back(c.name);
  if (std::find(names.begin(), names.end(), name) == names.end())
    t.fail("cloth", "unknown cloth '" + shortened(name, 80) + "'", did_you_mean(name, names));
}

/// [[0.5, 0], [0.5, 1]]
std::vector<vec2> read_line(TomlTable& t) {
  std::vector<vec2> line;
  for (const std::vector<float>& at : t.lists("cut", 2, 0, 1)) line.push_back({at[0], at[1]});
  if (t.has("cut") && line.size() < 2)
    t.fail("cut", "a cut needs two points or more", "write cut = [[0.5, 0], [0.5, 1]]");
  return line;
}

StitchParams read_stitch(TomlTable& t, const Scene& scene, size_t number) {
  StitchParams s;
  s.name = fmt::format("stitch{}", number + 1);
  t.read("name", s.name);
  if (!is_cloth_name(s.name))
    t.fail("name", "'" + shortened(s.name, 80) + "' cannot name a stitch", "use letters, digits, _ and -");
  t.read("seam", s.seam);
  s.cut = read_line(t);
  for (TomlTable& p : t.tables("points")) {
    StitchPoint point;
    read_cloth_name(p, scene, point.cloth);
    if (!p.read("at", point.at, 0, 1)) p.fail("", "a point needs its place", "add at = [0.5, 0.5]");
    p.finish();
    s.points.push_back(point);
  }
  if (int(!s.seam.empty()) + int(!s.cut.empty()) + int(!s.points.empty()) != 1)
    t.fail("", "a stitch holds a seam, a cut, or points", "give one of seam, cut and points");
  if (s.points.size() == 1) t.fail("points", "a button joins two points or more", "add another");
  if (!s.points.empty() && t.has("cloth"))
    t.fail("cloth", "each of the points has a cloth of its own", "write it into the points");
  read_cloth_name(t, scene, s.cloth);
  t.read("distance", s.distance, 1e-5, 0.1);
  t.read("release", s.release, -1, 1e6);
  t.read("held", s.held);
  t.finish();
  return s;
}

size_t cloth_of(const Scene& scene, const std::string& name) {
  for (size_t c = 0; c < scene.cloths.size(); ++c)
    if (scene.cloths[c].name == name) return c;
  return 0;
}

/// Material coordinates of a mesh as shares of their bounds.
std::vector<vec2> shares(const TriMesh& mesh) {
  std::vector<vec2> at;
  const std::vector<vec3>& rest = mesh.rest.empty() ? mesh.positions : mesh.rest;
  for (size_t v = 0; v < mesh.positions.size(); ++v)
    at.push_back(mesh.uv.empty() ? vec2(rest[v].x, rest[v].y) : mesh.uv[v]);
  return at;
}

struct Frame {
  vec2 low{1e30f}, high{-1e30f};
  explicit Frame(const std::vector<vec2>& all) {
    for (const vec2& p : all) low = glm::min(low, p), high = glm::max(high, p);
  }
  vec2 at(const vec2& share) const { return low + share * (high - low); }
};

int nearest_vertex(const std::vector<vec2>& all, const vec2& wanted) {
  int best = 0;
  for (int v = 1; v < int(all.size()); ++v) {
    const vec2 a = all[v] - wanted, b = all[best] - wanted;
    if (glm::dot(a, a) < glm::dot(b, b)) best = v;
  }
  return best;
}

/// The way along edges from one vertex to another that is short and stays near the straight line: its cost is
/// its length times one more for each mean edge that it is off the line.
std::vector<int> way_along_edges(const TriMesh& mesh, const std::vector<vec2>& at, int from, int to) {
  std::vector<std::vector<int>> next(at.size());
  double sum = 0;
  for (const ivec3& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) {
      next[t[k]].push_back(t[(k + 1) % 3]), next[t[(k + 1) % 3]].push_back(t[k]);
      sum += double(glm::length(at[t[k]] - at[t[(k + 1) % 3]]));
    }
  const float edge = float(sum / std::max<double>(1, 3.0 * double(mesh.triangles.size())));
  const vec2 begin = at[from], whole = at[to] - begin;
  const vec2 across = glm::length(whole) > 0 ? vec2(-whole.y, whole.x) / glm::length(whole) : vec2(0);
  std::vector<float> cost(at.size(), 1e30f);
  std::vector<int> before(at.size(), -1);
  using Entry = std::pair<float, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  cost[from] = 0, open.push({0.0f, from});
  while (!open.empty()) {
    const auto [so_far, v] = open.top();
    open.pop();
    if (so_far > cost[v]) continue;
    if (v == to) break;
    for (const int w : next[v]) {
      const float off = std::abs(glm::dot(across, at[w] - begin)) / edge,
                  reached = so_far + (1 + off) * glm::length(at[w] - at[v]);
      if (reached < cost[w]) cost[w] = reached, before[w] = v, open.push({reached, w});
    }
  }
  std::vector<int> way;
  for (int v = to; v >= 0; v = before[v]) way.push_back(v);
  std::reverse(way.begin(), way.end());
  return way.front() == from ? way : std::vector<int>();
}

std::vector<std::vector<int>> cut_lines(const StitchParams& s, const TriMesh& mesh,
                                        const std::string& where) {
  if (mesh.corners.is_rest)
    throw Error("a garment is cut along its seams", where, "name one of them: seam = \"...\"");
  const std::vector<vec2> at = shares(mesh);
  const Frame frame(at);
  std::vector<int> line;
  for (size_t i = 0; i + 1 < s.cut.size(); ++i) {
    const int from = line.empty() ? nearest_vertex(at, frame.at(s.cut[i])) : line.back();
    const std::vector<int> way = way_along_edges(mesh, at, from, nearest_vertex(at, frame.at(s.cut[i + 1])));
    if (way.empty())
      throw Error("the ends of a cut lie in pieces of the cloth that do not hang together", where,
                  "cut each piece by itself");
    line.insert(line.end(), way.begin() + !line.empty(), way.end());
  }
  return {line};
}

std::vector<std::vector<int>> seam_lines(const StitchParams& s, const Cloth& cloth, const std::string& folder,
                                         const TriMesh& mesh, const std::string& where) {
  if (cloth.shape != ClothShape::garment)
    throw Error("cloth " + cloth.name + " has no seams", where, "use cut, or a [[garment]]");
  std::vector<std::string> ignored, names;
  const GarmentMesh garment = make_cloth_garment(cloth, folder, {}, ignored);
  std::vector<std::vector<int>> lines;
  for (size_t i = 0; i < garment.pattern.seams.size(); ++i) {
    if (garment.pattern.seams[i].name == s.seam) lines.push_back(garment.seam_lines[i]);
    if (!garment.pattern.seams[i].name.empty()) names.push_back(garment.pattern.seams[i].name);
  }
  if (lines.empty())
    throw Error("garment " + cloth.name + " has no seam '" + shortened(s.seam, 80) + "'", where,
                names.empty() ? "give its seams names" : did_you_mean(s.seam, names));
  if (garment.mesh.vertex_count() > mesh.vertex_count())
    throw Error("the mesh of garment " + cloth.name + " is not that of its pattern", where,
                "leave the stitch out");
  return lines;
}

std::string points_text(const std::vector<StitchPoint>& points) {
  std::string text = "points = [\n";
  for (const StitchPoint& p : points) {
    text += "  { ";
    if (!p.cloth.empty()) text += "cloth = " + quoted(p.cloth) + ", ";
    text += "at = " + value(p.at) + " },\n";
  }
  return text + "]\n";
}

}  // namespace

void StitchList::describe(ParamVisitor& v) {
  const ParamRows row(v);
  for (StitchParams& s : list) {
    row(s.held, param(s.name + ".held", s.name + " holds"),
        "Off: the stitch lets go at once, until the scene starts again.");
    row(s.release, param(s.name + ".release", s.name + " lets go at").unit("s").range(-1, 1e6),
        "Simulated time at which the stitch lets go. Below 0: never.");
  }
}

std::vector<StitchParams> read_stitches(TomlTable& root, const Scene& scene) {
  std::vector<StitchParams> all;
  for (TomlTable& t : root.tables("stitch")) {
    all.push_back(read_stitch(t, scene, all.size()));
    for (size_t i = 0; i + 1 < all.size(); ++i)
      if (all[i].name == all.back().name)
        t.fail("name", "there are two stitches '" + all[i].name + "'", "give each its own name");
  }
  return all;
}

std::string stitches_as_toml(const std::vector<StitchParams>& stitches) {
  const StitchParams standard;
  std::string text;
  for (const StitchParams& s : stitches) {
    text += "\n[[stitch]]\nname = " + quoted(s.name) + "\n";
    if (!s.cloth.empty()) text += "cloth = " + quoted(s.cloth) + "\n";
    if (!s.seam.empty()) text += "seam = " + quoted(s.seam) + "\n";
    if (!s.cut.empty()) {
      text += "cut = [";
      for (size_t i = 0; i < s.cut.size(); ++i) text += (i ? ", " : "") + value(s.cut[i]);
      text += "]\n";
    }
    if (!s.points.empty()) text += points_text(s.points);
    if (s.distance != standard.distance) text += "distance = " + value(s.distance) + "\n";
    if (s.release != standard.release) text += "release = " + value(s.release) + "\n";
    if (!s.held) text += "held = false\n";
  }
  return text;
}

std::string why_no_stitches(const Scene& scene, const std::string& solver) {
  if (scene.of<StitchList>().list.empty()) return "";
  return solver + " knows no stitches, and the scene has some";
}

std::vector<StitchedPair> stitch_cloths(const Scene& scene, const std::string& folder,
                                        std::vector<TriMesh>& meshes) {
  const std::vector<StitchParams>& all = scene.of<StitchList>().list;
  struct Pair {
    size_t cloth[2];
    ivec2 vertices;
    int stitch;
  };
  std::vector<Pair> pairs;
  for (size_t i = 0; i < all.size(); ++i) {
    const StitchParams& s = all[i];
    const std::string where = "stitch " + s.name;
    std::vector<std::pair<size_t, int>> ends;
    for (const StitchPoint& p : s.points) {
      const size_t c = cloth_of(scene, p.cloth);
      const std::vector<vec2> at = shares(meshes[c]);
      ends.push_back({c, nearest_vertex(at, Frame(at).at(p.at))});
      if (ends.size() > 1 && ends.back() == ends.front())
        throw Error("two of its points are one vertex", where, "give them places further apart");
      if (ends.size() > 1)
        pairs.push_back({{ends[0].first, c}, {ends[0].second, ends.back().second}, int(i)});
    }
    if (!s.points.empty()) continue;
    const size_t c = cloth_of(scene, s.cloth);
    const auto lines = s.seam.empty() ? cut_lines(s, meshes[c], where)
                                      : seam_lines(s, scene.cloths[c], folder, meshes[c], where);
    const std::vector<ivec2> split = split_mesh(meshes[c], lines, s.distance);
    if (split.empty())
      throw Error("it cuts nothing", where, "lead the cut from border to border, or across inner edges");
    for (const ivec2& v : split) pairs.push_back({{c, c}, v, int(i)});
  }
  std::vector<int> first{0};
  for (const TriMesh& m : meshes) first.push_back(first.back() + m.vertex_count());
  std::vector<StitchedPair> out;
  for (const Pair& p : pairs) {
    const vec3 a = meshes[p.cloth[0]].positions[p.vertices.x], b = meshes[p.cloth[1]].positions[p.vertices.y];
    out.push_back({p.vertices + ivec2(first[p.cloth[0]], first[p.cloth[1]]),
                   std::max(all[p.stitch].distance, glm::length(a - b)), p.stitch});
  }
  return out;
}

}  // namespace weft
