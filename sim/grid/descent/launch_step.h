// Chooses the kernel for a block's width and kind; included by one file per sheet.
#pragma once
#include <string>

#include "sim/base/error.h"
#include "sim/grid/descent/general_step.h"
#include "sim/grid/descent/uniform_step.h"

namespace weft::block_descent {

template <int W, class Sheet>
void launch_width(Device& device, const char* name, bool general, const StepArguments& a,
                  const Sheet& sheet) {
  if (general) launch_blocks(device, name, a.list.size, GeneralStep<W, Sheet>{{{a, sheet}}});
  else launch_blocks(device, name, a.list.size, UniformStep<W, Sheet>{{{a, sheet}}});
}

template <class Sheet>
void launch_step(Device& device, const char* name, bool general, const StepArguments& a, const Sheet& sheet) {
  switch (a.grid.width()) {
    case 8: return launch_width<8>(device, name, general, a, sheet);
    case 16: return launch_width<16>(device, name, general, a, sheet);
    case 32:
    case 64:
      // Tiles of this width have no room in the shared memory of a GPU.
      if (device.is_cuda()) break;
      if (a.grid.width() == 32) return launch_width<32>(device, name, general, a, sheet);
      return launch_width<64>(device, name, general, a, sheet);
    default: break;
  }
  throw Error("blocks of " + std::to_string(a.grid.width()) + " vertices do not fit on this device", "",
              "use 8 or 16");
}

}  // namespace weft::block_descent
