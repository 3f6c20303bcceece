#include "sim/geometry_processing/sewing.h"

#include <algorithm>

#include "sim/garment/relax.h"

namespace weft {
namespace {

constexpr int kSweeps = 12;            // of one round: what is in the way is then met early
constexpr double kWorthwhile = 0.995;  // rounds must reduce the difference to this fraction
constexpr int kPatience = 5;           // rounds that do not

}  // namespace

SewnGarment sewn_around(const TriMesh& garment, const SewingOptions& options, const std::string& where) {
  const Relaxation relaxation(garment);
  CrossingFreePath path(garment.positions, garment.triangles, options.path, where);
  SewnGarment out{garment.positions, relaxation.strain(garment.positions), 0};
  for (int idle = 0; out.rounds < options.rounds && out.strain > options.enough && idle < kPatience;) {
    std::vector<dvec3> target(path.positions().begin(), path.positions().end());
    relaxation.sweep(target, kSweeps);
    path.move_to(std::vector<vec3>(target.begin(), target.end()));
    const double strain = relaxation.strain(path.positions());
    idle = strain < kWorthwhile * out.strain ? 0 : idle + 1;
    out.strain = strain, ++out.rounds;
    if (options.progress) options.progress(double(out.rounds) / options.rounds);
  }
  out.positions = path.positions();
  return out;
}

}  // namespace weft
