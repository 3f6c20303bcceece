// Texture coordinates as they stand in an OBJ file, without the program's own reader.
#pragma once
#include <sstream>
#include <vector>

#include "sim/base/math.h"
#include "tests/support/program.h"

namespace weft::testing {

inline std::vector<vec2> textures_of(const std::string& path) {
  std::vector<vec2> found;
  std::istringstream in(read_file(path));
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string keyword;
    vec2 t(0);
    if (words >> keyword >> t.x >> t.y && keyword == "vt") found.push_back(t);
  }
  return found;
}

/// A sheet with a seam in its texture coordinates and a face that has none.
inline const char* seamed_sheet() {
  return "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvt 0.5 0.5\nf 1/1 2/2 "
         "3/3\nf 1/5 3/3 4/4\nf 3 2 5\n";
}
/// What stands in a file that keeps them.
inline bool keeps_seams(const std::string& path) {
  const std::string text = read_file(path);
  return text.find("vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvt 0.5 0.5\n") != text.npos &&
         text.find("f 1/1 2/2 3/3\nf 1/5 3/3 4/4\nf 3 2 5\n") != text.npos;
}

}  // namespace weft::testing
