// Projected Hessians of finite elements and dihedral hinges, and their sums in the system's blocks.
#pragma once
#include "sim/solvers/element_kernels.h"
#include "sim/solvers/newton/assemble_kernels.h"

namespace weft::newton {

/// -H_ij of the corner pairs (0, 1), (1, 2) and (2, 0) of each triangle: 3 matrices per triangle. Rows sum to 0, so that no more is
/// needed.
struct CorotatedBlocks {
  Span<const ivec3> triangles;
  Span<const vec4> inverse;
  Span<const vec3> material;
  Span<const vec3> position, d;
  Span<mat3> block;
  HD void operator()(int t) const {
    const ivec3 v = triangles[t];
    const vec3 m = material[t];
    const auto p = triangle_polar<float>(elements::edge_vector(position, d, v.x, v.y), elements::edge_vector(position, d, v.x, v.z), inverse[t]);
    const auto c = triangle_curvature<float>(p, m.y, m.z, true);
    const vec2 b1 = triangle_shape_gradient<float>(inverse[t], 1), b2 = triangle_shape_gradient<float>(inverse[t], 2), b0 = -(b1 + b2);
    block[3 * t] = -m.x * triangle_block<float>(p, c, m.y, m.z, b0, b1);
    block[3 * t + 1] = -m.x * triangle_block<float>(p, c, m.y, m.z, b1, b2);
    block[3 * t + 2] = -m.x * triangle_block<float>(p, c, m.y, m.z, b2, b0);
  }
};

struct WovenBlocks {
  Span<const ivec3> triangles;
  Span<const vec4> inverse;
  Span<const vec3> material;
  Span<const vec4> weave;
  Span<const vec3> position, d;
  Span<mat3> block;
  HD void operator()(int t) const {
    const ivec3 v = triangles[t];
    const auto h = stvk_hessian<float>(elements::edge_vector(position, d, v.x, v.y), elements::edge_vector(position, d, v.x, v.z), inverse[t],
                                       material[t].x, weave[t], true);
    block[3 * t] = -h.block[0][1];
    block[3 * t + 1] = -h.block[1][2];
    block[3 * t + 2] = -h.block[2][0];
  }
};

/// sqrt(k) dtheta/dx_i of the four vertices of each hinge: the Gauss-Newton Hessian is their outer product.
struct HingeSlopes {
  Span<const ivec4> hinges;
  Span<const vec2> material;
  Span<const vec3> position, d;
  Span<vec3> slope;  // 4 per hinge
  HD void operator()(int h) const {
    const ivec4 v = hinges[h];
    const auto angle = hinge_angle<float>(elements::edge_vector(position, d, v.x, v.y), elements::edge_vector(position, d, v.x, v.z),
                                          elements::edge_vector(position, d, v.x, v.w));
    const float root = sqrtf(material[h].x);
    for (int i = 0; i < 4; ++i) slope[4 * h + i] = root * angle.gradient[i];
  }
};

/// Which elements meet in each entry, as compressed rows.
struct SourcesView {
  Span<const int> start;  // entries + 1; empty where there are none
  Span<const int> source;
};
constexpr int triangle_source(int triangle, int pair, bool transposed) { return 6 * triangle + 2 * pair + int(transposed); }
constexpr int hinge_source(int hinge, int a, int b) { return 16 * hinge + 4 * a + b; }

/// K of each entry: the sum over its elements, in a fixed order.
struct GatherBlocks {
  SourcesView triangles, hinges;
  Span<const mat3> triangle_block;
  Span<const vec3> hinge_slope;
  Span<float> block;  // interleaved 9
  HD void operator()(int o) const {
    mat3 k(0.0f);
    if (!triangles.start.empty())
      for (int s = triangles.start[o]; s < triangles.start[o + 1]; ++s) {
        const int from = triangles.source[s];
        const mat3 b = triangle_block[from / 2];
        k += from % 2 ? glm::transpose(b) : b;
      }
    if (!hinges.start.empty())
      for (int s = hinges.start[o]; s < hinges.start[o + 1]; ++s) {
        const int from = hinges.source[s];
        k -= glm::outerProduct(hinge_slope[from / 4], hinge_slope[from / 16 * 4 + from % 4]);
      }
    float* b = &block[entry_place(o, 9)];
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 3; ++r) b[(3 * c + r) * kLanes] = k[c][r];
  }
};

}  // namespace weft::newton
