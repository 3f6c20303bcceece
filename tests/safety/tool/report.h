// What weft-check says: lines for people or one JSON object.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "tests/safety/tool/states.h"

namespace weft::check {

/// "/path/run.weftcache: 301 states; cloth sheet (7800 triangles); body ball (320 triangles)".
std::string run_text(const Run& run, const Mesh& mesh, int states);
/// One line for the state, and one for each pair that is listed; no line break at the end.
std::string state_text(const StateReport& report, const Mesh& mesh, const Options& options);

nlohmann::json run_json(const Run& run, const Mesh& mesh);
nlohmann::json state_json(const StateReport& report, const Mesh& mesh, const Options& options);

/// Sums over all runs.
struct Summary {
  long states = 0, ways = 0, with_findings = 0, with_announced = 0, crossings = 0, with_bodies = 0,
       without_area = 0, contacts = 0, grain_overlaps = 0, grains_inside = 0;
  // what was asked for and could not be checked, in words: then the result is not clean
  std::vector<std::string> not_checked;
  double depth = 0;  // m, the largest
  bool depth_known = false;
  void add(const StateReport& report, const Options& options);
  /// Once each.
  void add_not_checked(const std::string& words);
  /// 0: all that was asked for was checked and nothing was found; 1: something was found that the run did not
  /// tell of; 2: something was not checked; 3: all was checked, and nothing was found but what the run told
  /// of.
  int exit_status() const {
    if (with_findings > with_announced) return 1;
    return !not_checked.empty() ? 2 : with_announced > 0 ? 3 : 0;
  }
  std::string text(const Options& options) const;
  nlohmann::json json(const Options& options) const;
};

}  // namespace weft::check
