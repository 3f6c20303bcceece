// What the file of a batch says, before its combinations are made.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "viewer/commands/batch_jobs.h"

namespace weft {

using JobChoice = std::pair<std::string, std::string>;  // key, value

/// A body that is tried: a file, or the mannequin of a garment.
struct JobBody {
  std::string name;                 // of its [[body]]; else its file
  std::string file;                 // as --obstacle takes it; empty: the mannequin
  std::vector<JobChoice> settings;  // keys of its [[obstacle]] table, values as --set takes them
  /// What makes it move: clips of the mannequin one after the other ("walk+turn"; "rest": none), or an
  /// animation of a glTF file.
  JobChoice clip_setting(const std::string& clips) const;
};

enum class JobAxisKind { scene, body, clip, setting };

/// What is tried of one key; several keys with several values make a grid.
struct JobAxis {
  std::string key;
  std::vector<std::string> values;
  JobAxisKind kind = JobAxisKind::setting;
};

/// One [[run]].
struct JobGroup {
  std::string name;
  std::vector<JobAxis> axes;
  std::vector<JobBody> bodies;  // of the axis "body"
  bool dresses = false;         // its scenes are garments
  std::string preset, frames, seconds;
  std::vector<std::string> plugins;  // shared libraries
  BatchJob like;
  int line = 0;
};

/// Throws Error with the file, its line, and the key.
std::vector<JobGroup> read_batch_file(const std::string& path);

}  // namespace weft
