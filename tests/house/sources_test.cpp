// The scanners' common parts: tokens, comments, lists.
#include "tests/house/sources.h"

#include <doctest/doctest.h>

using namespace weft::house;

TEST_CASE("tokens leave out comments and directives and keep texts whole") {
  const std::string text =
      "#include \"sim/a.h\"  // why\n#define X(a) \\\n  a; b\n"
      "f(\"a // b\", 'c', R\"x(\" ) )x\", 1'000.5e-3f);  // last\n/* two\nlines */ vector<vector<int>> v;\n";
  const Code code = code_of(text);
  std::string words;
  for (const Token& t : code.tokens) words += std::string(t.text) + " ";
  CHECK(words == "f ( \"a // b\" , 'c' , R\"x(\" ) )x\" , 1'000.5e-3f ) ; vector < vector < int > > v ; ");
  CHECK(code.includes == std::vector<std::string>{"sim/a.h"});
  REQUIRE(code.comments.size() == 3);
  CHECK(code.comments[1].text == "// last");
  CHECK(code.comments[2].line == 5);
  CHECK(code.tokens.back().line == 6);
}

TEST_CASE("a list must have exactly what is found") {
  const List list = {"things.txt", true, "things", "make fewer"};
  const auto listed = entries_of("# head\n3 a.h A\n2 b.h B\n\n1 c.h C\n4 e.h E\n");
  CHECK(listed.at("a.h A") == 3);
  const Findings found = {
      {"a.h A", {3, ""}}, {"b.h B", {1, ""}}, {"d.h D", {7, "line 4"}}, {"e.h E", {5, ""}}};
  const std::string words = differences(list, listed, found);
  CHECK(words ==
        "b.h B: 1 things; lower the entry in tests/house/things.txt from 2 to 1\n"
        "d.h D: 7 things (line 4); make fewer\n"
        "e.h E: 5 things where tests/house/things.txt allows 4; make fewer\n"
        "c.h C: no longer found; remove the entry from tests/house/things.txt\n");
  CHECK(printed(list, "# head\n9 x\n", found) == "# head\n3 a.h A\n1 b.h B\n7 d.h D\n5 e.h E\n");
  CHECK(differences(list, entries_of(printed(list, "", found)), found).empty());
}

TEST_CASE("the tree has sources and pages and nothing that was built") {
  CHECK(tree().size() > 1000);
  for (const std::string& path : tree()) CHECK(path.find("build/") != 0);
}
