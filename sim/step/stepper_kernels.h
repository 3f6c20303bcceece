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
  Span<const float> pressure;  // Pa, behind the front of each triangle; may be empty
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
    // An explicit force may at most take the triangle along with the air within this step; then no vertex
    // gets faster than the air around it either, since its mass is a third of its triangles'.
    const vec3 relative = air - v;
    const float most = triangle_mass[t] * sqrtf(glm::dot(relative, relative)) / dt;
    vec3 force = aerodynamic_force<float>(x0, x1, x2, relative, lift, drag, most);
    // A third of p A n at each corner: the derivative of p V, whatever the triangle's shape; of a closed
    // surface these forces add up to nothing.
    if (!pressure.empty()) force += 0.5f * pressure[t] * glm::cross(x1 - x0, x2 - x0);
    triangle_force[t] = force;
  }
};

/// Inertial target s = h v + h² a: implicit Euler wants d to minimise |d - s|² M / 2h² + .... And h v, a
/// displacement from which a solver may start.
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
      for (int o = triangle_start[v]; o < triangle_start[v + 1]; ++o)
        f += triangle_force[triangle_entry[o] / 3];
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

// Internal damping. Around each vertex i the velocities of its neighbours are fitted by a rigid motion with
// spin w_i:
//
//   r_ij = v_j - v_i - w_i x (x_j - x_i),    w_i minimises sum_j c_ij |r_ij|²    (x halfway through the step)
//
// and the relative velocity that is left decays: M dv = -share dR/dv with R = 1/4 sum_ij c_ij |r_ij|². By the
// choice of w_i the impulses c_ij r_ij of a neighbourhood have neither sum nor torque, so that momentum and
// angular momentum stay, and whatever moves rigidly has r = 0. In the configuration halfway, that holds for
// turns of any size: (R - I) x = w x (R + I) x / 2 for a rotation R below half a turn. c_ij = c_ji = min(m_i
// / n_i, m_j / n_j), n the number of neighbours, bounds the eigenvalues of dR/dv over mass by 2: with a share
// of up to 1 damping never adds energy.

/// x_j - x_i halfway through the step, from differences.
HD inline vec3 halfway(Span<const vec3> position, Span<const vec3> displacement, int i, int j) {
  return (position[j] - position[i]) + 0.5f * (displacement[j] - displacement[i]);
}

/// A symmetric 3x3 system by elimination. A millionth of the trace more keeps the spin about a line finite
/// where all neighbours lie on it; one refinement takes back what that costs other directions.
HD inline vec3 solve_spin(const Sym3& m, const vec3& torque) {
  const float extra = 1e-6f * (m.xx + m.yy + m.zz) + 1e-30f;
  const float xx = m.xx + extra, r0 = 1.0f / xx, l1 = m.xy * r0, l2 = m.xz * r0;
  const float yy = fmaxf(m.yy + extra - l1 * m.xy, 0.5f * extra), r1 = 1.0f / yy, e = m.yz - l2 * m.xy,
              l3 = e * r1;
  const float r2 = 1.0f / fmaxf(m.zz + extra - l2 * m.xz - l3 * e, 0.5f * extra);
  vec3 w(0), left = torque;
  for (int round = 0; round < 2; ++round) {
    const float b = left.y - l1 * left.x, c = (left.z - l2 * left.x - l3 * b) * r2;
    const float y = b * r1 - l3 * c;
    w += vec3(left.x * r0 - l1 * y - l2 * c, y, c);
    left = torque - m * w;
  }
  return w;
}

/// Edges at each vertex and what damping knows of them.
struct DampedEdges {
  Span<const int> start, entry;
  Span<const ivec2> edges;
  Span<const float> mass;
  HD int other(int o) const {
    const ivec2 e = edges[entry[o] / 2];
    return entry[o] % 2 ? e.x : e.y;
  }
  HD float per_edge(int v) const { return mass[v] / float(start[v + 1] - start[v]); }
};

/// w of each vertex, rad/s.
struct FitSpin {
  DampedEdges at;
  Span<const vec3> position, displacement, velocity;
  Span<vec3> spin;
  HD void operator()(int v) const {
    Sym3 moment;
    vec3 torque(0);
    const float own = at.start[v + 1] > at.start[v] ? at.per_edge(v) : 0.0f;
    for (int o = at.start[v]; o < at.start[v + 1]; ++o) {
      const int j = at.other(o);
      const float c = fminf(own, at.per_edge(j));
      const vec3 x = halfway(position, displacement, v, j);
      torque += c * glm::cross(x, velocity[j] - velocity[v]);
      moment.xx += c * (x.y * x.y + x.z * x.z), moment.yy += c * (x.x * x.x + x.z * x.z),
          moment.zz += c * (x.x * x.x + x.y * x.y);
      moment.xy -= c * x.x * x.y, moment.xz -= c * x.x * x.z, moment.yz -= c * x.y * x.z;
    }
    spin[v] = solve_spin(moment, torque);
  }
};

/// Velocities after damping.
struct DampVelocity {
  DampedEdges at;
  Span<const vec3> position, displacement, velocity, spin;
  Span<const float> damping;  // share per 10 ms
  Span<const int> kinematic;
  float dt = 0;
  Span<vec3> out;
  HD void operator()(int v) const {
    out[v] = velocity[v];
    if (kinematic[v] || damping[v] <= 0 || at.start[v + 1] == at.start[v]) return;
    const float own = at.per_edge(v);
    vec3 impulse(0);
    for (int o = at.start[v]; o < at.start[v + 1]; ++o) {
      const int j = at.other(o);
      const vec3 turned = glm::cross(0.5f * (spin[v] + spin[j]), halfway(position, displacement, v, j));
      impulse += fminf(own, at.per_edge(j)) * (velocity[j] - velocity[v] - turned);
    }
    const float share = damping[v] < 1 ? 1.0f - powf(1.0f - damping[v], dt * 100.0f) : 1.0f;
    out[v] += (share / at.mass[v]) * impulse;
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

/// Marks the lowest vertex whose displacement is no number or beyond any scene, as vertices - v so that the
/// maximum finds it.
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
