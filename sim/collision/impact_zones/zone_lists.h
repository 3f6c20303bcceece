// Impact zones: impacts that are connected through points that may move (Tang 2018, section 2.6), found on
// the device.
#pragma once
#include "sim/collision/impact_zones/zone_list_kernels.h"
#include "sim/device/buffer.h"

namespace weft {

/// Zones last and grow through a step: impacts that come later join those that they touch. Deterministic for
/// any number of threads.
class ZoneLists {
 public:
  /// `points`: of the surface.
  ZoneLists(Device& device, int points);
  /// Memory for this many impacts. Not within a recorded sequence.
  void make_room(int impacts);
  /// Forgets all zones.
  void clear();
  /// Joins the points of all impacts in the list. `together`: into one zone.
  void join(const impact_zones::ImpactList& list, Span<const float> inverse_mass, bool together);
  /// Lists points and impacts of all zones.
  void build(const impact_zones::ImpactList& list, Span<const float> inverse_mass);
  impact_zones::ZonesView view() const;
  /// Per point the largest point of its zone: the same for all points of a zone, and the point itself if it
  /// is in none.
  Span<const int> labels() const { return label_; }

 private:
  /// Items in the order of their keys: each key that there is, and where its items begin.
  struct Sorted {
    Buffer<uint32_t> key, once;
    Buffer<int> item, start;
    void make_room(Device& device, int items);
    /// Counts the keys that there are, up to the largest number, which marks no item.
    void sort(Device& device, Span<int> keys, Span<int> count);
  };

  Device& device_;
  Buffer<int> label_, changed_;
  Sorted places_, points_;  // places of impacts by their point; points of zones by their zone
  Buffer<int> rows_, zones_;
  Buffer<int> point_, zone_, impact_zone_, row_of_point_;
  Buffer<int> runs_;
  Buffer<ivec2> entries_;
};

}  // namespace weft
