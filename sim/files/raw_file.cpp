#include "sim/files/raw_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "sim/base/file.h"

namespace weft {

OutputFile::OutputFile(const std::string& path, bool nameless) : path_(path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw Error("this is a folder", path, "name a file");
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  made_ = file_ >= 0 && !nameless;
  if (file_ < 0) file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0)
    throw Error(std::string("cannot be written: ") + std::strerror(errno), path,
                "check the folder and its permissions");
  if (nameless) ::unlink(path.c_str());
}

OutputFile::~OutputFile() {
  if (file_ >= 0) ::close(file_);
  remove_unused();
}

void OutputFile::remove_unused() {
  if (made_ && !written_) ::unlink(path_.c_str());
  made_ = false;
}

void OutputFile::fail(uint64_t missing) const { throw write_fault(path_, errno, missing); }

void OutputFile::write_at(uint64_t offset, const void* data, size_t bytes) {
  const char* at = static_cast<const char*>(data);
  if (!written_) {
    struct stat facts {};
    if (::fstat(file_, &facts) == 0 && S_ISREG(facts.st_mode) && ::ftruncate(file_, 0) != 0) fail(bytes);
    written_ = true;
  }
  while (bytes > 0) {
    const ssize_t n = ::pwrite(file_, at, bytes, off_t(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail(bytes);
    at += n, offset += uint64_t(n), bytes -= size_t(n);
  }
}

void OutputFile::write(const void* data, size_t bytes) {
  write_at(size_, data, bytes);
  size_ += bytes;
}

void OutputFile::take_over(OutputFile& other) {
  std::vector<char> piece(size_t(1) << 16);
  for (uint64_t at = 0; at < other.size_;) {
    const ssize_t n = ::pread(other.file_, piece.data(),
                              size_t(std::min<uint64_t>(piece.size(), other.size_ - at)), off_t(at));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) other.fail(other.size_ - at);
    write(piece.data(), size_t(n));
    ::fallocate(other.file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, off_t(at), off_t(n));
    at += uint64_t(n);
  }
}

bool OutputFile::cut(uint64_t size) {
  if (::ftruncate(file_, off_t(size)) != 0) return false;
  size_ = size;
  return true;
}

void OutputFile::close() {
  if (file_ < 0) return;
  const int result = ::close(file_);
  file_ = -1;
  remove_unused();
  if (result != 0) fail(0);
}

InputFile::InputFile(const std::string& path, const std::string& noun) : path_(path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw Error("this is a folder, not " + noun, path, "name a file");
  if (!std::filesystem::exists(path, ignored)) throw Error("there is no such file", path, "check the path");
  // a pipe without a writer would keep the program waiting
  if (!std::filesystem::is_regular_file(path, ignored))
    throw Error("this is a pipe or a device, not " + noun, path, "write its contents to a file first");
  file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat facts {};
  if (file_ < 0 || ::fstat(file_, &facts) != 0) {
    const std::string reason = std::strerror(errno);
    if (file_ >= 0) ::close(file_);
    throw Error("the file cannot be opened: " + reason, path, "check its permissions");
  }
  size_ = uint64_t(facts.st_size);
}

InputFile::~InputFile() {
  if (file_ >= 0) ::close(file_);
}

void InputFile::read(uint64_t offset, void* data, size_t bytes) const {
  char* at = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t n = ::pread(file_, at, bytes, off_t(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw Error(std::string("reading failed: ") + std::strerror(errno), path_);
    if (n == 0) throw Error("the file has become shorter while it was read", path_, "open it again");
    at += n, offset += uint64_t(n), bytes -= size_t(n);
  }
}

}  // namespace weft
