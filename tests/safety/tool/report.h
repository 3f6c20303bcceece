// What weft-check says: lines for people or one JSON object.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "tests/safety/tool/states.h"

namespace weft::check {

/// "/path/run.weftcache: 301 states of 4012 vertices and 7800 triangles; cloth sheet; body ball".
std::string run_text(const Run& run, const Mesh& mesh, int states);
/// One line for the state, and one for each pair that is listed; no line break at the end.
std::string state_text(const StateReport& report, const Mesh& mesh, const Options& options);

nlohmann::json run_json(const Run& run, const Mesh& mesh);
nlohmann::json state_json(const StateReport& report, const Mesh& mesh, const Options& options);

/// Sums over all runs.
struct Summary {
  long states = 0, with_findings = 0, crossings = 0, with_bodies = 0, without_area = 0, contacts = 0;
  double depth = 0;  // m, the largest
  bool depth_known = false;
  void add(const StateReport& report, const Options& options);
  std::string text(const Options& options) const;
  nlohmann::json json(const Options& options) const;
};

}  // namespace weft::check
