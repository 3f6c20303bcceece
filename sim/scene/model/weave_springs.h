// Springs whose stiffness depends on their direction in the weave.
#pragma once
#include <algorithm>
#include <cmath>

#include "sim/scene/params.h"

namespace weft {

/// Springs in all directions, of stiffness Y f(theta) with f = a + b cos 2 theta + c cos 4 theta (theta from
/// the warp), act like a sheet with C = 3 Y <f n n n n>:
///
///   C11 = 3 Y (3 a / 8 + b / 4 + c / 16),  C22 = 3 Y (3 a / 8 - b / 4 + c / 16),  C12 = G = 3 Y (a / 8 - c /
///   16),
///
/// from which a, b and c follow for a wanted C11 = 9/8 Y, C22 = 9/8 Y_weft and G (Poisson's ratio is that of
/// springs). Where f would be below kSoftest, a spring has that: without b wherever G < 0.18 C. Meshes with
/// edges in all directions come near the wanted moduli. An equilateral lattice has three directions and is
/// right only for b = c = 0: edges at 0, 60 and 120 degrees from the warp carry the weft and the shear by the
/// same springs, so that a sheet soft in shear is soft along the weft too, by as much as kSoftest allows.
/// Elements
/// (elastic_model = "st_venant_kirchhoff") have all moduli as given.
class WeaveSprings {
 public:
  explicit WeaveSprings(const FabricParams& p) {
    const float weft = p.weft_stiffness > 0 ? p.weft_stiffness / p.stretch_stiffness : 1.0f;
    const float c11 = 9.0f / 8, c22 = 9.0f / 8 * weft;
    const float g =
        p.shear_stiffness > 0 ? p.shear_stiffness / p.stretch_stiffness : 3.0f / 8 * std::sqrt(weft);
    a_ = (c11 + c22 + 2 * g) / 3;
    b_ = 2 * (c11 - c22) / 3;
    c_ = 2 * a_ - 16 * g / 3;
  }
  /// Stiffness of a spring along `direction` (material coordinates) over that along all directions of an
  /// isotropic sheet.
  float factor(const vec2& direction) const {
    const float length2 = glm::dot(direction, direction);
    if (!(length2 > 0)) return a_;
    const float cos2 = (direction.x * direction.x - direction.y * direction.y) / length2;
    return std::max(kSoftest, a_ + b_ * cos2 + c_ * (2 * cos2 * cos2 - 1));
  }

  /// With less, a hand that pulls a vertex with a newton draws it out of the sheet by several edges.
  static constexpr float kSoftest = 0.1f;

 private:
  float a_, b_, c_;
};

}  // namespace weft
