// Narrow phase: the impacts of straight paths, of all detections of a step in one list.
#pragma once
#include <functional>

#include "sim/collision/impact_zones/round_kernels.h"
#include "sim/collision/surface/contact_surface.h"
#include "sim/collision/swept_search/swept_search.h"

namespace weft {

class ImpactDetection {
 public:
  /// `make_room`: called with the number of impacts that the list has room for, where that changes.
  ImpactDetection(GrowingLists& lists, const ContactSurface& surface, std::function<void(int)> make_room);

  /// Allocates for the pairs that `search` may find. Not within a recorded sequence.
  void prepare(const SweptSearch& search);
  /// Straight paths of all points from x0 to x1, m, and what counts as an impact on them.
  struct Paths {
    Span<const vec3> x0, x1;
    Span<const float> inverse_mass;
    float gap = 0, thickness = 0;  // m
  };
  /// Appends the impacts of the pairs that `search` found, and of points with planes.
  void append(const SweptSearch& search, const Paths& paths, Span<impact_zones::Progress> progress);

  /// Room in the list, before the first step.
  void reserve(int impacts) { list_.reserve(impacts); }
  int room() const { return impact_.size(); }
  Span<impact_zones::Impact> impacts() { return impact_; }
  Span<const impact_zones::Impact> impacts() const { return impact_; }
  std::vector<impact_zones::Impact> on_host() const { return impact_.download(); }
  int moves() const { return moves_; }

 private:
  Device& device_;
  const ContactSurface& surface_;
  std::function<void(int)> make_room_;
  int moves_ = 0;
  // per pair and per point and plane: 1 for an impact; those; their number
  Buffer<int> flags_, index_, found_;
  Buffer<impact_zones::Impact> impact_;
  GrowingList list_;
};

}  // namespace weft
