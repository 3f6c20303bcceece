#include "sim/mannequin/body_part.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "sim/base/shorten.h"

namespace weft {
namespace {

bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool is_lower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

/// What a bone's name says: its letters without those for the side, in lower case, its number, its side.
struct BoneWords {
  std::vector<std::string> tokens;
  std::string letters;
  int number = -1, side = 0;
  bool has(const char* text) const { return letters.find(text) != std::string::npos; }
  bool has_any(std::initializer_list<const char*> texts) const {
    return std::any_of(texts.begin(), texts.end(), [&](const char* t) { return has(t); });
  }
  bool is_token(const char* text) const { return std::count(tokens.begin(), tokens.end(), text) > 0; }
  bool is_any_token(std::initializer_list<const char*> texts) const {
    return std::any_of(texts.begin(), texts.end(), [&](const char* t) { return is_token(t); });
  }
};

/// "LeftUpLeg" as left, up, leg; "LArm" as l, arm; "upperarm_l" as upperarm, l.
std::vector<std::string> split(const std::string& name) {
  std::vector<std::string> out;
  bool open = false;
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (!is_letter(c)) {
      open = false;
      continue;
    }
    const bool begins =
        i > 0 && is_upper(c) &&
        (is_lower(name[i - 1]) || (is_upper(name[i - 1]) && i + 1 < name.size() && is_lower(name[i + 1])));
    if (!open || begins) out.emplace_back();
    open = true;
    out.back() += char(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

/// The side that a token is, or begins or ends with; what remains of it.
int take_side(std::string& token) {
  for (const auto& [word, side] : {std::pair<std::string, int>("left", 1), {"right", -1}}) {
    if (token.rfind(word, 0) == 0) return token.erase(0, word.size()), side;
    if (token.size() > word.size() && token.ends_with(word))
      return token.erase(token.size() - word.size()), side;
  }
  if (token != "l" && token != "r") return 0;
  const int side = token == "l" ? 1 : -1;
  token.clear();
  return side;
}

BoneWords read_name(const std::string& name) {
  BoneWords out;
  const size_t colon = name.rfind(':');  // "mixamorig:LeftArm"
  const std::string own = colon == std::string::npos ? name : name.substr(colon + 1);
  for (std::string token : split(own)) {
    if (const int side = take_side(token)) out.side = side;
    if (token.empty()) continue;
    out.letters += token;
    out.tokens.push_back(std::move(token));
  }
  std::string digits;
  for (const char c : own) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (digit) digits += c;
    else if (!digits.empty() && is_letter(c)) digits.clear();
  }
  if (!digits.empty() && digits.size() < 6) out.number = std::stoi(digits);
  return out;
}

/// What the names of a whole skeleton say about each other.
struct Habits {
  bool by_joints = false;  // "L_Elbow" is the forearm, "L_Shoulder" the upper arm
  bool chest = false;      // a bone has that name
  bool thighs = false;     // so that a "leg" is the lower one
  int last_spine = -1;     // largest number of a spine's bone
  int first_spine = 1 << 20;
};

bool is_spine(const BoneWords& w) { return w.has("spine") || w.is_any_token({"back", "torso"}); }
bool is_thigh(const BoneWords& w) { return w.has_any({"thigh", "upleg", "upperleg"}); }
bool is_chest(const BoneWords& w) { return w.has_any({"chest", "ribs", "ribcage", "thorax"}); }

Habits habits_of(const std::vector<BoneWords>& all) {
  Habits h;
  for (const BoneWords& w : all) {
    h.by_joints |= w.has("elbow");
    h.chest |= is_chest(w);
    h.thighs |= is_thigh(w);
    if (!is_spine(w)) continue;
    h.last_spine = std::max(h.last_spine, w.number), h.first_spine = std::min(h.first_spine, w.number);
  }
  return h;
}

BodyRegion arm_of(const BoneWords& w, const Habits& h) {
  using enum BodyRegion;
  if (w.has_any({"forearm", "lowerarm", "elbow"})) return forearm;
  if (w.has_any({"hand", "wrist", "finger", "thumb", "pinky", "palm", "metacarp", "carpal"}) ||
      w.is_any_token({"index", "middle", "ring", "mid"}))
    return hand;
  if (w.has_any({"clavicle", "collar"})) return shoulder;
  if (w.has_any({"shoulder", "shldr"})) return h.by_joints || w.has("shldr") ? upper_arm : shoulder;
  if (w.has("arm") && !w.has("armature") && !w.has("armor")) return upper_arm;
  return other;
}

BodyRegion leg_of(const BoneWords& w, const Habits& h) {
  using enum BodyRegion;
  if (is_thigh(w)) return thigh;
  if (w.has("hip") && !w.has("ship")) return w.side != 0 ? thigh : pelvis;
  if (w.has_any({"shin", "calf", "lowerleg", "knee"})) return shin;
  if (w.has_any({"ankle", "foot", "heel"}) || w.is_any_token({"toe", "toes", "toebase", "ball"})) return foot;
  if (w.is_token("leg")) return h.thighs ? shin : thigh;
  return other;
}

BodyRegion trunk_of(const BoneWords& w, const Habits& h) {
  using enum BodyRegion;
  if (w.has("pelvis")) return pelvis;
  if (is_chest(w) || w.has_any({"breast", "pectoral"})) return chest;
  if (w.has_any({"abdomen", "belly", "waist", "stomach"})) return waist;
  if (is_spine(w)) {
    // without a chest the upper half of the spine carries it
    if (h.chest) return waist;
    return h.last_spine == h.first_spine || 2 * w.number > h.first_spine + h.last_spine ? chest : waist;
  }
  if (w.has("neck")) return neck;
  if (w.has_any({"head", "skull", "jaw", "face"}) || w.is_token("eye")) return head;
  return other;
}

BodyRegion region_of(const BoneWords& w, const Habits& h) {
  for (const auto& find : {arm_of, leg_of, trunk_of})
    if (const BodyRegion found = find(w, h); found != BodyRegion::other) return found;
  return BodyRegion::other;
}

std::string sided(int side, const std::string& what) {
  return "the " + std::string(side > 0 ? "left " : side < 0 ? "right " : "") + what;
}

const char* word_of(BodyRegion r) {
  switch (r) {
    case BodyRegion::head: return "head";
    case BodyRegion::neck: return "neck";
    case BodyRegion::shoulder: return "shoulder";
    case BodyRegion::upper_arm: return "upper arm";
    case BodyRegion::forearm: return "forearm";
    case BodyRegion::hand: return "hand";
    case BodyRegion::chest: return "chest";
    case BodyRegion::waist: return "waist";
    case BodyRegion::pelvis: return "pelvis";
    case BodyRegion::thigh: return "thigh";
    case BodyRegion::shin: return "lower leg";
    case BodyRegion::foot: return "foot";
    case BodyRegion::other: break;
  }
  return "";
}

/// The joint, or the fold, between two parts; empty where they are no neighbours.
std::string joint_between(const BodyPart& a, const BodyPart& b) {
  using enum BodyRegion;
  struct Joint {
    BodyRegion first, second;
    const char* word;
  };
  static constexpr Joint kJoints[] = {
      {upper_arm, chest, "armpit"}, {upper_arm, shoulder, "armpit"}, {forearm, upper_arm, "elbow"},
      {hand, forearm, "wrist"},     {thigh, pelvis, "groin"},        {thigh, waist, "groin"},
      {shin, thigh, "knee"},        {foot, shin, "ankle"},           {head, neck, "neck"},
      {neck, chest, "neck"},        {neck, shoulder, "neck"},        {head, chest, "neck"},
  };
  if (a.region == thigh && b.region == thigh) return a.side * b.side < 0 ? "the crotch" : "";
  if (a.side * b.side < 0 || (a.region == b.region)) return {};
  for (const Joint& j : kJoints)
    if ((a.region == j.first && b.region == j.second) || (a.region == j.second && b.region == j.first)) {
      const int side = j.word == std::string("neck") ? 0 : a.side != 0 ? a.side : b.side;
      return sided(side, j.word);
    }
  return {};
}

}  // namespace

std::string BodyPart::words() const {
  if (region != BodyRegion::other) return sided(side, word_of(region));
  return name.empty() ? name : "'" + shortened(name, 40) + "'";
}

std::vector<BodyPart> body_parts(const std::vector<std::string>& bones) {
  std::vector<BoneWords> words;
  for (const std::string& name : bones) words.push_back(read_name(name));
  const Habits habits = habits_of(words);
  std::vector<BodyPart> out;
  for (size_t i = 0; i < bones.size(); ++i)
    out.push_back({region_of(words[i], habits), words[i].side, bones[i]});
  return out;
}

std::string place_between(const BodyPart& a, const BodyPart& b) {
  const std::string first = a.words(), second = b.words();
  if (first.empty() && second.empty()) return {};
  if (first.empty() || second.empty()) return "at " + first + second;
  if (first == second) return a.region == BodyRegion::other ? std::string() : "at " + first;
  const std::string joint = joint_between(a, b);
  // limbs first: "the left upper arm and the chest"
  const bool turned = a.side == 0 && b.side != 0;
  const std::string pair = "between " + (turned ? second : first) + " and " + (turned ? first : second);
  return joint.empty() ? pair : "near " + joint + ", " + pair;
}

}  // namespace weft
