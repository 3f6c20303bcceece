#include "viewer/session/autosave.h"

#include <unistd.h>

#include <filesystem>

#include "tests/viewer/opened_session.h"

using namespace weft;
using namespace weft::testing;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  return names;
}

}  // namespace

TEST_CASE("sliders and pins are written by themselves, and the file goes when the window closes") {
  Opened o;
  Folder state;
  const std::string folder = state.path();
  o.gate->open();
  {
    Autosave autosave(folder, 0);
    autosave.turn(o.session, {});
    autosave.turn(o.session, {});
    CHECK(files_in(folder).empty());  // as it was opened: nothing to keep
    o.session.change("Gravity", {{"forces.gravity", "[0, -5, 0]"}});
    const std::string file = state / ("autosave-" + std::to_string(::getpid()) + ".toml");
    CHECK(wait_for([&] {
      autosave.turn(o.session, {});
      return fs::exists(file);
    }));
    CHECK(wait_for([&] { return read_scene(file).forces.gravity.y == -5; }));
    CHECK(autosave.left_behind().empty());  // its window is here
  }
  CHECK(files_in(folder).empty());
}

TEST_CASE("the file of a window that is gone is kept under a name of its own and told once") {
  Folder state;
  const std::string folder = state.path();
  state.write("autosave-2147483646.toml", small_scene());
  state.write("autosave-mine.toml", small_scene());
  state.write("recovered-001.toml", small_scene());
  const Autosave autosave(folder, 0);
  CHECK(autosave.left_behind() == std::vector<std::string>{folder + "/recovered-002.toml"});
  CHECK(autosave.left_behind().empty());
  CHECK(files_in(folder).size() == 3);
}
