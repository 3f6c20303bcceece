#include "sim/mesh/import/obj.h"

#include <doctest/doctest.h>
#include <tiny_obj_loader.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/mesh/shapes/shapes.h"
#include "test_paths.h"
#include "tests/support/poisson.h"
#include "tests/support/skip.h"
#include "tests/support/tablecloth.h"
#include "tests/support/text.h"

using namespace weft;
using testing::begins, testing::contains;

namespace {

const std::string kTriangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

struct Parsed {
  TriMesh mesh;
  std::vector<std::string> notices;
};
Parsed parse(const std::string& text) {
  ImportReport report;
  Parsed parsed{parse_obj(text, "a.obj", report), {}};
  parsed.notices = report.notices;
  return parsed;
}

std::string fault(const std::string& text) {
  ImportReport report;
  try {
    parse_obj(text, "a.obj", report);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

double area(const TriMesh& m) {
  double sum = 0;
  for (const ivec3& t : m.triangles)
    sum += 0.5 * glm::length(glm::cross(dvec3(m.positions[t.y] - m.positions[t.x]),
                                        dvec3(m.positions[t.z] - m.positions[t.x])));
  return sum;
}

namespace fs = std::filesystem;

/// What is said of a broken file.
struct Broken {
  const char* file;
  bool loads;
  const char* said;  // after the path
};

/// Every file of a folder is one of `cases` and gives its error, or loads with its notice.
void check_folder(const fs::path& folder, const std::vector<Broken>& cases) {
  size_t files = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    ++files;
    const auto known = std::find_if(cases.begin(), cases.end(),
                                    [&](const Broken& c) { return entry.path().filename() == c.file; });
    const std::string path = entry.path().string();
    CAPTURE(path);
    REQUIRE(known != cases.end());
    ImportReport report;
    std::string said;
    bool loaded = true;
    try {
      read_obj(path, report);
      for (const std::string& n : report.notices) said += n + "\n";
    } catch (const Error& e) {
      loaded = false, said = e.what();
    }
    CAPTURE(said);
    CHECK(loaded == known->loads);
    CHECK(contains(said, path + known->said));
  }
  CHECK(files == cases.size());
}

/// The mesh of a file is what tinyobjloader makes of it.
void check_against_tinyobj(const std::string& path) {
  CAPTURE(path);
  ImportReport report;
  const TriMesh mesh = read_obj(path, report);
  CHECK(report.notices.empty());
  tinyobj::ObjReader reader;
  REQUIRE(reader.ParseFromFile(path));
  const auto& v = reader.GetAttrib().vertices;
  REQUIRE(v.size() == 3 * mesh.positions.size());
  for (size_t i = 0; i < v.size(); ++i)
    REQUIRE(std::abs(mesh.positions[i / 3][int(i % 3)] - v[i]) <= 1.2e-7f * std::abs(v[i]));
  size_t t = 0;
  for (const auto& shape : reader.GetShapes()) {
    const auto corner = [&](size_t i) { return shape.mesh.indices[i].vertex_index; };
    for (size_t i = 0; i + 2 < shape.mesh.indices.size(); i += 3, ++t)
      REQUIRE(mesh.triangles.at(t) == ivec3(corner(i), corner(i + 1), corner(i + 2)));
  }
  CHECK(t == mesh.triangles.size());
}

}  // namespace

TEST_CASE("a plain triangle is read without a word") {
  const Parsed p = parse(kTriangle);
  CHECK(p.mesh.positions == std::vector<vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
  CHECK(p.mesh.triangles == std::vector<ivec3>{{0, 1, 2}});
  CHECK(p.mesh.uv.empty());
  CHECK(p.notices.empty());
}

TEST_CASE("faults that cannot be meant name the file, the line and the fault") {
  struct Case {
    const char* text;
    const char* start;
  };
  const Case cases[] = {
      {"v 0 0 nan\n", "a.obj:1: 'nan' is not a finite number"},
      {"\n\nv 0 inf 0\n", "a.obj:3: 'inf' is not a finite number"},
      {"v 0 -infinity 0\n", "a.obj:1: '-infinity' is not a finite number"},
      {"v 0 1.#IND 0\n", "a.obj:1: '1.#IND' is not a number"},
      {"v 0 one 0\n", "a.obj:1: 'one' is not a number"},
      {"v 0 0x10 0\n", "a.obj:1: '0x10' is not a number"},
      {"v 0 1,5 0\n", "a.obj:1: '1,5' is not a number — write decimals with a point"},
      {"v 0 1e999 0\n", "a.obj:1: '1e999' is too large or too small to be represented"},
      {"v 0 1e30 0\n", "a.obj:1: the coordinate 1e+30 is beyond 1000 km"},
      {"v 0 0\n", "a.obj:1: a vertex needs three coordinates, this one has 2"},
      {"v\n", "a.obj:1: a vertex needs three coordinates, this one has 0"},
      {"v 1 2 3 4 5\n", "a.obj:1: a vertex has three coordinates, then a weight or a colour"},
      {"vt\n", "a.obj:1: a texture coordinate has one to three numbers, this one has 0"},
      {"vt one 0\n", "a.obj:1: 'one' is not a number"},
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n",
       "a.obj:4: the vertex index 0 is not allowed — OBJ counts from 1"},
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n",
       "a.obj:4: the vertex index 4 is out of range: the file defines 3"},
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -4\n",
       "a.obj:4: the vertex index -4 is out of range: 3 are defined so far"},
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4294967297\n",
       "a.obj:4: the vertex index 4294967297 is out of range"},
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99999999999999999999\n",
       "a.obj:4: the vertex index 99999999999999999999 is out of range"},
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3.5\n", "a.obj:4: '3.5' in the corner '3.5' is not a whole number"},
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 three\n",
       "a.obj:4: 'three' in the corner 'three' is not a whole number"},
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1//x 2//1 3//1\n",
       "a.obj:4: 'x' in the corner '1//x' is not a whole number"},
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/ 2/ 3/\n", "a.obj:4: '1/' ends in a slash"},
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1// 2// 3//\n", "a.obj:4: '' in the corner '1//' is not a whole number"},
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\n", "a.obj:1: the mesh has no faces"},
      {"# only a comment\n", "a.obj:1: the mesh has no faces"},
      {"v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n",
       "a.obj:4: the mesh has no usable faces: 1 without area (line 4)"},
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 2 2 2\nf 1 3 1\n",
       "a.obj:4: the mesh has no usable faces: 2 of fewer than three different vertices (line 4)"},
      {"hello world\n", "a.obj:1: the mesh has no usable faces: 1 statements 'hello' (line 1)"},
      {"\xFF\xFEv\0 \0", "a.obj:1: the file is UTF-16 text"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CAPTURE(fault(c.text));
    CHECK(begins(fault(c.text), c.start));
  }
  CHECK(begins(fault(std::string("v 0 0 0\nv 1\0 0 0\n", 17)), "a.obj:2: the file holds a zero byte"));
}

TEST_CASE("a word of any length makes a short message") {
  const std::string vertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\n", digits(70000, '7');
  const std::string texts[] = {vertices + "f 1 2 " + digits + "\n",
                               vertices + "f 1 2 -" + digits + "\n",
                               vertices + "f 1 2 " + digits + "x\n",
                               vertices + "f 1 2 3/" + digits + "/" + digits + "/\n",
                               "v 0 0 " + digits + "\n",
                               "v 0 0 " + digits + "x\n",
                               vertices + digits + " 1 2\n",
                               vertices + "f 1 2 3//" + digits + "x\n"};
  for (const std::string& text : texts) {
    CAPTURE(text.substr(0, 40));
    CHECK(fault(text).size() > 10);
    CHECK(fault(text).size() < 300);
    CHECK(contains(fault(text), "777"));
  }
  const ObjFile file("o " + digits + "\n" + kTriangle + "o b\nv 5 0 0\nv 6 0 0\nv 5 1 0\nf 4 5 6\n", "a.obj");
  try {
    file.find(digits + "8");
    FAIL("found");
  } catch (const Error& e) {
    CHECK(std::string(e.what()).size() < 400);
  }
  // A character of several bytes is not cut in two.
  std::string word = "x";
  for (int i = 0; i < 100; ++i) word += "\xC3\xA9";
  CHECK(contains(fault("v 0 0 " + word + "\n"), "\xC3\xA9 ... \xC3\xA9"));
}

TEST_CASE("what can be repaired is repaired, and said with file and line") {
  struct Case {
    std::string text;
    const char* notice;
    int vertices, triangles;
  };
  const Case cases[] = {
      {"\xEF\xBB\xBF" + kTriangle, "a.obj:1: the file begins with a byte-order mark: skipped", 3, 1},
      {kTriangle + "p 1\np 2\n", "a.obj:5: 2 point statements (the first is here): skipped", 3, 1},
      {kTriangle + "l 1 2\n",
       "a.obj:5: 1 sewing line (an l statement that leads from face to face): sewing lines are not supported "
       "yet; skipped",
       3, 1},
      {kTriangle + "v 1 1 0\nl 2 4 3\nl 1 3\n", "a.obj:6: 2 sewing lines", 3, 1},  // over a point of its own
      {kTriangle + "v 1 1 0\nv 2 2 0\nl 2 4\nl 4 5\nl 5 3\n", "a.obj:7: 3 sewing lines", 3, 1},  // in pieces
      {kTriangle + "v 1 1 0\nv 2 2 0\nl 1 4\nl 2 5\n",
       "a.obj:7: 2 line statements (the first is here): skipped", 3, 1},  // loose ends
      {kTriangle + "v 1 1 0\nv 2 2 0\nl 4 5\nl 1 3\n", "a.obj:7: 1 line statement: skipped", 3, 1},
      {kTriangle + "l 1 99999999999999999999\nl 2\nl\n",
       "a.obj:5: 3 line statements (the first is here): skipped", 3, 1},
      {kTriangle + "f 1 2\n", "a.obj:5: 1 face of fewer than three corners: skipped", 3, 1},
      {kTriangle + "curv 0 1 2\n", "a.obj:5: unknown statement 'curv' (1 times): skipped", 3, 1},
      {kTriangle + "f 2 3 1\n", "a.obj:5: 1 face of the same three vertices as an earlier one: dropped", 3,
       1},
      {kTriangle + "f 3 2 1\n", "a.obj:5: 1 face of the same three vertices as an earlier one: dropped", 3,
       1},
      {kTriangle + "f 1 2 2\n", "a.obj:5: 1 face that names a vertex twice in a row", 3, 1},
      {kTriangle + "v 2 0 0\nf 1 2 4\n", "a.obj:6: 1 triangle without area: dropped", 3, 1},
      {kTriangle + "v 9 9 9\n", "a.obj:5: 1 vertex that no face uses: left out of the simulation", 3, 1},
      {kTriangle + "v 0 0 0\nv 1 0 1\nv 0 1 1\nf 4 5 6\n",
       "a.obj:5: 1 vertex in the same place as another: kept apart", 6, 2},
      {kTriangle + "v 1 1 0\nf 2 3 4\n",
       "a.obj:6: 1 edge whose two faces are wound in opposite directions: kept", 4, 2},
      {kTriangle + "v 1 1 0\nf 3 2 4\nv 1 1 1\nf 3 2 5\n",
       "a.obj:8: 1 edge of more than two faces (non-manifold): kept", 5, 3},
      {"v 0 0 0 0.5\n" + std::string("v 1 0 0\nv 0 1 0\nf 1 2 3\n"),
       "a.obj:1: 1 vertex with a weight other than 1: the weight is ignored", 3, 1},
      {kTriangle + "vt 0 0\nv 1 1 0\nf 3/1 2 4\n", "a.obj:7: 1 face whose corners differ in form", 4, 2},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const Parsed p = parse(c.text);
    bool said = false;
    for (const std::string& n : p.notices) said |= begins(n, c.notice);
    if (!said)
      for (const std::string& n : p.notices) MESSAGE(n);
    CHECK(said);
    CHECK(p.mesh.vertex_count() == c.vertices);
    CHECK(p.mesh.triangle_count() == c.triangles);
  }
}

TEST_CASE("what nothing depends on is no reason to refuse a mesh") {
  struct Case {
    const char* text;
    const char* notice;
  };
  const Case cases[] = {
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nf 1//1 2//2 3//3\n",
       "a.obj:5: 2 corners with a normal index that the file does not define (the first is here): normals "
       "are not used"},
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nf 1//-1 2//-2 3//0\n", "a.obj:5: 2 corners with a normal index"},
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1//1 2//1 3//1\nvn 0 0 1\n", nullptr},
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\nvn nan nan nan\nf 1//1 2//1 3//1\n",
       "a.obj:4: 1 normal that is not three numbers: normals are not used"},
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 -nan(ind) 1\nvn 0 0\nvn x y z\nf 1 2 3\n",
       "a.obj:4: 3 normals that are not three numbers"},
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nf 1/1 2/2 3/3\n",
       "a.obj:6: 1 corner with a texture coordinate that the file does not define: treated as missing"},
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/1 2/0 3/-1\n",
       "a.obj:4: 3 corners with a texture coordinate that the file does not define"},
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/1 2/2 3/3\nvt 0 0\nvt 1 0\nvt 0 1\n", nullptr},
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 nan\nvt 1e30 0\nf 1/1 2/2 3/3\n",
       "a.obj:5: 2 texture coordinates that are not finite or too large"},
      {"mtllib nowhere.mtl\nusemtl none\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", nullptr},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const Parsed p = parse(c.text);
    CHECK(p.mesh.triangle_count() == 1);
    CHECK(p.mesh.vertex_count() == 3);
    for (const vec2& t : p.mesh.uv) CHECK(std::isfinite(t.x + t.y));
    for (const vec2& t : p.mesh.corners.values) CHECK(std::isfinite(t.x + t.y));
    CAPTURE(p.notices.empty() ? std::string() : p.notices[0]);
    if (c.notice) CHECK((!p.notices.empty() && begins(p.notices[0], c.notice)));
    else CHECK(p.notices.empty());
  }
}

namespace {

/// Two triangles apart, named by `first` and `second`, and a third on the second's edge, named by `third`.
ObjFile three(const std::string& first, const std::string& second, const std::string& third) {
  return ObjFile(first + "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n" + second +
                     "v 5 0 0\nv 6 0 0\nv 5 1 0\nf 4 5 6\n" + third + "v 6 1 0\nf 5 7 6\n",
                 "a.obj");
}

std::vector<std::string> names_of(const ObjFile& file) {
  std::vector<std::string> names;
  for (const ObjObject& o : file.objects()) names.push_back(o.name);
  return names;
}

}  // namespace

TEST_CASE("objects that share no vertices are pieces, and so are groups where there are no objects") {
  using Names = std::vector<std::string>;
  CHECK(names_of(three("o sleeve\n", "o front left\n", "")) == Names{"sleeve", "front left"});
  CHECK(names_of(three("g sleeve\n", "g front\n", "")) == Names{"sleeve", "front"});
  CHECK(names_of(three("o all\ng sleeve\n", "g front\n", "")) == Names{"sleeve", "front"});
  CHECK(names_of(three("o a\ng x\n", "o b\ng y\n", "")) == Names{"a", "b"});
  CHECK(names_of(three("usemtl a\n", "usemtl b\n", "")) == Names{""});
  CHECK(names_of(three("", "o late\n", "")) == Names{"default", "late"});
  // one object in two places, joined with b by the edge
  CHECK(names_of(three("o a\n", "o b\n", "o a\n")) == Names{"a"});
  const ObjFile joined = three("g sleeve\n", "g front\n", "g back\n");
  CHECK(names_of(joined) == Names{"sleeve", "front"});
  CHECK(joined.objects()[1].joined == Names{"back"});
  CHECK(joined.objects()[1].vertices == 4);
  CHECK(joined.objects()[1].faces == 2);
  CHECK(joined.find("back") == 1);
  CHECK_THROWS_WITH_AS(joined.find("sleave"),
                       "a.obj: the file has no object or group 'sleave' — did you mean sleeve?", Error);
  CHECK(names_of(three("o b\xC3\xA9\xFF\x01\n", "o c\n", "")) == Names{"b\xC3\xA9__", "c"});
}

TEST_CASE("a piece of a file is the mesh that the file with this piece alone would be") {
  const std::string front = "v 5 0 0\nv 6 0 0\nv 5 1 0\nvt 0 0\nvt 2 0\nvt 0 2\n",
                    back = "v 9 9 9\nv 6 1 0\n";
  const ObjFile file("o sleeve\n" + kTriangle + "o front\n" + front + "f 4/1 5/2 6/3\n" + "o hem\n" +
                         "v 0 0 7\nv 1 0 7\nv 0 1 7\nf 7 8 9\n",
                     "a.obj");
  ImportReport report, whole;
  const TriMesh piece = file.mesh(report, file.find("front"));
  CHECK(piece.positions == std::vector<vec3>{{5, 0, 0}, {6, 0, 0}, {5, 1, 0}});
  CHECK(piece.triangles == std::vector<ivec3>{{0, 1, 2}});
  CHECK(piece.uv.size() == 3);  // the others have none, which is no concern of this one
  CHECK(report.kept_vertices == std::vector<int>{3, 4, 5});
  CHECK(report.notices.empty());
  CHECK(file.mesh(whole).vertex_count() == 9);
  CHECK(whole.notices.size() == 1);
  ImportReport unused;
  const ObjFile stray("o a\n" + kTriangle + "o b\n" + back + "v 7 0 0\nv 7 1 0\nf 5 6 7\n", "a.obj");
  CHECK(stray.mesh(unused, 1).vertex_count() == 3);
  REQUIRE(unused.notices.size() == 1);
  CHECK(begins(unused.notices[0], "a.obj:7: 1 vertex that no face uses"));
}

TEST_CASE("line ends of Windows and old Macs, comments and joined lines change nothing") {
  const std::string texts[] = {"v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\n",
                               "v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3\r",
                               "# c\nv 0 0 0 # c\n\n  \t\nv\t1 0  0\nv 0 +1.0 0e5\nf 1 2 \\\n 3",
                               "o x\ng y\ns 1\nusemtl z\nmtllib w\n" + kTriangle,
                               "v 0 0 0 1 0 0\nv 1 0 0 1 1 1\nv 0 1 0 1.0 0.5 0.25\nf 1 2 3"};
  for (const std::string& text : texts) {
    CAPTURE(text);
    const Parsed p = parse(text);
    CHECK(p.mesh.positions == parse(kTriangle).mesh.positions);
    CHECK(p.mesh.triangles == parse(kTriangle).mesh.triangles);
    CHECK(p.notices.empty());
  }
}

TEST_CASE("lines are counted as an editor counts them") {
  CHECK(begins(fault("v 0 0 0\r\nv 0 0 0\r\nv x 0 0\r\n"), "a.obj:3:"));
  CHECK(begins(fault("v 0 0 0\rv 0 0 0\rv x 0 0\r"), "a.obj:3:"));
  CHECK(begins(fault("v 0 0 0\nv 0 \\\n0 0\nv x 0 0\n"), "a.obj:4:"));
  CHECK(begins(fault("\n\r\n\nv x 0 0\n"), "a.obj:4:"));
}

TEST_CASE("negative indices count back from where they stand") {
  const Parsed p = parse("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 1 1 0\nf -3 -1 -2\n");
  CHECK(p.mesh.triangles == std::vector<ivec3>{{0, 1, 2}, {1, 3, 2}});
}

TEST_CASE("faces may refer to vertices that follow") {
  CHECK(parse("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n").mesh.triangle_count() == 1);
}

TEST_CASE("the vertices that stay keep their order when unused ones go") {
  const Parsed p = parse("v 9 9 9\nv 0 0 0\nv 8 8 8\nv 1 0 0\nv 0 1 0\nf 2 4 5\n");
  CHECK(p.mesh.positions == std::vector<vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
  CHECK(p.mesh.triangles == std::vector<ivec3>{{0, 1, 2}});
}

TEST_CASE("texture coordinates become metres, each axis by its own scale") {
  const Parsed p = parse(
      "v 0 0 0\nv 2 0 0\nv 2 0.5 0\nv 0 0.5 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nf 1/1 2/2 3/3\nf 1/1 3/3 "
      "4/4\n");
  REQUIRE(p.mesh.uv.size() == 4);
  CHECK(glm::length(p.mesh.uv[2] - vec2(2, 0.5f)) < 1e-6f);
  CHECK(p.notices.empty());
}

TEST_CASE("texture coordinates with a seam are kept for files alone, and said") {
  const Parsed p = parse(
      "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nf 1/1 2/2 3/3\nf 1/2 3/3 4/4\n");
  CHECK(p.mesh.uv.empty());
  REQUIRE(p.notices.size() == 1);
  CHECK(begins(p.notices[0], "a.obj:10: texture coordinates have a seam"));
  CHECK(p.mesh.corners.values == std::vector<vec2>{{0, 0}, {1, 0}, {1, 1}, {0, 1}});
  CHECK(p.mesh.corners.of_triangle == std::vector<ivec3>{{0, 1, 2}, {1, 2, 3}});
  // What no face uses, and faces that are dropped, leave nothing.
  const Parsed q = parse(
      "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 9 9\nvt 0 0\nvt 1 0\nvt 1 1\nf 1/1 2/1 2/1\nf 1/2 2/3 3/4\nf 1 "
      "3 4\n");
  CHECK(q.mesh.corners.values == std::vector<vec2>{{0, 0}, {1, 0}, {1, 1}});
  CHECK(q.mesh.corners.of_triangle == std::vector<ivec3>{{0, 1, 2}, {-1, -1, -1}});
}

TEST_CASE("missing, empty and unreadable files are said in words") {
  ImportReport report;
  const auto folder = std::filesystem::temp_directory_path();
  const std::string missing = (folder / "weft_no_such.obj").string(),
                    empty = (folder / "weft_empty.obj").string();
  CHECK_THROWS_WITH_AS(read_obj(missing, report),
                       (missing + ": there is no such file — check the path").c_str(), Error);
  CHECK_THROWS_WITH_AS(read_obj(folder.string(), report),
                       (folder.string() + ": this is a folder, not an OBJ mesh — name a file").c_str(),
                       Error);
  write_text_file(empty, "");
  CHECK_THROWS_WITH_AS(read_obj(empty, report),
                       (empty + ": the file is empty — it should hold an OBJ mesh").c_str(), Error);
  std::filesystem::remove(empty);
}

TEST_CASE("what is written reads back to the same bits, group after group") {
  const TriMesh a = make_poisson_rectangle({0.3f, 0.2f}, 0.03f, 9), b = make_sphere(0.1f, 2);
  const std::string path = (std::filesystem::temp_directory_path() / "weft_roundtrip.obj").string();
  write_obj(path, {{"the cloth", &a.positions, &a.triangles},
                   {"ball", &b.positions, &b.triangles, glm::translate(mat4(1), vec3(0, 0, 1))}});
  ImportReport report;
  const TriMesh m = read_obj(path, report);
  REQUIRE(m.vertex_count() == a.vertex_count() + b.vertex_count());
  for (int v = 0; v < a.vertex_count(); ++v) REQUIRE(m.positions[v] == a.positions[v]);
  for (int v = 0; v < b.vertex_count(); ++v)
    REQUIRE(m.positions[a.vertex_count() + v] == b.positions[v] + vec3(0, 0, 1));
  CHECK(m.triangles[a.triangle_count()] == b.triangles[0] + ivec3(a.vertex_count()));
  const std::string text = read_text_file(path, "an OBJ mesh");
  CHECK(contains(text, "g the_cloth\n"));
  CHECK(contains(text, "g ball\n"));
  std::filesystem::remove(path);
  CHECK_THROWS_AS(write_obj("/no/such/folder/a.obj", {}), Error);
}

TEST_CASE("every broken file of the collection gives a clear error or notice") {
  check_folder(
      fs::path(WEFT_TEST_ASSETS) / "mesh/broken_obj",
      {{"an_stl_file.obj", false, ":1: the mesh has no usable faces: 1 statements 'endfacet' (line 8)"},
       {"byte_order_mark.obj", true, ":1: the file begins with a byte-order mark: skipped"},
       {"corner_twice.obj", true, ":7: 1 face that names a vertex twice in a row"},
       {"cut_off_in_a_face.obj", true, ":6: 1 face of fewer than three corners: skipped"},
       {"cut_off_in_a_number.obj", false, ":7: a vertex needs three coordinates, this one has 2"},
       {"decimal_comma.obj", false, ":1: '0,5' is not a number — write decimals with a point"},
       {"index_before_first.obj", false, ":1: the vertex index -4 is out of range: 0 are defined so far"},
       {"index_beyond_last.obj", false, ":6: the vertex index 5 is out of range: the file defines 4"},
       {"index_of_20_digits.obj", false, ":5: the vertex index 99999999999999999999 is out of range"},
       {"index_with_a_point.obj", false, ":5: '2.5' in the corner '2.5' is not a whole number"},
       {"index_zero.obj", false, ":9: the vertex index 0 is not allowed — OBJ counts from 1"},
       {"infinite.obj", false, ":3: '-inf' is not a finite number"},
       {"no_area.obj", false, ":5: the mesh has no usable faces: 2 without area (line 5)"},
       {"no_faces.obj", false, ":1: the mesh has no faces"},
       {"normals_that_are_not_there.obj", true,
        ":7: 1 corner with a normal index that the file does not define"},
       {"not_a_number.obj", false, ":3: 'nan' is not a finite number"},
       {"only_comments.obj", false, ":1: the mesh has no faces"},
       {"only_lines.obj", false, ":5: the mesh has no usable faces: 2 line statements (line 5)"},
       {"only_points.obj", false, ":5: the mesh has no usable faces: 1 point statements (line 5)"},
       {"opposite_winding.obj", true, ":6: 1 edge whose two faces are wound in opposite directions"},
       {"partly_textured.obj", true, ":10: 1 triangle without texture coordinates, which others have"},
       {"same_face_twice.obj", true, ":7: 2 faces of the same three vertices as earlier ones"},
       {"short_faces.obj", false, ":6: the mesh has no usable faces: 2 of fewer than three corners (line 6)"},
       {"three_sheets_at_an_edge.obj", true, ":8: 1 edge of more than two faces (non-manifold): kept"},
       {"too_large_for_a_float.obj", false, ":2: the coordinate 1e+39 is beyond 1000 km"},
       {"two_coordinates.obj", false, ":2: a vertex needs three coordinates, this one has 2"},
       {"undefined_of_windows.obj", false, ":3: '1.#IND' is not a number"},
       {"words_for_numbers.obj", false, ":1: 'zero' is not a number"},
       {"zero_bytes.obj", false, ":3: the file holds a zero byte, so it is not OBJ text"}});
}

TEST_CASE("every malformed file made by others gives a clear error or notice") {
  const fs::path folder = fs::path(WEFT_SHARED_DATA) / "bad-obj";
  if (!fs::exists(folder))
    return testing::skip("the files made by others, " + folder.string() + ", are not there");
  check_folder(folder,
               {{"invalid-face-definition.obj", false,
                 ":15: the mesh has no usable faces: 2 of fewer than three corners"},
                {"invalid-relative-vertex-index.obj", false,
                 ":1: the vertex index -4 is out of range: 0 are defined so far"},
                {"issue-140-zero-face-idx.obj", false, ":16: the vertex index 0 is not allowed"},
                {"issue-161-inconsistent-f.obj", true,
                 ":37: 1 triangle without texture coordinates, which others have"},
                {"line-prim.obj", false, ":15: the mesh has no usable faces: 2 line statements (line 15)"},
                {"points-prim.obj", false, ":15: the mesh has no usable faces: 1 point statements (line 15)"},
                {"test-nan.obj", false, ":12: 'nan' is not a finite number"}});
}

TEST_CASE("sound files read as tinyobjloader reads them") {
  const testing::Tablecloth made;
  const TriMesh ball = make_sphere(0.1f, 3);
  const fs::path path = fs::temp_directory_path() / ("weft_sound_" + std::to_string(getpid()) + ".obj");
  write_obj(path.string(),
            {{"cloth", &made.cloth.positions, &made.cloth.triangles},
             {"table", &made.table.positions, &made.table.triangles},
             {"ball", &ball.positions, &ball.triangles, glm::translate(mat4(1), vec3(0, 1, 0))}});
  check_against_tinyobj(path.string());
  fs::remove(path);
  for (const char* name : {"tableCloth.obj", "table.obj"})
    if (const fs::path other = fs::path(WEFT_SHARED_DATA) / "tablecloth" / name; fs::exists(other))
      check_against_tinyobj(other.string());
}

TEST_CASE("a large mesh is read whole") {
  const TriMesh grid = make_grid({1, 1}, 1.0f / 400);
  const std::string path = (std::filesystem::temp_directory_path() / "weft_large.obj").string();
  write_obj(path, {{"grid", &grid.positions, &grid.triangles}});
  ImportReport report;
  const TriMesh m = read_obj(path, report);
  CHECK(m.positions == grid.positions);
  CHECK(m.triangles == grid.triangles);
  CHECK(report.notices.empty());
  CHECK(area(m) == doctest::Approx(1));
  std::filesystem::remove(path);
}
