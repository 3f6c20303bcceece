#include "sim/collision/impact_zones/impact_rounds.h"

#include <algorithm>
#include <cstddef>

#include "sim/collision/surface/point_kernels.h"
#include "sim/device/primitives.h"

namespace weft {
namespace {
using namespace impact_zones;

constexpr int kFewImpacts = 512;   // initial room
constexpr float kThickest = 0.1f;  // thickness over the mean edge: more would push neighbours in the mesh
constexpr float kGap = 0.1f;       // gap over thickness
// mean edges that points may move beside each other in a step without question
constexpr float kFarthest = 100;
constexpr int kBudget = 16;  // impacts in the list per point of the surface, beyond which rounds end

}  // namespace

ImpactRounds::ImpactRounds(GrowingLists& lists, const ContactSurface& surface, SearchSurface shape)
    : device_(lists.device()),
      lists_(lists),
      surface_(surface),
      shape_(std::move(shape)),
      zones_(device_, surface.points()),
      solver_(device_),
      mean_edge_(mean_cloth_edge(surface, shape_.positions)),
      hold_back_(device_, surface),
      detection_(lists, surface, [this](int impacts) {
        zones_.make_room(impacts);
        solver_.make_room(impacts);
      }) {
  Device& device = device_;
  const int points = surface.points();
  for (auto* b : {&x0_, &x1_, &aim_, &d_, &y_}) *b = Buffer<vec3>(device, "impact points", points);
  inverse_mass_ = Buffer<float>(device, "impact points", points);
  moved_ = Buffer<int>(device, "moved points", points);
  for (auto* b : {&distance_, &farthest_})
    *b = Buffer<float>(device, "ways", b == &distance_ ? surface.cloth_points() : 1);
  progress_ = Buffer<Progress>(device, "impact zones progress", 1);
  make_search(0);
  detection_.reserve(kFewImpacts);
}

void ImpactRounds::make_search(int method) {
  if (searches_ == method) return;
  if (search_) moves_ += search_->moves() + 1;
  searches_ = method;
  search_ = std::make_unique<SweptSearch>(lists_, shape_, SweptMethod(method));
  search_->leave_out(marks_);
}

void ImpactRounds::leave_out(const std::vector<int>& marks) {
  if (marks == marks_) return;
  marks_ = marks;
  search_->leave_out(marks_);
}

void ImpactRounds::prepare(const ImpactZonesParams& params) {
  params_ = params;
  thickness_ = std::min(params.thickness, kThickest * mean_edge_);
  gap_ = std::min(params.gap > 0 ? params.gap : kGap * thickness_, 0.5f * thickness_);
  make_search(params.search);
  detection_.prepare(*search_);
}

void ImpactRounds::begin(Span<const float> mass, Span<const int> kinematic) {
  launch(device_, "impact zones begin", 1, BeginProgress{progress_});
  launch(device_, "impact zones begin", surface_.points(),
         contact::InverseMasses{mass, kinematic, surface_.cloth_points(), inverse_mass_});
}

Span<const int> ImpactRounds::flag(int Progress::*member) const {
  return {&(progress_.span().data->*member), 1};
}

ImpactList ImpactRounds::list() const { return {flag(&Progress::listed), detection_.impacts()}; }

void ImpactRounds::handle(Span<const vec3> base, Span<vec3> displacement, Span<vec3> body,
                          ZoneFallback fallback) {
  const int points = surface_.points(), cloth = surface_.cloth_points();
  launch(device_, "impact zones begin", points,
         BeginRounds{base, displacement, body, surface_.body_targets(), cloth, x0_, x1_, aim_, d_, y_,
                     hold_back_.cut(), moved_});
  find_far(fallback == ZoneFallback::smaller_steps);
  device_.when(flag(&Progress::near), [&] { clear_path(fallback); });
  launch(device_, "impact zones end", points, EndRounds{x1_, d_, cloth, displacement, body});
}

/// `may_ask`: for a smaller step.
void ImpactRounds::find_far(bool may_ask) {
  if (!may_ask) return;
  launch(device_, "ways", distance_.size(), DistancesBeside{d_, distance_});
  reduce_max(device_, distance_, farthest_);
  launch(device_, "ways", 1, JudgeDistances{farthest_, kFarthest * mean_edge_, progress_});
}

/// Rounds, and what holds points back after them.
void ImpactRounds::clear_path(ZoneFallback fallback) {
  zones_.clear();
  detect(true);
  RoundLimits limits;
  limits.rounds = params_.rounds,
  limits.budget = buffer_size(int64_t(kBudget) * surface_.points(), "impacts"),
  limits.may_hold = fallback == ZoneFallback::hold_back;
  limits.may_hold_fixed = fallback != ZoneFallback::none;
  DecideRound decide{limits,           true,     detection_.room(), zones_.view().rows, zones_.view().zones,
                     solver_.solves(), progress_};
  launch(device_, "rounds", 1, decide);
  decide.first = false;
  device_.repeat(flag(&Progress::go_on), [&] {
    round();
    detect(!params_.incremental);
    launch(device_, "rounds", 1, decide);
  });
  if (fallback != ZoneFallback::none)
    device_.repeat(flag(&Progress::holding), [&] {
      hold_back();
      detect(!params_.incremental);
      launch(device_, "rounds", 1, DecideHold{detection_.room(), progress_});
    });
}

/// Finds impacts of the straight paths from x0 to x1 and appends them to the list; of all pairs, or of those
/// with a point that has moved.
void ImpactRounds::detect(bool all) {
  {
    StageScope stage(device_.profiler(), "broad phase");
    if (all) search_->find(x0_, x1_, gap_);
    else search_->find_moved(x0_, x1_, gap_, moved_);
  }
  StageScope stage(device_.profiler(), "narrow phase");
  detection_.append(*search_, {x0_, x1_, inverse_mass_, gap_, thickness_}, progress_);
}

void ImpactRounds::round() {
  zones_.join(list(), inverse_mass_, !params_.zones);
  zones_.build(list(), inverse_mass_);
  moved_.clear();
  solver_.solve(params_, list(), zones_.view(), flag(&Progress::first), {y_, inverse_mass_}, d_, moved_);
  launch_counted(device_, "rounds", flag(&Progress::listed), detection_.room(),
                 LookAgain{list(), progress_, moved_});
  launch(device_, "rounds", surface_.points(), Follow{moved_, x0_, d_, x1_});
}

void ImpactRounds::hold_back() {
  StageScope stage(device_.profiler(), "hold back");
  zones_.join(list(), inverse_mass_, !params_.zones);
  hold_back_.shorten(list(), zones_, inverse_mass_, d_, moved_, progress_);
  launch(device_, "hold back", surface_.points(), Follow{moved_, x0_, d_, x1_});
}

std::vector<Impact> ImpactRounds::impacts() const {
  std::vector<Impact> all = detection_.on_host();
  all.resize(size_t(std::min(progress().listed, detection_.room())));
  return all;
}

}  // namespace weft
