// The window shows one scene after the other and keeps nothing of them.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/runner/process_numbers.h"
#include "tests/viewer/window_desktop.h"

using namespace weft;
using namespace weft::testing;
using Report = RunningWeft::Report;

namespace {

/// As many scenes hold no more than the first `first` of them did.
void visit_scenes(int first, int count) {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  const std::string path = write_small_scene(desktop, 500, "0");
  RunningWeft weft(desktop, {path, "--size", "900x600"});
  const std::string process = std::to_string(weft.process());
  const int sizes[] = {4000, 1500, 12000, 800, 500};
  long resident = 0;
  int threads = 0, files = 0;
  for (int k = 1; k <= count; ++k) {
    const std::string title = std::to_string(k);
    write_small_scene(desktop, sizes[k % 5], title);
    weft.wait_until("scene " + title + " runs",
                    [&](const Report& r) { return r["title"] == title && r["step"] > 3; });
    if (k != first) continue;
    resident = resident_bytes(process), threads = count_entries("task", process),
    files = count_entries("fd", process);
  }
  MESSAGE("resident: ", resident, " bytes after ", first, " scenes, ", resident_bytes(process), " after ",
          count);
  CHECK(count_entries("task", process) <= threads);
  CHECK(count_entries("fd", process) <= files);
  // Holes in the heaps of the program and of software OpenGL, which nobody trims here: the working memory of
  // one scene of 12,000 vertices, some 1 kB for each. A picture's buffers (900 x 600, 4 bytes, times 4
  // samples) kept per scene would be 173 MB.
  CHECK(resident_bytes(process) - resident < 12'000'000);
}

}  // namespace

TEST_CASE("twelve scenes one after the other in a window hold no more memory, threads and files than seven") {
  visit_scenes(7, 12);
}

TEST_CASE("thirty scenes one after the other in a window hold no more memory and threads and files than ten" *
          doctest::test_suite("full")) {
  visit_scenes(10, 30);
}
