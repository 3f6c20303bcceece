// Kernels that smooth a displacement in space (Wu 2020, section 5.2).
#pragma once
#include "sim/device/atomics.h"
#include "sim/device/launch.h"

namespace weft::smooth_field {

constexpr int kNodes = 32;  // nodes of the regular grid along each axis
constexpr int kLevels = 6;  // 32, 16, 8, 4, 2, 1
constexpr int kChunk = 256;
constexpr int kGridSize = kNodes * kNodes * kNodes;
constexpr int kPyramidSize = 32768 + 4096 + 512 + 64 + 8 + 1;

HD inline int first_of_level(int level) {
  int first = 0;
  for (int l = 0, n = kNodes; l < level; ++l, n /= 2) first += n * n * n;
  return first;
}

/// Where the grid lies: node k at origin + spacing k.
struct Place {
  vec3 origin{0};
  float spacing = 1;
};

struct Box {
  vec3 low{1e30f}, high{-1e30f};
};

struct ChunkBoxes {
  Span<const vec3> position;
  Span<Box> box;
  HD void operator()(int chunk) const {
    Box b;
    const int end = (chunk + 1) * kChunk < position.size ? (chunk + 1) * kChunk : position.size;
    for (int i = chunk * kChunk; i < end; ++i)
      b.low = glm::min(b.low, position[i]), b.high = glm::max(b.high, position[i]);
    box[chunk] = b;
  }
};

struct PlaceGrid {
  Span<const Box> box;
  float least_spacing = 1;  // m
  Span<Place> place;        // one element
  HD void operator()(int) const {
    Box b;
    for (int c = 0; c < box.size; ++c)
      b.low = glm::min(b.low, box[c].low), b.high = glm::max(b.high, box[c].high);
    const vec3 extent = b.high - b.low;
    const float most = glm::max(extent.x, glm::max(extent.y, extent.z)) / float(kNodes - 3);
    Place p;
    p.spacing = most > least_spacing ? most : least_spacing;
    p.origin = b.low - vec3(p.spacing);
    place[0] = p;
  }
};

/// Cell of the grid and position within it.
struct Spot {
  ivec3 cell{0};
  vec3 share{0};
  HD Spot(const Place& place, const vec3& p) {
    const vec3 q = (p - place.origin) * (1 / place.spacing);
    for (int a = 0; a < 3; ++a) {
      const float f = floorf(q[a]);
      cell[a] = f > 0 ? f < kNodes - 2 ? int(f) : kNodes - 2 : 0;
      const float s = q[a] - float(cell[a]);
      share[a] = s > 0 ? s < 1 ? s : 1.0f : 0.0f;
    }
  }
};

HD inline int node_index(const ivec3& n, int nodes = kNodes) { return (n.z * nodes + n.y) * nodes + n.x; }
HD inline ivec3 node_at(int i, int nodes = kNodes) {
  return {i % nodes, i / nodes % nodes, i / (nodes * nodes)};
}

struct CellKeys {
  Span<const Place> place;
  Span<const vec3> position;
  Span<uint32_t> key;
  Span<int> order;
  HD void operator()(int i) const {
    key[i] = uint32_t(node_index(Spot(place[0], position[i]).cell));
    order[i] = i;
  }
};

/// A node's displacement: the mean of the vertices in the cells around it, by trilinear weights. w holds the
/// sum of weights.
struct ToNodes {
  Span<const Place> place;
  Span<const vec3> position, displacement;
  Span<const int> order, begin, end;
  Span<vec4> node;  // nodes of the finest level
  HD void operator()(int n) const {
    const ivec3 at = node_at(n);
    vec3 sum(0);
    float weight = 0;
    for (int c = 0; c < 8; ++c) {
      const ivec3 back(c & 1, c >> 1 & 1, c >> 2), cell = at - back;
      if (cell.x < 0 || cell.y < 0 || cell.z < 0) continue;
      for (int k = begin[node_index(cell)]; k < end[node_index(cell)]; ++k) {
        const Spot spot(place[0], position[order[k]]);
        float w = 1;
        for (int a = 0; a < 3; ++a) w *= back[a] ? spot.share[a] : 1 - spot.share[a];
        sum += w * displacement[order[k]];
        weight += w;
      }
    }
    node[n] = weight > 0 ? vec4(sum / weight, weight) : vec4(0);
  }
};

/// A node of a coarser level: the mean of its eight.
struct Coarsen {
  int nodes = 1;  // of the coarser level
  Span<const vec4> fine;
  Span<vec4> coarse;
  HD void operator()(int n) const {
    const ivec3 at = 2 * node_at(n, nodes);
    vec3 sum(0);
    float weight = 0;
    for (int c = 0; c < 8; ++c) {
      const vec4 f = fine[node_index(at + ivec3(c & 1, c >> 1 & 1, c >> 2), 2 * nodes)];
      const float w = f.w < 1 ? f.w : 1.0f;
      sum += w * vec3(f.x, f.y, f.z);
      weight += w;
    }
    coarse[n] = weight > 0 ? vec4(sum / weight, weight) : vec4(0);
  }
};

/// Fills nodes without a close vertex from the coarser level: motion has to be smooth in the empty space
/// between sheets too.
struct FillFrom {
  int nodes = 1;  // of the finer level
  Span<const vec4> coarse;
  Span<vec4> fine;
  HD void operator()(int n) const {
    vec4& f = fine[n];
    if (f.w >= 1) return;
    const vec4 c = coarse[node_index(node_at(n, nodes) / 2, nodes / 2)];
    const vec3 mixed = f.w * vec3(f.x, f.y, f.z) + (1 - f.w) * vec3(c.x, c.y, c.z);
    f = vec4(mixed, 1);
  }
};

/// One pass of (1 2 1) / 4 along an axis.
struct Blur {
  int axis = 0;
  Span<const vec4> in;
  Span<vec4> out;
  HD void operator()(int n) const {
    ivec3 before = node_at(n), after = before;
    before[axis] = before[axis] > 0 ? before[axis] - 1 : 0;
    after[axis] = after[axis] < kNodes - 1 ? after[axis] + 1 : kNodes - 1;
    out[n] = 0.5f * in[n] + 0.25f * (in[node_index(before)] + in[node_index(after)]);
  }
};

/// Bound of the interpolated field's Lipschitz constant over all cells, as the bits of a float that is not
/// negative.
struct Steepness {
  Span<const Place> place;
  Span<const vec4> node;
  Span<int> most;  // one element
  HD void operator()(int n) const {
    const ivec3 at = node_at(n);
    if (at.x > kNodes - 2 || at.y > kNodes - 2 || at.z > kNodes - 2) return;
    float sum = 0;
    for (int a = 0; a < 3; ++a) {
      float steepest = 0;
      for (int c = 0; c < 4; ++c) {
        ivec3 from = at;
        from[(a + 1) % 3] += c & 1;
        from[(a + 2) % 3] += c >> 1;
        ivec3 to = from;
        ++to[a];
        const vec4 d = node[node_index(to)] - node[node_index(from)];
        const float squared = d.x * d.x + d.y * d.y + d.z * d.z;
        steepest = squared > steepest ? squared : steepest;
      }
      sum += steepest;
    }
    const float lipschitz = sqrtf(sum) / place[0].spacing;
    // The bits of non-negative floats are ordered like their values. NaN counts as steepest.
    union {
      float f;
      int i;
    } bits{lipschitz >= 0 ? lipschitz : 1e30f};
    atomic_max(&most[0], bits.i);
  }
};

/// Motion of each vertex in one part of the initial motion. `moves` says whether it is worth making.
struct Sample {
  Span<const Place> place;
  Span<const vec3> position;
  Span<const vec4> node;
  Span<const int> most;        // from Steepness
  float allowed = 0.1f;        // Lipschitz constant of the whole motion
  float share = 1, worth = 0;  // 1 / parts; m
  Span<vec3> motion;
  Span<int> moves;  // one element
  HD void operator()(int i) const {
    union {
      int i;
      float f;
    } bits{most[0]};
    const float scale = bits.f > allowed ? allowed / bits.f : 1.0f;
    const Spot s(place[0], position[i]);
    vec3 sum(0);
    for (int c = 0; c < 8; ++c) {
      const ivec3 corner(c & 1, c >> 1 & 1, c >> 2);
      float w = 1;
      for (int a = 0; a < 3; ++a) w *= corner[a] ? s.share[a] : 1 - s.share[a];
      const vec4 v = node[node_index(s.cell + corner)];
      sum += w * vec3(v.x, v.y, v.z);
    }
    const vec3 whole = scale * sum;
    motion[i] = share * whole;
    if (glm::dot(whole, whole) > worth * worth) atomic_or(&moves[0], 1);
  }
};

}  // namespace weft::smooth_field
