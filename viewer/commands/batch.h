// Many runs from one file, each by a process of its own: resumable, with one verdict each and a table.
#pragma once
#include <string>

#include "sim/device/device.h"

namespace weft {

struct BatchRequest {
  std::string jobs;                               // TOML
  std::string out;                                // folder; empty: "NAME.batch" beside the file
  DeviceChoice device = DeviceChoice::automatic;  // of jobs
  int processes = 0;                              // at the same time; 0: one per core
  int threads = 0;                                // of each; 0: the cores divided by the processes
  bool retry = false;                             // runs again what failed
  bool again = false;                             // runs everything again
  bool list = false;                              // prints the jobs and runs none
  bool quiet = false;                             // prints what is not well and the end alone
};

/// Runs what the folder has no verdict of yet, to the end or until Ctrl-C, which ends running jobs without a
/// verdict. Prints one line a job and the count of verdicts, and writes results.csv. Returns 0 if all is
/// well, 3 if an end condition is not met, a garment is not worn as it should be or a crossing was found, 1
/// if a job failed. Throws Error for a file that cannot be read or names what is not there, and for a folder
/// in which another batch works.
int run_batch(const BatchRequest& request);

}  // namespace weft
