// Includes between folders lead one way, and a method's files stay in its folder.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "tests/house/sources.h"

namespace weft::house {
namespace {

// by file and include
using Includes = std::vector<std::pair<std::string, std::string>>;
// from folder, to folder, by which includes
using Arrows = std::map<std::string, std::map<std::string, Includes>>;

/// Includes of sources of the tree, whose paths begin at the root.
const Includes& includes() {
  static const Includes found = [] {
    Includes all;
    for (const std::string& path : tree())
      if (is_code(path))
        for (const std::string& include : code_of(text_of(path)).includes)
          if (include.find('/') != include.npos) all.emplace_back(path, include);
    return all;
  }();
  return found;
}

bool in_program(const std::string& path) {
  return begins_with(path, "sim/") || begins_with(path, "viewer/") || begins_with(path, "cuda/");
}

std::string entry(const std::pair<std::string, std::string>& include) {
  return include.first + " -> " + include.second;
}

/// Arrows between folders at every depth: a file's folder is the one that it lies in.
Arrows arrows_of(const Includes& all, const std::set<std::string>& without = {}) {
  Arrows arrows;
  for (const auto& include : all) {
    const std::string from = folder_of(include.first), to = folder_of(include.second);
    if (in_program(include.first) && in_program(include.second) && from != to &&
        !without.count(entry(include)))
      arrows[from][to].push_back(include);
  }
  return arrows;
}

/// Appends a way from `from` to `to`, as pairs of folders; false if there is none.
bool find_way(const Arrows& arrows, const std::string& from, const std::string& to,
              std::set<std::string>& seen, Includes& way) {
  const auto out = arrows.find(from);
  if (out == arrows.end() || !seen.insert(from).second) return false;
  for (const auto& [next, by] : out->second) {
    way.emplace_back(from, next);
    if (next == to || find_way(arrows, next, to, seen, way)) return true;
    way.pop_back();
  }
  return false;
}

/// Pairs of folders of a circle; empty if there is none.
Includes circle(const Arrows& arrows) {
  for (const auto& [folder, out] : arrows) {
    std::set<std::string> seen;
    Includes way;
    if (find_way(arrows, folder, folder, seen, way)) return way;
  }
  return {};
}

/// Includes without which there is no circle: of each circle those between two of its folders, where they are
/// fewest. Those in `kept` are taken first, if a circle needs them.
Findings circular(const Includes& all, const std::set<std::string>& kept) {
  Findings found;
  std::set<std::string> without = kept;
  for (const std::string& e : kept) {
    without.erase(e);
    if (circle(arrows_of(all, without)).empty()) continue;
    without.insert(e);
    found[e];
  }
  for (;;) {
    const Arrows arrows = arrows_of(all, without);
    const Includes way = circle(arrows);
    if (way.empty()) return found;
    const auto by = [&](const auto& pair) -> const Includes& {
      return arrows.at(pair.first).at(pair.second);
    };
    std::string words;
    for (const auto& pair : way) words += (words.empty() ? "" : ", ") + entry(by(pair).front());
    const auto fewest = std::min_element(
        way.begin(), way.end(), [&](const auto& a, const auto& b) { return by(a).size() < by(b).size(); });
    for (const auto& include : by(*fewest))
      found[entry(include)].where = words, without.insert(entry(include));
  }
}

/// Folders of methods: those with a file NAME_method.cpp under sim/solvers and sim/collision.
std::set<std::string> method_folders(const std::vector<std::string>& paths) {
  std::set<std::string> folders;
  for (const std::string& path : paths)
    if (ends_with(path, "_method.cpp") &&
        (begins_with(path, "sim/solvers/") || begins_with(path, "sim/collision/")))
      folders.insert(folder_of(path));
  return folders;
}

/// Includes of a method's files from elsewhere than its folder, tests, and its file in cuda/kernels.
Findings strangers(const Includes& all, const std::set<std::string>& folders) {
  Findings found;
  for (const auto& include : all) {
    const std::string& from = include.first;
    for (const std::string& folder : folders) {
      if (!begins_with(include.second, folder + "/") || begins_with(from, folder + "/")) continue;
      const bool test = begins_with(from, "tests/") && !begins_with(from, "tests/benchmarks/");
      if (!test && from != "cuda/kernels/" + name_of(folder) + ".cu") found[entry(include)];
    }
  }
  return found;
}

}  // namespace

TEST_CASE("no folder includes another that includes it") {
  CHECK(arrows_of(includes()).size() > 15);
  const List list = {"circles.txt", false, "an include of a circle of folders",
                     "move what both need to a folder below, or the file to the folder that it needs"};
  std::set<std::string> kept;
  for (const auto& [e, n] : entries_of(text_of("tests/house/circles.txt"))) kept.insert(e);
  check_list(list, circular(includes(), kept));
}

TEST_CASE("files of a method are included by the method and its tests alone") {
  const std::set<std::string> folders = method_folders(tree());
  CHECK(folders.size() >= 8);
  const List list = {"strangers.txt", false, "an include of a method's file from outside of the method",
                     "go through the contract in sim/methods, or move what is shared to a folder of its own"};
  check_list(list, strangers(includes(), folders));
}

TEST_CASE("sim includes no header of cuda or viewer or OpenGL or ImGui") {
  for (const auto& include : includes())
    if (begins_with(include.first, "sim/"))
      CHECK_MESSAGE(begins_with(include.second, "sim/"), entry(include));
  for (const std::string& path : tree()) {
    if (!begins_with(path, "sim/") || !is_code(path)) continue;
    const std::string text = text_of(path);
    for (const char* bad : {"#include <cuda", "#include <GL/", "#include <glad", "#include <GLFW",
                            "#include <imgui", "#include \"cuda", "#include \"glad", "#include \"imgui"})
      CHECK_MESSAGE(text.find(bad) == text.npos, path, " has ", std::string(bad));
  }
}

TEST_CASE("a circle of folders is found and named") {
  Includes all = {{"sim/a/x.h", "sim/b/y.h"}, {"sim/a/y.h", "sim/b/y.h"}, {"sim/b/y.h", "sim/c/z.h"}};
  CHECK(circular(all, {}).empty());
  all.emplace_back("sim/c/z.cpp", "sim/a/x.h");
  const Findings found = circular(all, {});
  REQUIRE(found.size() == 1);
  CHECK(found.begin()->second.where.find("sim/c/z.cpp -> sim/a/x.h") != std::string::npos);
  CHECK(circular(all, {"sim/c/z.cpp -> sim/a/x.h"}).size() == 1);
  CHECK(circular(all, {"sim/c/z.cpp -> sim/a/x.h", "sim/b/y.h -> sim/c/z.h"}).size() ==
        1);  // one is not needed
}

TEST_CASE("a circle of a folder and the one above is found") {
  const Includes all = {{"sim/a/x.h", "sim/a/deep/er/y.h"}, {"sim/a/deep/er/y.cpp", "sim/a/z.h"}};
  CHECK(circular(all, {}).size() == 1);
}

TEST_CASE("an include of a method from elsewhere is found") {
  const auto folders = method_folders(
      {"sim/collision/ndb/ndb_method.cpp", "sim/solvers/newton/newton_method.cpp", "sim/run/x.h"});
  CHECK(folders == std::set<std::string>{"sim/collision/ndb", "sim/solvers/newton"});
  const Includes all = {{"sim/collision/ndb/a.cpp", "sim/collision/ndb/a.h"},
                        {"tests/collision/ndb_test.cpp", "sim/collision/ndb/a.h"},
                        {"cuda/kernels/ndb.cu", "sim/collision/ndb/a.h"},
                        {"cuda/kernels/newton.cu", "sim/collision/ndb/a.h"},
                        {"sim/run/run.cpp", "sim/solvers/newton/b.h"}};
  const Findings found = strangers(all, folders);
  CHECK(found.size() == 2);
  CHECK(found.count("cuda/kernels/newton.cu -> sim/collision/ndb/a.h"));
  CHECK(found.count("sim/run/run.cpp -> sim/solvers/newton/b.h"));
}

}  // namespace weft::house
