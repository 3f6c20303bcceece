#include "sim/step/stitch_release.h"

#include <algorithm>

#include "sim/scene/model/stitches.h"

namespace weft {
namespace {
constexpr const char* kPart = "stitches let go";
}

StitchRelease::StitchRelease(StepContext& context)
    : c_(context), let_go_(context.scene.of<StitchList>().list.size(), 0) {
  upload();
  c_.state.carry(
      kPart, [this] { return save(); }, [this](const std::vector<unsigned char>& b) { restore(b); }, true);
}

void StitchRelease::upload() {
  const std::vector<StitchedPair>& pairs = c_.model.host.stitched;
  if (pairs.empty()) return;
  std::vector<float> hold;
  for (const StitchedPair& p : pairs) hold.push_back(let_go_[p.stitch] ? 0.0f : 1.0f);
  if (c_.state.stitch_hold.empty()) c_.state.stitch_hold = Buffer<float>(c_.device, "stitches", hold);
  else c_.state.stitch_hold.upload(hold);
}

void StitchRelease::prepare() {
  const std::vector<StitchParams>& all = c_.scene.of<StitchList>().list;
  // half a step later is the next step's: times of steps are sums that round
  const double now = c_.state.time + 0.5 * double(c_.dt);
  bool changed = false;
  for (size_t i = 0; i < let_go_.size(); ++i) {
    const bool due = !all[i].held || (all[i].release >= 0 && now > double(all[i].release));
    if (let_go_[i] || !due) continue;
    let_go_[i] = 1, changed = true;
  }
  if (changed) upload();
}

void StitchRelease::back_to_start() {
  std::fill(let_go_.begin(), let_go_.end(), 0);
  upload();
}

/// Nothing while all hold: such a state is that of cloth without stitches that are let go.
std::vector<unsigned char> StitchRelease::save() const {
  return std::count(let_go_.begin(), let_go_.end(), 1) ? let_go_ : std::vector<unsigned char>();
}

void StitchRelease::restore(const std::vector<unsigned char>& bytes) {
  if (bytes.empty()) return back_to_start();
  if (bytes.size() != let_go_.size()) State::refuse_size(kPart);
  let_go_ = bytes;
  upload();
}

}  // namespace weft
