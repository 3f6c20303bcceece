#include "sim/solvers/newton/newton_system.h"

#include <algorithm>

#include "sim/linear/level_rows.h"
#include "sim/linear/stencil_kernels.h"
#include "sim/linear/transfer_kernels.h"
#include "sim/solvers/newton/cg_kernels.h"
#include "sim/solvers/spring_fabric.h"

namespace weft {

NewtonSystem::NewtonSystem(const StepContext& c) : device_(c.device), elements_(c.device, c.model) {
  choose_structure(c);
  const int n = padded();
  for (Buffer<vec3>* b : {&position_, &d_, &target_, &force_, &residual_}) *b = Buffer<vec3>(device_, "Newton vectors", n);
  for (Buffer<float>* b : {&anchor_weight_, &diagonal_, &preconditioner_}) *b = Buffer<float>(device_, "Newton diagonals", 6 * n);
  free_row_ = Buffer<float>(device_, "Newton free rows", n);
  parameters_changed(c);
}

/// Dihedral hinges couple opposite vertices by whole blocks; elsewhere bending is a number per pair.
void NewtonSystem::choose_structure(const StepContext& c) {
  const BendingModel bending = BendingModel(c.scene.step.bending_model);
  const std::vector<float> poisson = bending == BendingModel::quadratic ? bending_poisson_ratios(c.scene) : std::vector<float>();
  if (structure_ == bending && poisson_ == poisson) return;
  rows_ = Rows(device_, fine_rows(c), bending == BendingModel::dihedral);
  structure_ = bending;
  poisson_ = poisson;
  ++layouts_;
  block_ = Buffer<float>();
}

void NewtonSystem::parameters_changed(const StepContext& c) {
  choose_structure(c);
  elastic_ = ElasticModel(c.scene.step.elastic_model);
  bending_ = BendingModel(c.scene.step.bending_model);
  std::vector<float> rigidity, lock;
  for (int v = 0; v < rows(); ++v) {
    // The blocks of dihedral hinges hold their bending.
    rigidity.push_back(bending_ == BendingModel::dihedral ? 0.0f : c.scene.cloths[size_t(c.model.host.vertex_cloth[size_t(v)])].fabric.bending_rigidity);
    lock.push_back(lock_begin(c, v));
  }
  rows_.set_fabric(SpringModuli(c), rigidity, lock);
  std::vector<float> mass = c.model.host_mass;
  mass.resize(size_t(padded()), 0.0f);
  mass_ = Buffer<float>(device_, "Newton masses", mass);
  elements_.update(c);
  const bool needs_blocks = elastic_ != ElasticModel::springs || bending_ == BendingModel::dihedral;
  if (needs_blocks && block_.empty()) find_sources(c.model.host);
  if (!needs_blocks) block_ = Buffer<float>();
}

void NewtonSystem::find_sources(const Topology& t) {
  Buffer<float> block(device_, "Newton blocks", buffer_size(9 * int64_t(rows_.entries()), "Newton blocks"));
  triangle_block_ = Buffer<mat3>(device_, "triangle blocks", 3 * int(t.triangles.size()));
  std::vector<std::pair<int, int>> found;
  for (int i = 0; i < int(t.triangles.size()); ++i)
    for (int pair = 0; pair < 3; ++pair) {
      const int v = t.triangles[size_t(i)][pair], w = t.triangles[size_t(i)][(pair + 1) % 3];
      found.push_back({rows_.entry(v, w), newton::triangle_source(i, pair, false)});
      found.push_back({rows_.entry(w, v), newton::triangle_source(i, pair, true)});
    }
  triangle_sources_ = sources(found);
  if (structure_ == BendingModel::dihedral) find_hinge_sources(t);
  block_ = std::move(block);  // last: that it is there says that all is
}

void NewtonSystem::find_hinge_sources(const Topology& t) {
  hinge_slope_ = Buffer<vec3>(device_, "hinge slopes", 4 * int(t.hinges.size()));
  std::vector<std::pair<int, int>> found;
  for (int h = 0; h < int(t.hinges.size()); ++h)
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b)
        if (a != b) found.push_back({rows_.entry(t.hinges[size_t(h)][a], t.hinges[size_t(h)][b]), newton::hinge_source(h, a, b)});
  hinge_sources_ = sources(found);
}

NewtonSystem::Sources NewtonSystem::sources(const std::vector<std::pair<int, int>>& found) const {
  std::vector<int> start(size_t(rows_.entries()) + 1, 0), source(found.size());
  for (auto& [entry, s] : found) ++start[size_t(entry) + 1];
  for (size_t o = 1; o < start.size(); ++o) start[o] += start[o - 1];
  std::vector<int> next = start;
  for (auto& [entry, s] : found) source[size_t(next[size_t(entry)]++)] = s;
  return {Buffer<int>(device_, "block sources", start), Buffer<int>(device_, "block sources", source)};
}

newton::SystemView NewtonSystem::view() {
  return {rows_.view(), block_.span(), diagonal_.span(), preconditioner_.span(), free_row_.span()};
}

void NewtonSystem::begin_step(StepContext& c) {
  inv_h2_ = 1.0f / (c.dt * c.dt);
  device_.copy(position_.span().data, c.state.position.span().data, size_t(rows()) * sizeof(vec3));
}

void NewtonSystem::assemble(StepContext& c) {
  StageScope stage(device_.profiler(), "assemble");
  const size_t bytes = size_t(rows()) * sizeof(vec3);
  device_.copy(d_.span().data, c.displacement.span().data, bytes);
  device_.copy(target_.span().data, c.inertia.span().data, bytes);
  elements_.evaluate(c, c.displacement.span());
  launch(device_, "load", rows(),
         linear::LoadContext{c.kinematic.span(), c.anchor_weight.span(), c.anchor_force.span(), elements_.force(), free_row_.span(),
                              anchor_weight_.span(), force_.span()});
  add_stencils(c);
  if (blocks()) assemble_elements(c);
  const auto assemble = [&](auto k) {
    k = {view(), position_.span(), d_.span(), target_.span(), mass_.span(), anchor_weight_.span(), force_.span(),
         stencil_diagonal(), residual_.span(), inv_h2_};
    k.spring_forces = spring_forces();
    k.bending_forces = bending_forces();
    launch(device_, "rows", rows(), k);
  };
  if (blocks()) assemble(newton::AssembleRows<true>());
  else assemble(newton::AssembleRows<false>());
}

void NewtonSystem::assemble_elements(StepContext& c) {
  const Model& m = c.model;
  const Span<const vec3> x = c.state.position.span(), d = c.displacement.span();
  if (elastic_ == ElasticModel::finite_elements)
    launch(device_, "triangle blocks", m.triangle_count(),
           newton::CorotatedBlocks{m.triangles.span(), m.triangle_inverse.span(), m.triangle_material.span(), x, d, triangle_block_.span()});
  if (elastic_ == ElasticModel::stvk)
    launch(device_, "triangle blocks", m.triangle_count(),
           newton::WovenBlocks{m.triangles.span(), m.triangle_inverse.span(), m.triangle_material.span(), m.triangle_orthotropic.span(), x, d,
                               triangle_block_.span()});
  const bool dihedral = bending_ == BendingModel::dihedral;
  if (dihedral) launch(device_, "hinge slopes", m.hinge_count(), newton::HingeSlopes{m.hinges.span(), m.hinge_rest.span(), x, d, hinge_slope_.span()});
  launch(device_, "blocks", rows_.entries(),
         newton::GatherBlocks{spring_forces() ? newton::SourcesView() : triangle_sources_.view(), dihedral ? hinge_sources_.view() : newton::SourcesView(),
                              triangle_block_.span(), hinge_slope_.span(), block_.span()});
}

void NewtonSystem::add_stencils(StepContext& c) {
  stencils_ = c.stencils.view();
  if (stencils_.empty()) return;
  launch_counted(device_, "stencils", stencils_.count, stencils_.stencil.size,
                 stencils::Pull{stencils_.stencil, c.displacement.span(), false, stencil_pull_.span()});
  launch(device_, "stencils", rows(), stencils::AddForces{stencils_, stencil_pull_.span(), force_.span(), stencil_diagonal_.span()});
}

void NewtonSystem::prepare(StepContext& c) {
  const int capacity = c.stencils.capacity();
  if (capacity == stencil_pull_.size()) return;
  stencil_pull_ = Buffer<vec3>(device_, "stencil pulls", capacity);
  stencil_diagonal_ = Buffer<float>(device_, "stencil diagonals", capacity > 0 ? 6 * padded() : 0);
}

void NewtonSystem::multiply(Span<const vec3> p, Span<vec3> q, Span<float> inner) {
  if (blocks()) launch(device_, "product", rows(), newton::Multiply<true>{view(), p, q, inner});
  else launch(device_, "product", rows(), newton::Multiply<false>{view(), p, q, inner});
  if (stencils_.empty()) return;
  launch_counted(device_, "stencils", stencils_.count, stencils_.stencil.size, stencils::Pull{stencils_.stencil, p, true, stencil_pull_.span()});
  launch(device_, "stencils", rows(), stencils::AddProduct{stencils_, stencil_pull_.span(), p, free_row_.span(), q, inner});
}

}  // namespace weft
