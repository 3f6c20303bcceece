// A help text stands in a file that nothing includes, so that a changed one compiles that file alone.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>

#include "test_paths.h"

namespace {

namespace fs = std::filesystem;

/// A row of a description; comments, such as the example in sim/base/params.h, are none.
bool describes(const std::string& text) {
  static const std::regex comment("//[^\n]*"), row("\\.help\\s*=");
  return std::regex_search(std::regex_replace(text, comment, ""), row);
}

}  // namespace

TEST_CASE("no header holds a description of parameters") {
  int headers = 0, descriptions = 0;
  for (const char* top : {"sim", "viewer"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(WEFT_SOURCE_FOLDER) / top)) {
      const bool header = entry.path().extension() == ".h";
      if (!header && entry.path().extension() != ".cpp") continue;
      std::stringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      const bool found = describes(text.str());
      if (header) CHECK_MESSAGE(!found, entry.path().string());
      headers += header, descriptions += found;
    }
  CHECK(headers > 100);
  CHECK(descriptions >= 13);  // the pattern still finds those of source files
}

TEST_CASE("a description in a header is found") {
  CHECK(describes("v(drag, {.key = \"drag\", .min = 0,\n   .help =\n   \"...\"});"));
  CHECK(!describes("//     v(drag, {.key = \"drag\", .help = \"...\"});\nvoid describe(ParamVisitor& v);"));
}
