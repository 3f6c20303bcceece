#include "sim/linear/level_rows.h"

#include <algorithm>
#include <array>

#include "sim/mesh/bending/bending_neighborhoods.h"
#include "sim/mesh/bending/hinge_weights.h"
#include "sim/mesh/bending/plate_bending.h"
#include "sim/mesh/rest_shape.h"
#include "sim/mesh/sides.h"
#include "sim/mesh/solid/tet_mesh.h"
#include "sim/mesh/topology.h"

namespace weft {
namespace {

float area(const LevelMesh& m, const ivec3& t) {
  return 0.5f * glm::length(glm::cross(m.rest[t.y] - m.rest[t.x], m.rest[t.z] - m.rest[t.x]));
}

}  // namespace

LevelMesh level_mesh(const Topology& t) {
  LevelMesh mesh{t.rest, t.triangles, t.edges, {}, {}};
  const std::vector<vec3> factors = triangle_factors(t);
  if (const RestShape shape(t); shape.any_flat() || !factors.empty()) {
    EdgeSprings springs = edge_springs(shape, t.triangles, t.edges, factors);
    for (size_t e = 0; e < t.edges.size() && !shape.any_flat(); ++e)
      if (springs.rest[e] == 0) springs.rest[e] = glm::length(t.rest[t.edges[e].y] - t.rest[t.edges[e].x]);
    mesh.edge_rest = std::move(springs.rest), mesh.edge_stiffness = std::move(springs.stiffness);
  }
  if (const std::vector<float> painted = painted_factors(t, Painted::bending_rigidity); !painted.empty())
    for (const ivec3& own : t.triangles) mesh.bending.push_back(painted_mean(painted, own));
  return mesh;
}

LevelMesh level_mesh_with_cells(const Topology& t) {
  LevelMesh mesh{t.rest, t.triangles, t.edges, {}, {}};
  if (t.cells.empty()) return mesh;
  const std::vector<ivec3> faces = inner_faces_of(t.cells);
  mesh.triangles.insert(mesh.triangles.end(), faces.begin(), faces.end());
  const std::vector<ivec2> edges = edges_of(t.cells);
  mesh.edges.insert(mesh.edges.end(), edges.begin(), edges.end());
  sort_edges(mesh.edges);
  return mesh;
}

std::vector<float> unit_spring_stiffness(const LevelMesh& m) {
  if (!m.edge_stiffness.empty()) return m.edge_stiffness;
  std::vector<float> around(m.edges.size(), 0.0f), vertex_area(m.rest.size(), 0.0f);
  for (auto& t : m.triangles) {
    const float a = area(m, t);
    for (int k = 0; k < 3; ++k) {
      around[find_edge(m.edges, t[k], t[(k + 1) % 3])] += a;
      vertex_area[t[k]] += a / 3;
    }
  }
  std::vector<float> stiffness(m.edges.size());
  for (size_t e = 0; e < m.edges.size(); ++e) {
    const auto [i, j] = std::array<int, 2>{m.edges[e].x, m.edges[e].y};
    const vec3 d = m.rest[j] - m.rest[i];
    // An edge of a coarse level may lack triangles where four neighbourhoods meet: a faint spring keeps it.
    const float a = around[e] > 0 ? around[e] : 0.25f * std::min(vertex_area[i], vertex_area[j]);
    stiffness[e] = a / std::max(glm::dot(d, d), 1e-20f);
  }
  return stiffness;
}

namespace {

std::vector<std::vector<RowEntry>> spring_rows(const LevelMesh& m) {
  std::vector<std::vector<RowEntry>> rows(m.rest.size());
  const std::vector<float> stiffness = unit_spring_stiffness(m);
  for (size_t e = 0; e < m.edges.size(); ++e) {
    const int i = m.edges[e].x, j = m.edges[e].y;
    const float rest = m.edge_rest.empty() ? glm::length(m.rest[j] - m.rest[i]) : m.edge_rest[e];
    rows[i].push_back({j, rest, stiffness[e], 0});
    rows[j].push_back({i, rest, stiffness[e], 0});
  }
  return rows;
}

void add_bending(std::vector<RowEntry>& row, int neighbor, float bending) {
  auto it = std::find_if(row.begin(), row.end(), [&](const RowEntry& r) { return r.neighbor == neighbor; });
  if (it == row.end()) it = row.insert(row.end(), RowEntry{neighbor, 1, 0, 0});
  it->bending += bending;
}

/// The mean of the two triangles beside a hinge.
float hinge_factor(const LevelMesh& m, const Topology& t, const Hinge& hinge) {
  if (m.bending.empty()) return 1;
  const ivec2 beside = t.edge_triangles[size_t(find_edge(t.edges, hinge.x, hinge.y))];
  return 0.5f * (m.bending[size_t(beside.x)] + m.bending[size_t(std::max(beside.y, beside.x))]);
}

}  // namespace

std::vector<std::vector<RowEntry>> level_rows(const LevelMesh& m) {
  std::vector<std::vector<RowEntry>> rows = spring_rows(m);
  TriMesh mesh;
  mesh.positions = m.rest;
  mesh.triangles = m.triangles;
  const Topology topology = build_topology({{"level", mesh}});
  const HingeWeights weights = fit_hinge_weights(topology);
  for (size_t h = 0; h < topology.hinges.size(); ++h) {
    const float painted = hinge_factor(m, topology, topology.hinges[h]);
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b)
        if (a != b)
          add_bending(rows[topology.hinges[h][a]], topology.hinges[h][b],
                      -painted * weights.quadratic[h] * weights.stencil[h][a] * weights.stencil[h][b]);
  }
  return rows;
}

std::vector<std::vector<RowEntry>> plate_rows(const Topology& t, const std::vector<float>& poisson,
                                              const std::vector<char>& clamped,
                                              const std::vector<vec2>& shares) {
  std::vector<std::vector<RowEntry>> rows = spring_rows(level_mesh(t));
  const PlateBending plate(t, clamped);
  std::vector<BendingCoupling> couplings;
  const auto add = [&] {
    for (const BendingCoupling& c : couplings) add_bending(rows[c.row], c.column, -c.value);
  };
  for (int i = 0; i < cloth_triangle_count(t); ++i) {
    const size_t cloth = size_t(t.vertex_part[t.triangles[i].x]);
    plate.couplings(i, poisson[cloth], couplings, shares.empty() ? vec2(1) : shares[cloth]);
    add();
  }
  plate.crowded_edges(couplings);
  add();
  return rows;
}

std::vector<std::vector<RowEntry>> meshless_rows(const Topology& t) {
  std::vector<std::vector<RowEntry>> rows = spring_rows(level_mesh(t));
  const BendingNeighborhoods neighborhoods = bending_neighborhoods(t);
  const std::vector<float> painted = painted_factors(t, Painted::bending_rigidity);
  std::vector<BendingCoupling> couplings;
  for (int v = 0; v < int(t.rest.size()); ++v) {
    bending_couplings(neighborhoods, v, couplings);
    for (const BendingCoupling& c : couplings)
      add_bending(rows[c.row], c.column, -painted_at(painted, v) * c.value);
  }
  return rows;
}

}  // namespace weft
