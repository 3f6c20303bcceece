#include "sim/base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <random>
#include <set>

#include "sim/base/work_watch.h"

namespace weft {

namespace fs = std::filesystem;
namespace {

std::string amount(uint64_t bytes) {
  return bytes < 100000       ? fmt::format("{} bytes", bytes)
         : bytes < 1000000000 ? fmt::format("{:.1f} MB", 1e-6 * double(bytes))
                              : fmt::format("{:.1f} GB", 1e-9 * double(bytes));
}

// A text and the numbers that are read from it lie in memory at once, and a mesh is made of them: of an OBJ
// the numbers take 2 bytes for each of its own, the mesh 1.
constexpr uint64_t kMemoryPerByte = 4;
constexpr uint64_t kPiece = uint64_t(1) << 26;  // bytes that are read between two tests for Ctrl-C
constexpr uint64_t kWorthTelling = 1000000000;  // bytes, a second or more

/// Bytes that the system can still give; 0: not known.
uint64_t available_memory() {
  std::ifstream facts("/proc/meminfo");
  for (std::string line; std::getline(facts, line);)
    if (line.rfind("MemAvailable:", 0) == 0) return 1024 * std::strtoull(line.c_str() + 13, nullptr, 10);
  return 0;
}

}  // namespace

Error write_fault(const std::string& path, int code, uint64_t bytes_missing, const std::string& kept) {
  const bool full = code == ENOSPC || code == EDQUOT || code == EFBIG;
  std::string what = fmt::format("writing failed: {}", code ? std::strerror(code) : "no reason was given");
  if (bytes_missing) what += fmt::format("; {} could not be written", amount(bytes_missing));
  std::error_code unknown;
  const fs::path folder = fs::absolute(path, unknown).parent_path();
  const fs::space_info space = fs::space(folder, unknown);
  if (full && code != EFBIG && !unknown) what += fmt::format(", {} are free there", amount(space.available));
  if (!kept.empty()) what += "; " + kept;
  return Error(what, path, full ? "make room (is the disk full?) and start again" : "check the disk");
}

std::string read_text_file(const std::string& path, const std::string& noun) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) throw Error("this is a folder, not " + noun, path, "name a file");
  if (!fs::exists(path, ignored)) throw Error("there is no such file", path, "check the path");
  // a pipe without a writer would keep the program waiting
  if (!fs::is_regular_file(path, ignored))
    throw Error("this is a pipe or a device, not " + noun, path, "write its contents to a file first");
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw Error("the file cannot be opened", path, "check its permissions");
  const uint64_t bytes = uint64_t(std::max<std::streamoff>(0, file.tellg()));
  if (bytes == 0) throw Error("the file is empty", path, "it should hold " + noun);
  const auto too_large = [&] {
    return Error(fmt::format("not enough memory for this file ({})", amount(bytes)), path,
                 "use a smaller file: what is read of " + noun + " is kept whole while it is taken apart");
  };
  if (const uint64_t free = available_memory(); free > 0 && bytes > free / kMemoryPerByte) throw too_large();
  std::string text;
  try {
    text.resize(bytes);
  } catch (const std::bad_alloc&) {
    throw too_large();
  }
  file.seekg(0);
  for (uint64_t at = 0; at < bytes; at += kPiece) {
    WorkWatch::check();
    if (bytes > kWorthTelling) WorkWatch::report("reading " + path, double(at) / double(bytes));
    if (!file.read(text.data() + at, std::streamsize(std::min(kPiece, bytes - at))))
      throw Error("the file cannot be read", path);
  }
  return text;
}

namespace {

constexpr const char* kTemporary = ".weft-";
constexpr char kLetters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
constexpr size_t kRandomLetters = 8;

bool is_temporary(const std::string& name) {
  const size_t begin = std::strlen(kTemporary);
  return name.size() == begin + kRandomLetters && name.starts_with(kTemporary) &&
         name.find_first_not_of(kLetters, begin) == name.npos;
}

/// Removes a temporary file of this user that no process holds. One that was written a moment ago may be of a
/// process that does not lock (an older version, another machine where locks do not reach).
void remove_if_abandoned(const std::string& path) {
  constexpr time_t kUntouched = 60;  // s
  const int file = ::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return;
  struct stat facts {
  }, there{};
  const bool old = ::fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_uid == ::geteuid() &&
                   ::time(nullptr) - facts.st_mtime > kUntouched;
  const bool same = old && ::flock(file, LOCK_EX | LOCK_NB) == 0 && ::lstat(path.c_str(), &there) == 0 &&
                    there.st_ino == facts.st_ino && there.st_dev == facts.st_dev;
  if (same) ::unlink(path.c_str());
  ::close(file);
}

/// Once per folder and process, so that a folder of frames is not scanned for each of them.
void remove_abandoned_beside(const std::string& path) {
  static std::mutex mutex;
  static std::set<std::string> looked_through;
  std::error_code failed;
  const fs::path folder = fs::absolute(path, failed).parent_path();
  {
    const std::lock_guard lock(mutex);
    if (failed || !looked_through.insert(folder.string()).second) return;
  }
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed))
    if (is_temporary(it->path().filename().string())) remove_if_abandoned(it->path().string());
}

}  // namespace

std::string free_name_beside(const std::string& path) {
  std::random_device random;
  for (;;) {
    std::string name = kTemporary;
    for (size_t k = 0; k < kRandomLetters; ++k) name += kLetters[random() % (sizeof kLetters - 1)];
    const fs::path beside = fs::path(path).parent_path() / name;
    std::error_code ignored;
    if (!fs::exists(fs::symlink_status(beside, ignored))) return beside.string();
  }
}

TemporaryFile::TemporaryFile(const std::string& path) : path_(path) {
  remove_abandoned_beside(path);
  for (;;) {
    name_ = free_name_beside(path);
    file_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file_ < 0 && errno == EEXIST) continue;  // another process has just taken the name
    if (file_ < 0)
      throw Error(std::string("the file cannot be written: ") + std::strerror(errno), path,
                  "check the folder and its permissions");
    ::flock(file_, LOCK_EX | LOCK_NB);  // without file locks, abandoned files cannot be recognised either
    struct stat facts {};
    if (::fstat(file_, &facts) != 0 || facts.st_nlink > 0) return;
    ::close(file_);  // another process with a clock far ahead removed it as abandoned before it was locked
  }
}

TemporaryFile::~TemporaryFile() {
  if (there_) ::unlink(name_.c_str());
  ::close(file_);
}

int TemporaryFile::put_in_place() {
  if (::rename(name_.c_str(), path_.c_str()) != 0) return errno;
  there_ = false;
  return 0;
}

bool write_protected(const std::string& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return false;
  return ::access(path.c_str(), W_OK) != 0 || (S_ISREG(facts.st_mode) && (facts.st_mode & 0222) == 0);
}

std::string end_of_links(const std::string& path) {
  fs::path end = path;
  std::error_code ignored;
  for (int k = 0; fs::is_symlink(end, ignored); ++k) {
    if (k == 40)
      throw Error("the symbolic link is part of a loop", path, "remove it, or choose another file");
    const fs::path to = fs::read_symlink(end, ignored);
    end = to.is_absolute() ? to : end.parent_path() / to;
  }
  return end.string();
}

namespace {

/// Writes all and closes. Returns 0 or errno.
int write_and_close(int file, const std::string& text) {
  int code = 0;
  for (size_t done = 0; done < text.size() && code == 0;) {
    const ssize_t n = ::write(file, text.data() + done, text.size() - done);
    if (n >= 0) done += size_t(n);
    else if (errno != EINTR) code = errno;
  }
  if (::close(file) != 0 && code == 0) code = errno;
  return code;
}

}  // namespace

void write_text_file(const std::string& path, const std::string& text) {
  const std::string target = end_of_links(path);
  struct stat old {};
  const bool there = ::stat(target.c_str(), &old) == 0;
  if (there && S_ISDIR(old.st_mode)) throw Error("this is a folder", path, "name a file");
  if (write_protected(target))
    throw Error("the file is write-protected", path, "make it writable (chmod u+w), or choose another");
  const bool in_place = there && !S_ISREG(old.st_mode);  // a pipe or device
  std::optional<TemporaryFile> part;
  if (!in_place) part.emplace(target);
  // an open file keeps its lock
  const int file =
      in_place ? ::open(target.c_str(), O_WRONLY | O_CLOEXEC) : ::fcntl(part->handle(), F_DUPFD_CLOEXEC, 0);
  if (file < 0)
    throw Error(std::string("the file cannot be written: ") + std::strerror(errno), path,
                "check the folder and its permissions");
  if (there && !in_place) {
    [[maybe_unused]] const int kept = ::fchown(file, old.st_uid, old.st_gid);  // ignored without permission
    ::fchmod(file, old.st_mode & 07777);
  }
  int code = write_and_close(file, text);
  if (code == 0 && part) code = part->put_in_place();
  if (code == 0) return;
  throw write_fault(path, code, text.size(), !in_place && there ? "the old file is unchanged" : "");
}

}  // namespace weft
