// A process that a batch runs.
#pragma once
#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace weft {

/// It is killed when the program that started it ends, however that ends, and at the end of this object.
class BatchProcess {
 public:
  /// `words`: the program and its arguments; what it prints is appended to `log`. Throws Error.
  BatchProcess(const std::vector<std::string>& words, const std::string& log);
  ~BatchProcess();
  BatchProcess(const BatchProcess&) = delete;

  /// How it ended: status is 0 to 255, or 1000 and the number of the signal.
  struct End {
    int status = 0;
    double processor_s = 0, wall_s = 0;
  };
  /// Empty while it runs.
  std::optional<End> ended();
  /// Seconds since its start.
  double wall_s() const;
  void kill();

 private:
  using Clock = std::chrono::steady_clock;
  pid_t id_ = -1;
  Clock::time_point start_ = Clock::now();
};

}  // namespace weft
