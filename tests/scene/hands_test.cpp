#include <doctest/doctest.h>

#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/scene/command.h"

using namespace weft;

namespace {

std::string temporary() { return (std::filesystem::temp_directory_path() / "weft_hands.toml").string(); }

std::string fault(const std::string& text) {
  write_text_file(temporary(), text);
  try {
    read_hands(temporary());
  } catch (const Error& e) {
    return std::string(e.what()).substr(temporary().size());
  }
  return "";
}

}  // namespace

TEST_CASE("a recording of user input reads back to the same bits") {
  HandRecording r;
  r.scene_path = "scenes/a \"b\".toml";
  r.overrides = {{"step.dt", "0.005"}, {"forces.wind", "[1, 2, 3]"}, {"x", "a=b"}};
  r.steps = 1234;
  r.commands = {
      {0, 0, SetParam{"forces.wind", "[1, 2, 3]"}},
      {7, 0.1 + 0.2, GrabBegin{3, 99, {0.1f, 0.7f, 1 - 0.1f - 0.7f}, 0.05f}},
      {7, 1.0 / 3, GrabMove{3, {1.0f / 3, -2e-8f, 123.456f}}},
      {8, 0.08, GrabMove{3, {1, 2, 3}, 3.7f}},
      {8, 0.08, GrabEnd{3}},
      {8, 0.08, PinVertex{17, true}},
      {9, 0.09, PinVertex{17, false}},
      {9, 0.09, PinVertex{17, true, true}},
      {9, 0.09, PinVertex{17, true, false, vec3(1.0f / 3, -2e-8f, 123.456f)}},
      {1000, 10, ResetState{}},
      {3, 0.03, PinVertex{18, true}},  // after a reset steps begin anew
      {4, 0.04, EndSolve{17}},
      {4, 0.04, MoveBody{"a \"ball\"", {1, 2, 3}, {0.1f, 0, 1.0f / 3}, {0, 45, -170}, 2.5f}},
      {5, 0.05, GrabVertices{4, {7, 3, 99}}},
  };
  write_hands(temporary(), r);
  const HandRecording back = read_hands(temporary());
  CHECK(back.scene_path == r.scene_path);
  CHECK(back.overrides == r.overrides);
  CHECK(back.steps == r.steps);
  REQUIRE(back.commands.size() == r.commands.size());
  for (size_t i = 0; i < r.commands.size(); ++i) {
    CHECK(back.commands[i].step == r.commands[i].step);
    CHECK(back.commands[i].time == r.commands[i].time);
    REQUIRE(back.commands[i].command.index() == r.commands[i].command.index());
  }
  CHECK(std::get<SetParam>(back.commands[0].command).text == "[1, 2, 3]");
  const auto grab = std::get<GrabBegin>(back.commands[1].command);
  CHECK(grab.handle == 3);
  CHECK(grab.triangle == 99);
  CHECK(grab.barycentric == std::get<GrabBegin>(r.commands[1].command).barycentric);
  CHECK(grab.brush_radius == 0.05f);
  CHECK(std::get<GrabMove>(back.commands[2].command).target == vec3(1.0f / 3, -2e-8f, 123.456f));
  CHECK(std::get<GrabMove>(back.commands[2].command).speed_factor == 1);
  CHECK(std::get<GrabMove>(back.commands[3].command).speed_factor == 3.7f);
  CHECK(std::get<GrabEnd>(back.commands[4].command).handle == 3);
  CHECK(std::get<PinVertex>(back.commands[5].command).pinned);
  CHECK_FALSE(std::get<PinVertex>(back.commands[6].command).pinned);
  CHECK(std::get<PinVertex>(back.commands[6].command).vertex == 17);
  CHECK(std::get<PinVertex>(back.commands[7].command).as_scene);
  CHECK_FALSE(std::get<PinVertex>(back.commands[5].command).place);
  CHECK(std::get<PinVertex>(back.commands[8].command).place == vec3(1.0f / 3, -2e-8f, 123.456f));
  CHECK(std::get<PinVertex>(back.commands[10].command).pinned);
  CHECK_FALSE(std::get<PinVertex>(back.commands[10].command).as_scene);
  CHECK(std::get<EndSolve>(back.commands[11].command).iterations == 17);
  const auto body = std::get<MoveBody>(back.commands[12].command);
  CHECK(body.obstacle == "a \"ball\"");
  CHECK(body.center == vec3(1, 2, 3));
  CHECK(body.offset == vec3(0.1f, 0, 1.0f / 3));
  CHECK(body.rotation == vec3(0, 45, -170));
  CHECK(body.speed_factor == 2.5f);
  CHECK(std::get<GrabVertices>(back.commands[13].command).handle == 4);
  CHECK(std::get<GrabVertices>(back.commands[13].command).vertices == std::vector<int>{7, 3, 99});
  std::filesystem::remove(temporary());
}

TEST_CASE("each command is one line of the file") {
  HandRecording r;
  r.scene_path = "s.toml";
  r.commands = {{1, 0.01, GrabEnd{2}}, {2, 0.02, ResetState{}}};
  write_hands(temporary(), r);
  const std::string text = read_text_file(temporary(), "hands");
  CHECK(text.find(
            "\n  { step = 1, time = 0.01, release = 2 },\n  { step = 2, time = 0.02, reset = true },\n") !=
        text.npos);
  std::filesystem::remove(temporary());
}

TEST_CASE("faults in a recording name the line") {
  CHECK(fault("steps = 3\n").rfind(":1: this is not a recording of user input", 0) == 0);
  CHECK(fault("scene = \"a\"\ncommands = [\n  { step = 1, time = 0 },\n]\n")
            .rfind(":3: commands: does not name an action", 0) == 0);
  CHECK(fault("scene = \"a\"\ncommands = [\n  { release = 1 },\n]\n")
            .rfind(":3: commands: a command needs its step", 0) == 0);
  CHECK(fault("scene = \"a\"\ncommands = [\n  { step = 2, release = 1 },\n  { step = 1, release = 1 },\n]\n")
            .rfind(":4: commands.step: steps must not decrease", 0) == 0);
  CHECK(fault("scene = \"a\"\ncommands = [\n  { step = 2, move = 1, target = [0, nan, 0] },\n]\n")
            .rfind(":3: commands.target: nan is outside", 0) == 0);
  CHECK(fault("scene = \"a\"\ncommands = [\n  { step = 2, grab = 1, triangle = 0, barycentric = [1, 1, 0] "
              "},\n]\n")
            .rfind(":3: commands.barycentric: the three do not add up to 1", 0) == 0);
  CHECK(fault("scene = \"a\"\ncommands = [\n  { step = 2, pin = 1, pni = 2 },\n]\n")
            .rfind(":3: unknown key 'pni'", 0) == 0);
  CHECK(fault("scene = \"a\"\ncommands = [\n  { step = 2, end_solve = 0 },\n]\n")
            .rfind(":3: commands.end_solve: 0 is outside", 0) == 0);
  CHECK(fault("scene = \"a\"\noverrides = [\"nonsense\"]\n")
            .rfind(":2: overrides: 'nonsense' is not key=value", 0) == 0);
  std::filesystem::remove(temporary());
}
