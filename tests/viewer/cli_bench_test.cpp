// `weft bench`: of sizes, and of the scenes made after papers.
#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/program.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("the benchmark measures both stretch models and the cost of their stages") {
  Folder folder;
  const Outcome o = testing::weft(folder, {"bench", "--vertices", "400", "--runs", "1", "--steps", "5",
                                           "--device", "cpu", "--json", "b.json", "--markdown", "b.md"});
  REQUIRE(o.status == 0);
  const auto bench = nlohmann::json::parse(read_file(folder / "b.json"));
  REQUIRE(bench["rows"].size() == 2);
  CHECK(bench["rows"][0]["stretch_model"] == "springs");
  CHECK(bench["rows"][1]["stretch_model"] == "finite_elements");
  for (const auto& row : bench["rows"]) {
    CHECK(double(row["steps_per_second"]["median"]) > 0);
    CHECK(int(row["launches_per_step"]) > 0);
    CHECK(row["stages"].size() > 3);
    CHECK(row["scene"] == "hanging");
  }
  CHECK(read_file(folder / "b.md") == o.out);
  CHECK(o.prints("| 4"));
}

TEST_CASE(
    "the benchmark over threads measures them in turns, and tells the bytes of a step beside what memory "
    "gives") {
  Folder folder;
  const Outcome o =
      testing::weft(folder, {"bench", "--scaling", "--vertices", "400", "--runs", "3", "--steps", "2",
                             "--threads", "3", "--device", "cpu", "--json", "b.json", "--markdown", "b.md"});
  CAPTURE(o.err);
  REQUIRE(o.status == 0);
  CHECK(read_file(folder / "b.md") == o.out);
  CHECK(o.prints("| CPU, 2 threads |"));
  CHECK(o.prints("speed-up"));
  const auto bench = nlohmann::json::parse(read_file(folder / "b.json"));
  CHECK(bench["scene"] == "default");
  const int vertices = bench["vertices"];
  CHECK(std::abs(vertices - 400) < 100);
  REQUIRE(bench["rows"].size() == 3);
  for (int k = 0; k < 3; ++k) {
    const auto& row = bench["rows"][size_t(k)];
    CHECK(row["threads"] == k + 1);
    const auto& rate = row["steps_per_second"];
    CHECK(double(rate["slowest_run"]) <= double(rate["median"]));
    CHECK(double(rate["median"]) <= double(rate["fastest_run"]));
    CHECK(double(row["speed_up"]) > 0);
    CHECK(int(row["launches_per_step"]) > 50);
    // Each vertex's positions, velocities, forces and matrices are read more than once: hundreds of bytes,
    // but not megabytes.
    CHECK(double(row["megabytes_per_step"]) > 1e-6 * 500 * vertices);
    CHECK(double(row["megabytes_per_step"]) < 1e-6 * 1e6 * vertices);
    CHECK(row["megabytes_per_step"] == bench["rows"][0]["megabytes_per_step"]);
    CHECK(double(row["gigabytes_per_second"]) ==
          doctest::Approx(1e-3 * double(row["megabytes_per_step"]) * double(rate["median"])).epsilon(1e-6));
    CHECK(double(row["copied_gigabytes_per_second"]) > 0.05);
  }
  CHECK(double(bench["rows"][0]["speed_up"]) == 1);
  CHECK(testing::weft(folder, {"bench", "wu2020", "--scaling"}).status == 2);
}

namespace {

/// Small scenes of a paper, two steps of each; checks what both papers' results have in common.
nlohmann::json paper_bench(const Folder& folder, const std::string& paper,
                           const std::vector<std::string>& scenes) {
  std::vector<std::string> arguments{"bench", paper,     "--small", "--steps", "2",          "--device",
                                     "cpu",   "--quiet", "--json",  "b.json",  "--markdown", "b.md"};
  for (const std::string& s : scenes) arguments.insert(arguments.end(), {"--scene", s});
  const Outcome o = testing::weft(folder, arguments);
  CAPTURE(o.err);
  REQUIRE(o.status == 0);
  CHECK(read_file(folder / "b.md") == o.out);
  CHECK(o.prints("2 of "));  // fewer steps than the scene is long
  const auto bench = nlohmann::json::parse(read_file(folder / "b.json"));
  for (const auto& row : bench["scenes"]) {
    CAPTURE(std::string(row["scene"]));
    CHECK(row.count("missing") == 0);
    CHECK(int(row["steps"]) == 2);
    CHECK(int(row["whole_steps"]) > 2);
    const auto& rate = row["steps_per_second"];
    CHECK(double(rate["lowest"]) > 0);
    CHECK(double(rate["lowest"]) <= double(rate["mean"]) * 1.000001);
    CHECK(double(rate["mean"]) <= double(rate["highest"]) * 1.000001);
    double stages = 0;
    for (const auto& ms : row["ms_per_step"]) stages += double(ms);
    // Stages lie within the step, whose time is the rate's. What is between stages is small.
    const double step = 1000 / double(rate["mean"]);
    CHECK(stages < 1.01 * step);
    CHECK(stages > 0.5 * step);
    CHECK(double(row["ms_per_step"]["dynamics"]) > 0);
    CHECK(double(row["launches"]["mean"]) > 10);
    CHECK(double(row["launches"]["most"]) >= double(row["launches"]["mean"]));
    CHECK(double(row["max_stretch"]) >= 1);
    CHECK(double(row["device_megabytes"]) > 0.5);
  }
  return bench["scenes"];
}

}  // namespace

TEST_CASE("the benchmark of Wu 2020 tells rates, shares of stages and the paper's figures") {
  Folder folder;
  const auto scenes = paper_bench(folder, "wu2020", {"funnel", "sphere_drape"});
  REQUIRE(scenes.size() == 2);
  CHECK(double(scenes[0]["paper_rtx_2080_ti"]["steps_per_second"]["highest"]) == 72);
  CHECK(scenes[1].count("paper_rtx_2080_ti") == 0);
  for (const auto& row : scenes) {
    CHECK(double(row["ms_per_step"]["proximity search"]) > 0);
    CHECK(double(row["ms_per_step"]["constraints"]) > 0);
  }
}

TEST_CASE("the benchmarks of Lan 2024 and Tang 2018 tell what their methods count, beside two-way contact") {
  Folder folder;
  const auto barriers = paper_bench(folder, "lan2024", {"sphere"});
  REQUIRE(barriers.size() == 3);
  CHECK(barriers[0].count("with") == 0);
  CHECK(barriers[0]["counts"].count("contact_iterations") == 1);
  CHECK(barriers[1]["with"] == "two-way contact and descent");
  CHECK(barriers[1]["counts"].count("vertex_triangle_pairs") == 1);
  CHECK(barriers[2]["with"] == "two-way contact and Newton's method");
  const auto zones = paper_bench(folder, "tang2018", {"sphere"});
  REQUIRE(zones.size() == 2);
  CHECK(zones[0]["counts"].count("rounds") == 1);
  CHECK(double(zones[0]["paper_gtx_1080"]["steps_per_second"]["highest"]) == doctest::Approx(1.95));
  CHECK(zones[1]["with"] == "two-way contact");
  CHECK(zones[1].count("paper_gtx_1080") == 0);
  CHECK(read_file(folder / "b.md").find("tang2018/sphere_small, two-way contact") != std::string::npos);
}

TEST_CASE(
    "the benchmark of Wang 2023 tells forward steps and seconds for collisions beside the paper's, for every "
    "time step that it has") {
  Folder folder;
  const auto scenes = paper_bench(folder, "wang2023", {"funnel", "reef_knot"});
  REQUIRE(scenes.size() == 5);  // the funnel in four time steps
  for (int k = 0; k < 4; ++k)
    CHECK(double(scenes[k]["dt"]) == doctest::Approx(1.0 / (160 >> k)).epsilon(1e-6));
  CHECK(double(scenes[3]["paper_rtx_2080_ti"]["collision_ms"]["mean"]) == doctest::Approx(87));
  CHECK(double(scenes[4]["paper_rtx_2080_ti"]["collision_steps"]["mean"]) == 7);
  for (const auto& row : scenes) {
    CAPTURE(std::string(row["scene"]));
    const auto& ms = row["ms_per_step"];
    const double handling = double(ms["proximity search"]) + double(ms["moving together"]) +
                            double(ms["backward steps"]) + double(ms["forward steps"]);
    // Both are the times of the same stages.
    CHECK(double(row["collision_ms"]["mean"]) == doctest::Approx(handling).epsilon(1e-6));
    CHECK(double(row["collision_ms"]["longest"]) >= double(row["collision_ms"]["mean"]) * 0.999999);
    CHECK(double(row["collision_steps"]["mean"]) >= 1);
    CHECK(double(row["collision_steps"]["most"]) >= double(row["collision_steps"]["mean"]));
    for (const char* group : {"proximity search", "backward steps", "forward steps", "contact in the solver"})
      CHECK(double(ms[group]) > 0);
  }
  const std::string table = read_file(folder / "b.md");
  CHECK(table.find("0.087 (2.161) at 49K") != std::string::npos);
  CHECK(table.find("1/160") != std::string::npos);
}

TEST_CASE("scenes of papers are bounded by simulated and by wall time, and what did not fit is told") {
  Folder folder;
  const Outcome simulated =
      testing::weft(folder, {"bench", "wang2023", "--small", "--scene", "reef_knot", "--seconds", "0.03",
                             "--device", "cpu", "--json", "b.json"});
  REQUIRE(simulated.status == 0);
  CHECK(int(nlohmann::json::parse(read_file(folder / "b.json"))["scenes"][0]["steps"]) == 3);
  const Outcome wall = testing::weft(folder, {"bench", "wang2023", "--small", "--scene", "reef_knot",
                                              "--wall", "1e-6", "--device", "cpu", "--json", "b.json"});
  REQUIRE(wall.status == 0);
  CHECK(wall.prints("1 of 220"));
  CHECK(wall.prints("wang2023/reef_knot_small, dt 1/100 s: stopped after 1e-06 s."));
  CHECK(testing::weft(folder, {"bench", "wang2023", "--scene", "funel"})
            .says("choose among reef_knot, bow_knot"));
}

TEST_CASE("the error of a step falls with its work, and is told beside the time for each solver and scene") {
  Folder folder;
  const Outcome o =
      testing::weft(folder, {"bench",   "error",       "--vertices", "400",        "--steps",
                             "2",       "--seconds",   "0.4",        "--scene",    "wang2021/square_small",
                             "--scene", "drape_table", "--threads",  "1",          "--device",
                             "cpu",     "--json",      "b.json",     "--markdown", "b.md"});
  CAPTURE(o.err);
  REQUIRE(o.status == 0);
  CHECK(read_file(folder / "b.md") == o.out);
  CHECK(o.prints("| **newton** |"));
  CHECK(o.prints("## drape_table"));
  const auto bench = nlohmann::json::parse(read_file(folder / "b.json"));
  REQUIRE(bench["scenes"].size() == 2);
  for (const auto& scene : bench["scenes"]) {
    REQUIRE(scene["times"].size() == 2);
    std::map<std::string, std::vector<double>> errors;  // by solver, of the first state, with growing work
    for (const auto& row : scene["rows"]) {
      if (row.contains("refused")) {
        CHECK(row["solver"] == "block_descent");
        CHECK(scene["scene"] == "drape_table");  // no grid of squares
        continue;
      }
      REQUIRE(row["error"].size() == 2);
      errors[row["solver"]].push_back(row["error"][0]);
      CHECK(double(row["ms"][0]) > 0);
    }
    REQUIRE(errors.size() == (scene["scene"] == "drape_table" ? 3 : 4));
    for (const auto& [solver, of_work] : errors) {
      CAPTURE(solver);
      CHECK(of_work.back() < of_work.front());
      CHECK(of_work.back() > 0);
    }
    CHECK(errors["newton"].back() < errors["descent"].back());
  }
}
