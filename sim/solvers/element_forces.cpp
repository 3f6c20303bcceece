#include "sim/solvers/element_forces.h"

#include "sim/solvers/crease_kernels.h"
#include "sim/solvers/scene_elements.h"
#include "sim/solvers/spring_fabric.h"
#include "sim/solvers/stitch_kernels.h"

namespace weft {
namespace {

/// Couplings of bending in rows are no softer than hinges; the springs there are softer than triangles that
/// stretch. Solvers that ask for bounds have no stitches.
template <class E>
constexpr bool kRowsBound = !kOfTriangles<E>;

template <class E>
constexpr bool kOfCells = std::is_base_of_v<TetEnergy<E>, E>;

/// Whether a scene has elements of an energy.
template <class E>
bool wanted(const StepContext& c) {
  const Topology& t = c.model.host;
  if constexpr (std::is_same_v<E, Stitch>) return chosen<E>(c.scene.step) && !t.stitched.empty();
  else if constexpr (std::is_same_v<E, Spring> || std::is_same_v<E, StrandBend>) return !t.lines.empty();
  else if constexpr (kOfCells<E>) return chosen<E>(c.scene.step) && !t.cells.empty();
  else return chosen<E>(c.scene.step) && cloth_triangle_count(t) > 0;
}

/// Stiffness of each stitch, N/m.
std::vector<float> stitch_stiffness(const StepContext& c) {
  std::vector<float> out;
  for (const Stitch::Material<float>& m : element_materials<Stitch>(c.model.host, c.scene))
    out.push_back(m.stiffness);
  return out;
}

}  // namespace

ElementForces::ElementForces(Device& device, int vertices, bool bounds)
    : device_(device),
      bounds_(bounds),
      total_(device, "element forces", padded_rows(vertices)),
      bound_(device, "element bounds", bounds ? padded_rows(vertices) : 0) {}

bool ElementForces::any() const {
  bool found = false;
  for_each([&](const auto&) { found = true; });
  return found;
}

template <class E>
ElementForces::Entry<E> ElementForces::make(const StepContext& c) const {
  Entry<E> entry{
      ElementSet<E>(device_, element_list<E>(c.model.host, c.scene), c.model.vertex_count()), {}, {}};
  const int points = E::kPoints * padded_rows(entry.set.count());
  entry.force = Buffer<vec3>(device_, "element forces", points);
  if (bounds_ && !kRowsBound<E>) entry.bound = Buffer<float>(device_, "element bounds", points);
  return entry;
}

void ElementForces::update(const StepContext& c) {
  const StepParams& step = c.scene.step;
  // First what may find no memory: models stay as they were then.
  PerEnergy<Entry> made;
  for_each_energy([&]<class E>(int) {
    if (wanted<E>(c) && std::get<Entry<E>>(entries_).set.empty()) std::get<Entry<E>>(made) = make<E>(c);
  });
  if (meshless_bending(step)) {
    if (!neighborhoods_) neighborhoods_.emplace(device_, c.model.host);
    neighborhoods_->set_fabric(c.scene);
  }
  const std::vector<float> stiffness = bounds_ ? SpringModuli(c).edge_stiffness() : std::vector<float>();
  Buffer<float> stand_in =
      stiffness.empty() ? Buffer<float>() : Buffer<float>(device_, "element stand-ins", stiffness);
  stand_in_ = std::move(stand_in);
  if (!c.model.host.stitched.empty())
    stitch_stiffness_ = Buffer<float>(device_, "stitches", stitch_stiffness(c));
  meshless_ = meshless_bending(step);
  for_each_energy([&]<class E>(int) {
    Entry<E>& entry = std::get<Entry<E>>(entries_);
    const bool had = !entry.set.empty();
    if (!wanted<E>(c)) entry = {};
    else if (had) entry.set.set_material(element_materials<E>(c.model.host, c.scene));
    else entry = std::move(std::get<Entry<E>>(made));
    structure_ += had != !entry.set.empty();
  });
  fix_bounds(c);
}

/// Bounds that depend on rest shape and material alone.
void ElementForces::fix_bounds(const StepContext& c) {
  bound_moves_ = false;
  bool fixed = false;
  for_each_energy([&]<class E>(int) {
    Entry<E>& entry = std::get<Entry<E>>(entries_);
    if (entry.bound.empty()) return;
    if constexpr (E::kBoundMoves) {
      bound_moves_ = true;
    } else {
      fixed = true;
      launch(device_, "element bounds", entry.set.count(),
             elements::FixedBounds<E>{entry.set.view(), entry.bound});
    }
  });
  if (fixed && !bound_moves_) gather_bounds(c);
}

void ElementForces::gather_bounds(const StepContext& c) {
  elements::GatherBounds k;
  for_each_energy([&]<class E>(int number) {
    const Entry<E>& entry = std::get<Entry<E>>(entries_);
    if (!entry.bound.empty()) k.source[number] = {entry.set.incidence(), entry.bound};
  });
  k.edge_start = c.model.vertex_edges.start;
  k.edge_entry = c.model.vertex_edges.entry;
  k.edge_stiffness = stand_in_;
  k.bound = bound_;
  launch(device_, "element bounds", c.model.vertex_count(), k);
}

void ElementForces::take_rest_angles(const StepContext& c) {
  ElementSet<DihedralHinge>& hinges = std::get<Entry<DihedralHinge>>(entries_).set;
  const Span<const float> angle = c.state.rest_angle;
  if (hinges.empty() || angle.empty()) return;
  launch(device_, "elements", hinges.count(), creases::TakeRestAngles{angle, hinges.rest()});
}

void ElementForces::take_stitches(const StepContext& c) {
  ElementSet<Stitch>& stitches = std::get<Entry<Stitch>>(entries_).set;
  const Span<const float> hold = c.state.stitch_hold;
  if (stitches.empty() || hold.empty()) return;
  launch(device_, "elements", stitches.count(),
         stitching::TakeHold{hold, stitch_stiffness_, stitches.material()});
}

void ElementForces::evaluate(StepContext& c, Span<const vec3> d) {
  if (!active()) return;
  const Span<const vec3> x = c.state.position;
  take_rest_angles(c);
  take_stitches(c);
  for_each_energy([&]<class E>(int) {
    Entry<E>& entry = std::get<Entry<E>>(entries_);
    launch(device_, "elements", entry.set.count(),
           elements::Forces<E>{{entry.set.view(), x, d}, entry.force, entry.bound});
  });
  if (bound_moves_) gather_bounds(c);
  const bool others = any();
  if (others) gather();
  if (meshless_) neighborhoods_->add(x, d, others ? Span<const vec3>(total_) : Span<const vec3>(), total_);
}

void ElementForces::gather() {
  elements::GatherForces k;
  int vertices = 0;
  for_each_energy([&]<class E>(int number) {
    const Entry<E>& entry = std::get<Entry<E>>(entries_);
    if (entry.set.empty()) return;
    k.source[number] = {entry.set.incidence(), entry.force};
    vertices = entry.set.incidence().start.size - 1;
  });
  k.total = total_;
  launch(device_, "gather", vertices, k);
}

}  // namespace weft
