// What a batch has begun and finished: a file of one line each, so that a killed batch goes on where it was.
#pragma once
#include <map>
#include <string>

namespace weft {

/// How a job ended.
struct BatchResult {
  std::string id;
  // ok; unmet (an end condition), misfit (of a garment that was put on), crossing (weft-check found one),
  // unchecked (weft-check could not test it), failed (with an error), died (by a signal), limit (ended after
  // its wall time)
  std::string verdict;
  std::string reason;         // of all but ok, in words
  std::string hash, program;  // of the last state; name and commit of the program that ran
  long steps = 0;
  double simulated_s = 0, processor_s = 0, wall_s = 0;  // of the run, weft-check included
  double longest_edge = 0;                              // over its length at rest, at the end
  bool well() const { return verdict == "ok"; }
  /// Neither well nor something that was measured.
  bool broken() const {
    return !well() && verdict != "unmet" && verdict != "misfit" && verdict != "crossing";
  }
};

/// FOLDER/journal.jsonl. One process at a time has it.
class BatchJournal {
 public:
  /// Makes the folder and reads what is there; a line that a killed process left unfinished is passed over.
  /// Throws Error for a folder that cannot be written, or in which another batch works.
  explicit BatchJournal(const std::string& folder);
  ~BatchJournal();
  BatchJournal(const BatchJournal&) = delete;

  /// By id: the latest result of each job.
  const std::map<std::string, BatchResult>& results() const { return results_; }
  void begun(const std::string& id);
  void ended(const BatchResult& result);

 private:
  void write(const std::string& line);
  std::string path_;
  int file_ = -1;
  std::map<std::string, BatchResult> results_;
};

}  // namespace weft
