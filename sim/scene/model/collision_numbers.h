// Statistics of a collision method for a published state.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// What a method counts in a step, by one of the names that it lists (CollisionEntry::counters).
struct Counter {
  std::string name;
  double value = 0;
};

/// Numbers of the last step and of the state that it led to. Methods without self-collision leave them at 0.
struct CollisionNumbers {
  int self_pairs = 0;  // pairs of the cloth in contact; impact zones: impacts
  // of the method in the step: collision steps, forward steps, pieces of the path, rounds of impacts
  int collision_steps = 0;
  float residual = 0;  // largest fraction of its path that a vertex could not move
  float pin_lag = 0;   // m: largest distance between a pinned or scripted vertex and where it should be
  // m: largest distance of a body's point from its scripted place, because cloth is in the way
  float body_lag = 0;
  std::string body_lag_place;  // "'figure' at the left forearm"; empty where no body lags to be told
  // vertices of the cloth that a body passes through, since it leaves them no room
  int let_through = 0;
  // where, in words: "'figure' crosses itself near the left armpit, ..."; empty while it is 0
  std::string let_through_place;
  float let_through_depth = 0;  // m: the deepest of them below the surface of a body that passes
  std::vector<Counter> counters;

  /// 0 where the method does not count it.
  double counter(std::string_view name) const {
    for (const Counter& c : counters)
      if (c.name == name) return c.value;
    return 0;
  }
};

}  // namespace weft
