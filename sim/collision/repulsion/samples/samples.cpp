#include "sim/collision/repulsion/samples/samples.h"

#include <algorithm>

namespace weft {

using namespace repulsion;

namespace {
constexpr int kRoom = 1024, kRoomPerVertex = 8, kRoomPerSample = 24;  // initial capacities
}  // namespace

Samples::Samples(GrowingLists& lists, const Topology& t, const EdgeLists& layout)
    : device_(lists.device()),
      topology_(t),
      vertices_(int(t.rest.size())),
      stretched_(device_, t, layout),
      cells_(device_),
      count_(device_, "sample counts", 1),
      all_lists_(lists) {}

Samples::Growing::Growing(Samples& s)
    : samples(s.all_lists_, "samples", [&s](int n) { s.give_samples(n); }),
      per_vertex(s.all_lists_, "samples near vertices",
                 [&s](int n) {
                   s.of_vertices_.widen(s.device_, "samples near vertices", s.vertices_, n);
                   ++s.moves_;
                 },
                 {.doubled = 0}),
      per_sample(s.all_lists_, "points near samples",
                 [&s](int n) {
                   s.of_samples_.widen(s.device_, "points near samples", s.room_, n);
                   ++s.moves_;
                 },
                 {.doubled = 0}) {}

void Samples::prepare(const RepulsionConstants& constants, bool on) {
  constants_ = constants;
  if (on != on_) ++moves_;
  on_ = on;
  if (!on || room_ > 0) return;
  stretched_.allocate();
  of_vertices_.count = Buffer<int>(device_, "samples near vertices", padded_rows(vertices_));
  if (!growing_) growing_.emplace(*this);
  if (growing_->per_vertex.room() == 0) growing_->per_vertex.reserve(kRoomPerVertex);
  if (growing_->per_sample.room() == 0) growing_->per_sample.reserve(kRoomPerSample);
  if (growing_->samples.room() == 0) growing_->samples.reserve(kRoom);
}

void Samples::Rows::widen(Device& device, const char* name, int rows, int places) {
  neighbor = Buffer<int>(device, name, buffer_size(int64_t(padded_rows(rows)) * places, name));
  width = places;
}

void Samples::give_samples(int wanted) {
  const int samples = std::min(wanted, stretched_.edges());
  room_ = 0;  // if memory runs out on the way, the next step makes everything again
  ++moves_;
  guarded_ = Buffer<int>(device_, "samples", samples);
  of_samples_.count = Buffer<int>(device_, "points near samples", padded_rows(samples));
  stretched_.select();  // takes its work memory, as cells_ does
  cells_.make_room(samples);
  room_ = samples;
  of_samples_.widen(device_, "points near samples", room_, of_samples_.width);
}

void Samples::begin() { count_.clear(); }

void Samples::begin_period() {
  if (!on_) return;
  count_.clear();
  stretched_.any().clear();
}

void Samples::watch(FoldRows& fold) {
  fold.resampled_from = on_ ? constants_.resample_from : kNeverUnsafe;
  fold.stretched = stretched_.any();
}

SampleRows Samples::rows() const {
  if (!on_) return {};
  return {count_,   stretched_.list(),    stretched_.ends(),   stretched_.slot_at(),
          guarded_, of_vertices_.lists(), of_samples_.lists(), vertices_};
}

void Samples::search(const Place& place, const NeighborLists& near, const FoldRows& fold) {
  if (!on_) return;
  device_.when(stretched_.any(), [&] {
    stretched_.find(place.base, place.u, place.target, place.furthest, constants_.resample_from,
                    constants_.max_edge);
    launch(device_, "resampling", 1,
           CloseSamples{stretched_.found(), room_, count_, growing_->samples.wanted()});
    stretched_.clear_slots();
    search_near(place, near);
    launch_counted(device_, "resampling", count_, room_,
                   GuardSamples{rows(), place.base, place.u, constants_, stretched_.places(),
                                stretched_.length(), stretched_.is_long(), fold, guarded_});
  });
}

void Samples::search_near(const Place& place, const NeighborLists& near) {
  // cells a little larger than the reach
  const float radius = constants_.search_radius, inv_cell = 0.999f / radius;
  launch(device_, "sample search", room_,
         PlaceSamples{count_, stretched_.list(), stretched_.ends(), stretched_.places(), place.base, place.u,
                      inv_cell, cells_.mask(), stretched_.slot_at(), of_samples_.count, cells_.position(),
                      cells_.key(), cells_.order()});
  const SampleGrid grid = cells_.sorted(inv_cell, radius);
  const ExemptPoints exempt{rows(), near};
  launch(device_, "sample search", vertices_,
         SamplesNearVertices{grid, exempt, place.base, place.u, of_vertices_.count, of_vertices_.neighbor,
                             of_samples_.count, of_samples_.neighbor, growing_->per_vertex.wanted()});
  launch_counted(device_, "sample search", count_, room_,
                 SamplesNearSamples{grid, exempt, of_samples_.count, of_samples_.neighbor,
                                    growing_->per_sample.wanted()});
}

std::vector<ActiveSample> Samples::active(int most) const {
  const int total = on_ ? std::min(count_.download()[0], room_) : 0;
  std::vector<ActiveSample> found;
  if (total == 0 || most <= 0) return found;
  const std::vector<int> edge = stretched_.list_on_host(total);
  std::vector<int> guarded(edge.size());
  device_.download(guarded.data(), guarded_.span().data, guarded.size() * sizeof(int));
  const int stride = (total + most - 1) / most;
  for (int s = 0; s < total; s += stride) found.push_back({topology_.edges[edge[s]], guarded[s] != 0});
  return found;
}

}  // namespace weft
