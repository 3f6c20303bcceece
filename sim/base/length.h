// Lengths with units, as users write them.
#pragma once
#include <string>

namespace weft {

/// "4.2mm", "0.42 cm", "0.0042": metres; returns an error text otherwise. Zero and non-finite numbers are
/// errors.
std::string read_length(const std::string& text, double& metres, bool may_be_negative = false);

}  // namespace weft
