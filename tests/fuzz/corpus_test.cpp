// Every input that the fuzzers start from, or that once failed, through the same entry points.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <vector>

#include "test_paths.h"
#include "tests/fuzz/scratch.h"
#include "tests/fuzz/targets.h"

using namespace weft;

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void feed(fuzz::Target target, const fs::path& file) {
  CAPTURE(file.string());
  const std::string bytes = bytes_of(file);
  CHECK_NOTHROW(target(bytes));
  CHECK_NOTHROW(target(bytes.substr(0, bytes.size() / 2)));
}

}  // namespace

TEST_CASE("every input of the corpus is read or refused, and so is its first half") {
  for (const auto& [name, target] : fuzz::kTargets) {
    CAPTURE(name);
    const auto files = files_in(fs::path(WEFT_TEST_ASSETS) / "fuzz/corpus" / name);
    CHECK(!files.empty());
    for (const fs::path& file : files) feed(target, file);
  }
}

TEST_CASE("scenes that ship and broken meshes pass through the fuzz targets") {
  for (const fs::path& file : files_in(fs::path(WEFT_TEST_ASSETS) / "../assets/scenes"))
    feed(fuzz::scene, file);
  for (const fs::path& bad :
       {fs::path(WEFT_TEST_ASSETS) / "mesh/broken_obj", fs::path(WEFT_SHARED_DATA) / "bad-obj"}) {
    if (!fs::is_directory(bad)) continue;  // the second is made by others and may be absent
    for (const fs::path& file : files_in(bad)) feed(fuzz::obj, file), feed(fuzz::obj_sequence, file);
  }
}
