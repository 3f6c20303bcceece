// Threads of stitches that hold and that are let go.
#pragma once
#include "sim/device/launch.h"
#include "sim/energies/stitch.h"

namespace weft::stitching {

/// The state's threads as the stiffness of the elements.
struct TakeHold {
  Span<const float> hold;       // State::stitch_hold
  Span<const float> stiffness;  // N/m, of a thread that holds
  Span<float> material;         // ElementView::material
  HD void operator()(int e) const {
    static_assert(sizeof(Stitch::Material<float>) == sizeof(float));
    material[interleaved(e, 0, 1)] = hold[e] * stiffness[e];
  }
};

}  // namespace weft::stitching
