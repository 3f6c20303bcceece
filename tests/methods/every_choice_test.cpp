// Every choice that the tables of methods and parameters offer gives the same bits however rows are shared
// out among threads. Rows of tens are taken together here; one at a time and in other orders they run in
// tests/device/order and tests/cuda_double.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/variants.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// All methods with their defaults, and each `every`th of their choices.
void same_bits(int every) {
  const auto one = Device::create(DeviceChoice::cpu, 1), three = Device::create(DeviceChoice::cpu, 3);
  int choices = 0;
  for (const Variant& v : every_variant()) {
    if (!v.key.empty() && choices++ % every != 0) continue;
    INFO(v.name());
    const Scene scene = v.scene(400);
    CHECK(hash_after(scene, *one, 3) == hash_after(scene, *three, 3));
  }
}

}  // namespace

TEST_SUITE("methods") {
  TEST_CASE("the variants that tests try have every method, model and choice among them") {
    const std::vector<Variant> all = every_variant();
    const auto has = [&](const auto& is) { return std::any_of(all.begin(), all.end(), is); };
    for (const SolverEntry& s : solvers()) CHECK(has([&](const Variant& v) { return v.solver == &s; }));
    for (const CollisionEntry& c : collision_methods())
      CHECK(has([&](const Variant& v) { return v.collision == &c; }));
    for (const auto& [key, value] :
         std::vector<std::pair<std::string, std::string>>{{"step.elastic_model", "st_venant_kirchhoff"},
                                                          {"step.bending_model", "dihedral"},
                                                          {"step.bending_model", "meshless"},
                                                          {"newton.preconditioner", "block_jacobi"},
                                                          {"two_way.lcp", "jacobi"},
                                                          {"two_way.friction_by", "velocity_filter"},
                                                          {"two_way.bound", "half_distance"},
                                                          {"two_way.normals", "segments"},
                                                          {"repulsion.integration", "interleaving"},
                                                          {"repulsion.integration", "post_processing"},
                                                          {"repulsion.integration", "phantom_mesh"},
                                                          {"projective.rank", "1"},
                                                          {"block_descent.block_width", "16"}})
      CHECK_MESSAGE(has([&](const Variant& v) { return v.key == key && v.value == value; }),
                    key << " = " << value);
  }

  TEST_CASE("every method and one in five of its choices give the same bits with one thread and with three") {
    same_bits(5);
  }
}

TEST_SUITE("full") {
  TEST_CASE("every choice of every method gives the same bits with one thread and with three") {
    same_bits(1);
  }
}
