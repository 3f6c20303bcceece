// Text files, read and written whole.
#pragma once
#include <cstdint>
#include <string>

#include "sim/base/error.h"

namespace weft {

/// What to throw where writing has failed: the reason (errno), how much could not be written, and, of a full disk, how much
/// is free on it. `kept`: what became of what had been written, in words; may be empty.
Error write_fault(const std::string& path, int code, uint64_t bytes_missing, const std::string& kept = {});

/// Throws Error naming the path: missing, a folder, unreadable or empty. `noun` is what the file should be ("a scene").
std::string read_text_file(const std::string& path, const std::string& noun);
/// A name in the folder of `path` that nothing else has: short, so that there is room for it beside the longest name.
std::string free_name_beside(const std::string& path);
/// An empty file of such a name, to be written and then put in the place of `path`; locked (flock) while this lives. What a process that was killed has
/// left has no lock, by which the first file that another process begins in the folder knows it, and removes it once it has not been written
/// for a minute.
class TemporaryFile {
 public:
  /// Throws Error naming `path`.
  explicit TemporaryFile(const std::string& path);
  /// Removes the file unless it was put in its place.
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& name() const { return name_; }
  /// Open for writing; closed with this object.
  int handle() const { return file_; }
  /// Takes the place of `path`. Returns 0 or errno.
  int put_in_place();

 private:
  std::string path_, name_;
  int file_ = -1;
  bool there_ = true;
};

/// Whether a file is there that is not to be written; by its permissions also for root, whom nothing else would hold back.
bool write_protected(const std::string& path);
/// Where a link leads in the end, also where nothing is there yet; the path itself where it is none. Throws Error for links in a circle.
std::string end_of_links(const std::string& path);
/// Writes beside the file first and then takes its place, with its permissions, so that a full disk leaves the old one. What a
/// link leads to is written, and the link stays. Throws Error.
void write_text_file(const std::string& path, const std::string& text);

}  // namespace weft
