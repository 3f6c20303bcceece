#include "sim/collision/swept_search/hash_collector.h"

#include <algorithm>

#include "sim/collision/proximity/triangle_search.h"
#include "sim/device/primitives.h"

namespace weft::swept_search {
namespace {

using triangle_search::NoteRoom;

constexpr int kEntries = 6, kPairsOfTriangles = 12, kFewestTriangles = 64;  // initial room per triangle

/// Those of the cloth first.
std::vector<Carrier> carriers_of(const SearchSurface& surface) {
  std::vector<Carrier> all = build_carriers(surface);
  std::stable_partition(all.begin(), all.end(),
                        [&](const Carrier& c) { return c.corner.x < surface.obstacle_from; });
  return all;
}

}  // namespace

HashCollector::HashCollector(GrowingLists& lists, const SearchSurface& surface)
    : device_(lists.device()),
      obstacle_from_(surface.obstacle_from),
      entries_list_(lists, "swept entries", [this](int n) { give_entries(n); }),
      pairs_list_(lists, "swept pairs of triangles", [this](int n) { give_pairs(n); }) {
  Device& device = device_;
  const std::vector<Carrier> all = carriers_of(surface);
  const int count = int(all.size());
  const auto cloth =
      std::count_if(all.begin(), all.end(), [&](const Carrier& c) { return c.corner.x < obstacle_from_; });
  while (1 << keys_.bucket_bits < count && keys_.bucket_bits < 20) ++keys_.bucket_bits;
  keys_.bucket_bits = std::max(keys_.bucket_bits, 4);
  edges_ = Buffer<ivec2>(device, "swept triangles", surface.edges);
  triangles_.carrier = Buffer<Carrier>(device, "swept triangles", all);
  for (auto* b : {&triangles_.lower, &triangles_.upper}) *b = Buffer<vec3>(device, "swept triangles", count);
  for (auto* b : {&triangles_.level, &triangles_.count}) *b = Buffer<int>(device, "swept triangles", count);
  triangles_.start = Buffer<int>(device, "swept triangles", count + 1);
  triangles_.log_side = Buffer<float>(device, "swept triangles", int(cloth));
  cells_.marks = Buffer<int>(device, "swept cells", keys_.buckets());
  cells_.levels = Buffer<int>(device, "swept cells", 1);
  cells_.per_metre = Buffer<float>(device, "swept cells", 2);
  entries_list_.reserve(kEntries * std::max(count, kFewestTriangles));
  pairs_list_.reserve(kPairsOfTriangles * std::max(count, kFewestTriangles));
}

void HashCollector::give_entries(int entries) {
  entries_.key = {};
  for (auto* b : {&entries_.value, &entries_.count}) *b = Buffer<int>(device_, "swept entries", entries);
  entries_.start = Buffer<int>(device_, "swept entries", buffer_size(int64_t(entries) + 1, "swept entries"));
  entries_.number = Buffer<int>(device_, "swept entries", 1);
  entries_.key = Buffer<uint32_t>(device_, "swept entries", entries);
  ++moves_;
}

void HashCollector::give_pairs(int pairs) {
  pairs_.pair = {};
  for (auto* b : {&pairs_.mask, &pairs_.triangle_count, &pairs_.edge_count})
    *b = Buffer<int>(device_, "swept pairs of triangles", pairs);
  for (auto* b : {&pairs_.triangle_start, &pairs_.edge_start})
    *b = Buffer<int>(device_, "swept pairs of triangles",
                     buffer_size(int64_t(pairs) + 1, "swept pairs of triangles"));
  pairs_.number = Buffer<int>(device_, "swept pairs of triangles", 1);
  pairs_.pair = Buffer<ivec2>(device_, "swept pairs of triangles", pairs);
  ++moves_;
}

Carriers HashCollector::carriers() {
  return {triangles_.carrier, obstacle_from_,   Span<const float>(cells_.per_metre.span().data, 1),
          triangles_.lower,   triangles_.upper, triangles_.level};
}

void HashCollector::list_entries(const Swept& swept) {
  const int count = triangles_.carrier.size(), room = entries_.key.size(),
            of_cloth = triangles_.log_side.size();
  const Span<float> sum(cells_.per_metre.span().data + 1, 1);
  launch(device_, "swept cells", of_cloth,
         LogSides{triangles_.carrier, swept.lower, swept.upper, triangles_.log_side});
  reduce_sum(device_, triangles_.log_side, sum);
  launch(device_, "swept cells", 1,
         CellSize{sum, 1.0f / float(std::max(of_cloth, 1)), cells_.per_metre, cells_.levels});
  launch(device_, "swept cells", count, CarrierBoxes{carriers(), swept, cells_.levels});
  cells_.marks.clear();
  launch(device_, "swept cells", count, MarkCells{carriers(), keys_, cells_.levels, cells_.marks});
  ListCells list{carriers(),       keys_,        cells_.levels, cells_.marks, false, triangles_.count,
                 triangles_.start, entries_.key, entries_.value};
  launch(device_, "swept entries", count, list);
  exclusive_scan(device_, triangles_.count, triangles_.start);
  launch(device_, "swept room", 1,
         NoteRoom{triangles_.start, room, entries_list_.wanted(), entries_.number, {}});
  list.fill = true;
  launch(device_, "swept entries", count, list);
  launch(device_, "swept entries", room, PadEntries{entries_.number, keys_, entries_.key, entries_.value});
  sort_pairs(device_, entries_.key, entries_.value);
}

void HashCollector::list_carrier_pairs(const Swept& swept) {
  const int room = entries_.key.size();
  MeetInCells meet{carriers(),     keys_,          entries_.key, entries_.value, false,
                   entries_.count, entries_.start, pairs_.pair,  swept.tests};
  launch(device_, "swept pairs of triangles", room, meet);
  exclusive_scan(device_, entries_.count, entries_.start);
  launch(device_, "swept room", 1,
         NoteRoom{entries_.start, pairs_.pair.size(), pairs_list_.wanted(), pairs_.number, {}});
  meet.fill = true;
  launch(device_, "swept pairs of triangles", room, meet);
}

void HashCollector::collect(const Swept& swept, const PairRoom& triangle, const PairRoom& edge) {
  list_entries(swept);
  list_carrier_pairs(swept);
  const int room = pairs_.pair.size();
  launch(device_, "swept pairs", room,
         TestCarriers{triangles_.carrier, edges_, swept, pairs_.number, pairs_.pair, pairs_.mask,
                      pairs_.triangle_count, pairs_.edge_count});
  const auto scan = [&](Buffer<int>& count, Buffer<int>& start, const PairRoom& out) {
    exclusive_scan(device_, count, start);
    launch(device_, "swept room", 1, NoteRoom{start, out.points.size, out.wanted, out.count, {}});
    return CarrierPairRows{start, out.points, out.primitives};
  };
  const CarrierPairRows triangles = scan(pairs_.triangle_count, pairs_.triangle_start, triangle);
  const CarrierPairRows edges = scan(pairs_.edge_count, pairs_.edge_start, edge);
  launch_counted(device_, "swept pairs", pairs_.number, room,
                 WriteCarrierPairs{triangles_.carrier, edges_, obstacle_from_, pairs_.pair, pairs_.mask,
                                   triangles, edges});
}

}  // namespace weft::swept_search
