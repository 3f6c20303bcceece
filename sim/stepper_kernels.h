// Kernels of the time step itself: forces, prediction, velocities.
#pragma once
#include "sim/device/atomics.h"
#include "sim/device/launch.h"
#include "sim/energies/aerodynamics.h"

namespace weft::stepping {

/// Lift and drag on each triangle at x_n, spread evenly over its corners.
struct AirForces {
  Span<const ivec3> triangles;
  Span<const vec3> position, velocity;
  Span<const float> triangle_mass;
  vec3 wind{0};
  float gusts = 0, lift = 0, drag = 0, time = 0, dt = 0;
  Span<vec3> triangle_force;

  HD void operator()(int t) const {
    const ivec3 tri = triangles[t];
    const vec3 x0 = position[tri.x], x1 = position[tri.y], x2 = position[tri.z];
    const vec3 v = (1.0f / 3.0f) * (velocity[tri.x] + velocity[tri.y] + velocity[tri.z]);
    const vec3 center = (1.0f / 3.0f) * (x0 + x1 + x2);
    // Gusts: two travelling waves of incommensurate lengths, so that nothing repeats soon.
    const float wave = 0.6f * sinf(1.7f * time + 2.3f * center.x + 1.1f * center.z) +
                       0.4f * sinf(4.1f * time - 3.7f * center.z + 2.9f * center.y);
    const vec3 air = (1.0f + gusts * wave) * wind;
    // An explicit force may at most take the triangle along with the air within this step; then no vertex gets faster than the air around it either,
    // since its mass is a third of its triangles'.
    const vec3 relative = air - v;
    const float most = triangle_mass[t] * sqrtf(glm::dot(relative, relative)) / dt;
    triangle_force[t] = aerodynamic_force<float>(x0, x1, x2, relative, lift, drag, most);
  }
};

/// Inertial target s = h v + h² a: implicit Euler wants d to minimise |d - s|² M / 2h² + .... And h v, a displacement from
/// which a solver may start.
struct Predict {
  Span<const vec3> velocity;
  Span<const float> mass;
  Span<const int> triangle_start, triangle_entry;  // triangles at each vertex
  Span<const vec3> triangle_force;                 // may be empty
  Span<const int> kinematic;
  Span<const vec3> kinematic_displacement;
  vec3 gravity{0};
  float dt = 0, air_damping = 0;
  Span<vec3> inertia, displacement;

  HD void operator()(int v) const {
    vec3 a = gravity;
    if (!triangle_force.empty()) {
      vec3 f(0);
      for (int o = triangle_start[v]; o < triangle_start[v + 1]; ++o) f += triangle_force[triangle_entry[o] / 3];
      a += f * (1.0f / (3.0f * mass[v]));
    }
    const vec3 flight = (dt * expf(-air_damping * dt)) * velocity[v];
    inertia[v] = flight + (dt * dt) * a;
    displacement[v] = kinematic[v] ? kinematic_displacement[v] : flight;
  }
};

struct NewVelocity {
  Span<const vec3> displacement, change;  // change: what contact adds
  float inv_dt = 0;
  Span<vec3> velocity;
  HD void operator()(int v) const { velocity[v] = inv_dt * displacement[v] + change[v]; }
};

/// Internal damping: moves each velocity a share towards the mean of its neighbours'.
struct SmoothVelocity {
  Span<const vec3> in;
  Span<const int> start, entry;
  Span<const ivec2> edges;
  Span<const float> damping;  // share per 10 ms
  Span<const int> kinematic;
  float dt = 0;
  Span<vec3> out;
  HD void operator()(int v) const {
    const int degree = start[v + 1] - start[v];
    if (kinematic[v] || degree == 0 || damping[v] <= 0) {
      out[v] = in[v];
      return;
    }
    vec3 mean(0);
    for (int o = start[v]; o < start[v + 1]; ++o) {
      const ivec2 e = edges[entry[o] / 2];
      mean += in[entry[o] % 2 ? e.x : e.y];
    }
    const float share = damping[v] < 1 ? 1.0f - powf(1.0f - damping[v], dt * 100.0f) : 1.0f;
    out[v] = in[v] + share * (mean * (1.0f / float(degree)) - in[v]);
  }
};

/// x_n+1 = x_n + d.
struct Finish {
  Span<const vec3> displacement, new_velocity;
  Span<vec3> position, velocity;
  HD void operator()(int v) const {
    position[v] += displacement[v];
    velocity[v] = new_velocity[v];
  }
};

/// Marks the lowest vertex whose displacement is no number or beyond any scene, as vertices - v so that the maximum
/// finds it.
struct FindBroken {
  Span<const vec3> displacement;
  float limit = 0;
  Span<int> found;
  HD void operator()(int v) const {
    const vec3 d = displacement[v];
    const bool good = fabsf(d.x) < limit && fabsf(d.y) < limit && fabsf(d.z) < limit;  // false for NaN
    if (!good) atomic_max(&found[0], displacement.size - v);
  }
};

}  // namespace weft::stepping
