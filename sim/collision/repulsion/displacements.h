// The safe displacement and those in which the next one is made.
#pragma once
#include <array>

#include "sim/collision/surface/path.h"
#include "sim/device/buffer.h"

namespace weft {

/// Three displacements of a time step (m, one per vertex), one of which is x, the safe one.
class Displacements {
 public:
  /// For `vertices`, padded to whole slices.
  Displacements(Device& device, int vertices);

  /// Starts a time step at `position` (m) with x = position; its path is kept where KeepPath asks for it.
  void begin(Span<const vec3> position);
  /// Positions at the start, m; padded.
  Span<const vec3> base() const { return base_; }
  /// Number of x.
  int now() const { return now_; }
  void set_now(int number) { now_ = number; }
  /// Number of the `k`-th after x.
  int after(int k) const { return (now_ + k) % int(u_.size()); }
  Span<vec3> at(int number) { return u_[number]; }
  Span<vec3> x() { return at(now_); }
  Span<const vec3> x() const { return u_[now_]; }

  void copy(int to, int from) {
    if (to != from) move(at(to), at(from));
  }
  /// Remembers one, and the path to it, until the next save().
  void save(int number);
  void restore(int number);
  /// The path has come to this one.
  void corner(int number);

 private:
  void move(Span<vec3> to, Span<const vec3> from) {
    device_.copy(to.data, from.data, size_t(from.size) * sizeof(vec3));
  }

  Device& device_;
  int vertices_, now_ = 0;
  std::array<Buffer<vec3>, 3> u_;
  Buffer<vec3> base_, saved_;
  Path* path_ = nullptr;  // see KeepPath
  size_t corners_ = 0;    // of the path, as it was saved
};

}  // namespace weft
