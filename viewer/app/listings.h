// Listings: scenes, parameters, devices.
#pragma once

namespace weft {

enum class ListForm { plain, markdown, json };

/// Each prints to standard output and returns the exit status. Scenes come with garments, in sections.
int list_scenes(ListForm form);
int list_parameters(ListForm form);
int print_devices(ListForm form);

}  // namespace weft
