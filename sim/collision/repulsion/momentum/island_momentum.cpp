#include "sim/collision/repulsion/momentum/island_momentum.h"

#include "sim/base/disjoint_sets.h"

namespace weft {
namespace {

/// The piece of each vertex: what edges and threads of stitches connect.
std::vector<int> pieces_of(const Topology& t) {
  DisjointSets sets(int(t.rest.size()));
  for (const ivec2& e : t.edges) sets.join(e.x, e.y);
  for (const StitchedPair& s : t.stitched) sets.join(s.vertices.x, s.vertices.y);
  std::vector<int> piece(t.rest.size(), -1);
  int count = 0;
  for (size_t v = 0; v < piece.size(); ++v) {  // a root is the least vertex of its piece
    const int root = sets.find(int(v));
    piece[v] = root == int(v) ? count++ : piece[root];
  }
  return piece;
}

}  // namespace

IslandMomentum::IslandMomentum(StepContext& c)
    : device_(c.device),
      pieces_(make_pieces(c.device, pieces_of(c.model.host))),
      island_(c.device, "islands", pieces_.count()),
      changed_(c.device, "islands", 1),
      one_(c.device, "islands", std::vector<int>{1}),
      pinned_(c.device, "islands", pieces_.count()),
      all_(c.device, "islands", std::vector<int>{pieces_.count()}),
      free_(c.device, "islands", 1),
      sums_(c.device, "momentum sums", repulsion::kMomentumSums * pieces_.chunks()),
      anchored_(c.device, "anchored vertices", c.model.vertex_count()),
      mean_(c.device, "momenta", pieces_.count()) {}

repulsion::FreePieces IslandMomentum::begin_step() {
  anchored_.clear();
  pinned_.clear();
  device_.copy(free_.span().data, all_.span().data, sizeof(int));
  return {pieces_.piece_of_row, pinned_, free_};
}

void IslandMomentum::join(const NeighborLists& pairs) {
  launch(device_, "islands", pieces_.count(), repulsion::StartIslands{island_});
  device_.copy(changed_.span().data, one_.span().data, sizeof(int));
  device_.repeat(changed_, [&] {
    changed_.clear();
    launch(device_, "islands", pieces_.row.size(),
           repulsion::JoinIslands{pairs, pieces_.piece_of_row, island_, changed_});
  });
}

void IslandMomentum::run(const repulsion::SumMomentum& sum, float most, Span<vec3> value) {
  const int pieces = pieces_.count();
  // Without a free piece there is no free island.
  device_.when(free_, [&] {
    launch(device_, "momentum", pieces_.chunks(), sum);
    if (pieces > 1) join(sum.outside.pairs);
    launch(device_, "momentum", pieces,
           repulsion::MeanOfIslands{pieces_.view(), island_, sums_, most, mean_});
    launch(device_, "momentum", value.size, repulsion::AddMean{pieces_.piece_of_row, mean_, value});
  });
}

repulsion::SumMomentum IslandMomentum::sum_of(StepContext& c, const Place& at, Span<const vec3> d) {
  repulsion::Outside outside = at.outside;
  outside.kinematic = c.kinematic, outside.anchored = anchored_;
  return {.pieces = pieces_.view(),
          .mass = c.model.mass,
          .s = c.inertia,
          .d = d,
          .change = {},
          .scale = 1,
          .outside = outside,
          .u = at.u,
          .sums = sums_};
}

void IslandMomentum::balance(StepContext& c, const Place& at) {
  run(sum_of(c, at, c.displacement), 1e30f, c.displacement);
}

void IslandMomentum::end_step(StepContext& c, const Place& at, float most) {
  repulsion::SumMomentum sum = sum_of(c, at, at.u);
  sum.change = c.velocity_change;
  sum.scale = 1 / c.dt;
  run(sum, most / c.dt, c.velocity_change);
}

}  // namespace weft
