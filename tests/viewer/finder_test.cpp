#include "viewer/session/finder.h"

#include <doctest/doctest.h>

using namespace weft;
using Kind = FinderEntry::Kind;

namespace {

std::vector<FinderEntry> some() {
  return {{Kind::command, "Reset to the start", "R", "", {}},
          {Kind::scene, "Round tablecloth", "A round cloth over a table.", "drape_table", {}},
          {Kind::garment, "T-shirt", "4 panels", "tshirt", {}},
          {Kind::parameter,
           "Bending rigidity",
           "How firmly the cloth resists bending.",
           "fabric.bending_rigidity",
           {}},
          {Kind::parameter, "Friction", "Between cloth and table.", "contact.friction", {}},
          {Kind::scene, "Table", "Four sheets.", "wu2020/table", {}}};
}

std::vector<std::string> found(const std::string& query, size_t most = 10) {
  const std::vector<FinderEntry> entries = some();
  std::vector<std::string> labels;
  for (const int i : find_entries(entries, query, most)) labels.push_back(entries[size_t(i)].label);
  return labels;
}

using Labels = std::vector<std::string>;

}  // namespace

TEST_CASE("what is called as the query comes first, then beginnings of words, names, and descriptions last") {
  CHECK(found("table") == Labels{"Table", "Round tablecloth", "Friction"});
  CHECK(found("TABLE", 2) == Labels{"Table", "Round tablecloth"});
  CHECK(found("rigid") == Labels{"Bending rigidity"});
  CHECK(found("tshirt") == Labels{"T-shirt"});
  CHECK(found("bending_r") == Labels{"Bending rigidity"});
}

TEST_CASE("every word of the query must occur, in any order, and an empty query finds nothing") {
  CHECK(found("cloth round") == Labels{"Round tablecloth"});
  CHECK(found("round teapot").empty());
  CHECK(found("").empty());
  CHECK(found("  ").empty());
}
