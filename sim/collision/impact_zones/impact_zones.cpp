#include "sim/collision/impact_zones/impact_zones.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/error.h"
#include "sim/collision/path.h"

namespace weft {
namespace {

constexpr int kMostParts = 8;  // of a step, after which points are held back
constexpr float kLargestActivation =
    0.4f;                        // mean edges: with a larger distance a flat sheet would repel itself
constexpr float kMargin = 0.3f;  // mean edges, see TriangleSearch::find

}  // namespace

ImpactZones::ImpactZones(StepContext& c)
    : state_(c.state),
      points_(c),
      search_(c.device, points_.search_surface(c)),
      rounds_(c.device, points_.surface(), points_.search_surface(c)),
      terms_(c, points_, search_),
      params_(c.scene.of<ImpactZonesParams>()),
      safe_(c.device, "no displacement", c.model.vertex_count()) {
  state_.carry(
      "impacts left", [this] { return std::vector<unsigned char>{static_cast<unsigned char>(unclean_)}; },
      [this](const std::vector<unsigned char>& b) {
        if (b.size() != 1 || b[0] > 1)
          throw Error("what the snapshot says of impacts is damaged", "snapshot", "save it again");
        unclean_ = b[0] == 1;
      });
  rounds_.prepare(params_);
  examine(c);  // now, not before the first step, so that the guarantee of the state is known
}

ImpactZones::~ImpactZones() { state_.forget("impacts left"); }

Guarantee ImpactZones::guarantee() const {
  if (unclean_) return {Protection::none, Protection::none, 0};
  return {Protection::intersection_free, Protection::intersection_free, 0};
}

float ImpactZones::activation() const {
  return std::min(params_.activation, kLargestActivation * rounds_.mean_edge());
}

/// Pairs that cross are left out: their impacts could not be removed. A state that was published with impacts is
/// clean again when nothing crosses.
void ImpactZones::examine(StepContext& c) {
  points_.examine(c, search_, {activation(), rounds_.mean_edge(), kMargin * rounds_.mean_edge()});
  rounds_.leave_out(points_.left_out());
  if (!unclean_) return;
  const std::vector<int> marks =
      surface_crossings(points_.positions(c), points_.surface().host_triangles(),
                        {points_.surface().cloth_points(), c.model.triangle_count()})
          .points;
  unclean_ = !marks.empty();
  rounds_.leave_out(marks);
}

void ImpactZones::prepare(StepContext& c) {
  params_ = c.scene.of<ImpactZonesParams>();
  examine(c);
  points_.prepare(c);
  rounds_.prepare(params_);
  const float onset = activation();
  const float stiffness = params_.terms ? params_.repulsion : 0.0f;
  const float radius = 1.05f * (onset + (stiffness > 0 ? ContactTerms::slack_of(onset) : 0.0f));
  terms_.prepare(c, {onset, radius, kMargin * rounds_.mean_edge(), stiffness, params_.firmness,
                     params_.self_friction, true});
  parts_ = std::max(1, int(std::lround(double(c.scene.step.dt) / double(c.dt))));
  may_ask_ = params_.fallback == int(ZoneFallback::smaller_steps) && parts_ < kMostParts;
}

void ImpactZones::begin_step(StepContext& c) {
  terms_.begin_step(c, rounds_.inverse_mass());
  rounds_.begin(c.model.mass.span(), c.kinematic.span());
  search_.clear_overflow();
  points_.begin_step(c.device);
  if (!terms_.any()) return;
  StageScope stage(c.device.profiler(), "repulsion");
  terms_.make(c, safe_.span());
}

void ImpactZones::before_iteration(StepContext& c, int) { terms_.add(c, safe_.span()); }

void ImpactZones::advance(StepContext& c) {
  terms_.keep_friction(c, safe_.span());
  terms_.advance_begins(c);
  {
    StageScope stage(c.device.profiler(), "impact zones");
    const bool at_last = params_.fallback == int(ZoneFallback::smaller_steps) && !may_ask_;
    rounds_.handle(c.state.position.span(), c.displacement.span(), points_.body_now(),
                   at_last ? ZoneFallback::hold_back : ZoneFallback(params_.fallback));
  }
  terms_.advance_ends(c);
  keep_path(c);
}

/// See KeepPath. A part of a step goes on where the one before it has ended; a part that is made again takes its own place.
void ImpactZones::keep_path(StepContext& c) {
  Path* path = c.device.kind() == DeviceKind::cpu && !c.device.verify_replays ? KeepPath::now() : nullptr;
  if (!path) return;
  for (const bool end : {false, true}) {
    const std::vector<vec3> x = rounds_.positions(end);
    std::vector<dvec3> corner(x.begin(), x.end());
    if (!end)
      while (!path->empty() && (parts_ == 1 || path->back() != corner)) path->pop_back();
    if (path->empty() || corner != path->back()) path->push_back(std::move(corner));
  }
}

void ImpactZones::end_step(StepContext& c) {
  terms_.end_step(c);
  points_.end_step(c);
  if (params_.fallback == int(ZoneFallback::none) && rounds_.progress().left > 0) unclean_ = true;
}

bool ImpactZones::fits() {
  const bool pairs_fit = search_.fits(), terms_fit = terms_.fits(), rounds_fit = rounds_.fits();
  return pairs_fit && terms_fit && rounds_fit;
}

bool ImpactZones::wants_smaller_step() { return may_ask_ && rounds_.progress().unsolved; }

void ImpactZones::shrink_lists_for_test() {
  search_.take_room();
  terms_.take_room();
  rounds_.shrink_for_test();
}

uint64_t ImpactZones::revision() const {
  return uint64_t(rounds_.moves() + terms_.moves() + search_.moves()) * 2 + (may_ask_ ? 1 : 0);
}

CollisionNumbers ImpactZones::numbers(StepContext& c) {
  CollisionNumbers n;
  if (!points_.led_here(c)) return n;
  const impact_zones::Progress p = rounds_.progress();
  n.self_pairs = p.all_found;
  n.collision_steps = p.rounds;
  n.failed_steps = p.left;
  n.rolled_back = parts_ - 1;
  n.hard_vertices = p.held;
  n.soft_vertices = p.zone_points;
  n.pin_lag = points_.lag(c, rounds_.x1(), rounds_.aim(), false);
  n.body_lag = points_.lag(c, rounds_.x1(), rounds_.aim(), true);
  return n;
}

std::vector<LaggingBody> ImpactZones::lagging_bodies(StepContext& c) {
  return points_.lagging_bodies(c, rounds_.x1(), rounds_.aim());
}

std::vector<std::string> ImpactZones::remarks(const CollisionNumbers& n) const {
  std::vector<std::string> all{guarantee().sentences(true)};
  if (n.collision_steps > 0 || n.self_pairs > 0)
    all.push_back(fmt::format("{} impact{} in {} round{}.", n.self_pairs, n.self_pairs == 1 ? "" : "s",
                              n.collision_steps, n.collision_steps == 1 ? "" : "s"));
  if (n.rolled_back > 0)
    all.push_back(fmt::format("Made in {} parts, since impacts remained.", n.rolled_back + 1));
  if (n.failed_steps > 0 && !unclean_)
    all.push_back(fmt::format("{} impact{} remained after the rounds: {} vertices were held back.",
                              n.failed_steps, n.failed_steps == 1 ? "" : "s", n.hard_vertices));
  if (unclean_)
    all.push_back(
        fmt::format("{} impacts remained and were published: the cloth may cross.", n.failed_steps));
  for (std::string& words : points_.remarks(n)) all.push_back(std::move(words));
  return all;
}

std::vector<std::pair<std::string, int>> ImpactZones::counts() {
  const impact_zones::Progress p = rounds_.progress();
  return {{"rounds", p.rounds},
          {"impacts", p.all_found},
          {"zones", p.zones},
          {"zone points", p.zone_points},
          {"zone iterations", p.iterations},
          {"impacts left", p.left},
          {"parts", parts_},
          {"held back", p.held},
          {"cuts", p.cuts}};
}

}  // namespace weft
