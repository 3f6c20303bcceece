// Identifiers use the field's terms: words that CONTRIBUTING.md's table replaces are parts of none.
#include <cctype>
#include <set>

#include <doctest/doctest.h>

#include "tests/house/sources.h"

namespace weft::house {
namespace {

/// Words in backticks in the last column of the table under "## Words".
std::set<std::string> replaced_words(std::string_view page) {
  std::set<std::string> words;
  const size_t start = page.find("\n## Words\n");
  if (start == page.npos) return words;
  page = page.substr(start + 1, page.find("\n## ", start + 1) - start);
  for (size_t at = 0, end; at < page.size(); at = end + 1) {
    end = std::min(page.find('\n', at), page.size());
    const std::string_view line = page.substr(at, end - at);
    if (!begins_with(line, "|")) continue;
    const std::string_view last = line.substr(line.rfind('|', line.size() - 2));
    for (size_t open = last.find('`'); open != last.npos;) {
      const size_t close = last.find('`', open + 1);
      if (close == last.npos) break;
      words.emplace(last.substr(open + 1, close - open - 1));
      open = last.find('`', close + 1);
    }
  }
  return words;
}

/// Parts of an identifier in lower case: "two", "way", "steps" of TwoWaySteps and two_way_steps.
std::vector<std::string> parts_of(std::string_view identifier) {
  std::vector<std::string> parts;
  bool begins = true;
  for (const char c : identifier) {
    if (c == '_') begins = true;
    else if (begins || std::isupper(static_cast<unsigned char>(c))) parts.emplace_back(), begins = false;
    if (c != '_') parts.back() += char(std::tolower(static_cast<unsigned char>(c)));
  }
  return parts;
}

/// Adds "PATH: WORD" for each of `words` that is part of an identifier. "Two-way" is the name of a method.
void add_replaced(const std::string& path, const std::string& text, const std::set<std::string>& words,
                  Findings& found) {
  const Code code = code_of(text);
  for (const Token& t : code.tokens) {
    if (!is_word(t.text[0]) || std::isdigit(static_cast<unsigned char>(t.text[0]))) continue;
    const std::vector<std::string> parts = parts_of(t.text);
    for (size_t k = 0; k < parts.size(); ++k) {
      if (!words.count(parts[k]) || (k > 0 && parts[k] == "way" && parts[k - 1] == "two")) continue;
      Found& f = found[path + ": " + parts[k]];
      f.where += (f.where.empty() ? "line " : ", ") + std::to_string(t.line);
    }
  }
}

}  // namespace

TEST_CASE("identifiers of the simulator use the terms of the field") {
  const std::set<std::string> words = replaced_words(text_of("CONTRIBUTING.md"));
  CHECK(words.size() == 6);
  Findings found;
  for (const std::string& path : tree())
    if (is_code(path) && (begins_with(path, "sim/") || begins_with(path, "cuda/")))
      add_replaced(path, text_of(path), words, found);
  check_list({"terms.txt", false, "a word that the table in CONTRIBUTING.md replaces",
              "use the name that stands there"},
             found);
}

TEST_CASE("words that a table replaces are found in identifiers alone") {
  const std::string page =
      "# P\n`no`\n\n## Words\n\n| a | b | c |\n|---|---|---|\n| x | `path` | `way`, `held` and told |\n\n## "
      "Next\n| `no` |\n";
  const std::set<std::string> words = replaced_words(page);
  CHECK(words == std::set<std::string>{"held", "way"});
  Findings found;
  add_replaced(
      "a.h", "// way\nint way_;\nstruct SumHeld { int two_way, TwoWaySteps, away, kHeldUnit; };\n\"way\";\n",
      words, found);
  REQUIRE(found.size() == 2);
  CHECK(found.at("a.h: way").where == "line 2");
  CHECK(found.at("a.h: held").where == "line 3, 3");
}

}  // namespace weft::house
