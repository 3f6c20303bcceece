#include "sim/collision/repulsion/repulsion.h"
#include "sim/collision/repulsion/constraints/repulsion_params.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/error.h"
#include "sim/collision/repulsion/coupling_kernels.h"
#include "sim/mesh/vertex_normals.h"
#include "sim/scene/friction.h"

namespace weft {

Repulsion::Repulsion(StepContext& c)
    : state_(c.state),
      scene_(c.scene),
      bodies_(c),
      numbers_(c.device, c.model.vertex_count()),
      momentum_(c),
      lookout_{{c.device, "contacts of x", c.model.vertex_count()},
               {c.device, "contacts of x", c.model.vertex_count()}},
      blocked_(c.device, "contact pushes", c.model.vertex_count()),
      push_(c.device, "contact pushes", c.model.vertex_count()),
      multiplier_(c.device, "multipliers", c.model.vertex_count()),
      raised_(c.device, "multipliers", c.model.vertex_count()),
      params_(c.scene.of<RepulsionParams>()) {
  build(c);
  state_.carry("contact pushes", push_);
  state_.carry("multipliers", multiplier_);
}

Repulsion::~Repulsion() {
  state_.forget("contact pushes");
  state_.forget("multipliers");
}

namespace {

/// Multiple of sigma, over the scale of the mesh. Smaller on coarser meshes: the same pull is held by
/// vertices that are fewer by the square of the edge length, each heavier by that square, at a gap longer by
/// the length.
constexpr float kFirmest = 1000;

constexpr float kRounded = 1e-4f;  // fraction of a length: smaller differences are rounding

constexpr float kTooDeep = 0.4e-3f;  // m in a body: half of the bound, minus rounding by triangles and fields

/// Fraction of the longest edge that constraints allow: body vertices' edges are so short that they need no
/// constraint.
constexpr float kBodyEdge = 0.7f;

float body_edge(const RepulsionParams& params, const Topology& t) {
  return kBodyEdge * repulsion_constants(params, edge_range(t)).max_edge;
}

}  // namespace

/// The requested L and B may not hold for the state. After a smaller L the old one stays until no edge is
/// longer than the new one; after a larger one edges may grow only as layers separate. A state made by
/// another method, or a start, has no guarantee until some L and B hold in it. Bodies' vertices depend on L,
/// which also stays while bodies lag: new vertices would start at the body's target and not at its position.
/// A state after steps without hard phase or limits counts as made by another method, since cloth may have
/// crossed.
void Repulsion::settle_lengths(StepContext& c) {
  const bool own_state = c.state.revision == made_ && (guarded_ || !guards(c.scene.of<RepulsionParams>()));
  const RepulsionParams old = params_;
  const RepulsionConstants before = steps_->constants(),
                           asked =
                               repulsion_constants(c.scene.of<RepulsionParams>(), steps_->edges_at_rest());
  params_ = c.scene.of<RepulsionParams>();
  if (own_state && lengths_ == Lengths::settled && asked.bound == before.bound) return;
  const bool sound = own_state && lengths_ != Lengths::taken_over;
  const auto hold = [&] { params_.max_edge = old.max_edge, params_.reference_edge = old.reference_edge; };
  if (sound && body_vertices_ && asked.bound != before.bound && body_vertices_->lag(c.device) > 1e-6f) {
    hold();
    lengths_ = Lengths::edges_too_long;
    return;
  }
  if (before.search_radius < asked.bound) steps_->prepare(params_);
  const RepulsionNumbers::Lengths now = numbers_.lengths(positions_now(c), *steps_, asked.bound);
  const bool too_long = now.longest > (1 + kRounded) * std::sqrt(2.0f) * asked.bound,
             too_near = now.nearest < (1 - kRounded) * asked.bound;
  kept_ = 1e30f;
  lengths_ = Lengths::settled;
  if (!too_long && !too_near) return;
  // Pairs that are at least the longest edge / sqrt(2) apart prove by themselves that nothing crosses.
  const bool proved = now.longest <= (1 - kRounded) * std::sqrt(2.0f) * now.nearest;
  if (!sound && !proved) {
    lengths_ = Lengths::taken_over;
  } else if (!sound) {
    kept_ = now.nearest;
    lengths_ = Lengths::pairs_too_near;
  } else if (too_long) {
    hold();
    kept_ = before.kept < before.bound ? before.kept : 1e30f;
    lengths_ = Lengths::edges_too_long;
  } else {
    // In steps, since each rebuilds the fold guard.
    constexpr float kLeap = 1.1f;
    kept_ = now.nearest > kLeap * before.kept ? now.nearest : before.kept;
    lengths_ = Lengths::pairs_too_near;
  }
}

/// Vertices added to bodies while cloth moves may be closer to it than B, and cloth may lie across an edge of
/// the body: close pairs must then only not come closer, as after a state was replaced. There is no guarantee
/// for bodies until all pairs are B apart.
void Repulsion::settle_bodies(StepContext& c) {
  if (clear_ && clear_of_ == builds_ && c.state.revision == made_) return;
  clear_ = clear_of_bodies(c);
  clear_of_ = builds_;
}

bool Repulsion::clear_of_bodies(StepContext& c) {
  const float bound = steps_->constants().bound, rounded = kRounded * bound;
  if (numbers_.lengths(positions_now(c), *steps_, bound).nearest < bound - rounded) return false;
  const std::vector<vec3> x = c.state.position.download();
  const auto above = [&](const vec3& normal, float height) {
    return std::all_of(x.begin(), x.end(),
                       [&](const vec3& p) { return glm::dot(normal, p) >= height - rounded; });
  };
  for (const Obstacle& o : scene_.obstacles) {
    if (o.shape != ObstacleShape::plane) continue;
    const mat4 place = Bodies::transform(o, c.state.time);
    const vec3 normal = glm::normalize(vec3(place[1]));
    if (!above(normal, glm::dot(normal, vec3(place[3])))) return false;
  }
  return !scene_.contact.ground || above(vec3(0, 1, 0), scene_.contact.ground_height);
}

std::string Repulsion::remark_on_lengths() const {
  const RepulsionConstants& c = steps_->constants();
  const double asked =
                   1e3 *
                   double(
                       repulsion_constants(scene_.of<RepulsionParams>(), steps_->edges_at_rest()).max_edge),
               most = 1e3 * double(c.max_edge);
  switch (lengths_) {
    case Lengths::settled: return {};
    case Lengths::edges_too_long:
      return fmt::format(
          "Edges may still be {:.1f} mm long: the new limit of {:.1f} mm is not in force yet, "
          "since some are longer or a body lags.",
          most, asked);
    case Lengths::pairs_too_near:
      return fmt::format(
          "Edges stay below {:.1f} mm until layers are as far apart as the settings require ({:.1f} mm).",
          most, 1e3 * double(c.bound));
    case Lengths::taken_over:
      return "This state was loaded, made by another method, or computed without hard phase or limits. Some "
             "layers are closer, or edges longer, than this method allows; cloth may cross there until it "
             "recovers.";
  }
  return {};
}

/// Body vertices belong to one length of edges.
void Repulsion::build(StepContext& c) {
  const Topology& cloth = c.model.host;
  const float edge = body_edge(params_, cloth);
  const bool wanted = params_.body_vertices, have = body_vertices_ != nullptr;
  bool guarded = false;
  if (!steps_ || wanted != have || (wanted && body_vertices_->longest() != edge)) {
    guarded = steps_ && steps_->samples_on();
    body_vertices_.reset();  // drops its carry before the new one registers
    try {
      if (wanted) body_vertices_ = std::make_unique<BodyVertices>(c, edge);
    } catch (const DeviceLost&) {
      throw;
    } catch (...) {  // too many, or no memory: pairs must not refer to released points
      steps_ = std::make_unique<CollisionSteps>(c.lists, cloth);
      steps_->prepare(params_);
      ++builds_;
      throw;
    }
    steps_ = wanted ? std::make_unique<CollisionSteps>(c.lists, cloth, body_vertices_->count(),
                                                       body_vertices_->edges())
                    : std::make_unique<CollisionSteps>(c.lists, cloth);
    ++builds_;
  } else if (wanted && body_vertices_->take_moving(c.scene)) {
    guarded = steps_->samples_on();
    steps_ =
        std::make_unique<CollisionSteps>(c.lists, cloth, body_vertices_->count(), body_vertices_->edges());
    ++builds_;
  }
  if (guarded) {  // edges may be beyond L, also after resampling was switched off
    RepulsionParams with_samples = params_;
    with_samples.resampling = true;
    steps_->prepare(with_samples, kept_);
  }
  steps_->prepare(params_, kept_);
  set_friction(c);
}

void Repulsion::set_friction(StepContext& c) {
  const std::vector<int>& vertex_part = c.model.host.vertex_part;
  const size_t cloths = c.model.host.parts.size();
  std::vector<float> said = friction_coefficients(c.scene, int(cloths));
  const size_t materials = said.size() / cloths;
  said.push_back(params_.self_friction);
  if (said == friction_ && friction_of_ == builds_) return;
  friction_ = said, friction_of_ = builds_;
  said.pop_back();
  CollisionSteps::Friction& f = steps_->friction();
  f.material = {}, f.coefficient = {};
  f.painted = PaintedFriction(c.device, c.model.host);
  bool depends = f.painted.any();
  for (size_t i = 0; i < said.size(); ++i)
    depends =
        depends || (i % materials < cloths ? said[i] >= 0 : body_vertices_ && said[i] != said[i % materials]);
  if (depends) {
    std::vector<int> material = vertex_part;
    if (body_vertices_)
      for (const int obstacle : body_vertices_->obstacles()) material.push_back(int(cloths) + obstacle);
    material.resize(size_t(f.with.size()), 0);
    f.material = Buffer<int>(c.device, "materials of vertices", material);
    f.coefficient = Buffer<float>(c.device, "friction coefficients", said);
    f.cloths = int(cloths);
  } else if (body_vertices_) {
    std::vector<vec3> with(vertex_part.size(), vec3(params_.self_friction, 0, 0));
    for (const int obstacle : body_vertices_->obstacles())
      with.push_back(vec3(said[cloths + size_t(obstacle)], 0, 0));
    c.device.upload(f.with.span().data, with.data(), with.size() * sizeof(vec3));
  }
}

ContactTraits Repulsion::traits(const Scene& scene) const {
  return {.among_cloth = true, .stretch_limit = steps_->stretch_limit_with(scene.of<RepulsionParams>())};
}

/// Positions of all vertices, between two steps.
Span<const vec3> Repulsion::positions_now(StepContext& c) {
  return body_vertices_ ? body_vertices_->positions_now(c) : Span<const vec3>(c.state.position);
}

/// Target displacements of all vertices.
Span<const vec3> Repulsion::displacements(StepContext& c) {
  return body_vertices_ ? body_vertices_->displacements(c.device, c.displacement)
                        : Span<const vec3>(c.displacement);
}

Guarantee Repulsion::guarantee() const {
  Guarantee g;
  g.self =
      guards(params_) && lengths_ != Lengths::taken_over ? Protection::intersection_free : Protection::none;
  g.bodies = Protection::bounded_penetration;
  // A plane that moves may come faster than cloth can leave.
  const auto moves = [](const Obstacle& o) { return o.shape == ObstacleShape::plane && o.motion.moves(); };
  if (body_vertices_ && clear_ && g.self == Protection::intersection_free &&
      std::none_of(scene_.obstacles.begin(), scene_.obstacles.end(), moves))
    g.bodies = Protection::intersection_free;
  g.body_bound = 1e-3f;
  return g;
}

void Repulsion::prepare(StepContext& c) {
  settle_lengths(c);
  build(c);
  bodies_.prepare(c);
  if (!body_vertices_) return;
  body_vertices_->prepare(c);
  settle_bodies(c);
}

bool Repulsion::couples() const {
  return params_.integration == int(Integration::splitting) ||
         params_.integration == int(Integration::phantom_mesh);
}

bool Repulsion::moves_together() const {
  return params_.integration != int(Integration::post_processing) && params_.initial_steps > 0;
}

void Repulsion::find_planes(StepContext& c, Span<const vec3> u, Span<const vec3> target, float reach) {
  const float range = std::max(steps_->constants().budget, steps_->constants().initial_budget);
  const repulsion::FindBodyPlanes find{c.state.position,
                                       c.model.contact.offset,
                                       bodies_.free_distance(),
                                       c.kinematic,
                                       c.bodies.view(),
                                       u,
                                       target,
                                       range,
                                       reach,
                                       lookout_.now,
                                       steps_->plane_normal(),
                                       steps_->plane_gap(),
                                       steps_->plane_stride(),
                                       body_vertices_ != nullptr};
  launch(c.device, "body planes", c.model.vertex_count(), find);
}

CollisionSteps::FindPlanes Repulsion::plane_finder(StepContext& c) {
  if (c.bodies.view().count == 0) return nullptr;
  CollisionSteps::FindPlanes planes;
  planes.find = [&](Span<const vec3> u, Span<const vec3> target, float reach) {
    find_planes(c, u, target, reach);
  };
  const auto copy = [&c](Buffer<repulsion::Lookout>& to, const Buffer<repulsion::Lookout>& from) {
    c.device.copy(to.span().data, from.span().data, size_t(to.size()) * sizeof(repulsion::Lookout));
  };
  planes.keep = [this, copy] { copy(lookout_.before, lookout_.now); };
  planes.restore = [this, copy] { copy(lookout_.now, lookout_.before); };
  return planes;
}

void Repulsion::begin_step(StepContext& c) {
  taken_ = 0;
  bodies_.begin_step(c);
  lookout_.now.clear();
  const repulsion::FreePieces pieces = momentum_.begin_step();
  if (body_vertices_) {
    body_vertices_->begin_step(c);
    steps_->begin(body_vertices_->positions(), body_vertices_->kinematic(), c.model.mass, pieces);
  } else {
    steps_->begin(c.state.position, c.kinematic, c.model.mass, pieces);
  }
  find_planes(c, steps_->u(), steps_->u(), 0);
  launch(c.device, "normals", c.model.vertex_count(),
         VertexNormals{c.state.position, c.model.triangles, c.model.vertex_triangles.start,
                       c.model.vertex_triangles.entry, steps_->normal()});
  const size_t bytes = size_t(c.model.vertex_count()) * sizeof(vec3);
  c.device.copy(blocked_.span().data, push_.span().data, bytes);
  if (moves_together()) steps_->move_together(displacements(c), plane_finder(c));
}

void Repulsion::before_iteration(StepContext& c, int k) {
  bodies_.before_iteration(c, k);
  if (couples()) couple(c);
  else
    launch(c.device, "coupling", c.model.vertex_count(),
           repulsion::MarkAnchored{c.anchor_weight, momentum_.anchored()});
}

void Repulsion::couple(StepContext& c) {
  // of x, until the step ends
  const float step = steps_->constants().step_limit,
              reach = float(std::max(6, params_.steps - taken_)) * step;
  const bool phantom = params_.integration == int(Integration::phantom_mesh);
  const float firmest = params_.coupling_grows ? kFirmest / steps_->constants().scale : 1.0f;
  launch(c.device, "coupling", c.model.vertex_count(),
         repulsion::Couple{
             c.model.mass, steps_->u(), phantom ? Span<const vec3>(multiplier_) : Span<const vec3>(),
             phantom ? Span<const vec3>() : Span<const vec3>(blocked_), params_.coupling_everywhere,
             c.displacement, params_.coupling, 0.1f * step, step, 0.1f * step, firmest, reach,
             c.anchor_weight, c.anchor_force, momentum_.anchored()});
}

/// K collision steps, shared evenly among the solver's iterations.
Schedule Repulsion::plan(int iterations) {
  iterations_ = iterations;
  Schedule schedule;
  if (params_.integration == int(Integration::post_processing)) return schedule;
  for (int k = 0; k < iterations; ++k) schedule.ends.push_back(k);
  return schedule;
}

void Repulsion::end_round(StepContext& c, int round) {
  const int wanted = int(int64_t(params_.steps) * (round + 1) / iterations_);
  // Pairs are those of the last search, with which y was coupled.
  if (round > 0) momentum_.balance(c, {steps_->u(), steps_->outside()});
  steps_->advance(displacements(c), wanted - taken_, plane_finder(c));
  taken_ = wanted;
  c.device.copy(blocked_.span().data, steps_->push().span().data,
                size_t(c.model.vertex_count()) * sizeof(vec3));
  if (params_.integration != int(Integration::interleaving)) return;
  launch(c.device, "take over", c.model.vertex_count(), repulsion::TakeOver{steps_->u(), c.displacement});
}

void Repulsion::advance(StepContext& c) {
  if (taken_ < params_.steps) steps_->advance(displacements(c), params_.steps - taken_, plane_finder(c));
  steps_->leave_bodies(kTooDeep, plane_finder(c));
  if (params_.integration == int(Integration::phantom_mesh))
    launch(c.device, "multipliers", c.model.vertex_count(),
           repulsion::RaiseMultiplier{c.model.mass, steps_->u(), c.displacement,
                                      params_.coupling > 0 ? params_.coupling : 1 / (c.dt * c.dt),
                                      multiplier_, raised_});
  launch(c.device, "take over", c.model.vertex_count(),
         repulsion::EndCoupling{{steps_->u(), c.displacement, blocked_, 0.1f * steps_->constants().step_limit,
                                 1 / c.dt, c.velocity_change},
                                {steps_->u(), c.displacement}});
  momentum_.end_step(c, {steps_->u(), steps_->outside()}, steps_->constants().step_limit);
  bodies_.evaluate(c);
}

void Repulsion::end_step(StepContext& c) {
  bodies_.end_step(c);
  if (body_vertices_) body_vertices_->end_step(c.device, steps_->u());
  made_ = c.state.revision + 1;
  dt_ = c.dt;
  guarded_ = guards(params_);
  const size_t bytes = size_t(c.model.vertex_count()) * sizeof(vec3);
  c.device.copy(push_.span().data, blocked_.span().data, bytes);
  if (params_.integration == int(Integration::phantom_mesh))
    c.device.copy(multiplier_.span().data, raised_.span().data, bytes);
}

CollisionNumbers Repulsion::numbers(StepContext& c) {
  // After a reset or a restored snapshot there is no step that led to this state.
  const bool after_step = c.state.revision == made_;
  CollisionNumbers n = numbers_.numbers(c, positions_now(c), *steps_, after_step);
  if (!after_step) return n;
  if (body_vertices_) n.body_lag = body_vertices_->lag(c.device);
  // Parts of the initial motion are solved as collision steps are.
  int together = 0;
  if (moves_together()) c.device.download(&together, steps_->moved_together().data, sizeof together);
  n.collision_steps = params_.steps + (together ? params_.initial_steps : 0);
  return n;
}

std::vector<ContactPair> Repulsion::contact_pairs(StepContext& c, int most) {
  const std::vector<ivec2> pairs = numbers_.pairs(positions_now(c), *steps_, most);
  std::vector<ContactPair> found;
  if (pairs.empty()) return found;
  const std::vector<vec3> x = c.state.position.download();
  found.reserve(pairs.size());
  for (const ivec2& p : pairs) found.push_back({ContactKind::vertices, x[p.x], x[p.y], p});
  return found;
}

std::vector<ActiveSample> Repulsion::active_samples(StepContext& c, int most) {
  return c.state.revision == made_ ? steps_->samples().active(most) : std::vector<ActiveSample>();
}

std::vector<LaggingBody> Repulsion::lagging_bodies(StepContext& c) {
  return body_vertices_ ? body_vertices_->lagging(c, c.state.revision == made_) : std::vector<LaggingBody>();
}

std::vector<std::string> Repulsion::remarks(const CollisionNumbers& n) const {
  std::vector<std::string> all{guarantee().sentences(true)};
  if (const std::string lengths = remark_on_lengths(); !lengths.empty()) all.push_back(lengths);
  if (!guards(params_)) all.front() += " This needs the hard phase and the limits, and one of them is off.";
  if (body_vertices_ && !clear_)
    all.push_back(
        "Cloth is closer to bodies than the method allows and is being pushed away. It may cross them until "
        "then.");
  if (body_vertices_)
    all.push_back(fmt::format("Bodies are sampled with {} vertices. Cloth rests about {:.1f} mm above them.",
                              body_vertices_->count(), 1e3 * double(steps_->constants().soft_distance)));
  all.push_back(fmt::format("Layers rest {:.1f} mm apart on this mesh.",
                            1e3 * double(steps_->constants().soft_distance)));
  if (dt_ > 0) {
    const double limit = double(steps_->constants().step_limit);
    all.push_back(
        fmt::format("Cloth that touches something moves at up to about {:.2f} m/s: {} collision steps of "
                    "{:.2f} mm per time step.",
                    params_.steps * limit / double(dt_), params_.steps, 1e3 * limit));
  }
  if (const double close = n.counter("too_close"); close > 0)
    all.push_back(fmt::format(
        "{} vert{} closer to others than this method allows ({:.1f} mm). Pushing them apart may take long "
        "and stretch the cloth; two-way contact needs less distance.",
        close, close == 1 ? "ex is" : "ices are", 1e3 * double(steps_->constants().bound)));
  const std::string of_steps = fmt::format("{} of {} collision steps", n.counter("failed_steps"),
                                           n.collision_steps > 0 ? n.collision_steps : params_.steps);
  all.push_back(params_.hard_phase ? "Hard phase in " + of_steps + "." : of_steps + " failed.");
  if (const double samples = n.counter("active_samples"); params_.resampling || samples > 0)
    all.push_back(fmt::format("{} active samples in stretched edges.", samples));
  if (n.pin_lag > 1e-3f)
    all.push_back(fmt::format("Pinned vertices lag {:.0f} mm.", 1e3 * double(n.pin_lag)));
  if (n.body_lag > 1e-4f)
    all.push_back(fmt::format("Bodies lag {:.1f} mm behind their motion, since cloth is in the way.",
                              1e3 * double(n.body_lag)));
  return all;
}

}  // namespace weft
