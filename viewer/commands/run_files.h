// Names of the files of a run without a window.
#pragma once
#include <string>

namespace weft {

/// Files that a run without a window writes and reads; an empty name stands for none.
struct RunFiles {
  // a file or folder of sim/files: every published state, or the last, by its ending
  std::string export_path;
  std::string cache_file;     // a run cache
  std::string states_folder;  // mesh.obj and one .npy per published state
  std::string stats_file;     // JSON
  std::string csv_file;       // one row per step
  std::string trace_file;     // Chrome's trace format
  std::string load_snapshot, save_snapshot;
  double usd_rate = 24;       // RunInfo::usd_rate
  double snapshot_every = 0;  // s of simulated time; 0: only the last state

  bool any() const {
    for (const std::string* file : {&export_path, &cache_file, &states_folder, &stats_file, &csv_file,
                                    &trace_file, &load_snapshot, &save_snapshot})
      if (!file->empty()) return true;
    return snapshot_every > 0;
  }
};

}  // namespace weft
