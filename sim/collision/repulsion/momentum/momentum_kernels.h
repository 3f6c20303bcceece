// Kernels that keep the momentum of cloth which nothing outside holds.
//
// Contact between two parts of the cloth changes no momentum. The coupling of the solver's cloth y to the
// crossing-free x does, where it is firmer at one side of a contact than at the other. An island is pieces of
// cloth with pairs between them; where it is free, with s where inertia and outer forces take a vertex,
//
//   y += t,   t = sum m (s - y) / sum m,   and   v += sum m ((s - u) / h - dv) / sum m
//
// u being the displacement of x and dv what contact adds to the velocity u / h.
#pragma once
#include "sim/collision/proximity/neighbor_lists.h"
#include "sim/collision/repulsion/bodies/body_planes.h"
#include "sim/device/atomics.h"
#include "sim/linear/transfer_kernels.h"

namespace weft::repulsion {

/// Each piece an island of its own; the largest number of its pieces names an island.
struct StartIslands {
  Span<int> island;
  HD void operator()(int p) const { island[p] = p; }
};
/// In rounds, until nothing changes; where they end does not depend on the order of threads.
struct JoinIslands {
  NeighborLists pairs;
  Span<const int> piece;  // of each vertex of the cloth
  Span<int> island, changed;
  HD void operator()(int i) const {
    const int own = piece[i];
    for (int s = 0; s < pairs.count[i]; ++s) {
      const int j = pairs.neighbor[pairs.at(i, s)];
      if (j >= piece.size || piece[j] == own) continue;
      const int a = atomic_read(&island[own]), b = atomic_read(&island[piece[j]]), name = a > b ? a : b;
      if (atomic_max(&island[own], name) < name) atomic_write(&changed[0], 1);
      if (atomic_max(&island[piece[j]], name) < name) atomic_write(&changed[0], 1);
    }
  }
};

/// What holds a vertex from outside: a pin, a handle, a body.
struct Outside {
  Span<const int> kinematic;
  Span<const float> anchored;  // 1 where the solver's cloth has an anchor besides the coupling
  BodyPlanes planes;
  float near = 0;  // m above a body
  NeighborLists pairs;
  int cloth = 0;  // vertices of the cloth; those of bodies come after them
  HD bool holds(int i, const vec3& u) const {
    if (kinematic[i] || anchored[i] > 0 || planes.least_height<OneRow>(i, {u.x, u.y, u.z}) < near)
      return true;
    bool body = false;
    for (int s = 0; s < pairs.count[i]; ++s) body |= pairs.neighbor[pairs.at(i, s)] >= cloth;
    return body;
  }
};

constexpr int kMomentumSums = 5;  // m a (3), m, vertices that are held

/// Sums of each chunk of 64 rows, for the mean of a = scale (s - d) - change.
struct SumMomentum {
  linear::PiecesView pieces;
  Span<const float> mass;
  Span<const vec3> s, d;    // m
  Span<const vec3> change;  // m/s; may be empty
  float scale = 1;
  Outside outside;
  Span<const vec3> u;  // m, of x
  Span<float> sums;    // kMomentumSums per chunk
  HD void operator()(int chunk) const {
    float sum[kMomentumSums] = {0, 0, 0, 0, 0};
    for (int o = pieces.chunk_start[chunk]; o < pieces.chunk_start[chunk + 1]; ++o) {
      const int i = pieces.row[o];
      const vec3 a = mass[i] * (scale * (s[i] - d[i]) - (change.empty() ? vec3(0) : change[i]));
      sum[0] += a.x, sum[1] += a.y, sum[2] += a.z, sum[3] += mass[i];
      sum[4] += outside.holds(i, u[i]) ? 1.0f : 0.0f;
    }
    for (int k = 0; k < kMomentumSums; ++k) sums[kMomentumSums * chunk + k] = sum[k];
  }
};

/// The mean over the island of each piece; 0 where something holds it, or where it is beyond `most`.
struct MeanOfIslands {
  linear::PiecesView pieces;
  Span<const int> island;
  Span<const float> sums;
  float most = 0;
  Span<vec3> mean;  // per piece
  HD void operator()(int p) const {
    double sum[kMomentumSums] = {0, 0, 0, 0, 0};
    for (int q = 0; q < island.size; ++q)
      for (int c = pieces.piece_start[q]; island[q] == island[p] && c < pieces.piece_start[q + 1]; ++c)
        for (int k = 0; k < kMomentumSums; ++k) sum[k] += double(sums[kMomentumSums * c + k]);
    const vec3 m(float(sum[0] / sum[3]), float(sum[1] / sum[3]), float(sum[2] / sum[3]));
    // Values that are no numbers stay with their vertex.
    const bool free = !(sum[4] > 0);
    mean[p] = free && fabsf(m.x) + fabsf(m.y) + fabsf(m.z) < most ? m : vec3(0);
  }
};

struct AddMean {
  Span<const int> piece;  // of each vertex
  Span<const vec3> mean;
  Span<vec3> value;
  HD void operator()(int i) const { value[i] += mean[piece[i]]; }
};

}  // namespace weft::repulsion
