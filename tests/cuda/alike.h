// Whether two devices move a scene alike, up to what roundings become in it.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "sim/run/simulation.h"

namespace weft::testing {

inline float largest_difference(const std::vector<vec3>& a, const std::vector<vec3>& b) {
  float most = a.size() == b.size() ? 0.0f : 1e9f;
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) most = std::max(most, glm::length(a[i] - b[i]));
  return most;
}

/// Moves every vertex at random, by half an ulp at 1 m.
inline void shake(Simulation& simulation) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> uniform(-6e-8f, 6e-8f);
  std::vector<vec3> moved = simulation.positions();
  for (vec3& p : moved) p += vec3(uniform(random), uniform(random), uniform(random));
  simulation.state().position.upload(moved);
}

/// Takes steps of a scene on both devices. After each one they may differ by several times as much as the CPU
/// does from itself after a start that is half an ulp off: contact and buckling turn roundings into a
/// millimetre in one step. Before contact the bound is about 0.1 mm, where a wrong kernel is off by
/// centimetres.
/// `before_step(simulation, step)` may act on each simulation.
template <class BeforeStep>
void check_alike(const Scene& scene, Device& cpu, Device& gpu, int steps, const BeforeStep& before_step) {
  Simulation a(scene, cpu), shaken(scene, cpu), b(scene, gpu);
  shake(shaken);
  float apart = 1e-5f, difference = 0;  // 1e-5 m: some hundred roundings at 1 m
  for (int i = 0; i < steps; ++i) {
    CAPTURE(i);
    for (Simulation* s : {&a, &shaken, &b}) before_step(*s, i), s->step();
    const std::vector<vec3> expected = a.positions();
    apart = std::max(apart, largest_difference(expected, shaken.positions()));
    difference = std::max(difference, largest_difference(expected, b.positions()));
    CHECK(difference <= 8 * apart);
  }
  MESSAGE("difference " << difference << " m; half an ulp at the start becomes " << apart << " m");
}

}  // namespace weft::testing
