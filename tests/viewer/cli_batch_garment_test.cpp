// weft batch: garments put on bodies.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/error.h"
#include "test_paths.h"
#include "tests/support/folder.h"
#include "tests/support/program.h"
#include "viewer/commands/batch_jobs.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// A straight skirt of two flat sheets 40 cm apart, from 55 cm to 85 cm; `half` of its width in cm.
std::string skirt(int half) {
  const auto sheet = [&](const char* name, int z, int turn) {
    return fmt::format(
        R"("{0}": {{"translation": [0, 0, {1}], "rotation": [0, {2}, 0],
  "vertices": [[-{3}, 55], [{3}, 55], [{3}, 85], [-{3}, 85]], "edges": [{{"endpoints": [0, 1]}},
  {{"endpoints": [1, 2]}}, {{"endpoints": [2, 3]}}, {{"endpoints": [3, 0]}}]}})",
        name, z, turn, half);
  };
  const auto seam = [](int front, int back) {
    return fmt::format(R"([{{"panel": "front", "edge": {}}}, {{"panel": "back", "edge": {}}}])", front, back);
  };
  return R"({"pattern": {"panels": {)" + sheet("front", 20, 0) + ",\n" + sheet("back", -20, 180) +
         R"(}, "stitches": [)" + seam(1, 3) + ", " + seam(3, 1) +
         R"(], "weft": {"edge_length": 6}}, "properties": {"units_in_meter": 100}})";
}

/// A post of 12 sides around the axis of y, from 30 cm to 1 m.
std::string post() {
  std::string text;
  for (const double y : {0.3, 1.0})
    for (int k = 0; k < 12; ++k)
      text +=
          fmt::format("v {:.5f} {} {:.5f}\n", 0.1 * std::sin(M_PI * k / 6), y, 0.1 * std::cos(M_PI * k / 6));
  for (int k = 0; k < 12; ++k)
    text += fmt::format("f {} {} {} {}\n", k + 1, (k + 1) % 12 + 1, (k + 1) % 12 + 13, k + 13);
  return text + "f 12 11 10 9 8 7 6 5 4 3 2 1\nf 13 14 15 16 17 18 19 20 21 22 23 24\n";
}

constexpr const char* kBodies = R"(
[[body]]
name = "tall"
mannequin = { height = 1.85, edge = 0.02 }
[[body]]
name = "wide"
file = "post.obj"
scale = 1.05
)";

bool has(const BatchJob& job, const std::string& word) {
  return std::find(job.arguments.begin(), job.arguments.end(), word) != job.arguments.end();
}

}  // namespace

TEST_CASE("each garment of a batch is put on each body with each clip, bodies by their names") {
  const Folder folder;
  folder.write("skirt.json", skirt(15)), folder.write("post.obj", post());
  const auto jobs = [&](const std::string& run) {
    return read_batch(folder.write("jobs.toml", std::string(kBodies) + "[[run]]\nname = \"fit\"\n" + run));
  };
  const auto all = jobs(
      "garment = [\"skirt.json\", \"tshirt\"]\nbody = [\"tall\", \"mannequin\"]\n"
      "clip = [\"rest\", \"walk\", \"walk+turn\"]\n");
  REQUIRE(all.size() == 12);
  CHECK(all[0].arguments[0] == folder / "skirt.json");
  CHECK(has(all[0], "obstacle.body.mannequin.height=1.85"));
  CHECK(has(all[0], "obstacle.body.mannequin.clips=[]"));
  CHECK(has(all[2], "obstacle.body.mannequin.clips=[{ clip = \"walk\" }, { clip = \"turn\" }]"));
  CHECK_FALSE(has(all[3], "obstacle.body.mannequin.height=1.85"));
  CHECK(all[4].choices == std::vector<std::pair<std::string, std::string>>{
                              {"garment", folder / "skirt.json"}, {"body", "mannequin"}, {"clip", "walk"}});
  CHECK(all[6].arguments[0] == "tshirt");
  // without a body it is the mannequin, also where that is one of the batch's own
  const auto own = read_batch(folder.write("own.toml",
                                           "[[body]]\nname = \"mannequin\"\nmannequin = { height = 1.5 }\n"
                                           "[[run]]\ngarment = \"skirt.json\"\nclip = \"walk\"\n"));
  REQUIRE(own.size() == 1);
  CHECK(has(own[0], "obstacle.body.mannequin.height=1.5"));
  const auto files = jobs("garment = \"skirt.json\"\nbody = [\"wide\", \"post.obj\"]\n");
  REQUIRE(files.size() == 2);
  CHECK(has(files[0], folder / "post.obj"));
  CHECK(has(files[0], "obstacle.body.scale=1.05"));
  CHECK(files[1].arguments.size() == 3);
  // beside a scene a body has the name of its file
  CHECK(has(jobs("scene = \"drape_sphere\"\nbody = \"wide\"\n")[0], "obstacle.post.scale=1.05"));
}

TEST_CASE("a batch refuses garments, bodies and clips that are none before it runs anything") {
  const Folder folder;
  folder.write("skirt.json", skirt(15)), folder.write("post.obj", post());
  const std::pair<const char*, const char*> faults[] = {
      {"garment = \"drape_sphere\"", "no sewing pattern 'drape_sphere'"},
      {"garment = \"skirt.json\"\nscene = \"drape_sphere\"", "a scene too"},
      {"garment = \"skirt.json\"\nbody = \"tal\"", "did you mean tall?"},
      {"scene = \"drape_sphere\"\nbody = \"tall\"", "is no garment"},
      {"garment = \"skirt.json\"\nbody = \"wide\"\nclip = \"walk\"", "body 'wide' has no clips"},
      {"garment = \"skirt.json\"\nclip = \"wlak\"", "walk"},
      {"scene = \"drape_sphere\"\nclip = \"walk\"", "no body that it moves"},
      {"garment = \"skirt.json\"\n[[body]]\nname = \"tall\"", "two bodies have the name"},
      {"garment = \"skirt.json\"\nbody = \"a\"\n[[body]]\nname = \"a\"\nmannequin = { hight = 2 }", "height"},
      {"garment = \"skirt.json\"\n[[body]]\nfile = \"post.obj\"", "needs a name"}};
  for (const auto& [text, words] : faults) {
    CAPTURE(text);
    const std::string file = folder.write("jobs.toml", std::string(kBodies) + "[[run]]\n" + text + "\n");
    CHECK_THROWS_WITH_AS(read_batch(file), doctest::Contains(words), Error);
  }
}

TEST_CASE("a garment is dressed on two bodies and simulated, each with a verdict, and not a second time") {
  const Folder folder;
  folder.write("skirt.json", skirt(15)), folder.write("post.obj", post());
  folder.write("jobs.toml", std::string(kBodies) +
                                "[[run]]\nname = \"fit\"\ngarment = \"skirt.json\"\nbody = [\"wide\", "
                                "\"post.obj\"]\nframes = 2\nset = {\"sewing.settle\" = 0.05}\n");
  const std::vector<std::string> words = {"batch", "jobs.toml", "--device", "cpu", "--jobs", "2"};
  setenv("XDG_CACHE_HOME", (folder / "cache").c_str(), 1);
  const Outcome o = testing::weft(folder, words), again = testing::weft(folder, words);
  unsetenv("XDG_CACHE_HOME");
  INFO(o.out << o.err);
  CHECK(o.status == 0);
  CHECK(o.prints("| fit | 2 | 2 ok |"));
  CHECK(again.prints("2 of 2 jobs have a result"));
  const std::string table = read_file(folder / "jobs.batch/results.csv");
  CHECK(table.find("run,job,body,verdict") == 0);
  CHECK(table.find(",wide,ok,") != std::string::npos);
}

TEST_SUITE("full") {
  TEST_CASE("a garment that falls off its body is a misfit and the batch says where it is") {
    const Folder folder;
    folder.write("skirt.json", skirt(45));
    folder.write("jobs.toml", std::string(kBodies) +
                                  "[[run]]\ngarment = \"skirt.json\"\nbody = \"tall\"\nframes = 1\n"
                                  "set = {\"sewing.settle\" = 0.5}\n");
    folder.write("post.obj", post());
    const Outcome o = testing::weft(folder, {"batch", "jobs.toml", "--device", "cpu"});
    INFO(o.out << o.err);
    CHECK(o.status == 3);
    CHECK(o.prints("1 misfit"));
    CHECK(o.prints("has fallen"));
  }
}
