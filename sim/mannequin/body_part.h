// Parts of a body by the names that its bones have in files, and the places between two of them, in words.
#pragma once
#include <string>
#include <vector>

namespace weft {

enum class BodyRegion {
  other,
  head,
  neck,
  shoulder,
  upper_arm,
  forearm,
  hand,
  chest,
  waist,
  pelvis,
  thigh,
  shin,
  foot
};

/// A bone, joint or mesh of a body.
struct BodyPart {
  BodyRegion region = BodyRegion::other;
  int side = 0;      // 1: the body's left, -1: its right
  std::string name;  // as in the file; empty: none

  /// "the left upper arm"; "'tail'" for a bone that is none of a person's; empty without a name.
  std::string words() const;
};

/// Which parts the bones of one body are. Knows the mannequin's names and those of common skeletons
/// ("LeftForeArm", "upperarm_l", "thigh.R", "Bip01 L Calf", "mixamorig:Spine2", "L_Elbow").
std::vector<BodyPart> body_parts(const std::vector<std::string>& bones);

/// Where two surfaces of a body meet: "near the left armpit, between the left upper arm and the chest",
/// "between the left forearm and the waist", "at the left hand". Empty where neither part has a name, or both
/// have the same one that is none of a person's.
std::string place_between(const BodyPart& a, const BodyPart& b);

}  // namespace weft
