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
///    2  turn points: corners        7  grain line                            14  sew lines: what is sewn
///    4  notches, where edges end    8  internal lines, left out
///
/// A closed line on layer 14 is the outline; where there is none that on layer 1 is, with a notice that seam
/// allowances are part of it. The unit is that of the text "UNITS: METRIC" (mm) or "UNITS: ENGLISH" (inches),
/// else of $INSUNITS or $MEASUREMENT; `unit` (m) replaces it unless 0. Pieces are placed side by side.
/// `notices` receives what is left out. Throws Error naming file and line for text that is no DXF, for a file
/// without unit or pieces, and as check_pattern does.
Pattern parse_dxf_pattern(const std::string& text, const std::string& path_for_messages, double unit,
                          std::vector<std::string>& notices);

}  // namespace weft
