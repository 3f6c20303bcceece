// Folds that stay, hinge by hinge: kernels on rest angles alone.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim/mesh/bending/hinge_weights.h"
#include "sim/mesh/shapes/shapes.h"
#include "sim/solvers/crease_kernels.h"
#include "sim/solvers/element_set.h"

using namespace weft;

namespace {

/// A sheet of squares on a cylinder around an axis along y, of this curvature (1/m), after one step with this
/// yield (1/m): rest angles of hinges along the axis, over the length that each bends, 1/m.
std::vector<double> kept_curvatures(float edge, double curvature, float yield) {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  TriMesh mesh = make_grid({0.1f, 0.1f}, edge, "square");
  const Topology t = build_topology({{"sheet", mesh}});
  std::vector<vec3> bent;
  for (const vec3& p : t.rest) {
    const double turn = curvature * double(p.x);
    bent.push_back(vec3(dvec3(std::sin(turn), curvature * double(p.y), std::cos(turn)) / curvature));
  }
  const std::vector<float> lengths = hinge_lengths(t);
  std::vector<float> most = lengths;
  for (float& m : most) m *= yield;
  const Buffer<Hinge> hinges(*device, "hinges", t.hinges);
  const Buffer<vec3> position(*device, "positions", bent);
  const Buffer<float> yields(*device, "yields", most);
  Buffer<float> angle(*device, "angles", rest_angles(t));
  launch(*device, "creases", hinges.size(),
         creases::Yield{hinges.span(), position.span(), yields.span(), angle.span()});
  const std::vector<float> kept = angle.download();
  std::vector<double> out;
  for (size_t h = 0; h < t.hinges.size(); ++h) {
    const vec3 e = t.rest[size_t(t.hinges[h].y)] - t.rest[size_t(t.hinges[h].x)];
    if (std::abs(e.x) < 1e-6f) out.push_back(double(kept[h]) / double(lengths[h]));
  }
  return out;
}

}  // namespace

TEST_SUITE("creases") {
  TEST_CASE("the curvature that stays is what lies beyond the yield, on meshes of any size") {
    for (const float edge : {0.01f, 0.005f, 0.0025f})
      for (const double curvature : {30.0, -30.0, 8.0}) {
        const std::vector<double> kept = kept_curvatures(edge, curvature, 10);
        REQUIRE(!kept.empty());
        const double size = std::max(0.0, std::abs(curvature) - 10);
        for (const double k : kept) CHECK(std::abs(std::abs(k) - size) < 1e-3 * std::max(size, 1.0));
        CHECK((curvature > 0) == (*std::max_element(kept.begin(), kept.end()) > 1 || size == 0));
      }
  }

  TEST_CASE("the elements of hinges take the rest angles of the state, and nothing else changes in them") {
    const auto device = Device::create(DeviceChoice::cpu, 1);
    ElementList<DihedralHinge> list;
    for (int h = 0; h < 37; ++h) {
      list.points.push_back({h, h + 1, h + 2, h + 3});
      list.rest.push_back({.angle = 0, .weight = 0.1f * float(h)});
      list.material.push_back({1});
    }
    ElementSet<DihedralHinge> set(*device, list, 40);
    std::vector<float> angles;
    for (int h = 0; h < 37; ++h) angles.push_back(0.01f * float(h) - 0.2f);
    const Buffer<float> angle(*device, "angles", angles);
    launch(*device, "take", set.count(), creases::TakeRestAngles{angle.span(), set.rest()});
    for (int h = 0; h < 37; ++h) {
      CHECK(set.rest()[interleaved(h, 0, 2)] == angles[size_t(h)]);
      CHECK(set.rest()[interleaved(h, 1, 2)] == 0.1f * float(h));
    }
  }
}
