// A child process that reads pictures from its standard input.
#pragma once
#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace weft {

/// Runs a program with a socket as its standard input, in its own process group (Ctrl-C in the terminal is
/// handled by Weft) and with its standard error kept. Writing to a dead process returns false; no signal is
/// raised.
class EncoderProcess {
 public:
  /// Throws Error if the program cannot be started. `program` is looked up on PATH.
  EncoderProcess(const std::string& program, const std::vector<std::string>& arguments);
  /// Kills an unfinished process.
  ~EncoderProcess();
  EncoderProcess(const EncoderProcess&) = delete;

  /// Waits until the process has taken all data. False if it no longer reads (died, closed its input, or took
  /// nothing for 30 s).
  bool write(const void* data, size_t bytes);
  /// Closes its input and waits for its end, at most so long. True for exit status 0.
  bool finish(std::chrono::minutes limit = std::chrono::minutes(2));
  /// How it ended: "exit status 1" or "killed by signal 9"; empty while it runs.
  const std::string& ending() const { return ending_; }
  /// The end of what it wrote to standard error, on one line.
  std::string last_words() const;
  pid_t id() const { return id_; }

 private:
  void close_input();
  pid_t id_ = -1;
  int input_ = -1;
  int errors_ = -1;
  bool ended_ = false;
  bool success_ = false;
  std::string ending_;
};

/// True if `program` is on PATH (or is a path itself) and executable.
bool program_available(const std::string& program);

}  // namespace weft
