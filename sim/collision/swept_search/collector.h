// What the methods of SweptSearch have in common.
#pragma once
#include "sim/collision/swept_search/swept_kernels.h"

namespace weft::swept_search {

/// Where pairs of one kind go. `wanted[0]` becomes the number of entries if they are more than there is room
/// for.
struct PairRoom {
  Span<int> count;  // one element
  Span<ivec4> points;
  Span<ivec2> primitives;
  Span<int> wanted;  // one element
};

/// Collects the pairs whose boxes overlap.
class Collector {
 public:
  virtual ~Collector() = default;
  /// Launches only.
  virtual void collect(const Swept& swept, const PairRoom& triangle, const PairRoom& edge) = 0;
  int moves() const { return moves_; }

 protected:
  int moves_ = 0;
};

}  // namespace weft::swept_search
