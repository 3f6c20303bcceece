// A scene from TOML that is already parsed.
#pragma once
#include "sim/scene/scene.h"
#include "sim/scene/toml/toml_table.h"

namespace weft {

/// As parse_scene.
Scene scene_of_table(const toml::table& root, const std::string& path_for_messages);

}  // namespace weft
