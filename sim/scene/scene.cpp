#include "sim/scene/scene.h"

#include "sim/scene/body_settings.h"
#include "sim/scene/fabric_prints.h"

namespace weft {

bool waits_for_dressing(const Cloth& cloth) {
  return cloth.shape == ClothShape::garment && cloth.start == "dressed" && !cloth.mesh;
}

ParamTable Scene::params() {
  ParamTable table;
  table.add("step", step);
  table.add("forces", forces);
  table.add("drag", drag);
  table.add("contact", contact);
  methods.describe(table);
  if (!cloths.empty()) table.add("fabric", cloths.front().fabric);
  for (Cloth& cloth : cloths) table.add(cloth.name, cloth.fabric);
  return table;
}

void Scene::set(const std::string& key, const std::string& text) {
  const ParamTable table = params();
  if (!table.find(key) && is_body_key(key)) return set_body_value(*this, key, text);
  if (!table.find(key) && is_print_key(*this, key)) return set_print(*this, key, text);
  table.set(key, text);
  const std::string group = "fabric.";
  if (key.compare(0, group.size(), group) != 0) return;
  // The table's fabric is the first cloth's and took the value, so the others take it too.
  for (size_t c = 1; c < cloths.size(); ++c) table.set(cloths[c].name + "." + key.substr(group.size()), text);
}

}  // namespace weft
