#include "sim/solvers/descent/schedule.h"

#include <algorithm>

namespace weft {
namespace {

// Momentum that outlives many linearisations on the full mesh, with its contacts, is momentum of something
// else.
constexpr int kFineRestart = 24;  // iterations
constexpr int kCoarseInner = 6;   // I_dyn of Wu 2020 on the coarsest mesh

float chosen_rho(const DescentParams& p, int iterations) {
  return p.chebyshev_rho > 0 ? p.chebyshev_rho : resolving_rho(iterations);
}

/// Turns of `inner` iterations on the full mesh (the last takes what is left), with momentum over at most
/// kFineRestart of them.
void add_fine_turns(DescentSchedule& s, const DescentParams& p, int iterations, int inner) {
  s.level[0] = {chosen_rho(p, std::clamp(iterations, 1, kFineRestart)), inner};
  const std::vector<float> omega =
      chebyshev_weights(chebyshev_reduction(s.level[0].rho, inner), std::max(1, kFineRestart / inner));
  for (int i = 0; i * inner < iterations; ++i)
    s.turns.push_back(
        {0, true, false, std::min(inner, iterations - i * inner), omega[size_t(i) % omega.size()]});
}

/// Turns on the full mesh and corrections from the coarser ones alternate until the corrections are used up.
/// The turn before a correction takes out local errors, contacts above all, which coarse meshes cannot see
/// and which would decide the length of the correction.
void alternating(DescentSchedule& s, const DescentParams& p, int levels, int cycles, int inner,
                 bool whole_cycles) {
  s.before_correction = {chosen_rho(p, inner), inner};
  for (int level = 1; level < levels; ++level) {
    const int total = (level + 1 == levels ? p.coarse_iterations : p.middle_iterations) / std::max(1, cycles);
    s.level[level] = {chosen_rho(p, std::max(1, total)), total};
  }
  // No correction without a turn before it, even where the iterations are used up.
  for (int i = 0; i < cycles; ++i) {
    s.turns.push_back({0, true, true, p.fine_iterations > 0 ? inner : 0, 1, 0, whole_cycles});
    s.turns.push_back({levels - 1, false, false, s.level[levels - 1].count, 1});
  }
  add_fine_turns(s, p, std::max(0, p.fine_iterations - cycles * inner), inner);
}

/// Wu 2020, section 5.1 and 8.2: all steps on the coarsest mesh, then all on the middle one, then those on
/// the full mesh, each a turn of its own so that collision steps come between them.
void coarse_to_fine(DescentSchedule& s, const DescentParams& p, int levels) {
  s.balanced = true;
  for (int level = levels - 1; level >= 1; --level) {
    const bool coarsest = level + 1 == levels;
    const int total = coarsest ? p.coarse_iterations : p.middle_iterations,
              inner = coarsest ? kCoarseInner : 1;
    s.level[level] = {chosen_rho(p, std::max(1, total)), total};
    for (int first = 0; first < total; first += inner)
      s.turns.push_back({level, true, false, std::min(inner, total - first), 1, first});
  }
  add_fine_turns(s, p, p.fine_iterations, 1);
}

}  // namespace

int DescentSchedule::iterations() const {
  int count = 0;
  for (const DescentTurn& turn : turns) count += !turn.goes_on;
  return count;
}

size_t DescentSchedule::first_turn(int k) const {
  size_t at = 0;
  for (; k > 0; ++at) k -= !turns[at].goes_on;
  return at;
}

DescentSchedule descent_schedule(const DescentParams& p, int levels, int cycles, int inner,
                                 bool whole_cycles) {
  DescentSchedule s;
  s.level.resize(size_t(levels));
  if (p.schedule == int(DescentOrder::wu2020)) coarse_to_fine(s, p, levels);
  else alternating(s, p, levels, cycles, inner, whole_cycles);
  return s;
}

}  // namespace weft
