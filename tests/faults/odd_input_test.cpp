// Meshes of sizes that no cloth has, names of any length, and signals to a run without a window.
#include <doctest/doctest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>

#include "sim/files/frame_source.h"
#include "test_paths.h"
#include "tests/faults/faults.h"

using namespace weft;
using namespace weft::testing;
namespace fs = std::filesystem;

namespace {

std::string sheet(const std::string& unit) {
  std::string text;
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 3; ++x) text += fmt::format("v {}{} {}{} 0\n", x, unit, y, unit);
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 2; ++x)
      text += fmt::format("f {0} {1} {2}\nf {1} {3} {2}\n", 3 * y + x + 1, 3 * y + x + 2, 3 * y + x + 4,
                          3 * y + x + 5);
  return text;
}

/// It ended by itself, and if not well, then in words.
void check_ended_in_words(const Outcome& o) {
  CHECK(o.status < 2);
  if (o.status == 1) CHECK(o.says("error: "));
  CHECK(o.err.size() < 20000);
  CHECK(o.out.find("nan") == std::string::npos);
}

/// True once a process has a handler of its own for a signal, or has ended.
bool catches(pid_t process, int signal) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  bool found = false;
  for (std::string line; std::getline(status, line);)
    if (line.rfind("SigCgt:", 0) == 0) {
      found = true;
      if (std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1) return true;
    }
  return !found;
}

}  // namespace

TEST_CASE("cloth and bodies of sizes that floating point cannot hold are refused with their size") {
  Folder folder;
  for (const char* unit : {"e30", "e-30", "e38", "e-38", "e12", "e-12"}) {
    CAPTURE(unit);
    folder.write("odd.obj", sheet(unit));
    folder.write("cloth.toml", "[[cloth]]\nshape = \"obj\"\nfile = \"odd.obj\"\n");
    folder.write(
        "body.toml",
        "[[cloth]]\nvertices = 100\n[[obstacle]]\nname = \"odd\"\nshape = \"mesh\"\nfile = \"odd.obj\"\n");
    for (const char* scene : {"odd.obj", "cloth.toml", "body.toml"}) {
      CAPTURE(scene);
      const Outcome o = testing::weft(folder, {scene, "--headless", "--frames", "5"});
      check_ended_in_words(o);
      CHECK(o.status == 1);
      CHECK(o.says("scale"));
    }
  }
  // A scale of its own makes it a cloth again.
  folder.write("odd.obj", sheet("e5"));
  for (const Methods& methods : kMethods) {
    CAPTURE(methods.table());
    folder.write("cloth.toml",
                 methods.table() + "[[cloth]]\nshape = \"obj\"\nfile = \"odd.obj\"\nscale = 1e-5\n");
    CHECK(testing::weft(folder, {"cloth.toml", "--headless", "--frames", "5"}).status == 0);
  }
}

TEST_CASE("scenes with places and sizes beyond all reason are refused or run, and never crash") {
  Folder folder;
  for (const char* odd :
       {"position = [1e30, 0, 0]", "position = [0, -1e38, 0]", "size = [1e30, 1e30]", "size = [1e-30, 1e-30]",
        "scale = 1e30", "scale = 1e-30", "scale = 0", "edge = 1e-30", "edge = 1e30", "vertices = 2000000000",
        "vertices = -5", "rotation = [1e30, 0, 0]"}) {
    CAPTURE(odd);
    for (const Methods& methods : kMethods) {
      CAPTURE(methods.table());
      const std::string line = odd;
      folder.write("odd.toml", methods.table() + "[[cloth]]\nname = \"sheet\"\n" +
                                   (line.rfind("vertices", 0) == 0 ? "" : "vertices = 100\n") + line +
                                   "\n[[obstacle]]\nshape = \"box\"\n");
      check_ended_in_words(testing::weft(folder, {"odd.toml", "--headless", "--frames", "3"}));
    }
  }
}

TEST_CASE("names of fifty thousand letters give a message or work") {
  Folder folder;
  const std::string longest(50000, 'n');
  folder.write("long.toml", "title = \"" + longest + "\"\ndescription = \"" + longest +
                                "\"\n[[cloth]]\nname = \"" + longest + "\"\nvertices = 100\n");
  folder.write("misspelt.toml", "[[cloth]]\nvertices = 100\n" + longest + " = 1\n");
  folder.write("file.toml", "[[cloth]]\nshape = \"obj\"\nfile = \"" + longest + ".obj\"\n");
  const Outcome works =
      testing::weft(folder, {"long.toml", "--headless", "--frames", "3", "--cache", "run.weftcache",
                             "--export", "run.usda", "--stats", "s.json", "--csv", "s.csv"});
  check_ended_in_words(works);
  CHECK(works.status == 0);
  CHECK(open_frame_source(folder / "run.weftcache")->info().groups[0].name == longest);
  // one cloth: its name is in no file's name
  const Outcome caches =
      testing::weft(folder, {"long.toml", "--headless", "--frames", "3", "--export", "run.pc2"});
  check_ended_in_words(caches);
  const Outcome video = testing::weft(folder, {"long.toml", "--headless", "--frames", "3", "--record",
                                               "frames/", "--size", "320x240", "--caption", longest});
  check_ended_in_words(video);
  CHECK(video.status == 0);
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"misspelt.toml", "--headless"},
           {"file.toml", "--headless"},
           {longest + ".toml", "--headless"},
           {longest, "--headless"},
           {"long.toml", "--headless", "--set", longest + "=1"},
           {"long.toml", "--headless", "--set", "step.dt=" + longest},
           {"long.toml", "--headless", "--frames", "1", "--cache", longest + ".weftcache"},
           {"long.toml", "--headless", "--frames", "1", "--record", longest + ".mp4"},
           {"long.toml", "--headless", "--frames", "1", "--states", longest},
           {"long.toml", "--headless", "--frames", "1", "--save-snapshot", longest}}) {
    const Outcome o = testing::weft(folder, arguments);
    CAPTURE(arguments.back().substr(0, 60));
    check_ended_in_words(o);
    CHECK(o.status == 1);
  }
}

TEST_CASE("SIGTERM in the middle of a step that would take minutes gives it up, and keeps what is written") {
  Folder folder;
  std::string scene =
      "[step]\ncollision = \"repulsion\"\n[repulsion]\nsteps = 2000\ninitial_steps = 100\nsoft_iterations = "
      "200\n";
  for (const char* height : {"0.5", "0.512"})  // so near each other that every collision step has work to do
    scene +=
        std::string("[[cloth]]\nsize = [0.3, 0.3]\nvertices = 2000\nrotation = [90, 0, 0]\nposition = [0, ") +
        height + ", 0]\n";
  folder.write("slow.toml", scene);
  Program program(
      folder, WEFT_PROGRAM,
      {"slow.toml", "--headless", "--frames", "5", "--states", "out", "--cache", "run.weftcache"});
  const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (!fs::exists(folder / "out/step_000000.npy") && std::chrono::steady_clock::now() < limit)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  REQUIRE(fs::exists(folder / "out/step_000000.npy"));
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  kill(program.id(), SIGTERM);
  const Outcome o = program.wait();
  CHECK(o.status == 128 + SIGTERM);
  CHECK(o.prints("0 steps, 0.000 s simulated"));
  CHECK(o.prints("stopped early"));
  CHECK(open_frame_source(folder / "run.weftcache")->frame_count() == 1);
}

TEST_CASE("under nohup a run outlives its terminal") {
  Folder folder;
  folder.write("small.toml", small_scene());
  Program program(folder, "/bin/sh",
                  {"-c", "trap '' HUP; exec \"$0\" \"$@\"", WEFT_PROGRAM, "small.toml", "--headless",
                   "--frames", "200", "--states", "out"});
  const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (!fs::exists(folder / "out/step_000001.npy") && std::chrono::steady_clock::now() < limit)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  kill(program.id(), SIGHUP);
  const Outcome o = program.wait();
  CHECK(o.status == 0);
  CHECK(fs::exists(folder / "out/step_000200.npy"));
}

TEST_CASE("a run goes on to its end where nobody reads what it says") {
  Folder folder;
  folder.write("small.toml", small_scene());
  const Outcome o =
      Program(folder, "/bin/sh",
              {"-c", "{ \"$0\" \"$@\"; echo $? > status; } 2>&1 | :", WEFT_PROGRAM, "small.toml",
               "--headless", "--frames", "30", "--cache", "run.weftcache", "--save-snapshot", "end"})
          .wait();
  CHECK(o.status == 0);
  // sh may not wait for the first of a pipe
  const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (read_file(folder / "status").empty() && std::chrono::steady_clock::now() < limit)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  CHECK(read_file(folder / "status") == "0\n");
  CHECK(open_frame_source(folder / "run.weftcache")->frame_count() == 31);
  CHECK(fs::exists(folder / "end"));
}

TEST_CASE("SIGINT ends a load that takes long before it is through") {
  constexpr int kCorners = 400000;  // seconds of triangulation
  Folder folder;
  std::string text, face = "f";
  for (int i = 0; i < kCorners; ++i) {
    const double angle = 6.283185307179586 * i / kCorners;
    text += fmt::format("v {:.7f} {:.7f} 0\n", std::cos(angle), std::sin(angle));
    face += fmt::format(" {}", i + 1);
  }
  folder.write("disc.obj", text + face + "\n");
  for (const std::string role : {"cloth", "body"}) {
    CAPTURE(role);
    folder.write("small.toml", small_scene());
    std::vector<std::string> arguments{"disc.obj", "--headless", "--device", "cpu",
                                       "--frames", "1",          "--states", "out"};
    if (role == "body")
      arguments[0] = "small.toml", arguments.insert(arguments.end(), {"--obstacle", "disc.obj"});
    Program program(folder, WEFT_PROGRAM, arguments);
    for (int i = 0; i < 5000 && !catches(program.id(), SIGINT); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    kill(program.id(), SIGINT);
    const Outcome o = program.wait();
    CHECK(o.status == 128 + SIGINT);
    CHECK(o.prints("stopped before the first step"));
    CHECK_FALSE(o.says("need about"));  // reported of what is loaded
    CHECK_FALSE(fs::exists(folder / "out"));
  }
}

TEST_CASE("SIGINT and SIGTERM complete everything that is being written, and SIGHUP does") {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    CAPTURE(signal);
    Folder folder;
    folder.write("small.toml", small_scene());
    std::vector<std::string> arguments{"small.toml", "--headless", "--seconds",       "10000",
                                       "--states",   "out",        "--cache",         "run.weftcache",
                                       "--export",   "run.pc2",    "--csv",           "s.csv",
                                       "--stats",    "s.json",     "--save-snapshot", "end"};
    const bool video = on_path("ffmpeg");
    if (video) arguments.insert(arguments.end(), {"--record", "a.mp4", "--size", "64x48"});
    Program program(folder, WEFT_PROGRAM, arguments);
    const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    while (!fs::exists(folder / "out/step_000030.npy") && std::chrono::steady_clock::now() < limit)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    REQUIRE(fs::exists(folder / "out/step_000030.npy"));
    kill(program.id(), signal);
    if (signal == SIGHUP) {  // the shell and the system both send it
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      kill(program.id(), signal);
    }
    const Outcome o = program.wait();
    CHECK(o.status == 128 + signal);
    CHECK(o.prints("stopped early"));
    const auto states = open_frame_source(folder / "out", 100),
               cache = open_frame_source(folder / "run.weftcache"),
               points = open_frame_source(folder / "run_sheet.pc2", 100);
    CHECK(states->frame_count() > 30);
    CHECK(cache->frame_count() == states->frame_count());
    CHECK(cache->notices().empty());  // its index is there
    CHECK(points->frame_count() == states->frame_count());
    const std::string table = read_file(folder / "s.csv");
    // its origin and the names of columns; the start is no step
    CHECK(std::count(table.begin(), table.end(), '\n') == states->frame_count() + 1);
    const Outcome on =
        testing::weft(folder, {"small.toml", "--headless", "--frames", "1", "--load-snapshot", "end"});
    CHECK(on.status == 0);
    if (!video) continue;
    const Outcome probed = Program(folder, "/usr/bin/env",
                                   {"ffprobe", "-v", "error", "-count_packets", "-select_streams", "v",
                                    "-show_entries", "stream=nb_read_packets", "-of", "csv=p=0", "a.mp4"})
                               .wait();
    CHECK(std::atoi(probed.out.c_str()) >= 15);  // 30 steps of 1/100 s at 50 pictures a second
  }
}
