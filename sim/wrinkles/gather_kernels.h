// The tensor field of gathering at a point of material space (Wang 2021, section 6.2).
//
//   S         symmetric 2 x 2: from a material edge to the edge that the cloth would like to have there; identity: unchanged
//   S_stroke  = [d d'] diag(s0, s1) [d d']^T, d the unit direction of the stroke and d' = R(90 degrees) d      (eq. 14)
//   S        <- S + w (S_stroke - S), w falls smoothly from 1 on the stroke to 0 at its radius
//
// Stitched lines hold the sheet to the coarse surface. The filling between the two (eq. 17) has the height
// D f at rest:
//
//   f = product over lines of  2 t - t²    t = min(distance / radius, 1): between lines two radii apart a
//                                          parabola, as of a sheet under an even pressure
#pragma once
#include "sim/base/span.h"

namespace weft::wrinkles {

/// Symmetric 2 x 2.
struct Sym2 {
  float xx = 1, xy = 0, yy = 1;
  HD vec2 operator*(const vec2& v) const { return {xx * v.x + xy * v.y, xy * v.x + yy * v.y}; }
};

/// diag(s0, s1) along `direction` (unit) and across it (eq. 14).
HD inline Sym2 scaling(const vec2& direction, float s0, float s1) {
  const float x = direction.x, y = direction.y;
  return {s0 * x * x + s1 * y * y, (s0 - s1) * x * y, s0 * y * y + s1 * x * x};
}

/// The edge that the cloth would like to have between two vertices (eq. 13), from their material positions.
HD inline vec2 desired_edge(const Sym2& from, const Sym2& to, const vec2& edge) {
  return 0.5f * (from * edge + to * edge);
}

/// Smoothly from 1 at t = 0 to 0 at t = 1 and beyond, with no slope at either.
HD inline float falloff(float t) {
  const float left = t < 1.0f ? 1.0f - t * t : 0.0f;
  return left * left;
}

/// Pseudorandom number in [-1, 1] of a lattice point: the bits of three integers, mixed.
HD inline float lattice_noise(int x, int y, uint32_t seed) {
  uint32_t h = uint32_t(x) * 0x8da6b343u ^ uint32_t(y) * 0xd8163841u ^ seed * 0xcb1ab31fu;
  h = (h ^ (h >> 16)) * 0x7feb352du;
  h = (h ^ (h >> 15)) * 0x846ca68bu;
  h ^= h >> 16;
  return float(h >> 8) * (2.0f / 16777215.0f) - 1.0f;
}

/// The same between lattice points, with continuous first derivatives.
HD inline float smooth_noise(const vec2& p, uint32_t seed) {
  const float fx = floorf(p.x), fy = floorf(p.y);
  const int x = int(fx), y = int(fy);
  const float u = p.x - fx, v = p.y - fy, s = u * u * (3 - 2 * u), t = v * v * (3 - 2 * v);
  const float low =
      lattice_noise(x, y, seed) + s * (lattice_noise(x + 1, y, seed) - lattice_noise(x, y, seed));
  const float high =
      lattice_noise(x, y + 1, seed) + s * (lattice_noise(x + 1, y + 1, seed) - lattice_noise(x, y + 1, seed));
  return low + t * (high - low);
}

/// A gather as kernels see it. Lengths in metres of material space.
struct GatherRow {
  struct Stroke {
    vec2 from, to;
  };
  enum Kind : int { stroke, rows, diamonds } kind;
  Stroke stroke_line;  // stroke
  vec2 direction;      // rows, diamonds: unit
  vec2 second;         // diamonds: unit direction of the other family of lines
  float spacing;       // rows, diamonds
  vec2 least, most;    // rows, diamonds: nothing outside
  float s0, s1, radius;
  float irregularity, grain;
  uint32_t seed;
  int stitched;
  int meet;  // lines of panels are to meet at seams

  /// Blends a line's tensor into `s`; `distance` from it.
  HD void blend(const vec2& r, const vec2& along, float distance, Sym2& s) const {
    const float w = radius > 0 ? falloff(distance / radius) : 1.0f;
    if (!(w > 0)) return;
    vec2 d = along;
    float a = s0, b = s1;
    if (irregularity > 0) {
      const vec2 p = r / grain;
      a = powf(s0, 1 + irregularity * smooth_noise(p, 3 * seed));
      b = powf(s1, 1 + irregularity * smooth_noise(p, 3 * seed + 1));
      const float turn = 0.5f * irregularity * smooth_noise(p, 3 * seed + 2);
      d = vec2(cosf(turn) * d.x - sinf(turn) * d.y, sinf(turn) * d.x + cosf(turn) * d.y);
    }
    const Sym2 t = scaling(d, a, b);
    s.xx += w * (t.xx - s.xx), s.xy += w * (t.xy - s.xy), s.yy += w * (t.yy - s.yy);
  }
  /// Distance from the nearest of parallel lines, one of which is `shift` spacings to the left of the origin.
  HD float from_lines(const vec2& r, const vec2& along, float shift) const {
    const float off = (along.x * r.y - along.y * r.x) / spacing - shift;
    return spacing * fabsf(off - rintf(off));
  }
  HD float from_stroke(const vec2& r) const {
    const vec2 line = stroke_line.to - stroke_line.from, p = r - stroke_line.from;
    const float t = (p.x * line.x + p.y * line.y) / (line.x * line.x + line.y * line.y);
    const vec2 off = p - (t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t) * line;
    return sqrtf(off.x * off.x + off.y * off.y);
  }
  HD void apply(const vec2& r, const vec2& shift, Sym2& s) const {
    if (kind == stroke) return blend(r, direction, from_stroke(r), s);
    if (r.x < least.x || r.y < least.y || r.x > most.x || r.y > most.y) return;
    blend(r, direction, from_lines(r, direction, shift.x), s);
    if (kind == diamonds) blend(r, second, from_lines(r, second, shift.y), s);
  }
  /// Distances from the stitched lines, m: from the stroke or row, and from the second family of diamonds.
  /// Far where none is.
  HD vec2 from_stitches(const vec2& r, const vec2& shift) const {
    constexpr float far = 1e6f;
    if (!stitched) return {far, far};
    if (kind == stroke) return {from_stroke(r), far};
    if (r.x < least.x || r.y < least.y || r.x > most.x || r.y > most.y) return {far, far};
    return {from_lines(r, direction, shift.x), kind == diamonds ? from_lines(r, second, shift.y) : far};
  }
};

/// The gathers of a cloth, and where the lines of each are in each panel.
struct GatherView {
  Span<const GatherRow> row;
  // Per panel and row: of the first and the second family of lines, in spacings; empty: none is moved.
  Span<const vec2> shift;

  bool empty() const { return row.empty(); }
  HD vec2 shift_of(int panel, int g) const {
    return shift.size > 0 ? vec2(shift[panel * row.size + g]) : vec2(0);
  }
  HD vec2 from_stitches(int panel, int g, const vec2& r) const {
    return row[g].from_stitches(r, shift_of(panel, g));
  }
};

/// S at a material position of a panel: the gathers one after another.
HD inline Sym2 tensor_at(const GatherView& gathers, int panel, const vec2& r) {
  Sym2 s;
  for (int g = 0; g < gathers.row.size; ++g) gathers.row[g].apply(r, gathers.shift_of(panel, g), s);
  return s;
}

/// f above, of one line.
HD inline float filled(float distance, float radius) {
  const float t = distance < radius ? distance / radius : 1.0f;
  return t * (2 - t);
}

/// Height of the filling at a material position over D.
HD inline float filling_at(const GatherView& gathers, int panel, const vec2& r) {
  float share = 1;
  for (int g = 0; g < gathers.row.size; ++g) {
    const vec2 d = gathers.from_stitches(panel, g, r);
    share *= filled(d.x, gathers.row[g].radius) * filled(d.y, gathers.row[g].radius);
  }
  return share;
}

/// Whether a stitched line passes within `reach` (m).
HD inline bool stitched_at(const GatherView& gathers, int panel, const vec2& r, float reach) {
  for (int g = 0; g < gathers.row.size; ++g) {
    const vec2 d = gathers.from_stitches(panel, g, r);
    if (d.x <= reach || d.y <= reach) return true;
  }
  return false;
}

}  // namespace weft::wrinkles
