// OBJ files of a run: one per frame, or the last frame alone.
#pragma once
#include <string>
#include <vector>

#include "sim/files/frame_writer.h"
#include "sim/files/onward.h"

namespace weft {

/// "cloth", "solid", "rigid body", "strands", "grains" or "body".
std::string kind_of(const RunGroup& group);
/// The same as OBJ files have it in a comment, of grains with their diameter (m): "grains 0.012".
std::string kind_line(const RunGroup& group);

/// One frame with a group per cloth, solid, strands and body. Throws Error naming the file.
void write_frame_obj(const std::string& path, const RunInfo& info, const RunFrame& frame);

/// "step_000123.obj" for every frame, in a folder that is made.
class ObjSequenceWriter final : public FrameWriter {
 public:
  ObjSequenceWriter(std::string folder, const RunInfo& info);
  void frame(const RunFrame& frame) override;
  void finish() override {}
  std::string summary() const override;

 private:
  std::string folder_;
  RunInfo info_;
  OnwardFrames onward_;
  long count_ = 0;
};

/// Files of one frame (.obj, .gltf, .glb): writes the last that it was given, when it is finished.
class LastFrameWriter final : public FrameWriter {
 public:
  LastFrameWriter(std::string path, const RunInfo& info) : path_(std::move(path)), info_(info) {}
  void frame(const RunFrame& frame) override { last_ = frame, any_ = true; }
  void finish() override;
  std::string summary() const override;

 private:
  std::string path_;
  RunInfo info_;
  RunFrame last_;
  bool any_ = false, written_ = false;
};

/// Makes a folder (and those above it) to write into. Throws Error naming it.
void make_folder(const std::string& folder);

}  // namespace weft
