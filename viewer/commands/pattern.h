// weft pattern: a sewing pattern as mesh, drawing or GarmentCode file.
#pragma once
#include <string>

namespace weft {

struct PatternRequest {
  std::string from, to;  // .json or .dxf; .obj, .svg or .json
  std::string drawing;   // SVG, besides `to`; may be empty
  double edge = 0;       // m; 0: that of the pattern
  double unit = 0;       // m per unit of a DXF file; 0: as it says
  bool sewn = false;     // seams closed, instead of panels as they are placed
  bool quiet = false;
};

/// Returns the exit status. Throws Error.
int run_pattern(const PatternRequest& request);

}  // namespace weft
