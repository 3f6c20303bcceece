// The jobs of a batch as its file describes them.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace weft {

/// One run of a scene.
struct BatchJob {
  std::string id;     // name of its [[run]] and a hash of everything below: what is run has one id
  std::string group;  // name of its [[run]]
  std::vector<std::string> arguments;                        // of weft, without device and files of results
  std::vector<std::pair<std::string, std::string>> choices;  // what differs between jobs of its [[run]]
  std::string check = "states";                              // "none", "states", "paths": by weft-check
  double limit = 0;                                          // s of wall time; 0: none
  bool keep = false;                                         // its states, as a run cache
  bool has_end = false;                                      // its scene has end conditions
};

/// Every combination of what a [[run]] varies, in the order of the file; a job that is written twice is in
/// the list once. Each job's scene is opened and its settings are made, so a fault is told before anything
/// runs: Error with the file, its line, and the key.
std::vector<BatchJob> read_batch(const std::string& path);

}  // namespace weft
