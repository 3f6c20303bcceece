// What an outer iteration of block descent costs per vertex, and what it gains, as lines of comma-separated
// values.
//
//   weft-block-benchmark cost                 ns per vertex and outer iteration: sheets, widths of blocks, sizes
//   weft-block-benchmark convergence CELLS    error of F over iterations and seconds, every method
//   weft-block-benchmark alpha CELLS          the largest step size with which F falls, over W and L
//   weft-block-benchmark levels CELLS         F of the finest grid after one level and after three, by blocks and by descent
//   weft-block-benchmark transfer CELLS       F of the third frame with and without the wrinkles of the one before
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "sim/wrinkles/synthesis.h"
#include "tests/solvers/grid_problem.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// Processor time of this thread: the machine may be busy with other things.
double seconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

const char* name(ElasticModel m) {
  return m == ElasticModel::springs ? "springs"
         : m == ElasticModel::stvk  ? "st_venant_kirchhoff"
                                    : "finite_elements";
}

void cost(ElasticModel model, int cells, int width, int inner) {
  const float size = 0.5e-3f * float(cells - 1);
  GridSheet s(rectangle({0, 0}, {size, size}, 2, 2), 0.5e-3f, width);
  FabricParams fabric;
  bd::GridProblem p(*s.device, s.grid, bd::make_sheet(fabric, model, 0.5e-3f));
  p.x().copy_from(s.frame);
  shift(p.x(), s.noise(1e-5f, 1), 1);
  p.options.inner = inner;
  p.options.judge_every = 0;
  p.begin();
  p.solve(1);
  const int iterations = std::max(2, 4000000 / (cells * cells));
  double best = 1e30;
  for (int repeat = 0; repeat < 3; ++repeat) {
    const double start = seconds();
    p.solve(iterations);
    best = std::min(best, seconds() - start);
  }
  std::printf("%s,%d,%d,%d,%.1f\n", name(model), cells, width, inner,
              1e9 * best / iterations / double(s.grid.vertex_count()));
  std::fflush(stdout);
}

/// A square patch in its plane whose rest shape is half as wide again along x in the middle, like a row of
/// shirring: what the paper's figure 7 measures, on one level.
struct Shirred {
  GridSheet s;
  grid::RestLists rest;

  Shirred(int cells, float cell, int width = 8)
      : s(rectangle({0, 0}, vec2(cell * float(cells - 1)), 2, 2), cell, width) {
    rest = grid::RestLists(*s.device, s.grid, std::vector<char>(size_t(s.grid.block_count()), 1));
    const grid::RestView view = rest.view();
    for (int v = 0; v < s.grid.slot_count(); ++v) {
      const grid::Lattice at = s.grid.view().lattice(v);
      const float y = float(at.j) / float(cells), wide = 1 + 0.5f * std::exp(-40 * (y - 0.5f) * (y - 0.5f));
      view.set(v, {wide, std::sqrt(0.5f * (wide * wide + 1)), 1});
    }
  }
  void start(bd::GridProblem& p) {
    p.x().copy_from(s.frame);
    std::vector<vec3> noise = s.noise(2e-5f, 5);
    for (vec3& n : noise) n.x = n.y = 0;
    shift(p.x(), noise, 1);
    p.set_rest(&rest);
    std::vector<unsigned char> held(s.slots(), 0);
    for (int v = 0; v < s.grid.slot_count(); ++v)
      held[size_t(v)] = s.inside(v) && s.grid.view().share(v) < 0.9f;
    p.pin(held);
  }
};

struct Way {
  const char* name;
  bd::Method method;
  float outer_rho, inner_rho;
  int inner;
  bool lag;
};

void convergence(int cells) {
  const float cell = 0.5e-3f;
  const Way ways[] = {{"descent", bd::Method::descent, 0, 0, 1, true},
                      {"descent with Chebyshev", bd::Method::descent, 0.9995f, 0, 1, true},
                      {"blocks", bd::Method::blocks, 0, 0, 8, true},
                      {"blocks with Chebyshev", bd::Method::blocks, 0.9995f, 0, 8, true},
                      {"blocks with Chebyshev, without eq. 9", bd::Method::blocks, 0.9995f, 0, 8, false},
                      {"blocks with inner and outer Chebyshev", bd::Method::blocks, 0.9995f, 0.9f, 4, true},
                      {"conjugate gradients", bd::Method::conjugate, 0, 0, 1, true},
                      {"conjugate gradients with blocks", bd::Method::conjugate_blocks, 0, 0, 8, true}};
  Shirred patch(cells, cell);
  const bd::Sheet sheet = bd::make_sheet(FabricParams{}, ElasticModel::finite_elements, cell);
  std::printf("method,outer iterations,seconds,energy (J),alpha,times F had grown\n");
  for (const Way& way : ways) {
    bd::GridProblem p(*patch.s.device, patch.s.grid, sheet);
    patch.start(p);
    p.options.method = way.method, p.options.outer_rho = way.outer_rho, p.options.inner_rho = way.inner_rho;
    p.options.inner = way.inner, p.options.lag_outer = way.lag;
    p.begin();
    double spent = 0;
    int done = 0;
    std::printf("%s,0,0,%.9g,%g,0\n", way.name, p.energy(), double(p.alpha()));
    for (const int until : {8, 16, 32, 64, 128, 256, 512}) {
      const double from = seconds();
      p.solve(until - done);
      spent += seconds() - from;
      done = until;
      std::printf("%s,%d,%.4f,%.9g,%.3f,%d\n", way.name, done, spent, p.energy(), double(p.alpha()),
                  p.returns());
    }
    std::fflush(stdout);
  }
}

/// Whether F falls from look to look with this step size, without the solver's own adjustment.
bool descends(Shirred& patch, const bd::Sheet& sheet, int inner, float alpha, float outer_rho) {
  bd::GridProblem p(*patch.s.device, patch.s.grid, sheet);
  patch.start(p);
  p.options.inner = inner, p.options.alpha = alpha, p.options.outer_rho = outer_rho,
  p.options.judge_every = 0;
  p.begin();
  double last = p.energy();
  const double start = last;
  for (int look = 0; look < 8; ++look) {
    p.solve(8);
    const double now = p.energy();
    if (!(now <= last + 1e-6 * start)) return false;
    last = now;
  }
  return true;
}

void largest_alpha(int cells) {
  const float cell = 0.5e-3f;
  const bd::Sheet sheet = bd::make_sheet(FabricParams{}, ElasticModel::finite_elements, cell);
  std::printf("block width,inner iterations,largest alpha,largest alpha with Chebyshev\n");
  for (const int width : {8, 16, 32, 64}) {
    Shirred patch(cells, cell, width);
    for (const int inner : {1, 2, 4, 8, 16}) {
      float found[2] = {};
      for (const int accelerated : {0, 1}) {
        float low = 0.05f, high = 2;
        while (high - low > 0.04f) {
          const float middle = 0.5f * (low + high);
          (descends(patch, sheet, inner, middle, accelerated ? 0.9995f : 0.0f) ? low : high) = middle;
        }
        found[accelerated] = low;
      }
      std::printf("%d,%d,%.2f,%.2f\n", width, inner, double(found[0]), double(found[1]));
      std::fflush(stdout);
    }
  }
}

/// A patch in cells of half a millimetre with a row of shirring, without contact.
struct Gathered {
  std::unique_ptr<Device> device = Device::create(DeviceChoice::cpu, 1);
  wrinkles::CoarseCloth cloth;
  wrinkles::WrinkleSettings settings;
  float size;

  explicit Gathered(int cells) : size(0.5e-3f * float(cells)) {
    cloth = {"patch", rectangle({0, 0}, vec2(size), 8, 8), FabricParams{}};
    settings.params.repel = false;
    wrinkles::Gather g;
    g.from = {0, 0.5f * size}, g.to = {size, 0.5f * size}, g.s0 = 1.5f, g.radius = 0.15f * size;
    settings.gathers.push_back(g);
  }
  /// The patch on a cylinder whose axis lies along y, turned by `turn` (rad).
  std::vector<vec3> bent(float turn) const {
    std::vector<vec3> out;
    for (const vec3& p : cloth.mesh.positions) {
      const float r = 2 * size, a = p.x / r + turn;
      out.push_back({r * std::sin(a), p.y, r * std::cos(a)});
    }
    return out;
  }
};

void levels(int cells) {
  Gathered patch(cells);
  std::printf("method,levels,outer iterations per level,seconds,energy (J)\n");
  for (const bd::Method method : {bd::Method::blocks, bd::Method::descent})
    for (const int count : {1, 2, 3})
      for (const int iterations : {16, 32, 64, 128, 256, 512}) {
        if (method == bd::Method::descent && iterations < 64)
          continue;  // goes with the eight inner ones of blocks
        patch.settings.params.levels = count, patch.settings.params.iterations = iterations;
        wrinkles::Synthesis s(*patch.device, patch.cloth, patch.settings);
        for (int l = 0; l < count; ++l) s.problem(l).options.method = method;
        const double from = seconds();
        s.solve(patch.cloth.mesh.positions);
        const double spent = seconds() - from;
        std::printf("%s,%d,%d,%.3f,%.9g\n", method == bd::Method::blocks ? "blocks" : "descent", count,
                    iterations, spent, s.problem(0).energy());
        std::fflush(stdout);
      }
}

void transfer(int cells) {
  Gathered patch(cells);
  std::printf("transfer,outer iterations per level,seconds,energy (J)\n");
  for (const bool with : {true, false})
    for (const int iterations : {8, 16, 32, 64, 128, 256}) {
      patch.settings.params.iterations = iterations, patch.settings.params.transfer = with;
      wrinkles::Synthesis s(*patch.device, patch.cloth, patch.settings);
      for (const float turn : {0.0f, 0.2f}) s.solve(patch.bent(turn));
      const double from = seconds();
      s.solve(patch.bent(0.4f));
      const double spent = seconds() - from;
      std::printf("%s,%d,%.3f,%.9g\n", with ? "with" : "without", iterations, spent, s.problem(0).energy());
      std::fflush(stdout);
    }
}

}  // namespace

int main(int count, char** arguments) {
  const std::string what = count > 1 ? arguments[1] : "cost";
  if (what == "cost") {
    std::printf(
        "sheet,vertices along a side,block width,inner iterations,ns per vertex and outer iteration\n");
    for (const ElasticModel m : {ElasticModel::springs, ElasticModel::finite_elements, ElasticModel::stvk}) {
      for (const int width : {8, 16, 32, 64}) cost(m, 512, width, 8);
      cost(m, 512, 8, 1);
    }
  }
  if (what == "convergence") convergence(count > 2 ? std::atoi(arguments[2]) : 128);
  if (what == "alpha") largest_alpha(count > 2 ? std::atoi(arguments[2]) : 96);
  if (what == "levels") levels(count > 2 ? std::atoi(arguments[2]) : 160);
  if (what == "transfer") transfer(count > 2 ? std::atoi(arguments[2]) : 160);
  return 0;
}
