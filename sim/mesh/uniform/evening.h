// Even edges by turns of moving vertices and changing connectivity.
#pragma once
#include <functional>

#include "sim/mesh/uniform/half_edge.h"

namespace weft {

class SourceSurface;

struct EveningOptions {
  double enough = 0.65;                            // ratio at which to stop
  int searches = 200;                              // patches that are tried, at most
  int64_t visits = 10'000'000;                     // budget of source triangles visited: about a second
  const SourceSurface* source = nullptr;           // vertices stay on it; null: in the plane z = 0
  std::function<void(double)> progress = nullptr;  // share done, 0 to 1
};

/// Improves the ratio of the shortest to the longest edge; boundary vertices are fixed. First all interior
/// vertices move (edge_ratio.h). If one edge then limits the ratio, its connectivity is changed: in a patch
/// of four rings around it every flip, split and collapse of the nearest edges is tried, and the best four
/// with a second one; vertices of the patch move again, and the best outcome replaces the patch. Returns the
/// ratio.
double even_out(HalfEdgeMesh& mesh, const EveningOptions& options);

}  // namespace weft
