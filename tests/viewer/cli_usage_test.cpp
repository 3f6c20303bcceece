// Arguments, listings and faults of the command line.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include <filesystem>

#include "sim/device/device.h"
#include "test_paths.h"
#include "tests/support/program.h"
#include "tests/support/skip.h"

using namespace weft;
using namespace weft::testing;
namespace fs = std::filesystem;

TEST_CASE("arguments that make no sense end with status 2 and a word about which") {
  Folder folder;
  const std::vector<std::vector<std::string>> wrong = {{"--no-such-option"},
                                                       {"--size", "banana"},
                                                       {"--size", "0x0"},
                                                       {"--frames", "-3"},
                                                       {"--seconds", "nan"},
                                                       {"--fps", "0"},
                                                       {"--device", "tpu"},
                                                       {"--headless", "--panels"},
                                                       {"--frames", "3", "--seconds", "2"},
                                                       {"replay"},
                                                       {"--threads", "2", "convert", "a", "b"}};
  for (const auto& arguments : wrong) {
    CAPTURE(arguments[0]);
    const Outcome o = testing::weft(folder, arguments);
    CHECK(o.status == 2);
    CHECK(o.err.size() > 10);
    CHECK(o.out.empty());
  }
}

TEST_CASE("the program says how it is used and which version it is") {
  Folder folder;
  const Outcome help = testing::weft(folder, {"--help"});
  CHECK(help.status == 0);
  for (const char* word : {"--headless", "--record", "--states", "replay", "bench", "Exit status"})
    CHECK(help.prints(word));
  CHECK(testing::weft(folder, {"--version"}).prints("weft 0."));
}

TEST_CASE("the scenes that ship with the program are listed with what they show") {
  Folder folder;
  const Outcome o = testing::weft(folder, {"list"});
  CHECK(o.status == 0);
  CHECK(o.prints("default"));
  CHECK(o.prints("A cloth to grab"));
}

TEST_CASE("parameters of a plug-in are listed with the others, and a library that is none is refused") {
  Folder folder;
  if (!on_path("cc")) return skip("there is no C compiler");
  const std::string sources = WEFT_SOURCE_FOLDER, library = folder / "springs.so",
                    command = "cc -O1 -shared -fPIC -I" + sources + "/sim/plugin " + sources +
                              "/docs/examples/springs.c -o " + library + " -lm";
  REQUIRE(std::system(command.c_str()) == 0);
  CHECK(!testing::weft(folder, {"params"}).prints("plugin.springs"));
  const Outcome o = testing::weft(folder, {"params", "--plugin", library});
  CHECK(o.status == 0);
  CHECK(o.prints("plugin.springs.stiffness"));
  CHECK(o.prints("newton.steps"));
  CHECK(testing::weft(folder, {"params", "--plugin", sources + "/README.md"}).status != 0);
}

TEST_CASE("lists are JSON for scripts") {
  Folder folder;
  const auto of = [&](const char* command) {
    const Outcome o = testing::weft(folder, {command, "--json"});
    CHECK(o.status == 0);
    return nlohmann::json::parse(o.out);
  };
  const nlohmann::json scenes = of("list"), params = of("params"), devices = of("devices");
  const auto has = [](const nlohmann::json& list, const char* key, const char* value) {
    return std::any_of(list.begin(), list.end(), [&](const auto& one) { return one[key] == value; });
  };
  CHECK(has(scenes, "name", "drape_table"));
  CHECK(has(scenes, "name", "tshirt"));
  CHECK(has(scenes, "section", "First steps"));
  CHECK(has(params, "key", "step.dt"));
  for (const auto& param : params)
    if (param["key"] == "step.dt") CHECK(param["max"] == doctest::Approx(0.1));
  CHECK(has(devices, "kind", "cpu"));
}

TEST_CASE("help names the options of a command, and words that are wrong get the near one") {
  Folder folder;
  CHECK(testing::weft(folder, {"help"}).prints("--headless"));
  const Outcome bench = testing::weft(folder, {"help", "bench"});
  CHECK(bench.status == 0);
  CHECK(bench.out == testing::weft(folder, {"bench", "--help"}).out);
  const Outcome wrong = testing::weft(folder, {"help", "benhc"});
  CHECK(wrong.status == 2);
  CHECK(wrong.says("did you mean bench?"));
  const Outcome option = testing::weft(folder, {"--headles"});
  CHECK(option.status == 2);
  CHECK(option.says("Did you mean --headless?"));
  CHECK(testing::weft(folder, {"bench", "--vertics"}).says("Did you mean --vertices?"));
  CHECK_FALSE(testing::weft(folder, {"--zzzzzzz"}).says("Did you mean"));
}

TEST_CASE("a scene that is not there is told with the nearest name") {
  Folder folder;
  const Outcome misspelt = testing::weft(folder, {"drape_tabel", "--headless"});
  CHECK(misspelt.status == 1);
  CHECK(misspelt.says("drape_tabel: there is no such file or scene"));
  CHECK(misspelt.says("did you mean drape_table?"));
  const Outcome file = testing::weft(folder, {"shirt.obj", "--headless"});
  CHECK(file.says("check the path"));
  CHECK_FALSE(file.says("did you mean"));
}

TEST_CASE("a folder of assets that is none is told whatever the command") {
  Folder folder;
  for (const char* word : {"list", "drape_table", "drape_tabel"}) {
    CAPTURE(word);
    const Outcome o = testing::weft(folder, {word}, {{"WEFT_ASSETS", folder.path()}});
    CHECK(o.status == 1);
    CHECK(o.says("neither fabrics nor scenes"));
  }
}

TEST_CASE("a misspelt command is told with the near one, before a video is announced") {
  Folder folder;
  const Outcome o = testing::weft(folder, {"benhc"});
  CHECK(o.status == 1);
  CHECK(o.says("did you mean weft bench?"));
  CHECK_FALSE(o.says("weft-demo.mp4"));
  CHECK_FALSE(testing::weft(folder, {"tabel"}).says("weft-demo.mp4"));
}

TEST_CASE("a preset sets a paper's methods, and --set before or after it changes them further") {
  Folder folder;
  const auto hash = [&](std::vector<std::string> arguments) {
    for (const char* more : {"--vertices", "200", "--headless", "--frames", "3", "--quiet"})
      arguments.emplace_back(more);
    const Outcome o = testing::weft(folder, arguments);
    CAPTURE(o.err);
    CHECK(o.status == 0);
    const size_t at = o.out.find("hash");
    REQUIRE(at != std::string::npos);
    return o.out.substr(at, 24);
  };
  const std::string own = hash({}), preset = hash({"--preset", "tang2018"}),
                    longer = hash({"--preset", "tang2018", "--set", "step.dt=0.02"});
  CHECK(preset != own);
  CHECK(longer != preset);
  CHECK(longer == hash({"--set", "step.dt=0.02", "--preset", "tang2018"}));
  const Outcome wrong = testing::weft(folder, {"--preset", "wang2022"});
  CHECK(wrong.status == 2);
  CHECK(wrong.says("did you mean wang2021?"));
}

TEST_CASE("every parameter is listed with range, default and meaning") {
  Folder folder;
  const Outcome o = testing::weft(folder, {"params"});
  CHECK(o.status == 0);
  for (const char* key : {"step.dt", "forces.gravity", "fabric.bending_rigidity", "descent.fine_iterations",
                          "contact.friction", "drag.stiffness", "view.shading"})
    CHECK(o.prints(key));
  const Outcome table = testing::weft(folder, {"params", "--markdown"});
  CHECK(table.out.rfind("| key | unit | range | default | meaning |\n", 0) == 0);
  CHECK(table.prints("| `step.dt` | s | 1e-05 to 0.1 | `0.01` |"));
}

TEST_CASE("devices are listed, with the reason for one that cannot be used") {
  Folder folder;
  const Outcome o = testing::weft(folder, {"devices"});
  CHECK(o.status == 0);
  CHECK(o.prints("cpu   usable"));
  for (const DeviceInfo& d : list_devices()) CHECK(o.prints(d.remark));
}

TEST_CASE("asking for a GPU where there is none is an error that says what to do") {
  for (const DeviceInfo& d : list_devices())
    if (d.kind == DeviceKind::cuda && d.usable) {
      testing::skip("CUDA can be had here");
      return;
    }
  Folder folder;
  const std::string scene = folder.write("small.toml", small_scene());
  const Outcome o = testing::weft(folder, {scene, "--headless", "--frames", "1", "--device", "cuda"});
  CHECK(o.status == 1);
  CHECK(o.says("no CUDA device"));
  CHECK(o.says("--device auto or cpu"));
  const Outcome automatic = testing::weft(folder, {scene, "--headless", "--frames", "1", "--device", "auto"});
  CHECK(automatic.status == 0);
  CHECK(automatic.says("on the CPU"));
}

TEST_CASE("a time step that makes no sense is refused with its range") {
  Folder folder;
  const std::string scene = folder.write("small.toml", small_scene());
  for (const char* dt : {"nan", "0", "-0.01", "100", "inf", "fast", ""}) {
    CAPTURE(dt);
    const Outcome o = testing::weft(folder, {scene, "--headless", "--frames", "2", "--set",
                                             std::string("step.dt=") + dt, "--states", "out"});
    CHECK(o.status == 1);
    CHECK(o.says("step.dt"));
    CHECK(o.says("0.1 s"));
    CHECK(!fs::exists(folder / "out"));
  }
  const Outcome part = testing::weft(folder, {scene, "--headless", "--set", "dt=0.1"});
  CHECK(part.says("did you mean step.dt"));
  CHECK_FALSE(testing::weft(folder, {scene, "--headless", "--set", "teapots=1"}).says("did you mean"));
  const Outcome key = testing::weft(folder, {scene, "--headless", "--set", "step.dz=1"});
  CHECK(key.status == 1);
  CHECK(key.says("did you mean step.dt"));
  CHECK(testing::weft(folder, {scene, "--headless", "--set", "nonsense"}).says("key=value"));
}

TEST_CASE("a fault in a scene names the file and the line") {
  Folder folder;
  const std::pair<const char*, const char*> faults[] = {
      {"title = \"x\"\n[[cloth]\n", "bad.toml:2"},
      {"title = \"x\"\n\n[[cloth]]\nfabricc = \"silk\"\n", "bad.toml:4"},
      {"[[cloth]]\nvertices = 100\n[step]\ndt = 100.0\n", "bad.toml:4"},
      {"[[cloth]]\nvertices = 100\n[step]\ndt = nan\n", "bad.toml:4"}};
  for (const auto& [text, where] : faults) {
    CAPTURE(text);
    const Outcome o = testing::weft(folder, {folder.write("bad.toml", text), "--headless", "--frames", "1"});
    CHECK(o.status == 1);
    CHECK(o.says(where));
  }
}

TEST_CASE("a fault in a mesh names the file and the line") {
  Folder folder;
  const std::pair<const char*, const char*> faults[] = {
      {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", "bad.obj:4"},
      {"v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "bad.obj:1"},
      {"v 0 0 0\nv 1 0 zero\nv 0 1 0\nf 1 2 3\n", "bad.obj:2"},
      {"v 0 0 0\n", "bad.obj"}};
  for (const auto& [text, where] : faults) {
    CAPTURE(text);
    const Outcome o = testing::weft(folder, {folder.write("bad.obj", text), "--headless", "--frames", "1"});
    CHECK(o.status == 1);
    CHECK(o.says(where));
  }
}

TEST_CASE("broken meshes are told apart in words, never crashed on") {
  Folder folder;
  for (const fs::path& data :
       {fs::path(WEFT_TEST_ASSETS) / "mesh/broken_obj", fs::path(WEFT_SHARED_DATA) / "bad-obj"}) {
    if (!fs::exists(data)) continue;  // the second is made by others and may be absent
    for (const auto& entry : fs::directory_iterator(data)) {
      CAPTURE(entry.path().string());
      const Outcome o = testing::weft(folder, {entry.path().string(), "--headless", "--frames", "1"});
      CHECK((o.status == 0 || o.status == 1));
      CHECK(o.says(entry.path().filename().string()));
    }
  }
}

TEST_CASE("a file that is not there, or is of another kind, is named") {
  Folder folder;
  const Outcome missing = testing::weft(folder, {"nowhere.toml", "--headless"});
  CHECK(missing.status == 1);
  CHECK(missing.says("nowhere.toml"));
  const Outcome kind = testing::weft(folder, {folder.write("cloth.stl", "solid"), "--headless"});
  CHECK(kind.status == 1);
  CHECK(kind.says(".toml, .obj, .glb, .gltf, .usda, .json, .dxf or .weftcache"));
}
