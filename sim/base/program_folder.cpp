#include "sim/base/program_folder.h"

namespace weft {

std::filesystem::path program_folder() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
}

std::filesystem::path installed_path(const std::string& name) {
  return program_folder().parent_path() / "share/weft" / name;
}

}  // namespace weft
