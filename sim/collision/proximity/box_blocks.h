// Sixteen boxes and spheres against one: the inner loop of a search, one bit per item.
#pragma once
#include "sim/base/absolute.h"
#include "sim/collision/proximity/box_forest.h"

namespace weft::triangle_search {

struct Box {
  vec3 lower, upper;
};
constexpr float kAllowance = 1 + 4e-6f;  // factor on squared distances, for rounding

/// Around the centre of the box.
struct Ball {
  vec3 centre;
  float radius;
};

/// Grows a box. Positions are rounded to half a unit in the last place each; the margin covers that.
HD inline Box grown(const Box& b, float reach) {
  const vec3 m = glm::max(absolute(b.lower), absolute(b.upper));
  const float by = reach + 1e-6f * (m.x + m.y + m.z);
  return {b.lower - by, b.upper + by};
}

HD inline Ball grown(const Ball& b, float reach) {
  const vec3 m = absolute(b.centre);
  return {b.centre, b.radius * (1 + 1e-6f) + reach + 1e-6f * (m.x + m.y + m.z)};
}

/// Box and ball of one place. Numbers lie in rows of 16: lower x y z, upper x y z, centre x y z, radius.
HD inline Box box_at(const float* boxes, int slot) {
  const float* b = boxes + slot / kLanes * kSides + slot % kLanes;
  return {vec3(b[0], b[kLanes], b[2 * kLanes]), vec3(b[3 * kLanes], b[4 * kLanes], b[5 * kLanes])};
}

HD inline Ball ball_at(const float* boxes, int slot) {
  const float* b = boxes + slot / kLanes * kSides + slot % kLanes + 6 * kLanes;
  return {vec3(b[0], b[kLanes], b[2 * kLanes]), b[3 * kLanes]};
}

HD inline bool overlaps(const Box& a, const Box& b) {
  return (b.upper.x >= a.lower.x) & (b.upper.y >= a.lower.y) & (b.upper.z >= a.lower.z) &
         (b.lower.x <= a.upper.x) & (b.lower.y <= a.upper.y) & (b.lower.z <= a.upper.z);
}

HD inline int bits_in(unsigned mask) {
#ifdef __CUDA_ARCH__
  return __popc(mask);
#else
  return __builtin_popcount(mask);
#endif
}

/// Place of the lowest bit of a mask that is not 0.
HD inline int lowest_bit(unsigned mask) {
#ifdef __CUDA_ARCH__
  return __ffs(int(mask)) - 1;
#else
  return __builtin_ctz(mask);
#endif
}

HD inline int highest_bit(unsigned mask) {
#ifdef __CUDA_ARCH__
  return 31 - __clz(int(mask));
#else
  return 31 - __builtin_clz(mask);
#endif
}

#if defined(__AVX512F__) && !defined(__CUDACC__)

inline unsigned overlapping(const float* block, const Box& b) {
  const auto above = [](float v, const float* side) {
    return _mm512_cmp_ps_mask(_mm512_set1_ps(v), _mm512_loadu_ps(side), _CMP_GE_OQ);
  };
  const auto below = [](float v, const float* side) {
    return _mm512_cmp_ps_mask(_mm512_set1_ps(v), _mm512_loadu_ps(side), _CMP_LE_OQ);
  };
  return unsigned(above(b.upper.x, block) & above(b.upper.y, block + kLanes) &
                  above(b.upper.z, block + 2 * kLanes) & below(b.lower.x, block + 3 * kLanes) &
                  below(b.lower.y, block + 4 * kLanes) & below(b.lower.z, block + 5 * kLanes));
}
inline unsigned touching(const float* block, const Ball& b) {
  const float* s = block + 6 * kLanes;
  const __m512 x = _mm512_sub_ps(_mm512_loadu_ps(s), _mm512_set1_ps(b.centre.x)),
               y = _mm512_sub_ps(_mm512_loadu_ps(s + kLanes), _mm512_set1_ps(b.centre.y)),
               z = _mm512_sub_ps(_mm512_loadu_ps(s + 2 * kLanes), _mm512_set1_ps(b.centre.z)),
               r = _mm512_add_ps(_mm512_loadu_ps(s + 3 * kLanes), _mm512_set1_ps(b.radius));
  return _mm512_cmp_ps_mask(_mm512_fmadd_ps(x, x, _mm512_fmadd_ps(y, y, _mm512_mul_ps(z, z))),
                            _mm512_mul_ps(r, _mm512_mul_ps(r, _mm512_set1_ps(kAllowance))), _CMP_LE_OQ);
}
/// Places where sixteen numbers are `id`.
inline unsigned equal_to(const int* ids, int id) {
  return _mm512_cmpeq_epi32_mask(_mm512_loadu_si512(ids), _mm512_set1_epi32(id));
}
/// Which of `count` numbers, at most 16, are greater than 0.
inline unsigned positive(const float* values, int count) {
  const __mmask16 there = __mmask16((1u << count) - 1);
  return _mm512_mask_cmp_ps_mask(there, _mm512_maskz_loadu_ps(there, values), _mm512_setzero_ps(),
                                 _CMP_GT_OQ);
}
/// Writes first + l for every bit l, ascending; returns their number. `out` has 16 elements.
inline int append_places(int* out, int first, unsigned mask) {
  const __m512i all = _mm512_add_epi32(
      _mm512_set1_epi32(first), _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
  _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(__mmask16(mask), all));
  return bits_in(mask);
}

#else

HD inline unsigned positive(const float* values, int count) {
  unsigned mask = 0;
  for (int l = 0; l < count; ++l) mask |= unsigned(values[l] > 0) << l;
  return mask;
}
HD inline int append_places(int* out, int first, unsigned mask) {
  int found = 0;
  for (; mask; mask &= mask - 1) out[found++] = first + lowest_bit(mask);
  return found;
}
HD inline unsigned overlapping(const float* block, const Box& b) {
  unsigned mask = 0;
  for (int l = 0; l < kLanes; ++l) mask |= unsigned(overlaps(box_at(block, l), b)) << l;
  return mask;
}
HD inline unsigned touching(const float* block, const Ball& b) {
  unsigned mask = 0;
  for (int l = 0; l < kLanes; ++l) {
    const float* s = block + 6 * kLanes + l;
    const vec3 d(s[0] - b.centre.x, s[kLanes] - b.centre.y, s[2 * kLanes] - b.centre.z);
    const float r = s[3 * kLanes] + b.radius;
    mask |= unsigned(glm::dot(d, d) <= r * r * kAllowance) << l;
  }
  return mask;
}
HD inline unsigned equal_to(const int* ids, int id) {
  unsigned mask = 0;
  for (int l = 0; l < kLanes; ++l) mask |= unsigned(ids[l] == id) << l;
  return mask;
}

#endif

}  // namespace weft::triangle_search
