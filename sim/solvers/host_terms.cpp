#include "sim/solvers/host_terms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sim/base/error.h"
#include "sim/plugin/plugin_list.h"
#include "sim/plugin/projection.h"

namespace weft {
namespace {

/// Rows of an element's Hessian count as summing to 0 below this share of its largest number.
constexpr double kTranslates = 1e-6;

const UsedPlugin& used_plugin(const StepContext& c, int number) {
  return c.scene.of<PluginList>().list[size_t(number)];
}

Error plugin_fault(const UsedPlugin& used, const std::string& what) {
  return Error(what, "plugin " + used.plugin->name() + " (" + used.plugin->origin() + ")",
               "the state is as before the step; mend the plug-in, lower the time step or its strength");
}

bool rows_sum_to_zero(const double* h, int points) {
  if (points < 2) return false;
  const int n = 3 * points;
  double largest = 0, sum = 0;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k) {
      double row = 0;
      for (int p = 0; p < points; ++p)
        row += h[i * n + 3 * p + k], largest = std::max(largest, std::abs(h[i * n + 3 * p + k]));
      sum = std::max(sum, std::abs(row));
    }
  return sum <= kTranslates * largest;
}

}  // namespace

std::shared_ptr<const HostMesh> host_mesh(const Model& model) {
  auto mesh = std::make_shared<HostMesh>();
  for (const vec3& p : model.host.rest) mesh->rest.insert(mesh->rest.end(), {p.x, p.y, p.z});
  mesh->mass.assign(model.host_mass.begin(), model.host_mass.end());
  mesh->mass.resize(model.host.rest.size());
  for (const ivec3& t : model.host.triangles) mesh->triangles.insert(mesh->triangles.end(), {t.x, t.y, t.z});
  for (const ivec2& e : model.host.edges) mesh->edges.insert(mesh->edges.end(), {e.x, e.y});
  return mesh;
}

void refuse_plugins_on_gpu(const Device& device, const Scene& scene) {
  const std::vector<UsedPlugin>& list = scene.of<PluginList>().list;
  if (!list.empty() && device.is_cuda())
    throw Error("plug-ins run on the CPU, and the device is a GPU", "plugin " + list[0].plugin->name(),
                "choose the device cpu, or leave the plug-in out");
}

HostTerms::HostTerms(const StepContext& c) {
  const std::vector<UsedPlugin>& list = c.scene.of<PluginList>().list;
  if (std::none_of(list.begin(), list.end(), [](const UsedPlugin& u) { return u.plugin->has_energy(); }))
    return;
  refuse_plugins_on_gpu(c.device, c.scene);
  const auto mesh = host_mesh(c.model);
  const int n = mesh->vertices();
  for (size_t i = 0; i < list.size(); ++i) {
    if (!list[i].plugin->has_energy()) continue;
    Energy e;
    e.number = int(i);
    e.energy = list[i].plugin->energy(mesh);
    check_elements(*e.energy, n, "plugin " + list[i].plugin->name());
    const std::vector<int>& vertex = e.energy->elements();
    const size_t points = size_t(e.energy->points()), count = vertex.size() / points;
    std::vector<int> start(size_t(n) + 1, 0), slot(vertex.size());
    for (const int v : vertex) ++start[v + 1];
    std::partial_sum(start.begin(), start.end(), start.begin());
    std::vector<int> next = start;
    for (size_t s = 0; s < vertex.size(); ++s) slot[next[vertex[s]]++] = int(s);
    e.hessian.resize(9 * points * points * count);
    e.coupled.resize(count);
    e.vertex = Buffer<int>(c.device, "plug-in elements", vertex);
    e.start = Buffer<int>(c.device, "plug-in elements", start);
    e.slot = Buffer<int>(c.device, "plug-in elements", slot);
    e.coupling =
        Buffer<float>(c.device, "plug-in Hessians", buffer_size(int64_t(e.hessian.size()), "plug-in"));
    energies_.push_back(std::move(e));
  }
  x_.resize(3 * size_t(n)), gradient_.resize(x_.size()), own_gradient_.resize(x_.size());
  host_d_.resize(size_t(n));
  force_ = Buffer<vec3>(c.device, "plug-in forces", n);
  weight_ = Buffer<Sym3>(c.device, "plug-in anchors", n);
}

/// x_ = x_n + d + length p. The device is the CPU: its memory is the host's.
void HostTerms::set_positions(const StepContext& c, Span<const vec3> d, Span<const vec3> p, float length) {
  const Span<const vec3> x = c.state.position;
  for (int v = 0; v < int(host_d_.size()); ++v)
    for (int k = 0; k < 3; ++k)
      x_[size_t(3 * v + k)] =
          double(x[v][k]) + double(d[v][k]) + (p.empty() ? 0.0 : double(length) * double(p[v][k]));
}

void HostTerms::evaluate(const StepContext& c, Span<const vec3> d, bool couplings) {
  set_positions(c, d, {}, 0);
  for (int v = 0; v < int(host_d_.size()); ++v) host_d_[size_t(v)] = d[v];
  std::fill(gradient_.begin(), gradient_.end(), 0.0);
  weight_.clear();
  energy_ = 0;
  for (Energy& e : energies_) evaluate_one(c, e, couplings);
  const Span<vec3> force = force_;
  for (int v = 0; v < force.size; ++v)
    force[v] = vec3(float(-gradient_[size_t(3 * v)]), float(-gradient_[size_t(3 * v + 1)]),
                    float(-gradient_[size_t(3 * v + 2)]));
}

void HostTerms::evaluate_one(const StepContext& c, Energy& e, bool couplings) {
  const UsedPlugin& used = used_plugin(c, e.number);
  e.used = used.on && used.strength > 0;
  if (!e.used) return;
  const double strength = double(used.strength);
  std::fill(own_gradient_.begin(), own_gradient_.end(), 0.0);
  const double energy = e.energy->evaluate(x_, used.numbers(), own_gradient_, e.hessian);
  if (!std::isfinite(energy)) throw plugin_fault(used, "its energy is not finite");
  energy_ += strength * energy;
  for (size_t i = 0; i < own_gradient_.size(); ++i) {
    if (!std::isfinite(own_gradient_[i]))
      throw plugin_fault(used, fmt::format("its gradient at vertex {} is not finite", i / 3));
    gradient_[i] += strength * own_gradient_[i];
  }
  const int n = 3 * e.energy->points();
  for (size_t i = 0; i < e.coupled.size(); ++i) {
    const std::span<double> h(&e.hessian[i * size_t(n * n)], size_t(n * n));
    const bool finite = e.energy->definite()
                            ? std::all_of(h.begin(), h.end(), [](double v) { return std::isfinite(v); })
                            : project_definite(h, n);
    if (!finite) throw plugin_fault(used, fmt::format("its Hessian of element {} is not finite", i));
    for (double& v : h) v *= strength;
    e.coupled[i] = char(rows_sum_to_zero(h.data(), e.energy->points()));
  }
  add_blocks(e, couplings);
}

/// Couplings of elements that have them; anchors of the others.
void HostTerms::add_blocks(Energy& e, bool couplings) {
  const int points = e.energy->points(), n = 3 * points;
  const Span<float> coupling = e.coupling;
  const Span<Sym3> weight = weight_;
  for (size_t i = 0; i < e.coupled.size(); ++i) {
    const double* h = &e.hessian[i * size_t(n * n)];
    const bool coupled = couplings && e.coupled[i];
    for (int k = 0; k < n * n; ++k) coupling[int(i) * n * n + k] = coupled ? float(h[k]) : 0.0f;
    for (int a = 0; a < points && !coupled; ++a) {
      const double* b = h + 3 * a * n + 3 * a;
      const float s = float(points);
      weight[e.energy->elements()[i * size_t(points) + size_t(a)]] +=
          s *
          Sym3{float(b[0]), float(b[1]), float(b[2]), float(b[n + 1]), float(b[n + 2]), float(b[2 * n + 2])};
    }
  }
}

std::vector<host::ElementsView> HostTerms::couplings() const {
  std::vector<host::ElementsView> views;
  for (size_t k = 0; k < energies_.size(); ++k)
    if (const Energy& e = energies_[k]; e.used && !e.coupled.empty())
      views.push_back({.energy = int(k),
                       .points = e.energy->points(),
                       .vertex = e.vertex,
                       .hessian = e.coupling,
                       .start = e.start,
                       .slot = e.slot});
  return views;
}

std::vector<RowJoins> HostTerms::joins(int vertices) const {
  std::vector<RowJoins> all;
  for (const Energy& energy : energies_) {
    RowJoins& own = all.emplace_back(size_t(vertices));
    const std::vector<int>& vertex = energy.energy->elements();
    const int points = energy.energy->points(), n = 3 * points;
    for (int i = 0; i < int(energy.coupled.size()); ++i)
      for (int a = 0; a < points; ++a)
        for (int b = 0; b < points; ++b)
          if (a != b)
            own[size_t(vertex[size_t(i * points + a)])].push_back(
                {vertex[size_t(i * points + b)], i * n * n + 3 * a * n + 3 * b});
  }
  return all;
}

void HostTerms::join(std::vector<int>& pieces) const {
  std::vector<int> whole(pieces.size());
  std::iota(whole.begin(), whole.end(), 0);
  const auto root = [&](int piece) {
    while (whole[size_t(piece)] != piece) piece = whole[size_t(piece)];
    return piece;
  };
  for (const Energy& e : energies_) {
    const std::vector<int>& all = e.energy->elements();
    const size_t points = size_t(e.energy->points());
    for (size_t i = 0; i < all.size(); ++i) {
      const int a = root(pieces[size_t(all[i - i % points])]), b = root(pieces[size_t(all[i])]);
      whole[size_t(std::max(a, b))] = std::min(a, b);
    }
  }
  for (int& piece : pieces) piece = root(piece);
}

double HostTerms::total(const StepContext& c) {
  double sum = 0;
  for (const Energy& e : energies_) {
    const UsedPlugin& used = used_plugin(c, e.number);
    if (e.used) sum += double(used.strength) * e.energy->evaluate(x_, used.numbers(), {}, {});
  }
  return sum;
}

float HostTerms::merit(const StepContext& c, Span<const vec3> p, float length) {
  set_positions(c, {host_d_.data(), int(host_d_.size())}, p, length);
  double slope = 0, anchored = 0;
  const Span<const Sym3> weight = weight_;
  for (int v = 0; v < int(host_d_.size()); ++v) {
    for (int k = 0; k < 3; ++k) slope += gradient_[size_t(3 * v + k)] * double(p[v][k]);
    anchored += double(glm::dot(p[v], weight[v] * p[v]));
  }
  const double l = double(length), beyond = total(c) - energy_ - l * slope - 0.5 * l * l * anchored;
  return std::isfinite(beyond) ? float(beyond) : std::numeric_limits<float>::infinity();
}

void HostTerms::add_anchors(StepContext& c) {
  evaluate(c, c.displacement, false);
  const Span<Sym3> weight = c.anchor_weight;
  const Span<vec3> force = c.anchor_force;
  const Span<const Sym3> own = weight_;
  for (int v = 0; v < weight.size; ++v) {
    weight[v] += own[v];
    force[v] += Span<const vec3>(force_)[v] + own[v] * host_d_[size_t(v)];
  }
}

}  // namespace weft
