// Kernels of TriangleSearch that collect candidates: boxes of all items, blocks close to each searching
// block, items close to each searching item. They run only when some point has moved too far since the last
// time.
#pragma once
#include "sim/collision/proximity/box_blocks.h"
#include "sim/collision/proximity/part_radii.h"
#include "sim/device/atomics.h"
#include "sim/device/launch.h"
#include "sim/device/row_of_threads.h"

namespace weft::triangle_search {

/// Start of a list's row, limited by the capacity.
HD inline int row_begin(const Span<const int>& start, int row, int capacity) {
  return start[row] < capacity ? start[row] : capacity;
}
HD inline int row_end(const Span<const int>& start, int row, int capacity) {
  return row_begin(start, row + 1, capacity);
}

/// The forest on the device.
struct ForestView {
  Span<const int> corner, used, child, node, tree;
  Span<const float> boxes;
  int leaf_blocks = 0;
  int root[kTrees] = {};
};

/// Marks candidates that may lack a pair: a point has left its expected path by more than half of their
/// margin beyond the radius, or all pairs are wanted and its were not collected.
struct CheckCandidates {
  Span<const vec3> position, at, to;
  Span<const int> covered;  // per point: candidates have all of its pairs; empty: no matter
  Span<const float> reach;  // reach with which candidates were collected
  float radius = 0;
  Span<int> stale;
  HD void operator()(int i) const {
    if (!covered.empty() && !covered[i]) atomic_or(&stale[0], 1);
    const vec3 gone = position[i] - at[i], displacement = to[i] - at[i];
    const float squared = glm::dot(displacement, displacement),
                share = squared > 0 ? glm::clamp(glm::dot(gone, displacement) / squared, 0.0f, 1.0f) : 0.0f;
    const vec3 off = gone - share * displacement;
    const float allowed = 0.4999f * (reach[0] - radius);
    if (!(allowed >= 0 && glm::dot(off, off) <= allowed * allowed)) atomic_or(&stale[0], 1);
  }
};

/// Points with a mark, by parts of the list.
struct CountMarked {
  static constexpr int kPart = 256;
  Span<const int> mark, but;  // those that `but` marks are not counted; may be empty
  Span<int> count;            // one element
  HD void operator()(int part) const {
    int found = 0;
    const int end = glm::min((part + 1) * kPart, mark.size);
    for (int i = part * kPart; i < end; ++i) found += mark[i] && (but.empty() || !but[i]);
    if (found > 0) atomic_add(&count[0], found);
  }
};

/// How far candidates are worth keeping, on the device.
struct Coverage {
  int active = 0, covered = 0;  // points whose pairs are wanted, and were collected
  int waiting = 0;              // points whose pairs are wanted and were not collected
  int partial = 0;              // not 0: candidates have not all pairs of all points
  int narrow = 0;               // not 0: if candidates are collected now, then of active points alone
  int wasted = 0;               // searches since then of which most went to points that are active no longer
  int waited = 0;               // searches since then in which points were waiting
  int any = 0;                  // not 0: the last search has found a pair
};

struct BeginCoverage {
  Span<Coverage> coverage;
  HD void operator()(int) const { coverage[0].active = coverage[0].narrow = coverage[0].waiting = 0; }
};

/// Marks candidates of which most searches are in vain, or for which points wait, soon where those are many.
/// To collect candidates anew costs as much as some searches.
struct CheckCoverage {
  static constexpr int kFew = 4, kPatience = 3;
  int points = 0;
  Span<Coverage> coverage;
  Span<int> stale;
  HD void operator()(int) const {
    Coverage& c = coverage[0];
    c.narrow = c.active < points / kFew;
    c.wasted += c.active < c.covered / kFew;
    c.waited += c.waiting > 0;
    if (c.wasted > kPatience || c.waited > kPatience || kFew * c.waiting > c.active) stale[0] = 1;
  }
};

/// After candidates were collected.
struct NoteCoverage {
  int points = 0;
  Span<Coverage> coverage;
  HD void operator()(int) const {
    coverage[0].partial = coverage[0].covered < points;
    coverage[0].wasted = coverage[0].waited = 0;
  }
};

struct NoteAny {
  Span<const int> triangle_count, edge_count;
  Span<Coverage> coverage;
  HD void operator()(int) const { coverage[0].any = triangle_count[0] + edge_count[0] > 0; }
};

/// Stores the expected path of each point: straight towards its target, at most `sweep` (m).
struct NoteCandidates {
  Span<const vec3> position, towards;  // no `towards`: points are expected to rest
  float sweep = 0;
  Span<const int> active;  // points whose pairs are wanted; empty: all
  Span<Coverage> coverage;
  Span<vec3> at, to;
  Span<int> covered;
  float reach = 0;
  Span<float> noted_reach;
  Span<int> rebuilds;
  HD void operator()(int i) const {
    covered[i] = active.empty() || !coverage[0].narrow || active[i];
    at[i] = to[i] = position[i];
    if (towards.size > 0) {
      const vec3 displacement = towards[i] - position[i];
      const float length = sqrtf(glm::dot(displacement, displacement));
      if (length > 0 && length < INFINITY) to[i] += (length > sweep ? sweep / length : 1.0f) * displacement;
    }
    if (i > 0) return;
    coverage[0].covered = 0;  // counted next
    noted_reach[0] = reach;
    ++rebuilds[0];
  }
};

/// Boxes and spheres around the items over the paths of their points, 16 side by side. For any positions of
/// its corners on their paths, the item is inside both.
struct ItemBoxes {
  Span<const vec3> at, to;
  Span<const int> corner;
  Span<float> boxes;
  HD void operator()(int slot) const { row<OneRow>(slot); }
  HD void sixteen(int first) const { row<SixteenRows>(first); }
  template <class L>
  HD void row(int slot) const {
    using R = typename L::Real;
    const int* c = &corner[slot / kLanes * kCorners + slot % kLanes];
    float* b = &boxes[slot / kLanes * kSides + slot % kLanes];
    const Vec3<R> p = L::gather(at.data, c), q = L::gather(at.data, c + kLanes),
                  r = L::gather(at.data, c + 2 * kLanes);
    const Vec3<R> p1 = L::gather(to.data, c), q1 = L::gather(to.data, c + kLanes),
                  r1 = L::gather(to.data, c + 2 * kLanes);
    const Vec3<R> lower =
        smallest<L>(smallest<L>(smallest<L>(p, q), smallest<L>(r, p1)), smallest<L>(q1, r1));
    const Vec3<R> upper = largest<L>(largest<L>(largest<L>(p, q), largest<L>(r, p1)), largest<L>(q1, r1));
    const Vec3<R> centre = L::splat(0.5f) * (lower + upper);
    const auto from_centre = [&](const Vec3<R>& v) {
      const Vec3<R> d = v - centre;
      return dot(d, d);
    };
    const R furthest = L::larger(
        L::larger(L::larger(from_centre(p), from_centre(q)), L::larger(from_centre(r), from_centre(p1))),
        L::larger(from_centre(q1), from_centre(r1)));
    L::store3(b, lower);
    L::store3(b + 3 * kLanes, upper);
    L::store3(b + 6 * kLanes, centre);
    L::store(b + 9 * kLanes, L::root(furthest));
  }
  template <class L, class V>
  HD static V smallest(const V& a, const V& b) {
    return {L::smaller(a.x, b.x), L::smaller(a.y, b.y), L::smaller(a.z, b.z)};
  }
  template <class L, class V>
  HD static V largest(const V& a, const V& b) {
    return {L::larger(a.x, b.x), L::larger(a.y, b.y), L::larger(a.z, b.z)};
  }
};

/// Wider boxes and spheres around the items of parts with a radius of their own.
struct WidenBoxes {
  Span<const int> corner;
  PartRadii radii;
  Span<float> boxes;
  HD void operator()(int slot) const {
    const int* c = &corner[slot / kLanes * kCorners + slot % kLanes];
    float* b = &boxes[slot / kLanes * kSides + slot % kLanes];
    float more = 0;
    for (int k = 0; k < 3; ++k) more = glm::max(more, radii.width(c[k * kLanes]));
    for (int a = 0; a < 3; ++a) b[a * kLanes] -= more, b[(a + 3) * kLanes] += more;
    b[9 * kLanes] += more;
  }
};

/// Box of one node from the boxes below it. `first`: slot of the level's first node.
struct NodeBoxes {
  Span<const int> child, used;
  Span<float> boxes;
  int leaf_blocks = 0, first = 0;
  HD void operator()(int n) const {
    const int slot = first + n;
    float* box = &boxes[slot / kLanes * kSides + slot % kLanes];
    const bool taken = slot % kLanes < used[slot / kLanes];
    const int below = taken ? child[slot - leaf_blocks * kLanes] : 0;
    const float* b = &boxes[below * kSides];
    const int places = taken ? used[below] : 0;
    vec3 lower(INFINITY), upper(-INFINITY);
    for (int l = 0; l < places; ++l) {
      const Box item = box_at(b, l);
      lower = glm::min(lower, item.lower);
      upper = glm::max(upper, item.upper);
    }
    for (int a = 0; a < 3; ++a) box[a * kLanes] = lower[a], box[(a + 3) * kLanes] = upper[a];
  }
};

/// Bits of the places of a block whose primitive has a moved point.
struct MovedItems {
  Span<const int> corner, used, moved;
  Span<int> bits;
  HD void operator()(int block) const {
    const int* c = &corner[block * kCorners];
    unsigned mask = 0;
    for (int l = 0; l < used[block]; ++l)
      mask |= unsigned((moved[c[l]] | moved[c[l + kLanes]] | moved[c[l + 2 * kLanes]]) != 0) << l;
    bits[block] = int(mask);
  }
};

/// The same of a block of nodes, from the blocks below it.
struct MovedNodes {
  Span<const int> child, used;
  Span<int> bits;
  int leaf_blocks = 0, first = 0;
  HD void operator()(int n) const {
    const int block = first + n;
    unsigned mask = 0;
    for (int l = 0; l < used[block]; ++l)
      mask |= unsigned(bits[child[(block - leaf_blocks) * kLanes + l]] != 0) << l;
    bits[block] = int(mask);
  }
};

/// `overlapping`, of whose sixteen tests each thread of a row makes some.
template <class L>
HD inline unsigned overlapping_by(const float* block, const Box& b) {
  if constexpr (RowParts<L>::kCount == 1) {
    return overlapping(block, b);
  } else {
    unsigned mask = 0;
    for (int l = RowParts<L>::part(); l < kLanes; l += RowParts<L>::kCount)
      mask |= unsigned(overlaps(box_at(block, l), b)) << l;
    return RowParts<L>::all(mask);
  }
}

/// Leaf blocks close to a searching leaf block, ascending within each tree; of two blocks of cloth edges the
/// first searches. First counted, then written.
struct NearBlocks {
  ForestView forest;
  float reach = 0;
  bool fill = false;
  Span<int> count;        // per asking block
  Span<const int> start;  // their scan
  Span<int> blocks;
  /// Per block, bits of the places that have moved; a block with none asks for such places only. Empty: all
  /// have moved.
  Span<const int> moved;
  Span<int64_t> tests;  // one element: tests of two boxes; empty: not counted

  /// The box that a block asks with, and what it has found.
  struct Query {
    Box box;
    bool all;  // else only what has moved
    int found, tests;
  };

  static constexpr bool kLongRows = true;
  HD void operator()(int q) const { row<OneRow>(q); }
  template <class L>
  HD void row(int q) const {
    const Tree tree = Tree(forest.tree[q]);
    Query query{grown(box_at(forest.boxes.data, forest.node[q]), reach), moved.empty() || moved[q] != 0,
                fill ? row_begin(start, q, blocks.size) : 0, 0};
    if (tree == Tree::cloth_edges) {
      descend<L>(Tree::cloth_edges, query, q);
      descend<L>(Tree::obstacle_edges, query);
    } else {
      descend<L>(Tree::cloth_triangles, query);
      if (tree == Tree::cloth_vertices) descend<L>(Tree::obstacle_triangles, query);
    }
    if (RowParts<L>::part() != 0) return;
    if (!fill) count[q] = query.found;
    if (!fill && !tests.empty()) atomic_add(&tests[0], int64_t(query.tests));
  }

  template <class L>
  HD void descend(Tree tree, Query& query, int from = 0) const {
    const int root = forest.root[int(tree)];
    if (root < 0) return;
    int open[112];  // at most 7 levels of nodes over 2^31 items, 15 more of them open at each
    int depth = 0;
    open[depth++] = root;
    while (depth > 0) {
      const int block = open[--depth];
      if (block < forest.leaf_blocks) {
        if (block < from) continue;
        if (fill && query.found < blocks.size && RowParts<L>::part() == 0) blocks[query.found] = block;
        ++query.found;
        continue;
      }
      unsigned mask = (1u << forest.used[block]) - 1;
      mask &= overlapping_by<L>(&forest.boxes[block * kSides], query.box);
      if (!query.all) mask &= unsigned(moved[block]);
      query.tests += forest.used[block];
      while (mask) {  // the lowest is taken first, so that leaves come in ascending order
        const int place = highest_bit(mask);
        mask ^= 1u << place;
        open[depth++] = forest.child[(block - forest.leaf_blocks) * kLanes + place];
      }
    }
  }
};

/// Which of the items in the near blocks have a box and a sphere near those of one asking item: bits per
/// block, and their number.
struct NearItems {
  ForestView forest;
  float reach = 0;
  Span<const int> block_start, blocks;
  Span<const int> active;                // per block, bits of the items whose pairs are wanted; empty: all
  Span<uint16_t> bits;                   // 16 per near block, one for each place of the asking block
  Span<int> triangle_count, edge_count;  // per vertex, per edge

  static constexpr bool kLongRows = true;
  HD void operator()(int slot) const { row<OneRow>(slot); }
  template <class L>
  HD void row(int slot) const {
    const int q = slot / kLanes, place = slot % kLanes;
    if (place >= forest.used[q]) return;
    const int* own = &forest.corner[q * kCorners + place];
    const int a = own[0], b = own[kLanes], id = own[3 * kLanes];
    const bool is_edge = Tree(forest.tree[q]) == Tree::cloth_edges,
               all = active.empty() || (active[q] >> place & 1);
    const Box box = grown(box_at(forest.boxes.data, slot), reach);
    const Ball ball = grown(ball_at(forest.boxes.data, slot), reach);
    int found = 0;
    const int end = row_end(block_start, q, blocks.size);
    for (int k = row_begin(block_start, q, blocks.size) + RowParts<L>::part(); k < end;
         k += RowParts<L>::kCount) {
      const int block = blocks[k];
      const int* c = &forest.corner[block * kCorners];
      const float* boxes = &forest.boxes[block * kSides];
      unsigned mask = overlapping(boxes, box) & ((1u << forest.used[block]) - 1);
      if (mask) mask &= touching(boxes, ball);
      if (mask) mask &= is_edge ? ~(sharing(c, a) | sharing(c, b)) : ~sharing(c, a);
      if (block == q) mask &= ~0u << place << 1;  // earlier blocks search themselves
      if (!all) mask &= unsigned(active[block]);
      bits[k * kLanes + place] = uint16_t(mask);
      found += bits_in(mask);
    }
    found = RowParts<L>::total(found);
    if (RowParts<L>::part() == 0) (is_edge ? edge_count : triangle_count)[id] = found;
  }
  HD static unsigned sharing(const int* corner, int point) {
    return equal_to(corner, point) | equal_to(corner + kLanes, point) | equal_to(corner + 2 * kLanes, point);
  }
};

/// Candidates of one kind: rows per vertex or edge; four points each, 16 candidates interleaved.
struct CandidateRows {
  Span<const int> start;
  Span<int> points;  // 4 per candidate
  Span<int> item;    // triangle or higher edge
};

struct WriteCandidates {
  ForestView forest;
  Span<const int> block_start, blocks;
  Span<const uint16_t> bits;
  CandidateRows triangles, edges;
  static constexpr int kWaiting = 64;

  HD void operator()(int slot) const {
    const int q = slot / kLanes, place = slot % kLanes;
    if (place >= forest.used[q]) return;
    const bool is_edge = Tree(forest.tree[q]) == Tree::cloth_edges;
    const CandidateRows& rows = is_edge ? edges : triangles;
    int at = row_begin(rows.start, forest.corner[q * kCorners + 3 * kLanes + place], rows.item.size);
    // Slots are collected first: which bits are set is a matter of chance, and a branch for each of them
    // would cost more than all else.
    int slots[kWaiting];
    int waiting = 0;
    const int end = row_end(block_start, q, blocks.size);
    for (int k = row_begin(block_start, q, blocks.size); k < end; ++k) {
      waiting += append_places(slots + waiting, blocks[k] * kLanes, bits[k * kLanes + place]);
      if (waiting <= kWaiting - kLanes) continue;
      at = write(rows, slot, is_edge, at, slots, waiting);
      waiting = 0;
    }
    write(rows, slot, is_edge, at, slots, waiting);
  }
  HD int write(const CandidateRows& rows, int slot, bool is_edge, int at, const int* slots, int count) const {
    const int* own = &forest.corner[slot / kLanes * kCorners + slot % kLanes];
    const int a = own[0], b = own[kLanes];
    for (int k = 0; k < count && at < rows.item.size; ++k, ++at) {
      const int* c = &forest.corner[slots[k] / kLanes * kCorners + slots[k] % kLanes];
      int* p = &rows.points[interleaved(at, 0, 4)];
      p[0] = a;
      p[kLanes] = is_edge ? b : c[0];
      p[2 * kLanes] = is_edge ? c[0] : c[kLanes];
      p[3 * kLanes] = is_edge ? c[kLanes] : c[2 * kLanes];
      rows.item[at] = c[3 * kLanes];
    }
    return at;
  }
};

/// Records whether a list is too short, and the number of its entries.
struct NoteRoom {
  Span<const int> start;  // its last element is the required number
  int capacity = 0;
  Span<int> needed;  // one element
  Span<int> count;   // one element
  /// Radius of the data kept for later searches: one element. Truncated lists are not kept, even if a step
  /// ends before it checks.
  Span<float> reach;
  HD void operator()(int) const {
    const int wanted = start[start.size - 1];
    if (wanted > capacity) {
      atomic_max(&needed[0], wanted);
      if (reach.size > 0) reach[0] = -1;
    }
    count[0] = wanted < capacity ? wanted : capacity;
  }
};

}  // namespace weft::triangle_search
