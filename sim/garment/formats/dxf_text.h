// The statements of a DXF file that pieces of patterns are made of.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "sim/base/math.h"

namespace weft {

/// A point, line, polyline or text; coordinates in the unit of the file.
struct DxfEntity {
  std::string kind;  // POINT, LINE, POLYLINE, LWPOLYLINE, TEXT, MTEXT
  std::string layer, text;
  std::vector<dvec2> points;
  std::vector<double> bulges;  // of the line from each point to the next, in polylines
  bool closed = false;
  int line = 0;  // of the file
};
struct DxfBlock {
  std::string name;
  int line = 0;
  std::vector<DxfEntity> entities;
};
struct DxfText {
  std::map<std::string, double> header;  // numbers of variables: "$INSUNITS"
  std::vector<DxfBlock> blocks;
  std::vector<DxfEntity> entities;  // outside of blocks
  int skipped = 0;                  // entities of other kinds
};

/// Throws Error naming file and line: no pairs of code and value, numbers that are none, sections and
/// polylines without end.
DxfText read_dxf(const std::string& text, const std::string& path);

}  // namespace weft
