// One search over everything that the window can do.
#pragma once
#include <functional>
#include <string>
#include <vector>

namespace weft {

struct WindowState;

struct FinderEntry {
  enum class Kind { scene, garment, fabric, paper, parameter, command };
  Kind kind = Kind::command;
  std::string label;                      // what is shown
  std::string detail;                     // a second line: description, help, keys
  std::string name;                       // how files and the command line call it; found by too
  std::function<void(WindowState&)> run;  // empty: a parameter, whose slider is shown
};

/// The field, while it is open.
struct FinderView {
  bool open = false, focus = false;  // focus: the cursor goes into the field
  std::string query, slider;         // slider: the parameter that is shown with its slider, by its key
  int chosen = 0;                    // of what is found
  std::vector<FinderEntry> entries;
};

/// "Scene", "Parameter", ...
const char* kind_name(FinderEntry::Kind kind);

/// Scenes, garments, fabrics (for every cloth), papers' presets, parameters of the scene and of the picture,
/// and commands with a key. Valid until another scene is opened.
std::vector<FinderEntry> finder_entries(WindowState& state);

/// Indices of at most `most` entries that hold every word of the query (case aside) in label, name or
/// detail, best first: whole labels, then beginnings of labels, of words in them, other places in labels and
/// names, and details last; else in the order of `entries`. An empty query finds nothing.
std::vector<int> find_entries(const std::vector<FinderEntry>& entries, const std::string& query, size_t most);

}  // namespace weft
