// What collision methods report by name: numbers per vertex that colour the cloth, and counters.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// What is shown is (value - offset) * factor, in `unit`.
struct VertexField {
  std::string name;         // in files and on the command line
  std::string label, unit;  // in panels and legends
  float offset = 0, factor = 1;
  std::string help;                       // a sentence, for the panel
  std::vector<std::string> classes = {};  // of the values 0, 1, 2 where they are no amount
  std::string missing = {};               // shown where a method has no such values; empty: they are 0 there
  bool of_step = false;  // of the last step: 0 before the first, and after a reset or a restored snapshot
  std::string recorded = {};  // what a recorded run lacks for it; empty: it has it
};

/// What a method counts in a step.
struct CounterInfo {
  std::string name;         // in end conditions, JSON and CSV; of no other number of StepStats
  std::string label, help;  // in the panel
};

/// The distance to bodies: what is measured of a running scene, and no method has.
constexpr const char* kEaseField = "ease";

/// The distance between runs that are compared (MaterialMap), which no run has by itself.
constexpr const char* kDifferenceField = "difference";

/// "none" first, those of every state, then those that collision methods list, each name once: in the order
/// of menus.
const std::vector<VertexField>& vertex_fields();
/// Throws Error if there is none of that name.
int vertex_field(std::string_view name);

}  // namespace weft
