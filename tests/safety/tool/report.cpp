#include "tests/safety/tool/report.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::check {
namespace {

using nlohmann::json;

std::string counted(size_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

const char* connection(Kind kind) {
  switch (kind) {
    case Kind::apart: return "cross";
    case Kind::shared_vertex: return "cross; they have a vertex in common";
    case Kind::shared_edge: return "lie folded onto each other; they have an edge in common";
    case Kind::same_corners: return "are the same triangle twice";
    case Kind::body: return "cross; the second is a body's";
  }
  return "";
}

std::string contact_text(const PathContact& c) {
  const auto& v = c.vertices;
  return c.edges ? fmt::format("edge {} {} and edge {} {} touch", v[0], v[1], v[2], v[3])
                 : fmt::format("vertex {} and triangle {} {} {} touch", v[0], v[1], v[2], v[3]);
}

/// Triangle as a part's name and its number there.
json triangle_json(const Mesh& mesh, int triangle) {
  const Part& part = mesh.part_of(triangle);
  return {{"part", part.name}, {"triangle", triangle - part.first_triangle}, {"body", part.body}};
}

std::vector<std::string> findings(const StateReport& r, const Options& options) {
  std::vector<std::string> words;
  if (r.crossings.all > 0)
    words.push_back(counted(r.crossings.all, "crossing", "crossings") +
                    (r.crossings.with_bodies > 0
                         ? fmt::format(", {} of them with bodies", r.crossings.with_bodies)
                         : ""));
  if (r.without_area > 0) words.push_back(counted(r.without_area, "triangle", "triangles") + " without area");
  if (r.contacts.all > 0)
    words.push_back(counted(r.contacts.all, "contact", "contacts") + " on the path to it");
  if (r.grains.overlaps > 0)
    words.push_back(counted(r.grains.overlaps, "overlap", "overlaps") + " of grains");
  if (r.grains.inside > 0)
    words.push_back(fmt::format("{} up to {:.4g} mm inside of {}",
                                counted(size_t(r.grains.inside), "grain", "grains"),
                                1e3 * r.grains.deepest.depth, r.grains.inside_of));
  if (words.empty()) words.push_back("no crossings");
  if (r.depth_known && r.depth.inside > 0)
    words.push_back(fmt::format(
        "{} up to {:.4g} mm inside of {}{}", counted(size_t(r.depth.inside), "vertex", "vertices"),
        1e3 * r.depth.depth, r.deepest_body.empty() ? "the body" : r.deepest_body,
        options.max_depth >= 0 && r.depth.depth > options.max_depth ? ", too deep" : ""));
  if (options.gaps)
    words.push_back(r.gap.a >= 0 ? fmt::format("closest vertices {} and {}: {:.4g} mm", r.gap.a, r.gap.b,
                                               1e3 * r.gap.distance)
                                 : "no two vertices are more than two edges apart");
  return words;
}

}  // namespace

std::string run_text(const Run& run, const Mesh& mesh, int states) {
  std::string parts;
  for (const Part& part : mesh.parts)
    parts += part.radius > 0
                 ? fmt::format("; grains {} ({} of {:.4g} mm)", part.name, part.vertices, 2e3 * part.radius)
                 : fmt::format("; {} {} ({} {})", part.kind, part.name, part.triangles,
                               part.kind == "strands" ? "lines" : "triangles");
  if (mesh.loose_vertices > 0)
    parts +=
        fmt::format("; {} {} to no triangle and {} not checked",
                    counted(size_t(mesh.loose_vertices), "vertex", "vertices"),
                    mesh.loose_vertices == 1 ? "belongs" : "belong", mesh.loose_vertices == 1 ? "is" : "are");
  return fmt::format("{}: {}{}", run.name, counted(size_t(states), "state", "states"), parts);
}

std::string state_text(const StateReport& r, const Mesh& mesh, const Options& options) {
  std::string text = fmt::format("  step {:<6} {}", r.step, fmt::join(findings(r, options), "; "));
  for (const FoundCrossing& f : r.first_crossings)
    text += fmt::format("\n    {} and {} {}, near ({:.4f}, {:.4f}, {:.4f}) m",
                        mesh.triangle_name(f.crossing.a), mesh.triangle_name(f.crossing.b),
                        connection(f.crossing.kind), f.place.x, f.place.y, f.place.z);
  if (r.crossings.all > r.first_crossings.size() && !r.first_crossings.empty())
    text += fmt::format("\n    and {} more", r.crossings.all - r.first_crossings.size());
  for (const GrainOverlap& g : r.grains.first_overlaps)
    text += fmt::format("\n    grains {} and {} overlap by {:.4g} mm", mesh.vertex_name(g.a),
                        mesh.vertex_name(g.b), 1e3 * g.depth);
  for (const int t : r.first_without_area) text += fmt::format("\n    {} has no area", mesh.triangle_name(t));
  for (const PathContact& c : r.first_contacts)
    text += fmt::format("\n    {} at {:.6f} of the path", contact_text(c), c.time);
  if (r.contacts.all > r.first_contacts.size() && !r.first_contacts.empty())
    text += fmt::format("\n    and {} more", r.contacts.all - r.first_contacts.size());
  return text;
}

json run_json(const Run& run, const Mesh& mesh) {
  json parts = json::array();
  for (const Part& p : mesh.parts)
    parts.push_back(
        {{"name", p.name}, {"body", p.body}, {"vertices", p.vertices}, {"triangles", p.triangles}});
  return {{"input", run.name}, {"parts", parts}, {"states", json::array()}};
}

json state_json(const StateReport& r, const Mesh& mesh, const Options& options) {
  json out{{"step", r.step},
           {"time_s", r.time},
           {"crossings", r.crossings.all},
           {"crossings_with_bodies", r.crossings.with_bodies},
           {"triangles_without_area", r.without_area},
           {"pairs", json::array()}};
  for (const FoundCrossing& f : r.first_crossings)
    out["pairs"].push_back({{"kind", name_of(f.crossing.kind)},
                            {"a", triangle_json(mesh, f.crossing.a)},
                            {"b", triangle_json(mesh, f.crossing.b)},
                            {"near_m", {f.place.x, f.place.y, f.place.z}}});
  if (options.continuous) {
    out["way_checked"] = r.way;
    out["contacts"] = r.contacts.all;
    out["first_contacts"] = json::array();
    for (const PathContact& c : r.first_contacts)
      out["first_contacts"].push_back({{"kind", c.edges ? "edge_edge" : "vertex_triangle"},
                                       {"vertices", c.vertices},
                                       {"share_of_way", c.time},
                                       {"body", c.body}});
  }
  if (mesh.has_grains()) {
    out["grain_overlaps"] = r.grains.overlaps, out["grains_inside"] = r.grains.inside;
    out["first_grain_overlaps"] = json::array();
    for (const GrainOverlap& g : r.grains.first_overlaps)
      out["first_grain_overlaps"].push_back({{"vertices", {g.a, g.b}}, {"depth_m", g.depth}});
  }
  if (r.depth_known)
    out["depth"] = {{"body", r.deepest_body},
                    {"vertices_inside", r.depth.inside},
                    {"deepest_m", r.depth.depth},
                    {"vertex", r.depth.vertex}};
  if (options.gaps && r.gap.a >= 0)
    out["gap"] = {{"vertices", {r.gap.a, r.gap.b}}, {"distance_m", r.gap.distance}};
  return out;
}

void Summary::add(const StateReport& r, const Options& options) {
  ++states, ways += r.way;
  for (const std::string& body : r.open_bodies)
    if (options.max_depth >= 0)
      add_not_checked(fmt::format("the depth in {}, which is open and has no inside (--max-depth)", body));
  with_findings += r.found(options);
  with_announced += r.announced_only(options);
  crossings += long(r.crossings.all), with_bodies += long(r.crossings.with_bodies),
      without_area += long(r.without_area), contacts += long(r.contacts.all);
  grain_overlaps += long(r.grains.overlaps), grains_inside += r.grains.inside;
  depth_known |= r.depth_known;
  depth = std::max(depth, r.depth.depth);
}

void Summary::add_not_checked(const std::string& words) {
  if (std::find(not_checked.begin(), not_checked.end(), words) == not_checked.end())
    not_checked.push_back(words);
}

std::string Summary::text(const Options& options) const {
  std::string text = counted(size_t(states), "state", "states") + ": ";
  if (with_findings == 0)
    text += options.continuous && ways > 0 ? fmt::format("no crossings, and none on the path ({})",
                                                         counted(size_t(ways), "path", "paths"))
                                           : "no crossings";
  else
    text += fmt::format("faults in {}: {} ({} with bodies), {} without area", with_findings,
                        counted(size_t(crossings), "crossing", "crossings"), with_bodies,
                        counted(size_t(without_area), "triangle", "triangles"));
  if (grain_overlaps + grains_inside > 0)
    text += fmt::format(", {} of grains, {} inside of bodies",
                        counted(size_t(grain_overlaps), "overlap", "overlaps"),
                        counted(size_t(grains_inside), "grain", "grains"));
  if (with_findings > 0 && options.continuous)
    text += fmt::format(", {} on the path", counted(size_t(contacts), "contact", "contacts"));
  if (with_announced > 0)
    text += fmt::format("; {} of them as the run told, with bodies that leave the cloth no room",
                        with_announced == with_findings ? "all" : std::to_string(with_announced));
  if (depth_known) text += fmt::format("; deepest vertex in a body {:.4g} mm", 1e3 * depth);
  if (!not_checked.empty()) text += fmt::format("; NOT CHECKED: {}", fmt::join(not_checked, "; "));
  return text;
}

json Summary::json(const Options& options) const {
  nlohmann::json out{{"states", states},
                     {"states_with_findings", with_findings},
                     {"states_with_told_findings_only", with_announced},
                     {"crossings", crossings},
                     {"crossings_with_bodies", with_bodies},
                     {"triangles_without_area", without_area},
                     {"grain_overlaps", grain_overlaps},
                     {"grains_inside", grains_inside}};
  if (options.continuous) out["ways"] = ways, out["contacts"] = contacts;
  out["not_checked"] = not_checked;
  if (depth_known) out["deepest_m"] = depth;
  return out;
}

}  // namespace weft::check
