// Text files, read and written whole.
#pragma once
#include <cstdint>
#include <string>

#include "sim/base/error.h"

namespace weft {

/// The error for a failed write: reason (errno), number of bytes not written, and free space on a full disk.
/// `kept`: what remains of the data written before; may be empty.
Error write_fault(const std::string& path, int code, uint64_t bytes_missing, const std::string& kept = {});

/// Throws Error naming the path: missing, a folder, unreadable or empty. `noun` describes the expected file
/// ("a scene").
std::string read_text_file(const std::string& path, const std::string& noun);
/// An unused name in the folder of `path`, short enough to fit beside the longest file name.
std::string free_name_beside(const std::string& path);
/// An empty file with such a name, to be written and then renamed to `path`; locked (flock) during its life.
/// A killed process leaves a file without a lock. The first file that another process creates in the folder
/// removes it once it has not been written for a minute.
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

/// Whether an existing file is write-protected, judged by its permissions also for root.
bool write_protected(const std::string& path);
/// The target of a chain of symbolic links, existing or not; the path itself if it is not a link. Throws
/// Error for a loop of links.
std::string end_of_links(const std::string& path);
/// Writes to a temporary file and renames it to `path` with the old permissions, so that a full disk keeps
/// the old file. A symbolic link stays; its target is written. Throws Error.
void write_text_file(const std::string& path, const std::string& text);

}  // namespace weft
