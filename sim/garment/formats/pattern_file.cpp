#include "sim/garment/formats/pattern_file.h"

#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/garment/formats/dxf_pattern.h"
#include "sim/garment/formats/garmentcode.h"

namespace weft {

SizeReference split_size(const std::string& file) {
  std::string lower = file;
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
  const size_t at = lower.find(".dxf#");
  return at == file.npos ? SizeReference{file, ""}
                         : SizeReference{file.substr(0, at + 4), file.substr(at + 5)};
}

std::string with_size(const std::string& path, const std::string& size) {
  return size.empty() ? path : path + "#" + size;
}

Pattern read_pattern(const std::string& file, double unit, std::vector<std::string>& notices) {
  const auto [path, size] = split_size(file);
  std::string ending = std::filesystem::path(path).extension().string();
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
  if (ending == ".json") return parse_garmentcode(read_text_file(path, "a pattern"), path);
  if (ending == ".dxf")
    return parse_dxf_pattern(read_text_file(path, "a pattern"), path, unit, notices, size);
  throw Error("this is no pattern file", path, "use .json (GarmentCode) or .dxf (AAMA, ASTM D6673)");
}

}  // namespace weft
