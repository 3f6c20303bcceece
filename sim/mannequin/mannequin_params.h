// What a person chooses of a mannequin: its measures and the speed of its motion.
#pragma once
#include <string>
#include <vector>

#include "sim/base/params.h"

namespace weft {

/// Measures as a tailor takes them. Girths are lengths of a tape, which spans hollows.
struct MannequinParams {
  bool operator==(const MannequinParams&) const = default;
  float height = 1.72f;     // m, from the soles to the top of the head
  float bust = 0.88f;       // m, girth
  float waist = 0.68f;      // m, girth
  float hips = 0.94f;       // m, girth
  float shoulders = 0.37f;  // m, between the shoulder joints
  float arm_angle = 42;     // degrees between the arms and the vertical in the rest pose
  float edge = 0.015f;      // m, edges of its triangles
  float lead_in = -1;       // s from the rest pose to the first clip; below 0: as needed
  float blend = 0.6f;       // s from clip to clip
  float speed = 1;          // factor on the clips' speed

  void describe(ParamVisitor& v);
};

/// One entry of the list of clips that a mannequin moves by.
struct ClipUse {
  std::string clip = "stand";  // name of a file in assets/mannequin
  float duration = 0;          // s; 0: once from its beginning to its end
  bool operator==(const ClipUse&) const = default;
};

/// All that a scene says about a mannequin. Without clips it stays in its rest pose.
struct Mannequin {
  MannequinParams params;
  std::vector<ClipUse> clips;
  bool operator==(const Mannequin&) const = default;
};

}  // namespace weft
