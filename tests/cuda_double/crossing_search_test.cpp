// The search for crossings on the double of the CUDA runtime, against the host.
#include <doctest/doctest.h>

#include "sim/mesh/shapes/shapes.h"
#include "tests/geometry/crossing_states.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("the CUDA side finds the crossings of the host and leaves as few pairs to it as the CPU") {
  const State any = soup(700, 0.1f, 3);
  Trial there(any, 0, DeviceChoice::cuda), here(any);
  CHECK(there.find(any) == on_host(any));
  here.find(any);
  CHECK(there.search->open() == here.search->open());
  const TriMesh sheet = make_grid({0.1f, 0.1f}, 0.01f);
  const State over = with_body(sheet, make_sphere(0.03f, 1));
  Trial device(over, 0, DeviceChoice::cuda);
  for (const float height : {-0.02f, 0.0f, 0.05f}) {
    const State now = moved(
        over, [](const vec3& p) { return p; }, [&](const vec3& p) { return p + vec3(height); });
    CHECK(device.find(now) == on_host(now));
  }
}
