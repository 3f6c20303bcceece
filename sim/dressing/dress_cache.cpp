#include "sim/dressing/dress_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

#include "sim/base/file.h"
#include "sim/base/hash.h"
#include "sim/base/log.h"
#include "sim/scene/text/scene_file.h"

namespace weft {
namespace {

constexpr uint64_t kVersion = 3;  // of what dress() does

template <class T>
uint64_t add(uint64_t key, const std::vector<T>& values) {
  return hash_bytes(values.data(), values.size() * sizeof(T), hash_combine(key, values.size()));
}

std::string path_of(uint64_t key) {
  const std::string folder = dress_cache_folder();
  return folder.empty() ? "" : fmt::format("{}/{:016x}.positions", folder, key);
}

}  // namespace

std::string dress_cache_folder() {
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg && *xdg) return std::string(xdg) + "/weft/dressed";
  if (const char* home = std::getenv("HOME"); home && *home)
    return std::string(home) + "/.cache/weft/dressed";
  return "";
}

uint64_t dressing_key(const Scene& scene) {
  Scene text = scene;
  text.title.clear(), text.description.clear(), text.path.clear();
  text.camera.reset(), text.camera_path.clear();
  const std::string words = write_scene(text);
  uint64_t key = hash_bytes(words.data(), words.size(), kVersion);
  for (const Cloth& c : scene.cloths) {
    if (!c.mesh) continue;
    key = add(add(key, c.mesh->positions), c.mesh->triangles);
    key = add(add(key, c.mesh->corners.values), c.mesh->corners.of_triangle);
    key = add(add(key, c.mesh->corners.rest_scale), c.mesh->corners.factor);
  }
  for (const Obstacle& o : scene.obstacles)
    if (o.frames)
      for (const std::vector<vec3>& frame : *o.frames) key = add(key, frame);
  return key;
}

namespace {

/// Whether an open file is still the one at a path: another process may have removed it, and a third one made
/// it anew.
bool at(const std::string& path, int file) {
  struct stat own, there;
  return fstat(file, &own) == 0 && stat(path.c_str(), &there) == 0 && own.st_ino == there.st_ino &&
         own.st_dev == there.st_dev;
}

}  // namespace

std::optional<std::vector<std::vector<vec3>>> find_dressed(uint64_t key, const std::vector<int>& vertices) {
  const std::string path = path_of(key);
  std::error_code ignored;
  if (path.empty() || !std::filesystem::exists(path, ignored)) return {};
  std::string bytes;
  try {
    bytes = read_text_file(path, "a dressed garment");
  } catch (const Error&) {
    return {};
  }
  size_t all = 0;
  for (const int n : vertices) all += n;
  if (bytes.size() != all * sizeof(vec3)) return {};
  std::vector<std::vector<vec3>> out;
  const char* at = bytes.data();
  for (const int n : vertices) {
    std::vector<vec3>& own = out.emplace_back(size_t(n));
    std::memcpy(static_cast<void*>(own.data()), at, own.size() * sizeof(vec3));
    at += own.size() * sizeof(vec3);
    for (const vec3& p : own)
      if (!(glm::length(p) < 1e6f)) return {};
  }
  return out;
}

void keep_dressed(uint64_t key, const std::vector<std::vector<vec3>>& positions) {
  const std::string path = path_of(key);
  if (path.empty()) return;
  std::string bytes;
  for (const std::vector<vec3>& own : positions)
    bytes.append(reinterpret_cast<const char*>(own.data()), own.size() * sizeof(vec3));
  try {
    std::filesystem::create_directories(dress_cache_folder());
    write_text_file(path, bytes);
  } catch (const std::exception&) {}
}

DressingTurn::DressingTurn(uint64_t key, const std::function<bool()>& give_up) : path_(path_of(key)) {
  if (path_.empty()) return;
  path_ += ".lock";
  std::error_code ignored;
  std::filesystem::create_directories(dress_cache_folder(), ignored);
  do {
    if (file_ >= 0) close(file_);
    file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (!wait(give_up)) return;
  } while (!at(path_, file_));
}

/// False where files cannot be locked: garments are dressed without turns there.
bool DressingTurn::wait(const std::function<bool()>& give_up) {
  constexpr auto kLook = std::chrono::milliseconds(20);
  constexpr int kTold = 50;  // looks: a second
  for (int looks = 0; file_ >= 0; ++looks) {
    if (flock(file_, LOCK_EX | LOCK_NB) == 0) return true;
    if (errno != EWOULDBLOCK && errno != EINTR) {
      close(file_);
      file_ = -1;
      break;
    }
    if (give_up && give_up()) {
      close(file_);
      throw Interrupted();
    }
    if (looks == kTold)
      log_notice("another Weft is dressing this garment on this body: waiting for its result");
    std::this_thread::sleep_for(kLook);
  }
  return false;
}

/// Who waits for the file that is removed here makes it anew, and finds the result.
DressingTurn::~DressingTurn() {
  if (file_ < 0) return;
  unlink(path_.c_str());
  close(file_);
}

}  // namespace weft
