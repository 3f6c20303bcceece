// Bands of ghosts around closed boundaries in the synthesis of wrinkles.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim/wrinkles/synthesis.h"
#include "tests/grid/sheets.h"

namespace {

using namespace weft;
using namespace weft::testing;
using wrinkles::CoarseCloth;
using wrinkles::Synthesis;
using wrinkles::WrinkleSettings;

constexpr float kSize = 0.064f, kCell = 1e-3f;

CoarseCloth patch() {
  FabricParams fabric;
  fabric.bending_rigidity = 5e-6f, fabric.stretch_stiffness = 1000;
  return {"cloth", rectangle({0, 0}, vec2(kSize), 8, 8), fabric};
}

/// Shirred along the lower edge of the patch.
WrinkleSettings settings_of(bool closed, float angle, bool renew) {
  WrinkleSettings s;
  s.params.cell = kCell, s.params.levels = 2, s.params.iterations = 96;
  s.params.repel = false;  // folds that meet go less far, whatever the boundary
  s.params.closed = closed, s.params.seam_angle = angle, s.params.renew_ghosts = renew;
  wrinkles::Gather g;
  g.from = {0, 0.004f}, g.to = {kSize, 0.004f}, g.s0 = 1.4f, g.radius = 0.02f, g.irregularity = 0.2f;
  s.gathers.push_back(g);
  return s;
}

/// The farthest that a vertex of the lower edge goes from it, m.
double edge_way(const Synthesis& synthesis) {
  const std::vector<vec3> x = synthesis.positions();
  double most = 0;
  for (size_t v = 0; v < x.size(); ++v) {
    const vec2 at = synthesis.surface().material[v];
    if (at.y < 1e-5f) most = std::max(most, double(glm::length(x[v] - vec3(at, 0))));
  }
  return most;
}

std::vector<grid::Ghost> ghosts_of(const grid::Grid& g) {
  std::vector<grid::Ghost> out(size_t(g.ghosts().size));
  g.device().download(out.data(), g.ghosts().data, out.size() * sizeof(grid::Ghost));
  return out;
}

/// Median over the ghosts of how far their angle to the normal of the sheet is from `degrees`.
double angle_error(const grid::Grid& g, const std::vector<dvec3>& ghosts, const std::vector<dvec3>& sheet,
                   double degrees) {
  const grid::GridView view = g.view();
  std::vector<double> errors;
  for (const grid::Ghost& at : ghosts_of(g)) {
    const auto difference = [&](int dx, int dy) {
      const auto real = [&](int n) { return n >= 0 && !view.ghost(n) ? n : at.inside; };
      return sheet[size_t(real(view.neighbor(at.inside, dx, dy)))] -
             sheet[size_t(real(view.neighbor(at.inside, -dx, -dy)))];
    };
    const dvec3 n = glm::normalize(glm::cross(difference(1, 0), difference(0, 1)));
    const dvec3 way = glm::normalize(ghosts[size_t(at.vertex)] - sheet[size_t(at.inside)]);
    errors.push_back(std::abs(glm::degrees(std::asin(std::clamp(-glm::dot(way, n), -1.0, 1.0))) - degrees));
  }
  std::nth_element(errors.begin(), errors.begin() + long(errors.size() / 2), errors.end());
  return errors[errors.size() / 2];
}

}  // namespace

TEST_CASE(
    "a closed boundary stays on the coarse surface where an open one folds, and its band has the seam's "
    "angle") {
  const auto device = Device::create(DeviceChoice::cpu, 2);
  const CoarseCloth cloth = patch();
  device->run([&] {
    Synthesis open(*device, cloth, settings_of(false, 0, false));
    open.solve(cloth.mesh.positions);
    const double free = edge_way(open);
    CHECK(free > 1.5 * double(kCell));
    for (const float angle : {0.0f, 30.0f, 60.0f, 90.0f}) {
      CAPTURE(angle);
      Synthesis closed(*device, cloth, settings_of(true, angle, false));
      closed.solve(cloth.mesh.positions);
      MESSAGE(angle << " degrees: the edge goes " << 1e3 * edge_way(closed) << " mm, open " << 1e3 * free
                    << " mm");
      CHECK(closed.surface().vertices.size() == open.surface().vertices.size());
      CHECK(edge_way(closed) < 0.5 * free);
      const std::vector<dvec3> x = closed.problem(0).x().download(), frame = closed.frame(0).download();
      CHECK(angle_error(closed.grid(0), x, frame, double(angle)) < 0.1);  // the frame is flat
      for (const grid::Ghost& g : ghosts_of(closed.grid(0)))
        CHECK(glm::length(x[size_t(g.vertex)] - frame[size_t(g.vertex)]) < 1e-9);

      Synthesis moving(*device, cloth, settings_of(true, angle, true));
      moving.solve(cloth.mesh.positions);
      moving.solve(cloth.mesh.positions);  // from transferred wrinkles
      const std::vector<dvec3> y = moving.problem(0).x().download();
      const double error = angle_error(moving.grid(0), y, y, double(angle));
      MESSAGE(angle << " degrees, moving: " << error << " degrees off, the edge goes "
                    << 1e3 * edge_way(moving) << " mm");
      CHECK(error < 0.5);
      for (const dvec3& p : y) CHECK(std::isfinite(p.x + p.y + p.z));
    }
  });
}

TEST_CASE("bands of ghosts push no other panel away and hold no panel's boundary") {
  const auto device = Device::create(DeviceChoice::cpu, 2);
  // Two panels beside each other, 1.5 cells apart: the bands of both reach into the other one.
  CoarseCloth cloth = patch();
  const TriMesh other = rectangle({0.1f, 0}, vec2(kSize), 8, 8, {-0.1f + kSize + 1.5f * kCell, 0, 0});
  const int first = cloth.mesh.vertex_count();
  cloth.mesh.uv.insert(cloth.mesh.uv.end(), other.uv.begin(), other.uv.end());
  cloth.mesh.positions.insert(cloth.mesh.positions.end(), other.positions.begin(), other.positions.end());
  for (const ivec3& t : other.triangles) cloth.mesh.triangles.push_back(t + ivec3(first));
  WrinkleSettings s = settings_of(true, 0, false);
  s.gathers.clear();
  s.params.levels = 1, s.params.roughness = 0;
  device->run([&] {
    Synthesis one(*device, cloth, s);
    one.solve(cloth.mesh.positions);
    const std::vector<dvec3> x = one.problem(0).x().download(), frame = one.frame(0).download();
    double moved = 0;
    for (size_t v = 0; v < x.size(); ++v) moved = std::max(moved, glm::length(x[v] - frame[v]));
    CHECK(moved < 1e-3 * double(kCell));
    s.params.hold_boundary = true;
    Synthesis held(*device, cloth, s);
    int count = 0;
    const Span<unsigned char> marks = held.problem(0).pinned();
    for (int v = 0; v < marks.size; ++v) count += marks[v];
    CHECK(count == 2 * 4 * 64);  // of 65 x 65 vertices each
  });
}
