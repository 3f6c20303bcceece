#include "sim/solvers/spring_fabric.h"

#include <algorithm>

#include "sim/energies/bounding_springs.h"
#include "sim/linear/level_rows.h"
#include "sim/mesh/rest_shape.h"
#include "sim/mesh/sides.h"
#include "sim/scene/model/part_surface.h"
#include "sim/scene/model/weave_springs.h"

namespace weft {
namespace {

// beyond the bound at rest: triangles that turn or stretch are stiffer than that
constexpr float kElementMargin = 1.5f;
// over the sheet's own modulus: edges of slivers; the bound of their elements takes the rest
constexpr float kMostOver = 1e4f;
constexpr float kNeverLocks = 1e6f;  // stretch; small enough to stay finite in products

const FabricParams& fabric_at(const StepContext& c, int vertex) {
  return fabric_at(c.model.host, c.scene, vertex);
}

float stiffest(const FabricParams& f) { return std::max(f.stretch_stiffness, f.weft_stiffness); }

size_t edge_at(const Topology& t, int v, int w) { return size_t(find_edge(t.edges, v, w)); }

/// Of each edge: factor of the weave, the mean over its triangles by their springs' stiffness; empty where
/// material coordinates belong to vertices.
std::vector<float> weave_of_corners(const StepContext& c) {
  const Topology& t = c.model.host;
  const RestShape shape(t);
  if (!shape.any_flat()) return {};
  std::vector<float> sum(t.edges.size(), 0.0f), weight(t.edges.size(), 0.0f);
  for (int i = 0; i < int(t.triangles.size()); ++i)
    for (int k = 0; k < 3; ++k) {
      const int v = t.triangles[i][k], w = t.triangles[i][(k + 1) % 3];
      const dvec3 d = shape.side(i, k);
      const vec2 along = shape.flat(i) ? vec2(float(d.x), float(d.y)) : t.uv[w] - t.uv[v];
      const size_t e = edge_at(t, v, w);
      const float share = float(shape.area(i) / std::max(glm::dot(d, d), 1e-20));
      sum[e] += share * WeaveSprings(fabric_at(c, v)).factor(along), weight[e] += share;
    }
  for (size_t e = 0; e < sum.size(); ++e) sum[e] = weight[e] > 0 ? sum[e] / weight[e] : 1.0f;
  return sum;
}

}  // namespace

SpringModuli::SpringModuli(const StepContext& c) : c_(c) {
  if (row_terms(c.scene.step).springs) {
    weave_ = weave_of_corners(c);
    return;
  }
  const Topology& t = c.model.host;
  unit_ = unit_spring_stiffness(level_mesh(t));
  stiffness_.assign(t.edges.size(), 0.0f);
  for_each_energy([&]<class E>(int) {
    if constexpr (kOfTriangles<E>)
      if (chosen<E>(c.scene.step)) add_bounds(element_list<E>(t, c.scene));
  });
  for (size_t e = 0; e < stiffness_.size(); ++e) {
    const float own = unit_[e] * stiffest(fabric_at(c, t.edges[e].x));
    stiffness_[e] =
        std::isfinite(stiffness_[e]) ? std::clamp(stiffness_[e], own, kMostOver * own) : kMostOver * own;
  }
}

template <class E>
void SpringModuli::add_bounds(const ElementList<E>& list) {
  for (size_t i = 0; i < list.points.size(); ++i) {
    const auto& r = list.rest[i];
    const auto& v = list.points[i];
    const glm::dmat2 edges = glm::inverse(glm::dmat2(r.u1, r.u2, r.v1, r.v2));
    const auto k = bounding_springs(edges, E::plane_stress(list.material[i]));
    for (size_t e = 0; e < 3; ++e)
      stiffness_[edge_at(c_.model.host, v[e], v[(e + 1) % 3])] += kElementMargin * float(k[e]);
  }
}

float SpringModuli::operator()(int v, int w) const {
  if (!weave_.empty()) return fabric_at(c_, v).stretch_stiffness * weave_[edge_at(c_.model.host, v, w)];
  if (stiffness_.empty()) return coarse_spring_modulus(c_, {}, v, w);  // edges have what is painted
  const size_t e = edge_at(c_.model.host, v, w);
  return stiffness_[e] / std::max(unit_[e], 1e-20f);
}

float coarse_spring_modulus(const StepContext& c, const std::vector<float>& painted, int v, int w) {
  const FabricParams& f = fabric_at(c, v);
  const float own = 0.5f * (painted_at(painted, v) + painted_at(painted, w));
  if (!row_terms(c.scene.step).springs) return own * stiffest(f);
  return own * f.stretch_stiffness * WeaveSprings(f).factor(c.model.host.uv[w] - c.model.host.uv[v]);
}

float lock_begin(const StepContext& c, int v) {
  const FabricParams& f = fabric_at(c, v);
  const float strain = f.strain_limit > 0 ? f.strain_limit : kNeverLocks,
              most = c.contact.stretch_limit > 1 ? c.contact.stretch_limit - 1 : kNeverLocks;
  return 1 + 0.5f * std::min(strain, most);
}

namespace {

std::vector<std::vector<RowEntry>> sheet_rows(const StepContext& c) {
  const Topology& t = c.model.host;
  const RowLayout layout = row_layout(c.scene);
  switch (layout.bending) {
    case BendingModel::quadratic: return plate_rows(t, layout.poisson, c.model.clamped, layout.shares);
    case BendingModel::meshless: return meshless_rows(t);
    default: return level_rows(level_mesh(t));
  }
}

void couple(std::vector<RowEntry>& row, int neighbor) {
  const auto at =
      std::find_if(row.begin(), row.end(), [&](const RowEntry& e) { return e.neighbor == neighbor; });
  if (at != row.end()) at->block = true;
  else row.push_back({.neighbor = neighbor, .block = true});
}

}  // namespace

std::vector<std::vector<RowEntry>> fine_rows(const StepContext& c) {
  std::vector<std::vector<RowEntry>> rows = sheet_rows(c);
  for (const StitchedPair& pair : c.model.host.stitched)
    for (int k = 0; k < 2; ++k) couple(rows[pair.vertices[k]], pair.vertices[1 - k]);
  for_each_bend(c.model.host, [&](int before, int at, int after) {
    for (const auto& [a, b] : {std::pair(before, at), std::pair(at, after), std::pair(before, after)})
      couple(rows[a], b), couple(rows[b], a);
  });
  for (const ivec2& line : c.model.host.lines) couple(rows[line.x], line.y), couple(rows[line.y], line.x);
  for (const ivec4& cell : c.model.host.cells)
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b)
        if (a != b) couple(rows[cell[a]], cell[b]);
  return rows;
}

}  // namespace weft
