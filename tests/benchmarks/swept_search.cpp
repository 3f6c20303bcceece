// Times and box tests of the methods of SweptSearch, in turns. Not a test: nothing is checked.
//   weft-swept-benchmark [threads [rounds]]     writes a table of comma-separated values
#include <fmt/format.h>
#include <time.h>

#include <cstdlib>

#include "tests/collision/swept_pairs.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// Time that this thread was running if it is the only one, which other work on the machine does not stretch.
double now_ms(bool alone) {
  timespec t;
  clock_gettime(alone ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &t);
  return 1e3 * double(t.tv_sec) + 1e-6 * double(t.tv_nsec);
}

/// A cloth of 10,000 vertices, 4.2 mm apart as in the default scene, that lies on a ball and hangs down in
/// folds.
SweptCase draped() {
  SweptCase c;
  add_sheet(c.s, 100, 0.42f, [](const vec3& p) {
    const float around = std::sqrt(p.x * p.x + p.z * p.z), angle = around / 0.13f;
    const float radius = 0.1315f + 0.003f * sinf(8 * std::atan2(p.z, p.x)) * angle * angle;
    const float polar = angle < 1.6f ? angle : 1.6f, out = around > 0 ? radius * sinf(polar) / around : 0;
    return vec3(out * p.x, radius * cosf(polar) - (angle > 1.6f ? around - 0.208f : 0), out * p.z);
  });
  c.s.obstacle_from = int(c.s.positions.size());
  return c;
}

void add_floor(SweptCase& c) {
  const int first = int(c.s.positions.size());
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) c.s.positions.push_back({2 * float(j) - 1, -0.2f, 2 * float(i) - 1});
  c.s.triangles.push_back({first, first + 2, first + 1});
  c.s.triangles.push_back({first + 1, first + 2, first + 3});
}

/// Ten thousand vertices at random in a heap, folded many times.
SweptCase crumpled() {
  SweptCase c;
  add_sheet(c.s, 100, 0.42f, [](const vec3& p) {
    const float fold = 0.03f, u = std::abs(std::fmod(p.x / fold + 100.5f, 2.0f) - 1);
    const float layer = std::floor(p.x / fold + 0.5f);
    return vec3(fold * u, 0.002f * layer + 0.001f * sinf(60 * p.z), p.z);
  });
  c.s.obstacle_from = int(c.s.positions.size());
  return c;
}

struct Setting {
  const char* name;
  SweptCase c;
};

std::vector<Setting> settings() {
  std::mt19937 random(1);
  std::vector<Setting> all;
  const auto add = [&](const char* name, SweptCase c, float way, const vec3& common, float share) {
    derive_edges(c.s);
    move_points(c, random, way, common);
    for (int v = c.s.obstacle_from; v < int(c.s.positions.size()); ++v)
      c.x1[size_t(v)] = c.s.positions[size_t(v)];
    c.margin = 0.001f;
    for (size_t v = 0; share > 0 && v < c.x1.size(); ++v) {
      const vec3 p = c.s.positions[v];  // a few regions, as impact zones are
      c.moved.push_back(std::fmod(p.x + 5, 0.1f) < share && std::fmod(p.z + 5, 0.1f) < share &&
                        int(v) < c.s.obstacle_from);
    }
    all.push_back({name, std::move(c)});
  };
  SweptCase on_ball = draped(), on_floor = draped();
  add_ball(on_ball.s, vec3(0), 0.13f, 60, 120);
  add_ball(on_floor.s, vec3(0), 0.13f, 16, 24);
  add_floor(on_floor);
  add("on a ball, at rest", on_ball, 0.00005f, vec3(0), 0);
  add("on a ball, sliding at 0.3 m/s", on_ball, 0.0005f, vec3(0.005f, 0, 0), 0);
  add("on a ball and a floor, at rest", on_floor, 0.00005f, vec3(0), 0);
  add("alone, thrown at 5 m/s", draped(), 0.001f, vec3(0.06f, 0.04f, -0.04f), 0);
  add("alone, points at 1 m/s each", draped(), 0.01f, vec3(0), 0);
  add("folded in 14 layers", crumpled(), 0.0002f, vec3(0), 0);
  add("on a ball, all points moved", on_ball, 0.0005f, vec3(0), 0);
  add("on a ball, 1 in 100 points moved", on_ball, 0.0005f, vec3(0), 0.01f);
  add("on a ball, 1 in 11 points moved", on_ball, 0.0005f, vec3(0), 0.03f);
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 1, rounds = argc > 2 ? std::atoi(argv[2]) : 15;
  const auto device = Device::create(DeviceChoice::automatic, threads);
  fmt::print("setting,method,threads,pairs vt,pairs ee,box tests,least ms,median ms\n");
  device->run([&] {
    for (const Setting& setting : settings()) {
      std::vector<std::unique_ptr<SweptTrial>> trials;
      std::vector<std::vector<double>> times;
      std::vector<int64_t> tests;
      for (const SweptMethod method : kSweptMethods) {
        trials.push_back(std::make_unique<SweptTrial>(*device, setting.c, method));
        trials.back()->find(setting.c);
        trials.back()->search.count_tests(true);
        trials.back()->find_once(setting.c);
        tests.push_back(trials.back()->search.box_tests());
        trials.back()->search.count_tests(false);
        times.emplace_back();
      }
      for (int round = 0; round < rounds; ++round)
        for (size_t m = 0; m < trials.size(); ++m) {
          const double start = now_ms(threads == 1);
          trials[m]->find_again(setting.c);
          device->synchronize();
          times[m].push_back(now_ms(threads == 1) - start);
        }
      for (size_t m = 0; m < trials.size(); ++m) {
        std::sort(times[m].begin(), times[m].end());
        const SweptLists lists = trials[m]->lists();
        constexpr const char* kNames[] = {"forest", "hash"};
        fmt::print("\"{}\",{},{},{},{},{},{:.2f},{:.2f}\n", setting.name, kNames[m], threads,
                   lists.triangle.points.size(), lists.edge.points.size(), tests[m], times[m][0],
                   times[m][times[m].size() / 2]);
      }
    }
  });
}
