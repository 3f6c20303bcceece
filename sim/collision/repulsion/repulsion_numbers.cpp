#include "sim/collision/repulsion/repulsion_numbers.h"

#include <algorithm>
#include <cmath>

#include "sim/collision/repulsion/numbers_kernels.h"
#include "sim/device/launch.h"
#include "sim/device/primitives.h"

namespace weft {
namespace {

constexpr float kNoticed = 0.99f;  // fraction of the bound: closer pairs are not due to rounding

}  // namespace

RepulsionNumbers::RepulsionNumbers(Device& device, int vertices)
    : device_(device),
      vertices_(vertices),
      pair_count_(device, "contact pairs", vertices),
      start_(device, "contact pairs", vertices + 1),
      flags_(device, "collision numbers", vertices),
      results_(device, "collision numbers", 4) {}

int RepulsionNumbers::count_pairs(Span<const vec3> position, CollisionSteps& steps, NeighborLists& lists) {
  int total = 0;
  do {  // repeated with longer lists if one was too short
    lists = steps.pairs_at(position);
    launch(device_, "contact pairs", vertices_,
           repulsion::CountPairs{position, lists, steps.constants().soft_distance, pair_count_});
    exclusive_scan(device_, pair_count_, start_);
    device_.download(&total, start_.span().data + vertices_, sizeof total);
  } while (!steps.search().fits());
  return total;
}

RepulsionNumbers::Lengths RepulsionNumbers::lengths(Span<const vec3> position, CollisionSteps& steps,
                                                    float bound) {
  const auto most = [&](int slot) {
    reduce_max(device_, flags_, Span<float>(results_.span().data + slot, 1));
  };
  launch(device_, "collision numbers", vertices_, repulsion::LongestAt{position, steps.edges(), flags_});
  most(0);
  do {  // repeated with longer lists if one was too short
    launch(device_, "collision numbers", vertices_,
           repulsion::MissingDistance{position, steps.pairs_at(position), bound, flags_});
  } while (!steps.search().fits());
  most(1);
  const std::vector<float> r = results_.download();
  return {r[0], bound - r[1]};
}

CollisionNumbers RepulsionNumbers::numbers(const StepContext& c, Span<const vec3> positions,
                                           CollisionSteps& steps, bool after_step) {
  CollisionNumbers n;
  NeighborLists lists;
  n.self_pairs = count_pairs(positions, steps, lists);
  const auto at = [&](int slot) { return Span<float>(results_.span().data + slot, 1); };
  launch(device_, "collision numbers", vertices_,
         repulsion::TooClose{positions, lists, kNoticed * steps.constants().bound, flags_});
  reduce_sum(device_, flags_, at(3));
  if (!after_step) {
    n.counters = {{"too_close", std::round(double(results_.download()[3]))}};
    return n;
  }
  for (int phase = 1; phase <= 2; ++phase) {
    launch(device_, "collision numbers", vertices_, repulsion::InPhase{steps.phase(), float(phase), flags_});
    reduce_sum(device_, flags_, at(phase - 1));
  }
  launch(device_, "collision numbers", vertices_,
         repulsion::PinLag{c.kinematic, c.kinematic_displacement, c.displacement, flags_});
  reduce_max(device_, flags_, at(2));
  const std::vector<float> r = results_.download();
  n.pin_lag = std::max(0.0f, r[2]);
  int counts[kRepulsionCounts], samples = 0;
  device_.download(counts, steps.counts().data, sizeof counts);
  device_.download(&samples, steps.samples().count().data, sizeof samples);
  n.counters = {
      {"soft_vertices", std::round(double(r[0]))},    {"hard_vertices", std::round(double(r[1]))},
      {"failed_steps", double(counts[kStepsFailed])}, {"rolled_back", double(counts[kGroupsRolledBack])},
      {"unsolved", double(counts[kHardUnsolved])},    {"active_samples", double(samples)},
      {"too_close", std::round(double(r[3]))}};
  return n;
}

std::vector<ivec2> RepulsionNumbers::pairs(Span<const vec3> position, CollisionSteps& steps, int most) {
  NeighborLists lists;
  const int total = count_pairs(position, steps, lists);
  if (total == 0 || most <= 0) return {};
  if (list_.size() != most) list_ = Buffer<ivec2>(device_, "contact pairs", most);
  launch(device_, "contact pairs", vertices_,
         repulsion::ListPairs{position, lists, steps.constants().soft_distance, start_, list_});
  const int stride = (total + most - 1) / most;
  std::vector<ivec2> found(size_t((total + stride - 1) / stride));
  device_.download(found.data(), list_.span().data, found.size() * sizeof(ivec2));
  return found;
}

}  // namespace weft
