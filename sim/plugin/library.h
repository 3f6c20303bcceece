// Plug-ins from shared libraries (weft/plugin.h).
#pragma once
#include <memory>
#include <string>

#include "sim/plugin/host_plugin.h"

namespace weft {

/// Loads a library, which stays loaded as long as anything of it is in use. Its code runs as part of this
/// program. Throws Error for a file that is no library, lacks weft_plugin_entry, or is made for another
/// version.
std::shared_ptr<const HostPlugin> load_plugin(const std::string& path);

}  // namespace weft
