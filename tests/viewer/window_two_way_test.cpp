// Two-way contact in the window: its plot, colours and pairs, its switches while cloth is pulled, and starts
// that cross.
#include <doctest/doctest.h>

#include <fstream>

#include "tests/viewer/window_desktop.h"

using namespace weft::testing;
using Report = RunningWeft::Report;

namespace {

/// A sheet that falls onto a ball; a second one stands in it if `crossed`.
std::string write_scene(const Desktop& desktop, bool crossed) {
  const std::string path = desktop.file("contact.toml");
  std::ofstream(path) << "title = \"Contact\"\n[step]\ncollision = \"two_way\"\n"
                         "[camera]\ntarget = [0.0, 0.42, 0.0]\ndistance = 1.2\nyaw = 20\npitch = 25\n"
                         "[[cloth]]\nname = \"sheet\"\nsize = [0.4, 0.4]\nedge = 0.025\nposition = [0.003, "
                         "0.515, 0.002]\nrotation = [-90, 0, 0]\n"
                      << (crossed ? "[[cloth]]\nname = \"standing\"\nsize = [0.1, 0.1]\nedge = "
                                    "0.02\nposition = [0.15, 0.515, 0]\n"
                                  : "")
                      << "[[obstacle]]\nname = \"ball\"\nshape = \"sphere\"\nsize = [0.1, 0.1, "
                         "0.1]\nposition = [0, 0.41, 0]\n";
  return path;
}

std::string remarks(const Report& r) {
  std::string all;
  for (const auto& remark : r["remarks"]) all += remark.get<std::string>() + " ";
  return all;
}

/// Steps go on after what was just done, and what they promise still stands in the panel.
void goes_on(RunningWeft& weft) {
  const int step = weft.fresh()["step"];
  const Report r = weft.wait_until("steps go on", [&](const Report& r) { return r["step"] > step + 3; });
  CHECK(remarks(r).find("It never crosses a body") != std::string::npos);
  CHECK(remarks(r).find("forward step") != std::string::npos);
  CHECK(r["staying"] == 0);
}

/// Turns the wheel over the left column, below the list of scenes, which has a wheel of its own, until a
/// widget of the column is in sight, with room for a list below.
void scroll_to(RunningWeft& weft, const std::string& key) {
  for (int k = 0; k < 40 && weft.item(key).second > 450; ++k) {
    weft.move_to(100, 420);
    weft.xdotool("click 5");
    weft.fresh();
  }
}

void choose(RunningWeft& weft, const std::string& key, const std::string& choice) {
  scroll_to(weft, key);
  const auto [x, y] = weft.item(key);
  weft.click(x, y);
  const auto [choice_x, choice_y] = weft.item(key + "=" + choice);
  weft.click(choice_x, choice_y);
  weft.wait_until(key + " is " + choice, [&](const Report& r) {
    return r["params"].contains(key) && r["params"][key].get<std::string>().find(choice) != std::string::npos;
  });
}

}  // namespace

TEST_CASE("two-way contact is switched while a hand pulls the cloth, and shows its steps, bounds and pairs") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop,
                   {write_scene(desktop, false), "--size", "1000x640", "--set", "view.contact_pairs=true"});
  weft.key("6");
  Report r = weft.wait_until(
      "pairs are shown, and bounds",
      [](const Report& r) { return r["contact_pairs"] > 10 && r["field"] == "bound"; }, 60);
  CHECK(r["items"].contains("timings.contact"));
  CHECK(remarks(r).find("edge-edge pairs are close") != std::string::npos);

  // A handle that stays in place pulls on while the mouse works the panel.
  const double x = r["cloth_screen"][0], y = r["cloth_screen"][1];
  weft.move_to(x, y);
  weft.fresh();
  weft.press();
  weft.wait_until("there is a handle", [](const Report& r) { return r["handles"].size() == 1; });
  for (int i = 1; i <= 8; ++i) weft.move_to(x + 10 * i, y - 8 * i);
  weft.key_down("shift");
  weft.release();
  weft.key_up("shift");
  weft.wait_until("it pulls", [](const Report& r) {
    return r["handles"].size() == 1 && r["handles"][0]["force"] > 0.01;
  });

  choose(weft, "two_way.bound", "half_distance");
  goes_on(weft);
  scroll_to(weft, "two_way.together");
  const auto [together_x, together_y] = weft.item("two_way.together", 0.05);
  weft.click(together_x, together_y);
  weft.wait_until("it is off", [](const Report& r) { return r["params"].contains("two_way.together"); });
  goes_on(weft);
  scroll_to(weft, "more.two_way");
  const auto [more_x, more_y] = weft.item("more.two_way", 0.1);
  weft.click(more_x, more_y);
  choose(weft, "two_way.lcp", "jacobi");
  goes_on(weft);
}

TEST_CASE(
    "a start that crosses is told until the message is closed, and the panel does not promise what does not "
    "hold") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {write_scene(desktop, true), "--size", "1280x800", "--paused"});
  const Report r = weft.wait_until("it is told", [](const Report& r) { return r["staying"] == 1; });
  CHECK(r["message"].get<std::string>().find("cross or touch each other") != std::string::npos);
  CHECK(r["message"].get<std::string>().find("weft repair") != std::string::npos);
  weft.wait_until("the panel says so", [](const Report& r) {
    return remarks(r).find("when this method began") != std::string::npos;
  });
}
