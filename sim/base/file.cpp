#include "sim/base/file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

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

void write_text_file(const std::string& path, const std::string& text) {
  // A pipe or device is written in place; a link keeps pointing where it does.
  std::error_code error;
  const fs::path target = fs::is_symlink(path, error) ? fs::canonical(path, error) : fs::path(path);
  const bool in_place = fs::exists(target, error) && !fs::is_regular_file(target, error);
  if (fs::is_directory(target, error)) throw Error("this is a folder", path, "name a file");
  const std::string written = in_place ? target.string() : target.string() + ".part";
  std::FILE* file = std::fopen(written.c_str(), "wb");
  if (!file) throw Error("the file cannot be written", path, "check the folder and its permissions");
  const size_t done = std::fwrite(text.data(), 1, text.size(), file);
  bool good = done == text.size() && std::fflush(file) == 0;
  int code = good ? 0 : errno;
  if (std::fclose(file) != 0 && good) good = false, code = errno;
  if (good && !in_place) {
    fs::rename(written, target, error);
    if (error) good = false, code = error.value();
  }
  if (good) return;
  if (!in_place) std::remove(written.c_str());
  throw write_fault(path, code, text.size(), !in_place && fs::exists(target, error) ? "the old file is as it was" : "");
}

}  // namespace weft
