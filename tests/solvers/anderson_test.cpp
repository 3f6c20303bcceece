// Anderson acceleration of a fixed-point iteration.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "sim/device/device.h"
#include "sim/solvers/projective/anderson.h"

using namespace weft;

namespace {

constexpr int kRows = 100;

/// G(d) = d + a (x - d), with the fixed point x = 1 and a factor a of few values: f = a (1 - d).
struct Iteration {
  std::unique_ptr<Device> device = Device::create(DeviceChoice::cpu, 2);
  std::vector<float> factor, free = std::vector<float>(kRows, 1.0f);
  std::vector<vec3> d = std::vector<vec3>(kRows, vec3(0));
  std::vector<float> stopped{0};

  float error() const {
    float worst = 0;
    for (int i = 0; i < kRows; ++i)
      if (free[size_t(i)] > 0) worst = std::max(worst, glm::length(d[size_t(i)] - vec3(1)));
    return worst;
  }
  /// `window` 0: plain.
  void run(int iterations, int window) {
    Anderson anderson;
    anderson.prepare(*device, kRows, window);
    Buffer<vec3> at(*device, "d", d), step(*device, "step", kRows), sweep(*device, "sweep", kRows);
    Buffer<float> mask(*device, "free", free), size(*device, "size", 1), counter(*device, "stopped", stopped);
    for (int k = 0; k < iterations; ++k) {
      std::vector<vec3> f(kRows);
      float sum = 0;
      for (int i = 0; i < kRows; ++i) {
        f[size_t(i)] = factor[size_t(i)] * (vec3(1) - d[size_t(i)]);
        sum += glm::dot(f[size_t(i)], f[size_t(i)]);
      }
      step.upload(f);
      size.upload({sum});
      if (window > 0)
        anderson.advance(k, mask.span(), step.span(), sweep.span(), size.span(), counter.span(), at.span());
      else {
        for (int i = 0; i < kRows; ++i)
          if (free[size_t(i)] > 0) d[size_t(i)] += f[size_t(i)];
        at.upload(d);
      }
      d = at.download();
    }
    stopped = counter.download();
  }
};

Iteration three_factors() {
  Iteration it;
  for (int i = 0; i < kRows; ++i) it.factor.push_back(i % 3 == 0 ? 0.9f : i % 3 == 1 ? 0.3f : 0.02f);
  return it;
}

}  // namespace

TEST_CASE("a linear iteration with three factors is solved after four accelerated iterations") {
  Iteration plain = three_factors(), accelerated = three_factors();
  plain.run(5, 0);
  accelerated.run(5, 5);
  MESSAGE("error " << accelerated.error() << ", without acceleration " << plain.error());
  CHECK(plain.error() > 1.5f);         // sqrt(3) 0.98^5
  CHECK(accelerated.error() < 2e-5f);  // a hundred roundings
}

TEST_CASE("a window of one difference helps less than one of three, and both more than none") {
  float error[3];
  for (const int window : {0, 1, 3}) {
    Iteration it = three_factors();
    it.run(12, window);
    error[window == 3 ? 2 : window] = it.error();
  }
  CHECK(error[1] < 0.7f * error[0]);
  CHECK(error[2] < 0.01f * error[1]);
}

TEST_CASE("accelerated iterations leave rows that are held where they are") {
  Iteration it = three_factors();
  it.free[5] = 0;
  it.run(6, 4);
  CHECK(it.d[5] == vec3(0));
  CHECK(it.error() < 1e-4f);
}

TEST_CASE("forces that grow make acceleration begin anew, and it is counted") {
  Iteration it = three_factors();
  for (float& f : it.factor) f = 6;  // each step overshoots fivefold: the square grows by 25
  it.run(3, 5);
  CHECK(it.stopped[0] >= 1);
  CHECK(std::isfinite(it.error()));
}
