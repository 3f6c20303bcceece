#include "sim/mannequin/mannequin_params.h"

namespace weft {

void MannequinParams::describe(ParamVisitor& v) {
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
  v(arm_angle, {.key = "arm_angle",
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
  v(lead_in, {.key = "lead_in",
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

}  // namespace weft
