#include <doctest/doctest.h>

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "sim/run/simulation.h"
#include "sim/scene/motion.h"
#include "tests/support/two_cloths.h"
#include "viewer/interact/pins.h"
#include "viewer/interact/undo.h"
#include "viewer/session/window_command.h"
#include "viewer/session/window_settings.h"

using namespace weft;

namespace {

const SetParam& only_param(const std::vector<Command>& commands) {
  REQUIRE(commands.size() == 1);
  return std::get<SetParam>(commands[0]);
}

}  // namespace

TEST_CASE("undo takes back the newest edit first, redo brings it again") {
  UndoStack stack;
  CHECK_FALSE(stack.undo());
  stack.push(parameter_edit("Lift", "forces.lift", "0.6", "0.9"));
  stack.push(parameter_edit("Drag", "forces.drag", "1", "2"));
  CHECK(stack.undo_label() == "Drag");
  const auto first = stack.undo();
  REQUIRE(first);
  CHECK(only_param(first->undo).key == "forces.drag");
  CHECK(only_param(first->undo).text == "1");
  CHECK(stack.redo_label() == "Drag");
  CHECK(only_param(stack.undo()->undo).text == "0.6");
  CHECK_FALSE(stack.undo());
  CHECK(only_param(stack.redo()->redo).text == "0.9");
  CHECK(only_param(stack.redo()->redo).text == "2");
  CHECK_FALSE(stack.redo());
}

TEST_CASE("a new edit after undo forgets what was undone") {
  UndoStack stack;
  stack.push(parameter_edit("a", "k", "1", "2"));
  stack.push(parameter_edit("b", "k", "2", "3"));
  stack.undo();
  stack.push(parameter_edit("c", "k", "2", "9"));
  CHECK_FALSE(stack.can_redo());
  CHECK(stack.undo_label() == "c");
  stack.undo();
  CHECK(stack.undo_label() == "a");
}

TEST_CASE("undo remembers no more edits than its limit and drops the oldest") {
  UndoStack stack(3);
  for (int i = 0; i < 5; ++i) stack.push(parameter_edit(std::to_string(i), "k", "", ""));
  std::string labels;
  while (const auto edit = stack.undo()) labels += edit->label;
  CHECK(labels == "432");
}

TEST_CASE("toggling a pin pins a free vertex and frees a pinned one, and undo does the opposite") {
  const Edit pin = toggle_pin(5, {1, 2}, {});
  CHECK(std::get<PinVertex>(pin.redo[0]).pinned);
  CHECK_FALSE(std::get<PinVertex>(pin.undo[0]).pinned);
  const Edit release = toggle_pin(2, {1, 2}, {{1, vec3(9)}});
  CHECK_FALSE(std::get<PinVertex>(release.redo[0]).pinned);
  CHECK(std::get<PinVertex>(release.undo[0]).vertex == 2);
  CHECK_FALSE(std::get<PinVertex>(release.undo[0]).place);
  CHECK(std::get<PinVertex>(toggle_pin(1, {1, 2}, {{1, vec3(9)}}).undo[0]).place == vec3(9));
}

TEST_CASE(
    "pins of several vertices are one edit: free ones are pinned, and all are freed where none is free") {
  const Edit pin = toggle_pins({1, 5, 7}, {1, 2}, {});
  REQUIRE(pin.redo.size() == 2);
  for (const Command& c : pin.redo) CHECK(std::get<PinVertex>(c).pinned);
  for (const Command& c : pin.undo) CHECK_FALSE(std::get<PinVertex>(c).pinned);
  CHECK(std::get<PinVertex>(pin.redo[0]).vertex == 5);
  CHECK(std::get<PinVertex>(pin.redo[1]).vertex == 7);
  const Edit free = toggle_pins({1, 2}, {1, 2, 3}, {{1, vec3(9)}});
  REQUIRE(free.redo.size() == 2);
  for (const Command& c : free.redo) CHECK_FALSE(std::get<PinVertex>(c).pinned);
  for (const Command& c : free.undo) CHECK(std::get<PinVertex>(c).pinned);
  CHECK(std::get<PinVertex>(free.undo.back()).place == vec3(9));
}

TEST_CASE(
    "undoing what freed a pin made by hand brings the vertex back to its place, no faster than hands move, "
    "and replays") {
  Scene scene;
  scene.cloths.resize(1);
  scene.cloths[0].vertices = 150;
  scene.cloths[0].placement.position = {0, 1.2f, 0};
  scene.pins.resize(1);
  scene.pins[0].where = "top_left";
  scene.set("drag.speed_limit", "2");
  for (const char* collision : {"bodies", "repulsion"}) {
    CAPTURE(collision);
    scene.set("step.collision", collision);
    const auto device = Device::create(DeviceChoice::cpu, 1);
    Simulation simulation(scene, *device);
    const int made = 70;
    const auto place = [&] { return simulation.positions()[size_t(made)]; };
    const auto steps = [&](int count) {
      for (int k = 0; k < count; ++k) simulation.step();
    };
    const auto carry_out = [&](const std::vector<Command>& commands) {
      for (const Command& c : commands) simulation.apply(c);
    };
    steps(5);
    carry_out(toggle_pin(made, simulation.pinned_vertices(), simulation.hand_pins()).redo);
    const vec3 pinned_at = place();
    steps(5);
    const Edit free = toggle_pin(made, simulation.pinned_vertices(), simulation.hand_pins());
    carry_out(free.redo);
    steps(20);
    REQUIRE(glm::distance(place(), pinned_at) > 0.05f);
    carry_out(free.undo);
    CHECK(simulation.pinned_vertices().size() == 2);
    const float way = glm::distance(place(), pinned_at);
    const int needed = int(std::ceil(way / (2 * scene.step.dt)));
    for (int k = 0; k < needed; ++k) {
      const vec3 before = place();
      if (k == needed / 2) {  // a snapshot on the way goes on as the run does
        const Snapshot here = simulation.snapshot();
        simulation.step();
        const uint64_t hash = simulation.hash();
        simulation.restore(here);
        simulation.step();
        CHECK(simulation.hash() == hash);
      } else {
        simulation.step();
      }
      CHECK(glm::distance(place(), before) <= 1.001f * 2 * scene.step.dt);
    }
    if (std::string(collision) == "repulsion") steps(100);  // whose own limits are tighter
    CHECK(glm::distance(place(), pinned_at) < 1e-4f);
    steps(30);
    CHECK(glm::distance(place(), pinned_at) < 1e-4f);
    const uint64_t end = simulation.hash();
    Simulation again(scene, *device);
    for (const TimedCommand& c : simulation.recorded()) {
      while (again.state().step < c.step) again.step();
      again.apply(c.command);
    }
    while (again.state().step < simulation.state().step) again.step();
    CHECK(again.hash() == end);
  }
}

TEST_CASE(
    "undoing what freed a vertex gives it back to the scene's pin, motion and all, and a click pins it where "
    "it "
    "is") {
  Scene scene;
  scene.cloths.resize(1);
  scene.cloths[0].vertices = 150;
  scene.cloths[0].placement.position = {0, 1.2f, 0};
  Pin moving;
  moving.where = "top_left";
  moving.motion.keys = {{0, {0, 0, 0}, {0, 0, 0}}, {1, {0, 0, 0.5f}, {0, 0, 0}}};
  scene.pins = {moving};
  const auto device = Device::create(DeviceChoice::cpu, 1);
  Simulation simulation(scene, *device);
  REQUIRE(simulation.pinned_vertices().size() == 1);
  const int corner = simulation.pinned_vertices()[0];
  const vec3 start = simulation.positions()[size_t(corner)];
  const auto carry_out = [&](const std::vector<Command>& commands) {
    for (const Command& c : commands) simulation.apply(c);
    for (int k = 0; k < 10; ++k) simulation.step();
  };
  const Edit free = toggle_pin(corner, simulation.pinned_vertices(), simulation.hand_pins());
  carry_out(free.redo);
  REQUIRE(simulation.pinned_vertices().empty());
  carry_out(free.undo);
  CHECK(simulation.pinned_vertices() == std::vector<int>{corner});
  CHECK(simulation.scene_to_save().pins == scene.pins);
  const vec3 wanted(motion_transform(moving.motion, simulation.state().time) * vec4(start, 1));
  CHECK(glm::distance(wanted, start) > 0.01f);
  CHECK(glm::distance(simulation.positions()[size_t(corner)], wanted) < 1e-4f);

  carry_out(free.redo);
  const vec3 there = simulation.positions()[size_t(corner)];
  carry_out(toggle_pin(corner, simulation.pinned_vertices(), simulation.hand_pins()).redo);
  CHECK(glm::distance(simulation.positions()[size_t(corner)], there) < 1e-5f);
}

TEST_CASE("the command line names every changed parameter, and only those") {
  const Scene original = testing::two_cloths("shirt", "skirt");
  Scene tuned = original;
  CHECK(headless_command({"a.toml"}, original, tuned) == "weft a.toml --headless");
  tuned.set("forces.wind", "[1, 0, -2.5]");
  tuned.set("skirt.areal_density", "0.3");
  tuned.set("step.elastic_model", "finite_elements");
  CHECK(headless_command({"my scene.toml"}, original, tuned) ==
        "weft 'my scene.toml' --headless --set step.elastic_model=finite_elements --set forces.wind=1,0,-2.5 "
        "--set skirt.areal_density=0.3");
}

TEST_CASE("the command line keeps the look of the picture") {
  ViewSettings view;
  view.colouring = vertex_field("stretch");
  view.wireframe = true;
  CHECK(headless_command({}, testing::two_cloths("shirt", "skirt"), testing::two_cloths("shirt", "skirt"),
                         view) == "weft --headless --set view.colouring=stretch --set view.wireframe=true");
}

TEST_CASE("setting what the command line says on the original scene gives the tuned scene") {
  const Scene original = testing::two_cloths("shirt", "skirt");
  Scene tuned = original;
  tuned.set("step.dt", "0.004");
  tuned.set("fabric.bending_rigidity", "3.7e-6");
  tuned.set("shirt.front_color", "[0.1, 0.2, 0.3]");
  tuned.set("contact.ground", "false");
  Scene again = original;
  for (const auto& [key, text] : changed_parameters(original, tuned)) again.set(key, text);
  CHECK(changed_parameters(tuned, again).empty());
  CHECK(changed_parameters(original, tuned).size() == 5);  // the bending rigidity of both cloths
}

TEST_CASE("a word is quoted so that a shell reads it back unchanged") {
  for (const std::string word :
       {"plain.toml", "with space", "it's", "$HOME `x` \"q\" \\", "", "a;b&c|d", "*?[1]"}) {
    const std::string command = "printf %s " + shell_word(word);
    FILE* pipe = popen(command.c_str(), "r");
    REQUIRE(pipe);
    char buffer[256] = {};
    const size_t n = fread(buffer, 1, sizeof buffer, pipe);
    pclose(pipe);
    CHECK(std::string(buffer, n) == word);
  }
  CHECK(shell_word("plain.toml") == "plain.toml");
}

TEST_CASE("window settings survive a restart, and damage to their file costs only the damaged lines") {
  const auto folder = std::filesystem::temp_directory_path() / ("weft-settings-" + std::to_string(getpid()));
  const std::string path = (folder / "deep" / "window.ini").string();
  {
    WindowSettings settings(path);
    settings.set("column.left", 333.5f);
    settings.set("hint.dismissed", true);
    settings.set("view.shading", std::string("\"plain\""));
    settings.save();
  }
  {
    std::ofstream file(path, std::ios::app);
    file << "column.right=wide\nno equals sign\nsection.View=perhaps\n=\n";
  }
  WindowSettings settings(path);
  CHECK(settings.number("column.left", 0) == 333.5f);
  CHECK(settings.flag("hint.dismissed", false));
  CHECK(settings.text("view.shading", "") == "\"plain\"");
  CHECK(settings.number("column.right", 296) == 296);
  CHECK(settings.flag("section.View", true));
  std::filesystem::remove_all(folder);
}
