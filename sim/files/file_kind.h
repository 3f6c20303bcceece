// Kind of a file by its extension.
#pragma once
#include <string>

namespace weft {

/// ".usda" of "out/Run.USDA"; empty where there is none.
std::string file_ending(const std::string& path);

}  // namespace weft
