// weft pattern: what it makes of a pattern's file.
#include <doctest/doctest.h>

#include <cmath>

#include "sim/garment/edge_curve.h"
#include "sim/garment/formats/garmentcode.h"
#include "sim/garment/formats/pattern_file.h"
#include "tests/garment/patterns.h"
#include "tests/support/program.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE(
    "a pattern graded on the command line is written with its new sizes, and what no longer fits is said") {
  Folder folder;
  // A sleeve that lies across: its side is sewn to the length of the body.
  const Pattern given = pattern_of({rectangle("body", 0.5, 0.6), rectangle("sleeve", 0.6, 0.3)},
                                   {{"side", {{0, 1, 0, 1}, {1, 0, 0, 1}}}});
  folder.write("given.json", write_garmentcode(given));
  const Outcome o = weft::testing::weft(folder, {"pattern", folder / "given.json", "--grade", "width +6 cm",
                                                 "--grade", "length -50 %", "-o", folder / "graded.json"});
  CHECK(o.status == 0);
  CHECK(o.prints("sewn lines differ: body and sleeve, 36.0 cm (0.0 cm before)"));
  std::vector<std::string> notices;
  const Pattern graded = read_pattern(folder / "graded.json", 0, notices);
  REQUIRE(graded.panels.size() == 2);
  CHECK(curve_of(graded.panels[0], 0).length() == doctest::Approx(0.55));
  CHECK(curve_of(graded.panels[0], 1).length() == doctest::Approx(0.3));
  CHECK(curve_of(graded.panels[1], 0).length() == doctest::Approx(0.66));
  const Outcome refused = weft::testing::weft(
      folder, {"pattern", folder / "given.json", "--grade", "waist +6 cm", "-o", folder / "x.json"});
  CHECK(refused.status == 1);
  CHECK(refused.says("'waist +6 cm' is no grade: it begins with width or length"));
}
