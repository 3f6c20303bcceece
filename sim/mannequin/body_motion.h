// Clips one after another, with blending in between and feet that stand where they stand.
#pragma once
#include <vector>

#include "sim/mannequin/clip.h"

namespace weft {

struct ClipEntry {
  Clip clip;
  float duration = 0;  // s; 0: the clip's own
};

class BodyMotion {
 public:
  /// Starts in the rest pose if there is a lead-in, or if there are no clips. A clip ends when no foot is in
  /// the air, so that its duration may change by part of a step; the last one goes on if it is a loop and
  /// holds its end otherwise.
  BodyMotion(const Skeleton& skeleton, std::vector<ClipEntry> entries, const MannequinParams& params);
  /// The whole pose at a time (s), legs included.
  Pose pose(double time) const;
  /// Pose without legs and where the feet are, in the world, at a time (s).
  ClipState state(double time) const;
  /// When the last clip begins to hold or to repeat, s.
  double duration() const;
  /// One clip of the motion, s. Until `begin` it is blended with the one before, from `blend` on.
  struct Stretch {
    std::string clip;  // "rest": the pose in which garments are put on
    double blend = 0, begin = 0, end = 0;
  };
  std::vector<Stretch> stretches() const;

 private:
  struct Part {
    Clip clip;
    GroundFrame frame;            // of the clip in the world, m
    float start = 0, length = 0;  // s, at speed 1
    float blend = 0;              // s to the next part
  };
  /// Without legs, in the world.
  ClipState part_state(const Part& part, float local) const;
  ClipState blended(const Part& from, const Part& to, float since) const;
  float rest_share(double time) const;  // of the rest pose, in the legs
  GroundFrame aligned(const Part& from, const Clip& to) const;

  Skeleton skeleton_;
  std::vector<Part> parts_;
  float speed_ = 1;
  bool rests_ = false;  // the first part is the rest pose
};

/// The clip that is the rest pose.
Clip rest_clip(const MannequinParams& params);

}  // namespace weft
