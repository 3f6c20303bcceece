#include "viewer/app/output_check.h"

#include <filesystem>

#include "sim/base/error.h"
#include "sim/files/frame_writer.h"
#include "sim/mesh/obj_sequence.h"
#include "sim/scene/cloth_mesh.h"
#include "viewer/app/geometry_files.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

/// Files that the scene was made of.
std::vector<std::string> scene_files(const Scene& scene) {
  const std::string folder = fs::path(scene.path).parent_path().string();
  std::vector<std::string> files;
  if (!scene.path.empty()) files.push_back(scene.path);
  for (const Cloth& c : scene.cloths)
    if (!c.file.empty()) files.push_back(resolve_path(c.file, folder));
  for (const Obstacle& o : scene.obstacles) {
    if (!o.file.empty()) files.push_back(resolve_path(o.file, folder));
    if (o.sequence.empty()) continue;
    ImportReport report;
    const auto sequence = find_obj_sequence(resolve_path(o.sequence, folder), report);
    files.insert(files.end(), sequence.files.begin(), sequence.files.end());
  }
  return files;
}

}  // namespace

void check_outputs(const HeadlessRequest& request) {
  for (const std::string& file : {request.cache_file, request.csv_file, request.trace_file})
    if (!file.empty()) check_file(file, true);
  for (const std::string& file : {request.stats_file, request.save_snapshot})
    if (!file.empty()) check_file(file);
  if (!request.export_path.empty()) check_export(request.export_path);
}

void check_outputs_apart(const HeadlessRequest& request, const RunInfo& info) {
  std::vector<std::string> read = scene_files(request.scene), written;
  read.insert(read.end(), request.inputs.begin(), request.inputs.end());
  for (const std::string& file : {request.cache_file, request.csv_file, request.trace_file, request.stats_file, request.video.path})
    if (!file.empty()) written.push_back(file);
  const auto add = [&](const std::vector<std::string>& files) { written.insert(written.end(), files.begin(), files.end()); };
  if (!request.export_path.empty()) add(files_to_replace(request.export_path, info));
  if (!request.states_folder.empty()) {
    add({(fs::path(request.states_folder) / "mesh.obj").string()});
    add(numbered_files(request.states_folder, "step_", ".npy"));
  }
  if (!request.load_snapshot.empty()) check_apart(written, {request.load_snapshot});
  if (!request.save_snapshot.empty()) written.push_back(request.save_snapshot);  // this one may take the place of the one that was loaded
  check_apart(written, read);
}

}  // namespace weft
