#include "sim/scene/contact_radii.h"

#include <doctest/doctest.h>

#include <limits>

#include "sim/base/error.h"
#include "sim/run/simulation.h"
#include "sim/scene/text/scene_file.h"

using namespace weft;

namespace {

const std::string kParts =
    "[[cloth]]\nname = \"mat\"\nsize = [0.1, 0.1]\nvertices = 100\ncontact_radius = 0.003\n"
    "[[solid]]\nname = \"block\"\nshape = \"box\"\nsize = [0.05, 0.05, 0.05]\nedge = 0.05\nposition = [1, 0, "
    "0]\n"
    "contact_radius = 0.001\n"
    "[[strands]]\nname = \"hair\"\ncount = 2\nlength = 0.1\nsegments = 4\nposition = [2, 0, 0]\n"
    "contact_radius = 0.0002\n"
    "[[cloth]]\nname = \"sheet\"\nvertices = 100\nposition = [3, 0, 0]\n"
    "[step]\ncollision = \"two_way\"\n";

std::string fault_of(const std::string& text) {
  try {
    const auto device = Device::create(DeviceChoice::cpu, 1);
    Simulation(parse_scene(text, "scene.toml"), *device);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace

TEST_CASE("contact radii of cloths, solids and strands are written as they were read") {
  Scene scene = parse_scene(kParts, "scene.toml");
  CHECK(contact_radii(scene) == std::vector<float>{0.003f, 0, 0.001f, 0.0002f});
  const Scene again = parse_scene(write_scene(scene), "scene.toml");
  CHECK(contact_radii(again) == contact_radii(scene));
  CHECK(again.of<ContactRadii>() == scene.of<ContactRadii>());
  scene.set("contact_radius.sheet", "0.002");  // also of a part that had none
  CHECK(contact_radii(scene)[1] == 0.002f);
  CHECK(again.of<ContactRadii>() != scene.of<ContactRadii>());
  CHECK(contact_radii(parse_scene(write_scene(scene), "scene.toml"))[1] == 0.002f);
}

TEST_CASE("contact radii that cannot be are refused by the name of their part") {
  CHECK(fault_of(kParts).empty());
  for (const char* bad : {"-0.001", "nan", "inf", "0.06", "0.00005"})
    CHECK(fault_of(with(kParts, "contact_radius = 0.003", std::string("contact_radius = ") + bad))
              .find("contact_radius") != std::string::npos);
  const std::string large = fault_of(with(kParts, "contact_radius = 0.001", "contact_radius = 0.05"));
  CHECK(large.find("solid block") != std::string::npos);
  CHECK(large.find("more than all of it") != std::string::npos);
  CHECK(fault_of("[[grains]]\ncontact_radius = 0.01\n").find("contact_radius") != std::string::npos);
  Scene scene = parse_scene(kParts, "scene.toml");
  CHECK_THROWS_AS(scene.set("contact_radius.mat", "-1"), Error);
  const auto device = Device::create(DeviceChoice::cpu, 1);
  scene.of<ContactRadii>().of("mat") = std::numeric_limits<float>::quiet_NaN();
  CHECK_THROWS_WITH_AS(Simulation(scene, *device), doctest::Contains("cloth mat"), Error);
  Simulation sim(parse_scene(kParts, "scene.toml"), *device);
  CHECK_THROWS_WITH_AS(sim.apply(SetParam{"contact_radius.block", "0.05"}),
                       doctest::Contains("more than all of it"), Error);
  sim.step();  // and goes on as before
}

TEST_CASE("collision methods that keep cloths no radii apart say so by the names of the parts") {
  const auto told = [](const std::string& method) {
    const auto device = Device::create(DeviceChoice::cpu, 1);
    Scene scene =
        parse_scene("[[cloth]]\nname = \"mat\"\nvertices = 100\ncontact_radius = 0.003\n", "scene.toml");
    scene.set("step.collision", method);
    Simulation sim(scene, *device);
    std::string all;
    for (const std::string& words : sim.model().notices) all += words + "\n";
    return all.find("contact radius of mat") != std::string::npos;
  };
  for (const char* without : {"bodies", "repulsion", "none"}) CHECK(told(without));
  for (const char* having : {"two_way", "ndb", "impact_zones"}) CHECK_FALSE(told(having));
}
