// PC2 point caches, which Blender's Mesh Cache modifier and 3ds Max read.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "sim/files/frame_writer.h"
#include "sim/files/raw_file.h"

namespace weft {

/// The names, without their endings, of each group's two files.
std::vector<std::string> pc2_stems(const std::string& path, const RunInfo& info);

/// For each group a .pc2 with all frames and an .obj of the same vertices in the same order at the first:
/// "out.pc2" and "out.obj" for a run of one group, else "out_NAME.pc2" and "out_NAME.obj".
class Pc2Writer final : public FrameWriter {
 public:
  Pc2Writer(const std::string& path, const RunInfo& info);
  void frame(const RunFrame& frame) override;
  void finish() override;
  std::string summary() const override;

 private:
  void add(const RunFrame& frame);
  std::string path_;
  RunInfo info_;
  std::vector<std::string> stems_;  // path of each group's files without extension
  std::vector<std::unique_ptr<OutputFile>> files_;
  int frames_ = 0;
};

}  // namespace weft
