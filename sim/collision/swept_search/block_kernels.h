// Kernels of the method `forest`: 16 primitives to a block, trees over the blocks.
#pragma once
#include "sim/collision/proximity/candidate_kernels.h"
#include "sim/collision/swept_search/swept_kernels.h"

namespace weft::swept_search {

/// Boxes of the primitives of a block over their paths, 16 side by side.
struct BlockBoxes {
  Span<const vec3> lower, upper;  // per point
  Span<const int> corner;
  Span<float> boxes;
  HD void operator()(int slot) const { row<OneRow>(slot); }
  HD void sixteen(int slot) const { row<SixteenRows>(slot); }
  template <class L>
  HD void row(int slot) const {
    using R = typename L::Real;
    const int* c = &corner[slot / kLanes * kCorners + slot % kLanes];
    float* b = &boxes[slot / kLanes * kSides + slot % kLanes];
    const Vec3<R> p = L::gather(lower.data, c), q = L::gather(lower.data, c + kLanes),
                  r = L::gather(lower.data, c + 2 * kLanes);
    const Vec3<R> s = L::gather(upper.data, c), t = L::gather(upper.data, c + kLanes),
                  u = L::gather(upper.data, c + 2 * kLanes);
    const Vec3<R> lost = (p - p) + (q - q) + (r - r);  // 0 or NaN
    const auto least = [](R x, R y, R z) { return L::smaller(L::smaller(x, y), z); };
    const auto most = [](R x, R y, R z) { return L::larger(L::larger(x, y), z); };
    L::store3(b, Vec3<R>{least(p.x, q.x, r.x), least(p.y, q.y, r.y), least(p.z, q.z, r.z)} + lost);
    L::store3(b + 3 * kLanes, Vec3<R>{most(s.x, t.x, u.x), most(s.y, t.y, u.y), most(s.z, t.z, u.z)} + lost);
  }
};

/// The primitives, in blocks.
struct PrimitiveBlocks {
  int first_edge = 0, unused = 0;  // blocks before it consist of vertices; explicit padding (see Span)
  Span<const int> corner, used;    // `used`: places of a block that are taken
  Span<const float> boxes;
  Span<const int> start, near;  // lists of near blocks, one per asking block
  HD int number(int slot) const { return corner[slot / kLanes * kCorners + 3 * kLanes + slot % kLanes]; }
};

/// Which of the primitives in the near blocks have a box that overlaps that of one asking primitive: bits per
/// block, and their number. Of two edges of the cloth the one that comes first in the blocks asks.
struct NearPrimitives {
  PrimitiveBlocks blocks;
  Swept swept;
  Span<const int> moved;  // bits per block; empty: all have
  Span<uint16_t> bits;
  Span<int> triangle_count, edge_count;  // per vertex, per edge

  HD void operator()(int asking_slot) const {
    const int own = asking_slot / kLanes, place = asking_slot % kLanes;
    if (place >= blocks.used[own]) return;
    const bool is_edge = own >= blocks.first_edge, all = moved.empty() || (moved[own] >> place & 1);
    const int* c = &blocks.corner[own * kCorners + place];
    const int p = c[0], q = c[kLanes];
    const Box box = triangle_search::box_at(blocks.boxes.data, asking_slot);
    int found = 0, tested = 0;
    const int end = triangle_search::row_end(blocks.start, own, blocks.near.size);
    for (int k = triangle_search::row_begin(blocks.start, own, blocks.near.size); k < end; ++k) {
      const int block = blocks.near[k];
      unsigned mask = (1u << blocks.used[block]) - 1;
      if (is_edge && block <= own)
        mask &= block < own ? 0 : ~0u << place << 1;  // earlier ones ask themselves
      if (!all) mask &= unsigned(moved[block]);
      tested += triangle_search::bits_in(mask);
      if (mask) mask &= triangle_search::overlapping(&blocks.boxes[block * kSides], box);
      const int* other = &blocks.corner[block * kCorners];
      if (mask) mask &= ~(sharing(other, p) | (is_edge ? sharing(other, q) : 0u));
      if (mask && !swept.marks.empty()) mask = without_left_out(mask, is_edge, p, q, other);
      bits[k * kLanes + place] = uint16_t(mask);
      found += triangle_search::bits_in(mask);
    }
    (is_edge ? edge_count : triangle_count)[c[3 * kLanes]] = found;
    swept.count(tested);
  }
  HD static unsigned sharing(const int* corner, int point) {
    return triangle_search::equal_to(corner, point) | triangle_search::equal_to(corner + kLanes, point) |
           triangle_search::equal_to(corner + 2 * kLanes, point);
  }
  HD unsigned without_left_out(unsigned mask, bool is_edge, int p, int q, const int* corner) const {
    unsigned kept = 0;
    for (; mask; mask &= mask - 1) {
      const int l = triangle_search::lowest_bit(mask);
      const ivec4 points = is_edge ? ivec4(p, q, corner[l], corner[l + kLanes])
                                   : ivec4(p, corner[l], corner[l + kLanes], corner[l + 2 * kLanes]);
      kept |= unsigned(!swept.left_out(points)) << l;
    }
    return kept;
  }
};

/// Pairs of one kind by row (vertex or edge).
struct PairRows {
  Span<const int> start;
  Span<ivec4> points;
  Span<ivec2> primitives;
};

struct WriteBlockPairs {
  PrimitiveBlocks blocks;
  Span<const uint16_t> bits;
  PairRows triangle, edge;

  HD void operator()(int asking_slot) const {
    const int own = asking_slot / kLanes, place = asking_slot % kLanes;
    if (place >= blocks.used[own]) return;
    const bool is_edge = own >= blocks.first_edge;
    const PairRows& rows = is_edge ? edge : triangle;
    const int* c = &blocks.corner[own * kCorners + place];
    const int p = c[0], q = c[kLanes], id = c[3 * kLanes];
    int at = triangle_search::row_begin(rows.start, id, rows.points.size);
    const int room = triangle_search::row_end(rows.start, id, rows.points.size);
    const int end = triangle_search::row_end(blocks.start, own, blocks.near.size);
    for (int k = triangle_search::row_begin(blocks.start, own, blocks.near.size); k < end && at < room; ++k) {
      const int* other = &blocks.corner[blocks.near[k] * kCorners];
      for (unsigned mask = bits[k * kLanes + place]; mask && at < room; mask &= mask - 1, ++at) {
        const int* o = other + triangle_search::lowest_bit(mask);
        rows.points[at] = is_edge ? ivec4(p, q, o[0], o[kLanes]) : ivec4(p, o[0], o[kLanes], o[2 * kLanes]);
        rows.primitives[at] = {id, o[3 * kLanes]};
      }
    }
  }
};

}  // namespace weft::swept_search
