// The run cache (NAME.weftcache): one file with every frame of a run, readable up to its last whole frame.
#pragma once
#include <memory>
#include <string>

#include "sim/files/frame_writer.h"
#include "sim/files/raw_file.h"

namespace weft {

class RunCacheWriter final : public FrameWriter {
 public:
  /// Opens the file; the first frame replaces its contents. Throws Error.
  RunCacheWriter(const std::string& path, const RunInfo& info);
  /// Groups that have not moved since the last frame are not repeated. On a full disk an Error says how many
  /// frames the file holds; later frames are refused, and `finish` closes the file as far as space allows.
  void frame(const RunFrame& frame) override;
  void finish() override;
  std::string summary() const override;

 private:
  struct Entry {
    uint64_t offset;
    int64_t step;
    double time;
  };
  void write_block(uint32_t tag, const std::string& payload);

  void begin();

  OutputFile file_;
  std::string header_;
  std::vector<std::pair<int, int>> ranges_;  // first vertex and count of each group
  int vertices_ = 0;
  uint32_t version_ = 1;
  std::vector<vec3> last_;
  std::vector<uint32_t> sources_;  // per group: the frame that has its present positions
  std::vector<Entry> entries_;
  std::string buffer_;
  bool broken_ = false;
};

class RunCacheReader final : public FrameSource {
 public:
  /// Reads header and index. If the run was interrupted and there is no index, finds the complete frames by
  /// reading through, with a notice. Throws Error for a file that is not a cache, has another version, or no
  /// complete frame.
  explicit RunCacheReader(const std::string& path);

  const RunInfo& info() const override { return info_; }
  int frame_count() const override { return int(entries_.size()); }
  long long step(int frame) const override { return entries_.at(size_t(frame)).step; }
  double time(int frame) const override { return entries_.at(size_t(frame)).time; }
  void read(int frame, RunFrame& out) override;
  const std::string& path() const { return file_.path(); }

 private:
  struct Entry {
    uint64_t offset;
    int64_t step;
    double time;
  };
  struct Block {
    uint32_t tag = 0;
    uint64_t payload = 0, length = 0, checksum = 0;  // offset and size in bytes
  };
  [[noreturn]] void damaged(const std::string& what) const;
  bool find_block(uint64_t offset, Block& block) const;
  std::string read_payload(const Block& block) const;
  void read_header();
  bool read_index();
  void scan();
  /// The frame's payload, checked; `sources` gets one entry per group.
  std::string frame_payload(int frame, std::vector<uint32_t>& sources) const;
  bool check_frame(const std::string& payload, uint32_t frame, std::vector<uint32_t>& sources) const;
  void load_group(size_t group, uint32_t source);

  InputFile file_;
  RunInfo info_;
  uint64_t first_block_ = 0;  // after the header
  std::vector<Entry> entries_;
  std::vector<vec3> held_;              // the positions that were read last ...
  std::vector<uint32_t> held_sources_;  // ... and for each group from which frame; kNone: not yet
  // payload of one frame, with its number and sources; several groups often come from the same
  std::string payload_;
  int payload_frame_ = -1;
  std::vector<uint32_t> payload_sources_;
};

}  // namespace weft
