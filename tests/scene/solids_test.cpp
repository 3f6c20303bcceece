// [[solid]] tables of scenes: values, faults, what takes solids and what does not.
#include "sim/scene/solids.h"

#include <doctest/doctest.h>

#include "sim/base/error.h"
#include "sim/methods/method_table.h"
#include "sim/run/simulation.h"
#include "sim/scene/grains.h"
#include "sim/scene/strands.h"
#include "sim/scene/text/scene_file.h"
#include "tests/support/folder.h"

using namespace weft;

namespace {

const std::string kBall =
    "[step]\ncollision = \"two_way\"\n[[solid]]\nname = \"ball\"\nshape = \"ball\"\ndiameter = 0.2\nedge = "
    "0.05\n";

std::string fault_of(const std::string& text) {
  try {
    parse_scene(text, "scene.toml");
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a scene with solids is written as it was read") {
  const Scene scene = parse_scene(kBall +
                                      "young = 5e4\npoisson = 0.45\ndensity = 80\nvelocity = [1, 2, 3]\n"
                                      "spin = [0, 90, 0]\nfriction = 0.7\nself_friction = 0.2\n"
                                      "contact_thickness = 0.002\ncolor = [1, 0, 0.5]\nscale = 2\n",
                                  "scene.toml");
  const SolidParams& ball = scene.of<SolidList>().list.at(0);
  CHECK(ball.material.young == 5e4f);
  CHECK(ball.skin.friction == 0.7f);
  CHECK(ball.skin.back_color == vec3(1, 0, 0.5f));
  const Scene again = parse_scene(write_scene(scene), "scene.toml");
  CHECK(again.of<SolidList>() == scene.of<SolidList>());
}

TEST_CASE("values of a solid are parameters with its name") {
  Scene scene = parse_scene(kBall, "scene.toml");
  scene.set("solid.ball.young", "123");
  CHECK(scene.of<SolidList>().list[0].material.young == 123);
  CHECK_THROWS_AS(scene.set("solid.ball.poisson", "0.5"), Error);
}

TEST_CASE("faults of solid tables are named") {
  CHECK(fault_of(kBall + "poisson = 0.6\n").find("poisson") != std::string::npos);
  CHECK(fault_of("[[cloth]]\nname = \"ball\"\n" + kBall).find("two cloths 'ball'") != std::string::npos);
  CHECK(fault_of("[[solid]]\nfile = \"body.stl\"\n").find(".msh") != std::string::npos);
  CHECK(fault_of("[[solid]]\nfile = \"body.msh\"\nedge = 0.1\n").find("own cells") != std::string::npos);
  CHECK(fault_of(kBall + "up = \"z\"\n").find("only files") != std::string::npos);
}

TEST_CASE("solids and strands that no memory holds are refused before they are made") {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  CHECK_THROWS_WITH_AS(
      Simulation(parse_scene("[[solid]]\nsize = [100, 100, 100]\nedge = 1e-4\n", "scene.toml"), *device),
      doctest::Contains("cells, and at most"), Error);
  CHECK_THROWS_WITH_AS(
      Simulation(parse_scene("[[solid]]\nshape = \"ball\"\ndiameter = 100\nedge = 1e-4\n", "scene.toml"),
                 *device),
      doctest::Contains("at most"), Error);
  CHECK(fault_of("[[strands]]\ncount = 1000000\nsegments = 10000\n").find("points") != std::string::npos);
}

TEST_CASE("methods that take no solids say so by name") {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  for (const auto& [key, value] :
       {std::pair("step.solver", "descent"), std::pair("step.solver", "block_descent"),
        std::pair("step.collision", "repulsion"), std::pair("step.collision", "impact_zones")}) {
    Scene scene = parse_scene(kBall, "scene.toml");
    Simulation sim(scene, *device);
    CAPTURE(value);
    CHECK_THROWS_WITH_AS(sim.apply(SetParam{key, value}), doctest::Contains("takes no solids"), Error);
    sim.step();  // and goes on as before
    scene.set(key, value);
    CHECK_THROWS_WITH_AS(Simulation(scene, *device), doctest::Contains("takes no solids"), Error);
  }
}

TEST_CASE("projective dynamics takes soft solids of the co-rotated model and names what takes others") {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  Scene scene = parse_scene(kBall, "scene.toml");
  Simulation sim(scene, *device);
  CHECK_THROWS_WITH_AS(sim.apply(SetParam{"step.solver", "projective"}),
                       doctest::Contains("Newton's method takes all of them"), Error);
  sim.apply(SetParam{"step.solid_model", "corotated"});
  sim.apply(SetParam{"step.solver", "projective"});
  sim.step();
  CHECK_THROWS_WITH_AS(sim.apply(SetParam{"step.solid_model", "neo_hookean"}), doctest::Contains("corotated"),
                       Error);
  sim.step();  // and goes on as before
  Scene rigid = parse_scene(kBall + "rigid = true\n", "scene.toml");
  rigid.set("step.solver", "projective");
  CHECK_THROWS_WITH_AS(Simulation(rigid, *device), doctest::Contains("method \"ndb\""), Error);
  rigid.set("step.solver", "descent");
  CHECK_THROWS_WITH_AS(Simulation(rigid, *device), doctest::Contains("takes no solids"), Error);
}

TEST_CASE("rigid bodies and grains are written as they were read and faults of their tables are named") {
  const std::string text = kBall +
                           "rigid = true\nmass = 0.5\n[[grains]]\nname = \"sand\"\nsize = [0.1, 0.2, "
                           "0.1]\nradius = 0.01\nspacing = 0.03\nvelocity = [0, -1, 0]\ndensity = 900\n"
                           "friction = 0.2\nself_friction = 0.1\ncolor = [0, 1, 0]\n";
  Scene scene = parse_scene(text, "scene.toml");
  CHECK(scene.of<SolidList>().list.at(0).material.young == kRigidYoung);
  const Scene again = parse_scene(write_scene(scene), "scene.toml");
  CHECK(again.of<SolidList>() == scene.of<SolidList>());
  CHECK(again.of<GrainList>() == scene.of<GrainList>());
  scene.set("grains.sand.density", "123");
  CHECK(scene.of<GrainList>().list[0].density == 123);
  scene.set("solid.ball.mass", "2");
  CHECK(scene.of<SolidList>().list[0].material.mass == 2);
  CHECK(fault_of(kBall + "mass = 1\ndensity = 100\n").find("one of the two") != std::string::npos);
  CHECK(fault_of("[[grains]]\nradius = 0.01\nspacing = 0.02\n").find("overlap") != std::string::npos);
  CHECK(fault_of("[[grains]]\nfile = \"heap.stl\"\n").find(".obj") != std::string::npos);
  const auto device = Device::create(DeviceChoice::cpu, 1);
  CHECK_THROWS_WITH_AS(
      Simulation(parse_scene("[[grains]]\nsize = [10, 10, 10]\nradius = 0.001\n", "scene.toml"), *device),
      doctest::Contains("grains, and at most"), Error);
  scene.set("step.collision", "ndb");
  CHECK_THROWS_WITH_AS(Simulation(scene, *device), doctest::Contains("takes no grains"), Error);
  scene.of<SolidList>().list.clear();
  CHECK_THROWS_WITH_AS(Simulation(scene, *device), doctest::Contains("takes no grains"), Error);
}

TEST_CASE("strands are written as they were read and faults of their tables are named") {
  const std::string text =
      "[[obstacle]]\nname = \"head\"\n[[strands]]\nname = \"hair\"\nbody = \"head\"\ncount = 7\nlength = "
      "0.1\n"
      "segments = 5\ncurl = 0.01\ncap = -0.5\ndensity = 1e-4\nstretch = 3\nbending = 1e-8\nthickness = "
      "0.001\n"
      "friction = 0.3\ncolor = [1, 0, 0]\n[[pin]]\ncloth = \"hair\"\nwhere = \"roots\"\nbody = \"head\"\n";
  Scene scene = parse_scene(text, "scene.toml");
  CHECK(scene.of<StrandList>().list.at(0).shape == StrandShape::body);
  CHECK(parse_scene(write_scene(scene), "scene.toml").of<StrandList>() == scene.of<StrandList>());
  scene.set("strands.hair.bending", "1e-6");
  CHECK(scene.of<StrandList>().list[0].material.bending == 1e-6f);
  CHECK(fault_of("[[strands]]\nshape = \"body\"\n").find("body = ") != std::string::npos);
  CHECK(fault_of("[[strands]]\ncap = 0.1\n").find("have a cap") != std::string::npos);
  CHECK(fault_of("[[strands]]\nspacing = 0.1\n").find("only rings") != std::string::npos);
  CHECK(fault_of("[[strands]]\nshape = \"ring\"\nsize = [1, 1]\n").find("only a patch") != std::string::npos);
  CHECK(fault_of("[[strands]]\nshape = \"ring\"\ncurl = 0.1\n").find("no curl") != std::string::npos);
  CHECK(fault_of("[[strands]]\nbody = \"head\"\nposition = [0, 1, 0]\n").find("where it is") !=
        std::string::npos);
  const auto device = Device::create(DeviceChoice::cpu, 1);
  CHECK_THROWS_WITH_AS(
      Simulation(parse_scene("[[strands]]\nbody = \"haed\"\n[[obstacle]]\nname = \"head\"\n", "scene.toml"),
                 *device),
      doctest::Contains("no body"), Error);
  CHECK_THROWS_WITH_AS(
      Simulation(parse_scene("[[cloth]]\n[[pin]]\nwhere = \"roots\"\n", "scene.toml"), *device),
      doctest::Contains("only strands have roots"), Error);
  scene.set("step.collision", "ndb");
  CHECK_THROWS_WITH_AS(Simulation(scene, *device), doctest::Contains("takes no strands"), Error);
}

TEST_CASE("lines of an OBJ file are strands with their first points as roots") {
  const testing::Folder folder;
  folder.write("hair.obj",
               "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 9 9 9\nv 0 1 0\nv 1 1 0\nv 1 2 0\nl 1 2 3\nl 5 6 7 5\n");
  folder.write("faces.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const auto scene = [&](const std::string& more) {
    return parse_scene("[[strands]]\nname = \"hair\"\nscale = 0.1\nposition = [0, 1, 0]\n" + more + "\n",
                       folder / "scene.toml");
  };
  const Scene read = scene("file = \"hair.obj\"");
  CHECK(parse_scene(write_scene(read), folder / "scene.toml").of<StrandList>() == read.of<StrandList>());
  const auto device = Device::create(DeviceChoice::cpu, 1);
  Simulation sim(read, *device);
  const Topology& host = sim.model().host;
  CHECK(host.rest.size() == 6);  // without the point that no line has
  CHECK(host.lines == std::vector<ivec2>{{0, 1}, {1, 2}, {3, 4}, {4, 5}, {5, 3}});
  CHECK(host.parts[0].roots == std::vector<int>{0, 1});
  CHECK(glm::distance(sim.positions()[2], vec3(0.2f, 1, 0)) < 1e-6f);
  CHECK_THROWS_WITH_AS(Simulation(scene("file = \"faces.obj\""), *device), doctest::Contains("no lines"),
                       Error);
  CHECK(fault_of("[[strands]]\nfile = \"hair.abc\"\n").find("lines of .obj") != std::string::npos);
  CHECK(fault_of("[[strands]]\nfile = \"hair.obj\"\ncount = 3\n").find("own strands") != std::string::npos);
  CHECK(fault_of("[[strands]]\nshape = \"file\"\n").find("lines of .obj") != std::string::npos);
  CHECK(fault_of("[[strands]]\nup = \"z\"\n").find("only files") != std::string::npos);
}

TEST_CASE("a scene needs cloth or a solid") {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  CHECK_THROWS_WITH_AS(Simulation(parse_scene("title = \"empty\"\n", "scene.toml"), *device),
                       doctest::Contains("nothing to simulate"), Error);
}

TEST_CASE("a closed surface of a file is filled and an open one is refused") {
  const testing::Folder folder;
  const std::string cube =
      "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
      "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\n";
  folder.write("open.obj", cube);
  folder.write("closed.obj", cube + "f 4 1 5 8\n");
  const auto device = Device::create(DeviceChoice::cpu, 1);
  const auto scene = [&](const std::string& file) {
    return parse_scene("[[solid]]\nedge = 0.05\nscale = 0.2\nfile = \"" + file + "\"\n",
                       folder / "scene.toml");
  };
  Simulation sim(scene("closed.obj"), *device);
  double mass = 0;
  for (const float m : sim.model().host_mass) mass += double(m);
  CHECK(std::abs(mass / (300 * 0.2 * 0.2 * 0.2) - 1) < 0.05);  // edges of the cube are cut off
  CHECK_THROWS_WITH_AS(Simulation(scene("open.obj"), *device), doctest::Contains("not closed"), Error);
}
