#include "sim/wrinkles/wrinkle_settings.h"

#include <doctest/doctest.h>

#include "sim/base/error.h"

using namespace weft;
using namespace weft::wrinkles;

TEST_CASE("settings of wrinkles are written as they are read") {
  const WrinkleSettings s = parse_wrinkle_settings(
      "[wrinkle]\ncell = 0.0005\nlevels = 2\nplanar = \"springs\"\nfill = 2e5\n[[gather]]\nkind = "
      "\"rows\"\nangle = 10\n",
      "some.toml");
  CHECK(s.params.levels == 2);
  CHECK(s.params.planar == 0);
  CHECK(s.params.fill == 2e5f);
  CHECK(s.gathers.size() == 1);
  CHECK(parse_wrinkle_settings(as_toml(s), "again.toml") == s);
  CHECK(as_toml({}).empty());
  CHECK(parse_wrinkle_settings("", "empty.toml") == WrinkleSettings{});
}

TEST_CASE("faulty settings of wrinkles are refused") {
  const auto fault = [](const std::string& text) {
    try {
      parse_wrinkle_settings(text, "some.toml");
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK(fault("[wrinkle]\nblock_width = 12").find("use 8, 16, 32 or 64") != std::string::npos);
  CHECK(fault("[wrinkle]\nlevel = 2").find("levels") != std::string::npos);
  CHECK(fault("[wrinkles]\nlevels = 2").find("wrinkle") != std::string::npos);
  CHECK(fault("[wrinkle]\ncell = 1").find("some.toml:2") != std::string::npos);
}
