#include "sim/scene/fabric_prints.h"

#include <doctest/doctest.h>

#include "sim/base/error.h"
#include "sim/run/simulation.h"
#include "sim/scene/text/scene_file.h"

using namespace weft;

namespace {

Scene two_sheets() {
  Scene s;
  for (const char* name : {"left", "right"}) {
    Cloth c;
    c.name = name, c.vertices = 60;
    s.cloths.push_back(c);
  }
  return s;
}

}  // namespace

TEST_CASE("prints are set by the key of one cloth or of all and a scene file keeps them") {
  Scene s = two_sheets();
  s.set("left.print", "\"a \\\"b\\\".png\"");
  CHECK(s.cloths[0].fabric.print == "a \"b\".png");
  CHECK(s.cloths[1].fabric.print.empty());
  CHECK(parse_scene(write_scene(s), "").cloths[0].fabric.print == "a \"b\".png");
  CHECK(changed_prints(two_sheets(), s) ==
        std::vector<std::pair<std::string, std::string>>{{"left.print", print_text(s, "left.print")}});
  s.set("fabric.print", "/prints/c.png");
  CHECK(s.cloths[0].fabric.print == "/prints/c.png");
  CHECK(s.cloths[1].fabric.print == "/prints/c.png");
  s.set("right.print", "");
  CHECK(s.cloths[1].fabric.print.empty());
  CHECK_THROWS_AS(s.set("middle.print", "c.png"), Error);
  CHECK_THROWS_AS(s.set("left.prints", "c.png"), Error);
}

TEST_CASE("a print set while a simulation lives is recorded and moves nothing") {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  Simulation plain(two_sheets(), *device), printed(two_sheets(), *device);
  for (int i = 0; i < 6; ++i) {
    if (i == 3) printed.apply(SetParam{"fabric.print", "c.png"});
    plain.step(), printed.step();
  }
  CHECK(printed.hash() == plain.hash());
  CHECK(printed.scene().cloths[1].fabric.print == "c.png");
  REQUIRE(printed.recorded().size() == 1);
  CHECK(std::get<SetParam>(printed.recorded()[0].command).key == "fabric.print");
}
