#include "viewer/commands/batch_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "sim/base/error.h"
#include "sim/base/file.h"

namespace weft {
namespace {

double seconds_of(const timeval& t) { return double(t.tv_sec) + 1e-6 * double(t.tv_usec); }

/// In the new process: nothing but calls that are safe after fork.
[[noreturn]] void become(char* const* argv, int log, pid_t parent) {
  ::setpgid(0, 0);  // Ctrl-C is for the batch, which ends its jobs
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  ::signal(SIGPIPE, SIG_DFL), ::signal(SIGINT, SIG_DFL), ::signal(SIGTERM, SIG_DFL);
  ::signal(SIGHUP, SIG_DFL);
  ::dup2(log, STDOUT_FILENO), ::dup2(log, STDERR_FILENO);
  if (const int nothing = ::open("/dev/null", O_RDONLY); nothing >= 0) ::dup2(nothing, STDIN_FILENO);
  ::execv(argv[0], argv);
  constexpr char kWords[] = "weft: error: the program of the job cannot be started\n";
  [[maybe_unused]] const ssize_t told = ::write(STDERR_FILENO, kWords, sizeof kWords - 1);
  ::_exit(127);
}

}  // namespace

BatchProcess::BatchProcess(const std::vector<std::string>& words, const std::string& log) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) throw write_fault(log, errno, 0);
  // Where whoever started this program ignores it, the system forgets how processes ended.
  ::signal(SIGCHLD, SIG_DFL);
  const pid_t parent = ::getpid();
  id_ = ::fork();
  if (id_ == 0) become(argv.data(), file, parent);
  const int fault = errno;
  ::close(file);
  if (id_ < 0)
    throw Error(std::string("no process can be started: ") + std::strerror(fault), words[0],
                "run fewer at the same time: --jobs");
}

BatchProcess::~BatchProcess() {
  if (id_ <= 0) return;
  kill();
  ::waitpid(id_, nullptr, 0);
}

std::optional<BatchProcess::End> BatchProcess::ended() {
  int status = 0;
  rusage used{};
  const pid_t found = ::wait4(id_, &status, WNOHANG, &used);
  if (found == 0 || (found < 0 && errno == EINTR)) return std::nullopt;
  id_ = -1;
  if (found < 0) throw Error("the system does not say how a process ended", std::strerror(errno));
  End end;
  end.status = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  end.processor_s = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
  end.wall_s = wall_s();
  return end;
}

double BatchProcess::wall_s() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

void BatchProcess::kill() {
  if (id_ > 0) ::kill(id_, SIGKILL);
}

}  // namespace weft
