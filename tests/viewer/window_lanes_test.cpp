// Runs that are compared in the window: at one time, under one hand, in one picture.
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>

#include "tests/viewer/window_desktop.h"

using namespace weft::testing;
using Report = RunningWeft::Report;

namespace {

bool beside(const Report& r, size_t lanes, double seconds) {
  return r["lanes"].size() == lanes && r["lanes"][0]["time"].get<double>() > seconds;
}

/// Times of states that are shown together differ by roundings alone.
void at_one_time(const Report& r, double most) {
  for (const auto& lane : r["lanes"])
    CHECK(std::abs(lane["time"].get<double>() - r["lanes"][0]["time"].get<double>()) < most);
}

void type_lane(RunningWeft& weft, const std::string& text) {
  const auto [x, y] = weft.item("lanes.typed");
  weft.click(x, y);
  weft.xdotool("type --delay 20 \"" + text + "\"");
  weft.key("Return");
}

void open_section(RunningWeft& weft) {
  const auto [x, y] = weft.item("section.Compare");
  weft.click(x, y);
  weft.wait_until("it is unfolded", [](const Report& r) { return r["items"].contains("lanes.add"); });
}

}  // namespace

TEST_CASE("runs with other methods go on beside the first at the same time under the same hand") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {write_small_scene(desktop, 400), "--size", "1300x800"});
  open_section(weft);
  type_lane(weft, "solver=descent");
  weft.wait_until("there are two", [](const Report& r) { return beside(r, 2, 0.1); });
  type_lane(weft, "edge=0.1,dt=0.005,name=coarse");
  Report r = weft.wait_until("there are three", [](const Report& r) { return beside(r, 3, 0.1); });
  at_one_time(r, 1e-5);
  CHECK(r["lanes"][0]["mean"] == 0);
  CHECK(r["lanes"][1]["mean"] > 0);
  CHECK(r["lanes"][2]["vertices"] < r["lanes"][0]["vertices"]);
  CHECK(r["lanes"][2]["step"] > 1.5 * r["lanes"][0]["step"].get<int>());

  // a hand in the picture of the first, then in that of another, takes the same point of all
  const double x = r["cloth_screen"][0], y = r["cloth_screen"][1];
  weft.move_to(x, y);
  weft.wait_until("cloth is under the cursor", [](const Report& r) { return !r["hover"].is_null(); });
  weft.press();
  weft.move_to(x + 30, y - 20);
  weft.wait_until("all are held", [](const Report& r) {
    return beside(r, 3, 0) && r["lanes"][0]["handles"] == 1 && r["lanes"][1]["handles"] == 1 &&
           r["lanes"][2]["handles"] == 1;
  });
  weft.release();
  r = weft.wait_until("all are let go", [](const Report& r) {
    return beside(r, 3, 0) && r["lanes"][0]["handles"] == 0 && r["lanes"][1]["handles"] == 0 &&
           r["lanes"][2]["handles"] == 0;
  });
  at_one_time(r, 1e-5);

  weft.key("r");
  weft.wait_until("all begin anew", [&](const Report& now) {
    return beside(now, 3, -1) && now["lanes"][0]["time"] < r["lanes"][0]["time"].get<double>() / 2;
  });
  const auto [end_x, end_y] = weft.item("End comparison");
  weft.click(end_x, end_y);
  r = weft.wait_until("the first goes on alone", [](const Report& r) { return r["lanes"].empty(); });
  const int step = r["step"];
  weft.wait_until("it goes on", [&](const Report& now) { return now["step"] > step + 5; });
}

TEST_CASE("runs that have the same milliseconds show what they left and a plot has a curve of each") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {write_small_scene(desktop, 400), "--size", "1300x800"});
  open_section(weft);
  type_lane(weft, "solver=projective,name=other");
  type_lane(weft, "reference=true,name=reference");
  weft.wait_until("there are three", [](const Report& r) { return beside(r, 3, 0.1); });
  const auto [x, y] = weft.item("Same milliseconds");
  weft.click(x, y);
  weft.wait_until("there is a slider",
                  [](const Report& r) { return r["items"].contains("lanes.milliseconds"); });
  const auto [at_x, at_y] = weft.item("lanes.milliseconds", 0.02);  // as few as there are
  weft.click(at_x, at_y);
  Report r = weft.wait_until("the first is ended", [](const Report& r) {
    return beside(r, 3, 0) && r["lanes"][0]["ended_after"] > 0;
  });
  CHECK(r["lanes"][0]["left"] > 0);
  CHECK(r["lanes"][2]["ended_after"] == 0);
  at_one_time(r, 1e-5);
  const auto [plot_x, plot_y] = weft.item("plot.stats.solver_residual");
  weft.click(plot_x, plot_y);
  r = weft.wait_until("three curves", [](const Report& r) {
    const auto& curves = r["curves"];
    return curves.size() == 3 && curves.contains("stats.solver_residual of other") &&
           curves["stats.solver_residual of reference"][0] > 3;
  });
  const auto [csv_x, csv_y] = weft.item("CSV");
  weft.click(csv_x, csv_y);
  weft.wait_until("it is written", [](const Report& r) {
    return r["message"].get<std::string>().find("weft-curves.csv") != std::string::npos;
  });
  std::ifstream in(desktop.file("weft-curves.csv"));
  std::string head;
  std::getline(in, head);
  for (const char* column : {"time_s,", "_residual__this_run", "_residual__other", "_residual__reference"})
    CHECK(head.find(column) != head.npos);
}

TEST_CASE("a lane that cannot be is told and the run goes on and another scene ends the comparison") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {write_small_scene(desktop, 400), "--size", "1300x800"});
  open_section(weft);
  type_lane(weft, "solver=nothing");
  const Report r = weft.wait_until("it is told", [](const Report& r) {
    return r["message"].get<std::string>().find("nothing") != std::string::npos;
  });
  CHECK(r["lanes"].empty());
  type_lane(weft, "dt=0.005");
  weft.wait_until("there are two", [](const Report& r) { return beside(r, 2, 0.05); });
  weft.key("comma");
  weft.wait_until("going back is refused with a word", [](const Report& r) {
    return r["message"].get<std::string>().find("none goes back") != std::string::npos;
  });
}

TEST_CASE("the line between two runs is moved by the mouse, and the camera stays") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {write_small_scene(desktop, 400), "--size", "1300x800"});
  open_section(weft);
  type_lane(weft, "solver=descent");
  weft.wait_until("there are two", [](const Report& r) { return beside(r, 2, 0.1); });
  const auto [wipe_x, wipe_y] = weft.item("Wipe");
  weft.click(wipe_x, wipe_y);
  Report r =
      weft.wait_until("there is a line", [](const Report& r) { return r["items"].contains("lanes.line"); });
  const auto camera = r["camera"];
  const auto [x, y] = weft.item("lanes.line");
  weft.move_to(x, y);
  weft.fresh();  // the window has to see the cursor there before the button goes down
  weft.press();
  weft.move_to(x + 40, y);
  weft.fresh();
  weft.move_to(x + 120, y + 10);
  weft.fresh();
  weft.release();
  weft.wait_until("the line is there", [&, x = x](const Report& r) {
    const auto& at = r["items"]["lanes.line"];
    return std::abs(at[0].get<double>() + at[2].get<double>() / 2 - (x + 120)) < 3;
  });
  CHECK(weft.fresh()["camera"] == camera);
}
