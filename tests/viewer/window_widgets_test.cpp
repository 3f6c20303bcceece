#include <doctest/doctest.h>
#include <imgui.h>
#include <imgui_internal.h>

#include "viewer/panels/slider_scale.h"
#include "viewer/panels/widgets.h"
#include "viewer/session/stage_history.h"
#include "viewer/theme/theme.h"

using namespace weft;

namespace {
ParamInfo info(double min, double max, bool log_scale = false) {
  ParamInfo i;
  i.key = "x";
  i.min = min, i.max = max, i.log_scale = log_scale;
  return i;
}

StageTime stage(const char* path, int depth, double now) {
  StageTime s;
  s.path = path;
  s.name = s.path.substr(s.path.rfind('/') + 1);
  s.depth = depth;
  s.now = now;
  return s;
}
}  // namespace

TEST_CASE("a slider's place and value are inverse to each other") {
  for (const SliderScale& scale :
       {SliderScale(info(-100, 100), false), SliderScale(info(1, 1e6, true), false),
        SliderScale(info(0, 0.1, true), false), SliderScale(info(0, 20000), true),
        SliderScale(info(1e-5, 0.1, true), false)}) {
    CHECK(scale.place(scale.value(0)) == doctest::Approx(0));
    CHECK(scale.place(scale.value(1)) == doctest::Approx(1));
    double before = -1e30;
    for (double t = 0.05; t < 1; t += 0.05) {
      CHECK(scale.place(scale.value(t)) == doctest::Approx(t));
      CHECK(scale.value(t) > before);
      before = scale.value(t);
    }
  }
}

TEST_CASE(
    "a logarithmic slider from zero reaches zero at its left end and silk's bending rigidity well inside") {
  const SliderScale scale(info(0, 0.1, true), false);
  CHECK(scale.value(0) == 0);
  CHECK(scale.place(0) == 0);
  CHECK(scale.place(2e-6) > 0.2);
}

TEST_CASE("slider values are rounded to what a person would write") {
  CHECK(SliderScale(info(1, 1e6, true), false).rounded(4567.8) == doctest::Approx(4570));
  CHECK(SliderScale(info(0, 20000), true).rounded(12.6) == 13);
  CHECK(SliderScale(info(0, 1), false).rounded(0.123456) == doctest::Approx(0.123));
  CHECK(SliderScale(info(-100, 100), false).rounded(1e-9) == doctest::Approx(0));
  CHECK(SliderScale(info(0, 1), false).rounded(0.99999) <= 1);
}

TEST_CASE("units are shown with superscripts and a micro sign") {
  CHECK(pretty_unit("m/s^2") == "m/s\u00b2");
  CHECK(pretty_unit("N/m^3") == "N/m\u00b3");
  CHECK(pretty_unit("uN m") == "\u00b5N m");
  CHECK(shown_number(4000) == "4000");
  CHECK(shown_number(300000) == "300000");
  CHECK(shown_number(0.9992) == "0.9992");
}

TEST_CASE("the history keeps the stages below the step, what they leave over, and no more steps than asked") {
  StageHistory history(3);
  for (int n = 1; n <= 5; ++n)
    history.add({stage("step", 0, 10.0 * n), stage("step/measured_once", 1, 0), stage("step/predict", 1, 1),
                 stage("step/solve", 1, 6.0 * n), stage("step/solve/fine", 2, 4)});
  REQUIRE(history.steps().size() == 3);
  CHECK(history.names() == std::vector<std::string>{"predict", "solve", "other"});
  const auto& newest = history.steps().back();
  CHECK(newest[1] == doctest::Approx(30));
  CHECK(newest[0] + newest[1] + newest[2] == doctest::Approx(50));
  CHECK(history.series_of("step/solve/fine") == 1);
  CHECK(history.series_of("step") == -1);
}

TEST_CASE("an axis ends at a round number that is not below the value") {
  CHECK(nice_ceiling(0.7) == doctest::Approx(1));
  CHECK(nice_ceiling(13) == doctest::Approx(20));
  CHECK(nice_ceiling(50) == doctest::Approx(50));
  CHECK(nice_ceiling(51) == doctest::Approx(100));
  CHECK(nice_ceiling(0) == 1);
}

TEST_CASE(
    "a typed number may have spaces, a plus and the unit that is shown, and anything else is no number") {
  for (const char* text : {"0.5", " 0.5 ", "+0.5", "0.5 m/s^2", "0.5m/s\u00b2", "5e-1 m/s\u00b2 "}) {
    CAPTURE(text);
    CHECK(typed_number(text, "m/s^2") == 0.5);
  }
  for (const char* text :
       {"", "  ", "0,5", "0.5x", "two", "nan", "inf", "0.5 0.5", "0.5 mm", "1e999", "+-1"}) {
    CAPTURE(text);
    CHECK_FALSE(typed_number(text, "m/s^2"));
  }
  CHECK(typed_number("-3", "") == -3);
  CHECK_FALSE(typed_number("3 m", ""));
}

TEST_CASE("the margin of a tooltip grows with the display's scale as its text does") {
  for (const float scale : {1.0f, 2.0f}) {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = ImVec2(800, 600), io.IniFilename = nullptr;
    theme::apply(scale);
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    for (int picture = 0; picture < 3; ++picture) {
      io.MousePos = ImVec2(60, 60);
      ImGui::NewFrame();
      ImGui::SetNextWindowPos(ImVec2(0, 0));
      ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoDecoration);
      ImGui::Button("button", ImVec2(300, 300));
      theme::tooltip("More is slower.");
      ImGui::End();
      ImGui::Render();
    }
    const ImGuiWindow* tip = ImGui::FindWindowByName("##Tooltip_00");
    REQUIRE(tip != nullptr);
    CHECK(tip->WindowPadding.x == doctest::Approx(10 * scale));
    ImGui::DestroyContext();
  }
}
