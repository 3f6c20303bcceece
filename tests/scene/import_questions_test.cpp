// Units, the axis that points up, the floor and the objects of meshes that strangers made.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/run/simulation.h"
#include "sim/scene/model/cloth_mesh.h"
#include "sim/scene/model/model.h"
#include "sim/scene/text/import_questions.h"
#include "sim/scene/text/scene_file.h"
#include "tests/support/folder.h"
#include "tests/support/text.h"

using namespace weft;
using testing::contains, testing::Folder;
namespace fs = std::filesystem;

namespace {

/// A closed box as OBJ text, its corners in units of `unit` m, with the axes of the file: z up if so told.
std::string box(const vec3& low, const vec3& high, double unit, bool z_up) {
  std::string text;
  for (int k = 0; k < 8; ++k) {
    const dvec3 p = dvec3(k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z) / unit;
    text += z_up ? fmt::format("v {} {} {}\n", p.x, -p.z, p.y) : fmt::format("v {} {} {}\n", p.x, p.y, p.z);
  }
  for (const char* face : {"1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6"})
    text += fmt::format("f {}\n", face);
  return text;
}
std::string torso(double unit = 1, bool z_up = false) {
  return box({-0.15f, 0.8f, -0.1f}, {0.15f, 1.35f, 0.1f}, unit, z_up);
}
std::string top(double unit = 1, bool z_up = false) {
  return box({-0.17f, 0.9f, -0.12f}, {0.17f, 1.3f, 0.12f}, unit, z_up);
}

/// Bounds as the simulator takes them: scaled, not placed.
Bounds bounds(const TriMesh& mesh) { return bounds_of(mesh.rest.empty() ? mesh.positions : mesh.rest); }

std::vector<std::string> questions(const Scene& scene) {
  std::vector<Bounds> cloths, bodies;
  std::vector<std::string> ignored;
  const std::string folder = fs::path(scene.path).parent_path().string();
  for (const Cloth& c : scene.cloths) cloths.push_back(bounds(build_cloth_mesh(c, folder, ignored)));
  for (const Obstacle& o : scene.obstacles) bodies.push_back(bounds(build_obstacle_mesh(o, folder, ignored)));
  return import_questions(scene, cloths, bodies);
}

}  // namespace

TEST_CASE("meshes in other units than metres are asked about, with the option that helps") {
  const Folder folder;
  struct Case {
    double cloth, body;        // m per unit; 0: no body
    const char *odd, *remedy;  // nullptr: no question
  };
  const Case cases[] = {
      {1, 1, nullptr, nullptr},
      {1, 0.01, "the body is about 100 times as large as the cloth",
       "is the body in centimetres? Try --obstacle-scale 0.01"},
      {1, 0.001, "the body is about 1000 times as large as the cloth",
       "is the body in millimetres? Try --obstacle-scale 0.001"},
      {0.01, 1, "the cloth is about 90 times as large as the body",
       "is the cloth in centimetres? Try --cloth-scale 0.01"},
      {0.01, 0.01, "the cloth is 57.7 m across and the body 65.8 m",
       "are the files in centimetres? Try --cloth-scale 0.01 and --obstacle-scale 0.01"},
      {0.001, 0.001, "the cloth is 577 m across and the body 658 m",
       "are the files in millimetres? Try --cloth-scale 0.001 and --obstacle-scale 0.001"},
      {0.01, 0.001, "the cloth is 57.7 m across and the body 658 m",
       "are the files in centimetres and millimetres? Try --cloth-scale 0.01 and --obstacle-scale 0.001"},
      {1, 0, nullptr, nullptr},
      {0.01, 0, "the cloth is 57.7 m across", "is the cloth in centimetres? Try --cloth-scale 0.01"},
      {100, 0, "the cloth is 5.77 mm across", "is the cloth in units of 100 m? Try --cloth-scale 100"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.cloth);
    CAPTURE(c.body);
    write_text_file(folder / "top.obj", top(c.cloth));
    if (c.body > 0) write_text_file(folder / "torso.obj", torso(c.body));
    const std::vector<std::string> bodies =
        c.body > 0 ? std::vector<std::string>{folder / "torso.obj"} : std::vector<std::string>{};
    const std::vector<std::string> asked = questions(scene_from_obj(folder / "top.obj", bodies));
    CHECK(asked.size() == (c.odd ? 1 : 0));
    if (!c.odd || asked.empty()) continue;
    CAPTURE(asked[0]);
    CHECK(contains(asked[0], c.odd));
    CHECK(is_import_question(asked[0]));
    CHECK(contains(asked[0], c.remedy));
    // What the question says is right: with it nothing is asked any more.
    ObjUnits units;
    units.cloth_scale = float(c.cloth), units.body_scale = c.body > 0 ? float(c.body) : 1;
    CHECK(questions(scene_from_obj(folder / "top.obj", bodies, units)).empty());
  }
}

TEST_CASE("a question knows what was set already, and whether there is a scene file") {
  const Folder folder;
  write_text_file(folder / "top.obj", top());
  write_text_file(folder / "torso.obj", torso(0.001));
  ObjUnits units;
  units.body_scale = 0.1f;
  const std::vector<std::string> asked =
      questions(scene_from_obj(folder / "top.obj", {folder / "torso.obj"}, units));
  REQUIRE(asked.size() == 1);
  CHECK(contains(asked[0], "Try --obstacle-scale 0.001"));  // not 0.01 on top of what is there
  const std::string path = folder / "scene.toml";
  write_text_file(path, "[[cloth]]\nfile = \"top.obj\"\n[[obstacle]]\nfile = \"torso.obj\"\nscale = 0.1\n");
  const std::vector<std::string> of_file = questions(read_scene(path));
  REQUIRE(of_file.size() == 1);
  CHECK(contains(of_file[0], "Try scale = 0.001 in [[obstacle]]"));
  // Generated cloth is a measure: only the file can be meant otherwise.
  write_text_file(path, "[[cloth]]\nsize = [1, 1]\nvertices = 100\n[[obstacle]]\nfile = \"torso.obj\"\n");
  const std::vector<std::string> beside = questions(read_scene(path));
  REQUIRE(beside.size() == 1);
  CHECK(contains(beside[0], "is the body in millimetres? Try unit = \"mm\" in [[obstacle]]"));
  write_text_file(path, "[[cloth]]\nfile = \"top.obj\"\n[[obstacle]]\nfile = \"torso.obj\"\nunit = \"mm\"\n");
  CHECK(questions(read_scene(path)).empty());  // what the question says is right
  write_text_file(
      path,
      "[[cloth]]\nsize = [100, 100]\nvertices = 100\n[[obstacle]]\nshape = \"sphere\"\nradius = 0.001\n");
  CHECK(questions(read_scene(path)).empty());
}

TEST_CASE("files with z up are asked about, and --up z turns cloth and bodies") {
  const Folder folder;
  write_text_file(folder / "top.obj", top(1, true));
  write_text_file(folder / "torso.obj", torso(1, true));
  for (const bool dressed : {true, false}) {
    CAPTURE(dressed);
    const std::vector<std::string> bodies =
        dressed ? std::vector<std::string>{folder / "torso.obj"} : std::vector<std::string>{};
    const std::vector<std::string> asked = questions(scene_from_obj(folder / "top.obj", bodies));
    REQUIRE(asked.size() == 1);
    CHECK(contains(asked[0], "appear to have z up"));
    CHECK(is_import_question(asked[0]));
    CHECK(contains(asked[0], "try --up z"));
  }
  ObjUnits turned;
  turned.up = "z";
  const Scene scene = scene_from_obj(folder / "top.obj", {folder / "torso.obj"}, turned);
  CHECK(questions(scene).empty());
  std::vector<std::string> ignored;
  const Bounds cloth = bounds_of(build_cloth_mesh(scene.cloths[0], "", ignored).positions);
  CHECK(cloth.min.y == doctest::Approx(0.9));
  CHECK(cloth.max.y == doctest::Approx(1.3));
  CHECK(cloth.min.z == doctest::Approx(-0.12));
  CHECK(scene.contact.ground_height == doctest::Approx(0.8));  // where the torso stands
  // Files with y up that were turned all the same.
  write_text_file(folder / "top.obj", top());
  const std::vector<std::string> on_its_back = questions(scene_from_obj(folder / "top.obj", {}, turned));
  REQUIRE(on_its_back.size() == 1);
  CHECK(contains(on_its_back[0], "leave out --up z"));
}

TEST_CASE("what lies flat, is long, or was placed by hand is not asked about") {
  const Folder folder;
  const auto asked = [&](const std::string& cloth, const std::string& body) {
    write_text_file(folder / "a.obj", cloth);
    write_text_file(folder / "b.obj", body);
    return questions(scene_from_obj(folder / "a.obj", {folder / "b.obj"}));
  };
  const std::string sheet = "v -0.5 1 -0.5\nv 0.5 1 -0.5\nv 0.5 1 0.5\nv -0.5 1 0.5\nf 1 4 3 2\n";
  CHECK(asked(sheet, box({-0.4f, 0, -0.9f}, {0.4f, 0.75f, 0.9f}, 1, false)).empty());  // a long table
  CHECK(asked(sheet, box({-2, -0.1f, -2}, {2, 0, 2}, 1, false)).empty());              // a floor
  CHECK(asked(top(), torso()).empty());
  const std::string path = folder / "scene.toml";
  write_text_file(folder / "up.obj", top(1, true));
  write_text_file(path, "[[cloth]]\nfile = \"up.obj\"\nrotation = [-90, 0, 0]\nposition = [0, 1, 0]\n");
  CHECK(questions(read_scene(path)).empty());
  write_text_file(path, "[[cloth]]\nfile = \"up.obj\"\n");
  REQUIRE(questions(read_scene(path)).size() == 1);
  CHECK(contains(questions(read_scene(path))[0], "up = \"z\""));
}

TEST_CASE("up = \"z\" of a scene file comes before its rotation, and is written as one") {
  const Scene plain = parse_scene(
      "[[cloth]]\nfile = \"a.obj\"\nup = \"z\"\n[[obstacle]]\nfile = \"b.obj\"\nup = \"z\"\nrotation = [10, "
      "20, 30]\n",
      "s.toml");
  CHECK(plain.cloths[0].placement.rotation == vec3(-90, 0, 0));
  CHECK(plain.obstacles[0].placement.rotation == vec3(-80, 20, 30));
  CHECK(parse_scene(write_scene(plain), "s.toml") == plain);
  CHECK_THROWS_AS(parse_scene("[[cloth]]\nshape = \"grid\"\nup = \"z\"\n", "s.toml"), Error);
  CHECK_THROWS_AS(parse_scene("[[obstacle]]\nshape = \"sphere\"\nup = \"z\"\n", "s.toml"), Error);
  CHECK_THROWS_AS(parse_scene("[[cloth]]\nfile = \"a.obj\"\nup = \"x\"\n", "s.toml"), Error);
}

TEST_CASE("the floor that is laid by itself is never above a cloth") {
  const Folder folder;
  struct Case {
    std::string cloth, body;
    bool floor;
    double height;
  };
  const Case cases[] = {
      {top(), torso(), true, 0.8},    // the body stands on it
      {top(), torso(0.01), true, 0},  // 80 m up: a body in centimetres
      {box({-0.2f, 0.3f, -0.2f}, {0.2f, 1.3f, 0.2f}, 1, false), torso(), true, 0},  // a long skirt on a torso
      {box({-0.2f, -0.3f, -0.2f}, {0.2f, 0.3f, 0.2f}, 1, false), torso(), false, 0},  // reaches below 0
      {box({-0.2f, -1.2f, -0.2f}, {0.2f, 0.3f, 0.2f}, 1, false),
       box({-0.3f, -1.2f, -0.1f}, {0.3f, 0.5f, 0.1f}, 1, false), true, -1.2},
  };
  for (const Case& c : cases) {
    write_text_file(folder / "a.obj", c.cloth);
    write_text_file(folder / "b.obj", c.body);
    const Scene scene = scene_from_obj(folder / "a.obj", {folder / "b.obj"});
    CAPTURE(c.height);
    CHECK(scene.contact.ground == c.floor);
    if (!c.floor) continue;
    CHECK(scene.contact.ground_height == doctest::Approx(c.height));
    std::vector<std::string> ignored;
    CHECK(scene.contact.ground_height <=
          bounds_of(build_cloth_mesh(scene.cloths[0], "", ignored).positions).min.y);
  }
}

TEST_CASE("objects of one file are cloths with a name and a fabric each, in files and in words") {
  const Folder folder;
  const std::string two =
      "o Piece 1 \xE2\x80\x93 front\nv 0 1 0\nv 1 1 0\nv 0 2 0\nf 1 2 3\no 2/back\nv 0 1 1\nv 1 1 1\nv 0 2 "
      "1\nv 1 2 1\nf 4 5 6\nf 5 7 6\n";
  write_text_file(folder / "stack.OBJ", two);
  Scene scene = scene_from_obj(folder / "stack.OBJ", {});
  REQUIRE(scene.cloths.size() == 2);
  CHECK(scene.cloths[0].name == "Piece_1_front");
  CHECK(scene.cloths[1].name == "2_back");
  std::vector<std::string> notices;
  ObjFiles files;
  CHECK(build_cloth_mesh(scene.cloths[0], "", notices, false, &files).vertex_count() == 3);
  CHECK(build_cloth_mesh(scene.cloths[1], "", notices, false, &files).vertex_count() == 4);
  CHECK(files.size() == 1);
  CHECK(notices.empty());
  report_objects(scene, files, notices);
  REQUIRE(notices.size() == 1);
  CHECK(contains(
      notices[0],
      "2 objects, each a cloth with its own fabric: Piece_1_front (3 vertices), 2_back (4 vertices)"));
  // A fabric each, through the scene file, which may lie elsewhere.
  scene.set("2_back.areal_density", "0.3");
  fs::create_directories(folder / "a/b");
  save_scene(folder / "a/b/scene.toml", scene);
  const Scene again = read_scene(folder / "a/b/scene.toml");
  CHECK(again.cloths == scene.cloths);
  CHECK(again.cloths[0].fabric.areal_density != again.cloths[1].fabric.areal_density);
  save_scene(folder / "scene.toml", again);
  CHECK(read_scene(folder / "scene.toml").cloths == scene.cloths);
  // A scene file that takes all of it, one of it, and one that is not there.
  const auto built = [&](const std::string& keys) {
    const std::string path = folder / "s.toml";
    write_text_file(path, "[[cloth]]\nname = \"c\"\nfile = \"stack.OBJ\"\n" + keys);
    const Scene s = read_scene(path);
    ObjFiles own;
    std::vector<std::string> told;
    const int count = build_cloth_mesh(s.cloths[0], folder.path(), told, false, &own).vertex_count();
    report_objects(s, own, told);
    return std::make_pair(count, told);
  };
  const auto [all, of_all] = built("");
  CHECK(all == 7);
  REQUIRE(of_all.size() == 1);
  CHECK(contains(of_all[0], "2 objects of"));
  CHECK(contains(of_all[0], "form one cloth"));
  CHECK(built("object = \"2/back\"\n").first == 4);
  CHECK_THROWS_AS(built("object = \"2/bock\"\n"), Error);
  CHECK_THROWS_AS(parse_scene("[[cloth]]\nshape = \"grid\"\nobject = \"x\"\n", "s.toml"), Error);
}

TEST_CASE("groups that share vertices stay one cloth, and an object of nothing but flat faces is left out") {
  const Folder folder;
  write_text_file(folder / "coat.obj",
                  "g front\nv 0 1 0\nv 1 1 0\nv 0 2 0\nf 1 2 3\ng back\nv 1 2 0\nf 2 4 3\n");
  const Scene coat = scene_from_obj(folder / "coat.obj", {});
  REQUIRE(coat.cloths.size() == 1);
  CHECK(coat.cloths[0].name == "coat");
  std::vector<std::string> notices;
  ObjFiles files;
  CHECK(build_cloth_mesh(coat.cloths[0], "", notices, false, &files).vertex_count() == 4);
  report_objects(coat, files, notices);
  REQUIRE(notices.size() == 1);
  CHECK(contains(notices[0], "2 objects or groups share vertices and form one cloth"));
  write_text_file(folder / "line.obj",
                  "o a\nv 0 1 0\nv 1 1 0\nv 0 2 0\nf 1 2 3\no b\nv 0 0 0\nv 1 0 0\nv 2 0 0\nf 4 5 6\no a "
                  "b\nv 5 1 0\nv 6 1 0\nv 5 2 0\nf 7 8 9\no a_b\nv 8 1 0\nv 9 1 0\nv 8 2 0\nf 10 11 12\n");
  const Scene line = scene_from_obj(folder / "line.obj", {});
  REQUIRE(line.cloths.size() == 3);
  CHECK(line.cloths[0].name == "a");
  CHECK(line.cloths[1].name == "a_b");
  CHECK(line.cloths[2].name == "a_b_2");
}

TEST_CASE("notices of meshes that do not suit what is chosen know what is chosen") {
  auto device = Device::create(DeviceChoice::cpu, 1);
  const Folder folder;
  write_text_file(folder / "fin.obj",
                  "v 0 1 0\nv 1 1 0\nv 0 2 0\nv 0 1 1\nv 0 0.5 0\nf 1 2 3\nf 1 2 4\nf 1 2 5\n");
  const auto told = [&](const char* bending, double floor, bool ground) {
    Scene scene = scene_from_obj(folder / "fin.obj", {});
    scene.set("step.bending_model", bending);
    scene.contact.ground_height = float(floor), scene.contact.ground = ground;
    std::string all;
    Simulation simulation(scene, *device);
    for (const std::string& words : simulation.model().notices) all += words + "\n";
    return all;
  };
  const char* const advice = "\"meshless\" is made for them";
  CHECK(contains(told("quadratic", 0, true),
                 "1 edge of more than two triangles: step.bending_model = \"quadratic\", which is chosen"));
  CHECK(contains(told("dihedral", 0, true), advice));
  CHECK(!contains(told("meshless", 0, true), advice));
  CHECK(!contains(told("meshless", 0, true), "below the floor"));
  CHECK(contains(told("meshless", 0.75, true), "1 of 5 vertices start below the floor, by up to 0.25 m"));
  CHECK(!contains(told("meshless", 0.75, false), "below the floor"));
}

TEST_CASE("unit = is the length of a file's unit, for cloths, bodies and sequences, with scale on top") {
  const auto scale_of = [](const std::string& keys) {
    const Scene cloth = parse_scene("[[cloth]]\nfile = \"a.obj\"\n" + keys, ""),
                body = parse_scene("[[obstacle]]\nfile = \"a.obj\"\n" + keys, ""),
                sequence = parse_scene("[[obstacle]]\nsequence = \"a_#.obj\"\n" + keys, "");
    for (const Scene& s : {cloth, body, sequence}) CHECK(parse_scene(write_scene(s), "") == s);
    CHECK(cloth.cloths[0].placement.scale == body.obstacles[0].placement.scale);
    CHECK(sequence.obstacles[0].placement.scale == body.obstacles[0].placement.scale);
    return double(cloth.cloths[0].placement.scale);
  };
  CHECK(scale_of("unit = \"m\"\n") == 1);
  CHECK(scale_of("unit = \"cm\"\n") == double(0.01f));
  CHECK(scale_of("unit = \"mm\"\n") == double(0.001f));
  CHECK(scale_of("unit = \"in\"\n") == double(0.0254f));
  CHECK(std::abs(scale_of("unit = \"cm\"\nscale = 2\n") - 0.02) < 1e-8);
  const auto refusal = [](const std::string& text) {
    try {
      parse_scene(text, "s.toml");
      return std::string();
    } catch (const Error& e) {
      return std::string(e.what());
    }
  };
  CHECK(contains(refusal("[[obstacle]]\nfile = \"a.obj\"\nunit = \"km\"\n"), "s.toml:3"));
  CHECK(contains(refusal("[[obstacle]]\nshape = \"sphere\"\nunit = \"cm\"\n"), "only files have a unit"));
  CHECK(contains(refusal("[[cloth]]\nunit = \"cm\"\n"), "only files have a unit"));
  CHECK(contains(refusal("[[garment]]\npattern = \"a.json\"\nunit = \"cm\"\n"), "states its own unit"));
  CHECK(contains(refusal("[[obstacle]]\nfile = \"a.usda\"\nunit = \"cm\"\n"), "metersPerUnit"));
  CHECK(contains(refusal("[[obstacle]]\nsequence = \"a.usda\"\nup = \"z\"\n"), "upAxis"));
  CHECK(contains(refusal("[[obstacle]]\nfile = \"a.obj\"\nunit = \"mm\"\nscale = 1e-4\n"), "together"));
}

TEST_CASE("a deforming body in centimetres and with z up is asked about as a rigid one is") {
  const Folder folder;
  write_text_file(folder / "torso_1.obj", torso(0.01, true));
  const std::string path = folder / "scene.toml",
                    cloth =
                        "[step]\ncollision = \"none\"\n[[cloth]]\nsize = [1, 1]\nvertices = 100\nposition = "
                        "[0, 2, 0]\n[[obstacle]]\nsequence = \"torso_#.obj\"\n";
  const auto asked = [&](const std::string& keys) {
    write_text_file(path, cloth + keys);
    std::string words;
    const auto device = Device::create(DeviceChoice::cpu, 1);
    Simulation simulation(read_scene(path), *device);
    for (const std::string& n : simulation.model().notices)
      if (is_import_question(n)) words += n + "\n";
    return words;
  };
  CHECK(contains(asked(""), "Try unit = \"cm\" in [[obstacle]]"));
  CHECK(contains(asked("unit = \"cm\"\n"), "up = \"z\""));
  CHECK(asked("unit = \"cm\"\nup = \"z\"\n") == "");
}
