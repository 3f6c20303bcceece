// weft compare: several methods on one scene.
#include <doctest/doctest.h>

#include <filesystem>
#include <sstream>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "tests/support/folder.h"
#include "tests/support/program.h"
#include "viewer/commands/lane_spec.h"
#include "viewer/commands/scene_input.h"
#include "viewer/render/lane_pictures.h"

using namespace weft;
using namespace weft::testing;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("a lane is written as keys and values with short names for what is compared most") {
  const LaneSpec lane =
      read_lane("solver=descent,dt=0.005,forces.gravity=[0, -1, 0],device=cpu,edge=0.03,name=the light one");
  CHECK(lane.name == "the light one");
  CHECK(lane.edge == 0.03f);
  CHECK(lane.own_device);
  REQUIRE(lane.settings.size() == 3);
  CHECK(lane.settings[0] == std::pair<std::string, std::string>("step.solver", "descent"));
  CHECK(lane.settings[1].first == "step.dt");
  CHECK(lane.settings[2].second == "[0, -1, 0]");
  CHECK(read_lane("collision=ndb").name == "collision=ndb");
  CHECK(read_lane("preset=lan2024").settings.size() > 2);
  const LaneSpec reference = read_lane("reference=true,name=truth,newton.steps=90");
  CHECK(reference.reference);
  for (const char* wrong : {"", "newton", "edge=wide", "edge=-1", "device=gpu", "=3", "preset=nobody"})
    CHECK_THROWS_AS(read_lane(wrong), Error);
  const Scene scene = open_scene("drape_sphere", {});
  CHECK(lane_scene(scene, lane).cloths[0].edge == 0.03f);
  CHECK(lane_scene(scene, lane).step.dt == 0.005f);
  const Scene truth = lane_scene(scene, reference);
  CHECK(truth.step.dt == doctest::Approx(0.25 * double(scene.step.dt)));
  Scene named = truth;
  CHECK(named.params().find("newton.steps")->text() == "90");
  CHECK(named.params().find("step.solver")->text() == "\"newton\"");
  CHECK_THROWS_WITH_AS(lane_scene(scene, read_lane("step.dtt=1")), doctest::Contains("step.dtt"), Error);
  CHECK_THROWS_WITH_AS(lane_scene(scene, read_lane("view.exposure=1,name=x")), doctest::Contains("--set"),
                       Error);
}

TEST_CASE(
    "fields of lanes cover the picture without overlap and are whole pictures where lanes lie over each "
    "other") {
  for (const ivec2& size : {ivec2(1920, 1080), ivec2(640, 900), ivec2(801, 401)})
    for (int lanes = 2; lanes <= 4; ++lanes) {
      const auto fields = lane_fields(LaneLayout::split, lanes, size);
      REQUIRE(int(fields.size()) == lanes);
      for (size_t i = 0; i < fields.size(); ++i) {
        const ivec4 &a = fields[i], &first = fields[0];
        CHECK(a.x >= 0);
        CHECK(a.x + a.z <= size.x);
        CHECK(a.y + a.w <= size.y);
        CHECK(ivec2(a.z, a.w) == ivec2(first.z, first.w));
        for (size_t k = 0; k < i; ++k) {
          const ivec4& b = fields[k];
          CHECK((a.x >= b.x + b.z || b.x >= a.x + a.z || a.y >= b.y + b.w || b.y >= a.y + a.w));
        }
      }
      CHECK(lanes * fields[0].z * fields[0].w > 0.7 * size.x * size.y);
      for (const ivec4& f : lane_fields(LaneLayout::wipe, lanes, size)) CHECK(f == ivec4(0, 0, size));
    }
}

TEST_CASE("methods are compared in one command and each lane has the hash that it has alone") {
  const Folder folder;
  folder.write("sheet.toml",
               "[[cloth]]\nname = \"sheet\"\nsize = [0.5, 0.5]\nedge = 0.05\nposition = [0, 0.5, 0]\n"
               "rotation = [-80, 0, 0]\n[[obstacle]]\nname = \"ball\"\nshape = \"sphere\"\nsize = [0.2, 0.2, "
               "0.2]\nposition = [0, 0.3, 0]\n");
  const Outcome o = testing::weft(folder, {"compare",   "sheet.toml",
                                           "--seconds", "0.2",
                                           "--lane",    "solver=newton",
                                           "--lane",    "solver=descent,name=descent",
                                           "--lane",    "edge=0.08,name=coarse",
                                           "--table",   "t.csv",
                                           "--record",  "frames/",
                                           "--size",    "320x180",
                                           "--layout",  "difference",
                                           "--device",  "cpu"});
  INFO(o.out << o.err);
  REQUIRE(o.status == 0);
  CHECK(std::filesystem::exists(folder / "frames/frame_000000.png"));
  const auto rows = lines_of(read_file(folder / "t.csv"));
  REQUIRE(rows.size() > 5);
  CHECK(rows[0].find("compare sheet.toml") != std::string::npos);
  CHECK(rows[1].rfind("time_s,lane,steps,processor_s,wall_s,mean_difference_m,largest_difference_m", 0) == 0);
  CHECK((rows.size() - 2) % 3 == 0);
  CHECK(rows.back().find("\"coarse\"") != std::string::npos);
  const std::string hash = "state hash of descent: ";
  const size_t at = o.out.find(hash);
  REQUIRE(at != std::string::npos);
  const Outcome alone = testing::weft(folder, {"sheet.toml", "--headless", "--seconds", "0.2", "--device",
                                               "cpu", "--set", "step.solver=descent"});
  CHECK(alone.out.find("state hash: " + o.out.substr(at + hash.size(), 16)) != std::string::npos);
}

TEST_CASE("a comparison says what is wrong with its lanes") {
  const Folder folder;
  const auto fault = [&](std::vector<std::string> lanes) {
    std::vector<std::string> words = {"compare", "drape_sphere"};
    for (const std::string& lane : lanes) words.push_back("--lane"), words.push_back(lane);
    const Outcome o = testing::weft(folder, words);
    CHECK(o.status == 1);
    return o.err;
  };
  CHECK(fault({"solver=newton"}).find("two to 4 lanes") != std::string::npos);
  CHECK(fault({"solver=newton", "solver=newton"}).find("two lanes have one name") != std::string::npos);
  CHECK(fault({"solver=newton", "solver=newtn"}).find("newton") != std::string::npos);
  CHECK(fault({"solver=newton", "device=moon"}).find("device=cpu") != std::string::npos);
}

TEST_CASE("lanes with a budget say what they left and their recordings replay to their hashes") {
  const Folder folder;
  folder.write("sheet.toml",
               "[[cloth]]\nname = \"sheet\"\nsize = [0.5, 0.5]\nedge = 0.04\nposition = [0, 0.5, 0]\n"
               "[[pin]]\ncloth = \"sheet\"\nwhere = \"top_left\"\n");
  const Outcome o = testing::weft(
      folder, {"compare", "sheet.toml", "--seconds", "0.3", "--lane", "name=newton", "--lane",
               "solver=projective,name=projective,dt=0.005", "--lane", "reference=true,name=truth",
               "--budget", "0.000001", "--save-hands", "hands", "--device", "cpu"});
  INFO(o.out << o.err);
  REQUIRE(o.status == 0);
  CHECK(o.prints("each lane had 1e-06 ms"));
  CHECK(o.prints("| truth |"));
  for (const char* name : {"1-newton", "2-projective", "3-truth"}) {
    const std::string file = std::string("hands/") + name + ".toml";
    const bool ended = read_file(folder / file).find("end_solve = ") != std::string::npos;
    CHECK(ended == (std::string(name) != "3-truth"));
    const std::string label = "state hash of " + std::string(name + 2) + ": ";
    const size_t at = o.out.find(label);
    REQUIRE(at != std::string::npos);
    const Outcome again = testing::weft(folder, {"replay", file, "--device", "cpu"});
    INFO(again.out << again.err);
    CHECK(again.hash() == o.out.substr(at + label.size(), 16));
  }
}
