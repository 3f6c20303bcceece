#include "sim/mesh/outward.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <numeric>

namespace weft {
namespace {

struct Part {
  std::vector<int> triangles;
  Bounds bounds;
  double volume = 0;  // m^3
  int open_edges = 0;
  bool closed() const { return open_edges == 0; }
};

int root(std::vector<int>& parent, int i) {
  while (parent[size_t(i)] != i) i = parent[size_t(i)] = parent[size_t(parent[size_t(i)])];
  return i;
}

std::vector<Part> parts_of(const TriMesh& mesh) {
  std::map<std::pair<int, int>, std::vector<int>> edges;
  std::vector<int> parent(mesh.triangles.size());
  std::iota(parent.begin(), parent.end(), 0);
  for (int t = 0; t < mesh.triangle_count(); ++t)
    for (int k = 0; k < 3; ++k) {
      const int a = mesh.triangles[size_t(t)][k], b = mesh.triangles[size_t(t)][(k + 1) % 3];
      auto& at = edges[{std::min(a, b), std::max(a, b)}];
      if (!at.empty()) parent[size_t(root(parent, t))] = root(parent, at[0]);
      at.push_back(t);
    }
  std::map<int, Part> parts;
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    Part& p = parts[root(parent, t)];
    p.triangles.push_back(t);
    for (int k = 0; k < 3; ++k) p.bounds.add(mesh.positions[size_t(mesh.triangles[size_t(t)][k])]);
  }
  for (auto& [ends, at] : edges)
    if (at.size() % 2 != 0) ++parts[root(parent, at[0])].open_edges;
  std::vector<Part> out;
  for (auto& [r, p] : parts) {
    const dvec3 origin(p.bounds.center());
    for (const int t : p.triangles) {
      dvec3 c[3];
      for (int k = 0; k < 3; ++k) c[k] = dvec3(mesh.positions[size_t(mesh.triangles[size_t(t)][k])]) - origin;
      p.volume += glm::dot(c[0], glm::cross(c[1], c[2])) / 6;
    }
    out.push_back(std::move(p));
  }
  return out;
}

/// Whether a closed part winds around a point, by the solid angles of its triangles (van Oosterom and Strackee 1983).
bool encloses(const TriMesh& mesh, const Part& part, const vec3& point) {
  for (int a = 0; a < 3; ++a)
    if (!(point[a] > part.bounds.min[a] && point[a] < part.bounds.max[a])) return false;
  double around = 0;
  for (const int t : part.triangles) {
    dvec3 c[3];
    for (int k = 0; k < 3; ++k) c[k] = dvec3(mesh.positions[size_t(mesh.triangles[size_t(t)][k])]) - dvec3(point);
    const double la = glm::length(c[0]), lb = glm::length(c[1]), lc = glm::length(c[2]);
    around += std::atan2(glm::dot(c[0], glm::cross(c[1], c[2])), la * lb * lc + glm::dot(c[0], c[1]) * lc + glm::dot(c[1], c[2]) * la + glm::dot(c[2], c[0]) * lb);
  }
  return std::abs(around) > 3.14159265358979323846;  // half of what it is inside: 2 pi
}

/// Doubled sheets enclose rounding.
bool inside_out(const Part& p) { return p.closed() && p.volume < -1e-6 * std::pow(double(p.bounds.diagonal()), 3); }

}  // namespace

void turn_outward(TriMesh& mesh, const std::string& owner, std::vector<std::string>& notices) {
  const std::vector<Part> parts = parts_of(mesh);
  int open = 0, turned = 0;
  std::vector<const Part*> negative;
  for (const Part& p : parts) {
    open += p.open_edges;
    if (inside_out(p)) negative.push_back(&p);
  }
  if (open > 0)
    notices.push_back(fmt::format("{}: its mesh is open ({} edges have a triangle on one side only), so it has no inside: cloth is kept on the side that its faces look to, and only next to them; "
                                  "close the holes, give it a thickness, or use collision = \"two_way\", which asks for no inside", owner, open));
  const auto first_point = [&](const Part& p) { return mesh.positions[size_t(mesh.triangles[size_t(p.triangles[0])].x)]; };
  // Outermost parts decide: what lies in one of them is turned with it, and a cavity of one that looks outwards is none of theirs.
  std::vector<const Part*> outermost;
  for (const Part* p : negative) {
    bool inner = false;
    for (const Part& o : parts) inner = inner || (&o != p && o.closed() && encloses(mesh, o, first_point(*p)));
    if (!inner) outermost.push_back(p);
  }
  for (const Part& p : parts) {
    bool turns = false;
    for (const Part* o : outermost) turns = turns || o == &p || (p.closed() && encloses(mesh, *o, first_point(p)));
    if (!turns) continue;
    ++turned;
    for (const int t : p.triangles) std::swap(mesh.triangles[size_t(t)].y, mesh.triangles[size_t(t)].z);
  }
  if (turned > 0)
    notices.push_back(fmt::format("{}: {} looked inwards and {} turned inside out", owner, turned == 1 ? "a closed part of its mesh" : fmt::format("{} closed parts of its mesh", turned),
                                  turned == 1 ? "was" : "were"));
}

}  // namespace weft
