#include "sim/run/simulation_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/scene/solids.h"
#include "sim/scene/text/scene_file.h"

namespace weft {
namespace {

/// Parameters of `scene` that differ from the scene file it came from: the --set values of the run.
std::vector<std::pair<std::string, std::string>> overrides_of(Scene scene) {
  std::vector<std::pair<std::string, std::string>> changed;
  Scene original;
  if (!scene.path.empty()) original = read_scene(scene.path);
  const ParamTable now = scene.params(), before = original.params();
  for (const ParamRef& r : now.refs()) {
    const ParamRef* o = before.find(r.key());
    if (!o || o->text() != r.text()) changed.emplace_back(r.key(), r.text());
  }
  return changed;
}

}  // namespace

void add_elements(const ModelPart& part, const std::vector<ivec4>& cells, const std::vector<ivec2>& lines,
                  float thickness, RunGroup& group) {
  if (part.kind == PartKind::strands || part.kind == PartKind::grains) group.width = thickness;
  if (part.rigid_volume > 0) group.filling = Filling::rigid;
  const int end = part.rigid_volume > 0 ? part.first_cell : part.first_cell + part.cell_count;
  for (int c = part.first_cell; c < end; ++c)
    group.cells.push_back(cells[size_t(c)] - ivec4(part.first_vertex));
  for (const ivec2& l : lines)
    if (l.x >= part.first_vertex && l.x < part.first_vertex + part.vertex_count)
      group.lines.push_back(l - ivec2(part.first_vertex));
}

RunInfo run_info_of(Simulation& simulation) {
  const Topology& host = simulation.model().host;
  RunInfo info;
  info.title = simulation.scene().title;
  info.dt = double(simulation.scene().step.dt);
  info.fps = 1 / std::stod(fmt::format("{}", simulation.scene().step.dt));  // 100, not 100.0000022, for 0.01f
  info.scene = write_scene(simulation.scene());
  for (const ModelPart& c : host.parts) {
    RunGroup group{c.name, false, c.first_vertex, c.vertex_count, {}, {}, {}};
    for (int t = c.first_triangle; t < c.first_triangle + c.triangle_count; ++t)
      group.triangles.push_back(host.triangles[t] - ivec3(c.first_vertex));
    const auto first = c.first_vertex, end = c.first_vertex + c.vertex_count;
    if (!host.uv.empty()) group.uv.assign(host.uv.begin() + first, host.uv.begin() + end);
    group.uv_scale = c.uv_scale;
    group.corners = c.corners;
    group.input = c.input;
    const int part = int(info.groups.size());
    add_elements(c, host.cells, host.lines, surface_of(simulation.scene(), part).thickness, group);
    group.rest.assign(host.rest.begin() + first, host.rest.begin() + end);
    info.groups.push_back(std::move(group));
  }
  int first = simulation.model().vertex_count();
  const auto& meshes = simulation.obstacle_meshes();
  for (size_t i = 0; i < meshes.size(); ++i) {
    info.groups.push_back({simulation.scene().obstacles[i].name,
                           true,
                           first,
                           meshes[i].vertex_count(),
                           meshes[i].triangles,
                           {},
                           {}});
    info.groups.back().input = meshes[i].input;
    first += meshes[i].vertex_count();
  }
  return info;
}

void read_state(Simulation& simulation, RunFrame& out) {
  out.step = simulation.state().step;
  out.time = simulation.state().time;
  out.positions = simulation.positions();
  const auto& meshes = simulation.obstacle_meshes();
  for (const ObstacleView& o : simulation.obstacles())
    for (const vec3& p : o.deformed ? *o.deformed : meshes[o.index].positions)
      out.positions.push_back(vec3(o.transform * vec4(p, 1)));
}

HandRecording recording_of(Scene start, int steps, std::vector<TimedCommand> commands) {
  const std::pair<std::string, std::string> none{"step.budget", "0"};
  const bool had = start.step.budget > 0;
  start.step.budget = 0;
  HandRecording recording;
  recording.scene_path = start.path;
  recording.overrides = overrides_of(std::move(start));
  if (had && std::count(recording.overrides.begin(), recording.overrides.end(), none) == 0)
    recording.overrides.push_back(none);
  recording.steps = steps;
  recording.commands = std::move(commands);
  std::erase_if(recording.commands, [](const TimedCommand& c) {
    const auto* set = std::get_if<SetParam>(&c.command);
    return set && set->key == "step.budget";
  });
  return recording;
}

}  // namespace weft
