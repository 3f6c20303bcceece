#include "sim/collision/surface/contact_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "sim/base/error.h"
#include "sim/base/log.h"
#include "sim/collision/proximity/pair_kernels.h"
#include "sim/collision/surface/contact_points_kernels.h"
#include "sim/device/primitives.h"
#include "sim/scene/teleports.h"

namespace weft {
namespace {

constexpr float kMostLift = 2;  // mean edges
// activation distances: limit for a start that touches a body, or is within a millimetre of its surface
constexpr float kMostStartLift = 4;
// activation distances: a closer start could hardly move under the bounds of a step
constexpr float kTouching = 0.02f;
// activation distances: a body that lags less waits
constexpr float kWaits = 0.2f;
constexpr int kLookedAt = 200;      // points of bodies whose room is measured, at most
constexpr float kPressing = 0.03f;  // m: around points that lag
constexpr int kMeetsBody = 2;       // a mark of SurfaceCrossings
// marks: cloth that a body passes through, points of the body that do, and those that were blocked
constexpr int kPassed = triangle_search::kPassedMark, kPasses = triangle_search::kPassesMark;
// in what is kept from step to step: cloth that had been passed, points of bodies that were late, and that
// press
constexpr int kWasPassed = 32, kLate = 8, kPresses = 64;
constexpr int kBeside = 1;        // while marks are made
constexpr float kRim = 0.03f;     // m around cloth that a body passes, within which it is not held back
constexpr float kReach = 4;       // spacings: surfaces further from cloth do not press it yet
constexpr float kAhead = 10;      // steps in which surfaces are looked at that close
constexpr float kBack = 0.3f;     // m/s: cloth comes out of a body where it has room again
constexpr float kHold = 10;       // times inertia: what goes with a body
constexpr float kLayer = 1.3f;    // activation distances that resting cloth keeps
constexpr size_t kNamed = 3;      // places that a line names
constexpr size_t kMostTold = 12;  // that a run tells
constexpr float kParted =
    0.25f;  // activation distances from which on pairs that started in touch are pairs like all others

bool all_zero(const std::vector<int>& marks) {
  return std::all_of(marks.begin(), marks.end(), [](int mark) { return mark == 0; });
}

/// A corner of a triangle of a body; -1 for a plane.
int corner_of(const HeldBodies& h, int triangle) {
  return triangle < 0 ? PressedPlace::kPlane : h.triangles[triangle].x;
}

void drop_if_zero(std::vector<int>& marks) {
  if (all_zero(marks)) marks.clear();
}

void add_marks(std::vector<int>& marks, const std::vector<int>& more) {
  if (all_zero(more)) return;
  marks.resize(more.size(), 0);
  for (size_t i = 0; i < more.size(); ++i) marks[i] |= more[i];
}

}  // namespace

VertexField let_through_field() {
  return {.name = "let_through",
          .label = "Room between bodies",
          .help = "Let through: cloth that bodies pass, since they leave it no room.",
          .classes = {"kept out", "let through"},
          .missing = "no body passes through cloth",
          .recorded = "A recorded run has no contacts: it stores positions only."};
}

ContactPoints::ContactPoints(StepContext& c)
    : state_(c.state),
      surface_(c.device, c.model, c.scene, c.bodies),
      body_(c.device, "contact bodies", surface_.body_positions(c.scene, c.bodies, c.state.time)),
      body_now_(c.device, "contact bodies", surface_.body_points()),
      lag_(c.device, "lag", surface_.points()),
      worst_lag_(c.device, "lag", 1) {
  state_.carry("contact bodies", body_);
  state_.carry(
      "contact starts", [this] { return starts_to_save(); },
      [this](const std::vector<unsigned char>& b) { take_starts(b); });
}

ContactPoints::~ContactPoints() {
  state_.forget("contact bodies");
  state_.forget("contact starts");
}

/// Whether a step led to the state, then what is kept of its marks and the way by which bodies passed through
/// cloth, where there are any: the state is examined again from them alone.
std::vector<unsigned char> ContactPoints::starts_to_save() const {
  std::vector<unsigned char> bytes{
      static_cast<unsigned char>((state_.revision == made_ || put_back()) + 2 * passage_.tight)};
  for (const int mark : kept_) bytes.push_back(static_cast<unsigned char>(mark));
  if (!let_through()) return bytes;
  bytes.resize(1 + size_t(surface_.points()) + sizeof passage_.way, 0);
  std::memcpy(&bytes[bytes.size() - sizeof passage_.way], &passage_.way, sizeof passage_.way);
  for (const int i : passage_.pressing) bytes[1 + size_t(i)] |= kPresses;
  for (const int i : passage_.late) bytes[1 + size_t(i)] |= kLate;
  return bytes;
}

void ContactPoints::take_starts(const std::vector<unsigned char>& bytes) {
  const size_t marks = bytes.empty() ? 0 : bytes.size() - 1, points = size_t(surface_.points());
  const bool passes = marks == points + sizeof passage_.way;
  if (bytes.empty() || bytes[0] > 3 || (marks > 0 && marks != points && !passes))
    throw Error("what the snapshot says of contact is damaged", "snapshot", "save it again");
  put_back_ = bytes[0] & 1 ? state_.revision + 1 : ~uint64_t(0);
  forget_starts();
  passage_.tight = bytes[0] & 2;
  left_out_.clear(), crossed_.clear();
  if (marks == 0) return;
  kept_.resize(points);
  for (size_t i = 0; i < points; ++i) {
    const int mark = bytes[1 + i];
    kept_[i] = mark & ~(kLate | kPresses);
    if (mark & kPresses) passage_.pressing.push_back(int(i));
    if (mark & kLate) passage_.late.push_back(int(i));
  }
  drop_if_zero(kept_);
  if (passes) std::memcpy(&passage_.way, &bytes[1 + points], sizeof passage_.way);
}

/// For a state that no step of the method led to.
void ContactPoints::forget_starts() {
  kept_.clear();
  passage_.late.clear(), passage_.pressing.clear(), passage_.places.clear();
  passage_.way = 0, passage_.cloth = 0, passage_.tight = false;
}

std::vector<vec3> ContactPoints::positions(const StepContext& c) const {
  std::vector<vec3> all = c.state.position.download();
  const std::vector<vec3> body = body_.download();
  all.insert(all.end(), body.begin(), body.end());
  return all;
}

SearchSurface ContactPoints::search_surface(const StepContext& c) const {
  return {positions(c), surface_.host_triangles(), surface_.host_edges(), surface_.cloth_points(),
          surface_.inner()};
}

void ContactPoints::prepare(StepContext& c) {
  surface_.set_step(c.scene, c.bodies, c.state.time + double(c.dt), c.dt);
  const std::set<int>& teleports = c.scene.of<Teleports>().obstacles;
  if (teleports.empty()) return;
  // bodies that take cloth along where they jump begin the step where they end it
  std::vector<vec3> now = body_.download();
  const std::vector<vec3> target = surface_.body_targets_now();
  const std::vector<int> of = surface_.obstacles_of_points();
  for (const int body : teleports) {
    float way = 0;
    for (size_t i = 0; i < now.size(); ++i)
      if (of[i] == body) way = std::max(way, glm::length(target[i] - now[i]));
    for (size_t i = 0; i < now.size() && way > kJumpSpeed * c.dt; ++i)
      if (of[i] == body) now[i] = target[i];
  }
  body_.upload(now);
}

/// What of the cloth goes with bodies in the step that is set.
void ContactPoints::carry_passed(StepContext& c, const HeldBodies& h) {
  Passage& p = passage_;
  std::vector<int> of = left_out_;
  of.resize(h.now.size(), 0);
  for (int& mark : of) mark &= kPassed;
  std::vector<vec3> way, normal;
  for (const Carried& v : carried(h, p.pressing, of, kBack * c.dt))
    way.push_back(v.way), normal.push_back(v.normal);
  if (p.way_along.size() == 0) {
    p.way_along = Buffer<vec3>(c.device, "cloth that bodies pass", way);
    p.normal = Buffer<vec3>(c.device, "cloth that bodies pass", normal);
  } else {
    p.way_along.upload(way), p.normal.upload(normal);
  }
}

void ContactPoints::add_anchors(StepContext& c) const {
  if (!let_through()) return;
  launch(c.device, "cloth that bodies pass", passage_.way_along.size(),
         contact::GoWithBodies{.way = passage_.way_along.span(),
                               .normal = passage_.normal.span(),
                               .mass = c.model.mass.span(),
                               .stiffness = kHold / (c.dt * c.dt),
                               .weight = c.anchor_weight.span(),
                               .force = c.anchor_force.span()});
}

/// A function of the state and its carry alone: a step may be tried again with longer lists, or after a
/// snapshot was restored.
void ContactPoints::examine(StepContext& c, TriangleSearch& search, const StartLengths& lengths,
                            bool of_step) {
  const bool new_state = !led_here(c), goes_on = !new_state || put_back();
  passage_.spacing = kLayer * lengths.activation;
  const bool looks = of_step && may_close(c);
  if (!crosses() && !new_state && !let_through() && !looks) return;
  if (!goes_on) forget_starts();
  std::vector<vec3> x = positions(c), wanted = x, target = surface_.body_targets_now();
  if (of_step) std::copy(target.begin(), target.end(), wanted.begin() + surface_.cloth_points());
  const HeldBodies h = held(c, x, wanted);
  std::vector<int> closing;
  if (looks && goes_on) foresee(c, h, closing);
  if (!crosses() && !new_state && !let_through()) return;
  const int cloth = surface_.cloth_points();
  const SurfaceCounts counts{cloth, c.model.triangle_count()};
  if (!goes_on) {
    const float most = c.state.step > 0 ? kMostLift * lengths.edge : kMostStartLift * lengths.activation;
    const LiftOut lifted = lift_out_of_bodies(x, surface_.host_triangles(), counts, lengths.activation, most);
    // A state is examined when the method is selected, and again before the first step from it.
    if (lifted.moved || c.state.step != lifted_at_) lifted_ = lifted, lifted_at_ = c.state.step;
    if (lifted.moved) c.state.position.upload({x.begin(), x.begin() + cloth});
  }
  std::vector<int> marks = surface_crossings(x, surface_.host_triangles(), counts).points;
  crossed_ = marks;
  // Of a state that a step had led to only what was left out then: near pairs are those that the method keeps
  // apart.
  std::vector<int> near = goes_on ? kept_ : touching(c, search, x, lengths);
  for (int& mark : near) mark &= ~kWasPassed;
  add_marks(marks, near);
  add_marks(marks, closing);
  if (let_through()) {
    if (passage_.way > 0) {
      std::vector<int> touched = touching(c, search, x, lengths, &passage_.pressing);
      for (int& mark : touched) mark &= kMeetsBody;  // cloth is kept out of itself
      add_marks(marks, touched);
    }
    add_passed(c, x, marks);
    for (int& mark : marks)
      if (mark & kMeetsBody) mark ^= kMeetsBody, mark |= kPassed;
  }
  for (size_t i = size_t(cloth); i < marks.size(); ++i)
    if (marks[i] & kPassed) marks[i] |= kPasses;
  search.leave_out(marks, kParted * lengths.activation);
  left_out_ = std::move(marks);
  if (of_step && let_through()) carry_passed(c, h);
}

/// Bodies, or a part of one against another, may come nearer to each other in the step that is set.
bool ContactPoints::may_close(StepContext& c) const {
  const int bodies = surface_.body_points();
  if (bodies == 0 || c.scene.contact.bodies_wait) return false;
  const auto solid = std::count_if(c.scene.obstacles.begin(), c.scene.obstacles.end(),
                                   [](const Obstacle& o) { return o.shape != ObstacleShape::plane; });
  const bool alone = solid == 1 && surface_.flexible_points().empty() && c.scene.obstacles.size() == 1 &&
                     !c.scene.contact.ground;
  if (alone) return false;
  return passage_.tight || body_.download() != surface_.body_targets_now();
}

/// The triangle that lets cloth go, -1 if none is to: that of the surface which moves more, the same for all
/// layers between both; unless one of both presses already.
int ContactPoints::presser(const Between& b, const std::vector<bool>& pressing) const {
  const auto presses = [&](int t) {
    const ivec3 c = t < 0 ? ivec3(0) : surface_.host_triangles()[t];
    return t >= 0 && pressing[c.x] && pressing[c.y] && pressing[c.z];
  };
  if (presses(b.first) || presses(b.second)) return -1;
  const float first = glm::length(b.motion[0]), second = glm::length(b.motion[1]);
  if (b.first < 0 || b.second < 0 || first == second) return std::max(b.first, b.second);
  return first > second ? b.first : b.second;
}

/// Layers between bodies that leave them less room keep as much less from each other and from those.
void ContactPoints::share_room(Device& device, const HeldBodies& h, const std::vector<Between>& all) {
  constexpr float kShare = 0.9f;  // of a layer's part of the room: constraints on both sides can be met
  std::vector<float> closer(size_t(surface_.cloth_points()), 0);
  const float usual = passage_.spacing / kLayer;
  for (const Between& b : all) {
    const float room = kShare * std::max(std::min(b.now, b.wanted), 0.0f) / float(b.layers + 1);
    closer[b.vertex] = std::max(usual - room, 0.0f);
  }
  const std::vector<float> between =
      closer;  // cloth that hangs out beside them, too: edges of bodies meet it
  for (size_t t = 0; t < size_t(h.cloth_triangles); ++t) {
    const ivec3& f = h.triangles[t];
    const float most = std::max({between[f.x], between[f.y], between[f.z]});
    for (int k = 0; k < 3; ++k) closer[f[k]] = std::max(closer[f[k]], most);
  }
  if (passage_.closer.empty()) passage_.closer = Buffer<float>(device, "room between bodies", closer);
  else passage_.closer.upload(closer);
}

/// Lets cloth go before surfaces press it that will leave it no room: marks it, and adds to what presses.
/// Where bodies will be is read from their scripts: pads that stop in time hold cloth.
void ContactPoints::foresee(const StepContext& c, const HeldBodies& h, std::vector<int>& marks) {
  Passage& p = passage_;
  const std::vector<Between> all = cloth_between(h, kReach * p.spacing);
  p.places.clear();
  std::vector<PressedPlace> places;
  const auto needed = [&](const Between& b) { return p.spacing * float(b.layers + 1); };
  p.tight = std::any_of(all.begin(), all.end(), [&](const Between& b) { return b.wanted < needed(b); });
  if (!p.tight) return;
  share_room(c.device, h, all);
  std::vector<bool> pressing(h.now.size(), false);
  for (const int i : p.pressing) pressing[i] = true;
  std::vector<int> late = p.late;
  std::vector<vec3> then = h.now;
  const std::vector<vec3> bodies =
      surface_.scripted_positions(c.scene, c.bodies, c.state.time + kAhead * double(c.dt));
  std::copy(bodies.begin(), bodies.end(), then.begin() + h.cloth_points);
  const std::vector<Between> later = cloth_between(
      {h.triangles, h.cloth_points, h.cloth_triangles, h.now, then, h.planes, h.spacing}, kReach * p.spacing);
  for (size_t i = 0; i < all.size(); ++i) {
    const Between& b = all[i];
    if (!(b.wanted < needed(b)) || !(b.wanted < b.now)) continue;
    if (std::min(b.wanted, later[i].wanted) > kLeastRoom * needed(b)) continue;
    if (const int t = presser(b, pressing); t >= 0) {
      const ivec3& corner = h.triangles[t];
      late.insert(late.end(), {corner.x, corner.y, corner.z});
    }
    places.push_back({h.now[b.vertex], corner_of(h, b.first), corner_of(h, b.second), b.wanted});
    marks.resize(h.now.size(), 0);
    marks[b.vertex] = kPassed;
  }
  if (marks.empty()) return;
  add_places(p.places, places);
  for (size_t t = 0; t < size_t(h.cloth_triangles); ++t)
    for (int k = 0; k < 3; ++k)
      if (const ivec3& f = h.triangles[t]; marks[f[k]] == kPassed)
        for (int j = 0; j < 3; ++j) marks[f[j]] |= kBeside;
  for (int& mark : marks) mark = mark ? kPassed : 0;
  std::sort(late.begin(), late.end());
  late.erase(std::unique(late.begin(), late.end()), late.end());
  if (late == p.late) return;
  p.late = std::move(late);
  p.pressing = pressing_part(h, p.late, kPressing);
}

/// Per point what it touches, as in SurfaceCrossings::points; empty if nothing. `with`: only pairs with one
/// of these points count. No pair is left out afterwards.
std::vector<int> ContactPoints::touching(StepContext& c, TriangleSearch& search, const std::vector<vec3>& x,
                                         const StartLengths& lengths, const std::vector<int>* with) {
  std::vector<bool> counts(x.size(), !with);
  for (size_t i = 0; with && i < with->size(); ++i) counts[(*with)[i]] = true;
  const Buffer<vec3> at(c.device, "contact points", x);
  search.leave_out({});
  do {
    search.find(at.span(), kTouching * lengths.activation, lengths.margin);
  } while (!search.fits());
  std::vector<int> marks;
  for (const PairList& pairs : {search.vertex_triangle(), search.edge_edge()}) {
    int count = 0;
    c.device.download(&count, pairs.count.data, sizeof count);
    std::vector<ivec4> points(size_t(std::min(count, pairs.capacity())));
    if (points.empty()) continue;
    c.device.download(points.data(), pairs.points.data, points.size() * sizeof(ivec4));
    std::vector<float> apart(points.size());
    c.device.download(apart.data(), pairs.distance.data, apart.size() * sizeof(float));
    marks.resize(x.size(), 0);
    for (size_t i = 0; i < points.size(); ++i) {
      const ivec4& p = points[i];
      // thick parts are found from further away
      if (search.widened() && apart[i] > 2 * kTouching * lengths.activation) continue;
      if (!counts[p.x] && !counts[p.y] && !counts[p.z] && !counts[p.w]) continue;
      const bool body = std::max({p.x, p.y, p.z, p.w}) >= surface_.cloth_points();
      for (int k = 0; k < 4; ++k) marks[p[k]] |= body ? 2 : 1;
    }
  }
  return marks;
}

void ContactPoints::begin_step(Device& device) {
  device.copy(body_now_.span().data, body_.span().data, size_t(body_.size()) * sizeof(vec3));
}

HeldBodies ContactPoints::held(const StepContext& c, const std::vector<vec3>& now,
                               const std::vector<vec3>& wanted) const {
  return {surface_.host_triangles(), surface_.cloth_points(), c.model.triangle_count(), now, wanted,
          surface_.planes_now(),     passage_.spacing};
}

/// The cloth that lies behind what presses, 1 per point.
Behind ContactPoints::find_passed(const HeldBodies& h) const {
  std::vector<int> known = kept_;
  for (int& mark : known) mark &= kWasPassed;
  return behind(h, passage_.pressing, known, passage_.way + passage_.spacing);
}

/// Marks the cloth that lies behind what presses, and that part of the bodies; once there is none, the part
/// counts as all others.
void ContactPoints::add_passed(const StepContext& c, const std::vector<vec3>& x, std::vector<int>& marks) {
  Passage& p = passage_;
  std::vector<int> more = find_passed(held(c, x, x)).points;
  if (all_zero(more) && marks.empty() && p.way == 0)
    return p.late.clear(), p.pressing.clear(), p.places.clear();
  for (int& mark : more) mark *= kPassed;
  for (const int i : p.pressing) more[i] = kPassed | kPasses;
  add_marks(marks, more);
}

/// Bodies that cloth holds back go to their places where they, or two parts of one, leave that cloth no room.
void ContactPoints::give_way(StepContext& c) {
  Passage& p = passage_;
  p.way = 0;
  const int bodies = surface_.body_points(), cloth = surface_.cloth_points();
  if (bodies == 0 || p.spacing == 0 || c.scene.contact.bodies_wait) return;
  const Span<float> lag(lag_.span().data, bodies);
  launch(c.device, "lag", bodies, contact::BodyLag{body_now_.span(), surface_.body_targets(), lag});
  reduce_max(c.device, lag, worst_lag_.span());
  const float least = kWaits / kLayer * p.spacing;
  if (!(worst_lag_.download()[0] > least)) return;
  std::vector<vec3> now = c.state.position.download(), moved = body_now_.download();
  const std::vector<vec3> way = c.displacement.download(), target = surface_.body_targets_now();
  for (size_t v = 0; v < now.size(); ++v) now[v] += way[v];
  std::vector<vec3> wanted = now;
  now.insert(now.end(), moved.begin(), moved.end()),
      wanted.insert(wanted.end(), target.begin(), target.end());
  std::vector<int> late;
  for (int i = cloth; i < cloth + bodies; ++i)
    if (glm::length(wanted[i] - now[i]) > least) late.push_back(i);
  const HeldBodies h = held(c, now, wanted);
  const std::vector<NoRoom> found = places_without_room(h, late, kLookedAt);
  const std::vector<int> of = surface_.obstacles_of_points();
  // a body that passes through cloth goes on where it has room, too: what is behind it would hold it
  std::vector<bool> goes(c.scene.obstacles.size(), false);
  for (const int i : p.late) goes[of[i - cloth]] = true;
  if (found.empty() && p.late.empty()) return;
  if (!found.empty()) p.places.clear();
  for (const NoRoom& n : found) {
    const int corner = surface_.host_triangles()[n.triangle].x;
    goes[of[corner - cloth]] = true;
    p.places.push_back({n.at, corner, corner_of(h, n.before), n.room});
  }
  // a body that deforms waits for cloth where it leaves it room; a rigid one goes as a whole
  std::vector<vec3> passed;
  for (const NoRoom& n : found) passed.push_back(n.at);
  for (int v = 0; v < std::min(cloth, int(left_out_.size())); ++v)
    if (left_out_[v] & kPassed) passed.push_back(now[v]);
  const auto waits = [&](int i) {
    return c.scene.obstacles[of[i - cloth]].deforms() &&
           std::none_of(passed.begin(), passed.end(),
                        [&](const vec3& at) { return glm::length(at - wanted[i]) < kRim; });
  };
  late.erase(std::remove_if(late.begin(), late.end(), waits), late.end());
  for (int i = 0; i < bodies; ++i) {
    const int body = of[i];
    if (goes[body] && !c.scene.obstacles[body].deforms()) moved[i] = target[i];
  }
  for (const int i : late) {
    if (!goes[of[i - cloth]]) continue;
    moved[i - cloth] = target[i - cloth];
    p.way = std::max(p.way, glm::length(wanted[i] - now[i]));
    if (!std::count(p.late.begin(), p.late.end(), i)) p.late.push_back(i);
  }
  std::sort(p.late.begin(), p.late.end());
  p.pressing = pressing_part(h, p.late, kPressing);
  body_now_.upload(moved);
}

std::vector<PlaceWords> ContactPoints::places_in_words(const StepContext& c) const {
  return in_words(passage_.places, surface_, c.bodies, c.scene);
}

std::string ContactPoints::passed_place(const StepContext& c) const {
  if (passage_.cloth == 0) return {};
  const std::vector<PlaceWords> all = places_in_words(c);
  std::string words;
  for (size_t i = 0; i < std::min(all.size(), kNamed); ++i) words += (i ? "; " : "") + all[i].all;
  if (all.size() > kNamed) words += fmt::format("; and {} more", all.size() - kNamed);
  return words;
}

void ContactPoints::add_passage(const StepContext& c, CollisionNumbers& n) const {
  n.let_through = passage_.cloth;
  n.let_through_place = passed_place(c);
  n.let_through_depth = passage_.deepest;
}

/// Once for each place.
void ContactPoints::report_passage(const StepContext& c) {
  for (const PlaceWords& place : places_in_words(c)) {
    if (!place.both && !passage_.told.empty()) continue;  // the same as was told before
    if (passage_.told.size() > kMostTold || !passage_.told.insert(place.where).second) continue;
    if (passage_.told.size() > kMostTold)
      return log_warning("bodies leave the cloth no room in more than {} places; others are not named",
                         kMostTold);
    log_warning(
        "{} in step {}: cloth there cannot be kept out of both (contact.bodies_wait holds bodies back "
        "instead)",
        place.all, c.state.step + 1);
  }
}

/// What a body passes through in the state that the step leads to: what lies behind it or was let go.
void ContactPoints::note_passed(StepContext& c) {
  Passage& p = passage_;
  p.cloth = 0, p.deepest = 0;
  if (!let_through()) return;
  std::vector<vec3> now = c.state.position.download(), bodies = body_now_.download();
  const std::vector<vec3> way = c.displacement.download();
  for (size_t v = 0; v < now.size(); ++v) now[v] += way[v];
  now.insert(now.end(), bodies.begin(), bodies.end());
  const HeldBodies h = held(c, now, now);
  add_places(p.places, body_crossings(h, p.pressing));
  if (p.places.empty())  // as after a snapshot
    p.places.push_back({now[p.late.front()], p.late.front(), PressedPlace::kUnknown, 0});
  report_passage(c);
  const Behind found = find_passed(h);
  p.deepest = found.deepest;
  std::vector<float> marked(size_t(surface_.cloth_points()), 0.0f);
  for (size_t v = 0; v < marked.size(); ++v) {
    const bool let_go = v < left_out_.size() && (left_out_[v] & kPassed);
    if (found.points[v] || let_go) marked[v] = 1, ++p.cloth;
  }
  if (p.cloth_marks.size() == 0) p.cloth_marks = Buffer<float>(c.device, "cloth that bodies pass", marked);
  else p.cloth_marks.upload(marked);
}

void ContactPoints::keep_marks(const TriangleSearch& search) {
  kept_ = search.left_out_and_near();
  const size_t cloth = size_t(surface_.cloth_points());
  for (size_t v = 0; v < std::min(cloth, left_out_.size()); ++v)
    if (left_out_[v] & kPassed) kept_[v] |= kWasPassed;
  drop_if_zero(kept_);
}

void ContactPoints::end_step(StepContext& c, const TriangleSearch& search) {
  keep_marks(search);
  give_way(c);
  note_passed(c);
  made_ = c.state.revision + 1;
  body_lag_ = {};
  c.device.copy(body_.span().data, body_now_.span().data, size_t(body_.size()) * sizeof(vec3));
}

float ContactPoints::lag(StepContext& c, Span<const vec3> x, Span<const vec3> aim, bool of_bodies) {
  if (of_bodies && surface_.body_points() == 0) return 0;
  if (of_bodies && body_lag_.way >= 0) return body_lag_.way;
  if (of_bodies) {
    const Span<float> lag(lag_.span().data, surface_.body_points());
    launch(c.device, "lag", lag.size, contact::BodyLag{body_.span(), surface_.body_targets(), lag});
    reduce_max(c.device, lag, worst_lag_.span());
  } else {
    const Span<float> lag(lag_.span().data, surface_.cloth_points());
    launch(c.device, "lag", lag.size, contact::PinLag{x, aim, c.kinematic.span(), lag});
    reduce_max(c.device, lag, worst_lag_.span());
  }
  const float worst = std::max(0.0f, worst_lag_.download()[0]);
  if (!of_bodies) return worst;
  body_lag_ = {worst, -1};
  if (worst > kShownLag) {
    const std::vector<float> all = lag_.download();
    body_lag_.point = int(std::max_element(all.begin(), all.begin() + surface_.body_points()) - all.begin());
  }
  return worst;
}

std::string ContactPoints::body_lag_place(const StepContext& c) const {
  if (body_lag_.point < 0) return {};
  return body_in_words(surface_, c.bodies, c.scene, surface_.cloth_points() + body_lag_.point);
}

std::vector<LaggingBody> ContactPoints::lagging_bodies(StepContext& c, Span<const vec3> x,
                                                       Span<const vec3> aim) {
  std::vector<LaggingBody> found;
  const bool after_step = led_here(c);  // else a snapshot was restored, or nothing has moved yet
  if (surface_.body_points() == 0 || (after_step && !(lag(c, x, aim, true) > 0))) return found;
  const std::vector<vec3> now = body_.download();
  const std::vector<vec3> wanted =
      after_step ? surface_.body_targets_now() : surface_.body_positions(c.scene, c.bodies, c.state.time);
  for (int i = 0; i < int(c.scene.obstacles.size()); ++i) {
    auto own = std::make_shared<std::vector<vec3>>(surface_.of_body(i, now));
    const std::vector<vec3> target = surface_.of_body(i, wanted);
    float worst = 0;
    for (size_t k = 0; k < own->size(); ++k) worst = std::max(worst, glm::length((*own)[k] - target[k]));
    if (worst > 0) found.push_back({i, std::move(own)});
  }
  return found;
}

std::vector<std::string> ContactPoints::remarks(const CollisionNumbers& n) const {
  std::vector<std::string> all;
  if (lifted_.moved)
    all.push_back(fmt::format(
        "{} triangle{} of the cloth started inside bodies and were moved out, by up to {:.1f} mm.",
        lifted_.triangles, lifted_.triangles == 1 ? "" : "s", 1e3 * double(lifted_.farthest)));
  if (n.pin_lag > 1e-3f)
    all.push_back(fmt::format("Pinned vertices lag {:.0f} mm.", 1e3 * double(n.pin_lag)));
  if (n.let_through > 0 && !n.let_through_place.empty())
    all.push_back(
        fmt::format("{}: {} {} there cannot be kept out of both. They are orange (view.show_exceptions).",
                    n.let_through_place, n.let_through, n.let_through == 1 ? "vertex" : "vertices"));
  if (n.body_lag > kShownLag)
    all.push_back(fmt::format("{} lags {:.1f} mm behind its motion, since cloth is in the way.",
                              n.body_lag_place.empty() ? "A body" : n.body_lag_place,
                              1e3 * double(n.body_lag)));
  return all;
}

Path* path_to_keep(const Device& device) {
  Path* path = device.kind() == DeviceKind::cpu && !device.verify_replays ? KeepPath::now() : nullptr;
  if (path) path->clear();
  return path;
}

void add_corner(Path& path, const std::vector<vec3>& positions) {
  std::vector<dvec3> corner(positions.begin(), positions.end());
  if (path.empty() || corner != path.back()) path.push_back(std::move(corner));
}

}  // namespace weft
