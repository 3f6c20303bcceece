#include "viewer/record/encoder_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <thread>

#include "sim/base/error.h"

extern char** environ;

namespace weft {
namespace {

constexpr int kWriteTimeout = 30;  // s without progress before the process counts as stuck

pid_t spawn(const std::string& program, const std::vector<std::string>& arguments, int input, int errors) {
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const auto& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&files, errors, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, pipe;
  sigemptyset(&none);
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &pipe);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

  pid_t id = -1;
  const int fault = posix_spawnp(&id, program.c_str(), &files, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  if (fault != 0)
    throw Error(std::string("cannot be started: ") + std::strerror(fault), program, "check the installation");
  return id;
}

}  // namespace

EncoderProcess::EncoderProcess(const std::string& program, const std::vector<std::string>& arguments) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    throw Error(std::string("no pipe to the encoder: ") + std::strerror(errno), program);
  const timeval limit{kWriteTimeout, 0};
  setsockopt(pair[0], SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
  errors_ = memfd_create("encoder-errors", MFD_CLOEXEC);
  try {
    id_ = spawn(program, arguments, pair[1], errors_);
  } catch (...) {
    ::close(pair[0]);
    ::close(pair[1]);
    ::close(errors_);
    throw;
  }
  ::close(pair[1]);
  input_ = pair[0];
}

EncoderProcess::~EncoderProcess() {
  close_input();
  if (!ended_) {
    ::kill(id_, SIGKILL);
    ::waitpid(id_, nullptr, 0);
  }
  ::close(errors_);
}

void EncoderProcess::close_input() {
  if (input_ >= 0) ::close(input_);
  input_ = -1;
}

bool EncoderProcess::write(const void* data, size_t bytes) {
  const char* at = static_cast<const char*>(data);
  while (bytes > 0 && input_ >= 0) {
    const ssize_t sent = ::send(input_, at, bytes, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent;
    bytes -= size_t(sent);
  }
  return input_ >= 0;
}

bool EncoderProcess::finish(std::chrono::minutes patience) {
  close_input();
  if (ended_) return success_;
  const auto limit = std::chrono::steady_clock::now() + patience;
  int status = 0;
  pid_t answer;
  while ((answer = ::waitpid(id_, &status, WNOHANG)) == 0 || (answer < 0 && errno == EINTR)) {
    if (std::chrono::steady_clock::now() > limit) ::kill(id_, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ended_ = true;
  success_ = answer == id_ && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (WIFSIGNALED(status)) ending_ = "killed by signal " + std::to_string(WTERMSIG(status));
  else ending_ = "exit status " + std::to_string(WEXITSTATUS(status));
  return success_;
}

std::string EncoderProcess::last_words() const {
  char text[1024];
  const off_t size = ::lseek(errors_, 0, SEEK_END);
  const off_t begin = std::max<off_t>(0, size - off_t(sizeof(text)));
  const ssize_t count = ::pread(errors_, text, sizeof(text), begin);
  std::istringstream lines(std::string(text, size_t(std::max<ssize_t>(0, count))));
  std::vector<std::string> last;
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    last.push_back(line);
    if (last.size() > 3) last.erase(last.begin());
  }
  std::string joined;
  for (const auto& line : last) joined += (joined.empty() ? "" : " | ") + line;
  return joined;
}

bool program_available(const std::string& program) {
  if (program.find('/') != std::string::npos) return ::access(program.c_str(), X_OK) == 0;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access((std::filesystem::path(folder.empty() ? "." : folder) / program).c_str(), X_OK) == 0)
      return true;
  return false;
}

}  // namespace weft
