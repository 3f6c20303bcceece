// A piece of the path on which all points go straight, each the same share of its path: what meets on it
// first.
#pragma once
#include "sim/collision/proximity/pair_list.h"
#include "sim/collision/surface/contact_surface.h"
#include "sim/collision/surface/pair_geometry.h"
#include "sim/device/atomics.h"
#include "sim/geometry/time_of_impact.h"

namespace weft::path {

/// What is left of each point's path, m.
struct PathsLeft {
  Span<const vec3> x, y;
  Span<float> path;
  HD void operator()(int i) const {
    const vec3 d = y[i] - x[i];
    path[i] = sqrtf(glm::dot(d, d));
  }
};

/// The end of the piece; all of the path ends exactly at its target.
struct PieceEnds {
  Span<const vec3> x, y;
  Span<const float> share;  // one element
  Span<vec3> end;
  HD void operator()(int i) const {
    const float s = share[0];
    end[i] = s >= 1 ? y[i] : x[i] + s * (y[i] - x[i]);
  }
};

struct NoImpact {
  Span<float> impact;
  HD void operator()(int) const { impact[0] = float(kNoImpact); }
};

/// Earliest time at which a pair is not proven to be apart on the piece: on the positions that it would
/// really take, so that rounding of its end is part of the proof. It keeps `keep`, and at least the rounding
/// of positions that are stored as displacements; pairs that are nearly as close already keep half of their
/// distance.
struct PairImpacts {
  PairList pairs;
  bool vertex_triangle = true;
  Span<const vec3> x, end;
  Span<float> impact;  // one element
  float keep = 0;      // m
  HD void operator()(int i) const {
    vec3 start[4], stop[4];
    for (int k = 0; k < 4; ++k) start[k] = x[pairs.points[i][k]], stop[k] = end[pairs.points[i][k]];
    const float margin = contact::rounding(start);
    ImpactOptions<float> options;
    options.gap = glm::min(glm::max(2 * margin, keep), 0.5f * glm::max(pairs.distance[i] - margin, 0.0f));
    const float t = vertex_triangle ? vertex_triangle_impact<float>(start, stop, options)
                                    : edge_edge_impact<float>(start, stop, options);
    if (t < float(kNoImpact)) atomic_min(&impact[0], t);
  }
};

struct PlaneImpacts {
  Span<const ContactPlane> planes;
  Span<const vec3> x, end;
  Span<float> impact;
  HD void operator()(int v) const {
    for (int k = 0; k < planes.size; ++k) {
      const float height = glm::dot(planes[k].normal, x[v]) - planes[k].offset;
      const float approach = -glm::dot(planes[k].normal, end[v] - x[v]);
      const float keep =
          glm::min(contact::rounding(x[v]) + contact::rounding(end[v]), 0.5f * glm::max(height, 0.0f));
      if (!(approach > 0) || height - approach > keep) continue;
      atomic_min(&impact[0], glm::max(height - keep, 0.0f) / approach);
    }
  }
};

/// A piece that is looked for, on the device.
struct Piece {
  int goes_on = 0;   // not 0: another try
  int accepted = 0;  // not 0: nothing meets on it
  int tries = 0;
  float share = 0;    // of the way that is left
  float longest = 0;  // the share that no pair limits
};

struct BeginPiece {
  Span<const float> farthest;  // m, the longest way that is left
  float most = 0;              // m, that a point may move
  Span<Piece> piece;
  HD void operator()(int) const {
    Piece& p = piece[0];
    p = Piece();
    p.goes_on = farthest[0] > 0;
    p.share = p.longest = farthest[0] > most ? most / farthest[0] : 1.0f;
  }
};

/// The same where the longest share is known.
struct BeginUpTo {
  Span<const float> longest;  // one element
  Span<Piece> piece;
  HD void operator()(int) const {
    Piece& p = piece[0];
    p = Piece();
    p.goes_on = longest[0] > 0;
    p.share = p.longest = longest[0];
  }
};

constexpr int kTries = 3;             // of shorter and shorter pieces
constexpr float kOfImpact = 0.9f;     // share of the time of impact that the next try takes
constexpr float kWorthTaking = 0.1f;  // of the longest share: a shorter piece is not worth while

struct JudgePiece {
  Span<const float> impact;
  Span<Piece> piece;
  HD void operator()(int) const {
    Piece& p = piece[0];
    p.accepted = impact[0] >= float(kNoImpact);
    if (!p.accepted) p.share *= kOfImpact * impact[0];
    p.goes_on = !p.accepted && ++p.tries < kTries && p.share >= kWorthTaking * p.longest;
  }
};

}  // namespace weft::path
