// A pointer and a length that kernels can carry by value.
#pragma once
#include <type_traits>

#include "sim/base/math.h"

namespace weft {

/// View of `size` elements in the memory of one device. Does not own; checks nothing on the device.
template <class T>
struct Span {
  T* data = nullptr;
  int size = 0;
  int unused = 0;  // explicit padding, since replays are compared byte by byte

  Span() = default;
  HD Span(T* d, int n) : data(d), size(n) {}
  /// Span<T> reads as Span<const T>.
  template <class U, class = std::enable_if_t<std::is_same_v<const U, T>>>
  HD Span(const Span<U>& o) : data(o.data), size(o.size) {}

  HD T& operator[](int i) const { return data[i]; }
  HD bool empty() const { return size == 0; }
  HD T* begin() const { return data; }
  HD T* end() const { return data + size; }
};

}  // namespace weft
