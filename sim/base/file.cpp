#include "sim/base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

namespace weft {

namespace fs = std::filesystem;
namespace {

std::string amount(uint64_t bytes) {
  return bytes < 100000 ? fmt::format("{} bytes", bytes) : fmt::format("{:.1f} MB", 1e-6 * double(bytes));
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
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw Error("the file cannot be opened", path, "check its permissions");
  std::string text(size_t(std::max<std::streamoff>(0, file.tellg())), '\0');
  file.seekg(0);
  if (!file.read(text.data(), std::streamsize(text.size()))) throw Error("the file cannot be read", path);
  if (text.empty()) throw Error("the file is empty", path, "it should hold " + noun);
  return text;
}

std::string free_name_beside(const std::string& path) {
  constexpr char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::random_device random;
  for (;;) {
    std::string name = ".weft-";
    for (int k = 0; k < 8; ++k) name += letters[random() % 36];
    const fs::path beside = fs::path(path).parent_path() / name;
    std::error_code ignored;
    if (!fs::exists(fs::symlink_status(beside, ignored))) return beside.string();
  }
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
    if (k == 40) throw Error("the link leads in a circle", path, "remove it, or choose another file");
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
  if (write_protected(target)) throw Error("the file is write-protected", path, "make it writable (chmod u+w), or choose another");
  const bool in_place = there && !S_ISREG(old.st_mode);  // a pipe or device
  const std::string written = in_place ? target : free_name_beside(target);
  const int file = ::open(written.c_str(), in_place ? O_WRONLY | O_CLOEXEC : O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) throw Error(std::string("the file cannot be written: ") + std::strerror(errno), path, "check the folder and its permissions");
  if (there && !in_place) {
    [[maybe_unused]] const int kept = ::fchown(file, old.st_uid, old.st_gid);  // where that is permitted
    ::fchmod(file, old.st_mode & 07777);
  }
  int code = write_and_close(file, text);
  if (code == 0 && !in_place && ::rename(written.c_str(), target.c_str()) != 0) code = errno;
  if (code == 0) return;
  if (!in_place) ::unlink(written.c_str());
  throw write_fault(path, code, text.size(), !in_place && there ? "the old file is as it was" : "");
}

}  // namespace weft
