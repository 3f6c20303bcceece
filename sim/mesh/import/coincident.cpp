#include "sim/mesh/import/coincident.h"

#include <unordered_map>

#include "sim/mesh/import/weld.h"

namespace weft {

std::vector<int> coincident_vertices(const std::vector<vec3>& positions) {
  constexpr double kCell = 8;  // size of a cell in distances: most vertices look into one
  using Cell = glm::vec<3, int64_t>;
  const float near = std::max(coincident_distance(positions), 1e-30f);
  const auto cell_of = [&](const dvec3& p) { return Cell(glm::floor(p / (kCell * double(near)))); };
  const auto key = [](const Cell& c) {
    return uint64_t(c.x) * 0x9e3779b97f4a7c15ull ^ uint64_t(c.y) * 0xc2b2ae3d27d4eb4full ^
           uint64_t(c.z) * 0x165667b19e3779f9ull;
  };
  std::unordered_map<uint64_t, std::vector<int>> cells;  // of earlier vertices that are not coincident
  std::vector<int> found;
  for (size_t v = 0; v < positions.size(); ++v) {
    const dvec3 p(positions[v]);
    const Cell low = cell_of(p - double(near)), high = cell_of(p + double(near));
    bool taken = false;
    for (int64_t x = low.x; x <= high.x && !taken; ++x)
      for (int64_t y = low.y; y <= high.y && !taken; ++y)
        for (int64_t z = low.z; z <= high.z && !taken; ++z)
          if (const auto at = cells.find(key({x, y, z})); at != cells.end())
            for (const int w : at->second) taken = taken || glm::distance(positions[v], positions[w]) <= near;
    if (taken) found.push_back(int(v));
    else cells[key(cell_of(p))].push_back(int(v));
  }
  return found;
}

}  // namespace weft
