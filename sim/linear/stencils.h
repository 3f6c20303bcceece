// The contact stencils of a step on a device.
#pragma once
#include "sim/device/buffer.h"
#include "sim/linear/stencil.h"

namespace weft {

struct StepContext;

/// The energy of contact that stencils and anchors stand for, along a step of the solver.
class ContactMerit {
 public:
  virtual ~ContactMerit() = default;
  /// Number of sums. Between steps.
  virtual int merit_count() const = 0;
  /// Per sum (J): change of the energy from the displacement at which stencils were made to `length` times
  /// `p` (m, per vertex) further, minus its slope and minus the quadratic model of stencils and anchors.
  virtual void merit(StepContext&, Span<const vec3> p, float length, Span<float> out) = 0;
};

/// A list of stencils with its count in device memory, and the stencils of each vertex. Without capacity,
/// the initial state, nothing is launched. A collision method
///
///   - calls `reserve` in its prepare(), for as many as the last steps found;
///   - in before_iteration() writes `list` and `count` (at most capacity()), then calls `link`;
///   - sets `merit` if its contact is not quadratic, so that line searches use its true energy.
class Stencils {
 public:
  Stencils(Device& device, int vertices) : device_(device), vertices_(vertices) {}
  /// Reserves `capacity` stencils. Between steps; drops the present ones.
  void reserve(int capacity);
  /// Gives their memory back: there are none.
  void release() noexcept;
  int capacity() const { return list_.size(); }
  Span<ContactStencil> list() { return list_.span(); }
  Span<int> count() { return count_.span(); }
  /// Empties the list.
  void clear();
  /// Finds the stencils of each vertex from list and count.
  void link();
  /// nullptr: the energy of contact is that of the stencils.
  void set_merit(ContactMerit* merit) { merit_ = merit; }
  ContactMerit* merit() const { return merit_; }
  StencilsView view() const { return {list_.span(), count_.span(), start_.span(), entry_.span()}; }

 private:
  Device& device_;
  int vertices_;
  Buffer<ContactStencil> list_;
  Buffer<int> count_, start_, entry_;
  Buffer<uint32_t> key_;
  ContactMerit* merit_ = nullptr;
};

}  // namespace weft
