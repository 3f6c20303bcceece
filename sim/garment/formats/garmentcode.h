// Patterns as JSON in the form of GarmentCode (Korosteleva and Sorkine-Hornung 2023), with keys of our own
// for what it does not have.
#pragma once
#include <string>

#include "sim/garment/pattern.h"

namespace weft {

/// Reads a specification; see README.md for what each key becomes. Throws Error naming file and key, or file
/// and line: no JSON, a missing key, unit or panel, an edge that does not begin where the last one ended, a
/// curvature that is none, an edge that is sewn twice, and what check_pattern refuses.
Pattern parse_garmentcode(const std::string& text, const std::string& path_for_messages);

/// The same pattern as text, in centimetres. parse_garmentcode gives it back, numbers to about 1e-15 of their
/// size.
std::string write_garmentcode(const Pattern& pattern);

}  // namespace weft
