// Bodies from files with times of their own, in scenes.
#include "sim/scene/model/body_file.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "sim/base/error.h"
#include "sim/scene/model/deformation.h"
#include "sim/scene/text/scene_file.h"
#include "tests/files/gltf_file.h"
#include "tests/support/program.h"

using namespace weft;
using namespace weft::testing;

namespace {

std::string fault(const std::string& text) {
  try {
    parse_scene(text, "s.toml");
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

/// The plate rises by a metre in "rise" and sinks by two in "sink", in one second each.
void write_plate(const std::string& path) {
  PlateFile file;
  const int times = file.scalars({0, 1});
  file.animate("rise", 0, "translation", times, file.vectors({vec3(0), vec3(0, 0, 1)}));
  file.animate("sink", 0, "translation", times, file.vectors({vec3(0), vec3(0, 0, -2)}));
  file.write(path);
}

float height(const Obstacle& o, const std::string& folder, double time, std::vector<std::string>& notices) {
  TriMesh mesh;
  const auto deformation = make_deformation(o, folder, mesh, notices);
  REQUIRE(deformation);
  std::vector<vec3> x;
  deformation->positions(time, x);
  REQUIRE(x.size() == 4);
  return x[0].z;
}

}  // namespace

TEST_CASE("a scene names a glTF body with its animation, and is written back as it was") {
  for (const std::string keys :
       {"file = \"b.glb\"\n", "file = \"b.gltf\"\nanimation = \"walk #2\"\nloop = true\n",
        "sequence = \"b.GLB\"\nup = \"z\"\nunit = \"cm\"\nweld = \"never\"\n"}) {
    CAPTURE(keys);
    const Scene scene = parse_scene("[[obstacle]]\n" + keys, "");
    const Obstacle& o = scene.obstacles[0];
    CHECK(o.shape == ObstacleShape::mesh);
    CHECK(o.deforms());
    CHECK(o.file.empty());
    CHECK(parse_scene(write_scene(scene), "") == scene);
  }
  const Scene named = parse_scene("[[obstacle]]\nfile = \"a#b/b.glb\"\nanimation = \"walk #2\"\n", "");
  CHECK(split_animation(named.obstacles[0].sequence).path == "a#b/b.glb");
  CHECK(split_animation(named.obstacles[0].sequence).animation == "walk #2");
  CHECK(write_scene(named).find("file = \"a#b/b.glb\"\nanimation = \"walk #2\"") != std::string::npos);
}

TEST_CASE("keys that have no effect on a body from a file are refused") {
  CHECK(fault("[[obstacle]]\nfile = \"b.obj\"\nanimation = \"walk\"\n").find("only glTF files") !=
        std::string::npos);
  CHECK(fault("[[obstacle]]\nshape = \"sphere\"\nanimation = \"walk\"\n").find("only glTF files") !=
        std::string::npos);
  CHECK(fault("[[obstacle]]\nfile = \"b.glb\"\nfps = 30\n").find("times of its own") != std::string::npos);
  CHECK(fault("[[obstacle]]\nfile = \"b.obj\"\nloop = true\n").find("loop") != std::string::npos);
  CHECK(fault("[[obstacle]]\nfile = \"b.glb\"\n[[obstacle.bone]]\nhead = [0, 0, 0]\ntail = [0, 1, 0]\n")
            .find("already defines") != std::string::npos);
}

TEST_CASE("the animation that is asked for is played at the scene's time, once or again and again") {
  const Folder folder;
  write_plate(folder / "plate.glb");
  Obstacle o;
  o.shape = ObstacleShape::mesh, o.sequence = "plate.glb", o.placement.scale = 0.5f;
  std::vector<std::string> notices;
  CHECK(height(o, folder.path(), 0.5, notices) == doctest::Approx(0.25));
  REQUIRE(notices.size() == 1);
  CHECK(notices[0].find("(rise, sink)") != std::string::npos);
  o.sequence = "plate.glb#sink";
  CHECK(height(o, folder.path(), 0.25, notices) == doctest::Approx(-0.25));
  CHECK(height(o, folder.path(), 7.25, notices) == doctest::Approx(-1));
  o.loop = true;
  CHECK(height(o, folder.path(), 7.25, notices) == doctest::Approx(-0.25));
  o.sequence = "plate.glb#none";
  CHECK(height(o, folder.path(), 0.5, notices) == 0);
  CHECK(notices.size() == 1);
  o.sequence = "plate.glb#snik";
  TriMesh mesh;
  CHECK_THROWS_WITH_AS(make_deformation(o, folder.path(), mesh, notices),
                       doctest::Contains("did you mean sink"), Error);
}

TEST_CASE(
    "a cloth on a skinned glTF body that bends under it stays free of crossings, from the command line too") {
  const Folder folder;
  const Outcome made = testing::weft(
      folder, {"mannequin", "--edge", "0.02", "-o", "body.glb", "--clip", "stand", "--clip", "punch"});
  REQUIRE(made.status == 0);
  folder.write("s.toml", R"(title = "t"
[step]
collision = "two_way"
[[cloth]]
size = [0.5, 0.5]
vertices = 700
position = [0, 1.9, 0]
rotation = [-90, 0, 0]
[[obstacle]]
file = "body.glb"
animation = "punch"
)");
  const Outcome o =
      testing::weft(folder, {"s.toml", "--headless", "--frames", "60", "--cache", "run.weftcache"});
  CAPTURE(o.err);
  REQUIRE(o.status == 0);
  const Outcome free =
      Program(folder, std::string(WEFT_PROGRAM) + "-check", {"run.weftcache", "--continuous"}).wait();
  CAPTURE(free.out);
  CHECK(free.status == 0);
  CHECK(free.prints("no crossings, and none on the path (60 paths)"));
  // named beside a cloth, with the floor at its feet
  folder.write("sheet.obj", "v -0.2 2 -0.2\nv 0.2 2 -0.2\nv 0.2 2 0.2\nv -0.2 2 0.2\nf 1 2 3 4\n");
  const Outcome beside =
      testing::weft(folder, {"sheet.obj", "--obstacle", "body.glb", "--headless", "--frames", "2"});
  CAPTURE(beside.err);
  CHECK(beside.status == 0);
  CHECK((beside.says("of its 2 animations") || beside.prints("of its 2 animations")));
}
