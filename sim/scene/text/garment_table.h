// Patterns in scene files.
#pragma once
#include <string>

#include "sim/garment/pattern.h"
#include "sim/scene/toml/toml_table.h"

namespace weft {

/// Reads [[garment.panel]] and [[garment.seam]] of a [[garment]] table. Throws Error naming file, line and
/// key.
Pattern read_pattern_tables(TomlTable& garment);
/// The same as TOML. Polylines become lines.
std::string write_pattern_tables(const Pattern& pattern);

}  // namespace weft
