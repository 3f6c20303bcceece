// A clip: joint angles, the pelvis' path and the feet's steps over time, as text files in assets/mannequin
// hold them.
#pragma once
#include <string>
#include <vector>

#include "sim/mannequin/skeleton.h"

namespace weft {

/// Place and heading on the ground: x, z (m) and yaw (radians about y).
struct GroundFrame {
  vec2 place{0};
  float yaw = 0;
  vec2 at(const vec2& p) const;                           // a place of this frame in the world
  GroundFrame operator*(const GroundFrame& inner) const;  // inner, seen from outside
  GroundFrame inverse() const;
};

/// Values at ascending times with a smooth curve through them: cubic, with the slopes of the neighbours'
/// chords.
struct Track {
  std::vector<float> time;
  std::vector<vec3> value;
  bool empty() const { return time.empty(); }
  /// `period`: length of the cycle after which it begins anew, `advance` further; 0: held before the first
  /// and after the last key, where the curve is level.
  vec3 at(float t, float period, const vec3& advance = vec3(0)) const;
};

/// A step of one foot: it leaves the ground at `begin` and stands from `end` on as it would under a body that
/// stands at `to`.
struct FootStep {
  bool left = true;
  float begin = 0, end = 0;  // s
  GroundFrame to;            // in the clip's frame
  vec3 lift{0, 0.05f, 0};    // m, offset of the ankle in the middle of the swing, in the foot's heading
  float hold = 0;            // share of the swing that the middle lasts
  float heel_off = 0.5f;     // radians, pitch with which it leaves the ground
  float strike = -0.2f;      // and with which it lands
  float middle = 0.2f;       // and in the middle of the swing
  float roll = 0.12f;        // s for which the heel rises before `begin`
  float settle = 0.1f;       // s for which the toes sink after `end`
};

/// What a clip says at a time. In the clip's frame: it starts at the origin, heading for +z.
struct ClipState {
  Pose pose;         // without legs
  GroundFrame root;  // place and heading of the body
  FootState left, right;
};

class Clip {
 public:
  std::string name, title;
  float duration = 1;  // s
  bool loop = false;
  // the right side does half a duration later what the left does; otherwise the same, mirrored
  bool alternates = false;
  Track path;                                 // x, z (m), yaw (radians)
  Track sway;                                 // offset of the pelvis, m, in the body's heading
  std::vector<std::pair<int, Track>> joints;  // bone, degrees about x, then y, then z
  GroundFrame left_start, right_start;        // as FootStep::to
  std::vector<FootStep> steps;

  /// Sorts and completes the steps. Throws Error that names the clip where steps of a foot overlap or a loop
  /// does not close.
  void finish();
  /// At any time, also before 0 and after the end: loops go on, others hold. Lengths are those of the
  /// skeleton.
  ClipState at(const Skeleton& skeleton, float time) const;
  /// The time nearest to `time` at which no foot is in the air.
  float nearest_grounded(float time) const;
  /// How far a loop gets in one cycle.
  GroundFrame advance() const;

 private:
  FootState foot(const Skeleton& skeleton, bool left, float time) const;
  bool swings(float time) const;
  std::vector<FootStep> left_steps_,
      right_steps_;                       // ascending; of a loop: also those of the cycles before and after
  GroundFrame left_first_, right_first_;  // before the first of them
};

/// Where a foot is between two places: from `a` on the ground to the end of `step`, `u` in 0 ... 1.
FootState swing_state(const FootState& a, const FootState& b, const FootStep& step, float scale, float u);
/// A foot under a body that stands at `body`.
FootState standing_foot(const Skeleton& skeleton, bool left, const GroundFrame& body);
/// 0 to 1 with level ends: u^3 (u (6 u - 15) + 10).
float smoother(float u);

}  // namespace weft
