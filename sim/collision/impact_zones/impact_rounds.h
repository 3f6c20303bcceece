// Rounds of detection and zone solving (Tang 2018, section 2.4 and algorithm 1), and what holds points back
// where they end without success.
#pragma once
#include <memory>

#include "sim/collision/impact_zones/hold_back.h"
#include "sim/collision/impact_zones/impact_detection.h"
#include "sim/collision/impact_zones/zone_solver.h"

namespace weft {

/// Points are those of a ContactSurface: the cloth's vertices, then those of bodies. All memory is on the
/// device; nothing in a step reads it on the host.
class ImpactRounds {
 public:
  /// `shape`: the same surface for searches.
  ImpactRounds(GrowingLists& lists, const ContactSurface& surface, SearchSurface shape);

  /// Not within a recorded sequence.
  void prepare(const ImpactZonesParams& params);
  /// Starts a time step. For the cloth's vertices: `mass` in kg; `kinematic` 1 if impacts must not push.
  void begin(Span<const float> mass, Span<const int> kinematic);
  /// Turns the solver's `displacement` (m, from `base`) and the paths of bodies from `body` to their targets
  /// into ones along which nothing meets. `fallback`: what happens where rounds do not suffice; of a step
  /// that may be made in smaller ones, impacts are left
  /// (Progress::unsolved), or not even looked for where points are to move so far that most pairs would have
  /// to be listed (Progress::near).
  void handle(Span<const vec3> base, Span<vec3> displacement, Span<vec3> body, ZoneFallback fallback);

  impact_zones::Progress progress() const { return progress_.download()[0]; }
  SweptSearch& search() { return *search_; }
  Span<const float> inverse_mass() const { return inverse_mass_; }
  /// Impacts of the step, of all rounds.
  impact_zones::ImpactList list() const;
  /// Displacements of all points in the step, m.
  Span<const vec3> displacement() const { return d_; }
  /// Positions at the start and the end of the step, of all points, m.
  Span<const vec3> x0() const { return x0_; }
  Span<const vec3> x1() const { return x1_; }
  /// The same on the host; waits for the device.
  std::vector<vec3> positions(bool end) const { return (end ? x1_ : x0_).download(); }
  /// Where the solver, and scripts, wanted them in the last step, m.
  Span<const vec3> aim() const { return aim_; }
  /// Mean edge of the cloth at the start, m.
  float mean_edge() const { return mean_edge_; }
  /// The thickness on this mesh, m.
  float thickness() const { return thickness_; }
  /// Impacts of the last step's detections, in order; waits for the device.
  std::vector<impact_zones::Impact> impacts() const;
  /// Marks of points: pairs with a mark in common are no impacts (SweptSearch::leave_out).
  void leave_out(const std::vector<int>& marks);
  int moves() const { return moves_ + search_->moves() + detection_.moves(); }

 private:
  void make_search(int method);
  void detect(bool all);
  void round();
  void hold_back();
  void find_far(bool may_ask);
  void clear_path(ZoneFallback fallback);
  Span<const int> flag(int impact_zones::Progress::*member) const;

  Device& device_;
  GrowingLists& lists_;
  const ContactSurface& surface_;
  SearchSurface shape_;
  std::unique_ptr<SweptSearch> search_;
  ZoneLists zones_;
  ZoneSolver solver_;
  ImpactZonesParams params_;
  std::vector<int> marks_;
  float mean_edge_, thickness_ = 0, gap_ = 0;
  int moves_ = 0, searches_ = -1;
  Buffer<vec3> x0_, x1_, aim_, d_, y_;
  Buffer<float> distance_, farthest_, inverse_mass_;
  Buffer<int> moved_;
  Buffer<impact_zones::Progress> progress_;
  HoldBack hold_back_;
  ImpactDetection detection_;
};

}  // namespace weft
