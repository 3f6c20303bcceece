// The method `hash`: spatial hash over swept triangle boxes (Tang 2018, section 3).
#pragma once
#include "sim/collision/swept_search/collector.h"
#include "sim/collision/swept_search/hash_kernels.h"
#include "sim/device/growing_lists.h"

namespace weft::swept_search {

class HashCollector : public Collector {
 public:
  HashCollector(GrowingLists& lists, const SearchSurface& surface);
  void collect(const Swept& swept, const PairRoom& triangle, const PairRoom& edge) override;

 private:
  /// What is known of the triangles, of the cells, of entries (cell, triangle), and of pairs of triangles.
  struct PerCarrier {
    Buffer<Carrier> carrier;
    Buffer<vec3> lower, upper;
    Buffer<int> level, count, start;
    Buffer<float> log_side;  // of the cloth's, which come first
  };
  struct Cells {
    Buffer<int> marks, levels;
    Buffer<float> per_metre;  // and the sum of logarithms
  };
  struct Entries {
    Buffer<uint32_t> key;
    Buffer<int> value, count, start, number;
  };
  struct CarrierPairs {
    Buffer<ivec2> pair;
    Buffer<int> number, mask, triangle_count, triangle_start, edge_count, edge_start;
  };
  Carriers carriers();
  void list_entries(const Swept& swept);
  void list_carrier_pairs(const Swept& swept);
  void give_entries(int entries);
  void give_pairs(int pairs);

  Device& device_;
  CellKeys keys_;
  int obstacle_from_ = 0;
  Buffer<ivec2> edges_;
  PerCarrier triangles_;
  Cells cells_;
  Entries entries_;
  CarrierPairs pairs_;
  GrowingList entries_list_, pairs_list_;
};

}  // namespace weft::swept_search
