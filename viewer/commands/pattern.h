// weft pattern: a sewing pattern as mesh, drawing or GarmentCode file.
#pragma once
#include <string>
#include <vector>

#include "sim/device/device.h"

namespace weft {

/// What is made of a pattern's file.
struct PatternChoice {
  std::string size;                 // of a graded file; empty: the base size
  std::vector<std::string> grades;  // "width +4 cm", carried out in this order
  bool propose_seams = false;       // print edges that would fit on each other, and write them as seams
  bool sewn = false;  // seams drawn together without crossings, instead of panels as they are placed
};

struct PatternRequest {
  std::string from, to;  // .json or .dxf; .obj, .svg or .json
  std::string drawing;   // SVG, besides `to`; may be empty
  double edge = 0;       // m; 0: that of the pattern
  double unit = 0;       // m per unit of a DXF file; 0: as it says
  PatternChoice choice;
  std::vector<std::string> bodies;  // OBJ files around which they are
  DeviceChoice device = DeviceChoice::automatic;
  int threads = 0;
  bool quiet = false;
};

/// Returns the exit status. Throws Error.
int run_pattern(const PatternRequest& request);

}  // namespace weft
