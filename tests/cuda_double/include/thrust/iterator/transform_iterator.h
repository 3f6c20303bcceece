// A function of what another iterator gives: what the double of the CUDA runtime (../../../double.h) needs of
// Thrust.
#pragma once

namespace thrust {

template <class Iterator, class Function>
struct transform_iterator {
  Iterator base;
  Function function;
  auto operator[](int i) const { return function(base[i]); }
};

template <class Iterator, class Function>
transform_iterator<Iterator, Function> make_transform_iterator(Iterator base, Function function) {
  return {base, function};
}

}  // namespace thrust
