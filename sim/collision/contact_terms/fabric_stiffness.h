// How stiff the fabric at each vertex is, for contact that is to be in proportion to it.
#pragma once
#include <algorithm>
#include <vector>

#include "sim/device/buffer.h"
#include "sim/mesh/painted.h"
#include "sim/methods/step_context.h"
#include "sim/scene/solids.h"
#include "sim/scene/strands.h"

namespace weft {

class FabricStiffness {
 public:
  FabricStiffness(const StepContext& c, const char* name) : vertex_(c.device, name, c.model.vertex_count()) {}

  /// `factor` times the larger stretch stiffness of each vertex's fabric, N/m; of a solid Young's modulus
  /// times the edge of its cells (0 where it is rigid), of strands their stretch stiffness over the length
  /// of a line. Uploads changes only: fabrics may be edited between steps.
  void prepare(const StepContext& c, float factor) {
    std::vector<float> part;
    for (const Cloth& one : c.scene.cloths)
      part.push_back(factor * std::max(one.fabric.stretch_stiffness, one.fabric.weft_stiffness));
    const std::vector<SolidParams>& solids = c.scene.of<SolidList>().list;
    for (size_t s = 0; s < solids.size(); ++s)
      part.push_back(solids[s].rigid ? 0.0f
                                     : factor * solids[s].material.young *
                                           c.model.host.parts[c.scene.cloths.size() + s].mean_edge);
    for (const StrandParams& s : c.scene.of<StrandList>().list)
      part.push_back(factor * s.material.stretch / c.model.host.parts[part.size()].mean_edge);
    part.resize(c.model.host.parts.size(), 0.0f);  // grains resist nothing
    if (part == part_) return;
    std::vector<float> all;
    for (const int one : c.model.host.vertex_part) all.push_back(part[one]);
    const std::vector<float> painted = painted_factors(c.model.host, Painted::stretch_stiffness);
    for (size_t v = 0; v < painted.size(); ++v) all[v] *= painted[v];
    vertex_.upload(all);
    part_ = part;
  }
  /// N/m, per vertex.
  operator Span<const float>() const { return vertex_; }

 private:
  std::vector<float> part_;  // N/m, of which vertex_ was made
  Buffer<float> vertex_;
};

}  // namespace weft
