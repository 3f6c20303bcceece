#include "sim/files/frame_writer.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/files/file_kind.h"
#include "sim/files/obj_writers.h"
#include "sim/files/pc2_writer.h"
#include "sim/files/run_cache.h"
#include "sim/files/usda_writer.h"

namespace weft {
namespace {

constexpr const char* kKinds = "end it in .usda, .pc2, .weftcache, .gltf, .glb or .obj, or name a folder for one OBJ per frame";

}  // namespace

std::string file_ending(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return char(std::tolower(c)); });
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
  for (const char* foreign :
       {".abc", ".fbx", ".ply", ".stl", ".dae", ".mdd", ".bgeo", ".vdb", ".npy", ".npz", ".mp4", ".png", ".blend", ".toml"})
    if (ending == foreign) throw Error("files of the kind " + ending + " are not written", path, kKinds);
  return FileFrames::all;  // a folder
}

std::unique_ptr<FrameWriter> make_frame_writer(const std::string& path, const RunInfo& info) {
  const FileFrames frames = frames_of_file(path);
  if (frames == FileFrames::one) return std::make_unique<LastFrameWriter>(path, info);
  const std::string ending = file_ending(path);
  std::error_code ignored;
  if (path.back() == '/' || std::filesystem::is_directory(path, ignored)) return std::make_unique<ObjSequenceWriter>(path, info);
  if (ending == ".usda") return std::make_unique<UsdaWriter>(path, info);
  if (ending == ".pc2") return std::make_unique<Pc2Writer>(path, info);
  if (ending == ".weftcache") return std::make_unique<RunCacheWriter>(path, info);
  return std::make_unique<ObjSequenceWriter>(path, info);
}

}  // namespace weft
