// The safe displacement and those in which the next one is made.
#pragma once
#include <array>

#include "sim/device/buffer.h"

namespace weft {

/// Three displacements (m, one per vertex), one of which is x, the safe one.
class Displacements {
 public:
  Displacements(Device& device, int rows) : device_(device), saved_(device, "collision vertices", rows) {
    for (auto& u : u_) u = Buffer<vec3>(device, "safe displacement", rows);
  }

  void clear() {
    for (auto& u : u_) u.clear();
    now_ = 0;
  }
  /// Number of x.
  int now() const { return now_; }
  void set_now(int number) { now_ = number; }
  /// Number of the `k`-th after x.
  int after(int k) const { return (now_ + k) % int(u_.size()); }
  Span<vec3> at(int number) { return u_[size_t(number)].span(); }
  Span<vec3> x() { return at(now_); }
  Span<const vec3> x() const { return u_[size_t(now_)].span(); }
  std::vector<vec3> on_host(int number) const { return u_[size_t(number)].download(); }

  void copy(int to, int from) {
    if (to != from) move(at(to), at(from));
  }
  /// Keeps a copy of one, until the next save().
  void save(int number) { move(saved_.span(), at(number)); }
  void restore(int number) { move(at(number), saved_.span()); }

 private:
  void move(Span<vec3> to, Span<const vec3> from) {
    device_.copy(to.data, from.data, size_t(from.size) * sizeof(vec3));
  }
  Device& device_;
  std::array<Buffer<vec3>, 3> u_;
  Buffer<vec3> saved_;
  int now_ = 0;
};

}  // namespace weft
