#include "sim/collision/free_path/far_bodies.h"

#include "sim/device/launch.h"

namespace weft {

FarBodies::FarBodies(Device& device, const ContactSurface& surface)
    : device_(device),
      surface_(surface),
      beyond_(device, "far bodies", surface.body_points()),
      box_(device, "far bodies", (surface.cloth_points() + smooth_field::kChunk - 1) / smooth_field::kChunk) {
}

void FarBodies::move(Span<const vec3> y, float margin, Span<vec3> x, Span<float> remaining) {
  const int cloth = surface_.cloth_points(), bodies = beyond_.size();
  launch(device_, "far bodies", box_.size(), smooth_field::ChunkBoxes{Span<const vec3>(x.data, cloth), box_});
  launch(device_, "far bodies", 1, two_way::WholeBox{box_});
  launch(device_, "far bodies", bodies,
         two_way::BeyondFaces{
             .x = x, .y = y, .cloth_points = cloth, .box = box_, .margin = margin, .beyond = beyond_});
  launch(device_, "far bodies", bodies,
         two_way::MoveFarPoints{.next = surface_.neighbors(),
                                .beyond = beyond_,
                                .cloth_points = cloth,
                                .y = y,
                                .x = x,
                                .remaining = remaining});
}

}  // namespace weft
