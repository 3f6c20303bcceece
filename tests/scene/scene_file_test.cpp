#include "sim/scene/text/scene_file.h"
#include "sim/collision/repulsion/constraints/repulsion_params.h"
#include "sim/collision/two_way/two_way_params.h"
#include "sim/scene/friction.h"
#include "sim/scene/light.h"
#include "sim/scene/text/gather_table.h"
#include "sim/solvers/descent/descent_params.h"
#include "sim/solvers/newton/newton_params.h"
#include "sim/solvers/projective/projective_params.h"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <csignal>

#include <algorithm>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/scene/model/cloth_mesh.h"
#include "tests/support/text.h"

using namespace weft;
using testing::begins, testing::contains;

namespace {

namespace fs = std::filesystem;

std::string fault(const std::string& text) {
  try {
    parse_scene(text, "s.toml");
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

/// Gives a parameter a value that is not its default, near enough to it to be inside the range.
void change(const ParamRef& ref) {
  const ParamInfo& info = ref.info();
  const auto set = [&](auto* value) {
    using T = std::decay_t<decltype(*value)>;
    if constexpr (std::is_same_v<T, bool>) *value = !*value;
    else if constexpr (std::is_same_v<T, int>)
      *value = !info.choices.empty() ? (*value + 1) % int(info.choices.size())
               : *value < info.max   ? *value + 1
                                     : *value - 1;
    else if constexpr (std::is_same_v<T, float>)
      *value = *value == float(info.min) ? float(info.min + (info.max - info.min) / 3)
                                         : 0.5f * (*value + float(info.min));
    else *value = vec3(float(info.min), float(info.max), 0.1f);
  };
  std::visit(set, ref.pointer());
}
template <class P>
void change_all(P& params) {
  ParamTable table;
  table.add("", params);
  for (const ParamRef& ref : table.refs()) change(ref);
}

Motion full_motion() {
  Motion m;
  m.keys = {{0.1f, {1, 2, 3}, {4, 5, 6}}, {0.7f, {0, 0, 0}, {0, 0, 0}}, {3, {0.1f, 1e-7f, -3}, {0, 360, 0}}};
  m.spin_axis = {1, 0, 0.3f};
  m.spin_rate = -33.3f;
  m.spin_center = {0.1f, 0.2f, 0.3f};
  return m;
}

/// Nothing in it is at its default.
Scene full_scene() {
  Scene s;
  s.title = "Title with \"quotes\" and \\ and \t tab";
  s.description = "Two\nlines, ümlauts";
  s.path = "somewhere/s.toml";
  s.duration = 12.5f;
  const ParamTable own = s.params();  // of the scene and of every method
  for (const ParamRef& ref : own.refs()) change(ref);
  s.camera = CameraPose{{1, 2, 3}, 4, 5, 6, 50};
  s.camera_path = {{0.1f, {1, 2, 3}, {3, 2, 1}, 33.3f}, {7.5f, {-1, 1e-7f, 3}, {0, 0, 0}, 90}};
  Cloth a;
  a.name = "first";
  a.shape = ClothShape::tube;
  a.file = "x y.obj";
  a.size = {0.3f, 0.7f};
  a.edge = 0.0123f;
  a.vertices = 777;
  a.unevenness = 0.01f;
  a.placement = {{1.1f, -2.2f, 3.3f}, {10, 20, 30}, 0.01f};
  a.fabric_name = "my own";
  change_all(a.fabric);
  Cloth b = a, c, strip = a;
  strip.name = "fourth", strip.shape = ClothShape::strip, strip.pattern = "square";
  b.name = "second", b.shape = ClothShape::disc, b.size = {0.4f, 0.4f};
  b.fabric.areal_density *= 2;  // the same name with one value of its own
  c.name = "third", c.shape = ClothShape::obj, c.file = "c.obj#sleeve \xC3\xBC/left", c.remesh_edge = 0.0042f,
  c.weld = 2e-4f, c.rest.angles = RestAngles::From::flat;
  s.cloths = {a, b, c, strip};
  Pin p;
  p.cloth = "second", p.vertices = {5, 3, 9}, p.where = "top", p.radius = 0.07f,
  p.box = Bounds{{-1, -2, -3}, {1, 2, 3}}, p.release_time = 4.5f;
  p.motion = full_motion();
  Pin bare;
  bare.where = "boundary";
  s.pins = {p, bare};
  Obstacle o;
  o.name = "the ball", o.shape = ObstacleShape::sphere, o.file = "f.obj", o.size = {0.11f, 0.22f, 0.33f};
  o.placement = {{1, 2, 3}, {4, 5, 6}, 7};
  o.motion = full_motion();
  o.friction = 0.9f, o.color = {0.1f, 0.2f, 0.3f};
  Gather stroke, rows;
  stroke.cloth = "third", stroke.from = {0.01f, 0.2f}, stroke.to = {0.3f, 0.25f}, stroke.s0 = 1.7f,
  stroke.seed = 5;
  rows.kind = "rows", rows.angle = 30, rows.spacing = 0.03f, rows.min = {0, 0.1f}, rows.irregularity = 0.2f;
  s.of<GatherList>().list = {stroke, rows};
  s.of<FrictionPairs>().list = {{"first", "the ball", 0.11f}, {"ground", "my own", 2}};
  s.of<SceneLight>() = {"skies/evening.hdr", 1.5f, -30, false};
  s.obstacles = {o, o, o, o, o};
  s.obstacles[1].shape = ObstacleShape::sphere, s.obstacles[1].size = {0.25f, 0.1f, 0.1f};
  s.obstacles[2].shape = ObstacleShape::capsule, s.obstacles[2].size = {0.25f, 0.6f, 0.1f};
  s.obstacles[2].motion.spin_center = s.obstacles[2].placement.position;
  s.obstacles[3].shape = ObstacleShape::box, s.obstacles[3].motion = Motion{};
  s.obstacles[4].from_file.weld = kNoWeld;
  s.obstacles[4].shape = ObstacleShape::mesh, s.obstacles[4].motion.spin_center = {0, 0, 0};
  Obstacle moving;
  moving.shape = ObstacleShape::mesh, moving.sequence = "arm_####.obj", moving.fps = 24, moving.loop = true;
  s.obstacles.push_back(moving);
  ScriptedDrag d;
  d.cloth = "first", d.at = {0.1f, 0.9f}, d.begin = 1.5f, d.end = 2.5f, d.keys = full_motion().keys;
  for (MotionKey& k : d.keys) k.rotation = vec3(0);
  s.drags = {d, ScriptedDrag{}};
  s.end = {{"max_stretch", -1e300, 1.15}, {"mean_height", 0.1, 0.2}, {"max_stretch", 1.0, 1e300}};
  return s;
}

}  // namespace

TEST_CASE("a scene with every field changed reads back as it was written") {
  const Scene scene = full_scene();
  const std::string text = write_scene(scene);
  CAPTURE(text);
  const Scene back = parse_scene(text, scene.path);
  CHECK(back.title == scene.title);
  CHECK(back.description == scene.description);
  CHECK(back.step == scene.step);
  CHECK(back.forces == scene.forces);
  CHECK(back.drag == scene.drag);
  CHECK(back.of<SceneLight>() == scene.of<SceneLight>());
  CHECK(back.of<DescentParams>() == scene.of<DescentParams>());
  CHECK(back.of<NewtonParams>() == scene.of<NewtonParams>());
  CHECK(back.of<ProjectiveParams>() == scene.of<ProjectiveParams>());
  CHECK(back.of<TwoWayParams>() == scene.of<TwoWayParams>());
  CHECK(back.of<RepulsionParams>() == scene.of<RepulsionParams>());
  CHECK(back.contact == scene.contact);
  CHECK(back.camera == scene.camera);
  CHECK(back.cloths == scene.cloths);
  CHECK(back.pins == scene.pins);
  CHECK(back.obstacles == scene.obstacles);
  CHECK(back.drags == scene.drags);
  CHECK(back.end == scene.end);
  CHECK(back == scene);
  CHECK(write_scene(back) == text);
}

TEST_CASE("letters of every language may stand in a scene, and a list that a brace closes is refused") {
  CHECK(parse_scene("title = \"Déjà vu\"\n[fabrics.\"зелёный\"]\n", "s.toml").title == "Déjà vu");
  CHECK_THROWS_AS(parse_scene("é = 1\n", "s.toml"), Error);
  CHECK_THROWS_AS(parse_scene("a = [ }\n", "s.toml"), Error);
}

TEST_CASE("the test's own scene differs from the defaults in every parameter") {
  Scene changed = full_scene(), plain;
  plain.cloths.resize(3);
  for (size_t c = 0; c < 3; ++c) plain.cloths[c].name = changed.cloths[c].name;
  const ParamTable table = changed.params();
  for (const ParamRef& ref : table.refs())
    if (!begins(ref.key(), "third.") && ref.range_text().find(',') != std::string::npos) {
      CAPTURE(ref.key());
      CHECK_FALSE(ref.is_default());  // lists of choices; a list of one stays
    }
  int same = 0;  // beside entries of lists, which have no default
  for (const ParamRef& ref : table.refs())
    same += !begins(ref.key(), "third.") && !contains(ref.info().key, ".") && ref.is_default() &&
            ref.info().choices.size() != 1;
  CHECK(same == 0);
}

TEST_CASE("defaults are not written") {
  Scene scene;
  CHECK(write_scene(scene) == "title = \"Untitled\"\n");
  CHECK(parse_scene(write_scene(scene), "") == scene);
}

TEST_CASE("a cloth in a shipped fabric is written by the fabric's name and what differs from it") {
  Scene scene;
  scene.cloths.resize(1);
  scene.cloths[0].fabric_name = "silk";
  scene.cloths[0].fabric = read_fabric("silk");
  CHECK(contains(write_scene(scene), "fabric = \"silk\"\n"));
  scene.cloths[0].fabric.areal_density = 0.123f;
  const std::string text = write_scene(scene);
  CHECK(contains(text, "[cloth.fabric]\nname = \"silk\"\nareal_density = 0.123\n"));
  CHECK(parse_scene(text, "") == scene);
}

TEST_CASE("faults name file, line, key and what to do") {
  struct Case {
    const char* text;
    const char* start;
    const char* hint;
  };
  const Case cases[] = {
      {"title = \"a\"\ntitel = \"b\"\n", "s.toml:2: unknown key 'titel' in a scene", "did you mean title?"},
      {"[step]\n\ndt = 0.01\nsolvr = \"x\"\n", "s.toml:4: unknown key 'solvr' in [step]",
       "did you mean solver?"},
      {"[forces]\ngravty = [0, 0, 0]\n", "s.toml:2: unknown key 'gravty' in [forces]",
       "did you mean gravity?"},
      {"[[cloth]]\nname = \"a\"\npostion = [0, 0, 0]\n", "s.toml:3: unknown key 'postion' in [cloth]",
       "did you mean position?"},
      {"[[cloths]]\n", "s.toml:1: unknown key 'cloths' in a scene", "did you mean cloth?"},
      {"[step]\ndt = nan\n", "s.toml:2: step.dt: nan is outside its range", "0.1"},
      {"[step]\ndt = inf\n", "s.toml:2: step.dt: inf is outside its range", "0.1"},
      {"[step]\ndt = 0\n", "s.toml:2: step.dt: 0 is outside its range", "use 1e-05 to 0.1 s"},
      {"[step]\ndt = -0.01\n", "s.toml:2: step.dt: -0.01 is outside its range", ""},
      {"[step]\ndt = 100\n", "s.toml:2: step.dt: 100 is outside its range", ""},
      {"[step]\ndt = \"0.01\"\n", "s.toml:2: step.dt: needs a value, not text", ""},
      {"[step]\ndt = [1, 2]\n", "s.toml:2: step.dt: '[1, 2]' is not a number", ""},
      {"[step]\nelastic_model = \"spring\"\n", "s.toml:2: step.elastic_model: 'spring' is not a choice",
       "springs"},
      {"[step]\nelastic_model = 1\n", "s.toml:2: step.elastic_model: needs text in quotes, not a number", ""},
      {"[descent]\nfine_iterations = 1.5\n", "s.toml:2: descent.fine_iterations: 1.5 is not a whole number",
       ""},
      {"[contact]\nground = 1\n[forces]\ngravity = [0, nan, 0]\n",
       "s.toml:4: forces.gravity: nan is outside its range", ""},
      {"[forces]\ngravity = [0, 1]\n", "s.toml:2: forces.gravity: '[0, 1]' is not three numbers", ""},
      {"step = 3\n", "s.toml:1: step: needs a table, not a number", "[step]"},
      {"cloth = 3\n", "s.toml:1: cloth: needs a list of tables, not a number", "[[cloth]]"},
      {"duration = nan\n", "s.toml:1: duration: nan is outside its range", ""},
      {"title = 3\n", "s.toml:1: title: needs text in quotes, not a number", ""},
      {"\ntitle = \"open\n", "s.toml:2: error while parsing", ""},
      {"a = = 1\n", "s.toml:1: error while parsing", ""},
      {"title = \"a\"\ntitle = \"b\"\n", "s.toml:2: error while parsing", ""},
      {"[[cloth]]\nshape = \"gird\"\n", "s.toml:2: cloth.shape: 'gird' is not a choice, did you mean grid?",
       "grid, disc"},
      {"[[cloth]]\nshape = \"obj\"\n", "s.toml:2: cloth.shape: an obj needs a file", ""},
      {"[[cloth]]\nsize = [1, 0]\n", "s.toml:2: cloth.size: 0 is outside its range", ""},
      {"[[cloth]]\nsize = [1, nan]\n", "s.toml:2: cloth.size: nan is outside its range", ""},
      {"[[cloth]]\nsize = [1, 2, 3]\n", "s.toml:2: cloth.size: needs a list of 2 numbers, not of 3", ""},
      {"[[cloth]]\nsize = 1\n", "s.toml:2: cloth.size: needs a list of 2 numbers, not a number", ""},
      {"[[cloth]]\nvertices = 1e4\n", "s.toml:2: cloth.vertices: needs a whole number, not 10000", ""},
      {"[[cloth]]\nvertices = 3\n", "s.toml:2: cloth.vertices: 3 is outside its range", ""},
      {"[[cloth]]\nscale = 0\n", "s.toml:2: cloth.scale: 0 is outside its range", ""},
      {"[[cloth]]\nname = \"step\"\n", "s.toml:2: cloth.name: 'step' cannot name a cloth", ""},
      {"[[cloth]]\nname = \"a.b\"\n", "s.toml:2: cloth.name: 'a.b' cannot name a cloth", ""},
      {"[[cloth]]\nname = \"a\"\n[[cloth]]\nname = \"a\"\n", "s.toml:4: cloth.name: there are two cloths 'a'",
       ""},
      {"[[cloth]]\nfabric = \"coton\"\n", "s.toml:2: cloth.fabric: unknown fabric 'coton'",
       "did you mean cotton?"},
      {"[[cloth]]\n[cloth.fabric]\nname = \"cotton\"\nareal_density = -1\n",
       "s.toml:4: cloth.fabric.areal_density: -1 is outside its range", ""},
      {"[[cloth]]\n[cloth.fabric]\narea_density = 1\n",
       "s.toml:3: unknown key 'area_density' in [cloth.fabric]", "areal_density"},
      {"[fabrics.mine]\nareal_density = 0.1\nbend = 3\n", "s.toml:3: unknown key 'bend' in [fabrics.mine]",
       ""},
      {"[fabrics.mine]\nbase = \"slik\"\n", "s.toml:2: fabrics.mine.base: unknown fabric 'slik'", "silk"},
      {"[[pin]]\nwhere = \"topleft\"\n",
       "s.toml:2: pin.where: 'topleft' is not a choice, did you mean top_left?", ""},
      {"[[pin]]\nrelease_time = 1\n", "s.toml:1: pin: the pin holds nothing", ""},
      {"[[cloth]]\nname = \"flag\"\n[[pin]]\ncloth = \"flog\"\nwhere = \"top\"\n",
       "s.toml:4: pin.cloth: unknown cloth 'flog'", "flag"},
      {"[[pin]]\nvertices = [1, -2]\n", "s.toml:2: pin.vertices: -2 is outside its range", ""},
      {"[[pin]]\nvertices = [1, 2.5]\n", "s.toml:2: pin.vertices: needs whole numbers, not a number", ""},
      {"[[pin]]\nbox = { min = [0, 0, 0] }\n", "s.toml:2: pin.box: a box needs min and max", ""},
      {"[[pin]]\nbox = { min = [0, 0, 0], max = [1, -1, 1] }\n",
       "s.toml:2: pin.box.max: max is less than min", ""},
      {"[[pin]]\nwhere = \"top\"\n[pin.motion]\nkeys = [\n  { time = 1 },\n  { time = 1 },\n]\n",
       "s.toml:6: pin.motion.keys.time: times must increase", ""},
      {"[[pin]]\nwhere = \"top\"\n[pin.motion]\nkeys = [{ position = [0, 0, 0] }]\n",
       "s.toml:4: pin.motion.keys: a key needs a time", ""},
      {"[[pin]]\nwhere = \"top\"\n[pin.motion]\nspin_axis = [0, 0, 0]\n",
       "s.toml:4: pin.motion.spin_axis: the axis has no direction", ""},
      {"[[obstacle]]\nshape = \"mesh\"\n", "s.toml:2: obstacle.shape: a mesh needs a file", ""},
      {"[[obstacle]]\nshape = \"box\"\nradius = 1\n", "s.toml:3: unknown key 'radius' in [obstacle]", ""},
      {"[[obstacle]]\nradius = 0\n", "s.toml:2: obstacle.radius: the radius must be positive", ""},
      {"[[obstacle]]\ncolor = [2, 0, 0]\n", "s.toml:2: obstacle.color: 2 is outside its range", ""},
      {"[[scripted_drag]]\nbegin = 2\nend = 1\n",
       "s.toml:3: scripted_drag.end: the drag ends before it begins", ""},
      {"[[end]]\nquantity = \"max_strech\"\nmax = 1\n",
       "s.toml:2: end.quantity: 'max_strech' is not a choice, did you mean max_stretch?", ""},
      {"[[end]]\nquantity = \"max_stretch\"\n", "s.toml:1: end: an end condition needs min, max or both", ""},
      {"[[end]]\nmax = 1\n", "s.toml:1: end: an end condition needs a quantity", ""},
      {"[camera]\nfov = 0\n", "s.toml:2: camera.fov: 0 is outside its range", ""},
      {"[camera]\ntarget = [1979-05-27, 0, 0]\n",
       "s.toml:2: camera.target: needs a number, not a date or time", ""},
  };
  for (const Case& c : cases) {
    const std::string text = c.text, said = fault(text);
    CAPTURE(text);
    CAPTURE(said);
    CHECK(begins(said, c.start));
    CHECK(contains(said, c.hint));
  }
}

TEST_CASE("keys that would do nothing where they stand are refused, with what does it") {
  const std::string file = "[[cloth]]\nfile = \"a.obj\"\n";
  const auto refused = [&](const std::string& text, const std::string& why, const std::string& advice) {
    const std::string what = fault(text);
    CAPTURE(text);
    CAPTURE(what);
    CHECK(begins(what, "s.toml:" + std::to_string(std::count(text.begin(), text.end(), (char)10)) + ": "));
    CHECK(contains(what, why));
    CHECK(contains(what, advice));
  };
  refused(file + "weld = \"often\"\n", "cloth.weld: 'often' is not automatic, never or a length", "");
  refused("[[cloth]]\nweld = 0.001\n", "cloth.weld: only the vertices of a file are welded", "leave it out");
  refused(file + "edge = 0.01\n", "cloth.edge: a cloth from a file has its own edges",
          "write remesh = 0.005");
  refused(file + "vertices = 900\n", "a cloth from a file has its own vertices", "write remesh = 0.005");
  refused(file + "size = [1, 1]\n", "a cloth from a file has its own size", "write scale = 0.5");
  refused(file + "pattern = \"uniform\"\n", "a cloth from a file has its own triangles",
          "remesh = \"always\"");
  refused(file + "unevenness = 0.01\n", "a cloth from a file has its own vertex positions", "leave it out");
  for (const char* shape : {"disc", "tube"})
    refused(std::string("[[cloth]]\nshape = \"") + shape + "\"\npattern = \"uniform\"\n",
            "only grids and strips have patterns", "leave it out");
  refused("[[scripted_drag]]\nend = 2\nkeys = [{ time = 0, rotation = [0, 90, 0] }]\n",
          "a drag moves one place of the cloth and cannot turn it", "write position");
  refused(
      "[[obstacle]]\nshape = \"capsule\"\n[[obstacle.bone]]\nhead = [0, 0, 0]\ntail = [0, 1, 0]\nkeys = [{ "
      "time = 0, position = [0, 1, 0] }]\n",
      "a bone rotates about its head", "use rotation");
}

TEST_CASE("line numbers hold with Windows line ends and a byte-order mark") {
  CHECK(begins(fault("title = \"a\"\r\n\r\n[step]\r\ndt = 9\r\n"), "s.toml:4:"));
  CHECK(begins(fault("\xEF\xBB\xBF[step]\ndt = 9\n"), "s.toml:2:"));
}

TEST_CASE("short forms say the same as long ones") {
  const Scene scene = parse_scene(
      "[[cloth]]\nfile = \"a.obj\"\n[[cloth]]\nshape = \"tube\"\ndiameter = 0.3\nlength = 2\n"
      "[[obstacle]]\nfile = \"b.obj\"\n[[obstacle]]\nshape = \"capsule\"\nradius = 0.2\nlength = "
      "0.7\nposition = [1, 2, 3]\n"
      "[obstacle.motion]\nspin_rate = 5\n",
      "");
  CHECK(scene.cloths[0].shape == ClothShape::obj);
  CHECK(scene.cloths[0].name == "cloth");
  CHECK(scene.cloths[1].name == "cloth2");
  CHECK(scene.cloths[1].size == vec2(0.3f, 2));
  CHECK(scene.obstacles[0].shape == ObstacleShape::mesh);
  CHECK(scene.obstacles[1].size == vec3(0.2f, 0.7f, 0.1f));
  CHECK(scene.obstacles[1].motion.spin_center == vec3(1, 2, 3));  // a body turns about itself
}

TEST_CASE("the scene's own fabrics come before shipped ones and may build on them") {
  const Scene scene = parse_scene(
      "[fabrics.heavy]\nbase = \"silk\"\nareal_density = 1.5\n[fabrics.cotton]\nareal_density = 2.5\n"
      "[[cloth]]\nfabric = \"heavy\"\n[[cloth]]\nfabric = \"cotton\"\n[[cloth]]\nfabric = { name = "
      "\"heavy\", thickness = 0.002 }\n",
      "");
  FabricParams heavy = read_fabric("silk");
  heavy.areal_density = 1.5f;
  CHECK(scene.cloths[0].fabric == heavy);
  CHECK(scene.cloths[1].fabric.areal_density == 2.5f);
  CHECK(scene.cloths[1].fabric.stretch_stiffness == FabricParams{}.stretch_stiffness);
  heavy.thickness = 0.002f;
  CHECK(scene.cloths[2].fabric == heavy);
  CHECK(parse_scene(write_scene(scene), "") == scene);
}

TEST_CASE("a scene saved into another folder still finds its meshes") {
  const fs::path root = fs::temp_directory_path() / "weft_scene_move";
  fs::create_directories(root / "a/meshes");
  fs::create_directories(root / "b/c");
  write_text_file((root / "a/meshes/m.obj").string(), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  write_text_file((root / "a/s.toml").string(),
                  "[[cloth]]\nfile = \"meshes/m.obj\"\n[[obstacle]]\nfile = \"meshes/m.obj\"\n");
  save_scene((root / "b/c/t.toml").string(), read_scene((root / "a/s.toml").string()));
  const Scene moved = read_scene((root / "b/c/t.toml").string());
  std::vector<std::string> notices;
  CHECK(build_cloth_mesh(moved.cloths[0], (root / "b/c").string(), notices).vertex_count() == 3);
  CHECK(build_obstacle_mesh(moved.obstacles[0], (root / "b/c").string(), notices).vertex_count() == 3);
  CHECK_FALSE(fs::path(moved.cloths[0].file).is_absolute());
  fs::remove_all(root);
}

TEST_CASE("missing, empty and unreadable scenes are said in words") {
  const std::string folder = fs::temp_directory_path().string();
  CHECK_THROWS_WITH_AS(read_scene("no_such.toml"), "no_such.toml: there is no such file — check the path",
                       Error);
  CHECK_THROWS_WITH_AS(read_scene(folder), (folder + ": this is a folder, not a scene — name a file").c_str(),
                       Error);
  CHECK_THROWS_AS(save_scene("/no/such/folder/s.toml", Scene{}), Error);
}

TEST_CASE("a save that fails leaves the old file") {
  const fs::path path = fs::temp_directory_path() / "weft_keep.toml";
  write_text_file(path.string(), "title = \"old\"\n");
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  const rlimit tiny{10, before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &tiny);
  CHECK_THROWS_AS(save_scene(path.string(), Scene{}), Error);
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  CHECK(read_scene(path.string()).title == "old");
  fs::remove(path);
}

TEST_CASE("how the vertices of a file are welded is a word or a length with its unit") {
  const auto cloth = [](const std::string& value) {
    return parse_scene("[[cloth]]\nfile = \"a.obj\"\nweld = " + value, "s.toml").cloths[0].weld;
  };
  CHECK(cloth("\"automatic\"") == 0);
  CHECK(cloth("\"never\"") == kNoWeld);
  CHECK(cloth("\"0.1mm\"") == 1e-4f);
  CHECK(cloth("0.002") == 0.002f);
  CHECK(parse_scene("[[cloth]]\n[[obstacle]]\nfile = \"b.obj\"\nweld = \"2 mm\"", "s.toml")
            .obstacles[0]
            .from_file.weld == 0.002f);
}

TEST_CASE("how a cloth from a file is remeshed is a word or a length") {
  const auto cloth = [](const std::string& value) {
    return parse_scene("[[cloth]]\nfile = \"a.obj\"\nremesh = " + value, "s.toml").cloths[0];
  };
  CHECK(cloth("\"never\"").remesh == Remesh::never);
  CHECK(cloth("\"always\"").remesh_edge == 0);
  CHECK(cloth("0.005").remesh_edge == 0.005f);
  CHECK(cloth("0.005").remesh == Remesh::automatic);
  for (const char* value : {"\"never\"", "\"always\"", "0.005"}) {
    Scene scene;
    scene.cloths = {cloth(value)};
    CHECK(parse_scene(write_scene(scene), "").cloths == scene.cloths);
  }
  CHECK(contains(fault("[[cloth]]\nfile = \"a.obj\"\nremesh = \"nevr\""), "s.toml:3"));
  CHECK(contains(fault("[[cloth]]\nfile = \"a.obj\"\nremesh = -1"), "s.toml:3"));
  CHECK(
      contains(fault("[[cloth]]\nshape = \"grid\"\nremesh = 0.01"), "only cloths from a file are remeshed"));
}

TEST_CASE("a print of a fabric is read and written, of a cloth's own and of a scene's named fabric") {
  const Scene scene = parse_scene(R"(
[fabrics.flowers]
base = "silk"
print = "flowers.jpg"
print_size = 0.2
[[cloth]]
fabric = "flowers"
[[cloth]]
name = "flag"
[cloth.fabric]
name = "cotton"
print = "a \"quoted\" name.png"
)",
                                  "s.toml");
  CHECK(scene.cloths[0].fabric.print == "flowers.jpg");
  CHECK(scene.cloths[0].fabric.print_size == 0.2f);
  CHECK(scene.cloths[1].fabric.print == "a \"quoted\" name.png");
  CHECK(scene.cloths[1].fabric.print_size == 0);
  CHECK(parse_scene(write_scene(scene), "s.toml") == scene);
}

TEST_CASE("gathers of a scene are read, and a faulty one is refused with its line") {
  const Scene s =
      parse_scene("[[cloth]]\nname = \"a\"\n[[gather]]\nfrom = [0, 0]\nto = [0.1, 0]\ns0 = 1.4\n", "s.toml");
  REQUIRE(s.of<GatherList>().list.size() == 1);
  CHECK(s.of<GatherList>().list[0].s0 == 1.4f);
  CHECK(
      contains(fault("[[cloth]]\n[[gather]]\nfrom = [0, 0]\n"), "s.toml:2: gather: a stroke needs its ends"));
  CHECK(contains(fault("[gather]\nfrom = [0, 0]\n"), "gather"));
}
