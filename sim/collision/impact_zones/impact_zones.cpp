#include "sim/collision/impact_zones/impact_zones.h"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <set>

#include "sim/base/error.h"
#include "sim/collision/impact_zones/view_kernels.h"
#include "sim/collision/surface/contact_pairs.h"
#include "sim/collision/surface/path.h"

namespace weft {
namespace {

constexpr int kMostParts = 8;  // of a step, after which points are blocked
constexpr float kLargestActivation =
    0.4f;                        // mean edges: with a larger distance a flat sheet would repel itself
constexpr float kMargin = 0.3f;  // mean edges, see TriangleSearch::find

}  // namespace

ImpactZones::ImpactZones(StepContext& c)
    : state_(c.state),
      points_(c),
      search_(c.lists, points_.search_surface(c)),
      rounds_(c.lists, points_.surface(), points_.search_surface(c)),
      terms_(c, points_, search_),
      params_(c.scene.of<ImpactZonesParams>()),
      safe_(c.device, "no displacement", c.model.vertex_count()),
      depth_(c.device, "contact depth", c.model.vertex_count()) {
  depth_.clear();
  state_.carry(
      "impacts left", [this] { return std::vector<unsigned char>{static_cast<unsigned char>(unclean_)}; },
      [this](const std::vector<unsigned char>& b) {
        if (b.size() != 1 || b[0] > 1)
          throw Error("what the snapshot says of impacts is damaged", "snapshot", "save it again");
        unclean_ = b[0] == 1;
      });
  rounds_.prepare(params_);
  examine(c, false);  // now, not before the first step, so that the guarantee of the state is known
}

ImpactZones::~ImpactZones() { state_.forget("impacts left"); }

Guarantee ImpactZones::guarantee() const {
  if (unclean_) return {Protection::none, Protection::none, 0};
  return {Protection::intersection_free, points_.bodies_kept(), 0};
}

/// Of parts without a radius of their own.
float ImpactZones::usual_activation() const {
  return std::min(params_.activation, kLargestActivation * rounds_.mean_edge());
}

float ImpactZones::activation() const {
  const float smallest = points_.surface().own_radii().smallest(), usual = usual_activation();
  return smallest > 0 ? std::min(usual, smallest / (1 + ContactTerms::slack_of(1))) : usual;
}

/// Distance from which on cloth counts as in contact, m.
float ImpactZones::onset() const {
  return terms_.any() ? activation() + terms_.slack() : rounds_.thickness();
}

/// Pairs that cross are left out: their impacts could not be removed. Pairs that only touch are left out of
/// the terms
/// alone: a time of impact is exact however near they are. A state that was published with impacts is clean
/// again when
/// nothing crosses.
void ImpactZones::examine(StepContext& c, bool of_step) {
  points_.examine(c, search_, {activation(), rounds_.mean_edge(), kMargin * rounds_.mean_edge()}, of_step);
  rounds_.leave_out(points_.crossed());
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
  points_.prepare(c);
  examine(c, true);
  rounds_.prepare(params_);
  const float nearest = activation(), usual = usual_activation();
  const float stiffness = params_.terms ? params_.repulsion : 0.0f;
  const float onset = nearest + (stiffness > 0 ? ContactTerms::slack_of(nearest) : 0.0f);
  const OwnRadii& own = points_.surface().own_radii();
  const PartRadii parts =
      stiffness > 0 ? own.view(usual + ContactTerms::slack_of(usual), onset) : PartRadii();
  search_.widen(parts, 2 * own.largest() + parts.usual);
  terms_.prepare(c, {.activation = nearest,
                     .radius = 1.05f * onset,
                     .margin = kMargin * rounds_.mean_edge(),
                     .stiffness = stiffness,
                     .firmness = params_.firmness,
                     .self_friction = params_.self_friction,
                     .parts = parts});
  parts_ = std::max(1, int(std::lround(double(c.scene.step.dt) / double(c.dt))));
  if (parts_ == 1) far_ = false;
  may_ask_ = params_.fallback == int(ZoneFallback::smaller_steps) && parts_ < kMostParts;
}

void ImpactZones::begin_step(StepContext& c) {
  terms_.begin_step(c, rounds_.inverse_mass());
  rounds_.begin(c.model.mass, c.kinematic);
  points_.begin_step(c.device);
  if (!terms_.any()) return;
  StageScope stage(c.device.profiler(), "repulsion");
  terms_.make(c, safe_);
  terms_.move_with_bodies(c, safe_);
}

void ImpactZones::before_iteration(StepContext& c, int) {
  terms_.add(c, safe_);
  points_.add_anchors(c);
}

void ImpactZones::advance(StepContext& c) {
  terms_.keep_friction(c, safe_);
  terms_.advance_begins(c);
  {
    StageScope stage(c.device.profiler(), "impact zones");
    const bool at_last = params_.fallback == int(ZoneFallback::smaller_steps) && !may_ask_;
    rounds_.handle(c.state.position, c.displacement, points_.body_now(),
                   at_last ? ZoneFallback::hold_back : ZoneFallback(params_.fallback));
  }
  terms_.advance_ends(c);
  find_depths(c);
  keep_path(c);
}

/// At the end of the step, of what was close when it began and of what impacted.
void ImpactZones::find_depths(StepContext& c) {
  depth_.clear();
  const ContactSurface& s = points_.surface();
  const PartRadii parts = terms_.part_radii({rounds_.x0(), {}, s.points()});
  const impact_zones::Depths depths{s.cloth_points(), onset(), parts, depth_};
  if (terms_.any())
    for (const bool vertex_triangle : {true, false}) {
      const PairList list = pairs()[vertex_triangle ? 0 : 1];
      launch_counted(c.device, "contact depth", list.count, list.capacity(),
                     impact_zones::PairDepths{list, vertex_triangle, rounds_.x1(), depths});
    }
  const impact_zones::ImpactList impacts = rounds_.list();
  launch_counted(c.device, "contact depth", impacts.count, impacts.impact.size,
                 impact_zones::ImpactDepths{impacts.impact, rounds_.displacement(), depths});
  if (s.planes().size > 0)
    launch(c.device, "contact depth", depth_.size(),
           impact_zones::PlaneDepths{s.planes(), rounds_.x1(), depths});
}

/// What is drawn as contact: pairs of the terms that are nearer than their onset, and impacts of the step.
std::vector<ContactPair> ImpactZones::contact_pairs(StepContext& c, int most) {
  if (!points_.led_here(c)) return {};
  const std::vector<vec3> x = rounds_.positions(true);
  const ContactSurface& s = points_.surface();
  const int cloth = s.cloth_points();
  std::vector<ContactPair> found;
  if (terms_.any())
    found = close_pairs(c.device, pairs(), x, cloth, onset(), INT_MAX,
                        terms_.part_radii({rounds_.x0(), {}, s.points()}));
  std::set<std::array<int, 4>> known;  // an impact may be found in several rounds
  for (const impact_zones::Impact& j : rounds_.impacts()) {
    if (!known.insert({j.points.x, j.points.y, j.points.z, j.points.w}).second) continue;
    found.push_back(contact_pair(j.points, j.weight, x, cloth));
    if (j.points.y < 0) found.back().kind = ContactKind::body, found.back().b = found.back().a;  // a plane
  }
  return thinned(std::move(found), most);
}

/// See KeepPath. A part of a step goes on where the one before it has ended; a part that is made again takes
/// its own place.
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
  points_.end_step(c, search_);
  if (params_.fallback == int(ZoneFallback::none) && rounds_.progress().left > 0) unclean_ = true;
}

bool ImpactZones::wants_smaller_step() {
  const impact_zones::Progress p = rounds_.progress();
  far_ = far_ || !p.near;
  return may_ask_ && p.unsolved;
}

uint64_t ImpactZones::revision() const {
  return uint64_t(rounds_.moves() + terms_.moves() + search_.moves()) * 4 + (points_.let_through() ? 2 : 0) +
         (may_ask_ ? 1 : 0);
}

CollisionNumbers ImpactZones::numbers(StepContext& c) {
  CollisionNumbers n;
  if (!points_.led_here(c)) return n;
  const impact_zones::Progress p = rounds_.progress();
  n.self_pairs = p.all_found;
  n.collision_steps = p.rounds;
  n.counters = {{"rounds", double(p.rounds)},
                {"impacts", double(p.all_found)},
                {"zones", double(p.zones)},
                {"zone_points", double(p.zone_points)},
                {"zone_iterations", double(p.iterations)},
                {"most_zone_iterations", double(p.solves.most)},
                {"zone_solves", double(p.solves.zones)},
                {"zone_solves_in_10", double(p.solves.in_10)},
                {"zone_solves_in_34", double(p.solves.in_34)},
                {"zone_solves_in_100", double(p.solves.in_100)},
                {"impacts_left", double(p.left)},
                {"parts", double(parts_)},
                {"held_back", double(p.blocked)},
                {"cuts", double(p.cuts)}};
  n.pin_lag = points_.lag(c, rounds_.x1(), rounds_.aim(), false);
  n.body_lag = points_.lag(c, rounds_.x1(), rounds_.aim(), true);
  n.body_lag_place = points_.body_lag_place(c);
  points_.add_passage(c, n);
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
  if (n.counter("parts") > 1)
    all.push_back(fmt::format("Made in {} parts, since {}.", n.counter("parts"),
                              far_ ? "points were to move too far at once" : "impacts remained"));
  const double left = n.counter("impacts_left");
  if (left > 0 && !unclean_)
    all.push_back(fmt::format("{} impact{} remained after the rounds: {} vertices were held back.", left,
                              left == 1 ? "" : "s", n.counter("held_back")));
  if (unclean_)
    all.push_back(fmt::format("{} impacts remained and were published: the cloth may cross.", left));
  for (std::string& words : points_.remarks(n)) all.push_back(std::move(words));
  return all;
}

}  // namespace weft
