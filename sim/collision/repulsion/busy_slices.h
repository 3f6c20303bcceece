// Which slices of vertices constraints still move, for each launch of a time step.
#pragma once
#include "sim/base/error.h"
#include "sim/device/buffer.h"
#include "sim/device/lanes.h"

namespace weft {

/// Flags of slices of 16 vertices, in slots: a launch that tells the next which slices are busy takes the
/// next slot. All are cleared when a time step begins. Rounds of a loop on the device share a slot.
class BusySlices {
 public:
  BusySlices(Device& device, int vertices) : device_(device), slices_(padded_rows(vertices) / kLanes) {}

  /// At least `slots`.
  void reserve(int slots) {
    if (slots <= slots_) return;
    flags_ = Buffer<int>(device_, "busy slices", buffer_size(int64_t(slots) * slices_, "busy slices"));
    slots_ = slots;
    ++moves_;
  }
  void begin() {
    slot_ = 0;
    in_loop_ = false;  // a step may have been given up within
    flags_.clear();
  }
  /// Changes when memory moves.
  int moves() const { return moves_; }
  int slot() const { return slot_; }
  void set_slot(int slot) { slot_ = slot; }
  Span<int> flags() { return {flags_.span().data + slot_ * slices_, slices_}; }
  void next() {
    if (in_loop_) device_.clear(flags().data, size_t(slices_) * sizeof(int));
    else if (++slot_ >= slots_) throw Error("more collision steps than the parameters ask for", "repulsion");
  }
  /// Back to an earlier slot, which is as if nothing had followed.
  void rewind(int slot) {
    device_.clear(flags_.span().data + slot * slices_,
                  size_t(slot_ - slot + 1) * size_t(slices_) * sizeof(int));
    slot_ = slot;
  }
  /// Takes the slot that all rounds of a loop share.
  void begin_loop() {
    next();
    in_loop_ = true;
  }
  void end_loop() { in_loop_ = false; }

 private:
  Device& device_;
  int slices_ = 0, slots_ = 0, slot_ = 0, moves_ = 0;
  bool in_loop_ = false;
  Buffer<int> flags_;
};

}  // namespace weft
