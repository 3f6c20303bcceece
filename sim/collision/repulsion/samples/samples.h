// Adaptive resampling (Wu 2020, section 6.2): samples in the middles of stretched edges, with which edges may
// grow beyond L.
#pragma once
#include <optional>

#include "sim/collision/repulsion/samples/sample_cells.h"
#include "sim/collision/repulsion/samples/stretched_edges.h"
#include "sim/device/growing_lists.h"
#include "sim/methods/active_sample.h"

namespace weft {

/// Samples in stretched edges. They become active and inactive at a neighbour search only, where the state is
/// safe. All data stays on the device; without stretched edges, launches only read a count of 0.
class Samples {
 public:
  /// `edges`: the layout of ConstraintRows::edges. The topology must outlive this.
  Samples(GrowingLists& lists, const Topology& topology, const EdgeLists& edges);
  /// Allocates where resampling is on. Not from within a recorded sequence.
  void prepare(const RepulsionConstants& constants, bool on);
  bool on() const { return on_; }
  /// Starts a time step.
  void begin();
  /// Before neighbours are searched: no sample is active.
  void begin_period();
  /// Sets the tests of AcceptAndAim.
  void watch(repulsion::FoldRows& fold);

  /// Data of a search, see AcceptAndAim.
  struct Place {
    Span<const vec3> base, u, target;
    float furthest = 0;  // m that a vertex moves towards its target before the next search
  };
  /// After AcceptAndAim: activates samples in stretched edges, finds their neighbours, and lets edges grow
  /// beyond L where that is safe.
  void search(const Place& place, const NeighborLists& near, const repulsion::FoldRows& fold);

  repulsion::SampleRows rows() const;
  /// One element: how many are active since the last search.
  Span<const int> count() const { return count_; }
  int capacity() const { return on_ ? room_ : 0; }
  /// The active samples since the last search; of more than `most` an evenly spaced subset. Waits for the
  /// device.
  std::vector<ActiveSample> active(int most) const;
  /// Changes when memory moves.
  int moves() const { return moves_; }

 private:
  /// Neighbours of rows, so many places for each row.
  struct Rows {
    Buffer<int> count, neighbor;
    int width = 0;
    NeighborLists lists() const { return {count, neighbor, width}; }
    /// Allocates the places.
    void widen(Device& device, const char* name, int rows, int places);
  };
  void give_samples(int samples);
  void search_near(const Place& place, const NeighborLists& near);

  Device& device_;
  const Topology& topology_;
  RepulsionConstants constants_;
  int vertices_ = 0, room_ = 0, moves_ = 0;
  bool on_ = false;
  StretchedEdges stretched_;
  SampleCells cells_;
  Rows of_vertices_, of_samples_;
  Buffer<int> count_, guarded_;
  /// Made where resampling is first on.
  struct Growing {
    explicit Growing(Samples&);
    GrowingList samples, per_vertex, per_sample;  // the last two per row
  };
  GrowingLists& all_lists_;
  std::optional<Growing> growing_;
};

}  // namespace weft
