// Disks that are full: what was written until then stays and can be read, and the run ends in words.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "sim/files/frame_source.h"
#include "sim/files/run_cache.h"
#include "sim/mesh/import/obj.h"
#include "test_paths.h"
#include "tests/faults/faults.h"
#include "tests/support/skip.h"
#include "viewer/gl/image.h"

using namespace weft;
using namespace weft::testing;
namespace fs = std::filesystem;

namespace {

/// A run that writes one thing to a disk that is too small for it, and something else to one that is not.
struct FullRun {
  Folder folder;
  TinyDisk disk;
  Outcome o;
  FullRun(size_t kilobytes, const std::string& option, const std::string& name, int frames = 200,
          std::vector<std::string> more = {"--states", "whole"})
      : disk(kilobytes) {
    folder.write("small.toml", small_scene());
    std::vector<std::string> arguments{"small.toml",           "--headless", "--frames",
                                       std::to_string(frames), option,       disk / name};
    arguments.insert(arguments.end(), more.begin(), more.end());
    o = disk.weft(folder, arguments);
    CHECK(o.status == 1);
    CHECK(o.says(fs::path(name).stem().string()));
    CHECK(o.says(disk.mounted() ? "No space left on device" : "File too large"));
    CHECK(o.says("could not be written"));
    CHECK(o.hash().size() == 16);  // the run itself went to its end
    if (more[0] == "--states") CHECK(fs::exists(folder / fmt::format("whole/step_{:06d}.npy", frames)));
  }
  int count(const std::string& inside, const std::string& ending) const {
    int n = 0;
    for (const auto& entry : fs::directory_iterator(disk / inside)) n += entry.path().extension() == ending;
    return n;
  }
};

/// Files that were to take another's place and did not.
int leftovers(const std::string& folder) {
  int n = 0;
  for (const auto& entry : fs::directory_iterator(folder))
    n += entry.path().filename().string().starts_with(".weft-");
  return n;
}

RunFrame frame_of(FrameSource& source, int n) {
  RunFrame frame;
  source.read(n, frame);
  return frame;
}

}  // namespace

TEST_CASE("a full disk while a run is cached leaves every frame until then") {
  FullRun run(1500, "--cache", "run.weftcache");
  CHECK(run.o.says("frames up to"));
  const auto source = open_frame_source(run.disk / "run.weftcache", 0);
  CHECK(source->frame_count() > 20);
  CHECK(source->frame_count() < 200);
  const auto whole = open_frame_source(run.folder / "whole", 100);
  const int last = source->frame_count() - 1;
  CHECK(frame_of(*source, last).positions == frame_of(*whole, last).positions);
}

TEST_CASE("a full disk while a run is exported as USD leaves the frames that fit") {
  FullRun run(4000, "--export", "run.usda");
  // a limit on the size of each file leaves no room for the file that takes the samples
  if (!run.disk.mounted()) return;
  CHECK(run.o.says("frames were complete"));
  CHECK(run.o.prints("USD: "));
  const std::string text = read_file(run.disk / "run.usda");
  CHECK(text.rfind("#usda 1.0", 0) == 0);
  CHECK(text.substr(text.size() - 2) == "}\n");
  const size_t at = run.o.out.find("USD: ");
  REQUIRE(at != std::string::npos);
  const int frames = std::stoi(run.o.out.substr(at + 5));
  CHECK(frames > 10);
  CHECK(frames < 200);
  if (!fs::exists(WEFT_TEST_PYTHON)) {
    testing::skip("reading it with Pixar's library, which is not installed");
    return;
  }
  run.folder.write(
      "check.py",
      "import sys\nfrom pxr import Usd, UsdGeom\ns = Usd.Stage.Open(sys.argv[1])\nm = "
      "UsdGeom.Mesh(s.GetPrimAtPath('/run/sheet'))\n"
      "print(len(m.GetPointsAttr().GetTimeSamples()), len(m.GetPointsAttr().Get(float(sys.argv[2]))))\n");
  const Outcome read =
      Program(run.folder, WEFT_TEST_PYTHON, {"check.py", run.disk / "run.usda", std::to_string(frames - 1)})
          .wait();
  CHECK(read.status == 0);
  CHECK(read.out.rfind(std::to_string(frames) + " ", 0) == 0);
}

TEST_CASE("a full disk while a run is exported as point caches leaves whole frames") {
  FullRun run(1000, "--export", "run.pc2");
  CHECK(run.o.says("frames are kept"));
  const auto source = open_frame_source(run.disk / "run_sheet.pc2", 100);
  CHECK(source->frame_count() > 5);
  CHECK(source->frame_count() < 200);
  const RunFrame last = frame_of(*source, source->frame_count() - 1);
  const auto whole = open_frame_source(run.folder / "whole", 100);
  const RunFrame same = frame_of(*whole, source->frame_count() - 1);
  CHECK(std::equal(last.positions.begin(), last.positions.end(), same.positions.begin()));
}

TEST_CASE("a full disk while OBJ files and states are written leaves whole files and no parts") {
  {
    FullRun run(2000, "--export", "objs/");
    CHECK(run.o.says("files before it are kept"));
    if (run.disk.mounted()) {
      const int files = run.count("objs", ".obj");
      CHECK(files > 3);
      CHECK(leftovers(run.disk / "objs") == 0);
      ImportReport report;
      for (const auto& entry : fs::directory_iterator(run.disk / "objs"))
        CHECK(read_obj(entry.path().string(), report).positions.size() > 150);
    }
  }
  FullRun run(500, "--states", "states", 200, {"--cache", "whole.weftcache"});
  if (!run.disk.mounted()) return;
  CHECK(run.o.says("arrays before it are kept"));
  CHECK(leftovers(run.disk / "states") == 0);
  const auto source = open_frame_source(run.disk / "states", 100),
             whole = open_frame_source(run.folder / "whole.weftcache");
  REQUIRE(source->frame_count() > 5);
  const int last = source->frame_count() - 1;
  CHECK(frame_of(*source, last).positions == frame_of(*whole, last).positions);
}

TEST_CASE("a full disk at the end of a run leaves the old file where there was one") {
  Folder folder;
  folder.write("small.toml", small_scene());
  for (const auto& [option, name] :
       std::vector<std::pair<std::string, std::string>>{{"--export", "last.glb"},
                                                        {"--export", "last.obj"},
                                                        {"--stats", "stats.json"},
                                                        {"--save-snapshot", "state"}}) {
    CAPTURE(option + " " + name);
    const TinyDisk disk(8);
    std::ofstream(disk / name) << "old";
    const Outcome o = disk.weft(folder, {"small.toml", "--headless", "--frames", "100", option, disk / name});
    CHECK(o.status == 1);
    CHECK(o.says(name + ": writing failed"));
    CHECK(o.says("could not be written"));
    CHECK(o.hash().size() == 16);
    CHECK(read_file(disk / name) == "old");
    CHECK(leftovers(fs::path(disk / name).parent_path()) == 0);
  }
}

TEST_CASE("a full disk while a table and a trace are written leaves whole rows and a whole trace") {
  {
    FullRun run(40, "--csv", "steps.csv");
    CHECK(run.o.says("complete rows are kept"));
    const std::string text = read_file(run.disk / "steps.csv");
    REQUIRE(!text.empty());
    CHECK(text.back() == '\n');
    const size_t origin = text.find('\n'), header = text.find('\n', origin + 1);
    const auto commas = [](const std::string& line) { return std::count(line.begin(), line.end(), ','); };
    const size_t last = text.rfind('\n', text.size() - 2);
    REQUIRE(last > header);
    CHECK(commas(text.substr(last)) == commas(text.substr(origin, header - origin)));
  }
  FullRun run(200, "--trace", "run.trace");
  CHECK(run.o.says("the trace ends after"));
  CHECK(nlohmann::json::parse(read_file(run.disk / "run.trace")).size() > 10);
}

TEST_CASE("a full disk while a video is recorded leaves a video that can be played") {
  if (!on_path("ffmpeg")) {
    testing::skip("ffmpeg is not installed");
    return;
  }
  Folder folder;
  folder.write("small.toml", small_scene());
  const TinyDisk disk(40);
  const Outcome o =
      disk.weft(folder, {"small.toml", "--headless", "--seconds", "4", "--record", disk / "a.mp4", "--size",
                         "160x120", "--turntable", "2", "--cache", "whole.weftcache"});
  CHECK(o.status == 1);
  CHECK(o.says("recording stopped"));
  CHECK(o.says(disk.mounted() ? "No space left on device" : "File too large"));
  CHECK(o.hash().size() == 16);
  CHECK(o.prints("cache: 401 frames"));
  REQUIRE(fs::exists(disk / "a.mp4"));
  const Outcome played =
      Program(folder, "/usr/bin/env", {"ffmpeg", "-v", "error", "-i", disk / "a.mp4", "-f", "null", "-"})
          .wait();
  CHECK(played.status == 0);
  const Outcome probed =
      Program(folder, "/usr/bin/env",
              {"ffprobe", "-v", "error", "-count_packets", "-select_streams", "v", "-show_entries",
               "stream=nb_read_packets", "-of", "csv=p=0", disk / "a.mp4"})
          .wait();
  CHECK(std::atoi(probed.out.c_str()) > 30);
}

TEST_CASE("a full disk while pictures are recorded leaves whole pictures, and the run goes on") {
  Folder folder;
  folder.write("small.toml", small_scene());
  const TinyDisk disk(100);
  const Outcome o =
      disk.weft(folder, {"small.toml", "--headless", "--seconds", "2", "--record", disk / "pictures/",
                         "--size", "320x240", "--turntable", "1", "--cache", "whole.weftcache"});
  if (!disk.mounted()) return;  // no single picture is as large as the limit
  CHECK(o.status == 1);
  CHECK(o.says("recording stopped"));
  CHECK(o.says("No space left on device"));
  CHECK(o.prints("cache: 201 frames"));
  int pictures = 0;
  for (const auto& entry : fs::directory_iterator(disk / "pictures")) {
    CHECK(read_png(entry.path().string()).width == 320);
    ++pictures;
  }
  CHECK(pictures > 1);
}

TEST_CASE("when the only thing that was asked for cannot be written, the run ends there") {
  Folder folder;
  folder.write("small.toml", small_scene());
  const TinyDisk disk(500);
  const Outcome o = disk.weft(
      folder, {"small.toml", "--headless", "--seconds", "100000", "--cache", disk / "run.weftcache"});
  CHECK(o.status == 1);
  CHECK(o.says("run.weftcache: writing failed"));
  CHECK(open_frame_source(disk / "run.weftcache", 0)->frame_count() > 5);
}
