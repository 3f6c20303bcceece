#include "sim/run/simulation.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

#include "sim/base/error.h"
#include "sim/base/inject.h"
#include "sim/base/log.h"
#include "sim/base/work_watch.h"
#include "sim/collision/surface/own_radii.h"
#include "sim/mesh/rest_shape.h"
#include "sim/run/layered_start.h"
#include "sim/run/panel_names.h"
#include "sim/run/simulation_impl.h"
#include "sim/run/teleport.h"
#include "sim/scene/body_settings.h"
#include "sim/scene/cloth_layers.h"
#include "sim/scene/contact_radii.h"
#include "sim/scene/fabric_prints.h"
#include "sim/scene/model/uneven_cloths.h"
#include "sim/scene/motion.h"
#include "sim/scene/text/import_questions.h"

namespace weft {
namespace {
constexpr int kMostParts = 8;  // of a step without a finite result, beyond those that bodies need
// m: allowance for what forces add to the motion of a vertex in one step, and for contact layers
constexpr float kAroundBodies = 0.05f;
}  // namespace

Simulation::Impl::Impl(Scene s, Device& d)
    : device(d),
      scene(without_moved_bodies(std::move(s))),
      model(scene, device, start),
      state(device, model.vertex_count()),
      lists(device),
      bodies(lists, scene, model.notices),
      moved_bodies(scene, state, bodies),
      context(lists, model, state, scene, bodies),
      kinematics(device, model, state, scene, start),
      handles(device, model, state, scene),
      stepper(context, kinematics, handles),
      attempt(context, stepper),
      measure(device, model) {
  // The anchors of the last step show the next one which vertices are supported.
  state.carry("anchors", context.anchor_weight);
  report_meshes();
  state.position.upload(start);  // methods read the positions
  build_methods();
  set_start();
  const std::vector<int> pinned = kinematics.pinned(0);
  for (std::string& words : pins_inside_bodies(scene, bodies, pinned, start))
    model.notices.push_back(std::move(words));
  const bool thrown_out = collision && collision->guarantee().bodies == Protection::bounded_penetration;
  for (std::string& words : starts_inside_bodies(scene, bodies, model.host, pinned, start, thrown_out))
    model.notices.push_back(std::move(words));
}

void Simulation::Impl::report_meshes() {
  std::vector<Bounds> cloths, meshes;
  for (const ModelPart& range : model.host.parts) {
    Bounds& box = cloths.emplace_back();
    for (int v = range.first_vertex; v < range.first_vertex + range.vertex_count; ++v)
      box.add(model.host.rest[v]);
  }
  for (const TriMesh& mesh : bodies.meshes()) meshes.push_back(bounds_of(mesh.positions));
  for (std::string& words : import_questions(scene, cloths, meshes))
    model.notices.push_back(std::move(words));
  for (std::string& words : crowded_edges(scene, model.host)) model.notices.push_back(std::move(words));
  for (std::string& words : below_floor(scene, model.host, start)) model.notices.push_back(std::move(words));
  if (const CollisionEntry& method = collision_methods()[scene.step.collision]; !method.part_radii)
    if (std::string words = radii_left_out(scene, method.label); !words.empty())
      model.notices.push_back(std::move(words));
}

uint64_t Simulation::Impl::new_revision() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

void Simulation::Impl::build_methods() {
  const SolverEntry& s = solvers()[scene.step.solver];
  if (const std::string reason = why_not(s, scene); !reason.empty())
    throw Error(reason, "step.solver", "choose newton, which takes all that can be simulated");
  if (const std::string reason = why_not(collision_methods()[scene.step.collision], scene); !reason.empty())
    throw Error(reason, "step.collision", "choose two_way, which takes all that can be simulated");
  auto new_solver = s.make(context);
  // Lagging bodies are where the collision method left them; another solver does not change that.
  if (!collision || scene.step.collision != built.collision) {
    make_collision(scene.step.collision);
    if (built.collision >= 0) tell_left_out_radii();
  }
  built.collision = scene.step.collision;
  half_changed = true;
  solver = std::move(new_solver);
  context.solver = solver->traits();
  context.contact = collision->traits(scene);
  solver->parameters_changed(context);
  built.solver = scene.step.solver;
  half_changed = false;
}

/// Where the collision method does not take radii of parts, says whose are without effect.
void Simulation::Impl::tell_left_out_radii() {
  const CollisionEntry& method = collision_methods()[scene.step.collision];
  const std::string words = method.part_radii ? "" : radii_left_out(scene, method.label);
  if (!words.empty()) log_warning("{}", words);
}

/// Builds the collision method again. On failure, for example without memory, the old one stays.
void Simulation::Impl::make_collision(int method) {
  const bool had = collision != nullptr;
  const Snapshot before = had ? state.save() : Snapshot();  // with the data of the previous method
  collision.reset();                                        // drops its carry before the new one registers
  bodies.want_fields(collision_methods()[method].distance_fields);
  if (had) bodies.set_step(scene, state.time, 0);
  try {
    collision = collision_methods()[method].make(context);
  } catch (const DeviceLost&) {
    throw;
  } catch (...) {
    if (had) {
      bodies.want_fields(collision_methods()[built.collision].distance_fields);
      bodies.set_step(scene, state.time, 0);
      collision = collision_methods()[built.collision].make(context);
      state.restore(before);
    }
    throw;
  }
}

void Simulation::Impl::set_start() {
  ++state.revision;
  state.position.upload(start);
  if (model.host.velocity.empty()) state.velocity.clear();
  else state.velocity.upload(model.host.velocity);
  context.anchor_weight.clear();
  context.solver_residual.clear();
  attempt.budget().clear();
  state.step = 0;
  state.time = 0;
  moved_bodies.back_to_start();
  kinematics.back_to_start();
  handles.clear();
  stepper.back_to_start();
  bodies.want_fields(collision_methods()[scene.step.collision].distance_fields);
  bodies.set_step(scene, 0, 0);  // first: the method reads the positions of bodies
  make_collision(scene.step.collision);
}

void Simulation::Impl::parameter_changed(const std::string& key) {
  if (scene.step.solver != built.solver || scene.step.collision != built.collision)
    measure.other_methods(), build_methods();
  else if (const std::string why = why_not(solvers()[scene.step.solver], scene); !why.empty())
    throw Error(why, key, "choose another solver or other models");
  const std::string group = key.substr(0, key.find('.'));
  const bool of_part =
      group == "solid" || group == "strands" || group == "grains" || group == "contact_radius";
  const bool of_fabric = of_part || group == "fabric" ||
                         std::any_of(scene.cloths.begin(), scene.cloths.end(),
                                     [&](const Cloth& cloth) { return cloth.name == group; });
  if (group == "contact_radius") {
    check_contact_radii(scene, model.host);
    OwnRadii(device, model.host, scene, model.vertex_count());  // refuses what is too fine before all else
  }
  half_changed = true;
  if (of_fabric) model.update_fabric(scene);
  if (group == "contact_radius") {
    make_collision(built.collision);
    tell_left_out_radii();
  }
  // An edge that contact lets grow less, or more, locks sooner or later.
  const float limit = context.contact.stretch_limit;
  context.contact = collision->traits(scene);
  const bool other_limit = limit != context.contact.stretch_limit;
  if (of_fabric || group == "step" || other_limit) solver->parameters_changed(context);
  half_changed = false;
}

void Simulation::Impl::take_back(const Scene& before) {
  scene = before;
  try {
    mend_solver();
  } catch (const DeviceLost&) {
    throw;
  } catch (const std::exception& e) {
    log_warning("{}; the next step tries again", e.what());
  }
}

void Simulation::Impl::mend_solver() {
  if (!half_changed) return;
  solver.reset();  // first: the new one needs its memory
  model.update_fabric(scene);
  build_methods();
}

Simulation::Simulation(Scene scene, Device& device, std::vector<std::string> notices) {
  for (const Cloth& c : scene.cloths)
    if (waits_for_dressing(c))
      throw Error("the garment is worn from the start, and was not dressed", "cloth " + c.name,
                  "dress it before the run, or set start = \"sewn\"");
  device.run([&] { impl_ = std::make_unique<Impl>(std::move(scene), device); });
  if (!impl_->scene.of<ClothLayers>().of.empty()) impl_->order_layers(obstacles(), notices);
  impl_->model.notices.insert(impl_->model.notices.begin(), notices.begin(), notices.end());
}
Simulation::~Simulation() = default;

void Simulation::Impl::order_layers(const std::vector<ObstacleView>& at, std::vector<std::string>& notices) {
  std::vector<TriMesh> solid;
  for (const ObstacleView& view : at) {
    if (scene.obstacles[view.index].shape == ObstacleShape::plane) continue;
    TriMesh& body = solid.emplace_back(bodies.meshes()[view.index]);
    if (view.deformed) body.positions = *view.deformed;
    for (vec3& p : body.positions) p = vec3(view.transform * vec4(p, 1));
  }
  const LayeredStart ordered = put_in_order(scene, model.host, solid, start);
  if (ordered.changed) device.run([&] { set_start(); });
  notices.insert(notices.end(), ordered.notices.begin(), ordered.notices.end());
}

void Simulation::apply(const Command& command) {
  Impl& m = *impl_;
  const TimedCommand stamped{m.state.step, m.state.time, command};  // before a reset turns the clock back
  if (!std::holds_alternative<GrabMove>(command) && !std::holds_alternative<EndSolve>(command) &&
      !std::holds_alternative<MoveBody>(command))
    m.revision = Impl::new_revision();
  m.device.run([&] {
    if (auto p = std::get_if<SetParam>(&command)) {
      if (is_body_key(p->key) && !m.scene.params().find(p->key))
        throw Error("bodies are made before the run", p->key, "open the scene again with --set");
      if (is_print_key(m.scene, p->key)) return m.scene.set(p->key, p->text);  // moves nothing
      const Scene before = m.scene;
      try {
        m.scene.set(p->key, p->text);
      } catch (...) {
        m.scene = before;
        throw;
      }
      try {
        m.mend_solver();
        m.parameter_changed(p->key);
      } catch (const DeviceLost&) {
        m.scene = before;
        throw;
      } catch (...) {
        m.take_back(before);
        throw;
      }
    } else if (auto g = std::get_if<GrabBegin>(&command)) {
      m.handles.begin(*g, m.state.position.download());
    } else if (auto v = std::get_if<GrabVertices>(&command)) {
      m.handles.begin(*v, m.state.position.download());
    } else if (auto g = std::get_if<GrabMove>(&command)) {
      if (!(glm::length(g->target) < 1e6f))
        throw Error("the target must be finite and within 1,000 km of the origin", "grab");
      if (!(g->speed_factor >= 1 && g->speed_factor <= 1e4f))
        throw Error("the factor on the speed limit must be 1 to 10000", "grab");
      m.handles.move(*g);
    } else if (auto g = std::get_if<GrabEnd>(&command)) {
      m.handles.end(*g);
    } else if (auto p = std::get_if<PinVertex>(&command)) {
      const auto positions = m.state.position.download();
      m.kinematics.set_pin(
          *p, p->vertex >= 0 && p->vertex < int(positions.size()) ? positions[p->vertex] : vec3(0));
    } else if (auto b = std::get_if<MoveBody>(&command)) {
      if (m.moved_bodies.move(*b, m.bodies)) m.revision = Impl::new_revision();
    } else if (auto p = std::get_if<PoseBody>(&command)) {
      m.moved_bodies.pose(*p);
    } else if (auto p = std::get_if<PlaceBody>(&command)) {
      m.moved_bodies.place(*p);
    } else if (auto e = std::get_if<EndSolve>(&command)) {
      if (e->iterations < 1) throw Error("at least one iteration is made", "end_solve");
      m.attempt.budget().follow(e->iterations);
    } else {
      m.set_start();
    }
  });
  if (m.recorded.kept) m.recorded.commands.push_back(stamped);
}

namespace {

/// A step that takes long.
void wait_for_test(const std::function<bool()>& give_up) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(injected_value("slow", "seconds", 1));
  while (Clock::now() < end) {
    if (give_up && give_up()) throw Interrupted();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

}  // namespace

void Simulation::step(const std::function<bool()>& give_up) {
  Impl& m = *impl_;
  if (give_up && give_up()) throw Interrupted();
  m.device.run([&] {
    if (inject("lost", m.state.step)) m.device.lose_for_test();
    m.mend_solver();
    m.device.profiler().begin_step();
    std::vector<unsigned char> handles_before;
    if (m.handles.script_due(m.state.time)) {
      handles_before = m.handles.save();
      m.handles.run_script(m.state.time, m.state.position.download());
    }
    const int step = m.state.step;
    const double begin = m.state.time;
    bool done = true;
    try {
      if (inject("slow", step)) wait_for_test(give_up);
      done = m.whole_step(give_up);
    } catch (const DeviceLost&) {
      throw;
    } catch (const Interrupted&) {
      if (!handles_before.empty()) m.handles.restore(handles_before);
      // positions of bodies for the state that stays, as in the two cases below
      m.bodies.set_step(m.scene, m.state.time, 0);
      throw;
    } catch (...) {
      m.bodies.set_step(m.scene, m.state.time, 0);
      throw;
    }
    if (done) {
      for (const std::string& words :
           m.told.jumps.check(m.scene, m.bodies, m.kinematics, begin, m.scene.step.dt, step))
        log_warning("{}", words);
      m.state.step = step + 1;
    } else {
      m.bodies.set_step(m.scene, m.state.time, 0);
    }
    double tested = 0;  // s
    if (done && m.test) {
      StageScope stage(m.device.profiler(), "verdict");
      const auto since = std::chrono::steady_clock::now();
      m.test(*this);
      tested = std::chrono::duration<double>(std::chrono::steady_clock::now() - since).count();
    }
    m.device.synchronize();
    m.device.profiler().end_step();
    if (done) m.take_budget(step, begin, tested);
    if (!done)
      throw Error(
          fmt::format("step {} gave no finite result, not even in {} parts", m.state.step, kMostParts),
          m.attempt.broken_stage() + ", " + vertex_in_words(m.scene, m.model.host, m.attempt.broken_vertex()),
          "the last good state is kept; lower the time step or the stiffness");
  });
  ++m.state_id;
}

/// The step before which the state was at `step` and `time` has been made.
void Simulation::Impl::take_budget(int step, double time, double tested) {
  SolveBudget& budget = attempt.budget();
  budget.step_made(1e-3 * device.profiler().wall_ms() - tested);
  if (budget.ended_after() > 0 && !budget.followed() && recorded.kept)
    recorded.commands.push_back({step, time, EndSolve{budget.ended_after()}});
}

int Simulation::Impl::step_parts() {
  std::string obstacle;
  float jump = 0;
  const int parts = bodies.parts(
      scene, state.time, scene.step.dt, [this](const Bounds& reach) { return cloth_within(reach); }, obstacle,
      jump);
  if (parts == 1 || told.parts.count(obstacle)) return parts;
  told.parts.insert(obstacle);
  told.jumps.was_told(scene, obstacle);
  if (parts < DeformingBody::kMostParts)
    log_notice("obstacle {} moves {:.0f} mm within step {}: such steps are divided into substeps ({} here)",
               obstacle, 1e3 * double(jump), state.step, parts);
  else
    log_warning(
        "obstacle {} jumps {:.0f} mm within step {}, too far for contact to follow: slow it down, or start "
        "it in the right place",
        obstacle, 1e3 * double(jump), state.step);
  return parts;
}

/// True if a vertex could reach these bounds in the coming step.
bool Simulation::Impl::cloth_within(const Bounds& reach) const {
  const std::vector<vec3> x = state.position.download(), v = state.velocity.download();
  const vec3 around(kAroundBodies);
  for (size_t i = 0; i < x.size(); ++i) {
    const vec3 margin = around + 2.0f * scene.step.dt * glm::abs(v[i]);
    if (glm::all(glm::lessThanEqual(reach.min - margin, x[i])) &&
        glm::all(glm::lessThanEqual(x[i], reach.max + margin)))
      return true;
  }
  return false;
}

bool Simulation::Impl::whole_step(const std::function<bool()>& give_up) {
  const int parts = step_parts();
  attempt.budget().begin_step();
  for (int factor = 1; factor <= kMostParts; factor *= 2) {
    attempt.budget().begin_attempt(scene.step.budget, handles.dragged(), factor * parts == 1);
    const bool made = in_parts(factor * parts, give_up);
    attempt.budget().end_attempt();
    if (made) return true;
    if (factor < kMostParts && !attempt.contact_asked())
      log_warning("step {} gave no finite result ({}, {}); making it again in {} parts", state.step,
                  attempt.broken_stage(), vertex_in_words(scene, model.host, attempt.broken_vertex()),
                  2 * factor * parts);
  }
  return false;
}

/// A step in parts is given up in the first of them or not at all. Cloth that goes along with a jump is moved
/// before the step, and back if that is not made.
bool Simulation::Impl::in_parts(int parts, const std::function<bool()>& give_up) {
  Snapshot before;
  if (parts > 1) before = state.save();  // an attempt alone leaves the state as before
  bool carried = false;
  const auto restore = [&] { state.restore(before); };
  const auto take_along = [&](float dt) {
    const std::vector<Jump> jumps = find_jumps(scene, model, state, bodies, kinematics, dt);
    if (jumps.empty()) return;
    if (!carried && parts == 1) before = state.save();
    carried = true;
    carry_along(state, jumps);
  };
  const StepMethods methods{*solver, *collision};
  for (int part = 0; part < parts; ++part) {
    try {
      const float dt = scene.step.dt / float(parts);
      take_along(dt);
      if (attempt.run(methods, dt, revision, part == 0 ? give_up : nullptr) == StepOutcome::done) continue;
    } catch (const DeviceLost&) {
      throw;
    } catch (...) {
      if (part > 0 || carried) restore();
      throw;
    }
    if (part > 0 || carried) restore();
    return false;
  }
  measure.stepped(state);
  return true;
}

void Simulation::pose_body(const std::string& obstacle, std::vector<vec3> positions, double at) {
  apply(PoseBody{obstacle, std::move(positions), at});
}

void Simulation::place_body(const std::string& obstacle, const glm::dmat4& matrix, double at) {
  apply(impl_->moved_bodies.placed(obstacle, matrix, at));
}

void Simulation::set_rest(int cloth, std::vector<vec3> rest_scale, std::vector<vec3> factor) {
  Impl& m = *impl_;
  ModelPart& range = m.model.host.parts.at(size_t(cloth));
  const auto fits = [&](const std::vector<vec3>& list) {
    return list.empty() || int(list.size()) == range.triangle_count;
  };
  if (!range.corners.is_rest || !fits(rest_scale) || !fits(factor))
    throw Error("its triangles have no rest shape of their own", "cloth " + range.name, "use a garment");
  m.device.run([&] {
    range.corners.rest_scale = std::move(rest_scale), range.corners.factor = std::move(factor);
    m.model.edge_rest.upload(rest_lengths(m.model.host));
    m.measure.rest_changed();
    m.revision = Impl::new_revision();
    m.half_changed = true;
    m.mend_solver();
  });
}

void Simulation::set_budget(std::optional<float> seconds, bool always) {
  impl_->attempt.budget().set(seconds, always);
}

void Simulation::set_recorded(bool kept) {
  impl_->recorded.kept = kept;
  if (!kept) impl_->recorded.commands.clear();
}

void Simulation::set_test(std::function<void(Simulation&)> test) { impl_->test = std::move(test); }

void Simulation::reset() { apply(ResetState{}); }

const Scene& Simulation::scene() const { return impl_->scene; }

Scene Simulation::scene_to_save() const {
  Scene s = impl_->scene;
  s.pins = impl_->kinematics.pins_to_save();
  impl_->moved_bodies.settle(s);
  return s;
}

Model& Simulation::model() { return impl_->model; }
State& Simulation::state() { return impl_->state; }
Device& Simulation::device() { return impl_->device; }
uint64_t Simulation::hash() const { return impl_->state.hash(); }
Snapshot Simulation::snapshot() const { return impl_->state.save(); }

void Simulation::restore(const Snapshot& snapshot) {
  Impl& m = *impl_;
  m.revision = Impl::new_revision();
  m.state.restore(snapshot);
  m.context.solver_residual.clear();
  m.attempt.budget().clear();
  m.bodies.set_step(m.scene, m.state.time, 0);
  ++m.state_id;
}

std::vector<vec3> Simulation::positions() const { return impl_->state.position.download(); }
Span<const vec3> Simulation::device_positions() const { return impl_->state.position.span(); }

std::vector<HandleView> Simulation::handles() const {
  return impl_->handles.views(impl_->context, impl_->scene.drag);
}

std::vector<ObstacleView> Simulation::obstacles() const {
  std::vector<ObstacleView> views;
  for (size_t i = 0; i < impl_->scene.obstacles.size(); ++i) {
    const Obstacle& o = impl_->scene.obstacles[i];
    views.push_back(
        {int(i), Bodies::transform(o, impl_->state.time), impl_->bodies.deformed(int(i)), o.motion.hand});
  }
  impl_->device.run([&] {
    for (LaggingBody& body : impl_->collision->lagging_bodies(impl_->context)) {
      views[body.obstacle].transform = mat4(1);
      views[body.obstacle].deformed = std::move(body.positions);
    }
  });
  return views;
}

std::vector<HandPin> Simulation::hand_pins() const { return impl_->kinematics.hand_pins(); }
std::vector<int> Simulation::pinned_vertices() const { return impl_->kinematics.pinned(impl_->state.time); }
const std::vector<TriMesh>& Simulation::obstacle_meshes() const { return impl_->bodies.meshes(); }
BodyPart Simulation::body_part(int obstacle, int vertex) const {
  return impl_->bodies.part_of(obstacle, vertex);
}
float Simulation::signed_distance(const vec3& point) const { return impl_->bodies.distance(point); }
void Simulation::shrink_lists_for_test() { impl_->lists.take_room(); }
std::string Simulation::guarantee() const { return impl_->collision->guarantee().words(); }
Guarantee Simulation::promises() const { return impl_->collision->guarantee(); }
const std::vector<TimedCommand>& Simulation::recorded() const { return impl_->recorded.commands; }

std::vector<std::string> Simulation::failed_end_conditions() {
  std::vector<std::string> failed;
  const auto numbers = stats().all();
  for (auto& e : impl_->scene.end) {
    const auto it =
        std::find_if(numbers.begin(), numbers.end(), [&](auto& n) { return n.first == e.quantity; });
    if (it == numbers.end()) failed.push_back("unknown quantity '" + e.quantity + "'");
    else if (!(it->second >= e.min && it->second <= e.max))
      failed.push_back(fmt::format("{} is {:g}, should be {}{}{}", e.quantity, it->second,
                                   e.min > -1e299 ? fmt::format("at least {:g}", e.min) : "",
                                   e.min > -1e299 && e.max < 1e299 ? " and " : "",
                                   e.max < 1e299 ? fmt::format("at most {:g}", e.max) : ""));
  }
  return failed;
}

}  // namespace weft
