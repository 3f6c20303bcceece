#include "sim/garment/panel_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/base/error.h"
#include "sim/base/shorten.h"
#include "sim/mesh/uniform/evening.h"
#include "sim/mesh/uniform/mesh_edits.h"
#include "sim/mesh/uniform/move_vertices.h"
#include "sim/mesh/uniform/planar_sampling.h"

namespace weft {
namespace {

constexpr uint64_t kSeed = 1;
constexpr int kSearches = 60;          // patches that are tried for more even edges
constexpr double kEnough = 0.6;        // ratio of shortest to longest edge at which improving ends
constexpr double kWithBoundary = 0.9;  // and of what the boundary's edges allow

using PointKey = std::pair<double, double>;

/// The boundary as an outline whose inside is on the left of each loop, and the sample of each of its points.
struct Lines {
  Outline outline;
  std::vector<int> sample;
};

double doubled_area(const std::vector<dvec2>& loop) {
  double sum = 0;
  for (size_t i = 0; i < loop.size(); ++i) {
    const dvec2 a = loop[i] - loop[0], b = loop[(i + 1) % loop.size()] - loop[0];
    sum += a.x * b.y - a.y * b.x;
  }
  return sum;
}

Lines lines_of(const PanelBoundary& boundary, const std::string& where) {
  Lines lines;
  for (size_t l = 0; l + 1 < boundary.loop_start.size(); ++l) {
    std::vector<dvec2> loop;
    std::vector<int> sample;
    for (int i = boundary.loop_start[l]; i < boundary.loop_start[l + 1]; ++i)
      loop.push_back(boundary.samples[i].at), sample.push_back(i);
    if (loop.size() < 3)
      throw Error(fmt::format("{} has {} vertices, and needs three",
                              l == 0 ? "its outline" : fmt::format("hole {}", l), loop.size()),
                  where, "use a shorter edge length");
    if ((doubled_area(loop) > 0) != (l == 0))
      std::reverse(loop.begin(), loop.end()), std::reverse(sample.begin(), sample.end());
    lines.outline.loops.push_back(std::move(loop));
    lines.sample.insert(lines.sample.end(), sample.begin(), sample.end());
  }
  (void)checked(lines.outline, where);  // crossings
  return lines;
}

/// Samples whose line to the next was halved. `after`: outline with more points.
std::vector<int> halved(const Lines& before, const Outline& after) {
  std::vector<int> found;
  size_t first = 0;
  for (size_t l = 0; l < before.outline.loops.size(); ++l) {
    const auto &old = before.outline.loops[l], &now = after.loops[l];
    size_t at = 0;
    for (size_t i = 0; i < old.size(); ++i) {
      const dvec2 next = old[(i + 1) % old.size()];
      const size_t end = i + 1 < old.size()
                             ? size_t(std::find(now.begin() + long(at) + 1, now.end(), next) - now.begin())
                             : now.size();
      if (end > at + 1) found.push_back(int(first + i));
      at = end;
    }
    first += old.size();
  }
  return found;
}

double ratio_of_lines(const Outline& outline) {
  double least = 1e300, most = 0;
  for (const auto& loop : outline.loops)
    for (size_t i = 0; i < loop.size(); ++i) {
      const double l = glm::length(loop[(i + 1) % loop.size()] - loop[i]);
      least = std::min(least, l), most = std::max(most, l);
    }
  return least / most;
}

/// Flips or halves inner edges between two sewn vertices.
void part_sewn_vertices(HalfEdgeMesh& mesh, const std::map<PointKey, int>& sample_at,
                        const std::vector<char>& sewn) {
  const auto is_sewn = [&](VertexHandle v) {
    if (mesh.data(v).corner) return true;
    const dvec3 p = point(mesh, v);
    const auto at = sample_at.find({p.x, p.y});
    return at != sample_at.end() && sewn[at->second];
  };
  const auto joins = [&](EdgeHandle e) {
    const HalfedgeHandle h = mesh.halfedge_handle(e, 0);
    return !mesh.is_boundary(e) && is_sewn(mesh.from_vertex_handle(h)) && is_sewn(mesh.to_vertex_handle(h));
  };
  bool changed = false;
  for (const EdgeHandle e : mesh.edges())
    if (joins(e) && flip_allowed(mesh, e)) {
      const Diamond q = diamond(mesh, e);
      if (is_sewn(q.c) && is_sewn(q.d)) continue;
      mesh.flip(e), changed = true;
    }
  std::vector<EdgeHandle> left;
  for (const EdgeHandle e : mesh.edges())
    if (joins(e)) left.push_back(e);
  for (const EdgeHandle e : left) {
    const HalfedgeHandle h = mesh.halfedge_handle(e, 0);
    const dvec3 middle =
        0.5 * (point(mesh, mesh.from_vertex_handle(h)) + point(mesh, mesh.to_vertex_handle(h)));
    mesh.split(e, to_openmesh(middle)), changed = true;
  }
  if (changed) move_to_even_edges(mesh, nullptr, 20);
}

/// Moves the nearest inner vertex onto each of the points, and holds it there as a corner.
void hold(HalfEdgeMesh& mesh, const std::vector<dvec2>& points, const std::string& where) {
  for (const dvec2& p : points) {
    VertexHandle nearest;
    double least = 1e300;
    for (const VertexHandle v : mesh.vertices())
      if (const double far = glm::length(point(mesh, v) - dvec3(p, 0)); far < least) least = far, nearest = v;
    if (mesh.is_boundary(nearest) || mesh.data(nearest).corner ||
        !keeps_faces(mesh, nearest, VertexHandle(), dvec3(p, 0), nullptr))
      throw Error(fmt::format("its button at ({:.4g}, {:.4g}) m is too near to {} for this edge length", p.x,
                              p.y, mesh.is_boundary(nearest) ? "an edge" : "another button"),
                  where, "use a shorter edge length, or move it");
    mesh.set_point(nearest, to_openmesh(dvec3(p, 0)));
    mesh.data(nearest).corner = true;
  }
  if (!points.empty()) move_to_even_edges(mesh, nullptr, 20);
}

/// The numbers of vertices at these points.
std::vector<int> found_at(const std::vector<dvec2>& points, const PanelMesh& mesh) {
  std::vector<int> found;
  for (const dvec2& p : points)
    found.push_back(int(std::find(mesh.points.begin(), mesh.points.end(), p) - mesh.points.begin()));
  return found;
}

/// Samples first.
PanelMesh numbered(const HalfEdgeMesh& mesh, const std::map<PointKey, int>& sample_at,
                   const PanelBoundary& boundary, const std::string& where) {
  PanelMesh out;
  out.boundary = int(boundary.samples.size());
  for (const BoundarySample& s : boundary.samples) out.points.push_back(s.at);
  std::vector<int> number;
  size_t found = 0;
  for (const VertexHandle v : mesh.vertices()) {
    const dvec3 p = point(mesh, v);
    const auto at = sample_at.find({p.x, p.y});
    const bool on = at != sample_at.end() && mesh.is_boundary(v);
    number.push_back(on ? at->second : int(out.points.size()));
    if (on) ++found;
    else out.points.push_back(dvec2(p));
  }
  if (found != boundary.samples.size())
    throw Error("its boundary was lost in meshing", where, "use a shorter edge length");
  for (const ivec3& t : triangles_of(mesh)) out.triangles.push_back({number[t.x], number[t.y], number[t.z]});
  return out;
}

}  // namespace

PanelMesh mesh_panel(const PanelBoundary& boundary, const std::vector<char>& sewn, double edge,
                     const std::string& where, std::vector<int>& too_long, const std::vector<dvec2>& fixed) {
  const Lines lines = lines_of(boundary, where);
  PlanarSamples samples = sample_inside(lines.outline, edge, kSeed);
  std::vector<ivec3> triangles;
  try {
    triangles = triangulate(samples);
  } catch (const Error& e) {
    throw Error(e.what_happened, where, e.what_to_do);
  }
  too_long.clear();
  if (samples.boundary != int(lines.sample.size())) {
    for (const int i : halved(lines, samples.outline)) {
      // The line from point i to the next one of the outline; it begins at the earlier of the two in the
      // direction of the panel's edges.
      size_t loop = 0;
      while (size_t(boundary.loop_start[loop + 1]) <= size_t(i)) ++loop;
      const int j = i + 1 < boundary.loop_start[loop + 1] ? i + 1 : boundary.loop_start[loop];
      const int a = lines.sample[i], b = lines.sample[j];
      too_long.push_back(boundary.next(a) == b ? a : b);
    }
    return {};
  }
  std::vector<dvec3> points;
  for (const dvec2& p : samples.points) points.push_back(dvec3(p, 0));
  HalfEdgeMesh mesh = make_half_edge(points, triangles);
  EveningOptions evening;
  evening.enough = std::min(kEnough, kWithBoundary * ratio_of_lines(lines.outline)),
  evening.searches = kSearches;
  even_out(mesh, evening);
  std::map<PointKey, int> sample_at;
  for (size_t i = 0; i < boundary.samples.size(); ++i)
    sample_at[{boundary.samples[i].at.x, boundary.samples[i].at.y}] = int(i);
  hold(mesh, fixed, where);
  part_sewn_vertices(mesh, sample_at, sewn);
  PanelMesh out = numbered(mesh, sample_at, boundary, where);
  out.held = found_at(fixed, out);
  return out;
}

}  // namespace weft
