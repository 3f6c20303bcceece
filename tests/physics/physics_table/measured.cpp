// A run of a scene, and what is read off it.
#include <ctime>

#include "sim/base/error.h"
#include "sim/energies/bending.h"
#include "sim/energies/corotated_triangle.h"
#include "sim/energies/spring.h"
#include "sim/energies/stvk_triangle.h"
#include "sim/mesh/plate_bending.h"
#include "sim/run/simulation.h"
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
  const ClothRange& range = impl_->sim->model().host.cloths[size_t(cloth)];
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

double stretch_energy(Model& model, const std::vector<vec3>& x, ElasticModel which) {
  double sum = 0;
  if (which == ElasticModel::springs) {
    const auto rest = model.edge_rest.download(), stiffness = model.edge_stiffness.download();
    for (size_t e = 0; e < rest.size(); ++e) {
      const ivec2 ends = model.host.edges[e];
      sum += spring_energy(dvec3(x[size_t(ends.y)]) - dvec3(x[size_t(ends.x)]), double(stiffness[e]),
                           double(rest[e]));
    }
    return sum;
  }
  const auto inverse = model.triangle_inverse.download(), woven = model.triangle_orthotropic.download();
  const auto material = model.triangle_material.download();
  for (size_t t = 0; t < inverse.size(); ++t) {
    const ivec3 c = model.host.triangles[t];
    const dvec3 a = dvec3(x[size_t(c.y)]) - dvec3(x[size_t(c.x)]),
                b = dvec3(x[size_t(c.z)]) - dvec3(x[size_t(c.x)]);
    const glm::dvec4 inverse_rest(inverse[t]);
    if (which == ElasticModel::stvk)
      sum += stvk_energy(a, b, inverse_rest, double(material[t].x), glm::dvec4(woven[t]));
    else
      sum += triangle_energy(a, b, inverse_rest, dvec3(material[t]));
  }
  return sum;
}

/// Quadratic bending: couplings of the plate that the cloth is, times its rigidity (N/m).
std::vector<BendingCoupling> plate_couplings(const Model& model, const Scene& scene) {
  std::vector<BendingCoupling> all, of_triangle;
  const PlateBending plate(model.host, model.clamped);
  for (size_t t = 0; t < model.host.triangles.size(); ++t) {
    const FabricParams& f =
        scene.cloths[size_t(model.host.vertex_cloth[size_t(model.host.triangles[t].x)])].fabric;
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

double hinge_energy(Model& model, const std::vector<vec3>& x) {
  double sum = 0;
  const auto dihedral = model.hinge_rest.download();
  for (size_t h = 0; h < dihedral.size(); ++h) {
    const ivec4 v = model.host.hinges[h];
    const dvec3 o(x[size_t(v.x)]), e = dvec3(x[size_t(v.y)]) - o, a = dvec3(x[size_t(v.z)]) - o,
                                   b = dvec3(x[size_t(v.w)]) - o;
    sum += dihedral_energy(e, a, b, double(dihedral[h].x), double(dihedral[h].y));
  }
  return sum;
}

}  // namespace

double Measured::elastic_energy() {
  Model& model = impl_->sim->model();
  const StepParams& step = scene().step;
  double bending = 0;
  if (BendingModel(step.bending_model) == BendingModel::dihedral) bending = hinge_energy(model, positions());
  if (BendingModel(step.bending_model) == BendingModel::quadratic) {
    if (impl_->plate.empty()) impl_->plate = plate_couplings(model, scene());
    bending = plate_energy(impl_->plate, positions());
  }
  return stretch_energy(model, positions(), ElasticModel(step.elastic_model)) + bending;
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
