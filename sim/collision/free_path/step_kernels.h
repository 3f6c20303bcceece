// Backward and forward steps on points (Wang 2023, sections 4 and 5).
#pragma once
#include "sim/collision/free_path/bound_kernels.h"
#include "sim/collision/free_path/contact_kernels.h"
#include "sim/collision/free_path/path_impacts.h"

namespace weft::two_way {

/// State of the loop of algorithm 1, on the device.
struct Progress {
  int go_on = 0;                                                     // not 0: another step
  int steps = 0;                                                     // taken in this handling
  int left = 0;                                                      // contacts that no colour has taken yet
  int color = 0;                                                     // round of this backward step
  int total_steps = 0, handlings = 0, most_steps = 0, contacts = 0;  // totals of the time step
  float residual = 0;                                                // largest r
  float least_residual = 1;  // of this handling, when it last fell substantially
  int in_vain = 0;           // steps since it last fell
  int blocked = 0;           // not 0: in this step a point far from its target hardly moved
  // not 0: in this step a pin that has not arrived stayed where it is; steps in a row in which one did
  int pin_stays = 0, pins_stay = 0;
  // not 0: so it was after kAlone steps, or these were in vain; in the next one all points may move together,
  // and what holds them up makes contact
  int together = 0;
};

/// Start of a handling: x where it is, the target y, r = 1.
struct BeginHandling {
  Span<const vec3> base, displacement, body, body_target;
  Span<const vec3> body_start;  // when the time step began
  Span<const vec3> target;      // displacement, per vertex
  int cloth_points = 0;
  Span<vec3> x, y, start, aim;
  Span<float> remaining;
  Span<int> active;
  HD void operator()(int i) const {
    active[i] = 1;
    const bool cloth = i < cloth_points;
    x[i] = cloth ? base[i] + displacement[i] : body[i - cloth_points];
    start[i] = cloth ? base[i] : body_start[i - cloth_points];
    y[i] = aim[i] = cloth ? base[i] + target[i] : body_target[i - cloth_points];
    remaining[i] = 1;
  }
};

struct BeginLoop {
  int points = 0;
  Span<Progress> progress;
  HD void operator()(int) const {
    Progress& p = progress[0];
    p.go_on = points > 0;
    p.steps = 0;
    p.least_residual = 1;
    p.in_vain = 0;
    p.blocked = p.together = 0;
    p.pin_stays = p.pins_stay = 0;
    ++p.handlings;
  }
};

/// Resets bounds and Gauss-Seidel claims for a step. A point of which not all pairs are known stays.
struct BeginStep {
  Span<const int> covered;
  Span<float> share, nearest;
  Span<int> claim;
  float radius = 0;  // D: pairs further apart are not known
  HD void operator()(int i) const {
    share[i] = covered[i] ? 1.0f : 0.0f;
    nearest[i] = radius;
    claim[i] = 0;
  }
};

struct ForgetNearest {
  Span<float> nearest;
  float radius = 0;  // m
  HD void operator()(int i) const { nearest[i] = radius; }
};

/// Edges of the target grow by no more than sigma against those of the solver's (eq. 13). The violation is
/// taken out in full, which is where iterations of the linearised squared form lead to.
struct LimitEdges {
  Span<const ivec2> edges;  // edges of one colour
  Span<const float> inverse_mass;
  Span<const vec3> aim;
  float stretch = 1.1f;  // sigma
  Span<vec3> y;
  HD void operator()(int e) const {
    const int i = edges[e].x, j = edges[e].y;
    const vec3 d = y[j] - y[i], original = aim[j] - aim[i];
    const float most = stretch * stretch * glm::dot(original, original), squared = glm::dot(d, d),
                sum = inverse_mass[i] + inverse_mass[j];
    if (!(squared > most) || !(sum > 0)) return;
    const vec3 move = (1 - sqrtf(most / squared)) / sum * d;
    y[i] += inverse_mass[i] * move;
    y[j] -= inverse_mass[j] * move;
  }
};

struct BeginColors {
  Span<const int> contacts;  // their number
  Span<Progress> progress;
  HD void operator()(int) const {
    progress[0].color = 0;
    progress[0].left = contacts[0] > 0;
    progress[0].contacts = contacts[0];
  }
};

/// Colouring on the fly: each round visits the contacts that have the highest number among all that share a
/// point with them. Numbers are those of the contacts, scattered, so that there are few rounds. Claims are 0
/// at first, and a visited contact removes its own: each remaining claim belongs to a waiting contact, for
/// any number of rounds (as many as there are contacts at a point, hundreds on a finer body mesh).
// a permutation of 1 to 2^31 - 1
HD inline int claim_of(int contact) { return int((uint32_t(contact + 1) * 2654435761u) & 0x7fffffffu); }

/// Starts a round. Only if there are contacts.
struct Claim {
  Span<const Contact> contact;
  Span<const int> done;
  Span<const float> inverse_mass;
  Span<Progress> progress;
  Span<int> claim;
  HD void operator()(int i) const {
    if (i == 0) ++progress[0].color, progress[0].left = 0;
    if (done[i]) return;
    for (int k = 0; k < 4; ++k) {
      const int p = contact[i].points[k];
      if (inverse_mass[p] > 0) atomic_max(&claim[p], claim_of(i));
    }
  }
};

struct Corners {
  float inverse_mass[4];
  vec3 x[4], start[4], y[4];
  HD Corners(const Contact& c, Span<const float> all_masses, Span<const vec3> all_x,
             Span<const vec3> all_start, Span<const vec3> all_y) {
    for (int k = 0; k < 4; ++k) {
      const int p = c.points[k];
      inverse_mass[k] = all_masses[p], x[k] = all_x[p], start[k] = all_start[p], y[k] = all_y[p];
    }
  }
};

struct Visit {
  Span<const Contact> contact;
  Span<int> done;
  Span<Progress> progress;
  Span<const float> inverse_mass;
  Span<int> claim;
  Span<const vec3> x, start;
  Span<vec3> y;
  HD void operator()(int i) const {
    if (done[i]) return;
    const Contact c = contact[i];
    const int own = claim_of(i);
    for (int k = 0; k < 4; ++k) {
      const int p = c.points[k];
      if (inverse_mass[p] > 0 && atomic_read(&claim[p]) != own) {
        atomic_write(&progress[0].left, 1);
        return;
      }
    }
    done[i] = 1;
    for (int k = 0; k < 4; ++k)
      // others compare with their own number: for them 0 means the same
      if (inverse_mass[c.points[k]] > 0) atomic_write(&claim[c.points[k]], 0);
    const Corners at(c, inverse_mass, x, start, y);
    vec3 move[4];
    if (!resolve(c, at.inverse_mass, at.x, at.start, at.y, move)) return;
    for (int k = 0; k < 4; ++k) {
      const bool again =
          k % 2 == 1 && c.points[k] == c.points[k - 1];  // of a grain, which has moved by its first
      if (inverse_mass[c.points[k]] > 0 && !again) y[c.points[k]] = at.y[k] + move[k];
    }
  }
};

/// A length in whole units (`per_metre` of them), for sums independent of the order; limited to `most` (m) in
/// size, 0 for NaN.
HD inline int64_t whole_units(float length, float most, float per_metre) {
  return length == length ? int64_t(glm::clamp(length, -most, most) * per_metre) : 0;
}

/// Jacobi: every contact separately; moves are summed in whole nanometres, so that the order does not matter,
/// and divided by their number.
struct VisitAll {
  Span<const Contact> contact;
  Span<const float> inverse_mass;
  Span<const vec3> x, start, y;
  Span<int64_t> sums;  // x, y, z, number: per point (an int holds no more than 42 contacts of 5 cm)
  HD void operator()(int i) const {
    const Contact c = contact[i];
    const Corners at(c, inverse_mass, x, start, y);
    vec3 move[4];
    if (!resolve(c, at.inverse_mass, at.x, at.start, at.y, move)) return;
    for (int k = 0; k < 4; ++k) {
      const bool again = k % 2 == 1 && c.points[k] == c.points[k - 1];
      if (!(inverse_mass[c.points[k]] > 0) || again) continue;
      for (int a = 0; a < 3; ++a)
        atomic_add(&sums[4 * c.points[k] + a], whole_units(move[k][a], 0.05f, 1e9f));
      atomic_add(&sums[4 * c.points[k] + 3], int64_t(1));
    }
  }
};

struct AddMeans {
  Span<const int64_t> sums;
  Span<vec3> y;
  HD void operator()(int i) const {
    const int64_t n = sums[4 * i + 3];
    if (n > 0)
      y[i] += vec3(float(sums[4 * i]), float(sums[4 * i + 1]), float(sums[4 * i + 2])) * (1e-9f / float(n));
  }
};

/// Keeps targets above planes, with friction.
struct KeepAbove {
  RubbingPlanes planes;
  Span<const vec3> start;
  Span<const float> inverse_mass;
  float activation = 0, slack = 0, firmness = 0;  // as in Contact
  FrictionMode mode = FrictionMode::visit;
  Span<vec3> y;
  HD void operator()(int i) const {
    if (!(inverse_mass[i] > 0)) return;
    vec3 p = y[i];
    for (int k = 0; k < planes.size; ++k) {
      const ContactPlane plane = planes(k, i, start[i]);
      const float below = activation + plane.offset - glm::dot(plane.normal, p);
      if (!(below + slack > 0)) continue;
      const float push = below > 0 ? below : 0.0f;
      p += push * plane.normal;
      const vec3 slip = plane.slip(start[i], p - start[i], vec3(0));
      const float length = sqrtf(glm::dot(slip, slip)),
                  carried = mode == FrictionMode::filter ? below + slack : 0.0f;
      const float most = plane.friction * (push + carried * firmness);
      if (mode != FrictionMode::none && length > 0) p -= (most < length ? most / length : 1.0f) * slip;
    }
    y[i] = p;
  }
};

/// Eq. 17 apart from pairs: no point moves further than half of the radius, because pairs further apart are
/// unknown, nor through a plane.
struct FarthestShare {
  Span<const float> nearest;
  Span<const ContactPlane> planes;
  float radius = 0, damping = 0.9f;
  bool half_distance = false;
  int cloth_points = 0;
  Radii radii = {};  // of grains
  /// The longest path of a point in a step, where it meets nothing (m).
  HD float most() const { return 0.5f * damping * radius; }
  /// alpha of point i, at most `share`.
  HD float operator()(int i, const vec3& at, const vec3& displacement, float share) const {
    const float length = sqrtf(glm::dot(displacement, displacement)), margin = rounding(at);
    const float most = 0.5f * damping * glm::max((half_distance ? nearest[i] : radius) - margin, 0.0f);
    float alpha = share;
    if (alpha * length > most) alpha = most / length;
    if (i < cloth_points)
      for (int k = 0; k < planes.size; ++k) {
        const float approach = -glm::dot(planes[k].normal, displacement),
                    height = glm::max(
                        glm::dot(planes[k].normal, at) - planes[k].offset - radii.of_point(i) - margin, 0.0f);
        if (approach > 0 && damping * height < alpha * approach) alpha = damping * height / approach;
      }
    return alpha;
  }
};

/// A point that is blocked is far from its target if it has this many of the longest paths to go.
constexpr float kFarToGo = 3;

/// Targets of a piece on which all points move together: a point of which not all pairs are known stays.
struct KnownTargets {
  Span<const int> covered;
  Span<const vec3> x, y;
  Span<vec3> target;
  HD void operator()(int i) const { target[i] = covered[i] ? y[i] : x[i]; }
};

/// The forward step with either bound, or the piece on which all points move together.
struct Forward {
  Span<const vec3> y;
  Span<const float> share;
  FarthestShare farthest;
  Span<vec3> x;
  Span<float> remaining, moved;
  Span<int> active;                // its pairs matter in the next step: it moves, or has not arrived
  float least = 0;                 // m: shorter ways are none
  Span<const float> inverse_mass;  // 1/kg, 0 for pins; may be empty
  float threshold = 0;             // of `remaining`, from which on a point has arrived
  Span<Progress> progress;         // may be empty
  Span<const path::Piece> piece;   // one entry, of this step where points may move together; may be empty
  Span<const vec3> end;
  HD void operator()(int i) const {
    const vec3 at = x[i], displacement = y[i] - at;
    const bool shared = !piece.empty() && progress[0].together && piece[0].accepted;
    const float alpha = shared ? piece[0].share : farthest(i, at, displacement, share[i]);
    // a complete path ends exactly at its target, after any number of steps
    x[i] = shared ? end[i] : alpha >= 1 ? y[i] : at + alpha * displacement;
    remaining[i] *= 1 - alpha;
    const float length = sqrtf(glm::dot(displacement, displacement)), free = farthest.most();
    moved[i] = alpha * length;
    active[i] = moved[i] > least || !(length - moved[i] <= least);
    if (!progress.empty() && i < farthest.cloth_points && moved[i] < kBlocked * free &&
        length > kFarToGo * free)
      atomic_write(&progress[0].blocked, 1);
    if (!progress.empty() && !inverse_mass.empty() && i < farthest.cloth_points && inverse_mass[i] == 0 &&
        remaining[i] >= threshold && !(moved[i] > least))
      atomic_write(&progress[0].pin_stays, 1);
  }
};

/// Distance that eq. 17 allowed a vertex of the cloth in the last forward step, straight towards the nearest
/// primitive.
struct VertexBounds {
  Span<const float> nearest;  // m, per point; at most the search radius
  Span<const vec3> x;
  Span<const ContactPlane> planes;
  float damping = 0.9f;  // gamma
  Span<float> bound;     // m, per vertex
  HD void operator()(int v) const {
    const vec3 at = x[v];
    float least = 0.5f * nearest[v];
    for (int k = 0; k < planes.size; ++k) {
      const float height = glm::dot(planes[k].normal, at) - planes[k].offset;
      if (height < least) least = height;
    }
    bound[v] = damping * glm::max(least, 0.0f);
  }
};

constexpr int kAlone = 12;        // steps in which each point goes as far as it can, before all move together
constexpr int kMostInVain = 100;  // steps in which the residual does not fall
constexpr int kMostPinned = 24;   // steps in which a pin that has not arrived stays where it is
constexpr float kProgress = 0.99f;  // falling to this fraction counts as progress
// multiple of the least move: size of oscillations between contacts and edges
constexpr float kTrembling = 10;

/// Decides whether another step follows.
struct Decide {
  Span<const float> residual, moved;  // largest of all points
  float threshold = 0, least_move = 0;
  int most_steps = 0;
  Span<Progress> progress;
  HD void operator()(int) const {
    Progress& p = progress[0];
    ++p.steps;
    ++p.total_steps;
    p.most_steps = p.steps > p.most_steps ? p.steps : p.most_steps;
    p.residual = residual[0];
    ++p.in_vain;
    if (p.residual < kProgress * p.least_residual) p.least_residual = p.residual, p.in_vain = 0;
    if (moved[0] > kTrembling * least_move) p.in_vain = 0;  // some points are still moving
    p.together = p.steps >= kAlone && (p.blocked || p.in_vain >= kAlone);
    p.blocked = 0;
    p.pins_stay = p.pin_stays ? p.pins_stay + 1 : 0;
    p.pin_stays = 0;
    // More steps do not help if nothing moves any more, for example cloth pinched by two bodies, or if the
    // last points are blocked by something that does not yield, as in a start that crosses, or if a pin is,
    // by another pin: all around it would go on for its sake.
    p.go_on = residual[0] >= threshold && moved[0] > least_move && p.steps < most_steps &&
              p.in_vain < kMostInVain && p.pins_stay < kMostPinned;
  }
};

/// Distance by which a point is closer to something than the onset of contact, m.
struct Depths {
  Span<const float> nearest;
  float activation = 0;
  Span<float> depth;
  HD void operator()(int v) const { depth[v] = glm::max(activation - nearest[v], 0.0f); }
};

}  // namespace weft::two_way
