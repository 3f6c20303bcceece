#include "viewer/record/trace_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "sim/base/file.h"

namespace weft {
namespace {

constexpr size_t kBlock = 64 * 1024;                 // bytes; a step of the default scene takes about 10 KB
constexpr auto kInterval = std::chrono::seconds(1);  // a program that is killed loses no more than this
constexpr int64_t kPage = 4096;
constexpr const char* kEnd = "\n]\n";

std::atomic<std::shared_ptr<TraceFile>> the_current;

/// Microseconds with three decimals: exact, so that events nested in nanoseconds are nested in the file.
std::string microseconds(int64_t ns) { return fmt::format("{}.{:03d}", ns / 1000, ns % 1000); }

std::string quoted(const std::string& text) { return nlohmann::json(text).dump(); }

}  // namespace

TraceFile::TraceFile(const std::string& path) : path_(path) {
  file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0)
    throw Error(std::string("cannot be written: ") + std::strerror(errno), path, "choose another file");
  text_ =
      fmt::format("[\n{{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"args\":{{\"name\":\"Weft {}\"}}}}",
                  WEFT_VERSION);
  name_track(TraceTrack::simulator, "Simulator");
  name_track(TraceTrack::device, "GPU stages (measured steps)");
  name_track(TraceTrack::pictures, "Pictures");
  name_track(TraceTrack::encoder, "Video encoder");
  flush();
}

TraceFile::~TraceFile() { close(); }

void TraceFile::name_track(TraceTrack track, const char* name) {
  text_ += fmt::format(
      ",\n{{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":{},\"args\":{{\"name\":{}}}}}",
      int(track), quoted(name));
  text_ += fmt::format(
      ",\n{{\"name\":\"thread_sort_index\",\"ph\":\"M\",\"pid\":1,\"tid\":{0},\"args\":{{\"sort_index\":{0}}}"
      "}}",
      int(track));
}

void TraceFile::event(TraceTrack track, const char* name, int64_t begin, int64_t end,
                      const std::string& arguments) {
  text_ +=
      fmt::format(",\n{{\"name\":{},\"ph\":\"X\",\"pid\":1,\"tid\":{},\"ts\":{},\"dur\":{}{}}}", quoted(name),
                  int(track), microseconds(begin), microseconds(std::max<int64_t>(0, end - begin)),
                  arguments.empty() ? "" : ",\"args\":{" + arguments + "}");
}

void TraceFile::span(TraceTrack track, const char* name, Clock::time_point begin, Clock::time_point end) {
  std::lock_guard lock(mutex_);
  if (file_ < 0 || begin < start_) return;  // began before the trace did
  event(track, name, nanoseconds(begin), nanoseconds(end));
  flush_if_long();
}

void TraceFile::step_ended(long number, Time begin, Time end) {
  std::lock_guard lock(mutex_);
  if (file_ < 0 || begin < start_) return;
  event(TraceTrack::simulator, "step", nanoseconds(begin), nanoseconds(end),
        fmt::format("\"step\":{}", number));
  ++steps_;
  flush_if_long();
}

void TraceFile::stages(long number, Time begin, const std::vector<StageSpan>& spans, bool on_device) {
  std::lock_guard lock(mutex_);
  if (file_ < 0 || begin < start_) return;
  const int64_t from = nanoseconds(begin);
  // The same rounding for both ends of parents and children: it keeps the order of times.
  const auto at = [&](double ms) { return from + int64_t(std::floor(ms * 1e6 + 0.5)); };
  for (const StageSpan& s : spans)
    event(on_device ? TraceTrack::device : TraceTrack::simulator, s.depth == 0 ? "step" : s.name, at(s.begin),
          at(s.end), s.depth == 0 ? fmt::format("\"step\":{}", number) : "");
  flush_if_long();
}

void TraceFile::published(const StepStats& stats) {
  std::lock_guard lock(mutex_);
  if (file_ < 0) return;
  const std::string now = microseconds(nanoseconds(Clock::now()));
  const auto counter = [&](const char* name, double value) {
    if (std::isfinite(value))
      text_ +=
          fmt::format(",\n{{\"name\":\"{}\",\"ph\":\"C\",\"pid\":1,\"ts\":{},\"args\":{{\"value\":{}}}}}",
                      name, now, value);
  };
  counter("contacts", stats.contacts);
  counter("max stretch", double(stats.max_stretch));
  flush_if_long();
}

void TraceFile::flush_if_long() {
  if (text_.size() >= kBlock || Clock::now() - flushed_ > kInterval) flush();
}

/// Writes all of `text` at `at` and moves `at` behind it. A kill does not split data within one page.
bool TraceFile::write_at(const std::string& text, int64_t& at) {
  for (size_t done = 0; done < text.size();) {
    const ssize_t now = ::pwrite(file_, text.data() + done, text.size() - done, at);
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) return false;
    done += size_t(now), at += now;
  }
  return true;
}

/// Writes the text from `at` on, followed by the end of the array, over the previous end. A kill can end a
/// write between two pages, so every write consists of whole events within one page, padded with spaces: at
/// worst the array's end is missing, which the format allows. Returns the position of the end, or -1 and
/// errno.
int64_t TraceFile::write_events(int64_t at) {
  std::string page;
  const auto add = [&](const std::string& piece) {
    const size_t used = size_t(at % kPage) + page.size();
    if (used + piece.size() > size_t(kPage) && piece.size() <= size_t(kPage)) {
      page.append((size_t(kPage) - used % size_t(kPage)) % size_t(kPage), ' ');
      if (!write_at(page, at)) return false;
      page.clear();
    }
    page += piece;
    return true;
  };
  for (size_t begin = 0; begin < text_.size();) {
    size_t end = text_.find(",\n{", begin + 1);  // strings have no bare newline
    if (end == text_.npos) end = text_.size();
    if (!add(text_.substr(begin, end - begin))) return -1;
    begin = end;
  }
  if (!add(kEnd) || !write_at(page, at)) return -1;
  return at - int64_t(std::strlen(kEnd));
}

void TraceFile::flush() {
  flushed_ = Clock::now();
  if (file_ < 0 || text_.empty()) return;
  if (const int64_t end = write_events(written_); end >= 0) {
    written_ = end;
  } else {
    fault_ =
        write_fault(path_, errno, text_.size(), fmt::format("the trace ends after {} steps", steps_)).what();
    // A partial write is truncated to the last complete block.
    const bool kept =
        ::ftruncate(file_, written_) == 0 && ::pwrite(file_, kEnd, std::strlen(kEnd), written_) > 0;
    if (!kept) fault_ += ", and is incomplete";
    ::close(file_);
    file_ = -1;
  }
  text_.clear();
}

bool TraceFile::close() {
  std::lock_guard lock(mutex_);
  flush();
  if (file_ >= 0) {
    if (::close(file_) != 0 && fault_.empty())
      fault_ =
          Error(std::string("cannot be written: ") + std::strerror(errno), path_, "is the disk full?").what();
    file_ = -1;
  }
  return fault_.empty();
}

std::string TraceFile::fault() const {
  std::lock_guard lock(mutex_);
  return fault_;
}

long TraceFile::steps() const {
  std::lock_guard lock(mutex_);
  return steps_;
}

void set_current_trace(std::shared_ptr<TraceFile> trace) { the_current.store(std::move(trace)); }
std::shared_ptr<TraceFile> current_trace() { return the_current.load(); }

}  // namespace weft
