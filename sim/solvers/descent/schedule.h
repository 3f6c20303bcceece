// The order of a descent step's iterations over the mesh levels, and the weights of Chebyshev acceleration.
//
// Acceleration has two storeys. Inside a turn, m iterations on a linear model of the energy (Wang and Yang
// 2016, eq. 9 to 12, with rho); between turns, each with a model and forces of its own, the same recursion
// over their results with rho_m = 1 / T_m(1 / rho). Because
// T_n(T_m(x)) = T_nm(x) both together are one Chebyshev iteration of n m steps wherever the model is the
// energy. Where the model is stiffer, in folds and in threads that may lock, momentum inside a turn never
// meets forces that the model does not have.
//
// On coarser meshes several turns can work on one linear correction, with momentum through all of them.
#pragma once
#include <vector>

#include "sim/linear/chebyshev.h"
#include "sim/solvers/descent/descent_params.h"

namespace weft {

/// From the full mesh to a level, iterations there, and back.
struct DescentTurn {
  int level = 0;      // 0: the full mesh
  bool alone = true;  // false: all levels between this and the full mesh are relaxed on the way back
  bool before_correction = false;  // on the full mesh, with weights of its own
  int iterations = 0;              // on `level`
  float omega = 1;  // on the full mesh, between this turn and the one before; 1: momentum begins anew
  // on a coarser mesh: iterations that turns before it have taken on the same correction
  int first = 0;
  bool goes_on = false;  // the next turn belongs to the same iteration of the step: contacts stay as they are
};

/// Weights of one level: those of `count` iterations with `rho`. On the full mesh those of a turn.
struct DescentWeights {
  float rho = 0;
  int count = 0;
};

struct DescentSchedule {
  std::vector<DescentTurn> turns;
  DescentWeights before_correction;
  std::vector<DescentWeights> level;
  // each turn ends with the translation of each piece that balances it: cloth that contact moves after every
  // turn follows, and with it its anchors, which would then hold eight ninths of what a turn does to momentum
  bool balanced = false;

  /// Calls of DescentSolver::iterate.
  int iterations() const;
  /// The first turn of iteration k.
  size_t first_turn(int k) const;
};

/// `cycles`: coarse corrections of DescentOrder::alternating. `inner`: iterations on the full mesh between
/// two linearisations there.
/// `whole_cycles`: a correction of DescentOrder::alternating is one iteration with the turn before it.
DescentSchedule descent_schedule(const DescentParams&, int levels, int cycles, int inner,
                                 bool whole_cycles = false);

}  // namespace weft
