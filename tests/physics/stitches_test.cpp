// Stitches: what hangs by them, how it falls once they let go, and what is never created by that.
#include "sim/scene/model/stitches.h"

#include "sim/base/error.h"
#include "tests/physics/scenes.h"

using namespace weft;
using namespace weft::physics;

namespace {

constexpr double kGravity = 9.81;  // m/s²

/// A strip of 10 cm by 60 cm that hangs by its top edge, cut across in its middle and stitched; its lower
/// half is let go at `release` s.
Scene stitched_strip(float release, const std::string& pattern = "square") {
  Scene s = bare_scene();
  Cloth& c = s.cloths[0];
  c.name = "strip";
  c.size = {0.1f, 0.6f}, c.edge = 0.0125f, c.pattern = pattern;
  c.placement.position = {0, 1.5f, 0};
  c.fabric.internal_damping = 0.2f;
  Pin top;
  top.where = "top";
  s.pins.push_back(top);
  StitchParams cut;
  cut.name = "middle", cut.cut = {{0, 0.5f}, {1, 0.5f}}, cut.release = release;
  s.of<StitchList>().list = {cut};
  return s;
}

/// Mass and mean place of the vertices of a half: those whose rest position is below the middle, or above.
struct Half {
  double mass = 0;
  dvec3 center{0}, momentum{0};
};
Half half(Simulation& sim, bool lower) {
  const Topology& t = sim.model().host;
  const std::vector<vec3> x = sim.positions(), v = sim.state().velocity.download();
  // which side of the cut a vertex is on: that of the triangles that it belongs to
  std::vector<char> below(x.size(), 0);
  for (const ivec3& tri : t.triangles) {
    const float y = (t.rest[size_t(tri.x)].y + t.rest[size_t(tri.y)].y + t.rest[size_t(tri.z)].y) / 3;
    for (int k = 0; k < 3; ++k) below[size_t(tri[k])] = y < 0;
  }
  Half h;
  for (size_t i = 0; i < x.size(); ++i) {
    if (bool(below[i]) != lower) continue;
    const double m = double(sim.model().host_mass[i]);
    h.mass += m, h.center += m * dvec3(x[i]), h.momentum += m * dvec3(v[i]);
  }
  h.center /= h.mass;
  return h;
}

void choose(Scene& s, const std::string& solver, const std::string& collision) {
  s.set("step.solver", solver);
  s.set("step.collision", collision);
}

/// Largest distance of two stitched vertices over the length of their thread.
double worst_thread(Simulation& sim) {
  const std::vector<vec3> x = sim.positions();
  double worst = 0;
  for (const StitchedPair& p : sim.model().host.stitched)
    worst =
        std::max(worst, double(glm::length(x[size_t(p.vertices.x)] - x[size_t(p.vertices.y)]) / p.length));
  return worst;
}

}  // namespace

TEST_SUITE("physics") {
  TEST_CASE("half a strip hangs by its stitches, and falls as a free body once they let go") {
    for (const std::string solver : {"newton"})
      for (const float dt : {1.0f / 60, 1.0f / 120}) {
        Scene s = stitched_strip(0.5f);
        choose(s, solver, "none");
        s.step.dt = dt;
        Run run(s);
        CAPTURE(solver);
        CAPTURE(dt);
        REQUIRE(run.sim->model().host.stitched.size() == 9);
        const double start = half(*run.sim, true).center.y;
        while (run.sim->state().time < 0.5 - 1e-6) run.sim->step();
        const double hung = half(*run.sim, true).center.y;
        MESSAGE(solver << " at " << dt << " s: sinks by " << 1e3 * (start - hung) << " mm, threads "
                       << worst_thread(*run.sim));
        CHECK(start - hung < 0.004);  // 2 mm of it where threads become taut, the rest is the cloth's stretch
        CHECK(worst_thread(*run.sim) < 1.2);
        // from here on backward Euler alone: a step of h moves by h² (1 + 2 + ... + n) g beyond v0 t
        const double y0 = hung, v0 = half(*run.sim, true).momentum.y / half(*run.sim, true).mass;
        const int n = int(std::lround(0.3 / double(dt)));
        for (int i = 0; i < n; ++i) run.sim->step();
        const double h = double(dt), theory = v0 * n * h - 0.5 * kGravity * h * h * n * (n + 1),
                     fallen = half(*run.sim, true).center.y - y0;
        MESSAGE("falls " << fallen << " m, theory " << theory);
        CHECK(relative_error(fallen, theory) < 2e-3);
        CHECK(half(*run.sim, false).center.y > 1.55);
      }
  }

  TEST_CASE("stitches hold with every stretch and bending model") {
    for (const std::string model : {"springs", "finite_elements", "st_venant_kirchhoff"})
      for (const std::string bending : {"quadratic", "dihedral", "meshless"}) {
        Scene s = stitched_strip(-1, "equilateral");
        s.set("step.elastic_model", model);
        s.set("step.bending_model", bending);
        Run run(s);
        const double start = half(*run.sim, true).center.y;
        for (int i = 0; i < 60; ++i) run.sim->step();
        CAPTURE(model);
        CAPTURE(bending);
        CHECK(std::abs(start - half(*run.sim, true).center.y) < 0.006);
        CHECK(worst_thread(*run.sim) < 1.2);
      }
  }

  TEST_CASE("letting go creates no momentum: a free sheet that is pulled apart keeps its centre") {
    // Two halves that fly apart at 0.5 m/s each, and are held by threads until 0.2 s.
    for (const std::string solver : {"newton"}) {
      Scene s = stitched_strip(0.2f);
      choose(s, solver, "none");
      s.pins.clear();
      s.forces.gravity = vec3(0);
      Run run(s);
      const Topology& t = run.sim->model().host;
      std::vector<vec3> v;
      std::vector<char> below(t.rest.size(), 0);
      for (const ivec3& tri : t.triangles) {
        const float y = (t.rest[size_t(tri.x)].y + t.rest[size_t(tri.y)].y + t.rest[size_t(tri.z)].y) / 3;
        for (int k = 0; k < 3; ++k) below[size_t(tri[k])] = y < 0;
      }
      for (const char b : below) v.push_back({0.3f, b ? -0.5f : 0.5f, 0});
      run.sim->state().velocity.upload(v);
      const auto momentum = [&] { return half(*run.sim, true).momentum + half(*run.sim, false).momentum; };
      const double mass = half(*run.sim, true).mass + half(*run.sim, false).mass;
      const dvec3 before = momentum();
      double worst = 0;
      for (int i = 0; i < 50; ++i) {
        run.sim->step();
        worst = std::max(worst, glm::length(momentum() - before) / mass);
        if (run.sim->state().time < 0.2) CHECK(worst_thread(*run.sim) < 1.5);
        double now = 0;
        const std::vector<vec3> speed = run.sim->state().velocity.download();
        for (size_t k = 0; k < speed.size(); ++k)
          now += 0.5 * double(run.sim->model().host_mass[k]) * double(glm::dot(speed[k], speed[k]));
        CHECK(now < 1.001 * (0.5 * mass * (0.3 * 0.3 + 0.5 * 0.5)));
      }
      MESSAGE(solver << ": the centre's speed changes by " << worst << " m/s at most");
      CHECK(worst < 2e-3);
    }
  }

  TEST_CASE("a button holds two cloths together until it is let go by hand") {
    Scene s = bare_scene();
    s.cloths.resize(2, s.cloths[0]);
    for (size_t c = 0; c < 2; ++c) {
      s.cloths[c].name = c ? "lower" : "upper";
      s.cloths[c].size = {0.1f, 0.2f}, s.cloths[c].edge = 0.0125f, s.cloths[c].pattern = "square";
      s.cloths[c].placement.position = {0, c ? 0.82f : 1.0f, c ? 0.003f : 0.0f};
      s.cloths[c].fabric.internal_damping = 0.2f;
    }
    Pin top;
    top.cloth = "upper", top.where = "top";
    s.pins.push_back(top);
    StitchParams button;
    button.name = "button";
    button.points = {{"upper", {0.5f, 0.05f}}, {"lower", {0.5f, 0.95f}}};
    s.of<StitchList>().list = {button};
    s.set("step.collision", "two_way");
    Run run(s);
    REQUIRE(run.sim->model().host.stitched.size() == 1);
    const auto height = [&] {
      double sum = 0;
      const ModelPart& range = run.sim->model().host.parts[1];
      const std::vector<vec3> x = run.sim->positions();
      for (int v = range.first_vertex; v < range.first_vertex + range.vertex_count; ++v)
        sum += double(x[size_t(v)].y) / range.vertex_count;
      return sum;
    };
    const double start = height();
    for (int i = 0; i < 60; ++i) run.sim->step();
    MESSAGE("sinks by " << 1e3 * (start - height()) << " mm");
    CHECK(start - height() < 0.03);
    CHECK(worst_thread(*run.sim) < 1.2);
    run.sim->apply(SetParam{"stitch.button.held", "false"});
    const double hung = height();
    for (int i = 0; i < 20; ++i) run.sim->step();
    CHECK(hung - height() > 0.1);
    // it does not come back together, not before the start
    run.sim->apply(SetParam{"stitch.button.held", "true"});
    const double before = height();
    run.sim->step();
    CHECK(height() < before);
    run.sim->reset();
    for (int i = 0; i < 60; ++i) run.sim->step();
    CHECK(start - height() < 0.03);
  }

  TEST_CASE("a solver that knows no stitches refuses them, before a run and in it") {
    for (const std::string solver : {"descent", "projective", "block_descent"}) {
      Scene s = stitched_strip(-1);
      s.set("step.solver", solver);
      CHECK_THROWS_AS(Run{s}, Error);
    }
    Run run(stitched_strip(-1));
    CHECK_THROWS_AS(run.sim->apply(SetParam{"step.solver", "descent"}), Error);
    run.sim->step();
    CHECK(worst_thread(*run.sim) < 1.2);
  }

  TEST_CASE("a run with stitches that is restored or repeated has the same bits") {
    const Scene scene = stitched_strip(0.2f);
    Run first(scene, 1);
    for (int i = 0; i < 15; ++i) first.sim->step();
    const Snapshot held = first.sim->snapshot();
    for (int i = 0; i < 15; ++i) first.sim->step();
    const Snapshot let_go = first.sim->snapshot();
    for (int i = 0; i < 10; ++i) first.sim->step();
    const uint64_t end = first.sim->hash();
    const auto parts = [](const Snapshot& s) {
      return std::count_if(s.parts.begin(), s.parts.end(),
                           [](const auto& part) { return part.first == "stitches let go"; });
    };
    CHECK(parts(held) == 0);
    CHECK(parts(let_go) == 1);
    Run second(scene, 2);
    second.sim->restore(let_go);
    for (int i = 0; i < 10; ++i) second.sim->step();
    CHECK(second.sim->hash() == end);
    second.sim->restore(held);
    for (int i = 0; i < 25; ++i) second.sim->step();
    CHECK(second.sim->hash() == end);
  }
}
