// Generic kernels over element sets, and the fused rows held against them.
#include "sim/solvers/element_kernels.h"

#include <doctest/doctest.h>

#include <random>

#include "sim/mesh/shapes/shapes.h"
#include "sim/mesh/solid/tet_mesh.h"
#include "sim/scene/solids.h"
#include "sim/scene/strands.h"
#include "sim/solvers/descent/descent_kernels.h"
#include "sim/solvers/newton/cg_kernels.h"
#include "sim/solvers/newton/line_search_kernels.h"
#include "sim/solvers/scene_elements.h"
#include "tests/device/for_each_device.h"
#include "tests/solvers/quadratic_hinge.h"
#include "tests/solvers/row_elements.h"
#include "tests/support/poisson.h"

using namespace weft;
using namespace weft::testing;

namespace {

constexpr float kYoung = 400, kBegin = 1.03f, kRigidity = 0.02f;

/// A crumpled sheet: its topology, positions and displacements, and a direction.
struct Sheet {
  Topology topology;
  std::vector<vec3> x, d, p;
  explicit Sheet(int seed = 7)
      : Sheet(build_topology({{"sheet", make_poisson_rectangle({0.1f, 0.1f}, 0.012f, 3)}}), seed) {}
  explicit Sheet(Topology parts, int seed = 7) : topology(std::move(parts)) {
    std::mt19937 random{unsigned(seed)};
    const auto noise = [&](float size) {
      std::uniform_real_distribution<float> u(-size, size);
      return vec3(u(random), u(random), u(random));
    };
    for (const vec3& r : topology.rest) {
      x.push_back(r + noise(2e-4f));
      d.push_back(0.04f * (r - topology.rest[0]) + noise(4e-4f));
      p.push_back(noise(3e-3f));
    }
  }
  int vertices() const { return int(x.size()); }
  Buffer<vec3> on(Device& device, std::vector<vec3> v) const {
    v.resize(size_t(padded_rows(vertices())), vec3(0));
    return Buffer<vec3>(device, "test", v);
  }
};

/// The same with a solid and a strand beside it.
Sheet all_parts() {
  NamedMesh box{"box", {}}, hair{"hair", {}};
  const TetMesh cells = box_cells({0.05f, 0.04f, 0.05f}, 0.012f);
  box.mesh.positions = cells.positions, box.mesh.triangles = skin_of(cells.cells), box.cells = cells.cells;
  for (int k = 0; k < 40; ++k) {
    hair.mesh.positions.push_back(0.012f * vec3(float(k), 0.3f * float(k % 3), 0));
    if (k > 0) hair.lines.push_back({k - 1, k});
  }
  return Sheet(build_topology({{"sheet", make_poisson_rectangle({0.1f, 0.1f}, 0.012f, 3)}, box, hair}));
}

/// Forces per vertex, the Hessian's blocks off the diagonal, and the energy beyond the slope along p, of any
/// elements.
struct Sums {
  std::vector<vec3> force;
  std::vector<std::vector<mat3>> hessian;
  double merit = 0;
  explicit Sums(int n)
      : force(size_t(n), vec3(0)), hessian(size_t(n), std::vector<mat3>(size_t(n), mat3(0.0f))) {}

  template <class E>
  void add(Device& device, const Sheet& sheet, const ElementList<E>& list) {
    const ElementSet<E> set(device, list, sheet.vertices());
    const Buffer<vec3> x = sheet.on(device, sheet.x), d = sheet.on(device, sheet.d),
                       p = sheet.on(device, sheet.p);
    const elements::Elements<E> here{set.view(), x.span(), d.span()};
    const int padded = padded_rows(set.count());
    Buffer<vec3> out(device, "test", E::kPoints * padded), tangent(device, "test", E::kTangent * padded);
    Buffer<float> bound(device, "test", E::kPoints * padded), beyond(device, "test", set.count());
    launch(device, "test", set.count(), elements::Forces<E>{here, out.span(), bound.span()});
    launch(device, "test", set.count(), elements::Tangents<E>{here, tangent.span()});
    launch(device, "test", set.count(), elements::Merit<E>{here, p.span(), 1, beyond.span()});
    Buffer<vec3> total(device, "test", padded_rows(sheet.vertices()));
    elements::GatherForces gather;
    gather.source[0] = {set.incidence(), out.span()};
    gather.total = total.span();
    launch(device, "test", sheet.vertices(), gather);
    const std::vector<vec3> sum = total.download();
    for (size_t v = 0; v < force.size(); ++v) force[v] += sum[v];
    for (const float m : beyond.download()) merit += double(m);
    const std::vector<vec3> stored = tangent.download();
    const Span<const vec3> vectors(stored.data(), int(stored.size()));
    for (int e = 0; e < set.count(); ++e)
      for (int a = 0; a < E::kPoints; ++a)
        for (int b = 0; b < E::kPoints; ++b) {
          if (a == b) continue;
          const Mat3<float> m = elements::stored_block<E>(vectors, e, a, b);
          hessian[size_t(list.points[size_t(e)][size_t(a)])][size_t(list.points[size_t(e)][size_t(b)])] +=
              mat3(m.x.x, m.x.y, m.x.z, m.y.x, m.y.y, m.y.z, m.z.x, m.z.y, m.z.z);
        }
  }
  double largest_force() const {
    float most = 0;
    for (const vec3& f : force) most = std::max(most, glm::length(f));
    return double(most);
  }
};

float largest_entry(const mat3& m) {
  float most = 0;
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) most = std::max(most, std::abs(m[c][r]));
  return most;
}

/// Rows without inertia and anchors, and what their kernels need.
struct BareRows {
  Rows rows;
  int n;
  Buffer<vec3> x, d, zero, out;
  Buffer<float> mass, weight, diagonal, preconditioner, constant, hold, free_row, beyond;
  BareRows(Device& device, const Sheet& s)
      : rows(device, level_rows({s.topology.rest, s.topology.triangles, s.topology.edges})),
        n(rows.padded()),
        x(s.on(device, s.x)),
        d(s.on(device, s.d)),
        zero(device, "test", n),
        out(device, "test", n),
        mass(device, "test", n),
        weight(device, "test", 6 * n),
        diagonal(device, "test", 6 * n),
        preconditioner(device, "test", 6 * n),
        constant(device, "test", 3 * n),
        hold(device, "test", n),
        free_row(device, "test", std::vector<float>(size_t(n), 1.0f)),
        beyond(device, "test", n) {
    const std::vector<float> rigidity(size_t(s.vertices()), kRigidity), lock(size_t(s.vertices()), kBegin);
    rows.set_fabric([](int, int) { return kYoung; }, rigidity, lock);
  }
  newton::SystemView system() {
    return {rows.view(), {}, diagonal.span(), preconditioner.span(), free_row.span()};
  }
  newton::AssembleRows<false> newton_rows() {
    return {system(),      x.span(),    d.span(), zero.span(), mass.span(),
            weight.span(), zero.span(), {},       out.span()};
  }
  std::vector<vec3> forces(const Sheet& s) const {
    std::vector<vec3> f = out.download();
    f.resize(size_t(s.vertices()));
    return f;
  }
};

Sums elements_of(Device& device, const Sheet& s) {
  Sums sums(s.vertices());
  sums.add(device, s, springs_of(s.topology, kYoung));
  sums.add(device, s, locks_of(s.topology, kYoung, kBegin));
  sums.add(device, s, quadratic_hinges_of(s.topology, kRigidity));
  return sums;
}

void check_forces(const std::vector<vec3>& rows, const Sums& expected) {
  double worst = 0;
  for (size_t v = 0; v < rows.size(); ++v)
    worst = std::max(worst, double(glm::length(rows[v] - expected.force[v])));
  MESSAGE("largest difference of forces " << worst << " of " << expected.largest_force());
  // Float32 sums of a dozen forces of some ten newtons each, of springs whose strain carries an ulp (6e-8) of
  // a strain of a hundredth.
  CHECK(worst < 2e-5 * expected.largest_force());
}

/// Sixteen at a time, and one by one.
template <class Kernel>
void one_by_one(const Kernel& kernel, int count) {
  for (int i = 0; i < count; ++i) kernel(i);
}

template <class E>
void check_lanes(const Sheet& s, const ElementList<E>& list) {
  const auto device = Device::create(DeviceChoice::cpu, 2);
  const ElementSet<E> set(*device, list, s.vertices());
  const Buffer<vec3> x = s.on(*device, s.x), d = s.on(*device, s.d);
  const int padded = padded_rows(set.count());
  const elements::Elements<E> here{set.view(), x.span(), d.span()};
  std::vector<vec3> force[2], tangent[2];
  for (const int lanes : {0, 1}) {
    Buffer<vec3> f(*device, "test", E::kPoints * padded), t(*device, "test", E::kTangent * padded);
    const elements::Forces<E> forces{here, f.span(), {}};
    const elements::Tangents<E> tangents{here, t.span()};
    if (lanes) launch(*device, "test", set.count(), forces), launch(*device, "test", set.count(), tangents);
    else one_by_one(forces, set.count()), one_by_one(tangents, set.count());
    force[lanes] = f.download(), tangent[lanes] = t.download();
  }
  const auto check = [&](std::vector<vec3>* v, int vectors) {
    float most = 0, worst = 0;
    for (int e = 0; e < set.count(); ++e)
      for (int k = 0; k < vectors; ++k) {
        const size_t at = size_t(interleaved(e, k, vectors));
        most = std::max(most, glm::length(v[0][at])),
        worst = std::max(worst, glm::length(v[0][at] - v[1][at]));
      }
    // Both round alike but for contracted products: some ulps (6e-8) of what a force is a difference of.
    CHECK(worst < 2e-5f * most);
    CHECK(most > 0);
  };
  check(force, E::kPoints);
  check(tangent, E::kTangent);
}

}  // namespace

TEST_CASE("fused rows of Newton's method have the forces and the Hessian of their elements") {
  testing::for_each_device([](Device& device) {
    const Sheet s;
    const Sums expected = elements_of(device, s);
    BareRows bare(device, s);
    launch(device, "test", s.vertices(), bare.newton_rows());
    check_forces(bare.forces(s), expected);
    // K_ij = n nᵀ + s I among the springs, s I beyond, is -H_ij.
    const RowsView a = bare.rows.view();
    const std::vector<float> q = [&] {
      std::vector<float> all(static_cast<size_t>(a.coefficient.size));
      device.download(all.data(), a.coefficient.data, all.size() * sizeof(float));
      return all;
    }();
    std::vector<float> bending(static_cast<size_t>(a.bending.size));
    device.download(bending.data(), a.bending.data, bending.size() * sizeof(float));
    float worst = 0, most = 0;
    for (int v = 0; v < s.vertices(); ++v)
      for (const Rows::HostEntry& e : bare.rows.entries_of(v)) {
        mat3 k = mat3(bending[size_t(e.number)]);
        if (e.spring) {
          const float* c = &q[size_t(newton::entry_place(e.number, 4))];
          const vec3 n(c[0], c[kLanes], c[2 * kLanes]);
          k = glm::outerProduct(n, n) + mat3(c[3 * kLanes]);
        }
        const mat3& h = expected.hessian[size_t(v)][size_t(e.neighbor)];
        most = std::max(most, largest_entry(h)), worst = std::max(worst, largest_entry(k + h));
      }
    MESSAGE("largest difference of blocks " << worst << " of " << most);
    CHECK(worst < 2e-5f * most);
  });
}

TEST_CASE("fused rows of descent have the forces of their elements") {
  testing::for_each_device([](Device& device) {
    const Sheet s;
    const Sums expected = elements_of(device, s);
    BareRows bare(device, s);
    const descent::LevelView level{bare.rows.view(), bare.x.span(), bare.constant.span(),
                                   bare.diagonal.span(), bare.preconditioner.span()};
    launch(device, "test", s.vertices(),
           descent::LinearizeRows{level,
                                  bare.d.span(),
                                  bare.zero.span(),
                                  bare.mass.span(),
                                  bare.zero.span(),
                                  bare.weight.span(),
                                  bare.zero.span(),
                                  {},
                                  bare.free_row.span(),
                                  bare.hold.span()});
    launch(device, "test", s.vertices(),
           descent::ResidualRows{level, bare.d.span(), bare.free_row.span(), bare.out.span()});
    check_forces(bare.forces(s), expected);
  });
}

TEST_CASE("fused rows lower the energy of their elements") {
  testing::for_each_device([](Device& device) {
    const Sheet s;
    const Sums expected = elements_of(device, s);
    BareRows bare(device, s);
    const Buffer<vec3> p = s.on(device, s.p);
    launch(device, "test", s.vertices(),
           newton::RowMerit{bare.system(), bare.x.span(), bare.d.span(), p.span(), bare.mass.span(),
                            bare.weight.span(), 0, 1, 1, 1, bare.beyond.span()});
    double merit = 0;
    for (const float m : bare.beyond.download()) merit += double(m);
    MESSAGE("energy beyond the slope " << merit << ", of the elements " << expected.merit);
    CHECK(merit == doctest::Approx(expected.merit).epsilon(1e-4));
  });
}

TEST_CASE("the kernels of every energy say the same for sixteen elements and one by one") {
  Sheet s;
  for (int v = 0; v < 37; ++v) s.topology.stitched.push_back({{v, s.vertices() - 1 - v}, 0.02f, 0});
  Scene scene;
  scene.cloths.emplace_back().fabric.bending_rigidity = kRigidity;
  check_lanes(s, springs_of(s.topology, kYoung));
  check_lanes(s, locks_of(s.topology, kYoung, kBegin));
  check_lanes(s, quadratic_hinges_of(s.topology, kRigidity));
  Sheet all = all_parts();
  all.topology.stitched = s.topology.stitched;
  scene.of<SolidList>().list.emplace_back();
  scene.of<StrandList>().list.emplace_back();
  for_each_energy([&]<class E>(int) { check_lanes(all, element_list<E>(all.topology, scene)); });
}

TEST_CASE("every energy of a model is chosen by one model and no other") {
  for (int elastic = 0; elastic < 3; ++elastic)
    for (int bending = 0; bending < 3; ++bending) {
      StepParams step;
      step.elastic_model = elastic, step.bending_model = bending;
      int stretch = row_terms(step).springs, bend = row_terms(step).bending + meshless_bending(step);
      for_each_energy([&]<class E>(int) {
        if (kOfTriangles<E>) stretch += chosen<E>(step);
        if (std::is_same_v<E, DihedralHinge>) bend += chosen<E>(step);
      });
      CHECK(stretch == 1);
      CHECK(bend == 1);
    }
}
