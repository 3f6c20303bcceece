// Where Newton's steps end, by regions and by pieces.
#include "sim/solvers/newton/newton_ends.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "sim/run/simulation.h"
#include "sim/scene/text/scene_file.h"

using namespace weft;
using namespace weft::newton;

namespace {

/// A strip of silk that swings down from level, by an end; with `neighbour` beside a heavy one that falls far
/// away.
Scene swinging(bool neighbour) {
  Scene s;
  s.contact.ground = false;
  s.set("step.collision", "none");
  for (int k = 0; k < (neighbour ? 2 : 1); ++k) {
    Cloth c;
    c.name = k ? "falling" : "swinging";
    c.size = {k ? 0.5f : 0.1f, 0.5f}, c.edge = 0.02f;
    c.fabric = read_fabric(k ? "leather" : "silk");
    c.placement.position = {5.0f * float(k), 1, 0};
    c.placement.rotation = {-90, 0, 0};
    s.cloths.push_back(c);
  }
  Pin pin;
  pin.cloth = "swinging", pin.where = "top";
  s.pins.push_back(pin);
  return s;
}

std::vector<vec3> after(Scene scene, double seconds) {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  Simulation simulation(std::move(scene), *device);
  while (simulation.state().time < seconds) simulation.step();
  return simulation.state().position.download();
}

}  // namespace

TEST_SUITE("solvers") {
  TEST_CASE("a region that is far from solved decides, however well all others are") {
    const auto device = Device::create(DeviceChoice::cpu, 1);
    // Two pieces of 100 and 40 rows: regions of 64, 36 and 40.
    std::vector<int> piece(140, 0);
    std::fill(piece.begin() + 100, piece.end(), 1);
    const Pieces pieces = make_pieces(*device, piece);
    REQUIRE(pieces.chunks() == 3);
    std::vector<float> inner(140, 1e-8f);
    inner[70] = 4e-3f;
    const Buffer<float> rows(*device, "rows", inner), end(*device, "ends", {1e-4f, 1e-4f, 1e-4f});
    Buffer<float> sum(*device, "sums", 3), need(*device, "needs", 5);
    launch(*device, "needs", 3, RegionNeeds{pieces.view(), rows.span(), end.span(), sum.span(), need.span()});
    launch(*device, "needs", 2, PieceNeeds{pieces.view(), end.span(), sum.span(), {need.span().data + 3, 2}});
    const std::vector<float> needs = need.download();
    CHECK(needs[0] < 1);
    CHECK(needs[1] ==
          doctest::Approx((4e-3 + 35e-8) / 9e-4));  // a region may have three times the mean error
    CHECK(needs[2] < 1);
    CHECK(needs[3] == doctest::Approx((4e-3 + 99e-8) / 2e-4));
    CHECK(needs[4] < 1);
    CHECK(need_of(NAN, 1) == INFINITY);
    CHECK(need_of(-1e-9f, 1) == 0);
  }

  TEST_CASE("a linear system is solved as well as the last Newton step was worth") {
    CHECK(forcing_term(0, 0) == 0);
    CHECK(forcing_term(0.1f, 0) == doctest::Approx(0.009f));
    CHECK(forcing_term(0.1f, 0.4f) == doctest::Approx(0.144f));  // guarded by the share before
    CHECK(forcing_term(0.1f, 0.2f) == doctest::Approx(0.009f));  // whose square is small
    CHECK(forcing_term(0.9f, 0) == 0.25f);
    CHECK(forcing_term(NAN, 0) == 0.25f);
  }

  TEST_CASE("conjugate gradients' numbers tell the smallest eigenvalue of a diagonal matrix") {
    // Eigenvalues 0.004, 0.1, 0.5 and 1 with equal shares of the start: four iterations see all of them.
    const std::array<double, 4> eigenvalue{0.004, 0.1, 0.5, 1};
    std::array<double, 4> r{1, 1, 1, 1}, p = r;
    std::array<float, 4> alpha{};
    std::array<float, 5> rz{4};
    double before = 4;
    for (size_t k = 0; k < 4; ++k) {
      double curvature = 0, after = 0;
      for (size_t i = 0; i < 4; ++i) curvature += eigenvalue[i] * p[i] * p[i];
      alpha[k] = float(before / curvature);
      for (size_t i = 0; i < 4; ++i) {
        r[i] -= before / curvature * eigenvalue[i] * p[i];
        after += r[i] * r[i];
      }
      for (size_t i = 0; i < 4; ++i) p[i] = r[i] + after / before * p[i];
      rz[k + 1] = float(before = after);
    }
    CHECK(lowest_ritz(alpha.data(), rz.data(), 4) == doctest::Approx(0.004).epsilon(0.002));
    CHECK(lowest_ritz(alpha.data(), rz.data(), 2) > 0.004f);  // from above, before all are seen
    CHECK(lowest_ritz(alpha.data(), rz.data(), 1) == doctest::Approx(0.401).epsilon(0.002));
    alpha[1] = NAN;  // a step that fails leaves nothing behind that its repetition would be judged by
    CHECK(lowest_ritz(alpha.data(), rz.data(), 4) == 1);
    alpha[1] = 0;
    CHECK(lowest_ritz(alpha.data(), rz.data(), 4) == 1);
  }

  TEST_CASE("cloth that swings does as it does alone where something heavy falls far away") {
    const std::vector<vec3> alone = after(swinging(false), 1.5), beside = after(swinging(true), 1.5);
    double sum = 0;
    for (size_t v = 0; v < alone.size(); ++v) {
      const double way = double(glm::distance(alone[v], beside[v]));
      sum += way * way;
    }
    const double rms = 1e3 * std::sqrt(sum / double(alone.size()));
    MESSAGE("off by " << rms << " mm");
    CHECK(rms < 0.8);  // 0.3; with one mean over all cloth 1.8
  }
}
