// Kernels of the method `hash`: cells of several sizes, sorted by number.
//
//   CellSize    size of the smallest cells: a multiple of the geometric mean of the cloth's boxes
//   CarrierBoxes  box of each triangle (see carriers.h), and the level whose cells fit it
//   MarkCells   what each cell has
//   ListCells   entries (cell, triangle), only of cells in which a pair is possible; then they are sorted
//   MeetInCells   pairs of triangles whose boxes overlap, each in one cell
//   TestCarriers  pairs of the vertices and edges that these triangles own
#pragma once
#include "sim/collision/proximity/candidate_kernels.h"
#include "sim/collision/swept_search/carriers.h"
#include "sim/collision/swept_search/swept_kernels.h"

namespace weft::swept_search {

/// Cells of a level are four times as wide as those of the level below; those of the last are endless, so
/// that every box has a level at which it lies in at most two cells per axis.
constexpr int kLevels = 8, kFactorBits = 2;
constexpr float kCellOfMean = 1.5f;  // width of the smallest cells by the mean box; measured
constexpr int kMostCells = 8;        // of one box at one level

/// What a cell has, as bits.
enum CellMark { native_cloth = 1, native_obstacle = 2, finer_cloth = 4, finer_obstacle = 8, has_moved = 16 };

/// Key of an entry: level, hash of the cell, class. Classes are sorted: triangles whose level this is (cloth,
/// then obstacles), then those of finer levels.
struct CellKeys {
  int bucket_bits = 0;  // buckets per level, a power of two
  HD uint32_t bucket(int level, const ivec3& cell) const {
    // Large primes (Teschner 2003), then the high bits, which depend on all others.
    const uint32_t mixed =
        (uint32_t(cell.x) * 73856093u) ^ (uint32_t(cell.y) * 19349663u) ^ (uint32_t(cell.z) * 83492791u);
    return (uint32_t(level) << bucket_bits) | ((mixed * 2654435769u) >> (32 - bucket_bits));
  }
  HD int buckets() const { return kLevels << bucket_bits; }
  HD static uint32_t key(uint32_t bucket, int kind) { return bucket << 2 | uint32_t(kind); }
  /// Larger than the key of any entry: the last level has one cell, which is in its first bucket.
  HD uint32_t unused() const { return (uint32_t(kLevels) << (bucket_bits + 2)) - 1; }
};

/// Cells of one level that a box touches.
struct CellRange {
  ivec3 first, last;
  HD int count() const { return (last.x - first.x + 1) * (last.y - first.y + 1) * (last.z - first.z + 1); }
  HD ivec3 cell(int k) const {
    const int nx = last.x - first.x + 1, ny = last.y - first.y + 1;
    return first + ivec3(k % nx, k / nx % ny, k / (nx * ny));
  }
};

/// Cell of a point. Monotone in each coordinate, also where it is rounded or limited.
HD inline ivec3 cell_of(const vec3& p, float per_metre, int level) {
  if (level == kLevels - 1) return ivec3(0);
  const float limit = 1e9f;
  const vec3 c = glm::clamp(per_metre / float(1 << kFactorBits * level) * p, vec3(-limit), vec3(limit));
  return {int(floorf(c.x)), int(floorf(c.y)), int(floorf(c.z))};
}

HD inline CellRange cells_of(const Box& b, float per_metre, int level) {
  return {cell_of(b.lower, per_metre, level), cell_of(b.upper, per_metre, level)};
}

/// Logarithm of a carrier's box, for the mean; 0 where it has none.
struct LogSides {
  Span<const Carrier> carriers;
  Span<const vec3> lower, upper;
  Span<float> log_side;
  HD void operator()(int i) const {
    const ivec3 c = carriers[i].corner;
    const Box b = box_of(lower, upper, c.x, c.y, c.z);
    const vec3 side = b.upper - b.lower;
    const float longest = fmaxf(fmaxf(side.x, side.y), side.z);
    log_side[i] = is_finite(side) && longest > 0 ? log2f(longest) : 0.0f;
  }
};

/// Cells per metre at the finest level; also forgets which levels were used.
struct CellSize {
  Span<const float> sum;  // of the logarithms
  float share = 0;        // 1 / their number
  Span<float> per_metre;
  Span<int> levels;
  HD void operator()(int) const {
    per_metre[0] = exp2f(-fminf(fmaxf(share * sum[0], -40.0f), 40.0f)) / kCellOfMean;
    levels[0] = 0;
  }
};

/// The triangles, and what was found out about them.
struct Carriers {
  Span<const Carrier> carriers;
  int obstacle_from = 0;
  Span<const float> per_metre;
  Span<vec3> lower, upper;
  Span<int> level;  // -1: in no cell; bits from 8 on: has a moved point
  HD bool of_cloth(int i) const { return carriers[i].corner.x < obstacle_from; }
  HD int level_of(int i) const { return level[i] < 0 ? -1 : level[i] & 255; }
  HD bool has_moved(int i) const { return level[i] >> 8 != 0; }
  HD Box box(int i) const { return {lower[i], upper[i]}; }
};

struct CarrierBoxes {
  Carriers all;
  Swept swept;
  Span<int> levels;  // one element: bits of the levels that are used
  HD void operator()(int i) const {
    const ivec3 c = all.carriers[i].corner;
    const Box b = box_of_whole(swept.lower, swept.upper, c);  // what it owns may be whole where it is not
    all.lower[i] = b.lower, all.upper[i] = b.upper;
    if (!is_finite(b.lower) || !is_finite(b.upper)) {
      all.level[i] = -1;
      return;
    }
    int level = 0;
    while (true) {
      const CellRange r = cells_of(b, all.per_metre[0], level);
      const ivec3 more = r.last - r.first;
      if (more.x <= 1 && more.y <= 1 && more.z <= 1) break;
      ++level;
    }
    if (!(atomic_read(&levels[0]) >> level & 1)) atomic_or(&levels[0], 1 << level);
    const bool moved = swept.moved.empty() || (swept.moved[c.x] | swept.moved[c.y] | swept.moved[c.z]) != 0;
    all.level[i] = level | (moved ? 256 : 0);
  }
};

/// Calls visit(bucket, finer) for the cells of carrier i at its level and above, each bucket of a level once.
template <class Visit>
HD void visit_cells(const Carriers& all, const CellKeys& keys, int levels, int i, const Visit& visit) {
  const int own = all.level_of(i);
  if (own < 0) return;
  const Box b = all.box(i);
  for (int level = own; level < kLevels; ++level) {
    if (!(levels >> level & 1)) continue;
    const CellRange r = cells_of(b, all.per_metre[0], level);
    uint32_t seen[kMostCells];
    const int count = r.count();
    for (int k = 0; k < count; ++k) {
      const uint32_t bucket = keys.bucket(level, r.cell(k));
      bool is_new = true;
      for (int s = 0; s < k; ++s) is_new &= seen[s] != bucket;
      seen[k] = bucket;
      if (is_new) visit(bucket, level > own);
    }
  }
}

/// Marks of each bucket. Bits are only ever set, so that the order of threads has no effect.
struct MarkCells {
  Carriers all;
  CellKeys keys;
  Span<const int> levels;
  Span<int> marks;  // per bucket
  HD void operator()(int i) const {
    const bool cloth = all.of_cloth(i);
    const int moved = all.has_moved(i) ? int(CellMark::has_moved) : 0;
    visit_cells(all, keys, levels[0], i, [&](uint32_t bucket, bool finer) {
      const int own =
          moved | (finer ? (cloth ? finer_cloth : finer_obstacle) : (cloth ? native_cloth : native_obstacle));
      int* mark = &marks[int(bucket)];
      if ((atomic_read(mark) & own) != own) atomic_or(mark, own);
    });
  }
};

/// Entries of the cells in which a triangle may be in a pair: there is a triangle of this level, one of the
/// cloth, and one that has moved. First counted, then written.
struct ListCells {
  Carriers all;
  CellKeys keys;
  Span<const int> levels, marks;
  bool fill = false;
  Span<int> count;
  Span<const int> start;
  Span<uint32_t> key;
  Span<int> value;
  HD void operator()(int i) const {
    const bool cloth = all.of_cloth(i);
    int found = fill ? triangle_search::row_begin(start, i, key.size) : 0;
    visit_cells(all, keys, levels[0], i, [&](uint32_t bucket, bool finer) {
      const int has = marks[int(bucket)];
      const int partners = finer ? (cloth ? native_cloth | native_obstacle : int(native_cloth))
                                 : (cloth ? 15 : native_cloth | finer_cloth);
      if (!(has & partners) || !(has & CellMark::has_moved)) return;
      if (fill && found < key.size) {
        key[found] = CellKeys::key(bucket, (finer ? 2 : 0) + (cloth ? 0 : 1));
        value[found] = i;
      }
      ++found;
    });
    if (!fill) count[i] = found;
  }
};

/// Keys behind the entries, so that all can be sorted.
struct PadEntries {
  Span<const int> entries;  // one element
  CellKeys keys;
  Span<uint32_t> key;
  Span<int> value;
  HD void operator()(int i) const {
    if (i < entries[0]) return;
    key[i] = keys.unused();
    value[i] = -1;
  }
};

/// Pairs of triangles whose boxes overlap, at the entry that comes first. Of all cells in which two boxes
/// meet the pair belongs to that of the lower corner of their common part, at the larger one's level. First
/// counted, then written.
struct MeetInCells {
  Carriers all;
  CellKeys keys;
  Span<const uint32_t> key;  // sorted
  Span<const int> value;
  bool fill = false;
  Span<int> count;
  Span<const int> start;
  Span<ivec2> pairs;
  Span<int64_t> tests;

  HD void operator()(int e) const {
    const uint32_t own = key[e], bucket = own >> 2;
    const int kind = int(own & 3u);
    int found = fill ? triangle_search::row_begin(start, e, pairs.size) : 0, tested = 0;
    if (kind < 2) {
      const int a = value[e];
      const Box box = all.box(a);
      const bool moved = all.has_moved(a);
      for (int f = e + 1; f < key.size && key[f] >> 2 == bucket; ++f) {
        if (kind == 1 && key[f] & 1u) continue;  // two obstacles
        const int b = value[f];
        if (!moved && !all.has_moved(b)) continue;
        ++tested;
        const Box other = all.box(b);
        if (!overlap(box, other)) continue;
        const int level = all.level_of(a);
        if (keys.bucket(level, cell_of(glm::max(box.lower, other.lower), all.per_metre[0], level)) != bucket)
          continue;
        if (fill && found < pairs.size) pairs[found] = {a, b};
        ++found;
      }
    }
    if (fill) return;
    count[e] = found;
    if (!tests.empty()) atomic_add(&tests[0], int64_t(tested));
  }
};

/// Which pairs of primitives that two triangles own have boxes that overlap: 3 + 3 bits of vertices of the
/// one and the triangle of the other, then 3 x 3 bits of edges.
struct TestCarriers {
  Span<const Carrier> carriers;
  Span<const ivec2> edges;
  Swept swept;
  Span<const int> pair_count;  // one element
  Span<const ivec2> pairs;
  Span<int> mask, triangle_count, edge_count;  // per pair of triangles

  HD void operator()(int i) const {
    mask[i] = triangle_count[i] = edge_count[i] = 0;
    if (i >= pair_count[0]) return;
    const Carrier& a = carriers[pairs[i].x];
    const Carrier& b = carriers[pairs[i].y];
    int tested = 0;
    const int vertices = vertex_bits(a, b, tested) | vertex_bits(b, a, tested) << 3,
              of_edges = edge_bits(a, b, tested);
    mask[i] = vertices | of_edges << 6;
    triangle_count[i] = triangle_search::bits_in(unsigned(vertices));
    edge_count[i] = triangle_search::bits_in(unsigned(of_edges));
    swept.count(tested);
  }
  HD bool moved(const ivec4& p) const {
    return swept.moved.empty() ||
           (swept.moved[p.x] | swept.moved[p.y] | swept.moved[p.z] | swept.moved[p.w]) != 0;
  }
  HD bool meet(const ivec4& p, const Box& a, const Box& b) const {
    return overlap(a, b) && moved(p) && !swept.left_out(p);
  }
  HD int vertex_bits(const Carrier& of, const Carrier& triangle, int& tested) const {
    if (triangle.triangle < 0) return 0;
    const ivec3 c = triangle.corner;
    const Box box = box_of(swept.lower, swept.upper, c.x, c.y, c.z);
    int bits = 0;
    for (int k = 0; k < 3; ++k) {
      const int v = of.vertex[k];
      if (v < 0 || v == c.x || v == c.y || v == c.z) continue;
      ++tested;
      bits |= int(meet({v, c.x, c.y, c.z}, {swept.lower[v], swept.upper[v]}, box)) << k;
    }
    return bits;
  }
  HD int edge_bits(const Carrier& a, const Carrier& b, int& tested) const {
    int bits = 0;
    for (int k = 0; k < 3; ++k) {
      if (a.edge[k] < 0) continue;
      const ivec2 e = edges[a.edge[k]];
      const Box box = box_of(swept.lower, swept.upper, e.x, e.y, e.y);
      for (int l = 0; l < 3; ++l) {
        if (b.edge[l] < 0) continue;
        const ivec2 f = edges[b.edge[l]];
        if (e.x == f.x || e.x == f.y || e.y == f.x || e.y == f.y) continue;
        ++tested;
        const Box other = box_of(swept.lower, swept.upper, f.x, f.y, f.y);
        bits |= int(meet({e.x, e.y, f.x, f.y}, box, other)) << (3 * k + l);
      }
    }
    return bits;
  }
};

/// Pairs of one kind, by pair of triangles.
struct CarrierPairRows {
  Span<const int> start;
  Span<ivec4> points;
  Span<ivec2> primitives;
  HD void write(int at, const ivec4& p, const ivec2& names) const {
    if (at >= points.size) return;
    points[at] = p;
    primitives[at] = names;
  }
};

/// Of two edges that of the cloth comes first, else the lower.
struct WriteCarrierPairs {
  Span<const Carrier> carriers;
  Span<const ivec2> edges;
  int obstacle_from = 0;
  Span<const ivec2> pairs;
  Span<const int> mask;
  CarrierPairRows triangle, edge;

  HD void operator()(int i) const {
    const Carrier two[2] = {carriers[pairs[i].x], carriers[pairs[i].y]};
    int at = triangle_search::row_begin(triangle.start, i, triangle.points.size);
    for (int k = 0; k < 6; ++k) {
      if (!(mask[i] >> k & 1)) continue;
      const Carrier& other = two[1 - k / 3];
      const int v = two[k / 3].vertex[k % 3];
      triangle.write(at++, {v, other.corner.x, other.corner.y, other.corner.z}, {v, other.triangle});
    }
    at = triangle_search::row_begin(edge.start, i, edge.points.size);
    for (int k = 0; k < 9; ++k) {
      if (!(mask[i] >> (6 + k) & 1)) continue;
      int a = two[0].edge[k / 3], b = two[1].edge[k % 3];
      const bool a_of_cloth = edges[a].x < obstacle_from, b_of_cloth = edges[b].x < obstacle_from;
      if (a_of_cloth == b_of_cloth ? b < a : b_of_cloth) {
        const int c = a;
        a = b, b = c;
      }
      edge.write(at++, {edges[a].x, edges[a].y, edges[b].x, edges[b].y}, {a, b});
    }
  }
};

}  // namespace weft::swept_search
