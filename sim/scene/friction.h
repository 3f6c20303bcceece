// Friction by fabric and by pair: which Coulomb coefficient counts between two things that touch.
//
//   1. a pair that the scene names ([[friction]]); of several that fit, the last
//   2. what the two say themselves: cloth on a body FabricParams::friction and Obstacle::friction, cloth on
//      cloth FabricParams::self_friction of both. Two values: sqrt(a b), the geometric mean; one: that one
//   3. contact.friction on bodies; on cloth self_friction of the collision method
#pragma once
#include <string>
#include <vector>

#include "sim/base/params.h"

namespace weft {

class TomlTable;
struct Scene;

/// The coefficient between two things that a scene names: cloths, fabrics (all cloths of that fabric) and
/// bodies, of which one is no body. kGroundName is the ground.
struct FrictionPair {
  std::string first, second;
  float coefficient = 0.4f;
  bool operator==(const FrictionPair&) const = default;
};
inline constexpr const char* kGroundName = "ground";

/// The pairs of a scene: one of its blocks of parameters (Scene::of); friction.FIRST.SECOND is the
/// coefficient of a pair.
struct FrictionPairs {
  std::vector<FrictionPair> list;
  bool operator==(const FrictionPairs&) const = default;
  void describe(ParamVisitor& v);
};

/// The [[friction]] tables of a file whose cloths and bodies `scene` has. `fabrics`: further names of fabrics
/// that may be used. Throws Error "file:line".
std::vector<FrictionPair> read_friction_pairs(TomlTable& root, const Scene& scene,
                                              const std::vector<std::string>& fabrics);
/// As [[friction]] tables that read back to the same values.
std::string friction_pairs_as_toml(const std::vector<FrictionPair>& pairs);

/// Coefficients of `cloths` cloths (at least those of the scene; others have no fabric) against all
/// materials: the cloths, Scene::obstacles, the ground. Entry cloth * materials + material; negative between
/// cloths that say nothing: the method's own counts.
std::vector<float> friction_coefficients(const Scene& scene, int cloths);

}  // namespace weft
