// GLM is configured in one place: included without that, vectors are passed to functions in another way than
// the rest of the program expects them.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>

#include "test_paths.h"

namespace {

namespace fs = std::filesystem;

bool includes_glm(const std::string& text) {
  static const std::regex include("(^|\n)#include *[<\"]glm/");
  return std::regex_search(text, include);
}

}  // namespace

TEST_CASE("GLM is included by the file that configures it alone") {
  const fs::path root = WEFT_SOURCE_FOLDER;
  int found = 0;
  for (const char* top : {"sim", "cuda", "viewer", "tests"})
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      const std::string kind = entry.path().extension();
      if (kind != ".h" && kind != ".cpp" && kind != ".cu" && kind != ".cuh") continue;
      std::stringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      if (!includes_glm(text.str())) continue;
      ++found;
      CHECK_MESSAGE(fs::relative(entry.path(), root).string() == "sim/base/math.h",
                    entry.path().string() << ": include sim/base/math.h instead");
    }
  CHECK(found == 1);
}

TEST_CASE("an include of GLM is found") {
  CHECK(includes_glm("#pragma once\n#include <glm/vec2.hpp>\n"));
  CHECK(!includes_glm("#include \"sim/base/math.h\"\n"));
}
