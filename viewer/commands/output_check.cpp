#include "viewer/commands/output_check.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>
#include <map>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/files/file_kind.h"
#include "sim/files/frame_source.h"
#include "sim/files/frame_writer.h"
#include "sim/garment/formats/pattern_file.h"
#include "sim/scene/fabric_maps.h"
#include "sim/scene/grains.h"
#include "sim/scene/model/body_file.h"
#include "sim/scene/model/cloth_mesh.h"
#include "sim/scene/model/start_file.h"
#include "sim/scene/solids.h"
#include "sim/scene/strands.h"
#include "viewer/commands/geometry_files.h"
#include "viewer/record/picture_sink.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

/// Files that the scene was made of.
std::vector<std::string> scene_files(const Scene& scene) {
  const std::string folder = fs::path(scene.path).parent_path().string();
  std::vector<std::string> files;
  if (!scene.path.empty()) files.push_back(scene.path);
  for (const Cloth& c : scene.cloths) {
    if (!c.file.empty()) files.push_back(resolve_path(split_size(split_object(c.file).path).path, folder));
    if (!c.rest.file.empty()) files.push_back(resolve_path(c.rest.file, folder));
    if (is_start_file(c.start)) files.push_back(resolve_path(split_start(c.start).path, folder));
  }
  const auto add = [&](const std::string& file) {
    if (!file.empty()) files.push_back(resolve_path(file, folder));
  };
  for (const auto& [cloth, maps] : scene.of<FabricMaps>().of)
    for (const FabricMap& map : maps) add(map.file);
  for (const SolidParams& s : scene.of<SolidList>().list) add(s.file);
  for (const StrandParams& s : scene.of<StrandList>().list) add(s.file);
  for (const GrainParams& g : scene.of<GrainList>().list) add(g.file);
  for (const Obstacle& o : scene.obstacles) {
    if (!o.file.empty()) files.push_back(resolve_path(o.file, folder));
    if (o.sequence.empty()) continue;
    const std::vector<std::string> sequence =
        files_to_read(resolve_path(split_animation(o.sequence).path, folder));
    files.insert(files.end(), sequence.begin(), sequence.end());
  }
  return files;
}

/// Equal for all names of one file or folder: its identity on disk, or its future place. Empty for devices
/// and pipes.
std::string identity(const std::string& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) == 0)
    return S_ISREG(facts.st_mode) || S_ISDIR(facts.st_mode) ? fmt::format("{}:{}", facts.st_dev, facts.st_ino)
                                                            : std::string();
  std::error_code ignored;
  std::string place = fs::weakly_canonical(fs::absolute(end_of_links(path), ignored), ignored).string();
  while (place.size() > 1 && place.back() == '/') place.pop_back();
  return place;
}

/// True if the file would be among those that `folder` writes.
bool among(const NamedOutput& file, const NamedOutput& folder) {
  const std::string end = end_of_links(file.path), name = fs::path(end).filename().string();
  if (!is_numbered(name, folder.begin, folder.ending)) return false;
  std::error_code ignored;
  return identity(fs::absolute(end, ignored).parent_path().string()) == identity(folder.path);
}

/// Outputs of the request; without `info`, for an export only the names known without the scene.
std::vector<NamedOutput> named_outputs(const HeadlessRequest& request, const RunInfo& info) {
  std::vector<NamedOutput> all;
  const auto add = [&](const char* option, const std::string& path) {
    if (!path.empty()) all.push_back({option, path});
  };
  if (video_kind(request.video.path) != VideoKind::none) add("--record", request.video.path);
  else if (!request.video.path.empty()) all.push_back({"--record", request.video.path, "frame_", ".png"});
  add("--cache", request.files.cache_file), add("--csv", request.files.csv_file),
      add("--trace", request.files.trace_file);
  add("--stats", request.files.stats_file), add("--save-snapshot", request.files.save_snapshot);
  if (request.files.snapshot_every > 0) {
    const fs::path last =
        request.files.save_snapshot.empty() ? "snapshot.weftsnap" : request.files.save_snapshot;
    const fs::path folder = last.has_parent_path() ? last.parent_path() : fs::path(".");
    all.push_back(
        {"--snapshot-every", folder.string(), last.stem().string() + "_", last.extension().string()});
  }
  if (!request.files.states_folder.empty()) {
    all.push_back({"--states", request.files.states_folder, "step_", ".npy"});
    add("--states", (fs::path(request.files.states_folder) / "mesh.obj").string());
  }
  if (request.files.export_path.empty()) return all;
  if (fills_folder(request.files.export_path))
    all.push_back({"--export", request.files.export_path, "step_", ".obj"});
  else
    for (const std::string& file : files_to_replace(request.files.export_path, info)) add("--export", file);
  return all;
}

}  // namespace

void check_distinct(const std::vector<NamedOutput>& outputs) {
  const auto refuse = [](const NamedOutput& a, const NamedOutput& b) {
    throw Error(fmt::format("{} and {} would write to the same file", a.option, b.option),
                a.path == b.path ? a.path : a.path + ", " + b.path, "give each a name of its own");
  };
  std::map<std::string, const NamedOutput*> known;
  for (const NamedOutput& output : outputs) {
    const std::string who = identity(output.path);
    if (who.empty()) continue;
    const auto [at, fresh] = known.emplace(who, &output);
    if (!fresh && at->second->option != output.option && (output.begin.empty() || at->second->begin.empty()))
      refuse(*at->second, output);
  }
  for (const NamedOutput& folder : outputs)
    for (const NamedOutput& file : outputs)
      if (!folder.begin.empty() && file.begin.empty() && file.option != folder.option && among(file, folder))
        refuse(folder, file);
}

void check_outputs(const HeadlessRequest& request) {
  for (const std::string& file : {request.files.cache_file, request.files.csv_file, request.files.trace_file})
    if (!file.empty()) check_file(file, true);
  for (const std::string& file : {request.files.stats_file, request.files.save_snapshot})
    if (!file.empty()) check_file(file);
  if (!request.files.export_path.empty()) check_export(request.files.export_path);
  check_distinct(named_outputs(request, {}));
}

void check_outputs_apart(const HeadlessRequest& request, const RunInfo& info) {
  check_distinct(named_outputs(request, info));
  std::vector<std::string> read = scene_files(request.scene), written;
  read.insert(read.end(), request.inputs.begin(), request.inputs.end());
  for (const std::string& file : {request.files.cache_file, request.files.csv_file, request.files.trace_file,
                                  request.files.stats_file, request.video.path})
    if (!file.empty()) written.push_back(file);
  const auto add = [&](const std::vector<std::string>& files) {
    written.insert(written.end(), files.begin(), files.end());
  };
  if (!request.files.export_path.empty()) add(files_to_replace(request.files.export_path, info));
  if (!request.files.states_folder.empty()) {
    add({(fs::path(request.files.states_folder) / "mesh.obj").string()});
    add(numbered_files(request.files.states_folder, "step_", ".npy"));
  }
  if (!request.files.load_snapshot.empty()) check_apart(written, {request.files.load_snapshot});
  // this one may take the place of the one that was loaded
  if (!request.files.save_snapshot.empty()) written.push_back(request.files.save_snapshot);
  check_apart(written, read);
}

}  // namespace weft
