#include "viewer/session/autosave.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <filesystem>

#include "sim/scene/text/scene_file.h"
#include "viewer/session/window_session.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBegin = "autosave-";

/// The process that wrote such a file; 0 for other files.
int writer_of(const fs::path& path) {
  const std::string name = path.stem().string();
  int process = 0;
  if (name.rfind(kBegin, 0) != 0 || path.extension() != ".toml") return 0;
  const char* begin = name.data() + std::string(kBegin).size();
  const auto [end, code] = std::from_chars(begin, name.data() + name.size(), process);
  return code == std::errc() && end == name.data() + name.size() ? process : 0;
}

bool runs(int process) { return ::kill(process, 0) == 0 || errno == EPERM; }

}  // namespace

std::string Autosave::default_folder() {
  if (const char* state = std::getenv("XDG_STATE_HOME"); state && *state) return std::string(state) + "/weft";
  if (const char* home = std::getenv("HOME"); home && *home) return std::string(home) + "/.local/state/weft";
  return {};
}

Autosave::Autosave(std::string folder, double interval)
    : folder_(std::move(folder)), interval_(interval), file_(std::make_shared<File>()) {
  file_->path = fmt::format("{}/{}{}.toml", folder_, kBegin, ::getpid());
}

std::vector<std::string> Autosave::left_behind() const {
  std::vector<std::string> found;
  std::error_code ignored;
  if (folder_.empty()) return found;
  for (const auto& entry : fs::directory_iterator(folder_, ignored)) {
    const int writer = writer_of(entry.path());
    if (writer == 0 || runs(writer)) continue;
    for (int i = 1; i < 1000; ++i) {
      const fs::path kept = fs::path(folder_) / fmt::format("recovered-{:03}.toml", i);
      if (fs::exists(kept, ignored)) continue;
      fs::rename(entry.path(), kept, ignored);
      if (!ignored) found.push_back(kept.string());
      break;
    }
  }
  return found;
}

void Autosave::turn(Session& session, const CameraPose& camera) {
  if (folder_.empty() || session.playback() || session.loading()) return;
  const std::string scene = session.input().empty() ? std::string() : session.input().front();
  if (scene != scene_ || revision_ < 0)  // as it was opened: nothing to keep
    scene_ = scene, revision_ = session.revision(), pins_ = session.hand_pins();
  const auto now = std::chrono::steady_clock::now();
  if (std::chrono::duration<double>(now - last_).count() < interval_ || session.editing()) return;
  last_ = now;
  if (revision_ == session.revision() && pins_ == session.hand_pins()) return;
  std::error_code ignored;
  fs::create_directories(folder_, ignored);
  session.tuned_scene_later(camera, [file = file_](const Scene& scene) {
    std::lock_guard lock(file->mutex);
    if (!file->closed) save_scene(file->path, scene);
  });
  revision_ = session.revision(), pins_ = session.hand_pins();
}

Autosave::~Autosave() {
  std::lock_guard lock(file_->mutex);
  file_->closed = true;
  std::error_code ignored;
  if (!folder_.empty()) fs::remove(file_->path, ignored);
}

}  // namespace weft
