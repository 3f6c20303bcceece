#include "sim/solvers/scene_elements.h"

#include <algorithm>
#include <cmath>

#include "sim/mesh/bending/hinge_weights.h"
#include "sim/mesh/rest_shape.h"
#include "sim/mesh/sides.h"
#include "sim/scene/model/part_surface.h"
#include "sim/scene/strands.h"

namespace weft {
namespace {

/// Least rigidity of a hinge over the smaller one of its fabric, where the shares of warp and weft would make
/// it negative.
constexpr float kSoftestHinge = 0.05f;

/// The fabric of a triangle with its own factor on the moduli (triangle_factors).
FabricParams stretched_by(const std::vector<vec3>& factors, size_t triangle, const FabricParams& fabric) {
  if (factors.empty()) return fabric;
  FabricParams own = fabric;
  const float factor = factors[triangle].x;
  own.stretch_stiffness *= factor, own.weft_stiffness *= factor, own.shear_stiffness *= factor;
  return own;
}

/// Factor on the bending rigidity of each hinge: the mean of its two triangles'. Empty: 1.
std::vector<float> hinge_factors(const Topology& t) {
  const std::vector<vec3> factors = triangle_factors(t);
  if (factors.empty()) return {};
  std::vector<float> sum(t.edges.size(), 0.0f), out;
  for (size_t e = 0; e < t.edges.size(); ++e)
    for (int k = 0; k < 2; ++k)
      if (const int own = t.edge_triangles[e][k]; own >= 0) sum[e] += 0.5f * factors[own].y;
  for (const Hinge& h : t.hinges) out.push_back(sum[find_edge(t.edges, h.x, h.y)]);
  return out;
}

/// Direction of the warp in the plane of a triangle: where the first material coordinate grows and the second
/// does not.
vec3 warp_direction(const Topology& t, const ivec3& tri, const vec3& a, const vec3& b) {
  const vec2 ua = t.uv[tri.y] - t.uv[tri.x], ub = t.uv[tri.z] - t.uv[tri.x];
  const float det = ua.x * ub.y - ua.y * ub.x;
  const vec3 w = ub.y * a - ua.y * b;  // times det
  const float length = glm::length(w);
  return length > 1e-12f && std::abs(det) > 0 ? (det > 0 ? w : -w) / length
                                              : a / std::max(glm::length(a), 1e-12f);
}

/// Inverse of the 2x2 matrix of a triangle's rest edges, columns of Dm = [ax bx; ay by].
TriangleRest<float> inverse_rest(float ax, float ay, float bx, float by, float area) {
  const float det = std::max(ax * by - ay * bx, 1e-20f);
  return {.u1 = by / det, .u2 = -ay / det, .v1 = -bx / det, .v2 = ax / det, .area = area};
}

/// The same in the frame of warp and weft, and the triangle's area.
TriangleRest<float> triangle_rest(const Topology& t, const RestShape& shape, int triangle) {
  if (shape.flat(triangle)) {
    const dvec3 &a = shape.first(triangle), &b = shape.second(triangle);
    return inverse_rest(float(a.x), float(a.y), float(b.x), float(b.y), float(shape.area(triangle)));
  }
  const ivec3& tri = t.triangles[triangle];
  const vec3 a = t.rest[tri.y] - t.rest[tri.x], b = t.rest[tri.z] - t.rest[tri.x];
  const vec3 x = warp_direction(t, tri, a, b), normal = glm::cross(a, b);
  const vec3 y = glm::cross(normal / std::max(glm::length(normal), 1e-20f), x);
  const float ax = glm::dot(a, x), ay = glm::dot(a, y), bx = glm::dot(b, x), by = glm::dot(b, y);
  return inverse_rest(ax, ay, bx, by, 0.5f * glm::length(normal));
}

template <class E>
ElementList<E> triangle_list(const Topology& t, const Scene& scene) {
  ElementList<E> list;
  const RestShape shape(t);
  for (int i = 0; i < cloth_triangle_count(t); ++i) {
    const ivec3& tri = t.triangles[i];
    list.points.push_back({tri.x, tri.y, tri.z});
    list.rest.push_back(triangle_rest(t, shape, i));
  }
  list.material = element_materials<E>(t, scene);
  return list;
}

}  // namespace

template <>
bool chosen<CorotatedTriangle>(const StepParams& step) {
  return ElasticModel(step.elastic_model) == ElasticModel::finite_elements;
}
template <>
std::vector<CorotatedTriangle::Material<float>> element_materials<CorotatedTriangle>(const Topology& t,
                                                                                     const Scene& scene) {
  std::vector<CorotatedTriangle::Material<float>> out;
  const std::vector<vec3> factors = triangle_factors(t);
  for (size_t i = 0; i < size_t(cloth_triangle_count(t)); ++i) {
    const FabricParams f = stretched_by(factors, i, fabric_at(t, scene, t.triangles[i].x));
    out.push_back(CorotatedTriangle::isotropic(f.stretch_stiffness, f.poisson_ratio));
  }
  return out;
}
template <>
ElementList<CorotatedTriangle> element_list<CorotatedTriangle>(const Topology& t, const Scene& scene) {
  return triangle_list<CorotatedTriangle>(t, scene);
}

template <>
bool chosen<StvkTriangle>(const StepParams& step) {
  return ElasticModel(step.elastic_model) == ElasticModel::stvk;
}
template <>
std::vector<StvkTriangle::Material<float>> element_materials<StvkTriangle>(const Topology& t,
                                                                           const Scene& scene) {
  std::vector<StvkTriangle::Material<float>> out;
  const std::vector<vec3> factors = triangle_factors(t);
  for (size_t i = 0; i < size_t(cloth_triangle_count(t)); ++i) {
    const FabricParams f = stretched_by(factors, i, fabric_at(t, scene, t.triangles[i].x));
    const float weft = f.weft_stiffness > 0 ? f.weft_stiffness : f.stretch_stiffness;
    const auto m = StvkTriangle::orthotropic(f.stretch_stiffness, weft, f.shear_stiffness, f.poisson_ratio);
    out.push_back(StvkTriangle::stiffened(m, f.warp_stiffening, f.weft_stiffening, f.shear_stiffening,
                                          f.stiffening_strain));
  }
  return out;
}
template <>
ElementList<StvkTriangle> element_list<StvkTriangle>(const Topology& t, const Scene& scene) {
  return triangle_list<StvkTriangle>(t, scene);
}

template <>
bool chosen<DihedralHinge>(const StepParams& step) {
  return BendingModel(step.bending_model) == BendingModel::dihedral;
}
template <>
std::vector<DihedralHinge::Material<float>> element_materials<DihedralHinge>(const Topology& t,
                                                                             const Scene& scene) {
  std::vector<DihedralHinge::Material<float>> out;
  const std::vector<float> factors = hinge_factors(t);
  const bool woven = std::any_of(scene.cloths.begin(), scene.cloths.end(),
                                 [](const Cloth& c) { return c.fabric.bending().x != c.fabric.bending().y; });
  const std::vector<float> shares =
      woven && !t.hinges.empty() ? warp_shares(t, fit_hinge_weights(t)) : std::vector<float>();
  for (size_t h = 0; h < t.hinges.size(); ++h) {
    const vec2 b = fabric_at(t, scene, t.hinges[h].x).bending();
    const float rigidity =
        shares.empty() ? b.x : std::max(b.y + shares[h] * (b.x - b.y), kSoftestHinge * std::min(b.x, b.y));
    out.push_back({rigidity * (factors.empty() ? 1.0f : factors[h])});
  }
  return out;
}
template <>
ElementList<DihedralHinge> element_list<DihedralHinge>(const Topology& t, const Scene& scene) {
  ElementList<DihedralHinge> list;
  const HingeWeights weights = fit_hinge_weights(t);
  for (size_t i = 0; i < t.hinges.size(); ++i) {
    const Hinge& h = t.hinges[i];
    list.points.push_back({h.x, h.y, h.z, h.w});
    list.rest.push_back({.angle = weights.rest_angle[i], .weight = weights.dihedral[i]});
  }
  list.material = element_materials<DihedralHinge>(t, scene);
  return list;
}

template <>
bool chosen<Stitch>(const StepParams&) {
  return true;
}
/// Threads are as stiff as the stiffer of the cloths that they join.
template <>
std::vector<Stitch::Material<float>> element_materials<Stitch>(const Topology& t, const Scene& scene) {
  std::vector<Stitch::Material<float>> out;
  const std::vector<float> painted = painted_factors(t, Painted::stretch_stiffness);
  for (const StitchedPair& pair : t.stitched) {
    float stiffness = 0;
    for (int k = 0; k < 2; ++k) {
      const FabricParams& f = fabric_at(t, scene, pair.vertices[k]);
      const float own = painted_at(painted, pair.vertices[k]);
      stiffness = std::max({stiffness, own * f.stretch_stiffness, own * f.weft_stiffness});
    }
    out.push_back({stiffness});
  }
  return out;
}
template <>
ElementList<Stitch> element_list<Stitch>(const Topology& t, const Scene& scene) {
  ElementList<Stitch> list;
  for (const StitchedPair& pair : t.stitched) {
    list.points.push_back({pair.vertices.x, pair.vertices.y});
    list.rest.push_back({pair.length});
  }
  list.material = element_materials<Stitch>(t, scene);
  return list;
}

namespace {

template <class E>
ElementList<E> cell_list(const Topology& t, const Scene& scene) {
  ElementList<E> list;
  for (const ivec4& c : t.cells) {
    const auto edge = [&](int v) { return dvec3(t.rest[v]) - dvec3(t.rest[c.x]); };
    list.points.push_back({c.x, c.y, c.z, c.w});
    list.rest.push_back(E::rest_of(edge(c.y), edge(c.z), edge(c.w)));
  }
  list.material = element_materials<E>(t, scene);
  return list;
}

template <class E>
std::vector<typename E::template Material<float>> cell_materials(const Topology& t, const Scene& scene) {
  std::vector<typename E::template Material<float>> out;
  const std::vector<SolidParams>& solids = scene.of<SolidList>().list;
  for (const ivec4& c : t.cells) {
    const ModelPart& part = t.parts[size_t(t.vertex_part[c.x])];
    const SolidMaterial& m = solids[size_t(t.vertex_part[c.x]) - scene.cloths.size()].material;
    // The one cell of a rigid body stands for all of its volume.
    const double whole = part.rigid_volume > 0 ? part.rigid_volume / cell_volume(t.rest, c) : 1;
    out.push_back(E::isotropic(float(whole * double(m.young)), m.poisson));
  }
  return out;
}

}  // namespace

template <>
bool chosen<StableTetrahedron>(const StepParams& step) {
  return SolidModel(step.solid_model) == SolidModel::neo_hookean;
}
template <>
std::vector<StableTetrahedron::Material<float>> element_materials<StableTetrahedron>(const Topology& t,
                                                                                     const Scene& scene) {
  return cell_materials<StableTetrahedron>(t, scene);
}
template <>
ElementList<StableTetrahedron> element_list<StableTetrahedron>(const Topology& t, const Scene& scene) {
  return cell_list<StableTetrahedron>(t, scene);
}

template <>
bool chosen<StvkTetrahedron>(const StepParams& step) {
  return SolidModel(step.solid_model) == SolidModel::stvk;
}
template <>
std::vector<StvkTetrahedron::Material<float>> element_materials<StvkTetrahedron>(const Topology& t,
                                                                                 const Scene& scene) {
  return cell_materials<StvkTetrahedron>(t, scene);
}
template <>
ElementList<StvkTetrahedron> element_list<StvkTetrahedron>(const Topology& t, const Scene& scene) {
  return cell_list<StvkTetrahedron>(t, scene);
}

template <>
bool chosen<CorotatedTetrahedron>(const StepParams& step) {
  return SolidModel(step.solid_model) == SolidModel::corotated;
}
template <>
std::vector<CorotatedTetrahedron::Material<float>> element_materials<CorotatedTetrahedron>(
    const Topology& t, const Scene& scene) {
  return cell_materials<CorotatedTetrahedron>(t, scene);
}
template <>
ElementList<CorotatedTetrahedron> element_list<CorotatedTetrahedron>(const Topology& t, const Scene& scene) {
  return cell_list<CorotatedTetrahedron>(t, scene);
}

namespace {

bool is_root(const Topology& t, int vertex) {
  const ModelPart& part = t.parts[t.vertex_part[vertex]];
  return std::binary_search(part.roots.begin(), part.roots.end(), vertex - part.first_vertex);
}

const StrandMaterial& strand_at(const Topology& t, const Scene& scene, int vertex) {
  const size_t before = scene.cloths.size() + scene.of<SolidList>().list.size();
  return scene.of<StrandList>().list[size_t(t.vertex_part[vertex]) - before].material;
}

}  // namespace

/// Springs as an element set are those of strands.
template <>
bool chosen<Spring>(const StepParams&) {
  return true;
}
template <>
std::vector<Spring::Material<float>> element_materials<Spring>(const Topology& t, const Scene& scene) {
  std::vector<Spring::Material<float>> out;
  for (const ivec2& l : t.lines)
    out.push_back({strand_at(t, scene, l.x).stretch / glm::distance(t.rest[l.x], t.rest[l.y])});
  return out;
}
template <>
ElementList<Spring> element_list<Spring>(const Topology& t, const Scene& scene) {
  ElementList<Spring> list;
  for (const ivec2& l : t.lines) {
    list.points.push_back({l.x, l.y});
    list.rest.push_back({glm::distance(t.rest[l.x], t.rest[l.y])});
  }
  list.material = element_materials<Spring>(t, scene);
  return list;
}

template <>
bool chosen<StrandBend>(const StepParams&) {
  return true;
}
template <>
std::vector<StrandBend::Material<float>> element_materials<StrandBend>(const Topology& t,
                                                                       const Scene& scene) {
  std::vector<StrandBend::Material<float>> out;
  for_each_bend(t, [&](int, int at, int) { out.push_back({strand_at(t, scene, at).bending}); });
  return out;
}
template <>
ElementList<StrandBend> element_list<StrandBend>(const Topology& t, const Scene& scene) {
  ElementList<StrandBend> list;
  for_each_bend(t, [&](int before, int at, int after) {
    const dvec3 own(t.rest[at]);
    list.points.push_back({at, before, after});
    list.rest.push_back(StrandBend::rest_of(dvec3(t.rest[before]) - own, dvec3(t.rest[after]) - own));
    // The line of a root is held where roots are: the half of it that would bend does not.
    if (is_root(t, at)) list.rest.back().length = 0.5f * list.rest.back().second;
  });
  list.material = element_materials<StrandBend>(t, scene);
  return list;
}

RowTerms row_terms(const StepParams& step) {
  RowTerms terms;
  terms.springs = ElasticModel(step.elastic_model) == ElasticModel::springs;
  terms.bending = BendingModel(step.bending_model) == BendingModel::quadratic;
  terms.block_bending = chosen<DihedralHinge>(step);
  return terms;
}

RowLayout row_layout(const Scene& scene) {
  RowLayout layout{BendingModel(scene.step.bending_model), {}, {}};
  if (layout.bending == BendingModel::quadratic)
    for (const Cloth& c : scene.cloths) {
      const vec2 b = c.fabric.bending();
      layout.poisson.push_back(c.fabric.bending_poisson_ratio);
      layout.shares.push_back(b.x == b.y ? vec2(1) : b / std::max(b.x, b.y));
    }
  if (std::all_of(layout.shares.begin(), layout.shares.end(), [](const vec2& s) { return s == vec2(1); }))
    layout.shares.clear();
  return layout;
}

float row_rigidity(const StepParams& step, const FabricParams& fabric) {
  const vec2 b = fabric.bending();
  const float most = std::max(b.x, b.y);
  switch (BendingModel(step.bending_model)) {
    case BendingModel::dihedral: return most + kBeyond * std::abs(b.x - b.y);
    case BendingModel::quadratic: return most;
    default: return fabric.bending_rigidity;
  }
}

bool meshless_bending(const StepParams& step) {
  return BendingModel(step.bending_model) == BendingModel::meshless;
}

}  // namespace weft
