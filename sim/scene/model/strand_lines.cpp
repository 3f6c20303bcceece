#include "sim/scene/model/strand_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/base/nearest.h"
#include "sim/mesh/import/obj_text.h"
#include "sim/mesh/polylines.h"
#include "sim/scene/model/cloth_mesh.h"
#include "sim/scene/motion.h"

namespace weft {
namespace {

constexpr double kPerTurn = 8;    // segments to a turn of a curl
constexpr double kFullAt = 2;     // segments from the root at which a curl has its radius
constexpr double kOffBody = 1.5;  // diameters of a strand that its root stays off a body
constexpr double kPi2 = 2 * double(kPi);

struct Root {
  dvec3 at, along;
};

/// A unit vector at a right angle.
dvec3 beside(const dvec3& n) {
  const dvec3 other = std::abs(n.x) < 0.6 ? dvec3(1, 0, 0) : dvec3(0, 1, 0);
  return glm::normalize(glm::cross(n, other));
}

/// Spread evenly over the rectangle, by the golden ratio.
std::vector<Root> on_patch(const StrandParams& s) {
  std::vector<Root> roots;
  const double golden = 0.6180339887498949, other = 0.7548776662466927;
  for (int i = 0; i < s.count; ++i) {
    const dvec2 share(std::fmod(0.5 + i * other, 1.0), std::fmod(0.5 + i * golden * other, 1.0));
    const dvec2 at = (share - 0.5) * dvec2(s.size);
    roots.push_back({{at.x, 0, at.y}, {0, 1, 0}});
  }
  return roots;
}

/// Spread over the triangles of a body that look up far enough, by area.
std::vector<Root> on_body(const StrandParams& s, const Scene& scene, const std::string& folder,
                          std::vector<std::string>& notices) {
  const auto body = std::find_if(scene.obstacles.begin(), scene.obstacles.end(),
                                 [&](const Obstacle& o) { return o.name == s.body; });
  if (body == scene.obstacles.end()) {
    std::vector<std::string> names;
    for (const Obstacle& o : scene.obstacles) names.push_back(o.name);
    throw Error("there is no body '" + s.body + "'", "strands " + s.name, did_you_mean(s.body, names));
  }
  if (body->deforms() || body->shape == ObstacleShape::plane)
    throw Error("strands grow on bodies that keep their shape and have an end", "strands " + s.name,
                "choose a sphere, a box, a capsule or a mesh");
  const TriMesh mesh = build_obstacle_mesh(*body, folder, notices);
  const glm::dquat turn(rotation_from_degrees(body->placement.rotation));
  const auto place = [&](int v) { return turn * dvec3(mesh.positions[v]) + dvec3(body->placement.position); };
  struct Face {
    dvec3 a, b, c, normal;
    double until;  // sum of the areas up to it, m²
  };
  std::vector<Face> faces;
  double sum = 0;
  for (const ivec3& t : mesh.triangles) {
    Face f{place(t.x), place(t.y), place(t.z), {}, 0};
    const dvec3 n = glm::cross(f.b - f.a, f.c - f.a);
    const double size = glm::length(n);
    if (!(size > 0) || n.y / size < double(s.cap)) continue;
    f.normal = n / size, f.until = sum += 0.5 * size;
    faces.push_back(f);
  }
  if (faces.empty())
    throw Error("no part of the body looks up as far as cap = " + fmt::format("{}", s.cap),
                "strands " + s.name, "give a lower cap, -1 for all of it");
  std::vector<Root> roots;
  std::mt19937 random(1);
  for (int i = 0; i < s.count; ++i) {
    const double at = sum * (i + 0.5) / s.count;
    const auto face = std::lower_bound(faces.begin(), faces.end(), at,
                                       [](const Face& f, double value) { return f.until < value; });
    double u = double(random()) / 4294967296.0, v = double(random()) / 4294967296.0;
    if (u + v > 1) u = 1 - u, v = 1 - v;
    const dvec3 p = face->a + u * (face->b - face->a) + v * (face->c - face->a);
    roots.push_back({p + kOffBody * double(s.skin.thickness) * face->normal, face->normal});
  }
  return roots;
}

void add_strand(const StrandParams& s, const Root& root, int number, std::vector<dvec3>& points) {
  const double step = double(s.length) / s.segments;
  const dvec3 e = beside(root.along), f = glm::cross(root.along, e);
  // a helix of this radius is longer than its line: the line is shorter
  const double radius = double(s.curl), around = kPi2 / kPerTurn;
  const double along =
      std::sqrt(std::max(step * step - radius * radius * around * around, 0.01 * step * step));
  for (int k = 0; k <= s.segments; ++k) {
    const double angle = around * k + 2.399963 * number, grown = radius * std::min(1.0, k / kFullAt);
    points.push_back(root.at + along * k * root.along +
                     grown * ((std::cos(angle) - 1) * e + std::sin(angle) * f));
  }
}

/// Rings along x, every other one upright: the links of a chain.
void add_ring(const StrandParams& s, int number, std::vector<dvec3>& points) {
  const double radius = double(s.length) / kPi2, apart = s.spacing > 0 ? double(s.spacing) : 4 * radius / 3;
  const dvec3 across = number % 2 ? dvec3(0, 1, 0) : dvec3(0, 0, 1);
  for (int k = 0; k < s.segments; ++k) {
    const double angle = kPi2 * k / s.segments;
    points.push_back(dvec3(apart * number, 0, 0) +
                     radius * (std::cos(angle) * dvec3(1, 0, 0) + std::sin(angle) * across));
  }
}

/// The lines of an OBJ file, one strand after the other; points that no line has are left out.
void add_file(const StrandParams& s, const std::string& path, NamedMesh& part, std::vector<dvec3>& points) {
  const ObjText text = read_obj_text(read_text_file(path, "an OBJ file"), path);
  std::vector<ivec2> lines;
  for (const ObjText::Line& l : text.polylines) {
    const std::vector<int> on = vertices_of(text, l);
    for (size_t k = 1; k < on.size(); ++k) lines.push_back({on[k - 1], on[k]});
  }
  for (const Polyline& strand : polylines_of(lines, int(text.vertices.size()))) {
    const int first = int(points.size()), count = int(strand.points.size());
    for (const int v : strand.points) points.push_back(dvec3(text.vertices[size_t(v)]));
    for (int k = 0; k + 1 < count + int(strand.closed); ++k) {
      part.lines.push_back({first + k, first + (k + 1) % count});
      if (points[size_t(part.lines.back().x)] == points[size_t(part.lines.back().y)])
        throw Error(fmt::format("the line at point {} has no length", strand.points[size_t(k)] + 1), path,
                    "join points that are in one place");
    }
    if (!strand.closed) part.roots.insert(part.roots.end(), {first, first + 1});
  }
  if (part.lines.empty())
    throw Error("the file has no lines (statements \"l 1 2 3\") for strands " + s.name, path,
                "export curves as lines");
}

/// Strands on a patch or a body, or rings.
void add_made(const StrandParams& s, const Scene& scene, const std::string& folder, NamedMesh& part,
              std::vector<dvec3>& points, std::vector<std::string>& notices) {
  const bool ring = s.shape == StrandShape::ring;
  const int each = ring ? s.segments : s.segments + 1;
  const std::vector<Root> roots = ring                           ? std::vector<Root>()
                                  : s.shape == StrandShape::body ? on_body(s, scene, folder, notices)
                                                                 : on_patch(s);
  for (int i = 0; i < s.count; ++i) {
    const int first = int(points.size());
    if (ring) add_ring(s, i, points);
    else add_strand(s, roots[i], i, points), part.roots.insert(part.roots.end(), {first, first + 1});
    for (int k = 0; k < s.segments; ++k) part.lines.push_back({first + k, first + (k + 1) % each});
  }
}

}  // namespace

NamedMesh build_strands(const StrandParams& s, const Scene& scene, const std::string& folder,
                        std::vector<std::string>& notices) {
  std::vector<dvec3> points;
  NamedMesh part;
  part.name = s.name;
  if (s.shape == StrandShape::file) add_file(s, resolve_path(s.file, folder), part, points);
  else add_made(s, scene, folder, part, points, notices);
  const glm::dquat turn(rotation_from_degrees(s.placement.rotation));
  const bool placed = s.shape != StrandShape::body;
  for (dvec3& p : points) {
    p *= placed ? double(s.placement.scale) : 1.0;
    part.mesh.rest.push_back(vec3(p));
    part.mesh.positions.push_back(placed ? vec3(turn * p + dvec3(s.placement.position)) : vec3(p));
  }
  return part;
}

}  // namespace weft
