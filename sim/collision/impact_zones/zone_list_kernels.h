// Kernels that group impacts into zones and list the points of each.
#pragma once
#include "sim/collision/impact_zones/impact.h"
#include "sim/device/atomics.h"
#include "sim/device/launch.h"

namespace weft::impact_zones {

constexpr uint32_t kNoKey = ~uint32_t(0);  // sorts behind all others

/// The impacts of a step so far. `count` counts those that fit.
struct ImpactList {
  Span<const int> count;
  Span<const Impact> impact;
  HD int size() const { return count[0] < impact.size ? count[0] : impact.size; }
};

/// Every point is a zone of its own.
struct BeginLabels {
  Span<int> label;
  HD void operator()(int p) const { label[p] = p; }
};

/// One pass of label propagation over the points that each impact links: those that the solver may move.
/// Labels only grow, within their component, and end at its largest point whatever the order of rows; hooking
/// the label of a label doubles the reach of each pass. `together`: all impacts are one zone.
struct LinkPoints {
  ImpactList list;
  Span<const float> inverse_mass;
  bool together = false;
  Span<int> label, changed;
  HD void operator()(int i) const {
    const Impact& j = list.impact[i];
    int largest = together ? label.size - 1 : -1;
    for (int k = 0; k < 4; ++k)
      if (links(j, k)) largest = glm::max(largest, atomic_read(&label[j.points[k]]));
    for (int k = 0; k < 4; ++k) {
      if (!links(j, k)) continue;
      const int own = atomic_read(&label[j.points[k]]);
      if (own >= largest) continue;
      atomic_max(&label[own], largest);
      atomic_max(&label[j.points[k]], largest);
      atomic_or(&changed[0], 1);
    }
  }
  HD bool links(const Impact& j, int k) const { return j.points[k] >= 0 && inverse_mass[j.points[k]] > 0; }
};

/// Follows labels to their ends.
struct FollowLabels {
  Span<int> label;
  HD void operator()(int p) const {
    int at = atomic_read(&label[p]);
    for (int next = atomic_read(&label[at]); next > at; next = atomic_read(&label[at])) at = next;
    atomic_max(&label[p], at);
  }
};

/// Row 4 i + k: place k of impact i under its point; places that the solver does not move go to the end.
struct ListPlaces {
  ImpactList list;
  Span<const float> inverse_mass;
  Span<uint32_t> key;
  Span<int> entry;
  HD void operator()(int row) const {
    const int i = row / 4, k = row % 4, point = i < list.size() ? list.impact[i].points[k] : -1;
    key[row] = point >= 0 && inverse_mass[point] > 0 ? uint32_t(point) : kNoKey;
    entry[row] = row;
  }
};

/// Number of runs without that of kNoKey at the end, and the end of the last.
struct CountRuns {
  Span<const uint32_t> unique;
  Span<const int> runs;
  int elements = 0;
  Span<int> start;  // of each run; one more entry than there are runs
  Span<int> count;
  HD void operator()(int) const {
    int n = runs[0];
    if (n > 0 && unique[n - 1] == kNoKey) --n;
    else start[n] = elements;
    count[0] = n;
  }
};

/// Points under their labels.
struct KeyByZone {
  Span<const uint32_t> point;  // of each run of places
  Span<const int> count, label;
  Span<uint32_t> key;
  Span<int> run;
  HD void operator()(int i) const {
    key[i] = i < count[0] ? uint32_t(label[int(point[i])]) : kNoKey;
    run[i] = i;
  }
};

/// Place of a key among `count` ascending ones.
HD inline int place_of(uint32_t key, Span<const uint32_t> keys, int count) {
  int low = 0, high = count;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (keys[middle] <= key) low = middle;
    else high = middle;
  }
  return low;
}

/// Rows of the zones: points by zone, and in a zone by number.
struct FillRows {
  Span<const uint32_t> key, zone_key;
  Span<const int> zones, run, run_start;
  Span<const uint32_t> run_point;
  Span<int> point, zone, row_of_point;
  Span<ivec2> entries;  // begin and end in the sorted places
  HD void operator()(int row) const {
    point[row] = int(run_point[run[row]]);
    row_of_point[point[row]] = row;
    entries[row] = {run_start[run[row]], run_start[run[row] + 1]};
    zone[row] = place_of(key[row], zone_key, zones[0]);
  }
};

/// Zone of each impact; -1 where no point may move.
struct ZonesOfImpacts {
  ImpactList list;
  Span<const int> label, zones;
  Span<const uint32_t> zone_key;
  Span<int> zone;
  HD void operator()(int i) const {
    const Impact& j = list.impact[i];
    zone[i] = j.owner < 0 ? -1 : place_of(uint32_t(label[j.points[j.owner]]), zone_key, zones[0]);
  }
};

/// Impacts by zone and by point. A row is a point of a zone; a place is 4 impact + place of the point there.
struct ZonesView {
  Span<const int> rows, zones;  // counts, one element each
  Span<const int> point, zone;  // per row
  Span<const ivec2> entries;    // per row, into `place`
  Span<const int> place;
  Span<const int> zone_start;    // rows of each zone; one more than zones
  Span<const int> impact_zone;   // per impact
  Span<const int> row_of_point;  // per point of a zone
};

}  // namespace weft::impact_zones
