#include "sim/files/frame_writer.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/log.h"
#include "sim/files/file_kind.h"
#include "sim/files/input_order.h"
#include "sim/files/obj_writers.h"
#include "sim/files/pc2_writer.h"
#include "sim/files/run_cache.h"
#include "sim/files/usda_writer.h"

namespace weft {
namespace {

constexpr const char* kKinds =
    "end it in .usda, .pc2, .weftcache, .gltf, .glb or .obj, or name a folder for one OBJ per frame";

}  // namespace

std::string file_ending(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  return ending;
}

FileFrames frames_of_file(const std::string& path) {
  if (path.empty()) throw Error("there is no file to write", "output", kKinds);
  const std::string ending = file_ending(path);
  std::error_code ignored;
  if (path.back() == '/' || std::filesystem::is_directory(path, ignored)) return FileFrames::all;
  if (ending == ".usda" || ending == ".pc2" || ending == ".weftcache") return FileFrames::all;
  if (ending == ".gltf" || ending == ".glb" || ending == ".obj") return FileFrames::one;
  if (ending == ".usd" || ending == ".usdc" || ending == ".usdz")
    throw Error("binary USD is not written", path, "write .usda, which every program with USD reads");
  for (const char* foreign : {".abc", ".fbx", ".ply", ".stl", ".dae", ".mdd", ".bgeo", ".vdb", ".npy", ".npz",
                              ".mp4", ".png", ".blend", ".toml"})
    if (ending == foreign) throw Error("files of the kind " + ending + " are not written", path, kKinds);
  return FileFrames::all;  // a folder
}

bool is_numbered(const std::string& name, const std::string& begin, const std::string& ending) {
  if (name.size() < begin.size() + ending.size() + 6 || !name.starts_with(begin) || !name.ends_with(ending))
    return false;
  const auto digits = name.substr(begin.size(), name.size() - begin.size() - ending.size());
  return digits.find_first_not_of("0123456789") == digits.npos;
}

std::vector<std::string> numbered_files(const std::string& folder, const std::string& begin,
                                        const std::string& ending) {
  std::vector<std::string> found;
  std::error_code failed;
  for (std::filesystem::directory_iterator it(folder, failed), end; !failed && it != end;
       it.increment(failed))
    if (is_numbered(it->path().filename().string(), begin, ending)) found.push_back(it->path().string());
  return found;
}

bool fills_folder(const std::string& path) {
  const std::string ending = file_ending(path);
  std::error_code ignored;
  if (path.back() == '/' || std::filesystem::is_directory(path, ignored)) return true;
  return ending != ".usda" && ending != ".pc2" && ending != ".weftcache" &&
         frames_of_file(path) == FileFrames::all;
}

void remove_later_files(const std::string& folder, const std::string& begin, const std::string& ending,
                        long long step) {
  int count = 0;
  for (const std::string& file : numbered_files(folder, begin, ending)) {
    const std::string name = std::filesystem::path(file).filename().string();
    const std::string digits = name.substr(begin.size(), name.size() - begin.size() - ending.size());
    long long number = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    std::error_code fault;
    if (code == std::errc() && number > step && std::filesystem::remove(file, fault)) ++count;
  }
  if (count > 0)
    log_notice("{}: {} files {}NNNNNN{} of an earlier run are removed", folder, count, begin, ending);
}

std::vector<std::string> files_to_replace(const std::string& path, const RunInfo& info) {
  const std::string ending = file_ending(path);
  if (fills_folder(path)) return numbered_files(path, "step_", ".obj");
  if (ending == ".pc2") {
    std::vector<std::string> files;
    for (const std::string& stem : pc2_stems(path, info))
      files.insert(files.end(), {stem + ".pc2", stem + ".obj"});
    return files;
  }
  if (ending == ".gltf") return {path, std::filesystem::path(path).replace_extension(".bin").string()};
  return {path};
}

namespace {

/// Writers of files for other programs; null: the run's own cache.
std::unique_ptr<FrameWriter> foreign_writer(const std::string& path, const RunInfo& info) {
  const FileFrames frames = frames_of_file(path);
  if (frames == FileFrames::one) return std::make_unique<LastFrameWriter>(path, info);
  const std::string ending = file_ending(path);
  if (fills_folder(path)) return std::make_unique<ObjSequenceWriter>(path, info);
  if (ending == ".usda") return std::make_unique<UsdaWriter>(path, info);
  if (ending == ".pc2") return std::make_unique<Pc2Writer>(path, info);
  return nullptr;
}

}  // namespace

std::unique_ptr<FrameWriter> make_frame_writer(const std::string& path, const RunInfo& info) {
  const bool numbered = std::any_of(info.groups.begin(), info.groups.end(),
                                    [](const RunGroup& g) { return !g.input.vertex.empty(); });
  std::unique_ptr<FrameWriter> writer = foreign_writer(path, numbered ? in_input_order(info) : info);
  if (!writer) return std::make_unique<RunCacheWriter>(path, info);
  if (!numbered) return writer;
  return std::make_unique<InputOrderWriter>(info, std::move(writer));
}

}  // namespace weft
