#include "sim/mesh/import/outward.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "sim/base/disjoint_sets.h"
#include "sim/mesh/sides.h"

namespace weft {
namespace {

struct Part {
  std::vector<int> triangles;
  Bounds bounds;
  double volume = 0;           // m^3, with its holes closed
  double area = 0, holes = 0;  // m^2
  int open_edges = 0;
  std::vector<ivec3> boundary;  // ends of edges with one triangle, and that triangle
  bool closed() const { return open_edges == 0; }
};

/// Fills each hole with triangles from its edges to its centre, with consistent winding.
void close_holes(const TriMesh& mesh, Part& p) {
  std::map<int, int> hole_of;  // vertex of the boundary -> another of the same hole
  const auto first = [&](int v) {
    while (hole_of[v] != v) v = hole_of[v] = hole_of[hole_of[v]];
    return v;
  };
  for (const ivec3& e : p.boundary) hole_of.try_emplace(e.x, e.x), hole_of.try_emplace(e.y, e.y);
  for (const ivec3& e : p.boundary) hole_of[first(e.x)] = first(e.y);
  std::map<int, std::pair<dvec3, int>> middle;
  for (const ivec3& e : p.boundary)
    for (const int v : {e.x, e.y}) {
      auto& [sum, count] = middle.try_emplace(first(v), dvec3(0), 0).first->second;
      sum += dvec3(mesh.positions[v]), ++count;
    }
  const dvec3 origin(p.bounds.center());
  for (const ivec3& e : p.boundary) {
    const ivec3 t = mesh.triangles[e.z];
    int k = 0;
    while (!((t[k] == e.x && t[(k + 1) % 3] == e.y) || (t[k] == e.y && t[(k + 1) % 3] == e.x))) ++k;
    const auto& [sum, count] = middle.at(first(e.x));
    const dvec3 a = dvec3(mesh.positions[t[(k + 1) % 3]]) - origin, b = dvec3(mesh.positions[t[k]]) - origin,
                c = sum / double(count) - origin;
    p.volume += glm::dot(a, glm::cross(b, c)) / 6;
    p.holes += glm::length(glm::cross(b - a, c - a)) / 2;
  }
}

std::vector<Part> parts_of(const TriMesh& mesh) {
  std::map<Edge, std::vector<int>> edges;
  DisjointSets sets(mesh.triangle_count());
  for (int t = 0; t < mesh.triangle_count(); ++t)
    for (int k = 0; k < 3; ++k) {
      const ivec3& v = mesh.triangles[t];
      auto& at = edges[edge_of(v[k], v[(k + 1) % 3])];
      if (!at.empty()) sets.join(t, at[0]);
      at.push_back(t);
    }
  std::map<int, Part> parts;
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    Part& p = parts[sets.find(t)];
    p.triangles.push_back(t);
    for (int k = 0; k < 3; ++k) p.bounds.add(mesh.positions[mesh.triangles[t][k]]);
  }
  for (auto& [ends, at] : edges)
    if (at.size() % 2 != 0) {
      ++parts[sets.find(at[0])].open_edges;
      if (at.size() == 1) parts[sets.find(at[0])].boundary.push_back({ends.first, ends.second, at[0]});
    }
  std::vector<Part> out;
  for (auto& [r, p] : parts) {
    const dvec3 origin(p.bounds.center());
    for (const int t : p.triangles) {
      dvec3 c[3];
      for (int k = 0; k < 3; ++k) c[k] = dvec3(mesh.positions[mesh.triangles[t][k]]) - origin;
      p.volume += glm::dot(c[0], glm::cross(c[1], c[2])) / 6;
      p.area += glm::length(glm::cross(c[1] - c[0], c[2] - c[0])) / 2;
    }
    close_holes(mesh, p);
    out.push_back(std::move(p));
  }
  return out;
}

/// True if a closed part winds around a point, by the solid angles of its triangles (van Oosterom and
/// Strackee 1983).
bool encloses(const TriMesh& mesh, const Part& part, const vec3& point) {
  for (int a = 0; a < 3; ++a)
    if (!(point[a] > part.bounds.min[a] && point[a] < part.bounds.max[a])) return false;
  double around = 0;
  for (const int t : part.triangles) {
    dvec3 c[3];
    for (int k = 0; k < 3; ++k) c[k] = dvec3(mesh.positions[mesh.triangles[t][k]]) - dvec3(point);
    const double la = glm::length(c[0]), lb = glm::length(c[1]), lc = glm::length(c[2]);
    around += std::atan2(
        glm::dot(c[0], glm::cross(c[1], c[2])),
        la * lb * lc + glm::dot(c[0], c[1]) * lc + glm::dot(c[1], c[2]) * la + glm::dot(c[2], c[0]) * lb);
  }
  return std::abs(around) > 3.14159265358979323846;  // half of the value inside: 2 pi
}

// fraction of an open part's area: with larger holes the inside is undefined
constexpr double kMostHoles = 1.0 / 3;

/// Doubled sheets enclose rounding.
bool inside_out(const Part& p) {
  return (p.closed() || p.holes < kMostHoles * p.area) &&
         p.volume < -1e-6 * std::pow(double(p.bounds.diagonal()), 3);
}

std::string parts_in_words(int count, const char* kind) {
  return count == 1 ? fmt::format("{} part of its mesh faced inwards and was flipped", kind)
                    : fmt::format("{} {} parts of its mesh faced inwards and were flipped", count, kind);
}

}  // namespace

void turn_outward(TriMesh& mesh, const std::string& owner, std::vector<std::string>& notices,
                  bool asks_for_inside) {
  const std::vector<Part> parts = parts_of(mesh);
  int open = 0, turned = 0, turned_open = 0;
  std::vector<const Part*> negative;
  for (const Part& p : parts) {
    open += p.open_edges;
    if (p.closed() && inside_out(p)) negative.push_back(&p);
  }
  if (open > 0 && asks_for_inside)
    notices.push_back(fmt::format(
        "{}: its mesh is open ({} edges have a triangle on one side only), so it has no inside: cloth is "
        "kept on the front side of its faces, and only near them; "
        "close the holes, give it a thickness, or use collision = \"two_way\", which needs no inside",
        owner, open));
  const auto first_point = [&](const Part& p) { return mesh.positions[mesh.triangles[p.triangles[0]].x]; };
  // The outermost parts decide: parts inside one of them are turned with it, except a cavity in one that
  // faces outwards.
  std::vector<const Part*> outermost;
  for (const Part* p : negative) {
    bool inner = false;
    for (const Part& o : parts)
      inner = inner || (&o != p && o.closed() && encloses(mesh, o, first_point(*p)));
    if (!inner) outermost.push_back(p);
  }
  for (const Part& p : parts) {
    bool turns = !p.closed() && inside_out(p);
    for (const Part* o : outermost)
      turns = turns || o == &p || (p.closed() && encloses(mesh, *o, first_point(p)));
    if (!turns) continue;
    ++(p.closed() ? turned : turned_open);
    for (const int t : p.triangles) std::swap(mesh.triangles[t].y, mesh.triangles[t].z);
  }
  if (turned > 0)
    notices.push_back(owner + ": " + parts_in_words(turned, turned == 1 ? "a closed" : "closed"));
  if (turned_open > 0)
    notices.push_back(owner + ": " + parts_in_words(turned_open, turned_open == 1 ? "an open" : "open"));
}

}  // namespace weft
