// Sums of moves over contacts and over pinned vertices, in whole units.
#include <doctest/doctest.h>

#include <limits>

#include "sim/collision/free_path/common_motion_kernels.h"
#include "sim/device/buffer.h"
#include "sim/device/launch.h"

using namespace weft;

TEST_CASE(
    "means over any number of contacts or pinned vertices are those of the moves, also where no int holds "
    "their sum") {
  const auto device = Device::create(DeviceChoice::cpu, 2);
  constexpr int kMany = 2000;  // of 5 cm in nanometres, and of 0.5 m in tenths of micrometres: 1e11 and 1e10
  two_way::Contact contact;
  contact.points = {0, 1, 1, 1};
  contact.normal = contact.gradient[0] = {0, 1, 0};
  contact.weight[0] = 1;
  contact.value = -0.05f;
  std::vector<two_way::Contact> contacts(kMany, contact);
  contacts[0].value = std::numeric_limits<float>::quiet_NaN();  // nothing to do
  // as far as one goes; the other components are no numbers
  contacts[1].value = -std::numeric_limits<float>::infinity();
  Buffer<two_way::Contact> contact_buffer(*device, "contacts", contacts);
  Buffer<float> inverse_mass(*device, "inverse masses", std::vector<float>{1, 0});
  Buffer<vec3> x(*device, "x", 2), y(*device, "y", 2);
  Buffer<int64_t> sums(*device, "sums", 8);
  launch(*device, "visits", kMany,
         two_way::VisitAll{contact_buffer.span(), inverse_mass.span(), x.span(), x.span(), y.span(),
                           sums.span()});
  launch(*device, "means", 2, two_way::AddMeans{sums.span(), y.span()});
  const vec3 moved = y.download()[0];
  CHECK(moved.y == doctest::Approx(0.05f));
  CHECK(moved.x == 0);
  CHECK(moved.z == 0);
  CHECK(y.download()[1] == vec3(0));

  Buffer<smooth_field::Place> place(*device, "place", std::vector<smooth_field::Place>{{vec3(-1), 1}});
  Buffer<float> pinned(*device, "inverse masses", std::vector<float>(kMany, 0));
  Buffer<vec3> at(*device, "x", kMany),
      way(*device, "way", std::vector<vec3>(kMany, vec3(0.5f, -0.5f, 0.1f)));
  Buffer<int64_t> held(*device, "held", 4 * smooth_field::kGridSize);
  Buffer<vec4> node(*device, "nodes", smooth_field::kGridSize);
  launch(*device, "held", kMany,
         two_way::SumPinned{place.span(), pinned.span(), at.span(), way.span(), held.span()});
  launch(*device, "held", smooth_field::kGridSize, two_way::TakePinned{held.span(), node.span()});
  int taken = 0;
  for (const vec4& n : node.download()) {
    if (n.w != 1) continue;
    ++taken;
    CHECK(n.x == doctest::Approx(0.5f));
    CHECK(n.y == doctest::Approx(-0.5f));
    CHECK(n.z == doctest::Approx(0.1f));
  }
  CHECK(taken == 27);
}
