#include "viewer/bench/bench_wang2021.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <ctime>
#include <limits>
#include <memory>

#include "sim/grid/descent/grid_problem.h"
#include "sim/methods/method_table.h"
#include "viewer/bench/bench_timing.h"
#include "viewer/commands/versions.h"

namespace weft {
namespace {

namespace bd = block_descent;

constexpr float kCell = 0.5e-3f;  // m, of the grids whose cost is measured
constexpr float kSide = 0.5f;     // m, of the square
// at which times are compared, over the error of the start
constexpr double kErrors[] = {0.5, 0.3, 0.1, 0.03, 0.01};
constexpr double kLongest = 40;  // s: steps that would take longer are left out

using Settings = std::vector<std::pair<std::string, std::string>>;

/// One method and the numbers of iterations that it is tried with.
struct Way {
  std::string name;
  Settings settings;
  std::string (*iterations)(int n);  // settings for n, as "key=value;..."
  std::vector<int> counts;
};

std::string of_blocks(int n) { return fmt::format("block_descent.iterations={}", n); }
std::string of_descent(int n) { return fmt::format("descent.fine_iterations={}", n); }
std::string of_newton(int n) { return fmt::format("newton.steps={}", n); }
std::string of_levels(int n) {
  return fmt::format("descent.fine_iterations={};descent.middle_iterations={};descent.coarse_iterations={}",
                     n, n, 24 * n);
}

std::vector<Way> ways() {
  const auto blocks = [](const char* method, const char* rho) {
    return Settings{{"step.solver", "block_descent"},
                    {"block_descent.rounds", "1"},
                    {"block_descent.method", method},
                    {"block_descent.chebyshev_rho", rho}};
  };
  const std::vector<int> counts = {8, 16, 32, 64, 128, 256}, more = {32, 64, 128, 256, 512, 1024};
  // of the two that are compared, until they are solved
  const std::vector<int> to_the_end = {32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384};
  const std::vector<int> levels = {6, 12, 24, 48, 96};
  return {{"blocks with Chebyshev", blocks("blocks", "0"), of_blocks, to_the_end},
          {"blocks", blocks("blocks", "0.001"), of_blocks, counts},
          {"conjugate gradients with blocks", blocks("conjugate_blocks", "0"), of_blocks, counts},
          {"conjugate gradients", blocks("conjugate", "0"), of_blocks, more},
          {"descent, full mesh alone",
           {{"step.solver", "descent"},
            {"descent.schedule", "wu2020"},
            {"descent.middle_iterations", "0"},
            {"descent.coarse_iterations", "0"}},
           of_descent,
           to_the_end},
          {"multilevel descent", Settings(1, {"step.solver", "descent"}), of_levels, levels},
          {"Newton's method, solved",  // what the others are measured by
           {{"step.solver", "newton"},
            {"newton.tolerance", "0"},
            {"newton.forcing_terms", "false"},
            {"newton.cg_iterations", "2000"},
            {"newton.cg_tolerance", "1e-5"}},
           of_newton,
           {1, 2, 4, 8}}};
}

/// The square, flat in a vertical plane, pinned along its top edge. Without rigidity, for hinges of the two
/// discretisations differ.
Scene square(int side) {
  Scene s;
  s.contact.ground = false;
  s.forces.lift = s.forces.drag = s.forces.air_damping = 0;
  s.set("step.collision", "none");
  Cloth c;
  c.size = vec2(kSide), c.edge = kSide / float(side - 1), c.pattern = "square", c.unevenness = 0;
  c.fabric.internal_damping = 0, c.fabric.bending_rigidity = 0;
  c.placement.position = {0, 1, 0};
  s.cloths.push_back(c);
  Pin pin;
  pin.where = "top";
  s.pins.push_back(pin);
  return s;
}

/// The energy of the step as block descent has it, for the result of any solver.
class Judge {
 public:
  Judge(Device& device, const Scene& scene, int side)
      : side_(side),
        cell_(kSide / float(side - 1)),
        grid_(device, mesh(), {.cell = cell_}),
        problem_(device, grid_,
                 bd::make_sheet(scene.cloths[0].fabric, ElasticModel(scene.step.elastic_model), cell_)) {
    problem_.terms.anchor = scene.cloths[0].fabric.areal_density / (scene.step.dt * scene.step.dt);
    fall_ = scene.forces.gravity * (scene.step.dt * scene.step.dt);
  }
  /// J, at `end`, for a step that began at rest at `start`; m, row by row from the lower left.
  double energy(const std::vector<vec3>& start, const std::vector<vec3>& end) {
    const grid::GridView view = grid_.view();
    std::vector<dvec3> x(size_t(grid_.slot_count()), dvec3(0)), target = x;
    for (int v = 0; v < grid_.slot_count(); ++v) {
      if (!view.inside(v)) continue;
      const grid::Lattice at = view.lattice(v);
      const size_t k = size_t(at.j) * size_t(side_) + size_t(at.i);
      x[size_t(v)] = dvec3(end[k]), target[size_t(v)] = dvec3(start[k]) + dvec3(fall_);
    }
    problem_.x().upload(grid_, x);
    problem_.target().upload(grid_, target);
    // The same origins.
    const std::vector<vec3> a = problem_.x().origin.download(), b = problem_.target().origin.download();
    std::vector<vec3> local = problem_.target().local.download();
    for (size_t v = 0; v < local.size(); ++v) local[v] += b[v / 64] - a[v / 64];
    problem_.target().local.upload(local);
    problem_.target().origin.copy_from(problem_.x().origin);
    return problem_.energy();
  }

 private:
  grid::MaterialMesh mesh() const {
    return {{{0, 0}, {kSide, 0}, {kSide, kSide}, {0, kSide}}, {{0, 1, 2}, {0, 2, 3}}, {{0, 1, 2}, {0, 2, 3}}};
  }
  int side_;
  float cell_;
  grid::Grid grid_;
  bd::GridProblem problem_;
  vec3 fall_;
};

/// Seconds since it was made: of the wall clock on CUDA, of the process on the CPU, where other programs run.
class Stopwatch {
 public:
  explicit Stopwatch(Device& device) : cuda_(device.is_cuda()) {}
  double seconds() const {
    return cuda_ ? seconds_since(wall_) : double(std::clock() - process_) / CLOCKS_PER_SEC;
  }

 private:
  bool cuda_;
  BenchClock::time_point wall_ = BenchClock::now();
  std::clock_t process_ = std::clock();
};

struct Point {
  int way = 0, iterations = 0;
  double seconds = 0, energy = 0;
};

void set_all(Simulation& simulation, const std::string& settings) {
  for (size_t at = 0; at < settings.size();) {
    const size_t end = std::min(settings.find(';', at), settings.size()), middle = settings.find('=', at);
    simulation.apply(
        SetParam{settings.substr(at, middle - at), settings.substr(middle + 1, end - middle - 1)});
    at = end + 1;
  }
}

/// All ways on one square: each count of iterations is one step from the same state; runs of all take turns,
/// and the quickest of `runs` counts.
std::vector<Point> race(const BenchRequest& request, Device& device, int side, double& start_energy) {
  const std::vector<Way> all = ways();
  std::vector<Point> points;
  const Scene scene = square(side);
  Judge judge(device, scene, side);
  for (int run = 0; run < request.runs; ++run)
    for (size_t w = 0; w < all.size(); ++w) {
      Scene own = scene;
      for (const auto& [key, value] : all[w].settings) own.set(key, value);
      Simulation simulation(own, device);
      const std::vector<vec3> start = simulation.positions();
      const Snapshot before = simulation.snapshot();
      if (run == 0 && w == 0) start_energy = judge.energy(start, start);
      double per_iteration = 0;
      for (const int n : all[w].counts) {
        if (n * per_iteration > kLongest || InterruptGuard::interrupted()) break;
        simulation.restore(before);
        set_all(simulation, all[w].iterations(n));
        const Stopwatch watch(device);
        bench_step(simulation);
        device.synchronize();
        const double took = watch.seconds();
        per_iteration = took / n;
        const double energy = judge.energy(start, simulation.positions());
        auto known = std::find_if(points.begin(), points.end(),
                                  [&](const Point& p) { return p.way == int(w) && p.iterations == n; });
        if (known == points.end()) points.push_back({int(w), n, took, energy});
        else known->seconds = std::min(known->seconds, took);
      }
    }
  return points;
}

/// Seconds after which a way's error is down to a share, between its points; infinite if it never is.
double time_to(const std::vector<Point>& points, int way, double least, double start, double share) {
  double before_time = 0, before_error = 1;
  for (const Point& p : points) {
    if (p.way != way) continue;
    const double error = (p.energy - least) / (start - least);
    if (error <= share) {
      if (before_time == 0) return p.seconds;
      const double t = std::log(before_error / share) / std::log(before_error / std::max(error, 1e-12));
      return std::exp(std::log(before_time) + t * (std::log(p.seconds) - std::log(before_time)));
    }
    before_time = p.seconds, before_error = error;
  }
  return std::numeric_limits<double>::infinity();
}

std::string seconds_cell(double s) { return std::isfinite(s) ? fmt::format("{:.3g}", s) : "not reached"; }

/// Nanoseconds per vertex and outer iteration, processor time of one thread.
double iteration_cost(Device& device, int side, ElasticModel model) {
  const float size = kCell * float(side - 1);
  const grid::MaterialMesh mesh{
      {{0, 0}, {size, 0}, {size, size}, {0, size}}, {{0, 1, 2}, {0, 2, 3}}, {{0, 1, 2}, {0, 2, 3}}};
  const grid::Grid grid(device, mesh, {.cell = kCell});
  bd::GridProblem problem(device, grid, bd::make_sheet(FabricParams{}, model, kCell));
  const Buffer<vec3> corners(device, "corners",
                             {vec3(0), vec3(size, 0, 0), vec3(size, size, 0), vec3(0, size, 0)});
  const Buffer<ivec3> triangles(device, "triangles", mesh.triangles);
  grid::resample(device, grid, triangles.span(), corners.span(), problem.x());
  problem.options.judge_every = 0;
  problem.begin();
  problem.solve(1);
  device.synchronize();
  const int iterations = std::max(2, int(4e6 / (double(side) * side)));
  double best = 1e30;
  for (int repeat = 0; repeat < 3; ++repeat) {
    const Stopwatch watch(device);
    problem.solve(iterations);
    device.synchronize();
    best = std::min(best, watch.seconds());
  }
  return 1e9 * best / iterations / double(grid.vertex_count());
}

}  // namespace

int run_wang2021_bench(const BenchRequest& request) {
  InterruptGuard interrupt;
  const auto device = Device::create(request.device, request.threads, nullptr);
  nlohmann::ordered_json all;
  all["program"] = version_facts();
  all["device"] = device->name();
  std::string text = fmt::format(
      "One step of 1/100 s of a square that hangs from its top edge, from rest, on {}; the quickest of {} "
      "runs in turns. Seconds (processor time on a CPU) until the error of the energy is down to a share of "
      "the start's.\n",
      device->name(), request.runs);
  std::vector<int> sides = {128, 256, 512};
  if (!request.vertices.empty()) sides.clear();
  for (const int n : request.vertices) sides.push_back(std::max(16, int(std::lround(std::sqrt(double(n))))));
  for (const int side : sides) {
    double start = 0;
    std::vector<Point> points;
    device->run([&] { points = race(request, *device, side, start); });
    double least = start;
    for (const Point& p : points) least = std::min(least, p.energy);
    text += fmt::format(
        "\n{} x {} vertices:\n\n| method | 50 % | 30 % | 10 % | 3 % | 1 % |\n|---|---|---|---|---|---|\n",
        side, side);
    const std::vector<Way> names = ways();
    for (size_t w = 0; w < names.size(); ++w) {
      text += "| " + names[w].name;
      for (const double share : kErrors)
        text += " | " + seconds_cell(time_to(points, int(w), least, start, share));
      text += " |\n";
    }
    for (const Point& p : points)
      all["race"].push_back({{"side", side},
                             {"method", names[size_t(p.way)].name},
                             {"iterations", p.iterations},
                             {"seconds", p.seconds},
                             {"error", (p.energy - least) / (start - least)}});
  }
  text +=
      "\nProcessor time of an outer iteration (W = 8, L = 8), ns per vertex:\n\n| vertices | springs | "
      "co-rotated triangles |\n|---|---|---|\n";
  for (const int side : {512, 1024, 2048, 4096}) {
    double cost[2] = {0, 0};
    device->run([&] {
      cost[0] = iteration_cost(*device, side, ElasticModel::springs);
      cost[1] = iteration_cost(*device, side, ElasticModel::finite_elements);
    });
    text += fmt::format("| {} | {:.1f} | {:.1f} |\n", side * side, cost[0], cost[1]);
    all["cost"].push_back({{"vertices", side * side}, {"springs_ns", cost[0]}, {"corotated_ns", cost[1]}});
    if (InterruptGuard::interrupted()) break;
  }
  std::fputs(text.c_str(), stdout);
  write_bench_files(request, all, text);
  return ExitStatus::ok;
}

}  // namespace weft
