// Objects of OBJ, glTF and USD files: one as cloth, some as a body.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>

#include "sim/base/error.h"
#include "sim/scene/model/cloth_mesh.h"
#include "sim/scene/model/deformation.h"
#include "sim/scene/text/scene_file.h"
#include "tests/files/gltf_file.h"
#include "tests/garment/patterns.h"
#include "tests/support/program.h"
#include "tests/support/text.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// Three squares of a metre: body, cape (2 m up) and tools (4 m up).
void write_gltf(const Folder& folder) {
  PlateFile file;
  file.json["nodes"] = PlateFile::Json::array({{{"name", "body"}, {"mesh", 0}},
                                               {{"name", "cape"}, {"mesh", 0}, {"translation", {0, 2, 0}}},
                                               {{"name", "tools"}, {"mesh", 0}, {"translation", {0, 4, 0}}}});
  file.json["scenes"][0]["nodes"] = {0, 1, 2};
  file.write(folder / "figure.glb");
}

void write_usda(const Folder& folder) {
  std::string text = "#usda 1.0\n(\n    metersPerUnit = 1\n    upAxis = \"Y\"\n)\ndef Xform \"figure\"\n{\n";
  int up = 0;
  for (const char* name : {"body", "cape", "tools"}) {
    text += fmt::format("def Xform \"{}\"\n{{\ndef Mesh \"mesh\"\n{{\n", name);
    text +=
        "int[] faceVertexCounts = [4]\nint[] faceVertexIndices = [0, 1, 2, 3]\nuniform token "
        "subdivisionScheme = "
        "\"none\"\n";
    text += fmt::format("point3f[] points = [(0, {0}, 0), (1, {0}, 0), (1, {1}, 0), (0, {1}, 0)]\n}}\n}}\n",
                        up, up + 1);
    up += 2;
  }
  folder.write("figure.usda", text + "}\n");
}

void write_obj_figure(const Folder& folder) {
  std::string text;
  for (int i = 0; i < 3; ++i) {
    text += fmt::format("o {}\n", std::array{"body", "cape", "tools"}[size_t(i)]);
    for (const vec2& p : {vec2(0, 0), vec2(1, 0), vec2(1, 1), vec2(0, 1)})
      text += fmt::format("v {} {} 0\n", p.x, p.y + 2.0f * float(i));
    text += fmt::format("f {} {} {} {}\n", 4 * i + 1, 4 * i + 2, 4 * i + 3, 4 * i + 4);
  }
  folder.write("figure.obj", text);
}

TriMesh body_of(const Folder& folder, const std::string& lines) {
  const Scene scene = parse_scene("[[cloth]]\n[[obstacle]]\n" + lines + "\n", folder / "s.toml");
  std::vector<std::string> notices;
  TriMesh mesh = build_obstacle_mesh(scene.obstacles[0], folder.path(), notices);
  (void)make_deformation(scene.obstacles[0], folder.path(), mesh, notices);
  return mesh;
}

float low(const TriMesh& mesh) { return bounds_of(mesh.positions).min.y; }

}  // namespace

TEST_CASE("a body has the objects that a scene names, or all but some") {
  Folder folder;
  write_gltf(folder), write_usda(folder), write_obj_figure(folder);
  for (const char* name : {"figure.glb", "figure.usda", "figure.obj"}) {
    CAPTURE(name);
    const std::string file = fmt::format("file = \"{}\"\n", name);
    CHECK(body_of(folder, file).vertex_count() == 12);
    CHECK(body_of(folder, file + "object = \"cape\"").vertex_count() == 4);
    CHECK(low(body_of(folder, file + "object = \"cape\"")) == 2);
    CHECK(body_of(folder, file + "object = [\"cape\", \"tools\"]").vertex_count() == 8);
    const TriMesh without = body_of(folder, file + "without = [\"cape\", \"tools\"]");
    CHECK(without.vertex_count() == 4);
    CHECK(without.triangle_count() == 2);
    CHECK(low(without) == 0);
    for (const char* wrong : {"object = \"cap\"", "without = \"cap\""})
      CHECK(contains(fault_of([&] { body_of(folder, file + wrong); }), "no object 'cap'"));
    CHECK(contains(fault_of([&] { body_of(folder, file + "without = [\"body\", \"cape\", \"tools\"]"); }),
                   "no object of the file is left"));
  }
  CHECK_THROWS_AS(parse_scene("[[obstacle]]\nshape = \"sphere\"\nobject = \"a\"\n", "s.toml"), Error);
  Scene written = parse_scene(
      "[[cloth]]\n[[obstacle]]\nfile = \"figure.glb\"\nobject = [\"a\", \"b\"]\nwithout = \"c\"\n", "s.toml");
  CHECK(parse_scene(write_scene(written), "s.toml") == written);
}

TEST_CASE("glTF and USD are cloth, all of a file or one of its meshes") {
  Folder folder;
  write_gltf(folder), write_usda(folder);
  for (const char* name : {"figure.glb", "figure.usda"}) {
    CAPTURE(name);
    std::vector<std::string> notices;
    const auto cloth = [&](const std::string& more) {
      const Scene s =
          parse_scene(fmt::format("[[cloth]]\nfile = \"{}\"\n{}\n", name, more), folder / "s.toml");
      CHECK(parse_scene(write_scene(s), folder / "s.toml") == s);
      return build_cloth_mesh(s.cloths[0], folder.path(), notices);
    };
    CHECK(cloth("").vertex_count() == 12);
    CHECK(low(cloth("object = \"cape\"\nposition = [0, 1, 0]")) == 3);
    CHECK_THROWS_AS(cloth("object = \"cap\""), Error);
    CHECK_THROWS_AS(cloth("rest = \"texture\""), Error);
  }
}

TEST_CASE("the program takes glTF and USD files as cloth, each mesh one, or the one that is named") {
  Folder folder;
  write_gltf(folder), write_usda(folder);
  const auto run = [&](const std::string& input) {
    return testing::weft(folder, {input, "--headless", "--frames", "1", "--export", "out.obj", "--quiet"});
  };
  for (const char* name : {"figure.glb", "figure.usda"}) {
    CAPTURE(name);
    const Outcome one = run(std::string(name) + "#cape");
    CAPTURE(one.err);
    CHECK(one.status == 0);
    const std::string obj = read_file(folder / "out.obj");
    CHECK(contains(obj, "g cape"));
    CHECK_FALSE(contains(obj, "g tools"));
  }
  const Outcome all = run("figure.glb");
  CHECK(all.status == 0);
  const std::string obj = read_file(folder / "out.obj");
  for (const char* part : {"g body\n", "g cape\n", "g tools\n"}) CHECK(contains(obj, part));
  folder.write("binary.usd", "PXR-USDC");
  const Outcome binary = run("binary.usd");
  CHECK(binary.status == 1);
  CHECK(binary.says("Usd.Stage.Open('IN').Export('out.usda')"));
}
