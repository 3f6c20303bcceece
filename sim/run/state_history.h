// The last states of a run, within a budget of memory: all of the newer ones, fewer of the older ones.
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "sim/scene/model/state.h"

namespace weft {

/// A state that was kept, with what is needed to go on from it.
struct KeptState {
  Snapshot state;                 // its parts are packed
  int solver = 0, collision = 0;  // the methods whose data it has: into solvers(), collision_methods()
  size_t commands = 0;            // of the run before it
  size_t bytes = 0;
  /// As it was, to the last bit.
  Snapshot snapshot() const;
};

/// Bytes without their runs of zeros, which much of a state has where nothing touches, and back.
std::vector<unsigned char> pack_zeros(const std::vector<unsigned char>& bytes);
std::vector<unsigned char> unpack_zeros(const std::vector<unsigned char>& packed);

/// The most bytes that a state of a model takes, with `carried` bytes per vertex, other than zero, beside
/// positions and velocities.
size_t kept_state_bytes(size_t vertices, size_t carried);

/// Keeps states in the order of their steps. Once the budget is used up, the newer half of it has every step;
/// of the steps before, those whose number divides by 2 stay, then by 4, 8 ..., so that they reach back to
/// the start. Which steps stay depends on nothing but their sizes and the budget, which is 0 at first. Not
/// thread-safe.
class StateHistory {
 public:
  /// States at most, whatever memory they leave: small ones by the hundred thousand would cost each step.
  static constexpr size_t kMostStates = 20000;
  static constexpr const char* kNoBudget = "Its budget of memory is 0: nothing is kept.";

  /// Keeps the present state, in the place of a newest one of the same step. Never throws for want of memory:
  /// the history is then shorter, which `why` says.
  void keep(const State& state, int solver, int collision, size_t commands);
  /// Drops what is beyond the new budget; 0: nothing is kept.
  void set_budget(size_t bytes);
  size_t budget() const { return budget_; }
  /// Memory of the kept states.
  size_t bytes() const { return bytes_; }
  /// Oldest first.
  const std::vector<std::unique_ptr<KeptState>>& states() const { return states_; }
  /// Index of the newest state of at most this step; -1: there is none.
  int at_or_before(int step) const;
  /// Drops all states after this one.
  void cut_after(int index);
  /// Drops all, and gives their memory back.
  void clear();
  /// Why there are none, or fewer than the budget has room for; empty if neither.
  const std::string& why() const { return why_; }

 private:
  void fit();
  void drop(size_t index);
  /// The state that is missed least: the oldest of those that divide by the lowest power of two, in the older
  /// half.
  size_t least_missed() const;
  size_t budget_ = 0, bytes_ = 0;
  std::vector<std::unique_ptr<KeptState>> states_;
  std::string why_ = kNoBudget;
};

}  // namespace weft
