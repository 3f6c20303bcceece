#include "sim/garment/formats/pattern_file.h"

#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/garment/formats/dxf_pattern.h"
#include "sim/garment/formats/garmentcode.h"

namespace weft {

Pattern read_pattern(const std::string& path, double unit, std::vector<std::string>& notices) {
  std::string ending = std::filesystem::path(path).extension().string();
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
  if (ending == ".json") return parse_garmentcode(read_text_file(path, "a pattern"), path);
  if (ending == ".dxf") return parse_dxf_pattern(read_text_file(path, "a pattern"), path, unit, notices);
  throw Error("this is no pattern file", path, "use .json (GarmentCode) or .dxf (AAMA, ASTM D6673)");
}

}  // namespace weft
