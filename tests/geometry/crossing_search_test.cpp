#include "sim/geometry/crossing_search.h"

#include <doctest/doctest.h>

#include "sim/mesh/shapes/shapes.h"
#include "tests/geometry/crossing_states.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("a device finds what the host finds among triangles that have nothing to do with each other") {
  int crossing = 0;
  for (const int count : {1, 3, 8, 40, 300, 2000})
    for (const float size : {0.02f, 0.1f, 0.5f}) {
      CAPTURE(count);
      CAPTURE(size);
      const State s = soup(count, size, unsigned(count));
      const std::vector<int> found = on_device(s);
      CHECK(found == on_host(s));
      crossing += !found.empty();
      const State own = cloth_alone(s.x, s.triangles);
      CHECK(on_device(own) == on_host(own));
    }
  CHECK(crossing > 6);
}

TEST_CASE(
    "a device finds what the host finds where triangles touch in every way, some of them without area") {
  Random random(1);
  long open = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const int size = 2 + trial / 3;
    State s;
    for (int i = 0; i < 40; ++i)
      s.x.push_back({float(random.below(size)), float(random.below(size)), float(random.below(size))});
    // in planes of the axes, in a plane between them, anyhow
    if (trial % 3 == 0)
      for (vec3& p : s.x) p[trial % 2] = 1;
    if (trial % 3 == 1)
      for (vec3& p : s.x) p.z = p.x;
    while (s.triangles.size() < 120)
      s.triangles.push_back({random.below(40), random.below(40), random.below(40)});
    s.own = int(s.triangles.size()), s.points = int(s.x.size());
    CAPTURE(trial);
    Trial device(s);
    CHECK(device.find(s) == on_host(s));
    open += device.search->open();
  }
  CHECK(open > 0);  // the host has decided some
}

TEST_CASE("a device finds what the host finds while bodies go through a cloth, turn and change their shape") {
  const TriMesh sheet = make_grid({0.3f, 0.3f}, 0.01f);
  const State s = with_body(sheet, make_sphere(0.05f, 2));
  Trial device(s);
  Random random(3);
  int crossing = 0, clean = 0;
  for (int step = 0; step < 40; ++step) {
    const float height = 0.1f - 0.005f * float(step), squeeze = 1 + 0.3f * std::sin(0.7f * float(step));
    const mat3 turn(glm::rotate(mat4(1), 0.3f * float(step), glm::normalize(vec3(1, 2, 3))));
    const float crumpled = step % 4 == 0 ? 0.006f : 0;
    const State now = moved(
        s, [&](const vec3& p) { return p + crumpled * random.point(); },
        [&](const vec3& p) { return turn * (p * vec3(1, squeeze, 1)) + vec3(0.01f, 0, height); });
    const std::vector<int> found = device.find(now);
    CAPTURE(step);
    CHECK(found == on_host(now));
    found.empty() ? ++clean : ++crossing;
  }
  CHECK(crossing > 10);
  CHECK(clean > 10);
}

TEST_CASE("sheets far from where they were and far from each other are searched as well") {
  const TriMesh sheet = make_grid({0.3f, 0.3f}, 0.01f);
  State s = with_body(sheet, sheet);  // 1024 cells are some 11 m
  Trial device(s);
  for (const float away : {0.0f, 1e-6f, 0.5f, 11.6f, 3e4f, 1e30f}) {
    const State now = moved(
        s, [](const vec3& p) { return p; }, [&](const vec3& p) { return vec3(p.x, p.y, p.z + away); });
    CAPTURE(away);
    CHECK(device.find(now) == on_host(now));
  }
}

TEST_CASE("few pairs of sheets that lie flat or drape are left to the host, and none of them means nothing") {
  const TriMesh sheet = make_grid({0.3f, 0.3f}, 0.01f);
  const auto opened = [&](const Shift& shape) {
    const State s = cloth_alone(sheet.positions, sheet.triangles);
    const State now = moved(s, shape, shape);
    Trial device(s);
    CHECK(device.find(now).empty());
    return device.search->open();
  };
  CHECK(opened([](const vec3& p) { return p; }) == 0);
  CHECK(opened([](const vec3& p) { return vec3(p.z, p.x, p.y); }) == 0);
  const mat3 turn(glm::rotate(mat4(1), 0.4f, glm::normalize(vec3(1, 2, 3))));
  CHECK(opened([&](const vec3& p) { return turn * p; }) == 0);
  CHECK(opened([](const vec3& p) { return p + 0.01f * std::sin(20 * (p.x + 0.3f * p.y + p.z)); }) == 0);
  CHECK(opened([](const vec3& p) { return vec3(p.x, p.y, p.x) + vec3(0, p.z, 0); }) == 0);  // at 45 degrees
}

TEST_CASE("what is too much for the lists of a device is left to the host whole") {
  Random random(5);
  const State s = slanting(300, 5);
  Trial device(s);
  CHECK(device.find(s) == on_host(s));
  CHECK(device.search->left_all());
  CHECK(device.search->open() > 1024);
  const State apart = moved(
      s, [&](const vec3& p) { return 1e3f * random.point() + p; }, nullptr);
  CHECK(device.find(apart) == on_host(apart));
  CHECK(!device.search->left_all());
}

TEST_CASE("a triangle that crosses ten thousand others is left to the host") {
  State s;
  const auto add = [&](const vec3& a, const vec3& b, const vec3& c) {
    const int first = int(s.x.size());
    s.x.insert(s.x.end(), {a, b, c});
    s.triangles.push_back({first, first + 1, first + 2});
  };
  add({-1, 0.013f, -1}, {1, 0.017f, -1}, {0, 0.011f, 2});
  for (int i = 0; i < 10050; ++i) {
    const float x = 0.2f * float(i % 100) / 100, z = 0.2f * float(i / 100) / 100;
    add({x, -0.1f, z}, {x + 0.0005f, 0.1f, z}, {x, 0.1f, z + 0.0005f});
  }
  s = cloth_alone(s.x, s.triangles);
  Trial device(s);
  CHECK(device.find(s) == on_host(s));
  CHECK(device.search->left_all());
}

TEST_CASE("any number of threads finds the same and leaves the same number of pairs to the host") {
  for (const State& s : {soup(1200, 0.15f, 9), slanting(40, 6)}) {
    std::vector<int> alone;
    int open = 0;
    for (const int threads : {1, 2, 3, 4, 4, 4}) {
      Trial trial(s, threads);
      const std::vector<int> found = trial.find(s);
      if (threads == 1) alone = found, open = trial.search->open();
      CHECK(found == alone);
      CHECK(trial.search->open() == open);
      CHECK_FALSE(trial.search->left_all());
    }
    CHECK(!alone.empty());
  }
}

TEST_CASE("a position that is no number counts on a device as on the host") {
  for (const float wrong : {NAN, INFINITY}) {
    State s = soup(200, 0.1f, 4);
    s.x[50].y = s.x[size_t(s.points) + 20].z = wrong;
    for (int k = 0; k < 3; ++k) s.x[size_t(s.triangles[30][k])] = vec3(wrong);
    CHECK(on_device(s) == on_host(s));
  }
}
