#pragma once
#include "sim/scene/params.h"
#include "sim/scene/toml/toml_table.h"

namespace weft {

/// Parameters of a fabric on top of `fabric`, with text for the reader: title, description, source. Refuses
/// other keys.
void read_fabric_table(TomlTable& table, FabricParams& fabric);

}  // namespace weft
