// Listings: scenes, parameters, devices.
#pragma once

namespace weft {

/// Each prints to standard output and returns the exit status.
int list_scenes();
int list_parameters(bool markdown);
int print_devices();

}  // namespace weft
