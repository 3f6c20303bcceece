// Text files, read and written whole.
#pragma once
#include <string>

namespace weft {

/// Throws Error naming the path: missing, a folder, unreadable or empty. `noun` is what the file should be ("a scene").
std::string read_text_file(const std::string& path, const std::string& noun);
/// Writes beside the file first and then takes its place, so that a full disk leaves the old one. Throws Error.
void write_text_file(const std::string& path, const std::string& text);

}  // namespace weft
