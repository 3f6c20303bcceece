// Energies of plug-ins in the energy of a step, evaluated on the host.
#pragma once
#include <memory>
#include <vector>

#include "sim/linear/joins.h"
#include "sim/methods/step_context.h"
#include "sim/plugin/host_plugin.h"
#include "sim/solvers/host_kernels.h"

namespace weft {

/// The mesh of a model as plug-ins get it.
std::shared_ptr<const HostMesh> host_mesh(const Model& model);
/// Throws Error where the scene has plug-ins and the device is not the CPU's.
void refuse_plugins_on_gpu(const Device& device, const Scene& scene);

/// All energies of the scene's plug-ins. Without any it costs nothing. E_p(x) enters a solver in one of two
/// forms:
///
///   couplings   forces -dE/dx, the projected Hessians of elements whose rows sum to 0, and anchors W for the
///               others
///   anchors     of all elements: W_a = points H_aa, which bounds H, since H <= points diag(H_11 ... H_nn)
///
/// The Hessian of an element does not change with translation where rows sum to 0 (of one vertex: never).
class HostTerms {
 public:
  HostTerms() = default;
  /// Throws Error for a plug-in that cannot be made for the model, and on a GPU.
  explicit HostTerms(const StepContext& context);
  bool empty() const { return energies_.empty(); }

  /// Forces, anchors and, with `couplings`, Hessians at x_n + d. Throws Error for a plug-in that fails, and
  /// for numbers that are not finite, which names plug-in and vertex or element.
  void evaluate(const StepContext&, Span<const vec3> d, bool couplings);
  /// Of the last evaluate: N, and N/m.
  Span<const vec3> force() const { return force_; }
  Span<const Sym3> weight() const { return weight_; }
  /// One view per energy in use, empty elements left out.
  std::vector<host::ElementsView> couplings() const;
  /// Of each energy the vertices that its elements join, by vertex (`vertices` of them), and where the block
  /// of their Hessian begins.
  std::vector<RowJoins> joins(int vertices) const;
  /// Gives vertices that an element joins one number: the smallest of theirs.
  void join(std::vector<int>& pieces) const;
  /// E(x + length p) - E(x) - length dE . p - length²/2 p . W p, J, x of the last evaluate; infinite where
  /// the energy is not finite.
  float merit(const StepContext&, Span<const vec3> p, float length);
  /// Adds forces and anchors at the context's displacement to its anchors; evaluates them without couplings.
  void add_anchors(StepContext&);

 private:
  struct Energy {
    int number = 0;  // into PluginList
    std::unique_ptr<HostEnergy> energy;
    std::vector<double> hessian;  // of all elements
    std::vector<char> coupled;    // per element: its rows sum to 0
    Buffer<int> vertex, start, slot;
    Buffer<float> coupling;  // Hessians of coupled elements, 0 of others
    bool used = false;       // in the last evaluate
  };
  void evaluate_one(const StepContext&, Energy&, bool couplings);
  void add_blocks(Energy&, bool couplings);
  void set_positions(const StepContext&, Span<const vec3> d, Span<const vec3> p, float length);
  /// J, at x_.
  double total(const StepContext&);

  std::vector<Energy> energies_;
  std::vector<double> x_, gradient_, own_gradient_;  // 3 per vertex
  std::vector<vec3> host_d_;
  double energy_ = 0;  // J, of the last evaluate
  Buffer<vec3> force_;
  Buffer<Sym3> weight_;
};

}  // namespace weft
