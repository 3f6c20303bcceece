// Names in pages and comments exist, and pages name their folder's files.
#include "tests/house/names.h"

#include <doctest/doctest.h>

namespace weft::house {
namespace {

/// Tokens of a source, and its preprocessor lines.
std::vector<std::string_view> words_of_code(std::string_view text) {
  std::vector<std::string_view> words;
  for (const Token& t : code_of(text).tokens) words.push_back(t.text);
  for (size_t at = 0; at < text.size();) {
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    if (begins_with(line, "#")) words.push_back(line.substr(0, line.find("//")));
    at += line.size() + 1;
  }
  return words;
}

/// Words of everything but pages and comments, and all paths.
const Known& known() {
  static const Known found = [] {
    Known all;
    for (const std::string& path : tree()) {
      add_path(path, all);
      if (begins_with(path, "tests/house/")) continue;
      if (is_code(path)) add_source(words_of_code(text_of(path)), all);
      else if (has_kind(path, {".glsl", ".vert", ".frag", ".tesc", ".tese", ".py", ".sh", ".toml", ".txt",
                               ".cmake", ".json", ".in", "run", "table"}))
        add_words(text_of(path), all.words);
    }
    return all;
  }();
  return found;
}

/// Names of a page or comment that do not exist.
void add_missing(const std::string& path, std::string_view text, int line, const Known& in, Findings& found,
                 bool comment = false) {
  const auto add = [&](const Mention& m) {
    Found& f = found[path + ": " + m.text];
    f.where += (f.where.empty() ? "line " : ", ") + std::to_string(m.line);
  };
  for (const Mention& m : backticked(text, line)) {
    if (looks_like_path(m.text)) {
      if (!path_exists(m.text, path, in)) add(m);
    } else if (looks_like_code(m.text) && !code_exists(m.text, in) && !path_exists(m.text, path, in)) add(m);
  }
  for (const Mention& m : file_names(text, line))
    if (!path_exists(m.text, path, in)) add(m);
  if (comment)
    for (const Mention& m : type_names(text, line))
      if (!code_exists(m.text, in)) add(m);
}

/// Comments that follow each other as one text, so that examples in ``` are seen.
void add_missing_of_comments(const std::string& path, const std::string& text, const Known& in,
                             Findings& found) {
  const Code code = code_of(text);
  std::string block;
  int first = 0, last = 0;
  const auto flush = [&] {
    if (!block.empty()) add_missing(path, block, first, in, found, true);
    block.clear();
  };
  for (const Token& comment : code.comments) {
    if (!block.empty() && comment.line != last + 1) flush();
    if (block.empty()) first = comment.line;
    last = comment.line;
    for (char c : comment.text) last += c == '\n';
    block += std::string(comment.text) + "\n";
  }
  flush();
}

Known small() {
  Known in;
  add_path("sim/mesh/obj.h", in);
  add_path("docs/page.md", in);
  add_source({"struct ObjText { int line_count; void read_line(); };"}, in);
  add_source({"void gone_over();"}, in);
  return in;
}

}  // namespace

TEST_CASE("files and names that pages and comments mention exist") {
  Findings found;
  for (const std::string& path : tree()) {
    if (is_page(path) && path != "CHANGELOG.md")  // which tells what was
      add_missing(path, text_of(path), 1, known(), found);
    else if (is_code(path) && !begins_with(path, "tests/house/"))  // made texts
      add_missing_of_comments(path, text_of(path), known(), found);
  }
  check_list({"names.txt", false, "a name that is nowhere in the sources", "tell what is there now"}, found);
}

TEST_CASE("the page of a folder names each of its files") {
  std::map<std::string, std::set<std::string>> stems;
  for (const std::string& path : tree())
    if (is_code(path) && !begins_with(path, "tests/")) stems[folder_of(path)].insert(stem_of(path));
  Findings found;
  for (const auto& [folder, names] : stems) {
    const std::string page = folder + "/README.md";
    if (!known().whole.count(page)) continue;
    for (const std::string& stem : unnamed_files(text_of(page), names)) found[page + ": " + stem];
  }
  check_list({"stems.txt", false, "a file that the table of its folder's page does not name",
              "add a line that says what it is for"},
             found);
}

TEST_CASE("a file that does not exist is found") {
  Findings found;
  add_missing("sim/mesh/README.md",
              "`obj.h` `mesh/obj.h` `sim/mesh` `../mesh/obj` `page.md` sim/mesh/obj.h\n", 1, small(), found);
  add_missing("sim/mesh/README.md",
              "`sim/mesh/*.h` `NAME.h` `sim/NAME/` `a.toml` `https://x.org/a.h`\n```\n`b.h`\n```\n", 1,
              small(), found);
  CHECK(found.empty());
  add_missing("sim/mesh/README.md", "text\n`gone.h`, `sim/gone/`, sim/mesh/away.cpp and `sim/mesh/*.cu`.\n",
              1, small(), found);
  CHECK(found.size() == 4);
  CHECK(found.at("sim/mesh/README.md: gone.h").where == "line 2");
}

TEST_CASE("a name that is not in the sources is found") {
  Findings found;
  add_missing("x.md",
              "`ObjText` `ObjText::read_line` `read_line()` `line_count` `x_n` `a + b` `Text` `word`\n", 1,
              small(), found);
  CHECK(found.empty());
  add_missing("x.md", "`ObjWords` `ObjText::gone_over` `gone()` `line_total` `kGone`\n", 1, small(), found);
  CHECK(found.size() == 5);
}

TEST_CASE("a comment with a name that is not in the sources is found with its line") {
  Findings found;
  add_missing_of_comments("x.h",
                          "int a;\n/// As `ObjWords` has it,\n/// see gone.h, ObjText, ObjText::read_line "
                          "and ObjText::gone_over.\nconst char* b = \"`NotHere` away.h\";\n",
                          small(), found);
  REQUIRE(found.size() == 3);
  CHECK(found.count("x.h: ObjText::gone_over"));
  CHECK(found.at("x.h: gone.h").where == "line 3");
}

TEST_CASE("a file that its folder's page leaves out is found") {
  const std::string page = "# a\n\n| file | what |\n|---|---|\n| `one.h`, two | x |\n| headless_* | y |\n";
  CHECK(unnamed_files(page, {"one", "two", "headless_csv"}).empty());
  CHECK(unnamed_files(page, {"one", "three"}) == std::set<std::string>{"three"});
  CHECK(unnamed_files("# a\n\nno table\n", {"one"}).empty());
}

}  // namespace weft::house
