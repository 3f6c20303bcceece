// Binary files with readable errors: what could not be read or written, and where.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace weft {

/// A file being written. Every call throws Error naming the file.
class OutputFile {
 public:
  /// Opens the file. Its old contents stay until the first write, so that a run that never begins destroys
  /// nothing; a new file is removed if nothing is written. With `nameless` it is unlinked at once and lives
  /// as long as this object.
  explicit OutputFile(const std::string& path, bool nameless = false);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Appends.
  void write(const void* data, size_t bytes);
  void write(const std::string& text) { write(text.data(), text.size()); }
  /// Overwrites existing data.
  void write_at(uint64_t offset, const void* data, size_t bytes);
  /// Appends another file and frees its blocks on the way where the file system can, so that the disk need
  /// not hold the data twice.
  void take_over(OutputFile& other);
  /// Bytes so far.
  uint64_t size() const { return size_; }
  /// Truncates the file; false on failure.
  bool cut(uint64_t size);
  /// Closes; a full disk may only be reported now.
  void close();
  const std::string& path() const { return path_; }

 private:
  [[noreturn]] void fail(uint64_t missing) const;
  void remove_unused();
  std::string path_;
  int file_ = -1;
  bool made_ = false;  // was not there before
  bool written_ = false;
  uint64_t size_ = 0;
};

/// A file being read at any place. Every call throws Error naming the file.
class InputFile {
 public:
  /// `noun`: kind of the expected file ("a run cache").
  InputFile(const std::string& path, const std::string& noun);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  uint64_t size() const { return size_; }
  void read(uint64_t offset, void* data, size_t bytes) const;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int file_ = -1;
  uint64_t size_ = 0;
};

}  // namespace weft
