// The body as a signed distance: a smooth union of capsules and ellipsoids, each of which belongs to a bone.
#pragma once
#include <array>
#include <vector>

#include "sim/mannequin/skeleton.h"

namespace weft {

/// A capsule whose radius changes along it, flattened across one direction, or an ellipsoid.
struct BodyPrimitive {
  enum class Kind { capsule, ellipsoid } kind = Kind::capsule;
  int bone = kPelvis;
  dvec3 a{0}, b{0};       // m: ends of the capsule's axis; ellipsoid: a is its centre
  double ra = 0, rb = 0;  // m, radii at the ends
  dvec3 thin{0, 0, 1};    // capsule: unit direction across its axis
  double flat = 1;        // its extent along `thin`, relative to the other directions
  dvec3 radii{0};         // ellipsoid, m
  dmat3 axes{1};          // its axes, columns
  double blend = 0.02;    // m, width of the smooth union with what comes before
  bool limb = false;      // belongs to one side alone: not united with its mirror image
  bool arm = false;       // a tape around the torso leaves it out
  bool paired = false;    // has a mirror image; described on the left
  double distance(const dvec3& p) const;
};

/// Shares of the bones in a point; they sum to 1.
using BoneShares = std::array<float, kBodyBones>;

/// Heights at which girths are taken, m.
struct MeasureHeights {
  double bust = 0, waist = 0, hips = 0;
};

/// The whole body. Symmetric: the field at (x, y, z) is that at (-x, y, z).
class BodyField {
 public:
  /// Radii are such that the girths are those of `params` within 0.1 %. Throws Error where no such body
  /// exists.
  explicit BodyField(const MannequinParams& params);
  /// Negative inside; near the surface the distance within some per cent, elsewhere of the right order.
  /// `arms`: with them.
  double distance(const dvec3& p, bool arms = true) const;
  /// The gradient of the distance by central differences.
  dvec3 gradient(const dvec3& p) const;
  /// Each bone's part in the smooth union at a point.
  BoneShares shares(const dvec3& p) const;
  const Skeleton& skeleton() const { return skeleton_; }
  const MeasureHeights& heights() const { return heights_; }
  /// Length of a tape around the torso at a height, m.
  double girth(double height) const;

 private:
  struct Scales {
    double bust = 1, waist = 1, hips = 1;
  };
  void build(const MannequinParams& params, const Scales& scales);
  double evaluate(const dvec3& p, bool arms, BoneShares* shares) const;

  Skeleton skeleton_;
  MeasureHeights heights_;
  std::vector<BodyPrimitive> primitives_;
};

/// Length of the shortest closed curve around points of a plane, m.
double hull_length(std::vector<dvec2> points);

}  // namespace weft
