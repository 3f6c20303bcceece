#pragma once
#include <cstdint>
#include <random>

namespace weft {

/// Numbers in [0, 1), the same with every standard library (std::uniform_real_distribution is not).
class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  double operator()() { return double(engine_() >> 11) * 0x1p-53; }

 private:
  std::mt19937_64 engine_;
};

}  // namespace weft
