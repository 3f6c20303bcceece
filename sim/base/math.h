// Vector types and the HD marker. The only file of the simulator that includes GLM, so that both compilers
// see the same switches.
#pragma once

#ifdef __CUDACC__
#define HD __host__ __device__
#else
#define HD
#endif

#define GLM_FORCE_SILENT_WARNINGS
#define GLM_FORCE_CTOR_INIT
#define GLM_ENABLE_EXPERIMENTAL
#include <cmath>
#include <cstdint>
#include <glm/glm.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/quaternion.hpp>

namespace weft {

using glm::dmat3;
using glm::dvec2;
using glm::dvec3;
using glm::ivec2;
using glm::ivec3;
using glm::ivec4;
using glm::mat3;
using glm::mat4;
using glm::quat;
using glm::vec2;
using glm::vec3;
using glm::vec4;

static_assert(sizeof(vec3) == 12 && alignof(vec3) == 4, "device buffers rely on tightly packed vec3");
static_assert(sizeof(ivec3) == 12 && sizeof(ivec4) == 16 && sizeof(mat3) == 36);

constexpr float kPi = 3.14159265358979f;

/// Symmetric 3x3 matrix, six floats: the storage form of diagonal blocks.
struct Sym3 {
  float xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;

  HD Sym3& operator+=(const Sym3& o) {
    xx += o.xx, xy += o.xy, xz += o.xz, yy += o.yy, yz += o.yz, zz += o.zz;
    return *this;
  }
  HD friend Sym3 operator*(float s, const Sym3& a) {
    return {s * a.xx, s * a.xy, s * a.xz, s * a.yy, s * a.yz, s * a.zz};
  }
  HD friend vec3 operator*(const Sym3& a, const vec3& v) {
    return {a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
            a.xz * v.x + a.yz * v.y + a.zz * v.z};
  }
  /// Adds s I.
  HD void add_identity(float s) { xx += s, yy += s, zz += s; }
  /// Adds s n nᵀ.
  HD void add_outer(float s, const vec3& n) {
    xx += s * n.x * n.x, xy += s * n.x * n.y, xz += s * n.x * n.z;
    yy += s * n.y * n.y, yz += s * n.y * n.z, zz += s * n.z * n.z;
  }
  HD float trace() const { return xx + yy + zz; }
};

/// Solves A x = b for a symmetric positive definite A (cofactors; A is scaled by its trace first, so that
/// stiff and light vertices alike stay inside the range of float32). Returns 0 where A is not positive.
HD inline vec3 solve_spd(const Sym3& a, const vec3& b) {
  const float trace = a.trace();
  if (!(trace > 0.0f)) return vec3(0.0f);
  const float s = 1.0f / trace;
  const float xx = a.xx * s, xy = a.xy * s, xz = a.xz * s, yy = a.yy * s, yz = a.yz * s, zz = a.zz * s;
  const float c00 = yy * zz - yz * yz, c01 = xz * yz - xy * zz, c02 = xy * yz - xz * yy;
  const float c11 = xx * zz - xz * xz, c12 = xy * xz - xx * yz, c22 = xx * yy - xy * xy;
  const float det = xx * c00 + xy * c01 + xz * c02;
  if (!(det > 0.0f)) return b * (3.0f * s);
  const float f = s / det;
  return {f * (c00 * b.x + c01 * b.y + c02 * b.z), f * (c01 * b.x + c11 * b.y + c12 * b.z),
          f * (c02 * b.x + c12 * b.y + c22 * b.z)};
}

}  // namespace weft
