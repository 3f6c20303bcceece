// Remeshing of layers that lie close to each other.
#include <doctest/doctest.h>

#include "sim/base/error.h"
#include "sim/base/work_watch.h"
#include "sim/mesh/uniform/make_uniform.h"
#include "tests/mesh/uniform/layers.h"
#include "tests/safety/crossings.h"

using namespace weft;

namespace {

size_t exact_crossings(const TriMesh& mesh, int own = -1) {
  const check::Crossings found =
      check::find_crossings(std::span<const vec3>(mesh.positions), {mesh.triangles, own});
  return found.pairs.size() + found.without_area.size();
}

}  // namespace

TEST_CASE(
    "layers that do not cross do not cross after remeshing, and where longer edges do not fit is told") {
  for (const bool welded : {false, true}) {
    CAPTURE(welded);
    const TriMesh mesh = testing::folded_layers(2, welded);
    REQUIRE(exact_crossings(mesh) == 0);
    std::string told;
    UniformOptions options;
    options.edge = 0.008, options.tell = [&](const std::string& words) { told += words + "\n"; };
    const TriMesh even = made_uniform(mesh, options);
    CHECK(exact_crossings(even) == 0);
    // so it did, before they stayed
    CHECK(told.find("would cross another layer there") != std::string::npos);
    CHECK(told.find("the first near (0.") != std::string::npos);
    CHECK(even.triangle_count() < mesh.triangle_count());  // what is flat was remeshed
  }
}

TEST_CASE("a surface is remeshed without crossing what lies beside it") {
  const TriMesh both = testing::folded_layers(2, false);
  TriMesh lower, upper;
  const int half = both.vertex_count() / 2;
  lower.positions.assign(both.positions.begin(), both.positions.begin() + half),
      upper.positions.assign(both.positions.begin() + half, both.positions.end());
  for (const ivec3& t : both.triangles)
    (t.x < half ? lower : upper).triangles.push_back(t.x < half ? t : t - half);
  UniformOptions options;
  options.edge = 0.008, options.others = &upper;
  TriMesh all = made_uniform(lower, options);
  const int own = all.triangle_count(), vertices = all.vertex_count();
  all.positions.insert(all.positions.end(), upper.positions.begin(), upper.positions.end());
  for (const ivec3& t : upper.triangles) all.triangles.push_back(t + vertices);
  CHECK(exact_crossings(all, own) == 0);
}

TEST_CASE("remeshing ends where somebody asks for it, and tells how far it is") {
  const TriMesh mesh = testing::folded_layers(3, false);
  int asked = 0;
  const WorkWatch watch([&] { return ++asked > 100; });
  UniformOptions options;
  options.edge = 0.004;
  CHECK_THROWS_AS(made_uniform(mesh, options), Interrupted);
  CHECK(asked == 101);
}
