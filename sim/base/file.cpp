#include "sim/base/file.h"

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "sim/base/error.h"

namespace weft {

namespace fs = std::filesystem;

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
  const bool complete = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool closed = std::fclose(file) == 0;
  if (complete && closed && !in_place) fs::rename(written, target, error);
  else error.clear();
  if (complete && closed && !error) return;
  if (!in_place) std::remove(written.c_str());
  throw Error("writing failed", path, "is the disk full?");
}

}  // namespace weft
