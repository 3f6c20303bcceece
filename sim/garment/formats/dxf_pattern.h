// Patterns as DXF in the form of AAMA and ASTM D6673: one block a piece, its lines on numbered layers, no
// seams.
#pragma once
#include <string>
#include <vector>

#include "sim/garment/pattern.h"

namespace weft {

/// Reads the pieces of a file by the layers of their lines:
///
///    1  boundary (the cut line)     6  mirror line: the piece is its half    11  cut-outs: holes
///    2  turn points: corners        7  grain line                            13  drill holes
///    4, 80 to 83  notches, where    8  internal lines                        14  sew lines: what is sewn
///       edges end
///
/// A closed line on layer 14 is the outline; where there is none that on layer 1 is, with a notice that seam
/// allowances are part of it. Points of an outline within 0.1 mm are one point, and slits that narrow are
/// notches. Notches, drill holes and internal lines are kept as Panel::marks. The unit is that of the text
/// "UNITS: METRIC" (mm) or "UNITS: ENGLISH" (inches), else of $INSUNITS or $MEASUREMENT; `unit` (m) replaces
/// it unless 0, and a notice asks where pieces are shorter than 0.1 m or longer than 3 m. Of a graded file,
/// whose pieces say "SIZE: 42" or have the names of pieces and sizes, one size is read: `size`, else the base
/// size ("SAMPLE SIZE: 40"), else the middle one; names of panels end in it. Pieces that are cut twice
/// ("QUANTITY: 2", or "1,1") are there twice, the second mirrored. Pieces are placed side by side. `notices`
/// receives what is left out, a line each with the number of pieces. Throws Error naming file and line for
/// text that is no DXF, for a file without unit or pieces, for a size that it has not, and as check_pattern
/// does.
Pattern parse_dxf_pattern(const std::string& text, const std::string& path_for_messages, double unit,
                          std::vector<std::string>& notices, const std::string& size = {});

}  // namespace weft
