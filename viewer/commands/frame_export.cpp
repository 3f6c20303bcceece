#include "viewer/commands/frame_export.h"

#include <filesystem>

#include "sim/base/error.h"
#include "sim/files/frame_writer.h"
#include "sim/run/simulation_run.h"
#include "sim/scene/model/cloth_mesh.h"
#include "sim/scene/solids.h"
#include "viewer/gl/image.h"
#include "viewer/record/recorder.h"
#include "viewer/render/cloth_mesh.h"

namespace weft {
namespace {

/// The print over a group, as RunLook has it.
void place_print(const RunGroup& group, const std::string& path, float width, RunLook& look) {
  const Image picture = read_png(path);
  Bounds box;  // of the material coordinates, m
  for (const vec2& t : group.corners.empty() ? group.uv : group.corners.values) {
    const vec2 at = group.corners.empty() ? t : t * group.uv_scale;
    box.add(vec3(at, 0));
  }
  if (box.empty()) return;
  const vec2 size = vec2(box.max - box.min);
  const vec2 repeat =
      width > 0 ? width * vec2(1, float(picture.height) / float(picture.width)) : glm::max(size, vec2(1e-6f));
  look.print = std::filesystem::absolute(path).string();
  look.scale = group.uv_scale / repeat;
  look.offset = vec2(-box.min.x, -box.max.y) / repeat + vec2(0, 1);
}

}  // namespace

void add_looks(RunInfo& info, const Scene& scene) {
  const std::string folder = std::filesystem::path(scene.path).parent_path().string();
  size_t body = 0;
  int part = 0;
  for (RunGroup& group : info.groups) {
    if (group.body) {
      if (body < scene.obstacles.size()) group.look.color = to_linear(scene.obstacles[body].color);
      ++body;
      continue;
    }
    if (part >= part_count(scene)) continue;
    const FabricParams& fabric = surface_of(scene, part++);
    group.look.color = to_linear(fabric.front_color);
    group.look.roughness = 1 - 0.7f * fabric.gloss;
    if (fabric.print.empty()) continue;
    try {
      place_print(group, resolve_path(fabric.print, folder), fabric.print_size, group.look);
    } catch (const Error&) {  // told where it is drawn
      group.look.print.clear();
    }
  }
}

RunInfo run_info_of(const SceneView& view) {
  RunInfo info;
  info.title = view.scene.title;
  info.dt = double(view.scene.step.dt);
  info.fps = 1 / info.dt;
  int first = 0;
  for (const ModelPart& c : view.parts) {
    RunGroup group{c.name, false, c.first_vertex, c.vertex_count, {}, {}, {}};
    for (int t = c.first_triangle; t < c.first_triangle + c.triangle_count; ++t)
      group.triangles.push_back(view.triangles[size_t(t)] - ivec3(c.first_vertex));
    if (!view.uv.empty())
      group.uv.assign(view.uv.begin() + c.first_vertex, view.uv.begin() + c.first_vertex + c.vertex_count);
    group.uv_scale = c.uv_scale;
    group.corners = c.corners;
    group.input = c.input;
    const int part = int(info.groups.size());
    add_elements(c, view.cells, view.lines,
                 part < part_count(view.scene) ? surface_of(view.scene, part).thickness : 0, group);
    first = c.first_vertex + c.vertex_count;
    info.groups.push_back(std::move(group));
  }
  for (size_t i = 0; i < view.obstacle_meshes.size(); ++i) {
    const TriMesh& mesh = view.obstacle_meshes[i];
    info.groups.push_back(
        {view.scene.obstacles[i].name, true, first, mesh.vertex_count(), mesh.triangles, {}, {}});
    info.groups.back().input = mesh.input;
    first += mesh.vertex_count();
  }
  add_looks(info, view.scene);
  return info;
}

RunFrame run_frame_of(const SceneView& view, const Frame& frame) {
  RunFrame out{frame.step, frame.time, frame.positions};
  for (size_t i = 0; i < view.obstacle_meshes.size(); ++i) {
    mat4 transform(1);
    for (const ObstacleView& o : frame.obstacles)
      if (o.index == int(i)) transform = o.transform;
    const bool reshaped = i < frame.obstacle_positions.size() && frame.obstacle_positions[i];
    for (const vec3& p : reshaped ? *frame.obstacle_positions[i] : view.obstacle_meshes[i].positions)
      out.positions.push_back(vec3(transform * vec4(p, 1)));
  }
  return out;
}

std::string export_frame(const SceneView& view, const Frame& frame, const std::string& ending) {
  if (frame.model_id != view.model_id || frame.positions.empty())
    throw Error("there is no state to export yet", "export", "wait until the scene is loaded");
  const std::string path = next_free_path(std::filesystem::current_path().string(), "weft", ending);
  const auto writer = make_frame_writer(path, run_info_of(view));
  writer->frame(run_frame_of(view, frame));
  writer->finish();
  return path;
}

}  // namespace weft
