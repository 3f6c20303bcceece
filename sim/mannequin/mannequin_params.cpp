#include "sim/mannequin/mannequin_params.h"

#include "sim/base/param_rows.h"

namespace weft {

void MannequinParams::describe(ParamVisitor& v) {
  const ParamRows row(v);
  row(height, param("height", "Height").unit("m").range(1.2, 2.2).rebuilds(),
      "From the soles to the top of the head. Lengths of all bones follow.");
  row(bust, param("bust", "Bust").unit("m").range(0.7, 1.3).rebuilds(),
      "Girth of the chest where it is widest, arms excluded.");
  row(waist, param("waist", "Waist").unit("m").range(0.5, 1.2).rebuilds(), "Girth of the waist.");
  row(hips, param("hips", "Hips").unit("m").range(0.75, 1.35).rebuilds(),
      "Girth of the hips where they are widest.");
  row(shoulders, param("shoulders", "Shoulders").unit("m").range(0.28, 0.5).rebuilds(),
      "Distance between the shoulder joints.");
  row(arm_angle, param("arm_angle", "Arm angle").unit("deg").range(20, 90).rebuilds(),
      "Angle between the arms and the vertical in the rest pose, in which garments are put on. More keeps "
      "sleeves away from the torso.");
  row(edge, param("edge", "Edge length").length(0.006, 0.02).rebuilds(),
      "Edge length of the body's triangles. Less is rounder and costs more.");
  row(lead_in, param("lead_in", "Lead-in").unit("s").range(-1, 60).zero("none").rebuilds(),
      "Time from the rest pose to the first clip. 0: starts in the first clip's pose. -1: as needed, 1 s "
      "where a garment is put on the body at the start and none elsewhere.");
  row(blend, param("blend", "Blend").unit("s").range(0.2, 10).rebuilds(),
      "Time from one clip to the next. A foot that stands elsewhere afterwards takes a step.");
  row(speed, param("speed", "Speed").range(0.05, 4).log_scale().rebuilds(),
      "Factor on the speed of all clips.");
}

}  // namespace weft
