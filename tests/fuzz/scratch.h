// Small helpers of the fuzz targets.
#pragma once
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace weft::fuzz {

/// What a reader promises about what it gives.
inline void require(bool holds, const char* promise) {
  if (!holds) throw std::logic_error(std::string("broken promise: ") + promise);
}

/// A folder in memory where there is one: a fuzzer writes thousands of files per second. One for the whole
/// process, removed at its end.
class ScratchFolder {
 public:
  static const ScratchFolder& get() {
    static const ScratchFolder folder;
    return folder;
  }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(*this / name, std::ios::binary) << bytes;
    return *this / name;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  ScratchFolder() {
    namespace fs = std::filesystem;
    std::error_code ignored;
    const fs::path shared = "/dev/shm";
    const bool writable = fs::is_directory(shared, ignored) && access(shared.c_str(), W_OK) == 0;
    path_ = (writable ? shared : fs::temp_directory_path()) / fmt::format("weft-fuzz-{}", getpid());
    fs::create_directories(path_);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path path_;
};

}  // namespace weft::fuzz
