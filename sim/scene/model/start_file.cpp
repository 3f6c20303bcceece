#include "sim/scene/model/start_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/files/file_kind.h"
#include "sim/files/frame_source.h"
#include "sim/files/obj_groups.h"
#include "sim/files/usda_writer.h"
#include "sim/scene/model/state.h"
#include "sim/scene/scene_names.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

/// A frame and the one before it (none: the cloth is at rest).
struct Frames {
  RunInfo info;
  RunFrame now;
  std::optional<RunFrame> before;
};

/// One OBJ file is a pose, though it may have a number.
Frames single_obj(const std::string& path) {
  ObjGroups all = read_obj_groups(path);
  Frames out;
  out.info.groups = std::move(all.groups);
  out.now.positions = std::move(all.positions);
  return out;
}

Frames frames_of(std::string path, long long step, double dt) {
  const std::string ending = file_ending(path);
  std::error_code ignored;
  if (ending == ".obj" && fs::exists(path, ignored)) return single_obj(path);
  if (ending == ".npy") {  // an array of a folder of --states
    const std::string stem = fs::path(path).stem().string();
    if (std::sscanf(stem.c_str(), "step_%lld", &step) != 1)
      throw Error("its name has no step", path, "give step_000123.npy in the folder that --states wrote");
    path = fs::path(path).parent_path().string();
    if (path.empty()) path = ".";
  }
  const std::unique_ptr<FrameSource> source = open_frame_source(path, 1 / dt);
  const int count = source->frame_count();
  int at = step < 0 ? count - 1 : -1;
  for (int f = 0; f < count && at < 0; ++f)
    if (source->step(f) == step) at = f;
  if (at < 0)
    throw Error(fmt::format("it has no frame of step {}", step), path,
                fmt::format("its steps are {} to {}", source->step(0), source->step(count - 1)));
  Frames out;
  out.info = source->info();
  source->read(at, out.now);
  if (at > 0) source->read(at - 1, out.before.emplace());
  return out;
}

bool is_named(const RunGroup& g, const std::string& name) {
  return g.name == name || g.name == one_word(name) || g.name == usd_name(name, {});
}

std::string in_words(const std::vector<const RunGroup*>& groups) {
  std::string words;
  for (size_t i = 0; i < groups.size() && i < 8; ++i)
    words += fmt::format("{}{} ({} vertices)", i ? ", " : "", groups[i]->name, groups[i]->count);
  return words;
}

bool fits(const RunGroup& g, const TriMesh& mesh) {
  return g.count == mesh.vertex_count() || g.count == int(mesh.input.vertex.size());
}

const RunGroup& group_of(const Frames& frames, const TriMesh& mesh, const std::string& name,
                         const std::string& path) {
  std::vector<const RunGroup*> cloths, fitting;
  for (const RunGroup& g : frames.info.groups)
    if (!g.body) cloths.push_back(&g);
  if (cloths.empty()) throw Error("it has no cloth", path, "name a run with the cloth " + name);
  std::copy_if(cloths.begin(), cloths.end(), std::back_inserter(fitting),
               [&](const RunGroup* g) { return fits(*g, mesh); });
  const auto named =
      std::find_if(cloths.begin(), cloths.end(), [&](const RunGroup* g) { return is_named(*g, name); });
  if (named != cloths.end() && fits(**named, mesh)) return **named;
  if (named == cloths.end() && fitting.size() == 1) return *fitting[0];
  const std::string count =
      mesh.input.vertex.empty()
          ? fmt::format("{} vertices", mesh.vertex_count())
          : fmt::format("{} vertices, {} in its file", mesh.vertex_count(), mesh.input.vertex.size());
  if (fitting.size() > 1 && named == cloths.end())
    throw Error(fmt::format("several of its cloths fit: {}", in_words(fitting)), path,
                "give one of them the name " + name);
  throw Error(fmt::format("its vertices are not those of cloth {}, which has {}; it has {}", name, count,
                          in_words(named != cloths.end() ? std::vector<const RunGroup*>{*named} : cloths)),
              path, "name a state of the same mesh");
}

/// Faces can be compared where they are triangles.
void require_same_faces(const RunGroup& g, const TriMesh& mesh, const std::string& name,
                        const std::string& path) {
  const bool of_file = g.count != mesh.vertex_count();
  if (mesh.input.has_faces() || g.triangles.empty()) return;
  if (g.triangles != (of_file ? mesh.input.triangles : mesh.triangles))
    throw Error("it has as many vertices as cloth " + name + " but other faces", path,
                "name a state of the same mesh");
}

std::vector<vec3> of_vertices(const RunGroup& g, const TriMesh& mesh, const RunFrame& frame) {
  const vec3* const from = frame.positions.data() + g.first;
  if (g.count == mesh.vertex_count()) return {from, from + g.count};
  std::vector<vec3> out;
  for (const int v : mesh.input.first_numbers(mesh.vertex_count())) out.push_back(from[v]);
  return out;
}

double mean_edge(const std::vector<vec3>& x, const std::vector<ivec3>& triangles) {
  double sum = 0;
  for (const ivec3& t : triangles)
    for (int k = 0; k < 3; ++k)
      sum += double(glm::distance(x[t[k]], x[t[(k + 1) % 3]])) / (3.0 * double(triangles.size()));
  return sum;
}

}  // namespace

StartReference split_start(const std::string& start) {
  const size_t at = start.rfind('#');
  if (at == start.npos || at + 1 == start.size() ||
      start.find_first_not_of("0123456789", at + 1) != start.npos || start.size() - at > 10)
    return {start, -1};
  return {start.substr(0, at), std::stoll(start.substr(at + 1))};
}

std::string with_step(const std::string& path, long long step) {
  return step < 0 ? path : fmt::format("{}#{}", path, step);
}

bool is_start_file(const std::string& start) {
  return std::find(garment_starts().begin(), garment_starts().end(), start) == garment_starts().end();
}

bool is_pose_of_file(const std::string& path) {
  std::error_code ignored;
  if (file_ending(path) != ".obj" || !fs::exists(path, ignored)) return false;
  const std::string text = read_text_file(path, "an OBJ mesh");
  for (const char* kind : {"# cloth\n", "# rigid body\n", "# grains "})
    if (text.find(kind) != std::string::npos) return false;
  return true;
}

std::vector<vec3> vertices_of_pose(const ObjFile& file, const ImportReport& report, const std::string& path) {
  const ObjFile pose(path);
  if (const std::string words = file.difference(pose); !words.empty())
    throw Error(words, path, "export it with the vertices and faces of " + file.path());
  std::vector<vec3> out;
  out.reserve(report.kept_vertices.size());
  for (const int v : report.kept_vertices) out.push_back(pose.vertices()[v]);
  return out;
}

void take_start(TriMesh& mesh, const Cloth& cloth, const std::string& path, long long step, double dt) {
  if (is_snapshot(path))
    throw Error("a snapshot is the state of a whole run", path, "give it to the option --start");
  const Frames frames = frames_of(path, step, dt);
  const RunGroup& group = group_of(frames, mesh, cloth.name, path);
  require_same_faces(group, mesh, cloth.name, path);
  std::vector<vec3> now = of_vertices(group, mesh, frames.now);
  const double ratio = mean_edge(now, mesh.triangles) / mean_edge(mesh.rest, mesh.triangles);
  if (!(ratio > 0.2 && ratio < 5))
    throw Error(
        fmt::format("its edges are {:.3g} times as long as those of cloth {} at rest", ratio, cloth.name),
        path, "a start is in metres, in the world; is it in another unit?");
  mesh.positions = std::move(now);
  const double elapsed = frames.before ? frames.now.time - frames.before->time : 0;
  if (!(elapsed > 0)) return;
  mesh.velocity = of_vertices(group, mesh, *frames.before);
  for (size_t v = 0; v < mesh.velocity.size(); ++v)
    mesh.velocity[v] = vec3((dvec3(mesh.positions[v]) - dvec3(mesh.velocity[v])) / elapsed);
}

}  // namespace weft
