// The fault matrix of README.md against the tests that it names.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <regex>

#include "sim/base/file.h"
#include "test_paths.h"

namespace fs = std::filesystem;
using namespace weft;

namespace {

const std::string kTests = WEFT_TEST_ASSETS;

std::vector<std::string> split(const std::string& text, const std::string& at) {
  std::vector<std::string> parts;
  size_t begin = 0;
  for (size_t end; (end = text.find(at, begin)) != text.npos; begin = end + at.size())
    parts.push_back(text.substr(begin, end - begin));
  parts.push_back(text.substr(begin));
  return parts;
}

/// Names of the test cases in a source file.
std::vector<std::string> test_names(const fs::path& file) {
  const std::string text = read_text_file(file.string(), "tests");
  static const std::regex test("TEST_CASE\\(\\s*\"((?:[^\"\\\\]|\\\\.)*)\"");
  std::vector<std::string> names;
  for (std::sregex_iterator it(text.begin(), text.end(), test), end; it != end; ++it)
    names.push_back((*it)[1]);
  return names;
}

/// The matrix names a file by its folder and the begin of its name; nothing means this folder.
std::vector<std::string> tests_of(const std::string& file) {
  if (!file.empty()) {
    for (const char* ending : {".cpp", "_test.cpp"})
      if (fs::exists(kTests + "/" + file + ending)) return test_names(kTests + "/" + file + ending);
    return {};
  }
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kTests + "/faults"))
    if (entry.path().extension() == ".cpp")
      for (const std::string& name : test_names(entry.path())) names.push_back(name);
  return names;
}

/// `pattern` may leave out parts, for which "..." stands.
bool matches(const std::string& name, const std::string& pattern) {
  const std::vector<std::string> parts = split(pattern, "...");
  size_t at = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    const size_t first = parts[i].find_first_not_of(' ');
    if (first == std::string::npos) continue;
    const std::string part = parts[i].substr(first, parts[i].find_last_not_of(' ') - first + 1);
    const size_t found = name.find(part, at);
    if (found == name.npos || (i == 0 && found != 0)) return false;
    at = found + part.size();
    if (i + 1 == parts.size() && name.size() != at) return false;
  }
  return true;
}

/// What a cell of the matrix names: patterns of test names, each with its file.
std::vector<std::pair<std::string, std::string>> named_tests(const std::string& cell) {
  static const std::regex file("([a-z_]+/[a-z_]+):"), quoted("\"([^\"]*)\"");
  std::vector<std::pair<std::string, std::string>> named;
  for (const std::string& part : split(cell, ";")) {
    std::smatch m;
    const std::string where = std::regex_search(part, m, file) ? m[1].str() : "";
    for (std::sregex_iterator it(part.begin(), part.end(), quoted), end; it != end; ++it)
      named.push_back({where, (*it)[1]});
  }
  return named;
}

}  // namespace

TEST_CASE("every row of the fault matrix names tests that exist") {
  const std::string text = read_text_file(kTests + "/faults/README.md", "a text");
  const size_t matrix = text.find("\n| fault |");
  REQUIRE(matrix != text.npos);
  int rows = 0, tests = 0;
  for (const std::string& line : split(text.substr(matrix + 1), "\n")) {
    if (line.empty()) break;
    const std::vector<std::string> cells = split(line, "|");
    if (cells[1].find("---") == 0 || cells[1] == " fault ") continue;
    CAPTURE(line);
    REQUIRE(cells.size() == 7);  // five and what is outside
    ++rows;
    for (const auto& [file, pattern] : named_tests(cells[5])) {
      CAPTURE(file);
      CAPTURE(pattern);
      const std::vector<std::string> names = tests_of(file);
      CHECK(std::any_of(names.begin(), names.end(),
                        [&, &p = pattern](const std::string& name) { return matches(name, p); }));
      ++tests;
    }
    const bool refers = cells[5].find("the same") != std::string::npos;
    CHECK((refers || !named_tests(cells[5]).empty()));
  }
  CHECK(rows >= 30);
  CHECK(tests >= 45);
}

TEST_CASE("a pattern of the fault matrix matches only what it leaves out") {
  CHECK(matches("a full disk while a run is cached", "a full disk ..."));
  CHECK(matches("a full disk while a run is cached", "... a run is cached"));
  CHECK(matches("a full disk while a run is cached", "a full ... is cached"));
  CHECK_FALSE(matches("a full disk while a run is cached", "full disk ..."));
  CHECK_FALSE(matches("a full disk while a run is cached", "... a run is"));
  CHECK_FALSE(matches("a full disk while a run is cached", "a full disk while a run is kept"));
}
