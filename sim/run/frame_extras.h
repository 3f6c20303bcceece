// Optional data of frames; each costs a search or a copy from the device.
#pragma once

namespace weft {

struct FrameExtras {
  bool contact_pairs = false, active_samples = false;
  bool verdict = false;  // each state is tested for crossings (Runner::verdict)
  bool operator==(const FrameExtras&) const = default;
};

}  // namespace weft
