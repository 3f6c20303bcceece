// The integers, as an iterator: what the double of the CUDA runtime (../../../double.h) needs of Thrust.
#pragma once

namespace thrust {

template <class T>
class counting_iterator {
 public:
  using value_type = T;
  explicit counting_iterator(T first) : first_(first) {}
  T operator[](int i) const { return first_ + T(i); }

 private:
  T first_;
};

}  // namespace thrust
