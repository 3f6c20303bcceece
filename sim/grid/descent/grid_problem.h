// The optimisation problem of one grid and its solvers (Wang 2021, section 4).
#pragma once
#include <memory>
#include <vector>

#include "sim/grid/descent/energy_kernel.h"
#include "sim/grid/descent/sheet.h"
#include "sim/grid/seams.h"

namespace weft::block_descent {

enum class Method {
  blocks,            // algorithm 1
  descent,           // gradient descent: algorithm 1 with one inner iteration
  conjugate,         // nonlinear conjugate gradients
  conjugate_blocks,  // the same, preconditioned by L inner iterations
};

/// Iterations. The defaults are the paper's, where it gives them.
struct SolveOptions {
  Method method = Method::blocks;
  int inner = 8;              // L
  float inner_rho = 0;        // inner Chebyshev acceleration; 0: none
  float outer_rho = 0.9995f;  // outer Chebyshev acceleration; 0: none
  float alpha = 0.4f;         // step size at the start, and at most
  int restart = 0;            // outer iterations after which momentum begins anew; 0: never
  int delay = 16;             // outer iterations without momentum after each start
  int conjugate_restart = 14;
  int judge_every = 16;   // outer iterations between two evaluations of F; 0: the step size stays
  bool lag_outer = true;  // eq. 9
  bool diagonal = false;  // P of diagonal entries alone, as in the paper, instead of 3x3 blocks
};

/// F over the positions of one grid. Members that are views belong to the caller and must outlive the
/// problem's use.
class GridProblem {
 public:
  GridProblem(Device& device, const grid::Grid& grid, const Sheet& sheet);

  /// Positions: the start of `solve`, and its result.
  grid::GridPositions& x() { return x_; }
  const grid::Grid& grid() const { return *grid_; }

  Terms terms;
  SolveOptions options;
  Sheet sheet;

  /// Vertices that do not move: one entry per slot, or none.
  void pin(const std::vector<unsigned char>& pinned);
  Span<unsigned char> pinned() { return pinned_; }
  /// Positions of Terms::anchor, relative to the origins of x. Cleared at first.
  grid::GridPositions& target();
  /// Rest shapes that were modified; call again whenever other blocks have lists.
  void set_rest(grid::RestLists* rest);
  /// Factors on the sheet's stiffness per slot (SheetRest); empty: 1.
  void set_factors(Span<const vec3> factor);
  /// Half planes (eq. 10), layers (eq. 16 and 17), contacts (eq. 11); empty: none.
  void set_planes(const PlaneView& planes) { arguments_.plane = planes; }
  void set_layers(const PlaneView& layers) { arguments_.layer = layers; }
  void set_contacts(Span<const Contact> contact, Span<const int> start) {
    arguments_.contacts = {contact, start};
  }
  /// Longest paths of a vertex in an outer iteration, m, per collision block (grid::collision_block); empty:
  /// any. What several iterations share has to be divided among them.
  void set_longest_paths(Span<const float> path) { arguments_.limits.path = path; }

  /// Anchors of a time step: W (N/m) and f (N) per slot, marks per block, and the positions x_n that they
  /// count from.
  void set_anchors(const Anchors& anchors) { arguments_.anchors = anchors; }

  /// Seams whose sides are pulled together after every outer iteration; nullptr: none.
  void set_seams(grid::Seams* seams, int sweeps = 4) { seams_ = {seams, sweeps}; }

  /// Momentum and the energy to come back to are forgotten: after anything but x has changed. Step size
  /// begins anew.
  void begin();
  /// F is evaluated afresh: after contacts or targets have changed a little on the way. Momentum goes on.
  void renew();
  /// Queues outer iterations, and a look at F at their end; no wait.
  void solve(int iterations);
  /// Queues: x becomes `other` (per slot, relative to the origins of x) if F is less there.
  void take_better(Span<const vec3> other);
  /// Memory for the next two, ahead of a sequence of launches that is recorded.
  void reserve_estimates();
  /// Queues the gradient of F, N, per slot.
  Span<const vec3> queue_gradient();
  /// Queues what F would fall by, to first order, in one outer iteration: g . (x - y) per slot, J.
  Span<const float> queue_gains();

  /// Device memory per slot, J; host sums of it. `energy` waits for the device.
  double energy();
  /// Gradient of F, N, per slot; 0 where vertices are pinned.
  std::vector<vec3> gradient();
  /// What the device decided: alpha now, and how often F had grown.
  float alpha() const { return control_.download()[kAlpha]; }
  int returns() const { return int(control_.download()[kReturns]); }
  /// Outer iterations with momentum (omega above 1) since `begin`.
  int accelerated() const { return int(control_.download()[kAccelerated]); }
  size_t bytes() const;

 private:
  struct Seaming {
    grid::Seams* seams = nullptr;
    int sweeps = 4;
  };
  /// Per slot: results of an outer iteration, the last good positions.
  struct Work {
    Buffer<vec3> next, saved, direction;
    Buffer<float> value;
  };
  /// Blocks by the kernel that takes them.
  struct BlockLists {
    Buffer<int> uniform, general;
  };
  struct Progress {
    bool first = true;  // nothing to compare F with
    int iteration = 0;  // outer iterations so far
  };
  void classify();
  void launch_steps(Finish finish, int inner);
  void measure();
  void judge();
  void project();
  StepArguments arguments();

  Device* device_;
  const grid::Grid* grid_;
  StepArguments arguments_;
  grid::GridPositions x_;
  std::unique_ptr<grid::GridPositions> target_;
  grid::RestLists* rest_ = nullptr;
  Seaming seams_;
  Work work_;
  Buffer<float> control_;
  Buffer<unsigned char> pinned_;
  BlockLists blocks_;
  Progress progress_;
};

}  // namespace weft::block_descent
