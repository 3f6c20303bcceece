// The contact stencils of a step on a device.
#pragma once
#include "sim/device/buffer.h"
#include "sim/solvers/stencil.h"

namespace weft {

/// A list of stencils with its count in device memory, and which of them each vertex takes part in. Without room for any,
/// which is how it starts, nobody launches anything. A collision method
///
///   - calls `reserve` in its prepare() and, where a step found more, in fits();
///   - in before_iteration() writes `list` and `count` (at most capacity()), then calls `link`.
class Stencils {
 public:
  Stencils(Device& device, int vertices) : device_(device), vertices_(vertices) {}
  /// Room for `capacity` stencils. Between steps; drops what there is.
  void reserve(int capacity);
  /// Gives their memory back: there are none.
  void release() noexcept;
  int capacity() const { return list_.size(); }
  Span<ContactStencil> list() { return list_.span(); }
  Span<int> count() { return count_.span(); }
  /// No stencils from here on.
  void clear();
  /// Finds the stencils of each vertex from list and count.
  void link();
  StencilsView view() const { return {list_.span(), count_.span(), start_.span(), entry_.span()}; }

 private:
  Device& device_;
  int vertices_;
  Buffer<ContactStencil> list_;
  Buffer<int> count_, start_, entry_;
  Buffer<uint32_t> key_;
};

}  // namespace weft
