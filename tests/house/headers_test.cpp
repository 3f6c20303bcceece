// What headers must leave to others.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/house/sources.h"

namespace weft::house {
namespace {

/// A row of a description of parameters (sim/base/param_rows.h), or a designated help text.
bool describes(const std::string& text) {
  const auto tokens = code_of(text).tokens;
  for (size_t i = 0; i + 2 < tokens.size(); ++i) {
    const std::string_view first = tokens[i].text, second = tokens[i + 1].text, third = tokens[i + 2].text;
    const bool member = i > 0 && (tokens[i - 1].text == "," || tokens[i - 1].text == "{");
    if (member && first == "." && second == "help" && third == "=") return true;
    if (first == "param" && second == "(" && begins_with(third, "\"")) return true;
  }
  return false;
}

bool includes_glm(const std::string& text) {
  return text.find("#include <glm/") != text.npos || text.find("#include \"glm/") != text.npos;
}

}  // namespace

// A help text stands in a file that nothing includes, so that a changed one compiles that file alone.
TEST_CASE("no header holds a description of parameters") {
  int descriptions = 0;
  for (const std::string& path : tree()) {
    if (!is_code(path) || !(begins_with(path, "sim/") || begins_with(path, "viewer/"))) continue;
    const bool found = describes(text_of(path));
    CHECK_MESSAGE(!(found && has_kind(path, {".h"})), path << ": describe parameters in a .cpp file");
    descriptions += found;
  }
  CHECK(descriptions > 10);
}

// Included without its settings, vectors are passed to functions in another way than the rest of the program
// expects them.
TEST_CASE("GLM is included by the file that configures it alone") {
  int includes = 0;
  for (const std::string& path : tree()) {
    if (!is_code(path) || path == "tests/house/headers_test.cpp" || !includes_glm(text_of(path))) continue;
    CHECK_MESSAGE(path == "sim/base/math.h", path << ": include sim/base/math.h instead");
    ++includes;
  }
  CHECK(includes == 1);
}

TEST_CASE("descriptions and includes of GLM are found") {
  CHECK(describes("v(drag, {.key = \"drag\", .min = 0,\n   .help =\n   \"...\"});"));
  CHECK(describes("row(drag, param(\"drag\", \"Drag\").range(0, 1), \"...\");"));
  CHECK(!describes("ParamRow param(std::string key, std::string label);"));
  CHECK(!describes("//     v(drag, {.key = \"drag\", .help = \"...\"});\nvoid describe(ParamVisitor& v);"));
  CHECK(includes_glm("#pragma once\n#include <glm/vec2.hpp>\n"));
  CHECK(!includes_glm("#include \"sim/base/math.h\"\n"));
}

}  // namespace weft::house
