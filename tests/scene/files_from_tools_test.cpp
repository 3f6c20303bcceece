// Bodies and garments as modelling programs write them: open, in pieces that stick into each other, with
// split vertices, in other units and with z up.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/error.h"
#include "sim/run/crossing_warning.h"
#include "sim/run/simulation.h"
#include "sim/scene/model/cloth_mesh.h"
#include "sim/scene/text/import_questions.h"
#include "sim/scene/text/scene_file.h"
#include "tests/support/folder.h"
#include "tests/support/text.h"

using namespace weft;
using testing::contains, testing::Folder;

namespace {

/// An open tube around a line: rings of `sides` vertices, and nothing at its ends.
void add_tube(TriMesh& mesh, const vec3& from, const vec3& to, const std::vector<float>& radii, int sides) {
  const vec3 along = glm::normalize(to - from),
             u = glm::normalize(glm::cross(along, std::abs(along.x) < 0.5f ? vec3(1, 0, 0) : vec3(0, 0, 1))),
             w = glm::cross(along, u);
  const int first = mesh.vertex_count(), rings = int(radii.size());
  for (int r = 0; r < rings; ++r)
    for (int s = 0; s < sides; ++s) {
      const float a = 2 * kPi * float(s) / float(sides);
      mesh.positions.push_back(glm::mix(from, to, float(r) / float(rings - 1)) +
                               radii[size_t(r)] * (std::cos(a) * u + std::sin(a) * w));
    }
  const auto at = [&](int r, int s) { return first + r * sides + s % sides; };
  for (int r = 0; r + 1 < rings; ++r)
    for (int s = 0; s < sides; ++s) {
      mesh.triangles.push_back({at(r, s), at(r, s + 1), at(r + 1, s + 1)});
      mesh.triangles.push_back({at(r, s), at(r + 1, s + 1), at(r + 1, s)});
    }
}

/// A torso that is open at hips and neck, with open arms that stick into it at the armpits: m, y up.
TriMesh figure() {
  TriMesh mesh;
  add_tube(mesh, {0, 0.8f, 0}, {0, 1.45f, 0}, {0.15f, 0.13f, 0.14f, 0.16f, 0.15f, 0.06f}, 24);
  for (const float side : {-1.0f, 1.0f})
    add_tube(mesh, {0.08f * side, 1.3f, 0}, {0.5f * side, 1.15f, 0}, {0.05f, 0.05f, 0.045f, 0.04f, 0.035f},
             14);
  return mesh;
}

enum class Form { obj, sequence, usda };

/// The figure in centimetres with z up, each triangle with vertices of its own, faces inwards if wanted.
std::string written(const Folder& folder, Form form, bool inward) {
  const TriMesh mesh = figure();
  std::string vertices, faces, points, counts, indices;
  int n = 0;
  for (const ivec3& t : mesh.triangles) {
    for (const int k : inward ? std::array{0, 2, 1} : std::array{0, 1, 2}) {
      const vec3 p = 100.0f * mesh.positions[size_t(t[k])];
      vertices += fmt::format("v {} {} {}\n", p.x, -p.z, p.y);
      points += fmt::format("{}({}, {}, {})", n ? ", " : "", p.x, -p.z, p.y);
      indices += fmt::format("{}{}", n ? ", " : "", n);
      ++n;
    }
    faces += fmt::format("f {} {} {}\n", n - 2, n - 1, n);
    counts += n > 3 ? ", 3" : "3";
  }
  if (form == Form::usda)
    return folder.write(
        "figure.usda", "#usda 1.0\n(\n upAxis = \"Z\"\n)\ndef Mesh \"figure\" {\nint[] faceVertexCounts = [" +
                           counts + "]\nint[] faceVertexIndices = [" + indices +
                           "]\nuniform token subdivisionScheme = \"none\"\npoint3f[] points = [" + points +
                           "]\n}\n");
  return folder.write("figure_1.obj", vertices + faces);
}

std::string scene_text(Form form, bool told) {
  const std::string file = form == Form::obj        ? "file = \"figure_1.obj\"\n"
                           : form == Form::sequence ? "sequence = \"figure_#.obj\"\n"
                                                    : "file = \"figure.usda\"\n";
  return "[step]\ncollision = \"two_way\"\n[[cloth]]\nsize = [0.6, 0.4]\nvertices = 500\nposition = [0, 1.5, "
         "0]\nrotation = [-90, 0, 0]\n[[obstacle]]\nname = \"figure\"\n" +
         file + (told && form != Form::usda ? "unit = \"cm\"\nup = \"z\"\n" : "");
}

}  // namespace

TEST_CASE(
    "a body of open pieces that stick into each other, split, in centimetres and with z up, carries cloth "
    "without a crossing") {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  for (const Form form : {Form::obj, Form::sequence, Form::usda})
    for (const bool inward : {false, true}) {
      const Folder folder;
      CAPTURE(int(form));
      CAPTURE(inward);
      written(folder, form, inward);
      Simulation simulation(read_scene(folder.write("s.toml", scene_text(form, true))), *device);
      const TriMesh& mesh = simulation.obstacle_meshes()[0];
      CHECK(mesh.vertex_count() == figure().vertex_count());  // joined again, and neither arms nor torso lost
      CHECK(mesh.triangles.size() == figure().triangles.size());
      for (const std::string& n : simulation.model().notices) CHECK_FALSE(is_import_question(n));
      for (int i = 0; i < 45; ++i) simulation.step();
      CHECK(simulation.stats().min_height < 1.44f);  // it hangs over the arms
      CHECK(simulation.stats().min_height > 0.9f);
      const StateCrossings crossings = state_crossings(simulation, kCrossesItself | kCrossesBodies);
      CHECK(crossings.own + crossings.with_bodies == 0);
    }
}

TEST_CASE(
    "the same body without its unit and axis is asked about with the keys to add, one after the other") {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  const Folder folder;
  written(folder, Form::sequence, false);
  const auto asked = [&](const std::string& keys) {
    std::string text = scene_text(Form::sequence, false) + keys;
    text.replace(text.find("two_way"), 7, "none");
    Simulation simulation(read_scene(folder.write("s.toml", text)), *device);
    std::string words;
    for (const std::string& n : simulation.model().notices)
      if (is_import_question(n)) words += n + "\n";
    return words;
  };
  CHECK(contains(asked(""), "unit = \"cm\" in [[obstacle]]"));
  CHECK(asked("unit = \"cm\"\nup = \"z\"\n") == "");
}

TEST_CASE(
    "a garment whose panels are split at its seams is joined within 0.1 mm and keeps them as its rest "
    "shape") {
  // Two panels of 0.2 by 0.3 m that meet at x = 0.2, 0.05 mm apart; their texture coordinates lie side by
  // side in 0 to 1.
  const auto panel = [](float x0, float u0, int first, float unit) {
    std::string text;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 4; ++j)
        text += fmt::format("v {} {} {}\nvt {} {}\n", x0 + 0.1f * float(i), 0.1f * float(j), 0,
                            unit * (u0 + 0.1f * float(i)), unit * 0.1f * float(j));
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 3; ++j) {
        const int a = first + 4 * i + j;
        text += fmt::format("f {0}/{0} {1}/{1} {2}/{2} {3}/{3}\n", a, a + 4, a + 5, a + 1);
      }
    return text;
  };
  const Folder folder;
  for (const float unit : {1.0f, 1.25f, 2.0f}) {  // the factor of texture coordinates
    CAPTURE(unit);
    Cloth cloth;
    cloth.shape = ClothShape::obj, cloth.rest.shape = "texture", cloth.weld = 1e-4f;
    cloth.file = folder.write("shirt.obj", panel(0, 0, 1, unit) + panel(0.20005f, 0.22f, 13, unit));
    std::vector<std::string> notices;
    const TriMesh mesh = build_cloth_mesh(cloth, "", notices);
    CHECK(mesh.vertex_count() == 20);  // four pairs are joined
    CHECK(mesh.corners.is_rest);
    CHECK(mesh.corners.values.size() == 24);
    // one factor for both axes makes metres of them
    double area = 0;
    for (const ivec3& c : mesh.corners.of_triangle) {
      const dvec2 a(mesh.corners.values[size_t(c.x)]), b(mesh.corners.values[size_t(c.y)]),
          d(mesh.corners.values[size_t(c.z)]);
      area += 0.5 * std::abs((b.x - a.x) * (d.y - a.y) - (b.y - a.y) * (d.x - a.x)) *
              double(mesh.uv_scale.x) * double(mesh.uv_scale.y);
    }
    CHECK(mesh.uv_scale.x == mesh.uv_scale.y);
    CHECK(std::abs(area - 0.12) < 1e-4);
  }
}

TEST_CASE("texture coordinates that are stretched along one axis are refused, with by how much") {
  const Folder folder;
  Cloth cloth;
  cloth.shape = ClothShape::obj, cloth.rest.shape = "texture";
  // a sheet of 0.2 by 0.8 m whose coordinates fill the square from 0 to 1
  cloth.file = folder.write("sheet.obj",
                            "v 0 0 0\nv 0.2 0 0\nv 0.2 0.8 0\nv 0 0.8 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nf "
                            "1/1 2/2 3/3\nf 1/1 3/3 4/4\n");
  std::vector<std::string> notices;
  try {
    build_cloth_mesh(cloth, "", notices);
    FAIL("it was taken");
  } catch (const Error& e) {
    CAPTURE(std::string(e.what()));
    // 0.4 m per unit: sides of 0.2 and 0.8 m become 0.4, and the diagonal of 0.825 m 0.566: 1.718 m of 3.649
    CHECK(contains(e.what(), "lengths differ by 47 %"));
    CHECK_FALSE(e.what_to_do.empty());
  }
}
