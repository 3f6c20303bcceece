// A run in the numbering of the files that its meshes came from: what other programs get.
#pragma once
#include <memory>

#include "sim/files/frame_writer.h"

namespace weft {

/// `info` with each group's vertices in the order of its file, those that were joined several times. Faces
/// stay with the groups (RunGroup::input, whose `vertex` is then empty).
RunInfo in_input_order(const RunInfo& info);
/// The positions of a frame of `info` in that order.
void in_input_order(const RunInfo& info, const RunFrame& frame, RunFrame& out);

/// A run without the numbering of files: triangles as they are simulated.
RunInfo as_simulated(RunInfo info);

/// Hands the frames of a run on to a writer that was made for in_input_order(info).
class InputOrderWriter final : public FrameWriter {
 public:
  InputOrderWriter(const RunInfo& info, std::unique_ptr<FrameWriter> writer)
      : info_(info), writer_(std::move(writer)) {}
  void frame(const RunFrame& frame) override {
    in_input_order(info_, frame, ordered_);
    writer_->frame(ordered_);
  }
  void finish() override { writer_->finish(); }
  std::string summary() const override { return writer_->summary(); }

 private:
  RunInfo info_;
  std::unique_ptr<FrameWriter> writer_;
  RunFrame ordered_;
};

}  // namespace weft
