// Texture coordinates of cloth from OBJ, glTF and USD: they come back in what is written.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "sim/base/error.h"
#include "sim/scene/model/cloth_mesh.h"
#include "tests/files/gltf_file.h"
#include "tests/support/program.h"
#include "tests/viewer/textures.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// Two squares of 10 cm side by side as quadrilaterals; half a unit of texture is 10 cm. `seam`: their common
/// vertices have two texture coordinates each.
std::string two_squares(bool seam) {
  std::string text;
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 3; ++i) text += fmt::format("v {} {} 0\n", 0.1 * i, 0.1 * j);
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 3; ++i) text += fmt::format("vt {} {}\n", 0.25 + 0.5 * i, 0.125 + 0.5 * j);
  if (!seam) return text + "f 1/1 2/2 5/5 4/4\nf 2/2 3/3 6/6 5/5\n";
  return text + "vt 3.5 0.125\nvt 3.5 0.625\nf 1/1 2/2 5/5 4/4\nf 2/7 3/3 6/6 5/8\n";
}

/// Texture coordinates of all corners of faces, in their order; in thousandths, rounded.
std::vector<std::pair<int, int>> corners_of(const std::string& path) {
  const std::vector<vec2> textures = textures_of(path);
  std::vector<std::pair<int, int>> found;
  std::istringstream in(read_file(path));
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string word;
    if (!(words >> word) || word != "f") continue;
    while (words >> word) {
      const size_t slash = word.find('/');
      REQUIRE(slash != word.npos);
      const vec2 t = textures.at(size_t(std::stoi(word.substr(slash + 1)) - 1));
      found.emplace_back(int(std::lround(1000 * t.x)), int(std::lround(1000 * t.y)));
    }
  }
  return found;
}

std::set<std::pair<int, int>> distinct(const std::vector<std::pair<int, int>>& corners) {
  return {corners.begin(), corners.end()};
}

void run(const Folder& folder, const std::string& from, const std::string& to) {
  CAPTURE(from);
  CAPTURE(to);
  const Outcome o = testing::weft(
      folder, {from, "--headless", "--frames", "1", "--device", "cpu", "--threads", "1", "--export", to});
  CAPTURE(o.err);
  REQUIRE(o.status == 0);
}

}  // namespace

TEST_CASE("texture coordinates of cloth from OBJ, glTF and USD come back in OBJ, glTF and USD") {
  for (const bool seam : {false, true}) {
    CAPTURE(seam);
    const Folder folder;
    folder.write("sheet.obj", two_squares(seam));
    const auto right = corners_of(folder / "sheet.obj");
    for (const std::string from : {"sheet.obj", "cloth.glb", "cloth.usda"}) {
      if (from != "sheet.obj") run(folder, "sheet.obj", from);
      for (const std::string by : {"back.glb", "back.usda"}) {
        run(folder, from, by), run(folder, by, "back.obj");
        CAPTURE(from);
        CAPTURE(by);
        const auto back = corners_of(folder / "back.obj");
        CHECK(distinct(back) == distinct(right));
        const bool triangles = from == "cloth.glb" || by == "back.glb";
        CHECK(back.size() == (triangles ? 12u : 8u));
        if (!triangles) CHECK(back == right);  // the file's own faces
      }
    }
  }
}

TEST_CASE("material coordinates of cloth from glTF and USD are those of the same cloth from OBJ") {
  const Folder folder;
  folder.write("sheet.obj", two_squares(false));
  run(folder, "sheet.obj", "sheet.glb"), run(folder, "sheet.obj", "sheet.usda");
  const auto mesh = [&](const std::string& name) {
    Cloth cloth;
    cloth.shape = ClothShape::obj, cloth.file = name;
    std::vector<std::string> notices;
    return build_cloth_mesh(cloth, folder.path(), notices);
  };
  const TriMesh right = mesh("sheet.obj");
  REQUIRE(right.uv.size() == 6);
  for (const char* name : {"sheet.glb", "sheet.usda"}) {
    CAPTURE(name);
    const TriMesh own = mesh(name);
    REQUIRE(own.uv.size() == right.uv.size());
    // after a step of falling the sheet is as large as before to a part in ten thousand
    for (size_t v = 0; v < own.uv.size(); ++v) CHECK(glm::length(own.uv[v] - right.uv[v]) < 1e-4f);
  }
}

TEST_CASE("texture coordinates that do not fit the faces are told and left out") {
  const Folder folder;
  const auto notices_of = [&](const std::string& textures) {
    folder.write(
        "sheet.usda",
        "#usda 1.0\n(\n    metersPerUnit = 1\n)\ndef Mesh \"sheet\"\n{\nint[] faceVertexCounts = [4]\n"
        "int[] faceVertexIndices = [0, 1, 2, 3]\nuniform token subdivisionScheme = \"none\"\n"
        "point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]\n" +
            textures + "}\n");
    Cloth cloth;
    cloth.shape = ClothShape::obj, cloth.file = "sheet.usda";
    std::vector<std::string> notices;
    const TriMesh mesh = build_cloth_mesh(cloth, folder.path(), notices);
    const bool told = std::any_of(notices.begin(), notices.end(), [](const std::string& n) {
      return n.find("/sheet: its texture coordinates do not fit its faces") != n.npos;
    });
    CHECK(told == mesh.uv.empty());
    return told;
  };
  const std::string four = "[(0, 0), (1, 0), (1, 1), (0, 1)]";
  CHECK_FALSE(notices_of("texCoord2f[] primvars:UVMap = " + four + " (interpolation = \"vertex\")\n"));
  CHECK_FALSE(notices_of("texCoord2f[] primvars:st = " + four + " (\n interpolation = \"faceVarying\"\n)\n" +
                         "int[] primvars:st:indices = [3, 2, 1, 0]\n"));
  CHECK(notices_of("texCoord2f[] primvars:st = [(0, 0), (1, 0)] (interpolation = \"vertex\")\n"));
  CHECK(notices_of("texCoord2f[] primvars:st = " + four + " (interpolation = \"faceVarying\")\n" +
                   "int[] primvars:st:indices = [0, 1, 2, 4]\n"));
  CHECK(notices_of("texCoord2f[] primvars:st = " + four + " (interpolation = \"constant\")\n"));
}
