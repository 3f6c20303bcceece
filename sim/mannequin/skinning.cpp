#include "sim/mannequin/skinning.h"

#include <tbb/parallel_for.h>

namespace weft {
namespace {

/// q + e d: turns by q, then moves by t with d = 1/2 t q.
struct DualQuaternion {
  quat real{1, 0, 0, 0}, dual{0, 0, 0, 0};
};

DualQuaternion dual_quaternion(const BonePose& pose) {
  const vec3 t = pose.translation;
  return {pose.rotation, 0.5f * (quat(0, t.x, t.y, t.z) * pose.rotation)};
}

}  // namespace

void skin(const BodyMesh& body, const BonePoses& poses, std::vector<vec3>& out) {
  std::array<DualQuaternion, kBodyBones> bones;
  for (size_t b = 0; b < kBodyBones; ++b) bones[b] = dual_quaternion(poses[b]);
  out.resize(body.mesh.positions.size());
  tbb::parallel_for(size_t(0), out.size(), [&](size_t v) {
    const SkinWeights& w = body.weights[v];
    const quat& first = bones[w.bone[0]].real;
    quat real(0, 0, 0, 0), dual(0, 0, 0, 0);
    for (size_t k = 0; k < 4 && w.share[k] > 0; ++k) {
      const DualQuaternion& b = bones[w.bone[k]];
      const float share = glm::dot(first, b.real) < 0 ? -w.share[k] : w.share[k];  // the short way round
      real = real + share * b.real, dual = dual + share * b.dual;
    }
    const float length = glm::length(real);
    real = real / length, dual = dual / length;
    const quat t = 2.0f * (dual * glm::conjugate(real));
    out[v] = real * body.mesh.positions[v] + vec3(t.x, t.y, t.z);
  });
}

}  // namespace weft
