// Pattern files by their extension.
#pragma once
#include <string>
#include <vector>

#include "sim/garment/pattern.h"

namespace weft {

/// A pattern and one of its sizes, as a scene's `file` has them: "shirt.dxf#42"; `size` is empty where none
/// is named.
struct SizeReference {
  std::string path, size;
};
SizeReference split_size(const std::string& file);
std::string with_size(const std::string& path, const std::string& size);

/// Reads .json (GarmentCode) or .dxf (AAMA, ASTM D6673). `unit`: metres per unit of a DXF file; 0: as the
/// file says. Of a graded DXF file the size that `path` names ("shirt.dxf#42"), else the base size. `notices`
/// receives what was left out. Throws Error naming the file.
Pattern read_pattern(const std::string& path, double unit, std::vector<std::string>& notices);

}  // namespace weft
