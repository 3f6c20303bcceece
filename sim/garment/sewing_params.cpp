#include "sim/garment/sewing_params.h"

#include "sim/base/param_rows.h"

namespace weft {

void SewingParams::describe(ParamVisitor& v) {
  const ParamRows row(v);
  row(tension, param("tension", "Tension").unit("N/m").range(1, 1000).log_scale(),
      "Force per length with which open seams are pulled together during dressing. More closes tight seams; "
      "less is gentler to thin fabrics.");
  row(closing_speed, param("closing_speed", "Closing speed").unit("m/s").range(0.05, 10).log_scale(),
      "Largest speed with which the row of triangles at an open seam gets shorter during dressing.");
  row(growth, param("growth", "Growth").unit("s").range(0.1, 20).log_scale(),
      "Time in which the body grows from thin to its shape during dressing. Longer is gentler to tight "
      "garments, and takes longer.");
  row(seam_bending, param("seam_bending", "Seam bending").range(0.1, 100).log_scale().rebuilds(),
      "Factor on the bending rigidity along seams, where cloth lies double. 1: seams bend as the fabric "
      "does.");
  row(elastic, param("elastic", "Elastic").range(0.1, 1).rebuilds(),
      "Rest length over length in the pattern of elastics whose ratio is the scene's, as of waistbands. Less "
      "holds more firmly; 1: no elastic.");
  row(first_layer, param("first_layer", "First layer").length(0, 0.1),
      "Distance by which the panels of the first layer are moved outwards from where the pattern places them "
      "before dressing.");
  row(layer_distance, param("layer_distance", "Layer distance").length(0.001, 0.1).rebuilds(),
      "Distance between the layers of a garment at the start of dressing.");
  row(settle, param("settle", "Settling").unit("s").range(0, 20),
      "Time for which the dressed garment hangs under gravity before it is written.");
}

}  // namespace weft
