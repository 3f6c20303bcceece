// What an outer iteration of block descent costs per vertex, and what it gains, as lines of comma-separated values.
//
//   weft-block-benchmark cost                 ns per vertex and outer iteration: sheets, widths of blocks, sizes
//   weft-block-benchmark convergence CELLS    error of F over iterations and seconds, every method
#include <cstdio>
#include <ctime>
#include <string>

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
  bd::WrinkleProblem p(*s.device, s.grid, bd::make_sheet(fabric, model, 0.5e-3f));
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
  return 0;
}
