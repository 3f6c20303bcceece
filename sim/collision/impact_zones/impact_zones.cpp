#include "sim/collision/impact_zones/impact_zones.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/collision/path.h"

namespace weft {
namespace {

constexpr float kMostLift = 2;          // mean edges
constexpr float kMostStartLift = 4e-3f; // m: limit for a start that touches a body
constexpr int kMostParts = 8;           // of a step, after which points are held back

std::vector<vec3> all_positions(const StepContext& c, const ContactSurface& surface) {
  std::vector<vec3> all = c.state.position.download();
  const std::vector<vec3> body = surface.body_positions(c.scene, c.bodies, c.state.time);
  all.insert(all.end(), body.begin(), body.end());
  return all;
}

}  // namespace

ImpactZones::ImpactZones(StepContext& c)
    : state_(c.state),
      surface_(c.device, c.model, c.scene, c.bodies),
      body_(c.device, "contact bodies", surface_.body_positions(c.scene, c.bodies, c.state.time)),
      body_now_(c.device, "contact bodies", surface_.body_points()),
      rounds_(c.device, surface_, all_positions(c, surface_)),
      params_(c.scene.of<ImpactZonesParams>()) {
  rounds_.prepare(params_);
  state_.carry("contact bodies", body_);
  state_.carry("impacts left", [this] { return std::vector<unsigned char>{static_cast<unsigned char>(unclean_)}; },
               [this](const std::vector<unsigned char>& b) { unclean_ = !b.empty() && b[0] != 0; });
  look_at_state(c);
}

ImpactZones::~ImpactZones() {
  state_.forget("contact bodies");
  state_.forget("impacts left");
}

Guarantee ImpactZones::guarantee() const {
  if (unclean_) return {Protection::none, Protection::none, 0};
  return {Protection::intersection_free, Protection::intersection_free, 0};
}

void ImpactZones::prepare(StepContext& c) {
  params_ = c.scene.of<ImpactZonesParams>();
  if (crosses_ || unclean_ || c.state.revision != made_) look_at_state(c);
  surface_.set_step(c.scene, c.bodies, c.state.time + double(c.dt));
  rounds_.prepare(params_);
  parts_ = std::max(1, int(std::lround(double(c.scene.step.dt) / double(c.dt))));
  may_ask_ = params_.fallback == int(ZoneFallback::smaller_steps) && parts_ < kMostParts;
}

/// Pairs that cross are left out: their impacts could not be removed. A state that was published with impacts is
/// clean again when nothing crosses.
void ImpactZones::look_at_state(StepContext& c) {
  std::vector<vec3> x = c.state.position.download();
  const int cloth = int(x.size());
  const std::vector<vec3> body = body_.download();
  x.insert(x.end(), body.begin(), body.end());
  const SurfaceCounts counts{cloth, c.model.triangle_count()};
  if (c.state.revision != made_) {
    const float most = c.state.step > 0 ? kMostLift * rounds_.mean_edge() : kMostStartLift;
    const LiftOut lifted = lift_out_of_bodies(x, surface_.host_triangles(), counts, params_.activation, most);
    if (lifted.moved || c.state.step != lifted_at_) lifted_ = lifted, lifted_at_ = c.state.step;
    if (lifted.moved) c.state.position.upload({x.begin(), x.begin() + cloth});
  }
  const std::vector<int> marks = surface_crossings(x, surface_.host_triangles(), counts).points;
  crosses_ = !marks.empty();
  if (!crosses_) unclean_ = false;
  rounds_.leave_out(marks);
}

void ImpactZones::begin_step(StepContext& c) {
  rounds_.begin(c.model.mass.span(), c.kinematic.span());
  c.device.copy(body_now_.span().data, body_.span().data, size_t(body_.size()) * sizeof(vec3));
}

void ImpactZones::advance(StepContext& c) {
  StageScope stage(c.device.profiler(), "impact zones");
  rounds_.handle(c.state.position.span(), c.displacement.span(), body_now_.span(), params_.fallback != int(ZoneFallback::none) && !may_ask_);
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
  made_ = c.state.revision + 1;
  c.device.copy(body_.span().data, body_now_.span().data, size_t(body_.size()) * sizeof(vec3));
  if (params_.fallback == int(ZoneFallback::none) && rounds_.progress().left > 0) unclean_ = true;
}

bool ImpactZones::fits() { return rounds_.fits(); }

bool ImpactZones::wants_smaller_step() { return may_ask_ && rounds_.progress().left > 0; }

CollisionNumbers ImpactZones::numbers(StepContext& c) {
  CollisionNumbers n;
  if (c.state.revision != made_) return n;
  const impact_zones::Progress p = rounds_.progress();
  n.self_pairs = p.all_found;
  n.collision_steps = p.rounds;
  n.failed_steps = p.left;
  n.rolled_back = parts_ - 1;
  n.hard_vertices = p.held;
  n.soft_vertices = p.zone_points;
  n.pin_lag = rounds_.lag(c.kinematic.span(), c.kinematic_displacement.span(), false);
  n.body_lag = rounds_.lag(c.kinematic.span(), c.kinematic_displacement.span(), true);
  return n;
}

std::vector<LaggingBody> ImpactZones::lagging_bodies(StepContext& c) {
  std::vector<LaggingBody> found;
  if (surface_.body_points() == 0) return found;
  const bool after_step = c.state.revision == made_;
  const std::vector<vec3> now = body_.download();
  const std::vector<vec3> wanted = after_step ? surface_.body_targets_now() : surface_.body_positions(c.scene, c.bodies, c.state.time);
  for (int i = 0; i < int(c.scene.obstacles.size()); ++i) {
    auto own = std::make_shared<std::vector<vec3>>(surface_.of_body(i, now));
    const std::vector<vec3> aim = surface_.of_body(i, wanted);
    float worst = 0;
    for (size_t k = 0; k < own->size(); ++k) worst = std::max(worst, glm::length((*own)[k] - aim[k]));
    if (worst > kShownLag) found.push_back({i, std::move(own)});
  }
  return found;
}

std::vector<std::string> ImpactZones::remarks(const CollisionNumbers& n) const {
  std::vector<std::string> all{guarantee().sentences(true)};
  if (n.collision_steps > 0 || n.self_pairs > 0)
    all.push_back(fmt::format("{} impact{} in {} round{}.", n.self_pairs, n.self_pairs == 1 ? "" : "s", n.collision_steps, n.collision_steps == 1 ? "" : "s"));
  if (n.rolled_back > 0) all.push_back(fmt::format("Made in {} parts, since impacts remained.", n.rolled_back + 1));
  if (n.failed_steps > 0 && !unclean_)
    all.push_back(fmt::format("{} impact{} remained after the rounds: {} vertices were held back.", n.failed_steps, n.failed_steps == 1 ? "" : "s", n.hard_vertices));
  if (unclean_) all.push_back(fmt::format("{} impacts remained and were published: the cloth may cross.", n.failed_steps));
  if (lifted_.moved)
    all.push_back(fmt::format("{} triangle{} of the cloth started inside bodies and were moved out, by up to {:.1f} mm.",
                              lifted_.triangles, lifted_.triangles == 1 ? "" : "s", 1e3 * double(lifted_.farthest)));
  if (n.pin_lag > 1e-3f) all.push_back(fmt::format("Pinned vertices lag {:.0f} mm.", 1e3 * double(n.pin_lag)));
  if (n.body_lag > 1e-4f)
    all.push_back(fmt::format("A body lags {:.1f} mm behind its motion, since cloth is in the way.", 1e3 * double(n.body_lag)));
  return all;
}

std::vector<std::pair<std::string, int>> ImpactZones::counts() {
  const impact_zones::Progress p = rounds_.progress();
  return {{"rounds", p.rounds}, {"impacts", p.all_found}, {"zones", p.zones}, {"zone points", p.zone_points},
          {"zone iterations", p.iterations}, {"impacts left", p.left}, {"parts", parts_}, {"held back", p.held}, {"cuts", p.cuts}};
}

}  // namespace weft
