// A path as people type or paste it.
#pragma once
#include <string>

namespace weft {

/// Without white space around it, without the quotes that shells and file managers put around it, "file://"
/// and its %20 taken off, and "~" as the home folder. Options after a quoted path stay: "'my shirt.obj' --up
/// z".
std::string path_of_text(const std::string& text);

}  // namespace weft
