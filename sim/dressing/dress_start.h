// Where garments and bodies are when a dressing begins, such that nothing crosses and each opening of a
// garment has a part of the body in it; and whether that is so in the end.
#pragma once
#include <string>
#include <vector>

#include "sim/garment/garment_mesh.h"
#include "sim/scene/scene.h"

namespace weft {

/// The folder of a scene's file; empty where it has none.
std::string folder_of(const Scene& scene);

/// Crossings of a start, exact (crossing_triangles).
struct StartCrossings {
  int with_bodies = 0;  // pairs of triangles of cloth and body
  int of_panels = 0;    // of cloth, where neither has a vertex of a seam
  int of_rows = 0;      // other pairs of cloth: rows stretched between panels, which sewing draws together
  std::string places;   // "front and the left upper arm near (0.2, 1.3, 0) m", of the first two kinds
};

/// Of garments as placed and bodies in their first frames. `scene`: of scene_of_dressing; `garments`: of its
/// cloths.
StartCrossings start_crossings(const Scene& scene, const std::vector<GarmentMesh>& garments);

/// Changes the start of a dressing where it is not clean, or where openings have no part of the body in them:
///
/// - panels that cross each other get layers, later ones further out;
/// - a garment that lies mostly below the soles, or has more of its openings in use if raised, is placed for
///   an origin at the hips and is raised by their height;
/// - the body, which grows to its shape anyway, begins with lower shoulders, raised arms and thinner:
///   y -> y - drop c(y) + lift (|x - x0| - w)+. c grows from 0 at the hips to 1 at the shoulders, w is half of
///   their width. The map is one to one, so that the body stays free of itself.
///
/// Of the tried starts the one counts in which most openings are used without a crossing, then the one that
/// changes least. What is clean and used stays as it is, to the bit. Deterministic.
void begin_clear(Scene& scene, std::vector<GarmentMesh>& garments, std::vector<std::string>& notices);

/// Of a garment's vertices, m.
struct Heights {
  double top = -1e300, mean = 0;
  explicit Heights(const std::vector<vec3>& positions);
};

/// What is wrong with garments as they are worn, in words: crossings, a garment that fell, openings without a
/// part of the body in them. `worn`: positions of each garment, m; `placed`: before they were sewn. Bodies in
/// their last frames.
std::vector<std::string> faults_of_worn(const Scene& scene, const std::vector<GarmentMesh>& garments,
                                        const std::vector<std::vector<vec3>>& worn,
                                        const std::vector<Heights>& placed);

}  // namespace weft
