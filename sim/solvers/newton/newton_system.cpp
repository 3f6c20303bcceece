#include "sim/solvers/newton/newton_system.h"

#include <algorithm>

#include "sim/linear/level_rows.h"
#include "sim/linear/stencil_kernels.h"
#include "sim/linear/transfer_kernels.h"
#include "sim/scene/model/part_surface.h"
#include "sim/solvers/newton/affine_block_kernels.h"
#include "sim/solvers/newton/cg_kernels.h"
#include "sim/solvers/spring_fabric.h"

namespace weft {

NewtonSystem::NewtonSystem(const StepContext& c)
    : device_(c.device), elements_(c.device, c.model.vertex_count(), false) {
  contact_.host = HostTerms(c);
  choose_structure(c);
  const int n = padded();
  for (Buffer<vec3>* b : {&position_, &d_, &target_, &force_, &residual_})
    *b = Buffer<vec3>(device_, "Newton vectors", n);
  for (Buffer<float>* b : {&anchor_weight_, &diagonal_, &preconditioner_})
    *b = Buffer<float>(device_, "Newton diagonals", 6 * n);
  free_row_ = Buffer<float>(device_, "Newton free rows", n);
  parameters_changed(c);
}

/// Hinges couple opposite vertices by whole blocks; elsewhere bending is a number per pair.
void NewtonSystem::choose_structure(const StepContext& c) {
  RowLayout layout = row_layout(c.scene);
  if (layout_ == layout) return;
  rows_ = Rows(device_, fine_rows(c), row_terms(c.scene.step).block_bending);
  rigid_.pieces = rows_.pieces();
  for (const ModelPart& part : c.model.host.parts) join_body(part);
  if (!host().empty()) host().join(rigid_.pieces), close_gaps();
  layout_ = std::move(layout);
  ++layouts_;
  block_ = Buffer<float>();
}

/// Rows of a rigid body, which few couplings join, are one piece.
void NewtonSystem::join_body(const ModelPart& part) {
  if (!(part.rigid_volume > 0)) return;
  const auto first = rigid_.pieces.begin() + part.first_vertex, last = first + part.vertex_count;
  const int whole = *std::min_element(first, last);
  std::fill(first, last, whole);
  close_gaps();
}

/// Numbers of pieces that are left, in their order and without gaps.
void NewtonSystem::close_gaps() {
  std::vector<int> number(size_t(*std::max_element(rigid_.pieces.begin(), rigid_.pieces.end())) + 1, 0);
  for (const int p : rigid_.pieces) number[p] = 1;
  int next = 0;
  for (int& n : number) n = n ? next++ : -1;
  for (int& p : rigid_.pieces) p = number[p];
}

void NewtonSystem::parameters_changed(const StepContext& c) {
  choose_structure(c);
  terms_ = row_terms(c.scene.step);
  std::vector<float> rigidity, lock;
  for (int v = 0; v < rows(); ++v) {
    const FabricParams& fabric = fabric_at(c.model.host, c.scene, v);
    rigidity.push_back(terms_.block_bending ? 0.0f : row_rigidity(c.scene.step, fabric));
    lock.push_back(lock_begin(c, v));
  }
  rows_.set_fabric(SpringModuli(c), rigidity, lock);
  std::vector<float> mass = c.model.host_mass;
  mass.resize(size_t(padded()), 0.0f);
  mass_ = Buffer<float>(device_, "Newton masses", mass);
  elements_.update(c);
  if (structure_ != elements_.structure()) block_ = Buffer<float>();
  if (elements_.any() && block_.empty()) find_sources();
}

void NewtonSystem::find_sources() {
  Buffer<float> block(device_, "Newton blocks", buffer_size(9 * int64_t(rows_.entries()), "Newton blocks"));
  PerEnergy<ElementBlocks> all;
  elements_.for_each([&]<class E>(const ElementSet<E>& set) {
    std::vector<std::pair<int, int>> found;
    for (int e = 0; e < set.count(); ++e) {
      const auto& v = set.points()[e];
      for (int a = 0; a < E::kPoints; ++a)
        for (int b = 0; b < E::kPoints; ++b)
          if (a != b) found.push_back({rows_.entry(v[a], v[b]), newton::block_source<E>(e, a, b)});
    }
    const int tangents = buffer_size(int64_t(E::kTangent) * padded_rows(set.count()), "element tangents");
    std::get<ElementBlocks<E>>(all) = {sources(found), Buffer<vec3>(device_, "element tangents", tangents)};
  });
  element_blocks_ = std::move(all);
  structure_ = elements_.structure();
  block_ = std::move(block);  // last: that it is there says that all is
}

NewtonSystem::Sources NewtonSystem::sources(const std::vector<std::pair<int, int>>& found) const {
  std::vector<int> start(size_t(rows_.entries()) + 1, 0), source(found.size());
  for (auto& [entry, s] : found) ++start[entry + 1];
  for (size_t o = 1; o < start.size(); ++o) start[o] += start[o - 1];
  std::vector<int> next = start;
  for (auto& [entry, s] : found) source[next[entry]++] = s;
  return {Buffer<int>(device_, "block sources", start), Buffer<int>(device_, "block sources", source)};
}

newton::SystemView NewtonSystem::view() {
  return {rows_.view(), block_, diagonal_, preconditioner_, free_row_};
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
  elements_.evaluate(c, c.displacement);
  launch(device_, "load", rows(),
         linear::LoadContext{c.kinematic, c.anchor_weight, c.anchor_force, elements_.force(), free_row_,
                             anchor_weight_, force_});
  add_stencils(c);
  if (!host().empty()) add_host_terms(c);
  if (blocks()) assemble_elements(c);
  const auto assemble = [&](auto k) {
    k = {view(), position_, d_, target_, mass_, anchor_weight_, force_, whole_diagonal(), residual_, inv_h2_};
    k.spring_forces = terms_.springs;
    k.bending_forces = terms_.bending;
    launch(device_, "rows", rows(), k);
  };
  if (blocks()) assemble(newton::AssembleRows<true>());
  else assemble(newton::AssembleRows<false>());
  launch(device_, "rigid bodies", rigid_.bodies.body.size,
         newton::FactorBodies{rigid_.bodies, view(), contact_.view, rigid_.factor, rigid_.scale});
}

void NewtonSystem::precondition_bodies(Span<vec3> r, Span<vec3> z, Span<float> inner) {
  launch(device_, "rigid bodies", rigid_.bodies.body.size,
         newton::PreconditionBodies{.view = rigid_.bodies,
                                    .factor = rigid_.factor,
                                    .scale = rigid_.scale,
                                    .r = r,
                                    .z = z,
                                    .inner = inner});
}

void NewtonSystem::assemble_elements(StepContext& c) {
  const Span<const vec3> x = c.state.position, d = c.displacement;
  newton::GatherBlocks gather;
  elements_.for_each([&]<class E>(const ElementSet<E>& set) {
    ElementBlocks<E>& blocks = std::get<ElementBlocks<E>>(element_blocks_);
    const Span<vec3> tangent = blocks.tangent;
    launch(device_, "element tangents", set.count(), elements::Tangents<E>{{set.view(), x, d}, tangent});
    static_cast<newton::BlockSources<E>&>(gather) = {blocks.sources.view(), blocks.tangent};
  });
  gather.block = block_;
  launch(device_, "blocks", rows_.entries(), gather);
}

void NewtonSystem::add_stencils(StepContext& c) {
  contact_.view = c.stencils.view();
  if (contact_.view.empty()) return;
  launch_counted(device_, "stencils", contact_.view.count, contact_.view.stencil.size,
                 stencils::Pull{contact_.view.stencil, c.displacement, false, contact_.pull});
  launch(device_, "stencils", rows(),
         stencils::AddForces{contact_.view, contact_.pull, force_, contact_.diagonal});
}

void NewtonSystem::add_host_terms(StepContext& c) {
  StageScope stage(device_.profiler(), "plug-ins");
  host().evaluate(c, c.displacement, true);
  launch(device_, "forces", rows(),
         host::AddForces{host().force(), c.displacement, host().weight(), force_, anchor_weight_});
  if (contact_.view.empty()) contact_.whole.clear();
  else
    device_.copy(contact_.whole.span().data, contact_.diagonal.span().data,
                 size_t(6 * padded()) * sizeof(float));
  for (const host::ElementsView& e : host().couplings())
    launch(device_, "diagonal", rows(), host::AddDiagonal{e, contact_.whole});
}

void NewtonSystem::prepare(StepContext& c) {
  rigid_.bodies = c.model.rigid.view();
  const int n = rigid_.bodies.body.size;
  if (rigid_.scale.size() != newton::kUnknowns * n) {
    rigid_.factor = Buffer<float>(device_, "rigid bodies", newton::kTriangle * n);
    rigid_.scale = Buffer<float>(device_, "rigid bodies", newton::kUnknowns * n);
  }
  const int capacity = c.stencils.capacity();
  const int diagonals = capacity > 0 ? 6 * padded() : 0, whole = host().empty() ? 0 : 6 * padded();
  if (capacity == contact_.pull.size() && diagonals == contact_.diagonal.size() &&
      whole == contact_.whole.size())
    return;
  contact_.pull = Buffer<vec3>(device_, "stencil pulls", capacity);
  contact_.diagonal = Buffer<float>(device_, "stencil diagonals", diagonals);
  contact_.whole = Buffer<float>(device_, "plug-in diagonals", whole);
}

void NewtonSystem::multiply(Span<const vec3> p, Span<vec3> q, Span<float> inner) {
  if (blocks()) launch(device_, "product", rows(), newton::Multiply<true>{view(), p, q, inner});
  else launch(device_, "product", rows(), newton::Multiply<false>{view(), p, q, inner});
  for (const host::ElementsView& e : host().couplings())
    launch(device_, "plug-ins", rows(), host::AddProduct{e, p, free_row_, q, inner});
  if (contact_.view.empty()) return;
  launch_counted(device_, "stencils", contact_.view.count, contact_.view.stencil.size,
                 stencils::Pull{contact_.view.stencil, p, true, contact_.pull});
  launch(device_, "stencils", rows(),
         stencils::AddProduct{contact_.view, contact_.pull, p, free_row_, q, inner});
}

}  // namespace weft
