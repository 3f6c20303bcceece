#pragma once
#include "sim/base/params.h"
#include "sim/collision/ndb/barrier.h"

namespace weft {

/// Weight of a contact: by how long it has lasted (Lan 2024, eq. 7), or by its distance (Lan 2022).
enum class NdbBarrier { non_distance, distance };
/// How cloth comes from the crossing-free state to the solver's result.
enum class NdbExit { planes, toi };
enum class NdbAdvance { each_round, exit };
/// What ends where changes become small.
enum class NdbEnds { weights, iterations };

/// Non-distance barriers: the iterations of one step (Lan 2024, algorithm 1).
struct NdbParams {
  bool operator==(const NdbParams&) const = default;
  int budget = 50;
  int warm_start = 4;
  int inner = 10;
  int rounds = 5;
  float inner_change = 1e-4f;
  float round_change = 1e-4f;
  int ends = int(NdbEnds::weights);
  float weight = 1;  // w0
  float base = 2;    // K
  float weight_cap = 0.25f;
  bool keep_weights = false;
  int barrier = int(NdbBarrier::non_distance);
  int samples = int(ndb::SampleRule::plane);
  float gap = 1e-3f;    // d^, m
  float filter = 0.9f;  // eta
  int exit = int(NdbExit::planes);
  int advance = int(NdbAdvance::each_round);
  float residual_forwarding = 0.5f;
  float self_friction = 0.3f;
  float slip_speed = 1e-3f;  // epsilon_v, m/s
  int step_limit = 512;
  float threshold = 1e-4f;

  void describe(ParamVisitor& v);

 private:
  void iterations(ParamVisitor& v);
  void weights(ParamVisitor& v);
  void path(ParamVisitor& v);
};

}  // namespace weft
