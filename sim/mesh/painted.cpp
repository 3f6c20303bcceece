#include "sim/mesh/painted.h"

#include <algorithm>
#include <functional>

#include "sim/mesh/topology.h"

namespace weft {

void add_color(std::vector<VertexAttribute>& to, const std::string& name, const std::vector<vec3>& colors) {
  constexpr const char* kChannels[] = {".r", ".g", ".b"};
  VertexAttribute all[4];
  for (int k = 0; k < 4; ++k) all[k].name = k ? name + kChannels[k - 1] : name;
  for (const vec3& c : colors) {
    all[0].values.push_back(float(0.2126 * double(c.r) + 0.7152 * double(c.g) + 0.0722 * double(c.b)));
    for (int k = 0; k < 3; ++k) all[k + 1].values.push_back(c[k]);
  }
  for (VertexAttribute& one : all) to.push_back(std::move(one));
}

void add_attributes(std::vector<VertexAttribute>& to, const std::vector<VertexAttribute>& own, size_t first,
                    size_t count) {
  for (const VertexAttribute& a : own) {
    auto at = std::find_if(to.begin(), to.end(), [&](const VertexAttribute& t) { return t.name == a.name; });
    if (at == to.end()) at = to.insert(to.end(), VertexAttribute{a.name, {}});
    at->values.resize(first, NAN);
    at->values.insert(at->values.end(), a.values.begin(), a.values.end());
    at->values.resize(first + count, NAN);
  }
}

std::vector<float> painted_factors(const Topology& t, Painted parameter) {
  std::vector<float> all;
  for (const ModelPart& part : t.parts)
    for (const PaintedFactors& one : part.corners.painted) {
      if (one.parameter != parameter) continue;
      all.resize(t.rest.size(), 1.0f);
      std::transform(one.factor.begin(), one.factor.end(), all.begin() + part.first_vertex,
                     all.begin() + part.first_vertex, std::multiplies<>());
    }
  return all;
}

}  // namespace weft
