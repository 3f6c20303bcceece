#include "sim/mesh/import/obj_sequence.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "sim/base/error.h"
#include "tests/support/folder.h"
#include "tests/support/text.h"

using namespace weft;
using testing::contains, testing::Folder;

namespace {

/// A quad of two triangles lifted by `height`, with a vertex 9 that no face uses in front.
std::string sheet(float height) {
  return fmt::format("v 9 9 9\nv 0 {0} 0\nv 1 {0} 0\nv 1 {0} 1\nv 0 {0} 1\nf 2 3 4 5\n", height);
}

std::string fault(const std::string& path) {
  ImportReport report;
  try {
    read_obj_sequence(path, report);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

std::vector<float> heights(const std::string& path, ImportReport& report) {
  std::vector<float> all;
  for (const auto& frame : read_obj_sequence(path, report).frames) all.push_back(frame.at(0).y);
  return all;
}

}  // namespace

TEST_CASE(
    "a folder, two kinds of pattern and any one file all give the same sequence, in the order of its "
    "numbers") {
  Folder folder;
  for (const auto& [name, height] :
       {std::pair{"arm_10.obj", 10.f}, {"arm_9.obj", 9.f}, {"arm_8.obj", 8.f}, {"arm_8.txt", 0.f}})
    folder.write(name, sheet(height));
  for (const std::string& path :
       std::vector<std::string>{folder.path(), folder / "arm_#.obj", folder / "arm_%d.obj",
                                folder / "arm_9.obj", folder / "arm_10.obj"}) {
    CAPTURE(path);
    ImportReport report;
    CHECK(heights(path, report) == std::vector<float>{8, 9, 10});
  }
  ImportReport report;
  const MeshSequence s = read_obj_sequence(folder.path(), report);
  CHECK(s.numbers == std::vector<long long>{8, 9, 10});
  CHECK(s.mesh.triangle_count() == 2);
  CHECK(s.mesh.positions == s.frames[0]);  // without the vertex that no face uses, in every frame
  CHECK(s.frames[2] == std::vector<vec3>{{0, 10, 0}, {1, 10, 0}, {1, 10, 1}, {0, 10, 1}});
}

TEST_CASE("digits of a pattern are at least as many as its signs, and more where the number is longer") {
  Folder folder;
  folder.write("a_0001.obj", sheet(1)), folder.write("a_12345.obj", sheet(2)),
      folder.write("a_2.obj", sheet(3));
  ImportReport report;
  CHECK(find_obj_sequence(folder / "a_####.obj", report).numbers == std::vector<long long>{1, 12345});
  CHECK(find_obj_sequence(folder / "a_%04d.obj", report).numbers == std::vector<long long>{1, 12345});
}

TEST_CASE("missing numbers are named, an even stride is no gap") {
  Folder folder;
  for (int n : {0, 5, 10, 25, 30}) folder.write(fmt::format("f{:03}.obj", n), sheet(float(n)));
  ImportReport report;
  CHECK(heights(folder.path(), report).size() == 5);
  bool said = false;
  int gaps = 0;
  for (const std::string& n : report.notices) {
    gaps += contains(n, "missing");
    said |= contains(n, "2 frames are missing between f010.obj and f025.obj");
  }
  CHECK(said);
  CHECK(gaps == 1);
}

TEST_CASE("a frame of other vertices or faces is an error that names the file and the difference") {
  Folder folder;
  folder.write("a1.obj", sheet(1));
  folder.write("a2.obj", sheet(1) + "v 5 5 5\n");
  CHECK(contains(fault(folder.path()), "a2.obj: the file has 6 vertices, a1.obj has 5"));
  folder.write("a2.obj", sheet(1) + "f 2 3 4\n");
  CHECK(contains(fault(folder.path()), "a2.obj: the file has 2 faces, a1.obj has 1"));
  folder.write("a2.obj", "v 9 9 9\nv 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 3 4 5 2\n");
  CHECK(contains(fault(folder.path()), "a2.obj:6: face 1 has different vertices than in a1.obj"));
  folder.write("a2.obj", "v 9 9 9\nv 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 2 3 4\n");
  CHECK(contains(fault(folder.path()), "a2.obj:6: face 1 has different vertices than in a1.obj"));
  folder.write("a2.obj", sheet(1) + "v 1 nan 0\n");
  CHECK(contains(fault(folder.path()), "a2.obj:7: 'nan' is not a finite number"));
}

TEST_CASE("a triangle that collapses in a later frame is still the same mesh") {
  Folder folder;
  folder.write("a1.obj", sheet(1));
  folder.write("a2.obj", "v 9 9 9\nv 0 0 0\nv 0 0 0\nv 0 0 0\nv 0 0 0\nf 2 3 4 5\n");
  ImportReport report;
  CHECK(read_obj_sequence(folder.path(), report).frames[1] == std::vector<vec3>(4, vec3(0)));
}

TEST_CASE("what is no sequence is said in words") {
  Folder folder;
  CHECK(contains(fault(folder.path()), "the folder holds no OBJ files"));
  CHECK(contains(fault(folder / "x_###.obj"), "no file matches the pattern"));
  CHECK(contains(fault(folder / "nowhere/x_###.obj"), "nowhere: there is no such folder"));
  CHECK(contains(fault(folder / "x.obj"), "there is no such file or folder"));
  folder.write("a1.obj", sheet(1)), folder.write("b1.obj", sheet(1));
  CHECK(contains(fault(folder.path()), "the folder holds 2 sequences (a#.obj, b#.obj)"));
  folder.write("a01.obj", sheet(1));
  CHECK(contains(fault(folder / "a1.obj"), "a01.obj and a1.obj have the same number"));
}

TEST_CASE("a mesh without a number is a sequence of one frame") {
  Folder folder;
  folder.write("shirt.obj", sheet(1));
  folder.write("trousers.obj", sheet(2));
  ImportReport report;
  CHECK(heights(folder / "shirt.obj", report) == std::vector<float>{1});
}
