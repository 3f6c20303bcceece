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
    const Corners at(*this, i);
    const float margin = contact::rounding(at.start);
    note(at, glm::min(glm::max(2 * margin, keep), 0.5f * glm::max(pairs.distance[i] - margin, 0.0f)));
  }
  struct Corners {
    vec3 start[4], stop[4];
    HD Corners(const PairImpacts& of, int i) {
      for (int k = 0; k < 4; ++k)
        start[k] = of.x[of.pairs.points[i][k]], stop[k] = of.end[of.pairs.points[i][k]];
    }
  };
  HD void note(const Corners& at, float gap) const {
    ImpactOptions<float> options;
    options.gap = gap;
    const float t = vertex_triangle ? vertex_triangle_impact<float>(at.start, at.stop, options)
                                    : edge_edge_impact<float>(at.start, at.stop, options);
    if (t < float(kNoImpact)) atomic_min(&impact[0], t);
  }
};

/// What parts with radii of their own keep, of a distance of `left` (m), where they meet `beyond` the onset
/// of contact: that much, as parts without a radius keep more than nothing. Of a distance that is less
/// already they keep nine tenths.
HD inline float kept_beyond(float left, float beyond, float margin) {
  return left > beyond ? beyond + glm::min(2 * margin, 0.5f * (left - beyond)) : 0.9f * left;
}

struct WidePairImpacts {
  PairImpacts all;
  PartRadii parts;  // with where the step began
  HD void operator()(int i) const {
    const PairImpacts::Corners at(all, i);
    const float margin = contact::rounding(at.start),
                beyond = contact::beyond_onset(parts, all.pairs.points[i], all.vertex_triangle, 0);
    all.note(at, kept_beyond(glm::max(all.pairs.distance[i] - margin, 0.0f), beyond, margin));
  }
};

struct PlaneImpacts {
  Span<const ContactPlane> planes;
  Span<const vec3> x, end;
  Span<float> impact;
  HD void operator()(int v) const {
    for (int k = 0; k < planes.size; ++k) note(planes[k], v, 0);
  }
  /// `beyond`: as kept_beyond has it, m.
  HD void note(const ContactPlane& plane, int v, float beyond) const {
    const float height = glm::dot(plane.normal, x[v]) - plane.offset;
    const float approach = -glm::dot(plane.normal, end[v] - x[v]);
    const float margin = contact::rounding(x[v]) + contact::rounding(end[v]);
    const float keep = beyond > 0 ? kept_beyond(glm::max(height, 0.0f), beyond, 0.5f * margin)
                                  : glm::min(margin, 0.5f * glm::max(height, 0.0f));
    if (!(approach > 0) || height - approach > keep) return;
    atomic_min(&impact[0], glm::max(height - keep, 0.0f) / approach);
  }
};

struct WidePlaneImpacts {
  PlaneImpacts all;
  PartRadii parts;
  HD void operator()(int v) const {
    for (int k = 0; k < all.planes.size; ++k) {
      const ContactPlane& plane = all.planes[k];
      const float start = glm::dot(plane.normal, parts.start(v)) - plane.offset;
      all.note(plane, v, parts.above_plane(v, start));
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
