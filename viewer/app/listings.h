// Listings: scenes, parameters, devices.
#pragma once
#include <string>
#include <vector>

namespace weft {

enum class ListForm { plain, markdown, json };

/// Each prints to standard output and returns the exit status. Scenes come with garments, in sections.
int list_scenes(ListForm form);
/// With those of these plug-ins (shared libraries), as plugin.NAME.KEY. Throws Error for one that cannot be
/// loaded.
int list_parameters(ListForm form, const std::vector<std::string>& plugins);
int print_devices(ListForm form);

}  // namespace weft
