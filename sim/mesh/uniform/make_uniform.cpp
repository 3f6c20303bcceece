#include "sim/mesh/uniform/make_uniform.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/error.h"
#include "sim/mesh/sides.h"
#include "sim/mesh/uniform/evening.h"
#include "sim/mesh/uniform/isotropic.h"
#include "sim/mesh/uniform/kept_apart.h"
#include "sim/mesh/uniform/pieces.h"
#include "sim/mesh/uniform/planar_sampling.h"
#include "sim/mesh/uniform/source_surface.h"

namespace weft {
namespace {

std::string in_millimetres(double metres) { return fmt::format("{:.4g} mm", 1e3 * metres); }

/// Number of equilateral triangles with this edge in the area.
double triangles_in(double area, double edge) { return area / (std::sqrt(3.0) / 4 * edge * edge); }
bool is_too_small(double area, double edge) { return triangles_in(area, edge) < 4; }

void check_edge(double edge, double area, const std::string& where) {
  if (!(edge > 0) || !std::isfinite(edge))
    throw Error("the edge length must be a positive number of metres", where);
  const double triangles = triangles_in(area, edge);
  if (is_too_small(area, edge))
    throw Error(
        fmt::format("edges of {} are too long for a part of {:.3g} cm2", in_millimetres(edge), 1e4 * area),
        where, fmt::format("use edges of {} or less", in_millimetres(0.3 * std::sqrt(area))));
  if (triangles > 4e7)
    throw Error(fmt::format("edges of {} would make {:.3g} million triangles", in_millimetres(edge),
                            1e-6 * triangles),
                where, "use longer edges; lengths in files count as metres");
}

/// A part of the whole's progress.
std::function<void(double)> share_of(const std::function<void(double)>& progress, double begin, double end) {
  if (!progress) return nullptr;
  return [=](double share) { progress(begin + (end - begin) * share); };
}

/// Result of one seed. `ratio` receives its ratio.
HalfEdgeMesh sampled_once(const Outline& boundary, double edge, const UniformOptions& options, uint64_t seed,
                          double& ratio) {
  PlanarSamples samples = sample_inside(boundary, edge, seed);
  if (options.progress) options.progress(0.2);
  const std::vector<ivec3> triangles = triangulate(samples);
  std::vector<dvec3> points;
  for (const dvec2& p : samples.points) points.push_back(dvec3(p, 0));
  HalfEdgeMesh mesh = make_half_edge(points, triangles);
  EveningOptions evening;
  evening.enough = options.enough, evening.progress = share_of(options.progress, 0.3, 1);
  ratio = even_out(mesh, evening);
  return mesh;
}

/// Some random samplings give a ratio below the target; another seed is then better.
HalfEdgeMesh pattern_in_plane(const Outline& outline, const UniformOptions& options) {
  constexpr uint64_t kSeeds = 4;
  constexpr size_t kSmall = 6000;  // vertices, below which a second try costs less than half a second
  check_edge(options.edge, area_of(outline), options.where);
  const double edge = fitted_edge(outline, options.edge, options.corner_angle);
  const Outline boundary = checked(resampled(outline, edge, options.corner_angle).outline, options.where);
  HalfEdgeMesh best;
  double best_ratio = -1;
  for (uint64_t k = 0; k < kSeeds; ++k) {
    double ratio = 0;
    HalfEdgeMesh mesh = sampled_once(boundary, edge, options, options.seed + k * 7919, ratio);
    if (ratio > best_ratio) best = std::move(mesh), best_ratio = ratio;
    if (best_ratio >=
        (best.n_vertices() < kSmall ? options.enough : std::min(options.enough, kUniformEnough)))
      break;
  }
  return best;
}

/// Result for one piece: points of the rest shape and their positions on the whole mesh.
struct Remeshed {
  std::vector<dvec3> points;
  std::vector<Site> sites;  // on the piece
  std::vector<ivec3> triangles;
};

Remeshed remesh_flat(const Piece& piece, const SourceSurface& source, const PlaneFrame& frame,
                     const Outline& outline, const UniformOptions& options) {
  const HalfEdgeMesh mesh = pattern_in_plane(outline, options);
  const FlatLocator locator(piece, frame);
  Remeshed result{{}, {}, triangles_of(mesh)};
  for (const VertexHandle v : mesh.vertices()) {
    const dvec2 flat(point(mesh, v));
    result.points.push_back(frame.space(flat));
    result.sites.push_back(source.nearest(result.points.back(), locator.triangle(flat)));
  }
  return result;
}

/// Edges far from the target length, and the worst of them.
struct Misfits {
  int count = 0, edges = 0;
  double factor = 1, length = 0;  // of the worst edge: ratio of its length to the target or vice versa; m
  dvec3 at{0};
  bool boundary = false;
};

Misfits misfits_of(const HalfEdgeMesh& mesh, double wanted) {
  constexpr double kFar = 2.5;
  Misfits result;
  for (const auto e : mesh.edges()) {
    if (is_kept(mesh, e)) continue;
    const auto half = mesh.halfedge_handle(e, 0);
    const dvec3 a = point(mesh, mesh.from_vertex_handle(half)), b = point(mesh, mesh.to_vertex_handle(half));
    const double length = glm::length(b - a),
                 factor = std::max(length, wanted) / std::max(std::min(length, wanted), 1e-30);
    ++result.edges, result.count += factor > kFar;
    if (factor > result.factor)
      result.factor = factor, result.length = length, result.at = 0.5 * (a + b),
      result.boundary = mesh.is_boundary(e);
  }
  return result;
}

std::string in_words(const Misfits& m) {
  return fmt::format("{} of {} edges are far from that, the worst {} long at ({:.4g}, {:.4g}, {:.4g}) m, {}",
                     m.count, m.edges, in_millimetres(m.length), m.at.x, m.at.y, m.at.z,
                     m.boundary ? "on the boundary, which turns too sharply or is too narrow there"
                                : "inside, where the surface is thinner than an edge");
}

Remeshed remesh_curved(const SourceSurface& source, const UniformOptions& options,
                       const std::vector<char>& kept) {
  HalfEdgeMesh mesh = remeshed(source, options.edge, share_of(options.progress, 0, 0.5), kept);
  EveningOptions evening;
  evening.enough = options.enough, evening.source = &source,
  evening.progress = share_of(options.progress, 0.5, 1);
  if (!kept.empty()) evening.searches = 0;  // edges beside kept ones are uneven anyway, and this is expensive
  // ratio; share of the edges that may be far off: a spot, which must not cost all the rest
  constexpr double kHopeless = 0.2, kSpot = 0.02;
  if (even_out(mesh, evening) < kHopeless && kept.empty()) {  // edges beside kept ones cannot be improved
    const Misfits misfits = misfits_of(mesh, options.edge);
    if (misfits.count > kSpot * misfits.edges)
      throw Error(fmt::format("no even triangles with edges of {} fit: {}", in_millimetres(options.edge),
                              in_words(misfits)),
                  options.where, "use shorter edges");
    if (options.tell)
      options.tell(fmt::format("edges of {} do not fit everywhere: {}; shorter edges may",
                               in_millimetres(options.edge), in_words(misfits)));
  }
  Remeshed result{{}, {}, triangles_of(mesh)};
  for (const VertexHandle v : mesh.vertices())
    result.points.push_back(point(mesh, v)), result.sites.push_back(mesh.data(v).site);
  return result;
}

/// The boundary of a flat piece as an outline; none if its lines cross.
std::optional<Outline> outline_of(const SourceSurface& source, const PlaneFrame& frame) {
  Outline outline;
  for (const BoundaryCurve& curve : source.curves()) {
    outline.loops.push_back({});
    for (const int v : curve.vertex) outline.loops.back().push_back(frame.flat(source.points()[v]));
  }
  try {
    return checked(outline, "");
  } catch (const Error&) {
    return {};
  }
}

template <class V>
double area_of(const std::vector<V>& points, const std::vector<ivec3>& triangles) {
  double doubled = 0;
  for (const ivec3& t : triangles) {
    const dvec3 a(points[t.x]);
    doubled += glm::length(glm::cross(dvec3(points[t.y]) - a, dvec3(points[t.z]) - a));
  }
  return 0.5 * doubled;
}
double area_of(const Piece& piece) { return area_of(piece.points, piece.triangles); }

/// Less area is less cloth, with less mass: where details are lost, that is how it shows.
void report_area(double before, double after, const UniformOptions& options) {
  constexpr double kMuch = 0.02;
  if (options.tell && std::abs(after - before) > kMuch * before)
    options.tell(
        fmt::format("the area changes by {:+.1f} %, from {:.4g} to {:.4g} m2: details smaller than edges of "
                    "{} are lost; shorter edges keep more",
                    100 * (after / before - 1), before, after, in_millimetres(options.edge)));
}

/// Throws Error if nothing could be remeshed.
void report_kept(const KeptApart& apart, const TriMesh& mesh, const UniformOptions& options) {
  if (apart.kept_triangles() == mesh.triangle_count())
    throw Error(apart.words(), options.where, "use shorter edges, or move the layers further apart");
  if (options.tell && apart.kept_triangles() > 0) options.tell(apart.words());
  if (options.tell && apart.crossed_before() > 0)
    options.tell(
        fmt::format("{} of its triangles cross or touch each other before anything is done; these crossings "
                    "are not repaired",
                    apart.crossed_before()));
}

/// Same points, same triangles.
Remeshed as_it_is(const Piece& piece) {
  Remeshed result{piece.points, std::vector<Site>(piece.points.size()), piece.triangles};
  for (int t = 0; t < int(piece.triangles.size()); ++t)
    for (int k = 0; k < 3; ++k) {
      Site& site = result.sites[piece.triangles[t][k]];
      site.triangle = t, site.barycentric = dvec3(0), site.barycentric[k] = 1;
    }
  return result;
}

dvec3 middle_of(const Piece& piece) {
  dvec3 sum(0);
  for (const dvec3& p : piece.points) sum += p / double(piece.points.size());
  return sum;
}

/// Pieces too small for four triangles: buttons, trimmings, debris of a scan. They are kept and reported
/// instead of refusing the whole mesh. Throws Error if all are too small.
std::vector<char> too_small(const std::vector<Piece>& pieces, const UniformOptions& options) {
  std::vector<char> small;
  int count = 0, largest = 0, largest_small = -1;
  std::vector<double> area;
  for (int p = 0; p < int(pieces.size()); ++p) {
    area.push_back(area_of(pieces[p]));
    small.push_back(options.edge > 0 && is_too_small(area.back(), options.edge));
    if (area.back() > area[largest]) largest = p;
    if (!small.back()) continue;
    ++count;
    if (largest_small < 0 || area.back() > area[largest_small]) largest_small = p;
  }
  check_edge(options.edge, area[largest], options.where);
  if (count && options.tell) {
    const dvec3 at = middle_of(pieces[largest_small]);
    options.tell(fmt::format(
        "{} of {} parts {} too small for edges of {} and {} as {}: {}{:.3g} cm2 near ({:.4g}, {:.4g}, "
        "{:.4g}) m",
        count, pieces.size(), count == 1 ? "is" : "are", in_millimetres(options.edge),
        count == 1 ? "stays" : "stay", count == 1 ? "it is" : "they are",
        count == 1 ? "" : "the largest has ", 1e4 * area[largest_small], at.x, at.y, at.z));
  }
  return small;
}

/// `kept`: kept vertices with the triangles between them; may be empty.
Remeshed remesh_piece(const Piece& piece, const UniformOptions& options, const std::vector<char>& kept) {
  check_edge(options.edge, area_of(piece), options.where);
  const SourceSurface source(piece.points, piece.triangles, options.corner_angle);
  if (const auto frame = plane_of(piece); frame && kept.empty())
    if (const auto outline = outline_of(source, *frame))
      return remesh_flat(piece, source, *frame, *outline, options);
  return remesh_curved(source, options, kept);
}

void append(TriMesh& result, const Remeshed& part, const Piece& piece, const TriMesh& mesh) {
  const int first = result.vertex_count();
  result.attributes.resize(mesh.attributes.size());
  for (size_t a = 0; a < mesh.attributes.size(); ++a) result.attributes[a].name = mesh.attributes[a].name;
  for (size_t v = 0; v < part.points.size(); ++v) {
    const ivec3& t = mesh.triangles[piece.face[part.sites[v].triangle]];
    const dvec3& w = part.sites[v].barycentric;
    const auto mixed = [&](const auto& values, auto zero) {
      for (int k = 0; k < 3; ++k) zero += w[k] * decltype(zero)(values[t[k]]);
      return zero;
    };
    if (mesh.rest.empty()) {
      result.positions.push_back(vec3(part.points[v]));
    } else {
      result.positions.push_back(vec3(mixed(mesh.positions, dvec3(0))));
      result.rest.push_back(vec3(part.points[v]));
    }
    if (!mesh.uv.empty()) result.uv.push_back(vec2(mixed(mesh.uv, dvec2(0))));
    for (size_t a = 0; a < mesh.attributes.size(); ++a)
      result.attributes[a].values.push_back(float(mixed(mesh.attributes[a].values, 0.0)));
  }
  for (const ivec3& t : part.triangles) result.triangles.push_back(t + first);
}

/// All pieces, made again as often as it takes until none crosses another layer that it did not cross before.
TriMesh remeshed_apart(const TriMesh& mesh, const std::vector<Piece>& pieces,
                       const std::vector<char>& too_small, const UniformOptions& given) {
  UniformOptions options = given;
  KeptApart apart(mesh, pieces, options.edge, options.others);
  std::vector<Remeshed> parts(pieces.size());
  double done = 0;
  const auto make = [&](int p, double from, double to) {
    options.progress = share_of(given.progress, from, to);
    parts[p] = too_small[p] || apart.whole(p) ? as_it_is(pieces[p])
                                              : remesh_piece(pieces[p], options, apart.kept(p));
  };
  for (size_t p = 0; p < pieces.size(); ++p) {
    const double share = 0.7 * double(pieces[p].triangles.size()) / double(mesh.triangles.size());
    make(int(p), done, done + share);
    done += share;
  }
  for (;;) {
    TriMesh result;
    result.uv_scale = mesh.uv_scale;
    std::vector<int> piece_of;
    for (size_t p = 0; p < pieces.size(); ++p) {
      append(result, parts[p], pieces[p], mesh);
      piece_of.resize(result.triangles.size(), int(p));
    }
    if (apart.accept(result, piece_of)) {
      report_kept(apart, mesh, given);
      return result;
    }
    options.tell = nullptr;  // notices of the pieces were reported already
    const double step = 0.1 * (1 - done) / double(apart.changed().size());
    for (const int p : apart.changed()) make(p, done, done + step), done += step;
  }
}

}  // namespace

TriMesh uniform_pattern(const Outline& outline, const UniformOptions& options) {
  const HalfEdgeMesh mesh = pattern_in_plane(checked(outline, options.where), options);
  TriMesh result;
  for (const VertexHandle v : mesh.vertices()) {
    result.positions.push_back(vec3(point(mesh, v)));
    result.uv.push_back(vec2(dvec2(point(mesh, v))));
  }
  result.triangles = triangles_of(mesh);
  return result;
}

TriMesh made_uniform(const TriMesh& mesh, const UniformOptions& given) {
  if (mesh.triangles.empty()) throw Error("the mesh has no triangles", given.where);
  UniformOptions options = given;
  if (options.edge == 0) options.edge = uniformity_of(mesh).mean;
  std::vector<dvec3> rest;
  for (const vec3& p : mesh.rest.empty() ? mesh.positions : mesh.rest) rest.push_back(dvec3(p));
  check_manifold(rest, mesh.triangles, options.where);
  const std::vector<Piece> pieces = pieces_of(rest, mesh.triangles);
  const std::vector<char> keep = too_small(pieces, options);
  const TriMesh result = remeshed_apart(mesh, pieces, keep, options);
  report_area(area_of(rest, mesh.triangles),
              area_of(result.rest.empty() ? result.positions : result.rest, result.triangles), options);
  return result;
}

std::string what_limits(const TriMesh& mesh, const UniformOptions& options) {
  const std::vector<vec3>& rest = mesh.rest.empty() ? mesh.positions : mesh.rest;
  std::vector<Edge> boundary;
  for_each_edge(mesh.triangles, [&](auto sides) {
    if (sides.size() == 1) boundary.push_back(sides[0].edge);
  });
  std::vector<double> angle(rest.size(), 0);
  for (const ivec3& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) {
      const dvec3 p = rest[t[k]], a = dvec3(rest[t[(k + 1) % 3]]) - p, b = dvec3(rest[t[(k + 2) % 3]]) - p;
      angle[t[k]] += std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b));
    }
  const Uniformity u = uniformity_of(mesh);
  std::vector<std::string> reasons;
  const auto on_boundary = [&](const ivec2& e) {
    return std::binary_search(boundary.begin(), boundary.end(), edge_of(e));
  };
  const auto place = [&](int v) {
    return fmt::format("({:.4g}, {:.4g}, {:.4g}) m", rest[v].x, rest[v].y, rest[v].z);
  };
  if (u.edges && on_boundary(u.shortest_edge))
    reasons.push_back(fmt::format("the boundary has an edge of {} at {}", in_millimetres(u.shortest),
                                  place(u.shortest_edge.x)));
  if (u.edges && on_boundary(u.longest_edge))
    reasons.push_back(fmt::format("the boundary has an edge of {} at {}", in_millimetres(u.longest),
                                  place(u.longest_edge.x)));
  int sharpest = -1;
  for (const Edge& e : boundary)
    for (const int v : {e.first, e.second})
      if (sharpest < 0 || angle[v] < angle[sharpest]) sharpest = v;
  if (sharpest >= 0 && corner_limit(angle[sharpest]) < options.enough)
    reasons.push_back(fmt::format("a corner of {:.0f} degrees at {} allows {:.2f}",
                                  glm::degrees(angle[sharpest]), place(sharpest),
                                  corner_limit(angle[sharpest])));
  std::string text;
  for (const std::string& r : reasons) text += (text.empty() ? "" : "; ") + r;
  return text;
}

}  // namespace weft
