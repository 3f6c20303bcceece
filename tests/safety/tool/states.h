// The states of a run, checked on several threads and reported in order.
#pragma once
#include <functional>
#include <map>

#include "tests/safety/gaps.h"
#include "tests/safety/grains.h"
#include "tests/safety/paths.h"
#include "tests/safety/tool/options.h"
#include "tests/safety/tool/runs.h"

namespace weft::check {

struct FoundCrossing {
  Crossing crossing;
  dvec3 place{0};  // metres; middle of the first triangle
};

/// `announced`: with bodies, at cloth of which the run told that a body passes through it.
struct ContactCount {
  size_t all = 0, with_bodies = 0, announced = 0;
};

/// By the step of a state, the vertices of the cloth of which the run told that bodies pass through them.
using Announced = std::map<long long, std::vector<int>>;

/// What grains do that they cannot.
struct GrainFaults {
  size_t overlaps = 0;
  std::vector<GrainOverlap> first_overlaps;
  int inside = 0;     // grains whose middle is inside of a body or a solid
  BodyDepth deepest;  // of these
  std::string inside_of;
  size_t all() const { return overlaps + size_t(inside); }
};

/// What was found in one state, and on the way to it. Lists hold the first `Options::pairs`, counts are of
/// all.
struct StateReport {
  long long step = 0;
  double time = 0;  // s
  ContactCount crossings;
  size_t without_area = 0;
  ContactCount contacts;
  std::vector<FoundCrossing> first_crossings;
  std::vector<int> first_without_area;  // triangles
  std::vector<PathContact> first_contacts;
  bool depth_known = false;  // there is a closed body
  BodyDepth depth;           // of the body in which a vertex lies deepest
  std::string deepest_body;
  // they have no inside, so that nothing can be said of a depth in them
  std::vector<std::string> open_bodies;
  bool way = false;  // the way to this state was checked
  VertexGap gap;     // with Options::gaps
  GrainFaults grains;

  bool found(const Options& options) const {
    return crossings.all + without_area + contacts.all + grains.all() > 0 || too_deep(options);
  }
  bool too_deep(const Options& options) const {
    return options.max_depth >= 0 && depth_known && depth.depth > options.max_depth;
  }
  /// Whether something was found, and nothing but what the run told of.
  bool announced_only(const Options& options) const {
    return crossings.all + contacts.all > 0 && crossings.all == crossings.announced &&
           contacts.all == contacts.announced && without_area + grains.all() == 0 && !too_deep(options);
  }
};

/// Whether there is a way from the state before to this one. A run that was reset goes back to its start in
/// one jump.
bool has_way(const FrameSource& source, int state);

/// Calls `tell` for every state in order, one call at a time, as soon as it and all before it are done.
/// Throws Error that names the state.
void check_states(const Run& run, const Mesh& mesh, int states, const Options& options,
                  const Announced& announced, const std::function<void(int, const StateReport&)>& tell);

}  // namespace weft::check
