// Numbers of a grid's vertices in few bytes: half floats, unit vectors in 32 bits.
#pragma once
#include <cstring>

#include "sim/base/math.h"

namespace weft::grid {

using Half = uint16_t;

/// Nearest half float (ties to even); beyond 65504 the largest one. Numbers below 2^-24 become 0.
HD inline Half to_half(float v) {
  uint32_t bits;
  memcpy(&bits, &v, 4);
  const uint32_t sign = (bits >> 16) & 0x8000u, size = bits & 0x7fffffffu;
  if (size >= 0x477ff000u) return Half(sign | 0x7bffu);
  if (size < 0x38800000u) {  // below the least normal half, 2^-14: a multiple of 2^-24
    float absolute;
    memcpy(&absolute, &size, 4);
    return Half(sign | uint32_t(rintf(absolute * 16777216.0f)));
  }
  const uint32_t rounded = size + 0xfffu + ((size >> 13) & 1u);
  return Half(sign | ((rounded - 0x38000000u) >> 13));
}
HD inline float from_half(Half h) {
  const uint32_t sign = uint32_t(h & 0x8000u) << 16, size = h & 0x7fffu;
  if (size < 0x400u) {
    const float v = float(size) * (1.0f / 16777216.0f);
    return sign ? -v : v;
  }
  const uint32_t bits = sign | ((size << 13) + 0x38000000u);
  float v;
  memcpy(&v, &bits, 4);
  return v;
}

/// A unit vector on the octahedron |x| + |y| + |z| = 1, folded into a square of 65535 steps a side: within
/// 4e-5 rad. 0 stands for none.
HD inline uint32_t pack_unit(const vec3& n) {
  const float sum = fabsf(n.x) + fabsf(n.y) + fabsf(n.z);
  if (!(sum > 0)) return 0;
  float x = n.x / sum, y = n.y / sum;
  if (n.z < 0) {
    const float fx = (1 - fabsf(y)) * (x < 0 ? -1.0f : 1.0f), fy = (1 - fabsf(x)) * (y < 0 ? -1.0f : 1.0f);
    x = fx, y = fy;
  }
  const uint32_t px = uint32_t(rintf((x + 1) * 32767.0f)) + 1, py = uint32_t(rintf((y + 1) * 32767.0f)) + 1;
  return px | (py << 16);
}
HD inline vec3 unpack_unit(uint32_t p) {
  if (p == 0) return vec3(0);
  float x = (float(p & 0xffffu) - 1) * (1 / 32767.0f) - 1, y = (float(p >> 16) - 1) * (1 / 32767.0f) - 1;
  const float z = 1 - fabsf(x) - fabsf(y);
  if (z < 0) {
    const float fx = (1 - fabsf(y)) * (x < 0 ? -1.0f : 1.0f), fy = (1 - fabsf(x)) * (y < 0 ? -1.0f : 1.0f);
    x = fx, y = fy;
  }
  const vec3 n(x, y, z);
  return n / sqrtf(glm::dot(n, n));
}

}  // namespace weft::grid
