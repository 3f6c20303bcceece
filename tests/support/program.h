// Runs the built program as a user does: arguments in, exit status and text out.
#pragma once
#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "test_paths.h"
#include "tests/support/folder.h"

namespace weft::testing {

struct Outcome {
  int status = -1;  // exit status; 1000 + signal if a signal ended it
  std::string out, err;
  bool says(const std::string& words) const { return err.find(words) != std::string::npos; }
  bool prints(const std::string& words) const { return out.find(words) != std::string::npos; }
  /// The hash that the program printed; empty if there is none.
  std::string hash() const {
    const std::string label = "state hash: ";
    const size_t at = out.find(label);
    return at == std::string::npos ? "" : out.substr(at + label.size(), 16);
  }
};

using Environment = std::map<std::string, std::string>;  // an empty value removes the variable

/// A running program; its output goes to files in `folder`.
class Program {
 public:
  Program(const Folder& folder, const std::string& program, const std::vector<std::string>& arguments,
          const Environment& changes = {})
      : out_(folder / "stdout.txt"), err_(folder / "stderr.txt") {
    std::vector<std::string> variables;
    for (char** e = environ; *e; ++e) {
      const std::string entry = *e;
      if (!changes.count(entry.substr(0, entry.find('=')))) variables.push_back(entry);
    }
    for (const auto& [name, value] : changes)
      if (!value.empty()) variables.push_back(name + "=" + value);
    std::vector<char*> argv{const_cast<char*>(program.c_str())}, envp;
    for (const auto& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
    for (const auto& v : variables) envp.push_back(const_cast<char*>(v.c_str()));
    argv.push_back(nullptr);
    envp.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addchdir_np(&files, folder.path().c_str());
    posix_spawn_file_actions_addopen(&files, 1, out_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&files, 2, err_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int fault = posix_spawn(&id_, program.c_str(), &files, nullptr, argv.data(), envp.data());
    posix_spawn_file_actions_destroy(&files);
    REQUIRE(fault == 0);
  }
  ~Program() {
    if (id_ <= 0) return;
    kill(id_, SIGKILL);
    waitpid(id_, nullptr, 0);
  }
  Program(const Program&) = delete;

  pid_t id() const { return id_; }
  std::string err_so_far() const { return read_file(err_); }
  Outcome wait() {
    int status = 0;
    waitpid(id_, &status, 0);
    id_ = -1;
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status), read_file(out_),
            read_file(err_)};
  }

 private:
  pid_t id_ = -1;
  std::string out_, err_;
};

/// Runs weft in `folder` to its end.
inline Outcome weft(const Folder& folder, const std::vector<std::string>& arguments,
                    const Environment& changes = {}) {
  return Program(folder, WEFT_PROGRAM, arguments, changes).wait();
}

/// A small cloth that hangs at two corners beside a ball that turns.
inline const char* small_scene() {
  return R"(title = "Small"
duration = 0.3
[[cloth]]
name = "sheet"
vertices = 150
position = [0.0, 1.2, 0.0]
[[pin]]
where = "top_left"
[[pin]]
where = "top_right"
[[obstacle]]
name = "ball"
shape = "sphere"
radius = 0.2
position = [0.0, 0.3, 0.3]
[obstacle.motion]
spin_axis = [0, 1, 0]
spin_rate = 90.0
)";
}

inline bool on_path(const std::string& program) {
  return std::system(("command -v " + program + " > /dev/null 2>&1").c_str()) == 0;
}

}  // namespace weft::testing
