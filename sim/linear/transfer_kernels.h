// Between the levels of a mesh hierarchy, between its rows and a step, and over connected pieces of cloth.
#pragma once
#include "sim/base/math.h"
#include "sim/base/span.h"
#include "sim/device/lanes.h"

namespace weft::linear {

/// Transfer between levels, as compressed rows of weights.
struct TransferView {
  Span<const int> start;
  Span<const int> column;
  Span<const float> weight;
};

/// Rows of a level in chunks that each lie within one connected piece of cloth.
struct PiecesView {
  Span<const int> chunk_start;  // chunks + 1, into row
  Span<const int> row;          // rows ordered by piece
  Span<const int> piece_start;  // pieces + 1, into chunks
  Span<const int> piece_of_row;
};

constexpr int kChunk = 64;  // rows that one thread adds up

/// t with D t = r, from sums r (3) and D (6); 0 without resistance.
HD inline vec3 balancing_translation(const float (&s)[9]) {
  const float trace = s[3] + s[6] + s[8];
  if (!(trace > 0)) return vec3(0);
  const float f = 1.0f / trace;  // keeps products inside the range of float32
  const float xx = f * s[3], xy = f * s[4], xz = f * s[5], yy = f * s[6], yz = f * s[7], zz = f * s[8];
  const float c00 = yy * zz - yz * yz, c01 = xz * yz - xy * zz, c02 = xy * yz - xz * yy;
  const float det = xx * c00 + xy * c01 + xz * c02;
  const vec3 r(f * s[0], f * s[1], f * s[2]);
  const float inv = det > 1e-12f ? 1.0f / det : 0.0f;
  return inv * vec3(c00 * r.x + c01 * r.y + c02 * r.z,
                    c01 * r.x + (xx * zz - xz * xz) * r.y + (xy * xz - xx * yz) * r.z,
                    c02 * r.x + (xy * xz - xx * yz) * r.y + (xx * yy - xy * xy) * r.z);
}

/// The step's context in the solver's layout.
struct LoadContext {
  Span<const int> kinematic;
  Span<const Sym3> anchor_weight;
  Span<const vec3> anchor_force;
  Span<const vec3> element_force;  // may be empty
  Span<float> free_row;
  Span<float> weight;  // interleaved 6
  Span<vec3> force;
  HD void operator()(int i) const {
    free_row[i] = kinematic[i] ? 0.0f : 1.0f;
    const Sym3 w = anchor_weight[i];
    const float c[6] = {w.xx, w.xy, w.xz, w.yy, w.yz, w.zz};
    for (int k = 0; k < 6; ++k) weight[interleaved(i, k, 6)] = c[k];
    force[i] = element_force.empty() ? anchor_force[i] : anchor_force[i] + element_force[i];
  }
};

}  // namespace weft::linear
