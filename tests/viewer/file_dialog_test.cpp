#include "viewer/session/file_dialog.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/support/folder.h"
#include "tests/support/wait.h"

using namespace weft;
using testing::Folder;
namespace fs = std::filesystem;

namespace {

/// A folder as PATH, with a `zenity` that runs these lines of shell script.
struct Desk {
  Folder folder;
  std::string before = std::getenv("PATH") ? std::getenv("PATH") : "";
  explicit Desk(const std::string& script) {
    if (!script.empty()) {
      const std::string file = folder.write("zenity", "#!/bin/sh\n" + script + "\n");
      fs::permissions(file, fs::perms::owner_all);
    }
    setenv("PATH", folder.path().c_str(), 1);
  }
  ~Desk() { setenv("PATH", before.c_str(), 1); }
};

}  // namespace

TEST_CASE("the path that was chosen in the desktop's dialog comes without waiting for it") {
  const Desk desk("/bin/sleep 0.2; echo '/tmp/my shirt.obj'");
  FileDialog dialog;
  CHECK(dialog.why_not().empty());
  dialog.ask("/tmp");
  CHECK(dialog.open());
  CHECK_FALSE(dialog.chosen());  // not yet
  std::optional<std::string> path;
  CHECK(testing::wait_for([&] { return (path = dialog.chosen()).has_value(); }));
  CHECK(path == "/tmp/my shirt.obj");
  CHECK_FALSE(dialog.open());
}

TEST_CASE("a dialog that is cancelled chooses nothing, and one that hangs ends with the window") {
  {
    const Desk desk("exit 1");
    FileDialog dialog;
    dialog.ask("");
    CHECK(testing::wait_for([&] { return !dialog.chosen() && !dialog.open(); }));
  }
  const Desk desk("exec /bin/sleep 1000");
  FileDialog dialog;
  dialog.ask("");
  CHECK(dialog.open());
}

TEST_CASE("without a dialog's program the reason names what to install") {
  const Desk desk("");
  FileDialog dialog;
  CHECK(dialog.why_not().find("zenity") != std::string::npos);
  CHECK_THROWS(dialog.ask(""));
}
