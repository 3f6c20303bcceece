#include "sim/run/diagnostics.h"

#include <algorithm>
#include <cmath>

#include "sim/device/primitives.h"
#include "sim/mesh/topology.h"
#include "sim/mesh/vertex_normals.h"
#include "sim/methods/method_table.h"
#include "sim/run/display_kernels.h"
#include "sim/run/layer_order.h"
#include "sim/run/silhouette.h"
#include "sim/run/simulation_impl.h"
#include "sim/scene/fabric_maps.h"
#include "sim/solvers/scene_elements.h"

namespace weft {

namespace {

/// All counters of the method in its order: 0 where no step led to the state.
std::vector<Counter> counted(const CollisionNumbers& numbers, const CollisionEntry& method) {
  std::vector<Counter> all;
  for (const CounterInfo& i : method.counters) all.push_back({i.name, numbers.counter(i.name)});
  return all;
}

}  // namespace

Diagnostics::Diagnostics(Device& device, const Model& model)
    : device_(device),
      model_(model),
      normal_(device, "normals", model.vertex_count()),
      edge_stretch_(device, "edge stretch", model.edge_count()),
      scalar_(device, "scalar", model.vertex_count()),
      energy_(device, "kinetic energy", model.vertex_count()),
      height_(device, "heights", model.vertex_count()),
      minus_height_(device, "heights", model.vertex_count()),
      depth_(device, "depths", model.vertex_count()),
      results_(device, "statistics", 16),
      cells_{Buffer<ivec4>(device, "cells", model.host.cells),
             Buffer<float>(device, "cells inside out", int(model.host.cells.size()))} {}

Span<const vec3> Diagnostics::normals(const State& state) {
  launch(device_, "normals", model_.vertex_count(),
         VertexNormals{state.position.span(), model_.triangles.span(), model_.vertex_triangles.start.span(),
                       model_.vertex_triangles.entry.span(), normal_.span()});
  return normal_.span();
}

void Diagnostics::edge_stretch(const State& state) {
  launch(device_, "edge stretch", model_.edge_count(),
         display::EdgeStretch{state.position.span(), model_.edges.span(), model_.edge_rest.span(),
                              edge_stretch_.span()});
}

void Diagnostics::weave_stretch(const StepContext& c, bool weft) {
  if (weave_.rest.empty()) {
    std::vector<TriangleRest<float>> rest = element_list<StvkTriangle>(model_.host, c.scene).rest;
    rest.resize(size_t(model_.triangle_count()), {.area = 1});  // skins of solids have no weave
    weave_.rest = Buffer<TriangleRest<float>>(device_, "rest shapes", rest);
    weave_.stretch = Buffer<float>(device_, "stretch of triangles", std::vector<float>(rest.size(), 1.0f));
  }
  launch(device_, "weave stretch", cloth_triangle_count(model_.host),
         display::WeaveStretch{c.state.position.span(), model_.triangles.span(), weave_.rest.span(), weft,
                               weave_.stretch.span()});
  launch(device_, "weave stretch", model_.vertex_count(),
         display::VertexMean{weave_.stretch.span(), weave_.rest.span(), model_.vertex_triangles.start.span(),
                             model_.vertex_triangles.entry.span(), scalar_.span()});
}

void Diagnostics::body_pressure(StepContext& c) {
  launch(device_, "pressure", model_.vertex_count(),
         display::BodyPressure{c.stencils.view(), c.anchor_weight.span(), c.anchor_force.span(),
                               c.displacement.span(), normals(c.state), model_.contact.area.span(),
                               c.kinematic.span(), scalar_.span()});
}

Span<const float> Diagnostics::field(const std::string& name, StepContext& c, CollisionHandler& collision) {
  const int n = model_.vertex_count();
  const State& state = c.state;
  const VertexField& field = vertex_fields()[vertex_field(name)];
  if (name == "none") return {};
  if (name == "stretch") {
    edge_stretch(state);
    launch(device_, "stretch", n,
           display::VertexStretch{edge_stretch_.span(), model_.vertex_edges.start.span(),
                                  model_.vertex_edges.entry.span(), scalar_.span()});
  } else if (name == "speed") {
    launch(device_, "speed", n, display::VertexSpeed{state.velocity.span(), scalar_.span()});
  } else if (name == "warp" || name == "weft") {
    weave_stretch(c, name == "weft");
  } else if (name.starts_with(kMapField)) {
    const std::vector<float> painted =
        painted_factors(model_.host, painted_parameter(name.substr(kMapField.size()), name));
    if (painted.empty()) return {};
    scalar_.upload(painted);
  } else if (name == "pressure" && state.revision == stepped_) {
    body_pressure(c);
  } else {
    const Span<const float> values = collision.field(c, name);
    if (values.empty() && !field.missing.empty()) return {};
    if (!values.empty() && (!field.of_step || state.revision == stepped_)) return values;
    scalar_.clear();
  }
  return scalar_.span();
}

Span<const float> Diagnostics::ease(const StepContext& c, const std::vector<TriMesh>& meshes,
                                    const std::vector<ObstacleView>& bodies) {
  if (!ease_) ease_ = std::make_unique<Ease>(device_, c.scene, meshes);
  return ease_->measure(c.state.position.span(), bodies);
}

StepStats Diagnostics::stats(StepContext& c, CollisionHandler& collision) {
  const int n = model_.vertex_count();
  const State& state = c.state;
  auto at = [&](int slot) { return Span<float>(results_.span().data + slot, 1); };
  edge_stretch(state);
  const int cloth_edges = cloth_edge_count(model_.host);
  const Span<const float> of_cloth(edge_stretch_.span().data, cloth_edges);
  reduce_max(device_, of_cloth, at(0));
  reduce_sum(device_, of_cloth, at(1));
  launch(device_, "speed", n, display::VertexSpeed{state.velocity.span(), scalar_.span()});
  reduce_max(device_, scalar_.span(), at(2));
  launch(device_, "numbers", n,
         display::VertexNumbers{state.position.span(), state.velocity.span(), model_.mass.span(),
                                c.bodies.view(), energy_.span(), height_.span(), minus_height_.span(),
                                depth_.span()});
  reduce_sum(device_, energy_.span(), at(3));
  reduce_max(device_, depth_.span(), at(4));
  reduce_max(device_, height_.span(), at(5));
  reduce_max(device_, minus_height_.span(), at(6));
  reduce_sum(device_, height_.span(), at(7));
  if (const Span<const float> depth = collision.field(c, "contact"); !depth.empty()) {
    launch(device_, "contacts", n, display::IsContact{depth, scalar_.span()});
    reduce_sum(device_, scalar_.span(), at(8));
  }
  if (!cells_.points.empty()) {
    launch(device_, "cells", cells_.points.size(),
           display::CellTurned{cells_.points, state.position, cells_.turned});
    reduce_sum(device_, cells_.turned, at(11));
  }
  device_.copy(at(9).data, c.solver_residual.span().data, 2 * sizeof(float));
  const std::vector<float> r = results_.download();
  StepStats s;
  static_cast<CollisionNumbers&>(s) = collision.numbers(c);
  s.counters = counted(s, collision_methods()[c.scene.step.collision]);
  s.time = state.time;
  s.max_stretch = cloth_edges ? r[0] : 1;
  s.mean_stretch = cloth_edges ? r[1] / float(cloth_edges) : 1;
  s.inverted_cells = int(r[11] + 0.5f);
  s.max_speed = r[2];
  s.kinetic_energy = r[3];
  s.max_penetration = std::max({0.0f, r[4], s.let_through_depth});
  s.max_height = r[5];
  s.min_height = -r[6];
  s.mean_height = r[7] / float(n);
  s.contacts = int(r[8] + 0.5f);
  s.solver_residual = r[9];
  s.turns_without_momentum = int(r[10] + 0.5f);
  const auto& ends = c.scene.end;
  const auto named = [&](const char* quantity) {
    return std::any_of(ends.begin(), ends.end(),
                       [&](const EndCondition& e) { return e.quantity == quantity; });
  };
  if (named("layers_out_of_order")) {
    if (layers_.empty()) layers_ = layers_of_triangles(model_.host.triangles, model_.host.parts, c.scene);
    s.layers_out_of_order =
        float(layers_out_of_order(state.position.download(), model_.host.triangles, layers_));
  }
  if (named("drape_coefficient"))
    s.drape_coefficient = float(drape_coefficient(model_.host.rest, state.position.download(),
                                                  model_.host.triangles, c.kinematic.download()));
  return s;
}

Span<const vec3> Simulation::device_normals() {
  Span<const vec3> out;
  impl_->device.run([&] { out = impl_->measure.normals(impl_->state); });
  return out;
}

Span<const float> Simulation::device_field(const std::string& name) {
  Span<const float> out;
  Impl& m = *impl_;
  m.device.run([&] {
    out = name == kEaseField ? m.measure.ease(m.context, m.bodies.meshes(), obstacles())
                             : m.measure.field(name, m.context, *m.collision);
  });
  return out;
}

std::vector<ContactPair> Simulation::contact_pairs(int most) {
  std::vector<ContactPair> pairs;
  impl_->device.run([&] { pairs = impl_->collision->contact_pairs(impl_->context, most); });
  return pairs;
}

std::vector<ActiveSample> Simulation::active_samples(int most) {
  std::vector<ActiveSample> samples;
  impl_->device.run([&] { samples = impl_->collision->active_samples(impl_->context, most); });
  return samples;
}

std::vector<std::string> Simulation::collision_remarks(const StepStats& stats) const {
  return impl_->collision->remarks(stats);
}

StepStats Simulation::stats() {
  StepStats s;
  Impl& m = *impl_;
  m.device.run([&] { s = m.measure.stats(m.context, *m.collision); });
  s.budget_iterations = m.attempt.budget().ended_after();
  s.step_ms = float(m.device.profiler().wall_ms());
  return s;
}

}  // namespace weft
