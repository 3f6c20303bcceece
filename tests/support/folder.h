// A folder of a test's own.
#pragma once
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace weft::testing {

/// A folder of one test's own, removed at its end.
class Folder {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() / fmt::format("weft-test-{}-{}", getpid(), counter_++)) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignore;
    std::filesystem::remove_all(path_, ignore);
  }
  Folder(const Folder&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::string path() const { return path_.string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(*this / name) << text;
    return *this / name;
  }

 private:
  std::filesystem::path path_;
  static inline int counter_ = 0;
};

inline std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace weft::testing
