// Energy of contact along a step of the solver, for its line search: the change of a contact's energy
// on the path d -> d + length p beyond its slope and beyond the quadratic model of stencils and anchors.
// Sources: a pair that comes close only on the way, the firm part that stiffens with depth, friction that
// starts to slide.
#pragma once
#include "sim/collision/contact_terms/term_kernels.h"

namespace weft::contact {

/// Energy of the spring that Pressed is the force of, J: `depth` (m) of the soft part, `firm_depth` of the
/// firm one.
HD inline double pressed_energy(double depth, double firm_depth, float soft, float firm, const Firmness& f) {
  double energy = depth > 0 ? 0.5 * double(soft) * depth * depth : 0;
  const double over = firm_depth - double(f.soft_depth), rise = double(f.rise),
               most = double(f.most_depth) - double(f.soft_depth);
  if (!(over > 0)) return energy;
  const double stiff = over < most ? over : most, past = over - stiff;
  // Integral of the force of Pressed over the firm stiffness.
  const auto integral = [&](double x) {
    return x < rise ? x * x * x / (6 * rise) : rise * rise / 6 + 0.5 * (x - rise) * x;
  };
  return energy + double(firm) * (integral(stiff) + (most - 0.5 * rise) * past);
}

/// Energy of friction's spring (N/m), which slides beyond `most` (m), J.
HD inline double friction_energy(const glm::dvec3& slip, double most, double stiffness) {
  const double squared = glm::dot(slip, slip);
  return squared <= most * most ? 0.5 * stiffness * squared
                                : stiffness * most * (::sqrt(squared) - 0.5 * most);
}

/// A contact at the solver's displacement, and its energy beyond the model after moving `closer` (m) along
/// the normal and `along` (m) across it.
struct PressedContact {
  float soft = 0, firm = 0;        // N/m
  float still = 0, by_bodies = 0;  // m, see Term
  Pressed pressed;
  vec3 slip{0};
  float most = 0, friction_stiffness = 0;
  SlipHistory history;

  HD static double depth_of(double still, double by_bodies) {
    const double depth = still + by_bodies;
    return depth > 0 ? depth : 0;
  }
  HD double operator()(double closer, const glm::dvec3& along, const Firmness& f) const {
    const double s0 = double(still), s1 = s0 + closer, b = double(by_bodies), d0 = depth_of(s0, b),
                 d1 = depth_of(s1, b);
    double sum = pressed_energy(d1, s1 < d1 ? s1 : d1, soft, firm, f) -
                 pressed_energy(d0, s0 < d0 ? s0 : d0, soft, firm, f);
    if (!(d0 > 0)) return sum;
    sum -= double(soft) * double(pressed.load) * closer + 0.5 * double(pressed.stiffness) * closer * closer;
    if (!(most > 0) || history.slips == Slips::on_trial) return sum;
    const FrictionTangent t(slip, most, friction_stiffness, history);
    const glm::dvec3 start(slip), unit(t.along);
    const double across = glm::dot(unit, along), stick = double(t.stick);
    sum += friction_energy(start + along, double(most), double(friction_stiffness)) -
           friction_energy(start, double(most), double(friction_stiffness));
    return sum - stick * glm::dot(start, along) - 0.5 * stick * (glm::dot(along, along) - across * across);
  }
};

struct PairMerit {
  PairList pairs;
  Span<const Term> term;
  Span<const vec3> p;
  float length = 1;
  int cloth_points = 0;
  Firmness firmness;
  Span<float> merit;
  HD void operator()(int i) const {
    merit[i] = 0;
    if (i >= pairs.count[0] || !(term[i].stiffness > 0)) return;
    const Term& t = term[i];
    glm::dvec3 moved(0.0);
    for (int k = 0; k < 4; ++k) {
      const int point = pairs.points[i][k];
      if (point < cloth_points) moved += double(length * t.weight[k]) * glm::dvec3(p[point]);
    }
    const glm::dvec3 normal(t.normal);
    const double closer = -glm::dot(normal, moved);
    PressedContact contact{t.stiffness,          t.firm, t.still,  t.pressed_by_bodies, t.pressed, t.slip,
                           t.friction * t.depth, 0,      t.history};
    if (t.depth > 0) contact.friction_stiffness = t.stiffness * (t.settled_load / t.depth);
    merit[i] = float(contact(closer, moved + closer * normal, firmness));
  }
};

/// The same against the ground and planes, of each vertex.
struct PlaneMerit {
  RubbingPlanes planes;
  Span<const vec3> base, displacement, p;
  float length = 1;
  Span<const float> inverse_mass;
  float activation = 0;
  Firmness firmness;
  bool has_friction = true;
  Recall recall;
  Span<const SlipHistory> history;
  Span<float> merit;
  HD void operator()(int v) const {
    double sum = 0;
    if (inverse_mass[v] > 0)
      for (int k = 0; k < planes.size; ++k) {
        const ContactPlane plane = planes(k, v, base[v]);
        const vec3 d = displacement[v];
        const float soft = firmness.inertia / inverse_mass[v],
                    still = activation + plane.offset - glm::dot(plane.normal, base[v] + d),
                    depth = glm::max(still, 0.0f);
        PressedContact contact{soft,
                               firmness.elastic[v],
                               still,
                               0,
                               {},
                               plane.slip(base[v], d, recall.plane(k, v)),
                               has_friction ? plane.friction * depth : 0.0f,
                               0,
                               history[k * recall.vertices + v]};
        if (depth > 0) {
          contact.pressed = Pressed(depth, depth, soft, firmness.elastic[v], firmness);
          contact.friction_stiffness = soft * (contact.pressed.load / depth);
        }
        const glm::dvec3 moved = double(length) * glm::dvec3(p[v]), normal(plane.normal);
        const double closer = -glm::dot(normal, moved);
        sum += contact(closer, moved + closer * normal, firmness);
      }
    merit[v] = float(sum);
  }
};

}  // namespace weft::contact
