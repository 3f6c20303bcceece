#include "sim/run/crossing_warning.h"

#include <fmt/format.h>

#include "sim/collision/surface/lift_out.h"
#include "sim/mesh/import/weld.h"
#include "sim/run/panel_names.h"
#include "sim/run/part_starts.h"

namespace weft {

unsigned promise_bits(const Guarantee& g) {
  return (g.self == Protection::intersection_free ? kCrossesItself : 0u) |
         (g.bodies == Protection::intersection_free ? kCrossesBodies : 0u);
}

namespace {

/// " (panel front)"; empty for an empty name.
std::string in_brackets(const char* what, const std::string& name) {
  return name.empty() ? name : fmt::format(" ({}{})", what, name);
}

/// "triangle 12 of shirt (panel front)", "triangle 7 of body figure (the left upper arm)", numbered from 0 in
/// its cloth or body as weft-check does. Bodies' triangles follow those of the cloths.
std::string name_of(Simulation& simulation, int triangle) {
  const Topology& host = simulation.model().host;
  for (const ModelPart& c : host.parts)
    if (triangle >= c.first_triangle && triangle < c.first_triangle + c.triangle_count)
      return fmt::format("triangle {} of {}{}", triangle - c.first_triangle, c.name,
                         in_brackets("panel ", panel_of_triangle(simulation.scene(), host, triangle)));
  triangle -= int(host.triangles.size());
  for (const ObstacleView& o : simulation.obstacles()) {
    const Obstacle& body = simulation.scene().obstacles[o.index];
    if (body.shape == ObstacleShape::plane) continue;
    const std::vector<ivec3>& own = simulation.obstacle_meshes()[o.index].triangles;
    const int count = int(own.size());
    if (triangle < count)
      return fmt::format("triangle {} of body {}{}", triangle, body.name,
                         in_brackets("", simulation.body_part(o.index, own[triangle].x).words()));
    triangle -= count;
  }
  return fmt::format("triangle {}", triangle);
}

/// Files that were not made for simulation have vertices twice, up to the rounding of their text.
constexpr float kSplit = 1e-4f;  // m

int split_vertices(const Topology& cloth, const std::vector<vec3>& positions) {
  const std::vector<int> becomes = welded_vertices(positions, cloth.triangles, kSplit);
  int split = 0;
  for (size_t v = 0; v < becomes.size(); ++v)
    split += becomes[v] != int(v) && cloth.vertex_part[v] == cloth.vertex_part[becomes[v]];
  return split;
}

std::string place_in_words(const vec3& p) { return fmt::format("({:.4g}, {:.4g}, {:.4g})", p.x, p.y, p.z); }

/// The places with most crossed triangles, at most three.
std::string in_words(const std::vector<CrossingPlace>& places) {
  if (places.size() < 2) return {};
  std::string words =
      fmt::format("in {} places, most triangles near {}", places.size(), place_in_words(places[0].middle));
  if (places.size() > 2) words += ", " + place_in_words(places[1].middle);
  return words + " and " + place_in_words(places[places.size() > 2 ? 2 : 1].middle) + " m";
}

/// What a user can do about cloth that starts in a body, besides moving one of them.
std::string repair_of(const Scene& scene) {
  for (const Cloth& c : scene.cloths)
    if (c.shape == ClothShape::garment && c.start != "dressed")
      return "start = \"dressed\" in [[garment]] sews it onto the body, which grows from thin";
  for (const Obstacle& o : scene.obstacles)
    if (!o.file.empty() && !o.deforms())
      return fmt::format(
          "or let body {} grow: 'weft flow BODY.obj --distance -20mm -o grow_1.obj' makes it thinner; with a "
          "copy of BODY.obj as "
          "grow_2.obj beside it, sequence = \"grow_#.obj\" and fps = 1 in place of file",
          o.name);
  return {};
}

/// About triangles alone.
std::string triangle_warning(const StateCrossings& c, bool at_start) {
  if (c.own + c.with_bodies == 0) return {};
  const auto count = [](int n) { return fmt::format("{} triangle{} of the cloth ", n, n == 1 ? "" : "s"); };
  std::string words;
  if (c.own > 0)
    words = count(c.own) + (c.own == 1 ? "crosses or touches another" : "cross or touch each other");
  if (c.with_bodies > 0)
    words += (c.own > 0 ? fmt::format(", {} ", c.with_bodies) : count(c.with_bodies)) +
             (c.with_bodies == 1 ? "crosses a body" : "cross a body");
  if (!c.places.empty()) words += ", " + c.places;
  if (!c.first.empty()) words += (c.places.empty() ? ": " : "; the first: ") + c.first;
  words +=
      ". The collision method prevents new crossings; existing ones may stay, and nothing is guaranteed "
      "around them. ";
  if (!at_start) return words + "Reset to the start: a run that starts without crossings stays without them.";
  if (c.split > 0)
    return words +
           fmt::format(
               "{} of its vertices lie within 0.1 mm of others along open edges, as in files whose vertices "
               "are split along edges: --weld 0.1mm joins them (in a scene: weld = \"0.1mm\").",
               c.split);
  words += "Start from a pose in which nothing crosses";
  if (c.with_bodies > 0) words += ", clear of the body";
  return words +
         "; from such a pose of the same mesh, clean.obj, 'weft repair clean.obj THIS.obj -o out/' comes as "
         "close to this one as possible without crossing." +
         (c.own > 0 ? " Without one, 'weft repair THIS.obj -o out/' lifts its groups over each other." : "") +
         (c.repair.empty() ? "" : " For a start in a body: " + c.repair + ".");
}

}  // namespace

StateCrossings state_crossings(Simulation& simulation, unsigned bits) {
  std::vector<vec3> x = simulation.positions();
  std::vector<ivec3> triangles = simulation.model().host.triangles;
  const int cloth = int(x.size()), own = int(triangles.size());
  if (bits & kCrossesBodies)
    for (const ObstacleView& o : simulation.obstacles()) {
      if (simulation.scene().obstacles[o.index].shape == ObstacleShape::plane) continue;
      const TriMesh& mesh = simulation.obstacle_meshes()[o.index];
      const ivec3 first(int(x.size()));
      for (const ivec3& t : mesh.triangles) triangles.push_back(t + first);
      for (const vec3& p : o.deformed ? *o.deformed : mesh.positions)
        x.push_back(vec3(o.transform * vec4(p, 1)));
    }
  const SurfaceCrossings found = surface_crossings(x, triangles, {cloth, own});
  StateCrossings result{bits & kCrossesItself ? found.own : 0, found.with_bodies};
  if (bits & kCrossesItself) result.parts = parts_within_parts(simulation.model().host, x);
  if (result.own > 0) result.split = split_vertices(simulation.model().host, {x.begin(), x.begin() + cloth});
  result.places = in_words(found.places);
  if (result.with_bodies > 0) result.repair = repair_of(simulation.scene());
  const ivec2 first = result.own > 0 ? found.first_own : found.first_with_body;
  if (first.x < 0) return result;
  const ivec3& t = triangles[first.x];
  const vec3 middle = (x[t.x] + x[t.y] + x[t.z]) / 3.0f;
  result.first = fmt::format("{} and {}, near {} m", name_of(simulation, first.x),
                             name_of(simulation, first.y), place_in_words(middle));
  return result;
}

std::string crossing_warning(const StateCrossings& c, bool at_start) {
  std::string words = triangle_warning(c, at_start);
  for (const std::string& part : c.parts) words += (words.empty() ? "" : "\n") + part + ".";
  return words;
}

std::string crossing_remark(const StateCrossings& c) {
  if (c.own + c.with_bodies == 0)
    return c.parts.empty() ? "" : "Parts were within each other when this method began, and may stay so.";
  std::string words;
  if (c.own > 0) words = fmt::format("{} triangle{} crossed cloth", c.own, c.own == 1 ? "" : "s");
  if (c.with_bodies > 0)
    words += c.own > 0
                 ? fmt::format(" and {} a body", c.with_bodies)
                 : fmt::format("{} triangle{} crossed a body", c.with_bodies, c.with_bodies == 1 ? "" : "s");
  return words + " when this method began, and may stay so. No new crossings appear.";
}

}  // namespace weft
