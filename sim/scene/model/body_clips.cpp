#include "sim/scene/model/body_clips.h"

#include <algorithm>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/base/nearest.h"
#include "sim/scene/assets.h"
#include "sim/scene/toml/toml_table.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

fs::path clip_folder() { return fs::path(assets_folder()) / "mannequin"; }

/// [x, z, degrees].
bool read_place(TomlTable& t, const std::string& key, GroundFrame& place) {
  vec3 v(place.place.x, place.place.y, glm::degrees(place.yaw));
  const bool given = t.read(key, v, -1e3, 1e3);
  place = {{v.x, v.y}, glm::radians(v.z)};
  return given;
}

void read_angle(TomlTable& t, const std::string& key, float& radians) {
  float degrees = glm::degrees(radians);
  if (t.read(key, degrees, -120, 120)) radians = glm::radians(degrees);
}

/// keys = [{ time = 0, KEY = [x, y, z] }, ...]
Track read_track(TomlTable& owner, const std::string& list, const std::string& key, float duration) {
  Track track;
  for (TomlTable& k : owner.tables(list)) {
    float time = 0;
    vec3 value(0);
    if (!k.read("time", time, 0, double(duration) + 1e-4)) k.fail("", "a key needs a time");
    if (!track.empty() && time <= track.time.back()) k.fail("time", "times must increase");
    k.read(key, value, -1e3, 1e3);
    k.finish();
    track.time.push_back(time), track.value.push_back(value);
  }
  return track;
}

void read_joint(TomlTable& t, Clip& clip) {
  std::vector<std::string> names;
  for (int b = 0; b < kBodyBones; ++b)
    if (b < kThighL) names.push_back(bone_name(b));  // legs follow the feet
  std::string name;
  if (!t.read_choice("bone", name, names)) t.fail("", "a joint needs a bone");
  const int bone = bone_by_name(name);
  for (const auto& [other, track] : clip.joints)
    if (other == bone) t.fail("bone", "there are two joints of " + name, "leave one of them out");
  clip.joints.emplace_back(bone, read_track(t, "keys", "turn", clip.duration));
  t.finish();
}

void read_step(TomlTable& t, Clip& clip) {
  FootStep s;
  std::string foot;
  if (!t.read_choice("foot", foot, {"left", "right"})) t.fail("", "a step needs a foot");
  s.left = foot == "left";
  if (!t.read("begin", s.begin, 0, 1e3) || !t.read("end", s.end, 0, 1e3))
    t.fail("", "a step needs begin and end");
  if (!read_place(t, "to", s.to)) t.fail("", "a step needs its place: to = [x, z, degrees]");
  t.read("lift", s.lift, -2, 2);
  t.read("hold", s.hold, 0, 0.9);
  read_angle(t, "heel_off", s.heel_off);
  read_angle(t, "middle", s.middle);
  read_angle(t, "strike", s.strike);
  t.read("roll", s.roll, 1e-2, 10);
  t.read("settle", s.settle, 1e-2, 10);
  t.finish();
  clip.steps.push_back(s);
}

/// x, z (m) and degrees to radians.
Track path_of(Track track) {
  for (vec3& v : track.value) v.z = glm::radians(v.z);
  return track;
}

}  // namespace

std::vector<std::string> clip_names() {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(clip_folder(), ignored))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

Clip parse_clip(const std::string& text, const std::string& path) {
  const toml::table root = parse_toml(text, path);
  TomlTable t(root, path, "");
  Clip clip;
  clip.name = fs::path(path).stem().string();
  t.read("title", clip.title);
  t.read("duration", clip.duration, 0.1, 600);
  t.read("loop", clip.loop);
  t.read("alternates", clip.alternates);
  clip.path = path_of(read_track(t, "path", "place", clip.duration));
  clip.sway = read_track(t, "sway", "offset", clip.duration);
  read_place(t, "left", clip.left_start);
  read_place(t, "right", clip.right_start);
  for (TomlTable& s : t.tables("step")) read_step(s, clip);
  for (TomlTable& j : t.tables("joint")) read_joint(j, clip);
  t.finish();
  clip.finish();
  return clip;
}

Clip read_clip(const std::string& name) {
  const std::vector<std::string> names = clip_names();
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw Error("unknown clip '" + name + "'", "mannequin", did_you_mean(name, names));
  const std::string path = (clip_folder() / (name + ".toml")).string();
  return parse_clip(read_text_file(path, "a clip"), path);
}

BodyMotion make_body_motion(const Mannequin& mannequin, const Skeleton& skeleton) {
  std::vector<ClipEntry> entries;
  for (const ClipUse& use : mannequin.clips) entries.push_back({read_clip(use.clip), use.duration});
  return BodyMotion(skeleton, std::move(entries), mannequin.params);
}

}  // namespace weft
