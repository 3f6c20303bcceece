#include "viewer/session/stretch_export.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/error.h"
#include "sim/files/frame_writer.h"
#include "sim/scene/text/scene_file.h"
#include "viewer/commands/frame_export.h"

namespace weft {
namespace {
constexpr size_t kAtOnce = 8;  // states for which the simulator is asked at a time
}

StretchExport::StretchExport(Runner& runner, std::vector<int> steps, std::string path)
    : runner_(runner), steps_(std::move(steps)), path_(std::move(path)), thread_([this] {
        try {
          write();
        } catch (const std::exception& e) {
          failed_ = true;
          words_ = e.what();
        }
        done_ = true;
      }) {}

StretchExport::~StretchExport() {
  stop_ = true;
  thread_.join();
}

void StretchExport::write() {
  if (steps_.empty()) throw Error("no state of this stretch is kept", "export", "choose another stretch");
  if (frames_of_file(path_) == FileFrames::one) steps_ = {steps_.back()};
  RunInfo info = runner_.run_info();
  add_looks(info, parse_scene(info.scene, ""));
  const auto writer = make_frame_writer(path_, info);
  while (written_ < steps_.size() && !stop_) {
    const auto from = steps_.begin() + long(written_);
    const auto to = steps_.begin() + long(std::min(written_ + kAtOnce, steps_.size()));
    for (const RunFrame& frame : runner_.kept_frames({from, to})) writer->frame(frame), ++written_;
  }
  writer->finish();
  words_ =
      fmt::format("Exported steps {} to {}: {}", steps_.front(), steps_[written_ - 1], writer->summary());
}

std::vector<int> steps_of_stretch(const RunTimeline& timeline, int first, int last) {
  std::vector<int> steps;
  for (const RunTimeline::Moment& m : timeline.kept)
    if ((first < 0 || m.step >= first) && (last < 0 || m.step <= last)) steps.push_back(m.step);
  return steps;
}

}  // namespace weft
