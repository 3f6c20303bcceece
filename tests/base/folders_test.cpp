// Includes between folders lead one way.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "test_paths.h"

namespace {

namespace fs = std::filesystem;
// from folder, to folder, by which include
using Arrows = std::map<std::string, std::map<std::string, std::string>>;

/// "sim/collision" of "sim/collision/two_way/two_way.h"; "cuda" of all of cuda; empty of files beside
/// folders.
std::string folder_of(const std::string& path) {
  if (path.rfind("cuda/", 0) == 0) return "cuda";
  const size_t first = path.find('/'), second = path.find('/', first + 1);
  return second == std::string::npos ? "" : path.substr(0, second);
}

void read_includes(const std::string& path, const std::string& text, Arrows& arrows) {
  static const std::regex include("#include \"((sim|viewer|cuda)/[^\"]+)\"");
  const std::string from = folder_of(path);
  for (std::sregex_iterator it(text.begin(), text.end(), include), end; it != end; ++it) {
    const std::string to = folder_of((*it)[1]);
    if (!from.empty() && !to.empty() && from != to)
      arrows[from].emplace(to, path + " includes " + (*it)[1].str());
  }
}

Arrows arrows_of_sources() {
  Arrows arrows;
  const fs::path root = WEFT_SOURCE_FOLDER;
  for (const char* top : {"sim", "viewer", "cuda"})
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      const std::string kind = entry.path().extension();
      if (kind != ".h" && kind != ".cpp" && kind != ".cu" && kind != ".cuh") continue;
      std::stringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      read_includes(fs::relative(entry.path(), root), text.str(), arrows);
    }
  return arrows;
}

/// A way from `from` back to `to`, as includes, one a line; empty if there is none.
std::string way(const Arrows& arrows, const std::string& from, const std::string& to,
                std::set<std::string>& seen) {
  const auto out = arrows.find(from);
  if (out == arrows.end() || !seen.insert(from).second) return "";
  for (const auto& [next, words] : out->second) {
    if (next == to) return words;
    if (const std::string rest = way(arrows, next, to, seen); !rest.empty()) return words + "\n" + rest;
  }
  return "";
}

std::string cycle(const Arrows& arrows) {
  for (const auto& [folder, out] : arrows) {
    std::set<std::string> seen;
    if (const std::string found = way(arrows, folder, folder, seen); !found.empty()) return found;
  }
  return "";
}

}  // namespace

TEST_CASE("no folder includes another that includes it") {
  const Arrows arrows = arrows_of_sources();
  CHECK(arrows.size() > 15);
  CHECK(cycle(arrows) == "");
}

TEST_CASE("sim includes no header of cuda, viewer, OpenGL or ImGui") {
  for (const auto& [from, out] : arrows_of_sources())
    if (from.rfind("sim/", 0) == 0)
      for (const auto& [to, words] : out) CHECK_MESSAGE(to.rfind("sim/", 0) == 0, words);
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(WEFT_SOURCE_FOLDER) / "sim")) {
    if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    static const std::regex bad("#include *[<\"](cuda|GL/|glad|GLFW|imgui)");
    CHECK_MESSAGE(!std::regex_search(text.str(), bad), entry.path().string());
  }
}

TEST_CASE("a cycle of folders is found and named") {
  Arrows arrows;
  read_includes("sim/a/x.h", "#include \"sim/b/y.h\"\n", arrows);
  read_includes("sim/b/y.h", "#include \"sim/c/z.h\"\n", arrows);
  CHECK(cycle(arrows) == "");
  read_includes("sim/c/z.cpp", "#include \"sim/a/x.h\"\n", arrows);
  CHECK(cycle(arrows).find("sim/c/z.cpp includes sim/a/x.h") != std::string::npos);
}
