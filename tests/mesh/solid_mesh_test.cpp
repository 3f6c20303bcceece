// Meshes of tetrahedra: boxes, surfaces that are filled, files of Gmsh.
#include <doctest/doctest.h>

#include <map>
#include <set>

#include "sim/base/error.h"
#include "sim/mesh/sides.h"
#include "sim/mesh/solid/fill.h"
#include "sim/mesh/solid/gmsh.h"
#include "sim/mesh/topology.h"

using namespace weft;

namespace {

double volume(const TetMesh& m) {
  double sum = 0;
  for (const ivec4& c : m.cells) sum += cell_volume(m.positions, c);
  return sum;
}

/// Six times the volume over the cube of the root mean square edge, over that of a regular tetrahedron.
double worst_shape(const TetMesh& m) {
  double worst = 1;
  for (const ivec4& c : m.cells) {
    double squares = 0;
    for (int a = 0; a < 4; ++a)
      for (int b = a + 1; b < 4; ++b) {
        const dvec3 d = dvec3(m.positions[c[a]]) - dvec3(m.positions[c[b]]);
        squares += glm::dot(d, d) / 6;
      }
    worst = std::min(worst, cell_volume(m.positions, c) / std::pow(squares, 1.5) * 6 * std::sqrt(2.0));
  }
  return worst;
}

/// Every cell has a volume, every edge of the skin belongs to two triangles that go along it in opposite
/// directions, and the skin encloses what the cells fill.
void check_whole(const TetMesh& m) {
  for (const ivec4& c : m.cells) REQUIRE(cell_volume(m.positions, c) > 0);
  const std::vector<ivec3> skin = skin_of(m.cells);
  std::map<std::pair<int, int>, int> sides;
  double enclosed = 0;
  for (const ivec3& t : skin) {
    for (int k = 0; k < 3; ++k) ++sides[{t[k], t[(k + 1) % 3]}];
    enclosed +=
        glm::dot(glm::cross(dvec3(m.positions[t.x]), dvec3(m.positions[t.y])), dvec3(m.positions[t.z])) / 6;
  }
  for (const auto& [side, count] : sides) {
    REQUIRE(count == 1);
    REQUIRE(sides.count({side.second, side.first}) == 1);
  }
  CHECK(std::abs(enclosed / volume(m) - 1) < 1e-5);
  CHECK(inner_faces_of(m.cells).size() * 2 + skin.size() == 4 * m.cells.size());
}

const std::string kTwoCells =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Comments\n$Nodes 3\n$EndComments\n"
    "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n7 1 1 1\n9 5 5 5\n$EndNodes\n"
    "$Elements\n3\n1 2 2 0 1 1 2 3\n2 4 2 0 1 1 2 3 4\n3 4 2 0 1 2 3 4 7\n$EndElements\n";
const std::string kTwoCells4 =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n1 0 0 0 1 1 1 0 0\n$EndEntities\n"
    "$Nodes\n2 6 1 9\n2 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n3 1 0 3\n4\n7\n9\n0 0 1\n1 1 1\n5 5 "
    "5\n$EndNodes\n"
    "$Elements\n2 3 1 3\n2 1 2 1\n1 1 2 3\n3 1 4 2\n2 1 2 3 4\n3 2 3 4 7\n$EndElements\n";

std::string message_of(const std::string& text) {
  try {
    parse_gmsh(text, "body.msh");
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a box of cells has the box's volume and a skin without holes") {
  for (const ivec3& n : {ivec3(1, 1, 1), ivec3(4, 1, 3), ivec3(2, 3, 5)}) {
    const vec3 size = vec3(n) * vec3(0.1f, 0.11f, 0.095f);
    const TetMesh m = box_cells(size, 0.1f);
    CHECK(m.cells.size() == size_t(5 * n.x * n.y * n.z));
    CHECK(std::abs(volume(m) / double(size.x * size.y * size.z) - 1) < 1e-5);
    CHECK(skin_of(m.cells).size() == size_t(4 * (n.x * n.y + n.y * n.z + n.x * n.z)));
    check_whole(m);
    CHECK(worst_shape(m) > 0.6);
  }
}

TEST_CASE("a filled ball comes nearer to the ball's volume with the square of the cells' size") {
  const double ball = M_PI / 6 * 0.3 * 0.3 * 0.3;
  std::vector<double> missing;
  for (const float edge : {0.06f, 0.03f}) {
    const TetMesh m = ball_cells(0.3f, edge);
    check_whole(m);
    CHECK(worst_shape(m) > 0.1);
    missing.push_back(1 - volume(m) / ball);
    for (const ivec3& t : skin_of(m.cells))
      for (int k = 0; k < 3; ++k) REQUIRE(std::abs(glm::length(m.positions[t[k]]) - 0.15f) < 1e-6f);
  }
  CHECK(missing[0] > 0);
  CHECK(missing[1] < 0.35 * missing[0]);
}

TEST_CASE("filled surfaces with edges and holes have whole skins") {
  check_whole(disc_cells(0.3f, 0.06f, 0.02f));
  Bounds bounds;
  bounds.add(vec3(-0.2f)), bounds.add(vec3(0.2f));
  const auto ring = [](const dvec3& p) {
    const double out = glm::length(dvec2(p.x, p.z)) - 0.13;
    return glm::length(dvec2(out, p.y)) - 0.05;
  };
  const TetMesh m = fill_cells(bounds, 0.025, ring, "ring");
  check_whole(m);
  CHECK(worst_shape(m) > 0.1);
  const std::vector<ivec3> skin = skin_of(m.cells);
  std::set<int> points;
  for (const ivec3& t : skin)
    for (int k = 0; k < 3; ++k) points.insert(t[k]);
  // Euler: points - edges + triangles is 0 for a ring
  CHECK(int(points.size()) - int(unique_edges(skin).size()) + int(skin.size()) == 0);
}

TEST_CASE("a lattice without room inside is refused") {
  Bounds small;
  small.add(vec3(0)), small.add(vec3(0.2f));
  CHECK_THROWS_WITH_AS(fill_cells(
                           small, 0.1, [](const dvec3&) { return 1.0; }, "solid s"),
                       doctest::Contains("no cell"), Error);
  Bounds huge;
  huge.add(vec3(-1000)), huge.add(vec3(1000));
  CHECK_THROWS_WITH_AS(fill_cells(
                           huge, 0.1, [](const dvec3&) { return 1.0; }, "solid s"),
                       doctest::Contains("points, and at most"), Error);
}

TEST_CASE("both versions of Gmsh files give their tetrahedra and the points of these alone") {
  for (const std::string& text : {kTwoCells, kTwoCells4}) {
    const TetMesh m = parse_gmsh(text, "body.msh");
    CHECK(m.cells.size() == 2);
    CHECK(m.positions.size() == 5);
    check_whole(m);
    CHECK(volume(m) == doctest::Approx(0.5));
  }
}

TEST_CASE("faults of a Gmsh file are told with their line") {
  const auto with = [](std::string text, const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  CHECK(message_of(with(kTwoCells, "2.2 0 8", "2.2 1 8")).find("binary") != std::string::npos);
  CHECK(message_of(with(kTwoCells, "2.2", "3.0")).find("version 3") != std::string::npos);
  CHECK(message_of(with(kTwoCells, "2 3 4 7\n", "2 3 4 8\n")).find("no node 8") != std::string::npos);
  CHECK(message_of(with(kTwoCells, "4 0 0 1", "4 0 0 x")).find("body.msh:12") != std::string::npos);
  CHECK(message_of(with(kTwoCells, "4 0 0 1", "4 1 1 0")).find("flat") != std::string::npos);
  CHECK(message_of(with(kTwoCells, "$EndElements\n", "")).find("ends too early") != std::string::npos);
  CHECK(message_of(kTwoCells.substr(0, kTwoCells.find("$Elements"))).find("no tetrahedra") !=
        std::string::npos);
  CHECK(message_of(with(kTwoCells, "3 4 2 0 1 2 3 4 7", "3 5 2 0 1 1 2 3 4 1 2 3 4")).find("hexahedra") !=
        std::string::npos);
  CHECK(message_of("solid\n").find("no file of Gmsh") != std::string::npos);
}
