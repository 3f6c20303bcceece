#include "viewer/session/typed_path.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

using namespace weft;

TEST_CASE("a path is read as people type and paste it") {
  const std::string home = std::getenv("HOME") ? std::getenv("HOME") : "";
  setenv("HOME", "/home/anna", 1);
  CHECK(path_of_text("  shirt.obj\n") == "shirt.obj");
  CHECK(path_of_text("'/tmp/my shirt.obj'") == "/tmp/my shirt.obj");
  CHECK(path_of_text("\"/tmp/my shirt.obj\" --up z") == "/tmp/my shirt.obj --up z");
  CHECK(path_of_text("~/shirt.obj") == "/home/anna/shirt.obj");
  CHECK(path_of_text("~") == "/home/anna");
  CHECK(path_of_text("~anna/shirt.obj") == "~anna/shirt.obj");  // other people's folders are left to shells
  CHECK(path_of_text("file:///tmp/my%20shirt%C3%A4.obj") == "/tmp/my shirt\u00e4.obj");
  CHECK(path_of_text("file://localhost/tmp/a.obj") == "/tmp/a.obj");
  CHECK(path_of_text("50%off.obj") == "50%off.obj");
  CHECK(path_of_text("file:///tmp/50%.obj") == "/tmp/50%.obj");
  CHECK(path_of_text("it's.obj") == "it's.obj");
  CHECK(path_of_text("").empty());
  setenv("HOME", home.c_str(), 1);
}
