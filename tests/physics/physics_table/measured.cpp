// A run of a scene, and what is read off it.
#include <cstring>
#include <ctime>

#include "sim/base/error.h"
#include "sim/energies/spring.h"
#include "sim/linear/level_rows.h"
#include "sim/mesh/bending/plate_bending.h"
#include "sim/run/simulation.h"
#include "sim/solvers/scene_elements.h"
#include "tests/physics/physics_table/case.h"

namespace weft::physics {

double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

double& seconds_for_a_run() {
  static double seconds = 600;
  return seconds;
}

struct Measured::Impl {
  std::unique_ptr<Device> device = Device::create(DeviceChoice::cpu, 1);
  std::unique_ptr<Simulation> sim;
  std::vector<vec3> positions, velocities;
  std::vector<BendingCoupling> plate;  // of quadratic bending, once asked for
  double until = processor_seconds() + seconds_for_a_run();

  void read() {
    positions = sim->state().position.download();
    velocities = sim->state().velocity.download();
  }
};

Measured::Measured(Scene scene) : impl_(new Impl) {
  impl_->sim = std::make_unique<Simulation>(std::move(scene), *impl_->device);
  impl_->read();
}
Measured::~Measured() { delete impl_; }

void Measured::step() {
  try {
    impl_->sim->step([this] { return processor_seconds() > impl_->until; });
  } catch (const Interrupted&) {
    throw Error("ended: the run took too long", "step " + std::to_string(impl_->sim->state().step));
  }
  impl_->read();
}

void Measured::run_until(double time) {
  while (this->time() < time - 1e-6) step();
}

double Measured::time() const { return impl_->sim->state().time; }
const std::vector<vec3>& Measured::positions() { return impl_->positions; }
const std::vector<vec3>& Measured::velocities() { return impl_->velocities; }
const std::vector<float>& Measured::masses() const { return impl_->sim->model().host_mass; }
const Scene& Measured::scene() const { return impl_->sim->scene(); }

std::pair<int, int> Measured::vertices(int cloth) const {
  const ModelPart& range = impl_->sim->model().host.parts[size_t(cloth)];
  return {range.first_vertex, range.first_vertex + range.vertex_count};
}

namespace {

dvec3 mean(const std::vector<vec3>& values, const std::vector<float>& masses, std::pair<int, int> range) {
  dvec3 sum(0);
  double mass = 0;
  for (int v = range.first; v < range.second; ++v)
    sum += double(masses[size_t(v)]) * dvec3(values[size_t(v)]), mass += double(masses[size_t(v)]);
  return sum / mass;
}

}  // namespace

dvec3 Measured::center(int cloth) { return mean(positions(), masses(), vertices(cloth)); }
dvec3 Measured::center_velocity(int cloth) { return mean(velocities(), masses(), vertices(cloth)); }

double Measured::kinetic_energy() {
  double sum = 0;
  for (size_t v = 0; v < masses().size(); ++v)
    sum += 0.5 * double(masses()[v]) * glm::dot(dvec3(velocities()[v]), dvec3(velocities()[v]));
  return sum;
}

namespace {

/// J, in double precision.
template <class E>
double energy_of(const ElementList<E>& list, const std::vector<vec3>& x) {
  const auto widened = [](const auto& from, auto to) {
    constexpr size_t n = sizeof from / sizeof(float);
    float in[n];
    double out[n];
    std::memcpy(in, &from, sizeof in);
    for (size_t c = 0; c < n; ++c) out[c] = double(in[c]);
    static_assert(sizeof to == sizeof out);
    std::memcpy(&to, out, sizeof to);
    return to;
  };
  double sum = 0;
  for (size_t e = 0; e < list.points.size(); ++e) {
    EdgesOf<E, double> edges;
    const auto& v = list.points[e];
    for (size_t p = 1; p < v.size(); ++p)
      edges[int(p) - 1] = lane_vector(dvec3(x[size_t(v[p])]) - dvec3(x[size_t(v[0])]));
    sum += E::energy(edges, widened(list.rest[e], typename E::template Rest<double>()),
                     widened(list.material[e], typename E::template Material<double>()));
  }
  return sum;
}

/// Springs of the stiffer of warp and weft.
double spring_energy(const Model& model, const Scene& scene, const std::vector<vec3>& x) {
  const Topology& t = model.host;
  const std::vector<float> unit = unit_spring_stiffness({t.rest, t.triangles, t.edges});
  ElementList<Spring> list;
  for (size_t e = 0; e < t.edges.size(); ++e) {
    const ivec2 v = t.edges[e];
    const FabricParams& f = scene.cloths[size_t(t.vertex_part[size_t(v.x)])].fabric;
    list.points.push_back({v.x, v.y});
    list.rest.push_back({glm::distance(t.rest[size_t(v.x)], t.rest[size_t(v.y)])});
    list.material.push_back({unit[e] * std::max(f.stretch_stiffness, f.weft_stiffness)});
  }
  return energy_of(list, x);
}

/// Quadratic bending: couplings of the plate that the cloth is, times its rigidity (N/m).
std::vector<BendingCoupling> plate_couplings(const Model& model, const Scene& scene) {
  std::vector<BendingCoupling> all, of_triangle;
  const PlateBending plate(model.host, model.clamped);
  for (size_t t = 0; t < model.host.triangles.size(); ++t) {
    const FabricParams& f =
        scene.cloths[size_t(model.host.vertex_part[size_t(model.host.triangles[t].x)])].fabric;
    plate.couplings(int(t), double(f.bending_poisson_ratio), of_triangle);
    for (BendingCoupling c : of_triangle) c.value *= f.bending_rigidity, all.push_back(c);
  }
  return all;
}

/// B/2 sum_ij Q_ij x_i . x_j of a matrix whose rows sum to 0, given by what stands off its diagonal.
double plate_energy(const std::vector<BendingCoupling>& couplings, const std::vector<vec3>& x) {
  double sum = 0;
  for (const BendingCoupling& c : couplings) {
    const dvec3 d = dvec3(x[size_t(c.row)]) - dvec3(x[size_t(c.column)]);
    sum -= 0.25 * double(c.value) * glm::dot(d, d);
  }
  return sum;
}

}  // namespace

double Measured::elastic_energy() {
  Model& model = impl_->sim->model();
  const StepParams& step = scene().step;
  const RowTerms rows = row_terms(step);
  double sum = 0;
  for_each_energy([&]<class E>(int) {
    if (chosen<E>(step)) sum += energy_of(element_list<E>(model.host, scene()), positions());
  });
  if (rows.bending) {
    if (impl_->plate.empty()) impl_->plate = plate_couplings(model, scene());
    sum += plate_energy(impl_->plate, positions());
  }
  return sum + (rows.springs ? spring_energy(model, scene(), positions()) : 0);
}

double Measured::longest_stretch() {
  Model& model = impl_->sim->model();
  const auto rest = model.edge_rest.download();
  double most = 0;
  for (size_t e = 0; e < rest.size(); ++e) {
    const ivec2 ends = model.host.edges[e];
    const dvec3 d = dvec3(positions()[size_t(ends.y)]) - dvec3(positions()[size_t(ends.x)]);
    most = std::max(most, glm::length(d) / double(rest[e]));
  }
  return most;
}

}  // namespace weft::physics
