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

  template <class V>
  void visit(V&& v) {
    v(height, {.key = "height",
               .label = "Height",
               .unit = "m",
               .min = 1.2,
               .max = 2.2,
               .help = "From the soles to the top of the head. Lengths of all bones follow.",
               .rebuilds = true});
    v(bust, {.key = "bust",
             .label = "Bust",
             .unit = "m",
             .min = 0.7,
             .max = 1.3,
             .help = "Girth of the chest where it is widest, arms excluded.",
             .rebuilds = true});
    v(waist, {.key = "waist",
              .label = "Waist",
              .unit = "m",
              .min = 0.5,
              .max = 1.2,
              .help = "Girth of the waist.",
              .rebuilds = true});
    v(hips, {.key = "hips",
             .label = "Hips",
             .unit = "m",
             .min = 0.75,
             .max = 1.35,
             .help = "Girth of the hips where they are widest.",
             .rebuilds = true});
    v(shoulders, {.key = "shoulders",
                  .label = "Shoulders",
                  .unit = "m",
                  .min = 0.28,
                  .max = 0.5,
                  .help = "Distance between the shoulder joints.",
                  .rebuilds = true});
    v(arm_angle,
      {.key = "arm_angle",
       .label = "Arm angle",
       .unit = "deg",
       .min = 20,
       .max = 90,
       .help = "Angle between the arms and the vertical in the rest pose, in which garments are put "
               "on. More keeps sleeves away from the torso.",
       .rebuilds = true});
    v(edge, {.key = "edge",
             .label = "Edge length",
             .unit = "m",
             .min = 0.006,
             .max = 0.02,
             .help = "Edge length of the body's triangles. Less is rounder and costs more.",
             .display_unit = "mm",
             .display_scale = 1e3,
             .rebuilds = true});
    v(lead_in,
      {.key = "lead_in",
       .label = "Lead-in",
       .unit = "s",
       .min = -1,
       .max = 60,
       .help = "Time from the rest pose to the first clip. 0: starts in the first clip's pose. -1: as "
               "needed, 1 s where a garment is put on the body at the start and none elsewhere.",
       .zero = "none",
       .rebuilds = true});
    v(blend, {.key = "blend",
              .label = "Blend",
              .unit = "s",
              .min = 0.2,
              .max = 10,
              .help = "Time from one clip to the next. A foot that stands elsewhere afterwards takes a step.",
              .rebuilds = true});
    v(speed, {.key = "speed",
              .label = "Speed",
              .min = 0.05,
              .max = 4,
              .help = "Factor on the speed of all clips.",
              .log_scale = true,
              .rebuilds = true});
  }
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
