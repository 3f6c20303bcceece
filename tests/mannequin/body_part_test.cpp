// Parts of bodies by the names of bones, and the places between them.
#include "sim/mannequin/body_part.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "sim/mannequin/skeleton.h"

using namespace weft;

namespace {

/// The place between two bones of a skeleton.
std::string between(const std::vector<std::string>& bones, const std::string& a, const std::string& b) {
  const std::vector<BodyPart> parts = body_parts(bones);
  const auto of = [&](const std::string& name) {
    const auto at = std::find(bones.begin(), bones.end(), name);
    REQUIRE(at != bones.end());
    return parts[size_t(at - bones.begin())];
  };
  return place_between(of(a), of(b));
}

const std::vector<std::string> kMixamo{
    "mixamorig:Hips",          "mixamorig:Spine",     "mixamorig:Spine1",      "mixamorig:Spine2",
    "mixamorig:LeftShoulder",  "mixamorig:LeftArm",   "mixamorig:LeftForeArm", "mixamorig:LeftHand",
    "mixamorig:RightUpLeg",    "mixamorig:LeftUpLeg", "mixamorig:LeftLeg",     "mixamorig:LeftFoot",
    "mixamorig:LeftHandIndex1"};
const std::vector<std::string> kGame{"pelvis",     "spine_01",   "spine_02",   "spine_03", "clavicle_l",
                                     "upperarm_l", "lowerarm_l", "hand_l",     "thigh_l",  "thigh_r",
                                     "calf_l",     "foot_l",     "index_01_l", "neck_01",  "head"};
const std::vector<std::string> kJoints{"Pelvis", "L_Hip",  "R_Hip",    "L_Knee",     "L_Ankle", "Spine1",
                                       "Spine2", "Spine3", "L_Collar", "L_Shoulder", "L_Elbow", "L_Wrist"};
const std::vector<std::string> kBiped{"Bip01 Pelvis",    "Bip01 Spine",   "Bip01 Spine1",  "Bip01 L UpperArm",
                                      "Bip01 L Forearm", "Bip01 L Thigh", "Bip01 R Thigh", "Bip01 L Calf"};

}  // namespace

TEST_CASE("folds of a body are named after what lies on both sides") {
  std::vector<std::string> own;
  for (int b = 0; b < kBodyBones; ++b) own.push_back(bone_name(b));
  CHECK(between(own, "upper_arm.left", "chest") ==
        "near the left armpit, between the left upper arm and the chest");
  CHECK(between(own, "chest", "upper_arm.right") ==
        "near the right armpit, between the right upper arm and the chest");
  CHECK(between(own, "thigh.left", "thigh.right") ==
        "near the crotch, between the left thigh and the right thigh");
  CHECK(between(own, "pelvis", "thigh.left") == "near the left groin, between the left thigh and the pelvis");
  CHECK(between(own, "forearm.left", "upper_arm.left") ==
        "near the left elbow, between the left forearm and the left upper arm");
  CHECK(between(own, "shin.right", "thigh.right") ==
        "near the right knee, between the right lower leg and the right thigh");
  CHECK(between(own, "head", "neck") == "near the neck, between the head and the neck");
  // what is no neighbour has no fold
  CHECK(between(own, "forearm.left", "spine") == "between the left forearm and the waist");
  CHECK(between(own, "forearm.left", "upper_arm.right") ==
        "between the left forearm and the right upper arm");
  CHECK(between(own, "hand.left", "hand.left") == "at the left hand");
}

TEST_CASE("bones of other programs are found by their names") {
  CHECK(between(kMixamo, "mixamorig:LeftArm", "mixamorig:Spine2") ==
        "near the left armpit, between the left upper arm and the chest");
  CHECK(between(kMixamo, "mixamorig:LeftUpLeg", "mixamorig:RightUpLeg").find("near the crotch") == 0);
  CHECK(between(kMixamo, "mixamorig:LeftLeg", "mixamorig:LeftUpLeg").find("near the left knee") == 0);
  CHECK(between(kMixamo, "mixamorig:LeftForeArm", "mixamorig:LeftArm").find("near the left elbow") == 0);
  CHECK(between(kMixamo, "mixamorig:LeftHandIndex1", "mixamorig:LeftHand") == "at the left hand");
  CHECK(between(kMixamo, "mixamorig:Hips", "mixamorig:LeftUpLeg").find("near the left groin") == 0);
  CHECK(between(kGame, "upperarm_l", "spine_03").find("near the left armpit") == 0);
  CHECK(between(kGame, "upperarm_l", "clavicle_l").find("near the left armpit") == 0);
  CHECK(between(kGame, "upperarm_l", "spine_01") == "between the left upper arm and the waist");
  CHECK(between(kGame, "calf_l", "thigh_l").find("near the left knee") == 0);
  CHECK(between(kGame, "index_01_l", "lowerarm_l").find("near the left wrist") == 0);
  CHECK(between(kJoints, "L_Shoulder", "Spine3").find("near the left armpit") == 0);
  CHECK(between(kJoints, "L_Hip", "R_Hip").find("near the crotch") == 0);
  CHECK(between(kJoints, "L_Elbow", "L_Shoulder").find("near the left elbow") == 0);
  CHECK(between(kBiped, "Bip01 L UpperArm", "Bip01 Spine1").find("near the left armpit") == 0);
  CHECK(between(kBiped, "Bip01 L Calf", "Bip01 L Thigh").find("near the left knee") == 0);
}

TEST_CASE("bones that are none of a person's keep their names") {
  const std::vector<std::string> dragon{"tail_01", "tail_07", "wing.L", ""};
  CHECK(between(dragon, "tail_01", "tail_07") == "between 'tail_01' and 'tail_07'");
  CHECK(between(dragon, "wing.L", "") == "at 'wing.L'");
  CHECK(between(dragon, "tail_01", "tail_01").empty());
  CHECK(between(dragon, "", "").empty());
}
