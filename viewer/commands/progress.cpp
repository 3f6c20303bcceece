#include "viewer/commands/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace weft {

std::string duration_text(double seconds) {
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  const long s = std::lround(seconds);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {} s", s / 60, s % 60);
  return fmt::format("{} h {} min", s / 3600, s / 60 % 60);
}

Progress::Progress(std::string what, std::string unit, long total, bool quiet)
    : what_(std::move(what)),
      unit_(std::move(unit)),
      total_(std::max(1L, total)),
      quiet_(quiet),
      terminal_(isatty(STDERR_FILENO)) {}

Progress::~Progress() { finish(); }

void Progress::update(long done, const std::string& remark) {
  if (quiet_) return;
  if (terminal_) draw_bar(done, remark);
  else draw_line(done, remark);
}

void Progress::draw_bar(long done, const std::string& remark) {
  const auto now = Clock::now();
  if (open_ && done < total_ && now - drawn_ < std::chrono::milliseconds(100)) return;
  drawn_ = now;
  open_ = true;
  constexpr int kWidth = 30;
  const double share = std::min(1.0, double(done) / double(total_));
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  std::string bar(size_t(std::lround(share * kWidth)), '#');
  bar.resize(kWidth, '.');
  const std::string left =
      done > 0 && done < total_ ? ", " + duration_text(elapsed * (1 - share) / share) + " left" : "";
  std::fprintf(stderr, "\r%s [%s] %3.0f %%  %ld/%ld %s%s%s%s\033[K", what_.c_str(), bar.c_str(), 100 * share,
               done, total_, unit_.c_str(), left.c_str(), remark.empty() ? "" : "  ", remark.c_str());
  std::fflush(stderr);
}

void Progress::draw_line(long done, const std::string& remark) {
  const int tenths = int(10 * std::min(done, total_) / total_);
  if (tenths == tenths_) return;
  tenths_ = tenths;
  std::fprintf(stderr, "weft: %s: %ld of %ld %s%s%s\n", what_.c_str(), done, total_, unit_.c_str(),
               remark.empty() ? "" : ", ", remark.c_str());
}

void Progress::finish() {
  if (open_) std::fputc('\n', stderr);
  open_ = false;
}

}  // namespace weft
