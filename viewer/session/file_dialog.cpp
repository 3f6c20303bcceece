#include "viewer/session/file_dialog.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <vector>

#include "sim/base/error.h"

extern char** environ;

namespace weft {
namespace {

const char* const kKinds = "*.toml *.obj *.glb *.gltf *.usda *.json *.dxf *.weftcache";

bool on_path(const std::string& program) {
  std::istringstream folders(std::getenv("PATH") ? std::getenv("PATH") : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  return false;
}

/// The program and its arguments; empty where none is installed.
std::vector<std::string> command(const std::string& folder) {
  const std::string at = folder.empty() ? "./" : folder + "/", title = "Open in Weft";
  for (const char* program : {"zenity", "yad"})
    if (on_path(program))
      return {program,
              "--file-selection",
              "--title=" + title,
              "--filename=" + at,
              std::string("--file-filter=Scenes, meshes, patterns, runs | ") + kKinds,
              "--file-filter=All | *"};
  if (on_path("kdialog")) return {"kdialog", "--title", title, "--getopenfilename", at, kKinds};
  return {};
}

pid_t start(const std::vector<std::string>& words, int output) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t id = -1;
  const int fault = posix_spawnp(&id, argv[0], &files, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (fault != 0) throw Error(std::string("cannot be started: ") + std::strerror(fault), words[0]);
  return id;
}

}  // namespace

FileDialog::FileDialog() {
  if (command("").empty()) why_not_ = "No file dialog is installed: zenity, kdialog or yad would bring one";
}

void FileDialog::ask(const std::string& folder) {
  if (open()) return;
  const std::vector<std::string> words = command(folder);
  if (words.empty()) throw Error(why_not_, "open");
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw Error(std::strerror(errno), words[0]);
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  answer_ = ends[0], text_.clear();
  try {
    process_ = start(words, ends[1]);
  } catch (...) {
    ::close(ends[0]), ::close(ends[1]);
    throw;
  }
  ::close(ends[1]);
}

std::optional<std::string> FileDialog::chosen() {
  if (!open()) return std::nullopt;
  char buffer[4096];
  ssize_t n = 0;
  while ((n = ::read(answer_, buffer, sizeof buffer)) > 0) text_.append(buffer, size_t(n));
  if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return std::nullopt;
  ::close(answer_);
  ::waitpid(process_, nullptr, 0);  // it has closed its output: it is about to end
  process_ = -1;
  while (!text_.empty() && text_.back() == '\n') text_.pop_back();
  return text_.empty() ? std::nullopt : std::optional(text_);
}

FileDialog::~FileDialog() {
  if (!open()) return;
  ::kill(process_, SIGTERM);
  ::close(answer_);
  ::waitpid(process_, nullptr, 0);
}

}  // namespace weft
