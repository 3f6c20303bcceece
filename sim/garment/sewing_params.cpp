#include "sim/garment/sewing_params.h"

namespace weft {

void SewingParams::describe(ParamVisitor& v) {
  v(tension, {.key = "tension",
              .label = "Tension",
              .unit = "N/m",
              .min = 1,
              .max = 1000,
              .help = "Force per length with which open seams are pulled together during dressing. More "
                      "closes tight seams; less is gentler to thin fabrics.",
              .log_scale = true});
  v(closing_speed, {.key = "closing_speed",
                    .label = "Closing speed",
                    .unit = "m/s",
                    .min = 0.05,
                    .max = 10,
                    .help = "Largest speed with which the row of triangles at an open seam gets shorter "
                            "during dressing.",
                    .log_scale = true});
  v(growth, {.key = "growth",
             .label = "Growth",
             .unit = "s",
             .min = 0.1,
             .max = 20,
             .help = "Time in which the body grows from thin to its shape during dressing. Longer is "
                     "gentler to tight garments, and takes longer.",
             .log_scale = true});
  v(seam_bending, {.key = "seam_bending",
                   .label = "Seam bending",
                   .min = 0.1,
                   .max = 100,
                   .help = "Factor on the bending rigidity along seams, where cloth lies double. 1: seams "
                           "bend as the fabric does.",
                   .log_scale = true,
                   .rebuilds = true});
  v(elastic, {.key = "elastic",
              .label = "Elastic",
              .min = 0.1,
              .max = 1,
              .help = "Rest length over length in the pattern of elastics whose ratio is the scene's, as of "
                      "waistbands. Less holds more firmly; 1: no elastic.",
              .rebuilds = true});
  v(first_layer,
    {.key = "first_layer",
     .label = "First layer",
     .unit = "m",
     .min = 0,
     .max = 0.1,
     .help = "Distance by which the panels of the first layer are moved outwards from where the pattern "
             "places them before dressing.",
     .display_unit = "mm",
     .display_scale = 1e3});
  v(layer_distance, {.key = "layer_distance",
                     .label = "Layer distance",
                     .unit = "m",
                     .min = 0.001,
                     .max = 0.1,
                     .help = "Distance between the layers of a garment at the start of dressing.",
                     .display_unit = "mm",
                     .display_scale = 1e3,
                     .rebuilds = true});
  v(settle, {.key = "settle",
             .label = "Settling",
             .unit = "s",
             .min = 0,
             .max = 20,
             .help = "Time for which the dressed garment hangs under gravity before it is written."});
}

}  // namespace weft
