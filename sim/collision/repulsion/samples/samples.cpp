#include "sim/collision/repulsion/samples/samples.h"

#include <algorithm>
#include <bit>

#include "sim/device/primitives.h"

namespace weft {

using namespace repulsion;

namespace {
constexpr int kRoom = 1024, kRoomPerVertex = 8, kRoomPerSample = 24;  // initial capacities
}  // namespace

Samples::Samples(GrowingLists& lists, const Topology& t, const EdgeLists& layout)
    : device_(lists.device()),
      topology_(t),
      edge_of_place_(layout.edge),
      vertices_(int(t.rest.size())),
      count_(device_, "sample counts", 1),
      stretched_(device_, "sample counts", 1),
      all_lists_(lists) {}

Samples::Growing::Growing(Samples& s)
    : samples(s.all_lists_, "samples", [&s](int n) { s.give_samples(n); }),
      per_vertex(s.all_lists_, "samples near vertices", [&s](int n) { s.give_per_vertex(n); },
                 {.doubled = 0}),
      per_sample(s.all_lists_, "points near samples", [&s](int n) { s.give_per_sample(n); }, {.doubled = 0}) {
}

void Samples::prepare(const RepulsionConstants& constants, bool on) {
  constants_ = constants;
  if (on != on_) ++moves_;
  on_ = on;
  if (!on || room_ > 0) return;
  std::vector<ivec2> places(topology_.edges.size(), ivec2(-1));
  for (size_t k = 0; k < edge_of_place_.size(); ++k)
    if (const int e = edge_of_place_[k]; e >= 0)
      (places[size_t(e)].x < 0 ? places[size_t(e)].x : places[size_t(e)].y) = int(k);
  ends_ = Buffer<ivec2>(device_, "sample edges", topology_.edges);
  places_ = Buffer<ivec2>(device_, "sample edges", places);
  const int edges = int(topology_.edges.size());
  length_ = Buffer<float>(device_, "sample edges", edges);
  for (auto* b : {&is_long_, &flag_, &edge_}) *b = Buffer<int>(device_, "sample edges", edges);
  slot_at_ = Buffer<int>(device_, "sample edges", std::vector<int>(edge_of_place_.size(), -1));
  found_ = Buffer<int>(device_, "sample counts", 1);
  vertex_count_ = Buffer<int>(device_, "samples near vertices", padded_rows(vertices_));
  if (!growing_) growing_.emplace(*this);
  if (growing_->per_vertex.room() == 0) growing_->per_vertex.reserve(kRoomPerVertex);
  if (growing_->per_sample.room() == 0) growing_->per_sample.reserve(kRoomPerSample);
  if (growing_->samples.room() == 0) growing_->samples.reserve(kRoom);
}

void Samples::give_per_vertex(int neighbors) {
  const int64_t places = int64_t(padded_rows(vertices_)) * neighbors;
  vertex_neighbor_ =
      Buffer<int>(device_, "samples near vertices", buffer_size(places, "samples near vertices"));
  per_vertex_ = neighbors;
  ++moves_;
}

void Samples::give_per_sample(int neighbors) {
  const int64_t places = int64_t(padded_rows(room_)) * neighbors;
  sample_neighbor_ = Buffer<int>(device_, "points near samples", buffer_size(places, "points near samples"));
  per_sample_ = neighbors;
  ++moves_;
}

void Samples::give_samples(int wanted) {
  const int samples = std::min(wanted, ends_.size());
  room_ = 0;  // if memory runs out on the way, the next step makes everything again
  ++moves_;
  buckets_ = std::bit_ceil(uint32_t(std::max(64, 2 * samples)));
  guarded_ = Buffer<int>(device_, "samples", samples);
  position_ = Buffer<vec3>(device_, "samples", samples);
  key_ = Buffer<uint32_t>(device_, "sample keys", samples);
  order_ = Buffer<int>(device_, "sample order", samples);
  bucket_begin_ = Buffer<int>(device_, "sample buckets", int(buckets_));
  bucket_end_ = Buffer<int>(device_, "sample buckets", int(buckets_));
  sample_count_ = Buffer<int>(device_, "points near samples", padded_rows(samples));
  // Primitives take their work memory at their first call, which must not come while a GPU records.
  select(device_, flag_.span(), edge_.span(), found_.span());
  sort_pairs(device_, key_.span(), order_.span());
  room_ = samples;
  give_per_sample(per_sample_);
}

void Samples::begin() { count_.clear(); }

void Samples::begin_period() {
  if (!on_) return;
  count_.clear();
  stretched_.clear();
}

void Samples::look_for(FoldRows& fold) {
  fold.resampled_from = on_ ? constants_.resample_from : kNeverUnsafe;
  fold.stretched = stretched_.span();
}

SampleRows Samples::rows() const {
  if (!on_) return {};
  return {count_.span(),
          edge_.span(),
          ends_.span(),
          slot_at_.span(),
          guarded_.span(),
          {vertex_count_.span(), vertex_neighbor_.span(), per_vertex_},
          {sample_count_.span(), sample_neighbor_.span(), per_sample_},
          vertices_};
}

void Samples::look(const Place& place, const NeighborLists& near, const FoldRows& fold) {
  if (!on_) return;
  device_.when(stretched_.span(), [&] {
    const int edges = ends_.size();
    launch(device_, "resampling", edges,
           MarkStretched{ends_.span(), place.base, place.u, place.target, place.furthest,
                         constants_.resample_from, constants_.max_edge, length_.span(), is_long_.span(),
                         flag_.span()});
    select(device_, flag_.span(), edge_.span(), found_.span());
    launch(device_, "resampling", 1,
           CloseSamples{found_.span(), room_, count_.span(), growing_->samples.wanted()});
    launch(device_, "resampling", edges, ClearSlots{places_.span(), slot_at_.span()});
    search(place, near);
    launch_counted(device_, "resampling", count_.span(), room_,
                   GuardSamples{rows(), place.base, place.u, constants_, places_.span(), length_.span(),
                                is_long_.span(), fold, guarded_.span()});
  });
}

void Samples::search(const Place& place, const NeighborLists& near) {
  // cells a little larger than the reach
  const float radius = constants_.search_radius, inv_cell = 0.999f / radius;
  const uint32_t mask = buckets_ - 1;
  launch(device_, "sample search", room_,
         PlaceSamples{count_.span(), edge_.span(), ends_.span(), places_.span(), place.base, place.u,
                      inv_cell, mask, slot_at_.span(), sample_count_.span(), position_.span(), key_.span(),
                      order_.span()});
  sort_pairs(device_, key_.span(), order_.span());
  bucket_begin_.clear();
  bucket_end_.clear();
  launch(device_, "sample search", room_,
         SampleBuckets{key_.span(), bucket_begin_.span(), bucket_end_.span()});
  const SampleGrid grid{
      bucket_begin_.span(), bucket_end_.span(), order_.span(), position_.span(), inv_cell, radius, mask};
  const ExemptPoints exempt{rows(), near};
  launch(device_, "sample search", vertices_,
         SamplesNearVertices{grid, exempt, place.base, place.u, vertex_count_.span(), vertex_neighbor_.span(),
                             sample_count_.span(), sample_neighbor_.span(), growing_->per_vertex.wanted()});
  launch_counted(device_, "sample search", count_.span(), room_,
                 SamplesNearSamples{grid, exempt, sample_count_.span(), sample_neighbor_.span(),
                                    growing_->per_sample.wanted()});
}

std::vector<ActiveSample> Samples::active(int most) const {
  const int total = on_ ? std::min(count_.download()[0], room_) : 0;
  std::vector<ActiveSample> found;
  if (total == 0 || most <= 0) return found;
  std::vector<int> edge(static_cast<size_t>(total)), guarded(edge.size());
  device_.download(edge.data(), edge_.span().data, edge.size() * sizeof(int));
  device_.download(guarded.data(), guarded_.span().data, guarded.size() * sizeof(int));
  const int stride = (total + most - 1) / most;
  for (int s = 0; s < total; s += stride)
    found.push_back({topology_.edges[size_t(edge[size_t(s)])], guarded[size_t(s)] != 0});
  return found;
}

}  // namespace weft
