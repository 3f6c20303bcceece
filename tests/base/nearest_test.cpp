#include "sim/base/nearest.h"

#include <doctest/doctest.h>

using namespace weft;

TEST_CASE("a name is proposed where at most a third of its letters are wrong") {
  const std::vector<std::string> names = {"default", "tablecloth", "curtain", "bench"};
  CHECK(near_name("curtian", names) == "curtain");       // two letters swapped
  CHECK(near_name("tableclth", names) == "tablecloth");  // one missing
  CHECK(near_name("defaullt", names) == "default");      // one added
  CHECK(near_name("benhc", names) == "bench");
  CHECK(near_name("tabel", names).empty());  // half of "tablecloth" is missing
  CHECK(near_name("pressure", {"rest"}).empty());
  CHECK(near_name("sleeve", {"front"}).empty());
  CHECK(near_name("a", {"b"}) == "b");  // one letter may be wrong in any word
  CHECK(near_name("anything", {}).empty());
}

TEST_CASE("advice for a wrong name is the near one, else the choices, unless they are many") {
  CHECK(did_you_mean("bal", {"ball", "box"}) == "did you mean ball?");
  CHECK(did_you_mean("left slev", {"left sleve"}) == "did you mean 'left sleve'?");
  CHECK(did_you_mean("teapot", {"ball", "box"}) == "use one of ball, box");
  CHECK(did_you_mean("teapot", {std::string(100000, 'x'), "box"}).size() < 60);
  CHECK(did_you_mean("teapot", {}).empty());
  CHECK(did_you_mean("teapot", std::vector<std::string>(13, "ball")).empty());
}
