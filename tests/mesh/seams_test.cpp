// Seams of meshes whose rest shape belongs to corners, and marks of elastic and fabrics in files.
#include "sim/mesh/import/seams.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "sim/mesh/bending/plate_bending.h"
#include "sim/mesh/import/obj.h"
#include "sim/mesh/import/rest_marks.h"
#include "tests/garment/patterns.h"
#include "tests/support/folder.h"

using namespace weft;
using namespace weft::testing;

namespace {

GarmentMesh two_panels() {
  Panel left = rectangle("left", 0.1, 0.1), right = rectangle("right", 0.1, 0.1, {0.1, 0, 0});
  return make_garment(pattern_of({left, right}, {{"middle", {{0, 1, 0, 1}, {1, 3, 1, 0}}}}), "p");
}

/// Energy of a height field in the plate, over B/2.
double energy(const TriMesh& mesh, double (*height)(const vec3&)) {
  const Topology t = build_topology({{"m", mesh}});
  const PlateBending plate(t);
  std::vector<BendingCoupling> entries;
  double sum = 0;
  for (int i = 0; i < int(t.triangles.size()); ++i) {
    plate.couplings(i, 0, entries);
    for (const BendingCoupling& c : entries) {
      const double d = height(mesh.positions[size_t(c.row)]) - height(mesh.positions[size_t(c.column)]);
      sum -= 0.5 * double(c.value) * d * d;
    }
  }
  return sum;
}

}  // namespace

TEST_CASE("seams are the edges at which panels are sewn, and no others") {
  const GarmentMesh g = two_panels();
  TriMesh stiff = g.mesh, plain = g.mesh;
  stiffen_seams(stiff, 3);
  size_t beside = 0;  // triangles along a seam; two for each of its edges
  for (size_t t = 0; t < stiff.triangles.size(); ++t) {
    if (stiff.corners.factor[t] == vec3(1)) continue;
    ++beside;
    int at_seam = 0;
    for (int k = 0; k < 3; ++k)
      at_seam += std::abs(g.mesh.positions[size_t(g.mesh.triangles[t][k])].x - 0.1f) < 1e-6f;
    CHECK(at_seam == 2);
  }
  CHECK(beside == 2 * (g.seam_lines[0].size() - 1));
  plain.corners.is_rest = false;
  const auto before = plain.corners.factor;
  stiffen_seams(plain, 3);
  CHECK(plain.corners.factor == before);
}

TEST_CASE("stiffened seams bend less by their factor, and cloth beside them as before") {
  const GarmentMesh g = two_panels();
  TriMesh stiff = g.mesh;
  stiffen_seams(stiff, 3);
  const auto bent_at_seam = [](const vec3& p) { return std::abs(double(p.x) - 0.1) * 0.5; };
  const auto bent_beside = [](const vec3& p) { return std::max(0.0, double(p.x) - 0.15); };
  const double at = energy(stiff, bent_at_seam) / energy(g.mesh, bent_at_seam),
               beside = energy(stiff, bent_beside) / energy(g.mesh, bent_beside);
  MESSAGE("at the seam " << at << ", beside it " << beside);
  CHECK(std::abs(at - 3) < 0.05);
  CHECK(std::abs(beside - 1) < 0.02);
}

TEST_CASE("elastic and fabrics of panels survive a file, and marks that do not fit are left out") {
  GarmentMesh g = two_panels();
  CornerTextures& c = g.mesh.corners;
  c.rest_scale.assign(g.mesh.triangles.size(), vec3(1, 0, 1));
  c.factor.assign(g.mesh.triangles.size(), vec3(1));
  c.rest_scale[3] = {0.75f, 0.1f, 1}, c.factor[5] = {2, 3, 0.5f};
  const Folder folder;
  write_obj(folder / "g.obj",
            {{"g", &g.mesh.positions, &g.mesh.triangles, mat4(1), "cloth", nullptr, vec2(1), &c}});
  const std::string text = read_file(folder / "g.obj");
  TriMesh read = g.mesh;
  read.corners.rest_scale.clear(), read.corners.factor.clear();
  std::vector<std::string> notices;
  take_rest_marks(text, "", read, "g", notices);
  CHECK(notices.empty());
  CHECK(read.corners.rest_scale == c.rest_scale);
  CHECK(read.corners.factor == c.factor);
  TriMesh other = g.mesh;
  other.corners.rest_scale.clear(), other.corners.factor.clear();
  take_rest_marks(text, "h", other, "g", notices);  // another object's
  CHECK(other.corners.rest_scale.empty());
  other.triangles.pop_back();
  take_rest_marks(text, "", other, "g", notices);
  CHECK(notices.size() == 1);
  CHECK(other.corners.rest_scale.empty());
}
