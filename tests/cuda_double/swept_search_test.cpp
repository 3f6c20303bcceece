// The search of swept boxes on the double of the CUDA runtime, against the CPU.
#include <doctest/doctest.h>

#include "tests/collision/swept_pairs.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("each method finds the same swept pairs on the CUDA side as on the CPU, all and those that moved") {
  const auto cpu = Device::create(DeviceChoice::cpu, 1), gpu = Device::create(DeviceChoice::cuda);
  SweptCase c = cloth_on_floor(12);
  std::mt19937 random(1);
  move_points(c, random, 0.0005f);  // far from where the other order of a sum decides
  c.margin = 0.0005f;
  SweptCase some = c;
  for (size_t v = 0; v < c.x1.size(); ++v) some.moved.push_back(v % 40 == 0), some.marks.push_back(v < 20);
  for (const SweptMethod method : kSweptMethods) {
    CAPTURE(int(method));
    for (const SweptCase* one : {&c, &some}) {
      SweptTrial there(*gpu, *one, method), here(*cpu, *one, method);
      there.growing.take_room();
      CHECK(there.find(*one) > 0);
      here.find(*one);
      CHECK(here.lists().size() > 50);
      CHECK(there.lists().pairs() == here.lists().pairs());
      CHECK(there.lists().size() == here.lists().size());
    }
    // Recorded and played.
    SweptTrial there(*gpu, c, method);
    there.find(c);
    const SweptLists before = there.lists();
    const Buffer<vec3> x0(*gpu, "points", c.s.positions), x1(*gpu, "points", c.x1);
    for (int step = 0; step < 4; ++step)
      gpu->replay(1 + uint64_t(method), [&] { there.search.find(x0.span(), x1.span(), c.margin); });
    CHECK(there.lists() == before);
  }
}
