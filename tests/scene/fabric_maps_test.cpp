// Maps that are painted on cloth: what files say, what scenes say, and what is refused.
#include "sim/scene/fabric_maps.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <numeric>

#include "sim/base/error.h"
#include "sim/mesh/shapes/shapes.h"
#include "sim/run/simulation.h"
#include "sim/scene/model/cloth_mesh.h"
#include "sim/scene/text/scene_file.h"
#include "tests/files/gltf_file.h"
#include "tests/support/text.h"

using namespace weft;
using testing::contains;
using testing::Folder;

namespace {

/// The corners of the plate of tests/files/gltf_file.h, and what is painted on each.
const std::vector<vec3> kColors = {{0, 0, 0}, {1, 0, 0}, {0.5f, 0.5f, 0.5f}, {0, 0, 1}};
const std::vector<float> kStiff = {0, 0.25f, 0.5f, 1};

std::string obj_plate() {
  std::string text;
  for (size_t v = 0; v < 4; ++v) {
    const vec3 &p = testing::PlateFile::kCorners[v], &c = kColors[v];
    text += fmt::format("v {} {} {} {} {} {}\n", p.x, p.y, p.z, c.r, c.g, c.b);
  }
  return text + "f 1 2 3\nf 1 3 4\n";
}

std::string ply_plate(const std::string& format) {
  std::string text = "ply\nformat " + format +
                     " 1.0\ncomment a plate\nelement vertex 4\nproperty float x\nproperty float y\n"
                     "property float z\nproperty float _STIFF\nproperty uchar red\nproperty uchar green\n"
                     "property uchar blue\nelement face 2\nproperty list uchar int vertex_indices\n"
                     "end_header\n";
  const bool big = format == "binary_big_endian";
  const auto put = [&](auto value) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    if (big) std::reverse(raw, raw + sizeof value);
    text.append(raw, sizeof value);
  };
  const auto shade = [](float c) { return uint8_t(std::lround(255 * c)); };
  for (size_t v = 0; v < 4; ++v) {
    const vec3 &p = testing::PlateFile::kCorners[v], &c = kColors[v];
    if (format == "ascii") {
      text +=
          fmt::format("{} {} {} {} {} {} {}\n", p.x, p.y, p.z, kStiff[v], shade(c.r), shade(c.g), shade(c.b));
      continue;
    }
    for (const float number : {p.x, p.y, p.z, kStiff[v]}) put(number);
    for (int k = 0; k < 3; ++k) put(shade(c[k]));
  }
  for (const ivec3& t : {ivec3(0, 1, 2), ivec3(0, 2, 3)}) {
    if (format == "ascii") text += fmt::format("3 {} {} {}\n", t.x, t.y, t.z);
    else put(uint8_t(3)), put(t.x), put(t.y), put(t.z);
  }
  return text;
}

std::string usda_plate() {
  std::string text =
      "#usda 1.0\n(\n    metersPerUnit = 1\n    upAxis = \"Y\"\n)\ndef Mesh \"plate\"\n{\n"
      "    int[] faceVertexCounts = [3, 3]\n    int[] faceVertexIndices = [0, 1, 2, 0, 2, 3]\n"
      "    point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]\n"
      "    float[] primvars:_STIFF = [0, 0.25, 0.5, 1] (\n        interpolation = \"vertex\"\n    )\n"
      "    color3f[] primvars:displayColor = [(1, 0, 0), (0.5, 0.5, 0.5), (0, 0, 1), (0, 0, 0)] (\n"
      "        interpolation = \"varying\"\n    )\n"
      "    int[] primvars:displayColor:indices = [3, 0, 1, 2]\n"
      "    float[] primvars:faces = [1, 2] (\n        interpolation = \"uniform\"\n    )\n}\n";
  return text;
}

void write_gltf(const std::string& path) {
  testing::PlateFile file;
  file.primitive()["attributes"]["_STIFF"] = file.scalars(kStiff);
  file.primitive()["attributes"]["COLOR_0"] = file.vectors(kColors);
  file.write(path);
}

/// The mesh that a scene's first cloth becomes, with its factors.
TriMesh painted_mesh(const std::string& toml, const std::string& path) {
  const Scene scene = parse_scene(toml, path);
  std::vector<std::string> notices;
  ObjFiles files;
  return build_cloth_meshes(scene, std::filesystem::path(path).parent_path().string(), notices, files)[0];
}

std::vector<float> factors_of(const std::string& file, const std::string& map, const Folder& folder) {
  const TriMesh mesh = painted_mesh(
      "[[cloth]]\nfile = \"" + file + "\"\nremesh = \"never\"\n[[cloth.map]]\n" + map, folder / "s.toml");
  REQUIRE(mesh.corners.painted.size() == 1);
  return mesh.corners.painted[0].factor;
}

std::string fault(const std::string& toml, const std::string& path = "s.toml") {
  try {
    painted_mesh(toml, path);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

const std::string kSquare = "[[cloth]]\nname = \"flag\"\nsize = [1, 1]\nedge = 0.5\npattern = \"square\"\n";

}  // namespace

TEST_SUITE("scene") {
  TEST_CASE("colours and numbers of vertices are read alike from all kinds of files") {
    const Folder folder;
    folder.write("plate.obj", obj_plate());
    folder.write("plate.usda", usda_plate());
    write_gltf(folder / "plate.glb");
    write_gltf(folder / "plate.gltf");
    folder.write("text.ply", ply_plate("ascii"));
    folder.write("little.ply", ply_plate("binary_little_endian"));
    folder.write("big.ply", ply_plate("binary_big_endian"));
    const std::string parameter = "\"\nparameter = \"bending_rigidity\"\n";
    const std::vector<std::pair<std::string, std::string>> files = {
        {"plate.obj", "color"},    {"plate.usda", "displayColor"}, {"plate.glb", "COLOR_0"},
        {"plate.gltf", "COLOR_0"}, {"text.ply", "color"},          {"little.ply", "color"},
        {"big.ply", "color"}};
    for (const auto& [file, color] : files) {
      CAPTURE(file);
      const std::vector<float> shades = factors_of(file, "attribute = \"" + color + parameter, folder),
                               blue = factors_of(file, "attribute = \"" + color + ".b" + parameter, folder);
      const float expected[4] = {0, 0.2126f, 0.5f, 0.0722f};
      for (size_t v = 0; v < 4; ++v) {
        CHECK(std::abs(shades.at(v) - expected[v]) < 0.003f);  // a byte holds 1 / 255
        CHECK(std::abs(blue.at(v) - kColors[v].b) < 0.003f);
      }
      if (color == "color" && file.ends_with(".obj")) continue;  // has no numbers of its own
      CHECK(factors_of(file, "attribute = \"_STIFF" + parameter, folder) == kStiff);
    }
    CHECK(fault("[[cloth]]\nfile = \"plate.usda\"\n[[cloth.map]]\nattribute = \"faces" + parameter,
                folder / "s.toml")
              .find("it has _STIFF, displayColor") != std::string::npos);
  }

  TEST_CASE("a map scales from its first factor at 0 to its second at 1, and elements have the mean") {
    const Folder folder;
    folder.write("plate.ply", ply_plate("ascii"));
    const std::string cloth = "[[cloth]]\nfile = \"plate.ply\"\nremesh = \"never\"\n";
    const TriMesh mesh = painted_mesh(cloth +
                                          "[[cloth.map]]\nattribute = \"_STIFF\"\n"
                                          "parameter = \"stretch_stiffness\"\nfrom = 1\nto = 5\n"
                                          "[[cloth.map]]\nattribute = \"_STIFF\"\n"
                                          "parameter = \"areal_density\"\nfrom = 2\nto = 1\n",
                                      folder / "s.toml");
    CHECK(mesh.corners.painted[0].factor == std::vector<float>{1, 2, 3, 5});
    REQUIRE(mesh.corners.factor.size() == 2);
    CHECK(mesh.corners.factor[0].x == doctest::Approx(2));
    CHECK(mesh.corners.factor[1].x == doctest::Approx(3));
    CHECK(mesh.corners.factor[0].y == 1);
    CHECK(mesh.corners.factor[0].z == doctest::Approx(1.75));
    CHECK(mesh.attributes.empty());
  }

  TEST_CASE("a file of numbers is a map of vertices in the order of their file") {
    const Folder folder;
    folder.write("unused.obj", "v 0 0 0\nv 9 9 9\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 3 4\nf 1 4 5\n");
    folder.write("stiff.txt", "0.5 7, 1\n2;3\n");
    const std::string map = "file = \"stiff.txt\"\nparameter = \"friction\"\n";
    CHECK(factors_of("unused.obj", map, folder) == std::vector<float>{0.5f, 1, 2, 3});
    const std::string cloth = "[[cloth]]\nfile = \"unused.obj\"\n";
    folder.write("short.txt", "0.5 7 1\n");
    folder.write("words.txt", "1\n2 soft\n");
    const auto refused = [&](const std::string& more) { return fault(cloth + more, folder / "s.toml"); };
    CHECK(contains(refused("remesh = \"never\"\n[[cloth.map]]\nfile = \"short.txt\"\n"
                           "parameter = \"friction\"\n"),
                   "short.txt has 3 numbers, and the cloth has 5 vertices"));
    CHECK(contains(refused("remesh = \"never\"\n[[cloth.map]]\nfile = \"words.txt\"\n"
                           "parameter = \"friction\"\n"),
                   "words.txt:2: 'soft' is no number"));
  }

  TEST_CASE("a remeshed cloth has what is painted between its old vertices") {
    const Folder folder;
    std::string text;
    const TriMesh grid = make_grid({1, 1}, 0.1f, "square");
    for (const vec3& p : grid.positions)
      text += fmt::format("v {} {} {} {} 0 0\n", p.x, p.y, p.z, p.x + 0.5f);
    for (const ivec3& t : grid.triangles) text += fmt::format("f {} {} {}\n", t.x + 1, t.y + 1, t.z + 1);
    folder.write("grid.obj", text);
    const TriMesh mesh = painted_mesh(
        "[[cloth]]\nfile = \"grid.obj\"\nremesh = 0.07\n[[cloth.map]]\n"
        "attribute = \"color.r\"\nparameter = \"bending_rigidity\"\n",
        folder / "s.toml");
    REQUIRE(mesh.vertex_count() != grid.vertex_count());
    CHECK(contains(fault("[[cloth]]\nfile = \"grid.obj\"\nremesh = 0.07\n[[cloth.map]]\nfile = \"a.txt\"\n"
                         "parameter = \"friction\"\n",
                         folder / "s.toml"),
                   "the cloth is remeshed"));
    for (int v = 0; v < mesh.vertex_count(); ++v)
      CHECK(std::abs(mesh.corners.painted[0].factor[size_t(v)] - mesh.positions[size_t(v)].x - 0.5f) < 1e-5f);
  }

  TEST_CASE("maps are written with the scene and read back") {
    const std::string toml = kSquare +
                             "[[cloth.map]]\nfile = \"soft.txt\"\nparameter = \"stretch_stiffness\"\n"
                             "from = 0.5\nto = 2\n[[cloth.map]]\nattribute = \"color\"\n"
                             "parameter = \"self_friction\"\n";
    const Scene scene = parse_scene(toml, "/a/s.toml");
    REQUIRE(scene.of<FabricMaps>().of.at("flag").size() == 2);
    CHECK(parse_scene(write_scene(scene), "/a/s.toml") == scene);
    const Folder folder;
    save_scene(folder / "moved.toml", scene);
    CHECK(contains(testing::read_file(folder / "moved.toml"), "/a/soft.txt"));
  }

  TEST_CASE("what cannot be painted is refused with the words that can") {
    const auto map = [](const std::string& more) { return kSquare + "[[cloth.map]]\n" + more; };
    const std::string can =
        "stretch_stiffness, bending_rigidity, areal_density, internal_damping, "
        "inner_pressure, friction, self_friction";
    CHECK(contains(fault(map("attribute = \"a\"\nparameter = \"thickness\"\n")), "these can: " + can));
    CHECK(contains(fault(map("attribute = \"a\"\n")), "needs a parameter"));
    CHECK(contains(fault(map("parameter = \"friction\"\n")), "either an attribute"));
    CHECK(contains(fault(map("attribute = \"a\"\nfile = \"b\"\nparameter = \"friction\"\n")),
                   "either an attribute"));
    CHECK(contains(fault(map("attribute = \"a\"\nparameter = \"friction\"\n")), "has no attribute 'a'"));
    CHECK(contains(fault(map("atribute = \"a\"\nparameter = \"friction\"\n")), "s.toml:"));
    CHECK(contains(fault("[[garment]]\npattern = \"a.json\"\n[[garment.map]]\nattribute = \"a\"\n"),
                   "a garment's panels"));
    const Folder folder;
    folder.write("plate.ply", ply_plate("ascii"));
    const std::string plate = "[[cloth]]\nfile = \"plate.ply\"\nremesh = \"never\"\n[[cloth.map]]\n";
    const auto of_plate = [&](const std::string& more) { return fault(plate + more, folder / "s.toml"); };
    CHECK(contains(of_plate("attribute = \"STIFF\"\nparameter = \"friction\"\n"), "it has _STIFF, color"));
    CHECK(contains(of_plate("attribute = \"_STIFF\"\nparameter = \"areal_density\"\n"),
                   "the value 0 at vertex 0 (counted from 0) makes the factor 0"));
    CHECK(contains(of_plate("attribute = \"_STIFF\"\nparameter = \"friction\"\nfrom = 1\nto = -1\n"),
                   "factors on friction are 0 to 1000"));
    folder.write("partly.obj", "v 0 0 0 1 1 1\nv 1 0 0\nv 1 1 0 1 1 1\nf 1 2 3\n");
    CHECK(contains(fault("[[cloth]]\nfile = \"partly.obj\"\n[[cloth.map]]\nattribute = \"color\"\n"
                         "parameter = \"friction\"\n",
                         folder / "s.toml"),
                   "vertex 1 (counted from 0) has no number there"));
  }

  TEST_CASE("a PLY file that is damaged is refused") {
    const Folder folder;
    const std::string whole = ply_plate("binary_little_endian");
    const auto refused = [&](const std::string& text) {
      folder.write("bad.ply", text);
      return fault("[[cloth]]\nfile = \"bad.ply\"\n", folder / "s.toml");
    };
    CHECK(contains(refused(whole.substr(0, whole.size() - 3)), "ends too early"));
    CHECK(contains(refused(whole.substr(0, 40)), "header"));
    CHECK(contains(refused("solid x\n"), "does not begin with ply"));
    std::string far = ply_plate("ascii");
    far.replace(far.find("3 0 1 2"), 7, "3 0 1 9");
    CHECK(contains(refused(far), "a face names vertex 9, and there are 4"));
    CHECK(refused(ply_plate("ascii")).empty());
  }

  TEST_CASE("damping and pressure are painted on vertices, and the field of a map shows its factors") {
    Scene scene = parse_scene(kSquare, "");
    Cloth& cloth = scene.cloths[0];
    cloth.fabric.internal_damping = 0.4f, cloth.fabric.inner_pressure = 100;
    std::vector<float> values(9);
    std::iota(values.begin(), values.end(), 0.0f);
    for (const char* parameter : {"internal_damping", "inner_pressure"}) {
      FabricMap map;
      map.parameter = parameter, map.values = std::make_shared<const std::vector<float>>(values);
      scene.of<FabricMaps>().of["flag"].push_back(map);
    }
    auto device = Device::create(DeviceChoice::cpu, 1);
    Simulation sim(scene, *device);
    const std::vector<float> damping = sim.model().damping.download(),
                             pressure = sim.model().triangle_loads.pressure.download();
    CHECK(damping[1] == 0.4f);
    CHECK(damping[2] == 0.8f);
    CHECK(damping[8] == 1);  // more cannot be
    for (size_t t = 0; t < pressure.size(); ++t) {
      const ivec3 c = sim.model().host.triangles[t];
      CHECK(pressure[t] == doctest::Approx(100.0 * (c.x + c.y + c.z) / 3));
    }
    const Span<const float> shown = sim.device_field("map_inner_pressure");
    CHECK(std::vector<float>(shown.begin(), shown.end()) == values);
    CHECK(sim.device_field("map_friction").empty());
  }
}
