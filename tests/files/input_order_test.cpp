// Files in the numbering of the mesh that came in: joined and unused vertices, polygons, texture coordinates.
#include "sim/files/input_order.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <sstream>

#include "sim/base/error.h"
#include "sim/files/frame_source.h"
#include "sim/files/obj_groups.h"
#include "sim/run/simulation.h"
#include "sim/run/simulation_run.h"
#include "sim/scene/text/scene_file.h"
#include "tests/support/folder.h"

using namespace weft;
using testing::Folder, testing::read_file;

namespace {

/// Two strips of squares with a seam of doubled vertices between them, `apart` wide; a vertex of no face in
/// the middle of the list; a triangle and a face without area.
std::string two_strips(float apart, bool textures) {
  std::string text = "o skirt\n";
  for (int half = 0; half < 2; ++half) {
    for (int j = 0; j <= 4; ++j)
      for (int k = 0; k <= 1; ++k)
        text +=
            fmt::format("v {} {} 0\n", 0.1f * float(k + half) + (half ? apart : 0.0f), 1 - 0.1f * float(j));
    if (half == 0) text += "v 0.5 0.5 0.5\n";
  }
  for (int t = 0; textures && t < 20; ++t) text += fmt::format("vt {} {}\n", 0.05 * t, 0.5);
  const auto corner = [&](int v, int t) {
    return textures ? fmt::format(" {}/{}", v, t) : fmt::format(" {}", v);
  };
  for (int half = 0; half < 2; ++half)
    for (int j = 0; j < 4; ++j) {
      const int v = 11 * half + 2 * j + 1, t = 10 * half + 2 * j + 1;
      text += "f" + corner(v, t) + corner(v + 2, t + 2) + corner(v + 3, t + 3) + corner(v + 1, t + 1) + "\n";
    }
  return text + "f" + corner(1, 1) + corner(3, 3) + corner(3, 3) + "\n";
}

struct Fixture {
  Folder folder;
  std::unique_ptr<Device> device = Device::create(DeviceChoice::cpu, 1);
  std::unique_ptr<Simulation> sim;
  RunInfo info;
  RunFrame frame;

  explicit Fixture(bool textures = false) {
    Scene scene = scene_from_obj(folder.write("skirt.obj", two_strips(2e-5f, textures)), {});
    weld_all(scene, "0.1mm");
    scene.cloths[0].placement.position = {0, 0.5f, 0};
    sim = std::make_unique<Simulation>(scene, *device);
    sim->step();
    info = run_info_of(*sim);
    read_state(*sim, frame);
  }
  std::string written(const std::string& name, const RunInfo& from) {
    const auto writer = make_frame_writer(folder / name, from);
    writer->frame(frame), writer->frame(next());
    writer->finish();
    return folder / name;
  }
  std::string written(const std::string& name) { return written(name, info); }
  RunFrame next() const {
    RunFrame later = frame;
    later.step = frame.step + 1, later.time = frame.time + info.dt;
    for (vec3& p : later.positions) p.y -= 0.01f;
    return later;
  }
  /// The simulated positions in the order of the file: 10 vertices, one of no face, 10 of which 5 were
  /// joined.
  std::vector<vec3> expected() const {
    std::vector<vec3> out;
    for (int v = 0; v < 10; ++v) out.push_back(frame.positions[size_t(v)]);
    out.push_back({0.5f, 1.0f, 0.5f});
    for (int j = 0; j <= 4; ++j) {
      out.push_back(frame.positions[size_t(2 * j + 1)]);  // the first half's
      out.push_back(frame.positions[size_t(10 + j)]);
    }
    return out;
  }
};

std::vector<std::string> faces_in(const std::string& obj) {
  std::vector<std::string> out;
  std::istringstream lines(obj);
  for (std::string line; std::getline(lines, line);)
    if (line.rfind("f ", 0) == 0) out.push_back(line);
  return out;
}

/// Without texture coordinates.
std::vector<std::string> bare(std::vector<std::string> faces) {
  for (std::string& line : faces) {
    std::string out;
    bool texture = false;
    for (const char c : line) {
      texture = c == '/' || (texture && c != ' ');
      if (!texture) out += c;
    }
    line = out;
  }
  return faces;
}

}  // namespace

TEST_CASE("PC2, OBJ and USD have the vertices and faces of the file that came in, the joined ones twice") {
  Fixture f;
  REQUIRE(f.frame.positions.size() == 15);
  const std::vector<vec3> expected = f.expected();
  const std::vector<std::string> faces = faces_in(two_strips(0, false));
  for (const char* name : {"k.pc2", "k.usda"}) {
    CAPTURE(name);
    const auto source = open_frame_source(f.written(name));
    RunFrame read;
    source->read(0, read);
    std::vector<vec3> wanted = expected;
    if (std::string(name) == "k.usda") wanted.erase(wanted.begin() + 10);  // which our reader leaves out
    CHECK(read.positions == wanted);
    CHECK(source->frame_count() == 2);
  }
  CHECK(bare(faces_in(read_file(f.folder / "k.obj"))) == faces);
  const std::string usda = read_file(f.folder / "k.usda");
  CHECK(usda.find("faceVertexCounts = [4, 4, 4, 4, 4, 4, 4, 4, 3]") != usda.npos);
  f.written("steps/");
  CHECK(read_obj_groups(f.folder / fmt::format("steps/step_{:06d}.obj", f.frame.step)).positions == expected);
}

TEST_CASE("glTF has those vertices first, in their order, with triangles") {
  Fixture f;
  const RunInfo ordered = in_input_order(f.info);
  REQUIRE(ordered.groups.size() == 1);
  CHECK(ordered.groups[0].count == 21);
  CHECK(ordered.groups[0].uv.size() == 21);
  REQUIRE(ordered.groups[0].triangles.size() == 16);
  const std::vector<vec3> expected = f.expected();
  for (size_t t = 0; t < 16; ++t)
    for (int k = 0; k < 3; ++k) {
      const ivec3& simulated = f.info.groups[0].triangles[t];
      CHECK(expected[size_t(ordered.groups[0].triangles[t][k])] == f.frame.positions[size_t(simulated[k])]);
      CHECK((ordered.groups[0].triangles[t][k] > 10) == (t >= 8));  // each half its own vertices
    }
  const std::string gltf = f.written("k.gltf");
  CHECK(read_file(gltf).find("\"count\":21") != std::string::npos);
}

TEST_CASE("texture coordinates of polygons come back as they were") {
  Fixture f(true);
  f.written("k.pc2");
  CHECK(faces_in(read_file(f.folder / "k.obj")) == faces_in(two_strips(0, true)));
  const auto group = read_obj_groups(f.folder / "k.obj").groups[0];
  const auto before = read_obj_groups(f.folder / "skirt.obj").groups[0];
  CHECK(group.uv == before.uv);
}

TEST_CASE("a cache keeps the simulated mesh and the way back to the file") {
  Fixture f(true);
  const auto source = open_frame_source(f.written("k.weftcache"));
  RunFrame read;
  source->read(0, read);
  CHECK(read.positions == f.frame.positions);
  CHECK(source->info().groups[0].triangles == f.info.groups[0].triangles);
  f.written("direct.pc2"), f.written("again.pc2", source->info());
  CHECK(read_file(f.folder / "direct.pc2") == read_file(f.folder / "again.pc2"));
  CHECK(faces_in(read_file(f.folder / "direct.obj")) == faces_in(read_file(f.folder / "again.obj")));
  // a mesh that import did not change makes a cache that older programs read
  Fixture plain;
  RunInfo info = as_simulated(plain.info);
  CHECK(read_file(plain.written("old.weftcache", info))[8] < 4);
  CHECK(read_file(f.folder / "k.weftcache")[8] == 4);
}

TEST_CASE("pins are named by the vertices of the file, and saved so") {
  Folder folder;
  folder.write("skirt.obj", two_strips(2e-5f, false));
  const std::string scene =
      "[[cloth]]\nname = \"skirt\"\nfile = \"skirt.obj\"\nweld = \"0.1mm\"\n[[pin]]\nvertices = [";
  const auto device = Device::create(DeviceChoice::cpu, 1);
  const auto pinned = [&](const std::string& numbers) {
    return Simulation(read_scene(folder.write("s.toml", scene + numbers + "]\n")), *device).pinned_vertices();
  };
  CHECK(pinned("0, 1") == std::vector<int>{0, 1});
  CHECK(pinned("12, 11") == std::vector<int>{1, 10});  // 11 was joined with 1
  CHECK_THROWS_AS(pinned("10"), Error);                // of no face
  CHECK_THROWS_AS(pinned("21"), Error);
  Simulation sim(read_scene(folder.write("s.toml", scene + "0]\n")), *device);
  sim.apply(PinVertex{.vertex = 10, .pinned = true});
  const std::vector<Pin> saved = sim.scene_to_save().pins;
  REQUIRE(saved.size() == 2);
  CHECK(saved[1].vertices == std::vector<int>{12});
}
