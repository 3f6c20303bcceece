#include "sim/mannequin/body_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/error.h"

namespace weft {
namespace {

/// Distance to the hull of two balls on the axis, by the cone that touches both (Quilez, sdRoundCone);
/// flattened ones are scaled to round first, and the result divided by the length of its gradient.
double capsule_distance(const BodyPrimitive& c, const dvec3& point) {
  const dvec3 p = point + c.thin * (glm::dot(point - c.a, c.thin) * (1 / c.flat - 1));
  const dvec3 axis = c.b - c.a;
  const double h = glm::length(axis);
  const dvec3 along = axis / h, q = p - c.a;
  const double y = glm::dot(q, along), x = glm::length(q - y * along);
  const double slope = std::clamp((c.ra - c.rb) / h, -0.999, 0.999), side = std::sqrt(1 - slope * slope);
  const double k = y * side - x * slope;  // along the cone's edge
  dvec3 normal = k < 0 ? q : p - c.b;
  double d = glm::length(normal) - (k < 0 ? c.ra : c.rb);
  if (k >= 0 && k <= side * h) {
    d = x * side + y * slope - c.ra;
    normal = side * (q - y * along) / std::max(x, 1e-12) + slope * along;
  }
  if (c.flat == 1) return d;
  const double tilt = glm::dot(normal, c.thin) / std::max(glm::length(normal), 1e-12);
  return d / std::sqrt(1 + tilt * tilt * (1 / (c.flat * c.flat) - 1));
}

/// First order: |q| (|q| - 1) / |q / r| with q = p / r (Quilez, sdEllipsoid).
double ellipsoid_distance(const BodyPrimitive& e, const dvec3& point) {
  const dvec3 p = (point - e.a) * e.axes;  // v * R = R^T v
  const dvec3 q = p / e.radii;
  const double k0 = glm::length(q), k1 = glm::length(q / e.radii);
  if (k1 < 1e-9) return -std::min({e.radii.x, e.radii.y, e.radii.z});
  return k0 * (k0 - 1) / k1;
}

/// The union of two distances, rounded where they are within k: min(a, b) - h^2 / (4 k) with h = max(k - |a -
/// b|, 0). `share` receives the part of b.
double smooth_union(double a, double b, double k, double& share) {
  const double h = std::max(k - std::abs(a - b), 0.0) / k, part = 0.5 * h * h;
  share = b < a ? 1 - part : part;
  return std::min(a, b) - 0.25 * k * h * h;
}

/// The same of max, for cutting.
double smooth_cut(double a, double b, double k) {
  const double h = std::max(k - std::abs(a - b), 0.0) / k;
  return std::max(a, b) + 0.25 * k * h * h;
}

dmat3 turned(double x_degrees, double y_degrees, double z_degrees) {
  const auto quaternion = [](double degrees, const dvec3& axis) {
    return glm::angleAxis(glm::radians(degrees), axis);
  };
  return glm::mat3_cast(quaternion(z_degrees, {0, 0, 1}) * quaternion(y_degrees, {0, 1, 0}) *
                        quaternion(x_degrees, {1, 0, 0}));
}

/// Collects primitives in metres at the reference height.
class Modeller {
 public:
  explicit Modeller(double scale) : scale_(scale) {}
  BodyPrimitive& ball(int bone, dvec3 centre, dvec3 radii, double blend, dmat3 axes = dmat3(1)) {
    BodyPrimitive& e = add(bone, blend);
    e.kind = BodyPrimitive::Kind::ellipsoid;
    e.a = scale_ * centre, e.radii = scale_ * radii, e.axes = axes;
    return e;
  }
  BodyPrimitive& bar(int bone, dvec3 a, double ra, dvec3 b, double rb, double blend) {
    BodyPrimitive& c = add(bone, blend);
    c.a = scale_ * a, c.b = scale_ * b, c.ra = scale_ * ra, c.rb = scale_ * rb;
    return c;
  }
  std::vector<BodyPrimitive> all;

 private:
  BodyPrimitive& add(int bone, double blend) {
    all.push_back({});
    all.back().bone = bone, all.back().blend = scale_ * blend;
    return all.back();
  }
  double scale_;
};

void flatten(BodyPrimitive& c, const dvec3& thin, double flat) {
  const dvec3 along = glm::normalize(c.b - c.a);
  c.thin = glm::normalize(thin - glm::dot(thin, along) * along);
  c.flat = flat;
}

/// bust, waist, hips: factors on horizontal extents.
void add_torso(Modeller& m, double bust, double waist, double hips) {
  m.ball(kPelvis, {0, 0.925, -0.004}, {0.146 * hips, 0.12, 0.092 * hips}, 0.02);
  m.ball(kPelvis, {0, 0.985, 0.014}, {0.124 * hips, 0.10, 0.086 * hips}, 0.06);
  m.ball(kSpine, {0, 1.075, 0.002}, {0.110 * waist, 0.14, 0.080 * waist}, 0.08);
  m.ball(kChest, {0, 1.225, -0.014}, {0.126 * bust, 0.175, 0.095 * bust}, 0.09);
  m.ball(kChest, {0, 1.325, -0.028}, {0.118 * bust, 0.10, 0.080 * bust}, 0.06);
  auto& shoulder_blade = m.ball(kChest, {0.066 * bust, 1.31, -0.070 * bust}, {0.055 * bust, 0.085, 0.034},
                                0.05, turned(-6, 0, 8));
  shoulder_blade.paired = true;
  auto& breast = m.ball(kChest, {0.066 * bust, 1.228, 0.054 * bust}, {0.064 * bust, 0.062, 0.064 * bust},
                        0.05, turned(16, 16, 0));
  breast.paired = true;
  auto& above =
      m.bar(kChest, {0.064 * bust, 1.245, 0.062 * bust}, 0.042 * bust, {0.075, 1.345, 0.012}, 0.04, 0.06);
  above.paired = true;  // from the breast to the collarbone
  auto& seat =
      m.ball(kPelvis, {0.066 * hips, 0.898, -0.046 * hips}, {0.080 * hips, 0.088, 0.076 * hips}, 0.055);
  seat.paired = true;
}

/// Shoulders, neck and head. `half`: of the distance between the shoulder joints.
void add_top(Modeller& m, double half) {
  auto& yoke = m.bar(kChest, {0.02, 1.378, -0.026}, 0.056, {half - 0.06, 1.366, -0.03}, 0.054, 0.06);
  flatten(yoke, {0, 0, 1}, 0.95);
  yoke.paired = true;
  auto& collar =
      m.bar(kClavicleL, {half * 0.45, 1.390, -0.02}, 0.042, {half - 0.014, 1.389, -0.022}, 0.041, 0.05);
  collar.paired = true;
  auto& trapezius = m.bar(kChest, {0.014, 1.462, -0.030}, 0.032, {half * 0.74, 1.405, -0.026}, 0.020, 0.07);
  trapezius.paired = true;
  auto& neck = m.bar(kNeck, {0, 1.41, -0.022}, 0.052, {0, 1.55, 0.0}, 0.045, 0.05);
  flatten(neck, {1, 0, 0}, 0.95);
  m.ball(kHead, {0, 1.630, -0.006}, {0.070, 0.090, 0.089}, 0.02);                     // skull
  m.ball(kHead, {0, 1.588, 0.026}, {0.052, 0.070, 0.060}, 0.05, turned(-8, 0, 0));    // face and jaw
  m.ball(kHead, {0, 1.602, 0.084}, {0.009, 0.024, 0.010}, 0.022, turned(-14, 0, 0));  // nose
}

void add_arm(Modeller& m, const Skeleton& s, double bust) {
  const auto at = [&](int bone) { return dvec3(s.head[bone]) / double(s.scale); };
  const dvec3 shoulder = at(kUpperArmL), elbow = at(kForearmL), wrist = at(kHandL);
  const dvec3 along = glm::normalize(elbow - shoulder), front(0, 0, 1), out = glm::cross(along, front) * -1.0;
  const size_t first = m.all.size();
  const double thick = 0.5 + 0.5 * bust;
  m.bar(kUpperArmL, shoulder - 0.002 * along, 0.044 * thick, elbow, 0.0335 * thick, 0.05);
  m.ball(kUpperArmL, shoulder + 0.075 * along + 0.006 * out, {0.036 * thick, 0.09, 0.039 * thick}, 0.03,
         glm::mat3_cast(glm::dquat(s.rest[kUpperArmL])));  // deltoid
  m.bar(kForearmL, elbow, 0.0335 * thick, wrist, 0.0235, 0.006);
  m.ball(kForearmL, elbow + 0.072 * along, {0.0355 * thick, 0.085, 0.0355 * thick}, 0.015,
         glm::mat3_cast(glm::dquat(s.rest[kUpperArmL])));
  auto& palm = m.bar(kHandL, wrist + 0.010 * along, 0.0265, wrist + 0.080 * along, 0.037, 0.02);
  flatten(palm, out, 0.56);
  auto& fingers =
      m.bar(kHandL, wrist + 0.080 * along, 0.036, wrist + 0.150 * along - 0.012 * out, 0.024, 0.006);
  flatten(fingers, out, 0.60);
  m.bar(kHandL, wrist + 0.022 * along + 0.018 * front, 0.0165,
        wrist + 0.082 * along + 0.044 * front - 0.008 * out, 0.0135,
        0.02);  // thumb
  for (size_t i = first; i < m.all.size(); ++i) m.all[i].arm = true;
}

void add_leg(Modeller& m, const Skeleton& s, double hips) {
  const auto at = [&](int bone) { return dvec3(s.head[bone]) / double(s.scale); };
  const dvec3 hip = at(kThighL), knee = at(kShinL), ankle = at(kFootL),
              ball = at(kToesL) + dvec3(0, 0.014, 0);
  const double thick = 0.35 + 0.65 * hips;
  const auto on = [](const dvec3& a, const dvec3& b, double t) { return a + t * (b - a); };
  m.bar(kThighL, hip + dvec3(0.005, -0.02, -0.002), 0.0785 * hips, knee + dvec3(0, 0.01, 0.002),
        0.0490 * thick, 0.08);
  m.ball(kThighL, on(hip, knee, 0.36) + dvec3(0.006, 0, 0.006), {0.070 * thick, 0.22, 0.077 * thick}, 0.05);
  m.bar(kShinL, knee + dvec3(0, 0.01, 0.002), 0.0485 * thick, on(knee, ankle, 0.88) + dvec3(0, 0, -0.002),
        0.0295, 0.006);
  m.ball(kShinL, on(knee, ankle, 0.31) + dvec3(0.002, 0, -0.016), {0.0475 * thick, 0.125, 0.046 * thick},
         0.03, turned(3, 0, 0));
  m.bar(kShinL, on(knee, ankle, 0.86) + dvec3(0, 0, -0.002), 0.0295, ankle + dvec3(0, 0, 0), 0.0325, 0.012);
  const dmat3 out = glm::mat3_cast(glm::dquat(s.rest[kFootL]));
  const auto foot = [&](double x, double y, double z) { return ankle + out * dvec3(x, y, z); };
  m.bar(kFootL, foot(0, -0.01, -0.006), 0.032, foot(0, -0.047, -0.026), 0.031, 0.02);  // heel
  auto& instep = m.bar(kFootL, foot(0, -0.006, 0.006), 0.033, foot(0.003, -0.050, 0.125), 0.029, 0.03);
  flatten(instep, dvec3(0, 1, 0), 0.95);
  auto& sole = m.bar(kFootL, foot(0, -0.052, -0.02), 0.027, foot(0.003, -0.053, 0.110), 0.040, 0.02);
  flatten(sole, dvec3(0, 1, 0), 0.64);
  auto& toes = m.bar(kToesL, ball + out * dvec3(0.003, 0.002, 0.0), 0.041,
                     ball + out * dvec3(-0.006, -0.002, 0.052), 0.029, 0.01);
  flatten(toes, dvec3(0, 1, 0), 0.64);
}

}  // namespace

double BodyPrimitive::distance(const dvec3& p) const {
  return kind == Kind::capsule ? capsule_distance(*this, p) : ellipsoid_distance(*this, p);
}

double hull_length(std::vector<dvec2> points) {
  std::sort(points.begin(), points.end(),
            [](const dvec2& a, const dvec2& b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
  std::vector<dvec2> hull;  // Andrew's monotone chain
  const auto turn = [](const dvec2& o, const dvec2& a, const dvec2& b) {
    return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
  };
  for (int pass = 0; pass < 2; ++pass) {
    const size_t first = hull.size();
    for (const dvec2& p : points) {
      while (hull.size() >= first + 2 && turn(hull[hull.size() - 2], hull.back(), p) <= 0) hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();
    std::reverse(points.begin(), points.end());
  }
  double length = 0;
  for (size_t i = 0; i < hull.size(); ++i) length += glm::length(hull[(i + 1) % hull.size()] - hull[i]);
  return length;
}

BodyField::BodyField(const MannequinParams& params) {
  Scales scales;
  constexpr int kRounds = 40;
  constexpr double kClose = 1e-3;
  for (int round = 0;; ++round) {
    build(params, scales);
    const double bust = params.bust / girth(heights_.bust), waist = params.waist / girth(heights_.waist),
                 hips = params.hips / girth(heights_.hips);
    if (std::max({std::abs(bust - 1), std::abs(waist - 1), std::abs(hips - 1)}) < kClose) return;
    // neighbours blend into each other: each girth depends on all three factors, on its own most
    scales.bust *= std::pow(bust, 0.9), scales.waist *= std::pow(waist, 0.9),
        scales.hips *= std::pow(hips, 0.9);
    if (round == kRounds)
      throw Error(fmt::format("no body has bust {:.3g}, waist {:.3g}, hips {:.3g} and height {:.3g} m",
                              params.bust, params.waist, params.hips, params.height),
                  "mannequin", "choose measures that are closer together");
  }
}

void BodyField::build(const MannequinParams& params, const Scales& scales) {
  skeleton_ = make_skeleton(params, float(std::clamp(0.4 + 0.6 * scales.hips, 0.7, 1.6)));
  const double scale = skeleton_.scale;
  heights_ = {1.235 * scale, 1.075 * scale, 0.885 * scale};
  Modeller m(scale);
  add_torso(m, scales.bust, scales.waist, scales.hips);
  add_top(m, 0.5 * params.shoulders / scale);
  const size_t limbs = m.all.size();
  add_leg(m, skeleton_, scales.hips);
  add_arm(m, skeleton_, scales.bust);
  for (size_t i = limbs; i < m.all.size(); ++i) m.all[i].limb = true;
  primitives_ = std::move(m.all);
}

double BodyField::evaluate(const dvec3& point, bool arms, BoneShares* shares) const {
  const bool left = point.x >= 0;
  const dvec3 own(std::abs(point.x), point.y, point.z), other(-own.x, own.y, own.z);
  double d = 1e9, part = 0;
  if (shares) shares->fill(0);
  const auto join = [&](double distance, double blend, int bone, int second_bone, double second) {
    d = smooth_union(d, distance, blend, part);
    if (!shares) return;
    for (float& s : *shares) s *= float(1 - part);
    (*shares)[left ? bone : mirrored_bone(bone)] += float(part * (1 - second));
    (*shares)[left ? second_bone : mirrored_bone(second_bone)] += float(part * second);
  };
  for (const BodyPrimitive& primitive : primitives_) {
    if (primitive.arm && !arms) continue;
    const double near = primitive.distance(own);
    if (!primitive.paired) {
      join(near, primitive.blend, primitive.bone, primitive.bone, 0);
      continue;
    }
    double second = 0;
    const double both = smooth_union(near, primitive.distance(other), primitive.blend, second);
    join(both, primitive.blend, primitive.bone, mirrored_bone(primitive.bone), second);
  }
  return smooth_cut(d, -point.y, 0.006 * skeleton_.scale);  // flat soles
}

double BodyField::distance(const dvec3& p, bool arms) const { return evaluate(p, arms, nullptr); }

dvec3 BodyField::gradient(const dvec3& p) const {
  constexpr double h = 1e-5;
  dvec3 g;
  for (int k = 0; k < 3; ++k) {
    dvec3 step(0);
    step[k] = h;
    g[k] = (distance(p + step) - distance(p - step)) / (2 * h);
  }
  return g;
}

BoneShares BodyField::shares(const dvec3& p) const {
  BoneShares shares;
  evaluate(p, true, &shares);
  return shares;
}

double BodyField::girth(double height) const {
  constexpr int kRays = 180;
  const double reach = 0.5 * skeleton_.scale, step = 0.01 * skeleton_.scale;
  std::vector<dvec2> points;
  for (int i = 0; i < kRays; ++i) {
    const double angle = 2 * M_PI * i / kRays;
    const dvec3 out(std::sin(angle), 0, std::cos(angle)), origin(0, height, 0);
    double in = reach;
    while (in > 0 && distance(origin + in * out, false) > 0) in -= step;
    double low = in, high = in + step;
    for (int k = 0; k < 24; ++k) {
      const double middle = 0.5 * (low + high);
      (distance(origin + middle * out, false) > 0 ? high : low) = middle;
    }
    points.emplace_back(low * out.x, low * out.z);
  }
  return hull_length(points);
}

}  // namespace weft
