#include "sim/geometry/mesh_sdf.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "sim/base/error.h"
#include "sim/mesh/sides.h"

namespace weft {
namespace {

constexpr float kHalfDiagonal = 0.8661f;  // half diagonal of a unit cell, rounded up
constexpr float kBand = 2.0f;             // cells with centres this near (in cells) list triangles

std::vector<SdfTriangle> with_pseudonormals(const TriMesh& mesh, bool& closed) {
  std::vector<vec3> at_vertex(mesh.positions.size(), vec3(0));
  std::map<Edge, std::pair<vec3, int>> at_edge;
  std::vector<vec3> face;
  for (auto& t : mesh.triangles) {
    const vec3 n =
        glm::cross(mesh.positions[t.y] - mesh.positions[t.x], mesh.positions[t.z] - mesh.positions[t.x]);
    const float length = glm::length(n);
    face.push_back(length > 0 ? n / length : vec3(0));
    for (int k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3];
      const vec3 u = glm::normalize(mesh.positions[b] - mesh.positions[a]),
                 v = glm::normalize(mesh.positions[c] - mesh.positions[a]);
      at_vertex[a] += std::acos(glm::clamp(glm::dot(u, v), -1.0f, 1.0f)) * face.back();
      auto& e = at_edge[edge_of(a, b)];
      e.first += face.back();
      ++e.second;
    }
  }
  closed = std::all_of(at_edge.begin(), at_edge.end(), [](auto& e) { return e.second.second % 2 == 0; });
  auto unit = [](const vec3& n) {
    const float length = glm::length(n);
    return length > 0 ? n / length : vec3(0);
  };
  std::vector<SdfTriangle> out;
  for (size_t i = 0; i < mesh.triangles.size(); ++i) {
    const ivec3 t = mesh.triangles[i];
    SdfTriangle s;
    s.normal[0] = face[i];
    for (int k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      s.corner[k] = mesh.positions[a];
      s.normal[1 + k] = unit(at_edge[edge_of(a, b)].first);
      s.normal[4 + k] = unit(at_vertex[a]);
    }
    if (face[i] != vec3(0)) out.push_back(s);
  }
  return out;
}

void place_grid(HostSdf& f, const TriMesh& mesh, float offset, int max_cells) {
  const Bounds bounds = bounds_of(mesh.positions);
  double sum = 0;
  for (auto& t : f.triangles)
    for (int k = 0; k < 3; ++k) sum += glm::length(t.corner[(k + 1) % 3] - t.corner[k]);
  float cell = std::max(least_cell(offset), float(0.5 * sum / (3.0 * double(f.triangles.size()))));
  const vec3 extent = bounds.max - bounds.min;
  for (;; cell *= 1.1f) {
    const vec3 cells = glm::ceil(extent / cell) + 5.0f;  // may be more than an int holds
    if (!(double(cells.x) * double(cells.y) * double(cells.z) <= double(max_cells))) continue;
    f.grid.cell = cell;
    f.grid.exact = (kBand - kHalfDiagonal) * cell;
    f.grid.origin = bounds.min - vec3(2.5f * cell);
    f.grid.cells = ivec3(cells);
    return;
  }
}

vec3 center_of(const SdfGrid& g, int x, int y, int z) { return g.origin + g.cell * (vec3(x, y, z) + 0.5f); }

float signed_distance(const SdfTriangle& t, const vec3& p) {
  const ClosestOnTriangle q = closest_on_triangle(p, t.corner[0], t.corner[1], t.corner[2]);
  const float d = glm::length(q.offset);
  return glm::dot(t.normal[q.feature], q.offset) < 0 ? -d : d;
}

/// Calls visit(cell index, triangle, signed distance) for every cell of slab z within `reach` of a triangle.
template <class Visit>
void visit_slab(const HostSdf& f, int z, float reach, const Visit& visit) {
  const SdfGrid& g = f.grid;
  for (int t = 0; t < int(f.triangles.size()); ++t) {
    const auto& c = f.triangles[t].corner;
    const vec3 low = (glm::min(c[0], glm::min(c[1], c[2])) - reach - g.origin) / g.cell;
    const vec3 high = (glm::max(c[0], glm::max(c[1], c[2])) + reach - g.origin) / g.cell;
    if (float(z) < low.z - 1 || float(z) > high.z) continue;
    const int x0 = std::max(0, int(low.x)), x1 = std::min(g.cells.x - 1, int(high.x));
    const int y0 = std::max(0, int(low.y)), y1 = std::min(g.cells.y - 1, int(high.y));
    for (int y = y0; y <= y1; ++y)
      for (int x = x0; x <= x1; ++x) {
        const float d = signed_distance(f.triangles[t], center_of(g, x, y, z));
        if (std::abs(d) <= reach) visit((z * g.cells.y + y) * g.cells.x + x, t, d);
      }
  }
}

/// Exact signed distances for centres in the band; 1e30 elsewhere.
void fill_band(HostSdf& f, float reach) {
  oneapi::tbb::parallel_for(0, f.grid.cells.z, [&](int z) {
    visit_slab(f, z, reach, [&](int cell, int, float d) {
      float& now = f.center_distance[cell];
      if (std::abs(d) < std::abs(now)) now = d;
    });
  });
}

/// For each cell within the band: all triangles that may be nearest to one of its points, namely those no
/// further from the centre than the nearest one plus the cell's diagonal.
void list_triangles(HostSdf& f, float reach) {
  const float band = kBand * f.grid.cell, slack = 2 * kHalfDiagonal * f.grid.cell;
  std::vector<std::vector<std::tuple<int, float, int>>> slabs(f.grid.cells.z);
  oneapi::tbb::parallel_for(0, f.grid.cells.z, [&](int z) {
    visit_slab(f, z, reach, [&](int cell, int t, float d) {
      const float nearest = std::abs(f.center_distance[cell]);
      if (nearest <= band && std::abs(d) <= nearest + slack) slabs[z].push_back({cell, std::abs(d), t});
    });
    std::sort(slabs[z].begin(), slabs[z].end());
  });
  f.start.assign(f.center_distance.size() + 1, 0);
  for (auto& slab : slabs)
    for (auto& [cell, d, t] : slab) {
      ++f.start[cell + 1];
      f.entry.push_back(t);
    }
  for (size_t i = 1; i < f.start.size(); ++i) f.start[i] += f.start[i - 1];
}

/// Distances beyond the band, never larger than the true ones D > reach. Layers of cells are counted from the
/// band outwards along the axes; a layer is c / sqrt(3) thick in the worst direction. The segment from a
/// centre to its nearest surface point leaves the band in some cell; rounding to that cell's centre and to
/// whole steps can make the count too large by up to (sqrt(3) / 2 + sqrt(3)) c = 2.6 c.
void spread(HostSdf& f, float reach) {
  const ivec3 n = f.grid.cells;
  std::vector<int> front, beyond;
  for (int i = 0; i < int(f.center_distance.size()); ++i)
    if (std::abs(f.center_distance[i]) < 1e29f) front.push_back(i);
  std::vector<char> known(f.center_distance.size(), 0);
  for (const int i : front) known[i] = 1;
  const float step = f.grid.cell / std::sqrt(3.0f);
  while (!front.empty()) {
    std::vector<int> next;
    for (const int i : front) {
      const int x = i % n.x, y = i / n.x % n.y, z = i / (n.x * n.y);
      auto offer = [&](int dx, int dy, int dz) {
        const int cx = x + dx, cy = y + dy, cz = z + dz;
        if (cx < 0 || cy < 0 || cz < 0 || cx >= n.x || cy >= n.y || cz >= n.z) return;
        const int j = (cz * n.y + cy) * n.x + cx;
        if (known[j]) return;
        known[j] = 1;
        const float d = f.center_distance[i];
        // An open mesh has no inside to speak of beyond its band.
        f.center_distance[j] = d > 0 || !f.closed ? std::abs(d) + step : d - step;
        next.push_back(j);
        beyond.push_back(j);
      };
      offer(1, 0, 0), offer(-1, 0, 0), offer(0, 1, 0), offer(0, -1, 0), offer(0, 0, 1), offer(0, 0, -1);
    }
    front = std::move(next);
  }
  for (const int i : beyond) {
    float& d = f.center_distance[i];
    d = std::copysign(std::max(reach, std::abs(d) - 2.6f * f.grid.cell), d);
  }
}

}  // namespace

SdfGrid HostSdf::view() const {
  SdfGrid g = grid;
  g.center_distance = center_distance.data();
  g.start = start.data();
  g.entry = entry.data();
  g.triangle = triangles.data();
  g.sphere = spheres.data();
  return g;
}

float least_cell(float offset) { return 1e-3f * std::max(2.0f, std::ceil(1.5f * 1e3f * offset)); }

HostSdf build_sdf(const TriMesh& mesh, const std::string& name, float offset, int max_cells) {
  HostSdf f;
  f.triangles = with_pseudonormals(mesh, f.closed);
  if (f.triangles.empty()) throw Error("the mesh has no area", "obstacle " + name, "check the file");
  for (const SdfTriangle& t : f.triangles) {
    const vec3 center = (t.corner[0] + t.corner[1] + t.corner[2]) / 3.0f;
    float radius = 0;
    for (const vec3& c : t.corner) radius = std::max(radius, glm::length(c - center));
    f.spheres.push_back(vec4(center, radius * 1.0001f));
  }
  place_grid(f, mesh, offset, max_cells);
  f.center_distance.assign(size_t(f.grid.cells.x) * f.grid.cells.y * f.grid.cells.z, 1e30f);
  const float reach = (kBand + 2 * kHalfDiagonal) * f.grid.cell;
  fill_band(f, reach);
  list_triangles(f, reach);
  spread(f, reach);
  return f;
}

MeshSdf::MeshSdf(Device& device, const TriMesh& mesh, const std::string& name, float offset)
    : host_(build_sdf(mesh, name, offset)),
      center_distance_(device, "field distances", host_.center_distance),
      start_(device, "field cells", host_.start),
      entry_(device, "field lists", host_.entry),
      triangles_(device, "field triangles", host_.triangles),
      spheres_(device, "field balls", host_.spheres) {}

BodyShape MeshSdf::device_shape() const {
  BodyShape s = host_shape();
  s.grid.center_distance = center_distance_.span().data;
  s.grid.start = start_.span().data;
  s.grid.entry = entry_.span().data;
  s.grid.triangle = triangles_.span().data;
  s.grid.sphere = spheres_.span().data;
  return s;
}

}  // namespace weft
