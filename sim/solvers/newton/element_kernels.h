// Sums of the elements' projected Hessians in the system's blocks.
#pragma once
#include "sim/solvers/element_kernels.h"
#include "sim/solvers/newton/assemble_kernels.h"

namespace weft::newton {

/// Which elements meet in each entry, as compressed rows.
struct SourcesView {
  Span<const int> start;  // entries + 1; empty where there are none
  Span<const int> source;
};
/// Of the coupling of points a and b of an element.
template <class E>
constexpr int block_source(int element, int a, int b) {
  return (element * E::kPoints + a) * E::kPoints + b;
}

/// The elements of one energy.
template <class E>
struct BlockSources {
  SourcesView sources;
  Span<const vec3> tangent;  // as elements::Tangents has them
  HD void add(int o, Mat3<float>& h) const {
    if (sources.start.empty()) return;
    for (int s = sources.start[o]; s < sources.start[o + 1]; ++s) {
      const int from = sources.source[s], pair = from % (E::kPoints * E::kPoints);
      h = h + elements::stored_block<E>(tangent, from / (E::kPoints * E::kPoints), pair / E::kPoints,
                                        pair % E::kPoints);
    }
  }
};

/// K of each entry: minus the sum over its elements, in a fixed order.
template <class... E>
struct GatherBlocksOf : BlockSources<E>... {
  Span<float> block;  // interleaved 9
  HD void operator()(int o) const {
    Mat3<float> h{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    (BlockSources<E>::add(o, h), ...);
    float* b = &block[entry_place(o, 9)];
    OneRow::store3(b, -h.x);
    OneRow::store3(b + 3 * kLanes, -h.y);
    OneRow::store3(b + 6 * kLanes, -h.z);
  }
};
using GatherBlocks = OfAllEnergies<GatherBlocksOf>;

}  // namespace weft::newton
