// Radii that cloths, solids and strands have in contact.
#pragma once
#include <string>
#include <vector>

#include "sim/base/params.h"
#include "sim/mesh/topology.h"

namespace weft {

struct Scene;

/// Contact radii (m) of parts by their names: one of a scene's blocks of parameters (Scene::of),
/// contact_radius.NAME. Half of a part's thickness: parts meet at the sum of their radii, bodies at the
/// part's own. 0, or no entry: the collision method's usual distance. Grains have a radius that nothing
/// enters, and are not among them.
struct ContactRadii {
  struct OfPart {
    std::string part;
    float radius = 0;  // m
  };
  std::vector<OfPart> list;
  /// Of a part that a scene has; the entry is added where there is none.
  float& of(const std::string& part);
  float of(const std::string& part) const;
  /// Whether all parts have the same.
  bool operator==(const ContactRadii& other) const;
  void describe(ParamVisitor& v);
  static constexpr float kLeast = 1e-4f, kMost = 0.05f;  // m, of those above 0
};

/// Of a part (surface_of), m; 0: it has none of its own.
float contact_radius(const Scene& scene, int part);
/// Of all parts.
std::vector<float> contact_radii(const Scene& scene);
/// Throws Error that names the part where one is not finite, negative, or too small or large for it.
void check_contact_radii(const Scene& scene, const Topology& parts);
/// What a collision method `label` that keeps the parts of a scene no radii apart tells; empty where no part
/// has one.
std::string radii_left_out(const Scene& scene, const std::string& label);

}  // namespace weft
