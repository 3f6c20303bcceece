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

/// The same for points, of which each has a material.
struct PointFriction {
  FrictionTable table;
  Span<const int> material;  // per point
  HD float on_body(int p, int body) const { return table.on_body(material[p], body); }
  /// Between two points, of which one is of cloth. `otherwise`: of cloth on cloth that says nothing.
  HD float between(int p, int q, float otherwise) const {
    const int a = glm::min(material[p], material[q]), b = glm::max(material[p], material[q]);
    if (a >= table.cloths) return 0;
    const float named = table.of(a, b);
    return named < 0 ? otherwise : named;
  }
};

}  // namespace weft
