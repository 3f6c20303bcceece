#pragma once
#include "sim/scene/params.h"
#include "sim/scene/toml_table.h"

namespace weft {

/// Parameters of a fabric over what `fabric` holds, beside text for the reader: title, description, source. Refuses
/// other keys.
void read_fabric_table(TomlTable& table, FabricParams& fabric);

}  // namespace weft
