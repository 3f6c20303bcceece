// The linear system of a Newton step: structure built once, values and contact per step.
#pragma once
#include <optional>

#include "sim/solvers/element_forces.h"
#include "sim/solvers/host_terms.h"
#include "sim/solvers/newton/element_kernels.h"
#include "sim/solvers/scene_elements.h"

namespace weft {

/// Forces and projected Hessian of E(d) = |d - s|²_M / 2h² + elastic + bending + anchors + stencils
/// (assemble_kernels.h).
class NewtonSystem {
 public:
  explicit NewtonSystem(const StepContext& context);
  /// Call after model choices or fabric changed.
  void parameters_changed(const StepContext&);
  /// Allocates what stencils need; before the step.
  void prepare(StepContext&);
  void begin_step(StepContext&);
  /// Forces, Hessian and preconditioner at c.displacement, with the anchors and stencils as they are.
  void assemble(StepContext&);
  /// Makes motions of rigid bodies of z = P⁻¹ r in their rows, with r . z of each row in `inner`, and
  /// leaves of r what such motions feel.
  void precondition_bodies(Span<vec3> r, Span<vec3> z, Span<float> inner);
  /// Number of the connected piece of each row; a rigid body is one.
  const std::vector<int>& pieces() const { return rigid_.pieces; }
  /// q = H p, and p . H p per row. Padded; p is 0 in kinematic rows.
  void multiply(Span<const vec3> p, Span<vec3> q, Span<float> inner);

  /// Couplings of the full mesh, and how often they were laid out anew.
  const Rows& couplings() const { return rows_; }
  int layouts() const { return layouts_; }
  /// Of stencils alone, and with that of plug-ins' elements; interleaved 6, empty where there are none.
  Span<const float> stencil_diagonal() const {
    return contact_.view.empty() ? Span<const float>() : Span<const float>(contact_.diagonal);
  }
  Span<const float> whole_diagonal() const {
    return host().empty() ? stencil_diagonal() : Span<const float>(contact_.whole);
  }
  int rows() const { return rows_.rows(); }
  int padded() const { return rows_.padded(); }
  bool blocks() const { return !block_.empty(); }
  newton::SystemView view();
  /// -dE/dd, N; 0 in kinematic rows. Padded.
  Span<const vec3> residual() const { return residual_; }
  Span<const float> preconditioner() const { return preconditioner_; }
  const ElementForces& elements() const { return elements_; }
  /// Energies of plug-ins.
  HostTerms& host() { return contact_.host; }
  const HostTerms& host() const { return contact_.host; }
  // As of the last assemble, for the line search. Padded.
  Span<const vec3> position() const { return position_; }
  Span<const vec3> displacement() const { return d_; }
  Span<const float> mass() const { return mass_; }
  Span<const float> anchor_weight() const { return anchor_weight_; }
  StencilsView stencils() const { return contact_.view; }
  float inv_h2() const { return inv_h2_; }
  /// What the rows bring themselves, beside elements().
  const RowTerms& terms() const { return terms_; }

 private:
  struct Sources {
    Buffer<int> start, source;
    newton::SourcesView view() const { return {start, source}; }
  };
  void choose_structure(const StepContext&);
  void join_body(const ModelPart&);
  void close_gaps();
  /// An energy's elements in the system's blocks.
  template <class E>
  struct ElementBlocks {
    Sources sources;
    Buffer<vec3> tangent;
  };
  void find_sources();
  Sources sources(const std::vector<std::pair<int, int>>& entry_and_source) const;
  void assemble_elements(StepContext&);
  void add_stencils(StepContext&);
  void add_host_terms(StepContext&);

  Device& device_;
  Rows rows_;
  int layouts_ = 0;
  std::optional<RowLayout> layout_;  // of rows_
  ElementForces elements_;
  int structure_ = 0;  // of elements_, that the blocks were laid out for
  RowTerms terms_;
  float inv_h2_ = 0;
  Buffer<vec3> position_, d_, target_, force_, residual_;
  Buffer<float> mass_, free_row_, anchor_weight_, diagonal_, preconditioner_;
  // Block form only.
  PerEnergy<ElementBlocks> element_blocks_;
  Buffer<float> block_;
  struct {
    std::vector<int> pieces;  // of each row; a rigid body is one
    AffineView bodies;
    Buffer<float> factor, scale;  // of FactorBodies
  } rigid_;
  // What products take without a matrix: stencils, and the elements of plug-ins, which are in `whole` too.
  struct {
    HostTerms host;
    StencilsView view;
    Buffer<vec3> pull;
    Buffer<float> diagonal, whole;
  } contact_;
};

}  // namespace weft
