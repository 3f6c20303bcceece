#include "viewer/record/free_name.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "sim/base/error.h"
#include "viewer/record/picture_sink.h"

namespace weft {
namespace fs = std::filesystem;

std::string frames_folder(const std::string& video) {
  const fs::path given(video);
  return (given.parent_path() / given.stem()).string() + "_frames";
}

bool name_taken(const std::string& path) {
  std::error_code unknown;  // reported later if it cannot be written either
  if (fs::path(path).filename().empty()) return fs::exists(path, unknown) && !fs::is_empty(path, unknown);
  return fs::exists(path, unknown) || fs::exists(path + ".part", unknown) ||
         (video_kind(path) != VideoKind::none && fs::exists(frames_folder(path), unknown));
}

std::string next_name(const std::string& path) {
  fs::path file(path);
  const bool folder = file.filename().empty();
  if (folder) file = file.parent_path();
  std::string stem = folder ? file.filename().string() : file.stem().string();
  const std::string ending = folder ? "/" : file.extension().string();
  int number = 1;
  const auto digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  if (const size_t dash = stem.rfind('-'); dash != stem.npos && stem.size() - dash >= 4 &&
                                           stem.size() - dash <= 8 &&
                                           std::all_of(stem.begin() + long(dash) + 1, stem.end(), digit)) {
    number = std::atoi(stem.c_str() + dash + 1);
    stem.resize(dash);
  }
  return (file.parent_path() / fmt::format("{}-{:03d}{}", stem, number + 1, ending)).string();
}

bool create_new_file(const std::string& path, const std::string& where) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file >= 0) return ::close(file), true;
  if (errno == EEXIST) return false;
  throw Error(std::string("cannot be written: ") + std::strerror(errno), where, "choose another file");
}

}  // namespace weft
