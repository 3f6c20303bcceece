// The history of a run and its curves in the window, worked with mouse and keyboard.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "sim/files/run_cache.h"
#include "test_paths.h"
#include "tests/viewer/window_desktop.h"

using namespace weft;
using namespace weft::testing;
using Report = RunningWeft::Report;

namespace {

bool stands_at(const Report& r, int step) {
  return r["step"] == step && r["history"]["step"] == step && !r["playing"].get<bool>();
}
int last_of(const Report& r) { return r["history"]["last"]; }
bool says(const Report& r, const std::string& words) {
  return r["message"].get<std::string>().find(words) != std::string::npos;
}

void click(RunningWeft& weft, const std::string& item) {
  const auto [x, y] = weft.item(item);
  weft.click(x, y);
}

void make_steps(RunningWeft& weft, int until) {
  weft.key("space");
  weft.wait_until("it has made steps", [&](const Report& r) { return r["step"] >= until; });
  weft.key("space");
  weft.wait_until("it is paused", [](const Report& r) { return !r["playing"].get<bool>(); });
}

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("a run is gone back in by keys and on its timeline and goes on from there as a branch") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  write_small_scene(desktop, 300);
  RunningWeft weft(desktop, {"small.toml", "--size", "1200x760", "--paused"});
  weft.wait_until("it is there", [](const Report& r) { return r["history"]["kept"] == 1; });
  make_steps(weft, 40);
  const Report end = weft.fresh();
  const int last = end["step"];
  CHECK(end["history"]["kept"] == last + 1);
  weft.key("comma");
  weft.wait_until("one step back", [&](const Report& r) { return stands_at(r, last - 1); });
  weft.key("Left");
  weft.wait_until("two steps back", [&](const Report& r) { return stands_at(r, last - 2); });
  weft.key("period");
  weft.wait_until("one on", [&](const Report& r) { return stands_at(r, last - 1) && last_of(r) == last; });
  weft.key("Home");
  const Report first = weft.wait_until("the start", [](const Report& r) { return stands_at(r, 0); });
  CHECK(first["cloth_screen"] != end["cloth_screen"]);
  weft.key("End");
  weft.wait_until("the end", [&](const Report& r) {
    return stands_at(r, last) && r["cloth_screen"] == end["cloth_screen"];
  });
  CHECK_FALSE(weft.fresh()["history"]["back"].get<bool>());

  const auto [x, y] = weft.item("history", 0.5);
  weft.move_to(x, y);
  weft.press();
  weft.wait_until("the state under the cursor",
                  [&](const Report& r) { return std::abs(r["step"].get<int>() - last / 2) <= 1; });
  weft.release();
  const Report back = weft.fresh();
  CHECK(back["history"]["back"].get<bool>());
  CHECK(last_of(back) == last);
  const int from = back["step"];
  weft.key("space");
  weft.wait_until("it goes on from there", [&](const Report& r) {
    return r["history"]["branch"] == back["history"]["branch"].get<int>() + 1;
  });
  weft.key("space");
  const Report on =
      weft.wait_until("it is paused", [](const Report& r) { return !r["playing"].get<bool>(); });
  CHECK(on["history"]["kept"] == last_of(on) + 1);
  CHECK(on["step"].get<int>() > from);
  weft.key("r");
  weft.wait_until("the reset begins it anew", [](const Report& r) {
    return r["history"]["kept"] == 1 && r["history"]["why"] == "It begins at the reset.";
  });
}

TEST_CASE("Ctrl-Z takes a drag of the cloth back to the state in which it began") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  write_small_scene(desktop, 300);
  RunningWeft weft(desktop, {"small.toml", "--size", "1200x760", "--paused"});
  weft.wait_until("it is there", [](const Report& r) { return r["history"]["kept"] == 1; });
  make_steps(weft, 10);
  const Report before = weft.fresh();
  const double x = before["cloth_screen"][0], y = before["cloth_screen"][1];
  weft.move_to(x, y);
  weft.press();
  for (int i = 1; i <= 5; ++i) weft.move_to(x + 10 * i, y - 5 * i);
  weft.wait_until("it is held", [](const Report& r) { return r["handles"].size() == 1; });
  for (int i = 0; i < 5; ++i) weft.key("period");
  weft.wait_until("steps were made",
                  [&](const Report& r) { return r["step"] >= before["step"].get<int>() + 5; });
  weft.release();
  weft.wait_until("it is let go of", [](const Report& r) { return r["handles"].empty(); });
  weft.key("ctrl+z");
  const Report undone = weft.wait_until(
      "the drag is undone", [&](const Report& r) { return stands_at(r, before["step"].get<int>()); });
  CHECK(undone["cloth_screen"] == before["cloth_screen"]);
  CHECK(undone["handles"].empty());
  weft.key("ctrl+shift+z");
  weft.wait_until("the drag is there again", [](const Report& r) { return r["step"] == last_of(r); });
}

TEST_CASE("Ctrl-Z of a drag while the run plays goes back to where it began and plays on from there") {
  constexpr int kDragged = 60;  // steps: far more than pass between a key and its picture
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  write_small_scene(desktop, 300);
  RunningWeft weft(desktop, {"small.toml", "--size", "1200x760"});
  weft.wait_until("it plays", [](const Report& r) { return r["playing"].get<bool>() && r["step"] > 10; });
  const Report before = weft.fresh();
  const double x = before["cloth_screen"][0], y = before["cloth_screen"][1];
  weft.move_to(x, y);
  weft.wait_until("cloth is under the cursor", [](const Report& r) { return !r["hover"].is_null(); });
  weft.press();
  weft.move_to(x + 40, y - 20);
  const int held =
      weft.wait_until("it is held", [](const Report& r) { return r["handles"].size() == 1; })["step"];
  weft.move_to(x + 60, y - 30);
  weft.wait_until("it is dragged", [&](const Report& r) { return r["step"] > held + kDragged; });
  weft.release();
  weft.wait_until("it is let go of", [](const Report& r) { return r["handles"].empty(); });
  weft.key("ctrl+z");
  const Report undone =
      weft.wait_until("it has gone back", [&](const Report& r) { return r["step"] < held + kDragged; });
  CHECK(undone["step"] >= before["step"]);
  CHECK(undone["handles"].empty());
  CHECK(undone["playing"].get<bool>());
  CHECK(last_of(undone) < held + kDragged);  // what came after is gone
  weft.wait_until("it plays on", [&](const Report& r) { return r["step"] > held + kDragged; });
}

TEST_CASE("a stretch of a run is exported from the window as the same frames that a headless run caches") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  write_small_scene(desktop, 300);
  RunningWeft weft(desktop, {"small.toml", "--size", "1200x760", "--paused", "--threads", "1"});
  weft.wait_until("it is there", [](const Report& r) { return r["history"]["kept"] == 1; });
  make_steps(weft, 30);
  const int last = weft.fresh()["step"];
  click(weft, "history.menu");
  weft.wait_until("the menu", [](const Report& r) { return r["items"].contains("Cache"); });
  click(weft, "Cache");
  weft.wait_until("it is written", [](const Report& r) { return says(r, "weft-001.weftcache"); });
  desktop.shell(WEFT_PROGRAM " small.toml --headless --quiet --threads 1 --cache whole.weftcache --frames " +
                std::to_string(last) + " 2>&1");
  RunCacheReader ours(desktop.file("weft-001.weftcache")), whole(desktop.file("whole.weftcache"));
  REQUIRE(ours.frame_count() == whole.frame_count());
  RunFrame a, b;
  for (int f = 0; f < ours.frame_count(); ++f) {
    ours.read(f, a), whole.read(f, b);
    CHECK(a.step == b.step);
    CHECK(a.positions == b.positions);
  }

  weft.key("comma");
  weft.wait_until("back", [&](const Report& r) { return stands_at(r, last - 1); });
  click(weft, "history.menu");
  weft.wait_until("the menu", [](const Report& r) { return r["items"].contains("Begin here"); });
  click(weft, "Begin here");
  click(weft, "PC2");
  weft.wait_until("two states", [&](const Report& r) {
    return says(r, "Exported steps " + std::to_string(last - 1) + " to " + std::to_string(last));
  });
  click(weft, "history.menu");
  weft.wait_until("the menu", [](const Report& r) { return r["items"].contains("Video"); });
  click(weft, "Video");
  weft.wait_until("the film is made", [](const Report& r) {
    return !r["history"]["filming"].get<bool>() && !r["recording"].get<bool>() && says(r, "Recorded");
  });
  CHECK(std::filesystem::file_size(desktop.file("weft-001.mp4")) > 100);
}

TEST_CASE("ticks beside numbers draw their curves and a branch leaves a pale one") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  write_small_scene(desktop, 300);
  RunningWeft weft(desktop, {"small.toml", "--size", "1200x760", "--paused"});
  weft.wait_until("it is there", [](const Report& r) { return r["history"]["kept"] == 1; });
  make_steps(weft, 30);
  click(weft, "plot.stats.solver_residual");
  const Report ticked = weft.wait_until("a curve of the steps before too", [](const Report& r) {
    return r["curves"].contains("stats.solver_residual") && r["curves"]["stats.solver_residual"][0] > 2;
  });
  CHECK(ticked["items"].contains("curves.plot"));
  CHECK(ticked["curves"]["stats.solver_residual"][0] == ticked["step"].get<int>() + 1);  // all, and the start
  CHECK(ticked["viewport"][3].get<double>() < 700);
  click(weft, "plot.rate.steps");
  weft.wait_until("two curves", [](const Report& r) { return r["curves"].size() == 2; });
  const auto [x, y] = weft.item("history", 0.5);
  weft.click(x, y);
  weft.wait_until("back", [](const Report& r) { return r["history"]["back"].get<bool>(); });
  CHECK(weft.fresh()["curves"]["stats.solver_residual"][1] == 0);
  weft.key("space");
  weft.wait_until("a pale curve",
                  [](const Report& r) { return r["curves"]["stats.solver_residual"][1] > 0; });
  weft.key("space");
  click(weft, "SVG");
  weft.wait_until("the SVG", [](const Report& r) { return says(r, "weft-curves.svg"); });
  CHECK(text_of(desktop.file("weft-curves.svg")).find("opacity=\"0.35\"") != std::string::npos);
  click(weft, "CSV");
  weft.wait_until("the CSV", [](const Report& r) { return says(r, "weft-curves.csv"); });
  CHECK(text_of(desktop.file("weft-curves.csv")).starts_with("time_s,solver_residual,"));
  click(weft, "PNG");
  weft.wait_until("the PNG", [](const Report& r) { return says(r, "weft-001.png"); });
  const Image picture = read_png(desktop.file("weft-001.png"));
  CHECK(picture.width > 400);
  CHECK(picture.height > 100);
  click(weft, "plot.rate.steps");
  click(weft, "plot.stats.solver_residual");
  weft.wait_until("no curve", [](const Report& r) { return !r["items"].contains("curves.plot"); });
  const Report shown = weft.fresh();
  weft.move_to(shown["cloth_screen"][0], shown["cloth_screen"][1]);
  weft.wait_until("the cloth is pointed at", [](const Report& r) { return !r["hover"].is_null(); });
  weft.key("m");
  weft.wait_until("the height of a vertex", [](const Report& r) { return r["curves"].size() == 1; });
  weft.key("period");
  weft.wait_until("its first point", [](const Report& r) {
    for (const auto& [id, points] : r["curves"].items())
      if (id.starts_with("vertex.")) return points[0] == 1;
    return false;
  });
}
