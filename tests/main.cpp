// Runs the test cases of a program, with a folder for temporary files that is its own: programs run side by
// side.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/support/skip.h"

REGISTER_LISTENER("skips", 1, weft::testing::SkipReporter);

namespace {

namespace fs = std::filesystem;

/// Where std::filesystem::temp_directory_path() points while it lives, in this process and those that it
/// starts.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string path = (fs::temp_directory_path() / "weft-tests-XXXXXX").string();
    if (!mkdtemp(path.data())) return;
    path_ = path;
    setenv("TMPDIR", path.c_str(), 1);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;

 private:
  fs::path path_;
};

}  // namespace

int main(int argc, char** argv) {
  const TemporaryFolder temporary;
  return doctest::Context(argc, argv).run();
}
