#include "sim/scene/contact_radii.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/error.h"
#include "sim/base/param_rows.h"
#include "sim/scene/scene.h"
#include "sim/scene/solids.h"

namespace weft {

float& ContactRadii::of(const std::string& part) {
  for (OfPart& own : list)
    if (own.part == part) return own.radius;
  return list.emplace_back(OfPart{part}).radius;
}

float ContactRadii::of(const std::string& part) const {
  for (const OfPart& own : list)
    if (own.part == part) return own.radius;
  return 0;
}

bool ContactRadii::operator==(const ContactRadii& other) const {
  const auto within = [](const ContactRadii& a, const ContactRadii& b) {
    return std::all_of(a.list.begin(), a.list.end(),
                       [&](const OfPart& own) { return own.radius == b.of(own.part); });
  };
  return within(*this, other) && within(other, *this);
}

void ContactRadii::describe(ParamVisitor& v) {
  const ParamRows row(v);
  for (OfPart& own : list)
    row(own.radius,
        param(own.part, own.part + ": Contact radius")
            .length(0, double(kMost))
            .zero("of the collision method"),
        "Half of the thickness with which it meets others: they come to rest at the sum of both radii, and "
        "bodies at this one. At least 0.1 mm. 0: the collision method's distance.");
}

float contact_radius(const Scene& scene, int part) {
  return scene.of<ContactRadii>().of(part_name(scene, part));
}

std::vector<float> contact_radii(const Scene& scene) {
  std::vector<float> all;
  for (int p = 0; p < part_count(scene); ++p) all.push_back(contact_radius(scene, p));
  return all;
}

void check_contact_radii(const Scene& scene, const Topology& parts) {
  for (int p = 0; p < int(parts.parts.size()) && p < part_count(scene); ++p) {
    const ModelPart& part = parts.parts[size_t(p)];
    const float radius = contact_radius(scene, p);
    if (radius == 0) continue;
    const auto refuse = [&](const std::string& why, const std::string& what) {
      throw Error(fmt::format("{} has a contact radius of {} m, {}", in_words(part), radius, why),
                  "contact_radius." + part.name, what);
    };
    if (part.kind == PartKind::grains)
      refuse("and grains have one of their own", "leave it out; grains.radius says it");
    if (!(radius >= ContactRadii::kLeast && radius <= ContactRadii::kMost))
      refuse("which cannot be", "give 0 (the collision method's distance), or 0.0001 to 0.05");
    Bounds box;
    for (int v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v) box.add(parts.rest[v]);
    if (const float size = box.diagonal(); 2 * radius > size)
      refuse(fmt::format("twice of which is more than all of it, {:.3g} m", size), "give a smaller one");
  }
}

std::string radii_left_out(const Scene& scene, const std::string& label) {
  std::string named;
  for (int p = 0; p < part_count(scene); ++p)
    if (contact_radius(scene, p) > 0) named += (named.empty() ? "" : ", ") + part_name(scene, p);
  if (named.empty()) return "";
  return fmt::format(
      "{} keeps its own distance between cloths: the contact radius of {} counts only against bodies; choose "
      "two_way, ndb or impact_zones, or leave out contact_radius",
      label, named);
}

}  // namespace weft
