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
      impact_list_(lists, "impacts", [this](int n) { give_room(n); }) {
  Device& device = device_;
  const int points = surface.points();
  for (auto* b : {&x0_, &x1_, &aim_, &d_, &y_}) *b = Buffer<vec3>(device, "impact points", points);
  for (auto* b : {&inverse_mass_, &zone_first_}) *b = Buffer<float>(device, "impact points", points);
  for (auto* b : {&cut_, &moved_}) *b = Buffer<int>(device, "impact points", points);
  for (auto* b : {&way_, &farthest_})
    *b = Buffer<float>(device, "ways", b == &way_ ? surface.cloth_points() : 1);
  point_first_ = Buffer<float>(device, "held pins", surface.cloth_points());
  const std::vector<int> body_of = surface.obstacles_of_points();
  body_of_ = Buffer<int>(device, "bodies of points", body_of);
  body_first_ = Buffer<float>(device, "held bodies",
                              body_of.empty() ? 0 : *std::max_element(body_of.begin(), body_of.end()) + 1);
  found_ = Buffer<int>(device, "impacts", 1);
  progress_ = Buffer<Progress>(device, "impact zones progress", 1);
  make_search(0);
  impact_list_.reserve(kFewImpacts);
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

void ImpactRounds::give_room(int impacts) {
  room_ = impacts;
  impact_ = Buffer<Impact>(device_, "impacts", impacts);
  zones_.make_room(impacts);
  solver_.make_room(impacts);
  ++moves_;
}

void ImpactRounds::prepare(const ImpactZonesParams& params) {
  params_ = params;
  thickness_ = std::min(params.thickness, kThickest * mean_edge_);
  gap_ = std::min(params.gap > 0 ? params.gap : kGap * thickness_, 0.5f * thickness_);
  make_search(params.search);
  const int rows =
      buffer_size(int64_t(search_->vertex_triangle().capacity()) + search_->edge_edge().capacity() +
                      int64_t(surface_.planes().size) * surface_.cloth_points(),
                  "pairs that may impact");
  if (rows == flags_.size()) return;
  for (auto* b : {&flags_, &index_}) *b = Buffer<int>(device_, "impact flags", rows);
  ++moves_;
}

void ImpactRounds::begin(Span<const float> mass, Span<const int> kinematic) {
  launch(device_, "impact zones begin", 1, BeginProgress{progress_.span()});
  launch(device_, "impact zones begin", surface_.points(),
         contact::InverseMasses{mass, kinematic, surface_.cloth_points(), inverse_mass_.span()});
}

Span<const int> ImpactRounds::flag(int Progress::*member) const {
  return {&(progress_.span().data->*member), 1};
}

ImpactList ImpactRounds::list() const { return {flag(&Progress::listed), impact_.span()}; }

void ImpactRounds::handle(Span<const vec3> base, Span<vec3> displacement, Span<vec3> body,
                          ZoneFallback fallback) {
  const int points = surface_.points(), cloth = surface_.cloth_points();
  launch(device_, "impact zones begin", points,
         BeginRounds{base, displacement, body, surface_.body_targets(), cloth, x0_.span(), x1_.span(),
                     aim_.span(), d_.span(), y_.span(), cut_.span(), moved_.span()});
  find_far(fallback == ZoneFallback::smaller_steps);
  device_.when(flag(&Progress::near), [&] { clear_way(fallback); });
  launch(device_, "impact zones end", points, EndRounds{x1_.span(), d_.span(), cloth, displacement, body});
}

/// `may_ask`: for a smaller step.
void ImpactRounds::find_far(bool may_ask) {
  if (!may_ask) return;
  launch(device_, "ways", way_.size(), WaysBeside{d_.span(), way_.span()});
  reduce_max(device_, way_.span(), farthest_.span());
  launch(device_, "ways", 1, JudgeWays{farthest_.span(), kFarthest * mean_edge_, progress_.span()});
}

/// Rounds, and what holds points back after them.
void ImpactRounds::clear_way(ZoneFallback fallback) {
  zones_.clear();
  detect(true);
  RoundLimits limits;
  limits.rounds = params_.rounds,
  limits.budget = buffer_size(int64_t(kBudget) * surface_.points(), "impacts"),
  limits.may_hold = fallback == ZoneFallback::hold_back;
  limits.may_hold_fixed = fallback != ZoneFallback::none;
  DecideRound decide{limits,          true, room_, zones_.view().rows, zones_.view().zones, solver_.solves(),
                     progress_.span()};
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
      launch(device_, "rounds", 1, DecideHold{room_, progress_.span()});
    });
}

/// Finds impacts of the straight paths from x0 to x1 and appends them to the list; of all pairs, or of those
/// with a point that has moved.
void ImpactRounds::detect(bool all) {
  {
    StageScope stage(device_.profiler(), "broad phase");
    if (all) search_->find(x0_.span(), x1_.span(), gap_);
    else search_->find_moved(x0_.span(), x1_.span(), gap_, moved_.span());
  }
  StageScope stage(device_.profiler(), "narrow phase");
  const PairList vt = search_->vertex_triangle(), ee = search_->edge_edge();
  const int cloth = surface_.cloth_points(), planes = surface_.planes().size * cloth;
  flags_.clear();
  launch_counted(device_, "time of impact", vt.count, vt.capacity(),
                 TestPairs{vt, false, x0_.span(), x1_.span(), gap_, {flags_.span().data, vt.capacity()}});
  launch_counted(
      device_, "time of impact", ee.count, ee.capacity(),
      TestPairs{ee, true, x0_.span(), x1_.span(), gap_, {flags_.span().data + vt.capacity(), ee.capacity()}});
  launch(device_, "planes", planes,
         TestPlanes{surface_.planes(),
                    x0_.span(),
                    x1_.span(),
                    inverse_mass_.span(),
                    cloth,
                    gap_,
                    {flags_.span().data + vt.capacity() + ee.capacity(), planes}});
  select(device_, flags_.span(), index_.span(), found_.span());
  launch(device_, "impacts", 1, BeginList{found_.span(), room_, progress_.span(), impact_list_.wanted()});
  launch_counted(
      device_, "impacts", found_.span(), flags_.size(),
      ListImpacts{vt, ee, surface_.planes(), index_.span(), x0_.span(), x1_.span(), inverse_mass_.span(),
                  cloth, gap_, thickness_, impact_.span(), progress_.span()});
}

void ImpactRounds::round() {
  zones_.join(list(), inverse_mass_.span(), !params_.zones);
  zones_.build(list(), inverse_mass_.span());
  moved_.clear();
  solver_.solve(params_, list(), zones_.view(), flag(&Progress::first), {y_.span(), inverse_mass_.span()},
                d_.span(), moved_.span());
  launch_counted(device_, "rounds", flag(&Progress::listed), room_,
                 LookAgain{list(), progress_.span(), moved_.span()});
  launch(device_, "rounds", surface_.points(), Follow{moved_.span(), x0_.span(), d_.span(), x1_.span()});
}

void ImpactRounds::hold_back() {
  StageScope stage(device_.profiler(), "hold back");
  zones_.join(list(), inverse_mass_.span(), !params_.zones);
  for (auto* b : {&zone_first_, &point_first_, &body_first_})
    launch(device_, "hold back", b->size(), NoTimes{b->span()});
  const int cloth = surface_.cloth_points();
  launch_counted(
      device_, "hold back", flag(&Progress::listed), room_,
      FindFirst{list(), progress_.span(), inverse_mass_.span(), zones_.labels(), cut_.span(), body_of_.span(),
                cloth, zone_first_.span(), point_first_.span(), body_first_.span()});
  launch(device_, "hold back", surface_.points(),
         Cut{inverse_mass_.span(), zones_.labels(), body_of_.span(), zone_first_.span(), point_first_.span(),
             body_first_.span(), cloth, d_.span(), cut_.span(), moved_.span(), progress_.span()});
  launch(device_, "hold back", surface_.points(), Follow{moved_.span(), x0_.span(), d_.span(), x1_.span()});
}

std::vector<Impact> ImpactRounds::impacts() const {
  std::vector<Impact> all = impact_.download();
  all.resize(size_t(std::min(progress().listed, room_)));
  return all;
}

}  // namespace weft
