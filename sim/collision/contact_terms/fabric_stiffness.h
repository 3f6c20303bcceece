// How stiff the fabric at each vertex is, for contact that is to be in proportion to it.
#pragma once
#include <algorithm>
#include <vector>

#include "sim/device/buffer.h"
#include "sim/methods/step_context.h"

namespace weft {

class FabricStiffness {
 public:
  FabricStiffness(const StepContext& c, const char* name) : vertex_(c.device, name, c.model.vertex_count()) {}

  /// `factor` times the larger stretch stiffness of each vertex's fabric, N/m. Uploads changes only: fabrics
  /// may be edited between steps.
  void prepare(const StepContext& c, float factor) {
    std::vector<float> cloth;
    for (const Cloth& one : c.scene.cloths)
      cloth.push_back(factor * std::max(one.fabric.stretch_stiffness, one.fabric.weft_stiffness));
    if (cloth == cloth_) return;
    std::vector<float> all;
    for (const int one : c.model.host.vertex_cloth) all.push_back(cloth[one]);
    vertex_.upload(all);
    cloth_ = cloth;
  }
  /// N/m, per vertex.
  operator Span<const float>() const { return vertex_; }

 private:
  std::vector<float> cloth_;  // N/m, of which vertex_ was made
  Buffer<float> vertex_;
};

}  // namespace weft
