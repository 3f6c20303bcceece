// Where the program lies, and what was installed with it.
#pragma once
#include <filesystem>
#include <string>

namespace weft {

/// Folder of the running program, links resolved; empty where the system does not say it.
std::filesystem::path program_folder();
/// `name` below PREFIX/share/weft of a program in PREFIX/bin; it need not exist.
std::filesystem::path installed_path(const std::string& name);

}  // namespace weft
