// Lengths of pages and lines.
#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "tests/house/sources.h"

namespace weft::house {
namespace {

constexpr int kMostWords = 1000;
constexpr int kMostColumns = 110;

/// Words outside of examples, which stand between lines of three backticks. Signs alone, such as the | of
/// tables, are no words.
int words_of(const std::string& text) {
  std::istringstream lines(text);
  int count = 0;
  bool example = false;
  for (std::string line; std::getline(lines, line);) {
    const bool fence = line.compare(0, 3, "```") == 0;
    if (fence) example = !example;
    if (fence || example) continue;
    std::istringstream words(line);
    for (std::string word; words >> word;) count += std::any_of(word.begin(), word.end(), is_word);
  }
  return count;
}

/// Characters of UTF-8.
int columns_of(const std::string& line) {
  return int(std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

/// A comment's line with columns, which stand at least two spaces apart behind its beginning.
bool is_table(const std::string& line) {
  const size_t first = line.find_first_not_of(" \t");
  if (first == line.npos || line.compare(first, 2, "//") != 0) return false;
  const size_t word = line.find_first_not_of("/ \t", first);
  return word != line.npos && (line.find("  ", word) != line.npos || word > first + 4);
}

void add_long_lines(const std::string& path, const std::string& text, Findings& found) {
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (columns_of(line) <= kMostColumns || is_table(line)) continue;
    Found& f = found.emplace(path, Found{0, ""}).first->second;
    ++f.count;
    f.where += (f.where.empty() ? "line " : ", ") + std::to_string(number);
  }
}

void add_long_page(const std::string& path, const std::string& text, Findings& found) {
  const int words = words_of(text);
  if (words > kMostWords) found[path].count = words;
}

}  // namespace

TEST_CASE("pages are short") {
  Findings found;
  for (const std::string& path : tree())
    if (has_kind(path, {".md"}) && path != "CHANGELOG.md")  // which grows with the years
      add_long_page(path, text_of(path), found);
  check_list({"words.txt", true, "words", "at most 1000: tell less, or divide the page"}, found);
}

TEST_CASE("lines of sources have at most 110 columns") {
  Findings found;
  for (const std::string& path : tree())
    if (is_code(path) || has_kind(path, {".glsl", ".vert", ".frag", ".tesc", ".tese", ".py"}))
      add_long_lines(path, text_of(path), found);
  check_list({"columns.txt", true, "lines over 110 columns", "break them; tables in comments may be wider"},
             found);
}

TEST_CASE("a long page and a long line are found") {
  Findings found;
  std::string page;
  for (int i = 0; i < kMostWords; ++i) page += "word\n";
  add_long_page("a.md", page, found);
  CHECK(found.empty());
  add_long_page("a.md", page + " | x y", found);
  CHECK(found.at("a.md").count == 1002);
  add_long_page("b.md", page + "```toml\nkey = 1\n```\nafter\n", found);
  CHECK(found.at("b.md").count == 1001);
  found.clear();
  const std::string wide(60, 'x'), umlauts = [] {
    std::string u;
    for (int i = 0; i < kMostColumns; ++i) u += "ü";
    return u;
  }();
  add_long_lines("a.h", wide + "\n" + umlauts + "\n// " + wide + "  " + wide + "\n", found);
  CHECK(found.empty());
  add_long_lines("a.h", "\n" + wide + "  " + wide + "\n// " + wide + " " + wide + "\n", found);
  CHECK(found.at("a.h").count == 2);
  CHECK(found.at("a.h").where == "line 2, 3");
}

}  // namespace weft::house
