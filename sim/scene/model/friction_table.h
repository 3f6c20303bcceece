// Friction coefficients as kernels read them.
#pragma once
#include "sim/base/math.h"
#include "sim/base/span.h"

namespace weft {

/// What friction_coefficients (friction.h) says, on a device.
struct FrictionTable {
  Span<const float> coefficient;
  int cloths = 0, materials = 0;
  HD float of(int cloth, int material) const { return coefficient[cloth * materials + material]; }
  /// Of a cloth on a body by its number in Scene::obstacles; after those comes the ground.
  HD float on_body(int cloth, int body) const { return of(cloth, cloths + body); }
};

/// Factors that are painted on points of cloth (painted_factors): on bodies, and on cloth. Empty: 1.
struct FrictionFactors {
  Span<const float> on_bodies, on_cloth;
  HD bool any() const { return !on_bodies.empty() || !on_cloth.empty(); }
  HD float body(int p) const { return p < on_bodies.size ? on_bodies[p] : 1.0f; }
  HD float cloth(int p) const { return p < on_cloth.size ? on_cloth[p] : 1.0f; }
};

/// The same for points, of which each has a material.
struct PointFriction {
  FrictionTable table;
  Span<const int> material;  // per point
  FrictionFactors factor;
  HD float on_body(int p, int body) const { return table.on_body(material[p], body) * factor.body(p); }
  /// Between two points, of which one is of cloth. `otherwise`: of cloth on cloth that says nothing.
  HD float between(int p, int q, float otherwise) const {
    const int a = glm::min(material[p], material[q]), b = glm::max(material[p], material[q]);
    if (a >= table.cloths) return 0;
    const float named = table.of(a, b), plain = named < 0 ? otherwise : named;
    return factor.any() ? plain * of_pair(p, q, b < table.cloths) : plain;
  }

 private:
  /// Of two cloths the geometric mean, as of what they say; of a body 1.
  HD float of_pair(int p, int q, bool cloth) const {
    return cloth ? sqrtf(factor.cloth(p) * factor.cloth(q)) : factor.body(p) * factor.body(q);
  }
};

}  // namespace weft
