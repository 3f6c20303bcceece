#include "sim/mannequin/body_motion.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "sim/base/error.h"
#include "sim/geometry/closest_point.h"
#include "sim/mannequin/skinning.h"
#include "sim/mesh/algorithms/crossing_triangles.h"
#include "sim/scene/model/body_clips.h"

using namespace weft;

namespace {

MannequinParams coarse() {
  MannequinParams p;
  p.edge = 0.02f;
  return p;
}

BodyMotion motion_of(const std::vector<ClipUse>& clips, float lead_in = 0) {
  Mannequin m;
  m.params = coarse();
  m.params.lead_in = lead_in;
  m.clips = clips;
  return make_body_motion(m, make_body_mesh(m.params)->skeleton);
}

const std::vector<ClipUse> kShow = {{"stand", 1},    {"walk", 2.5f}, {"turn", 0},  {"runway", 2},
                                    {"stand", 0.5f}, {"kick", 0},    {"twirl", 0}, {"swing", 1.6f},
                                    {"punch", 0},    {"squat", 0},   {"stand", 1}};

/// What feet do on the ground: the furthest that skin which stays within `near` m of the ground gets from
/// where it came down, and how deep it gets into the ground.
struct Contact {
  float slide = 0, lowest = 0;
};
Contact contact_of(const BodyMotion& motion, double fps, float near) {
  const auto body = make_body_mesh(coarse());
  std::vector<vec3> x, first(body->mesh.positions.size());
  std::vector<char> down(first.size(), 0);
  Contact out;
  for (double t = 0; t <= motion.duration(); t += 1 / fps) {
    skin(*body, forward_kinematics(body->skeleton, motion.pose(t)), x);
    const ClipState feet = motion.state(t);
    for (size_t v = 0; v < x.size(); ++v) {
      out.lowest = std::min(out.lowest, x[v].y);
      const int bone = body->weights[v].bone[0];
      const bool stands = bone >= kThighR ? feet.right.lift == vec3(0) : feet.left.lift == vec3(0);
      if (!stands || bone < kThighL || x[v].y > near) {
        down[v] = 0;
        continue;
      }
      if (!down[v]) first[v] = x[v];
      down[v] = 1;
      out.slide = std::max(out.slide, glm::length(vec2(x[v].x - first[v].x, x[v].z - first[v].z)));
    }
  }
  return out;
}

}  // namespace

TEST_CASE("a track goes through its keys smoothly, repeats with an advance, and holds its ends otherwise") {
  const Track track{{0, 1, 3}, {{0, 0, 0}, {1, 2, 0}, {3, 0, 0}}};
  for (const float period : {0.0f, 3.0f}) {
    const vec3 advance = period > 0 ? vec3(3, 0, 0) : vec3(0);
    CHECK(track.at(1, period, advance).y == doctest::Approx(2));
    CHECK(track.at(0, period, advance).x == doctest::Approx(0));
    CHECK(track.at(2.9999f, period, advance).x == doctest::Approx(3).epsilon(1e-3));
    for (const float t : {0.5f, 1.0f, 2.0f}) {  // no corner: slopes on both sides agree
      const float h = 1e-3f;
      const vec3 before = track.at(t, period, advance) - track.at(t - h, period, advance),
                 after = track.at(t + h, period, advance) - track.at(t, period, advance);
      CHECK(glm::length(after - before) < 0.02f * h * 10);
    }
  }
  CHECK(track.at(7.5f, 3, {3, 0, 0}).x == doctest::Approx(track.at(1.5f, 3, {3, 0, 0}).x + 6));
  CHECK(track.at(-1.5f, 3, {3, 0, 0}).x == doctest::Approx(track.at(1.5f, 3, {3, 0, 0}).x - 3));
  CHECK(track.at(9, 0).x == 3);
  CHECK(track.at(-9, 0).x == 0);
}

TEST_CASE("frames on the ground are rigid motions") {
  const GroundFrame a{{1, 2}, 0.7f}, b{{-0.5f, 0.3f}, -0.2f};
  const vec2 p(0.4f, -0.9f);
  CHECK(glm::length((a * b).at(p) - a.at(b.at(p))) < 1e-6f);
  CHECK(glm::length((a * a.inverse()).at(p) - p) < 1e-6f);
  CHECK(glm::length(GroundFrame{{}, 0.5f * kPi}.at({0, 1}) - vec2(1, 0)) < 1e-6f);  // ahead becomes left
}

TEST_CASE("loops close: a cycle ends where the next one begins, further on") {
  const Skeleton s = make_skeleton(coarse());
  int loops = 0;
  CHECK(clip_names() == std::vector<std::string>{"kick", "punch", "runway", "squat", "stand", "swing", "turn",
                                                 "twirl", "walk"});
  for (const std::string& name : clip_names()) {
    const Clip clip = read_clip(name);
    CAPTURE(name);
    CHECK_FALSE(clip.title.empty());
    if (!clip.loop) continue;
    ++loops;
    const float h = 1e-4f;
    const ClipState a = clip.at(s, clip.duration - h), b = clip.at(s, clip.duration + h),
                    first = clip.at(s, h);
    CHECK(glm::length(a.pose.root - b.pose.root) < 10 * h);
    CHECK(glm::length(a.left.place - b.left.place) < 10 * h);
    CHECK(glm::length(a.right.place - b.right.place) < 10 * h);
    for (size_t k = 0; k < kBodyBones; ++k) {
      CHECK(std::abs(glm::dot(a.pose.turn[k], b.pose.turn[k])) > 1 - 1e-5f);
      if (k != kPelvis) CHECK(std::abs(glm::dot(first.pose.turn[k], b.pose.turn[k])) > 1 - 1e-5f);
    }
    const GroundFrame advance = clip.advance();
    CHECK(glm::length(b.right.place -
                      (GroundFrame{s.scale * advance.place, advance.yaw}.at(first.right.place))) < 1e-4f);
  }
  CHECK(loops == 5);
}

TEST_CASE("feet that stand stay where they are, in every clip and from clip to clip") {
  // 5 mm: soles roll over their rounded rims
  for (const std::string& name : clip_names()) {
    CAPTURE(name);
    const Contact c = contact_of(motion_of({{name, 0}}), 60, 1e-3f);
    CHECK(c.slide < 5e-3f);
    CHECK(c.lowest > -5e-3f);
  }
  const Contact c = contact_of(motion_of(kShow, 1), 60, 1e-3f);
  CHECK(c.slide < 5e-3f);
  CHECK(c.lowest > -5e-3f);
}

TEST_CASE("walking gets ahead, turning turns about, and clips go on where the last one ended") {
  const BodyMotion motion = motion_of({{"walk", 5.4f}, {"turn", 0}, {"walk", 5.4f}});
  const Pose start = motion.pose(0), middle = motion.pose(5.4), end = motion.pose(motion.duration());
  CHECK(middle.root.z - start.root.z == doctest::Approx(6.5).epsilon(0.03));  // five cycles of 1.3 m
  CHECK(std::abs(end.root.z - start.root.z) < 0.9f);                          // and back
  CHECK((end.turn[kPelvis] * vec3(0, 0, 1)).z < -0.9f);
}

TEST_CASE("nothing jumps: skin moves at speeds of limbs, also while clips change") {
  const auto body = make_body_mesh(coarse());
  const BodyMotion motion = motion_of(kShow, 1);
  std::vector<vec3> before, x;
  float most = 0;
  constexpr double kStep = 1.0 / 120;
  for (double t = 0; t <= motion.duration() + 0.5; t += kStep) {
    skin(*body, forward_kinematics(body->skeleton, motion.pose(t)), x);
    for (size_t v = 0; v < before.size(); ++v)
      most = std::max(most, glm::length(x[v] - before[v]) / float(kStep));
    before = x;
  }
  CHECK(most < 9);  // m/s; a foot in a fast step
  CHECK(most > 2);
}

TEST_CASE("a mannequin without clips rests, and a lead-in starts from rest") {
  const auto body = make_body_mesh(coarse());
  std::vector<vec3> x;
  for (const BodyMotion& motion : {motion_of({}), motion_of({{"kick", 0}}, 2)}) {
    skin(*body, forward_kinematics(body->skeleton, motion.pose(0)), x);
    float most = 0;
    for (size_t v = 0; v < x.size(); ++v) most = std::max(most, glm::length(x[v] - body->mesh.positions[v]));
    CHECK(most < 1e-4f);
  }
}

TEST_CASE("a lead-in goes from rest into every clip without a jump of the skin's velocity") {
  const auto body = make_body_mesh(coarse());
  constexpr double kStep = 1.0 / 120;
  for (const std::string& name : clip_names()) {
    CAPTURE(name);
    const BodyMotion motion = motion_of({{name, 0}}, 1);
    std::vector<vec3> x[3];
    float first = 0, fastest = 0, jump = 0;
    for (int k = 0; k < 160; ++k) {
      x[0].swap(x[1]), x[1].swap(x[2]);
      skin(*body, forward_kinematics(body->skeleton, motion.pose(k * kStep)), x[2]);
      for (size_t v = 0; v < x[0].size(); ++v) {
        const vec3 before = (x[1][v] - x[0][v]) / float(kStep), now = (x[2][v] - x[1][v]) / float(kStep);
        if (k == 2) first = std::max(first, glm::length(before));
        fastest = std::max(fastest, glm::length(now)), jump = std::max(jump, glm::length(now - before));
      }
    }
    MESSAGE(name << ": starts at " << first << " m/s, at most " << fastest << " m/s, changes by " << jump
                 << " m/s in a step");
    CHECK(first < 0.1f);
    CHECK(fastest < 9);
    CHECK(jump < 2);  // knees of nearly straight legs: 1.6 m/s; where a leg is stopped at once 4.5 m/s
    const auto stretches = motion.stretches();
    REQUIRE(stretches.size() == 2);
    CHECK(stretches[0].clip == "rest");
    CHECK(stretches[1].clip == name);
    CHECK(std::abs(stretches[1].begin - 1) < 1e-6);
    CHECK(std::abs(stretches[1].end - motion.duration()) < 1e-6);
  }
}

TEST_CASE("speed scales time") {
  Mannequin m;
  m.params = coarse();
  m.clips = {{"walk", 5.4f}};
  const Skeleton s = make_skeleton(m.params);
  const BodyMotion once = make_body_motion(m, s);
  m.params.speed = 2;
  const BodyMotion twice = make_body_motion(m, s);
  CHECK(glm::length(once.pose(1.5).root - twice.pose(0.75).root) < 1e-5f);
  CHECK(twice.duration() == doctest::Approx(once.duration() / 2));
}

TEST_CASE("the skin does not cross itself in any clip" * doctest::timeout(600)) {
  const auto body = make_body_mesh(coarse());
  std::vector<vec3> x;
  for (const std::string& name : clip_names()) {
    CAPTURE(name);
    const BodyMotion motion = motion_of({{name, 0}});
    size_t pairs = 0;
    for (double t = 0; t <= motion.duration(); t += 1.0 / 6) {
      skin(*body, forward_kinematics(body->skeleton, motion.pose(t)), x);
      pairs += crossing_triangles(x, body->mesh.triangles).size();
    }
    CHECK(pairs == 0);
  }
}

TEST_CASE("the skin does not cross itself at 120 poses a second and between clips" *
          doctest::test_suite("full")) {
  const auto body = make_body_mesh(coarse());
  std::vector<vec3> x;
  const BodyMotion motion = motion_of(kShow, 1);
  size_t pairs = 0;
  for (double t = 0; t <= motion.duration(); t += 1.0 / 120) {
    skin(*body, forward_kinematics(body->skeleton, motion.pose(t)), x);
    pairs += crossing_triangles(x, body->mesh.triangles).size();
  }
  CHECK(pairs == 0);
}

TEST_CASE(
    "in every clip cloth has 8 mm between arms and torso and between arms and legs and between the legs" *
    doctest::test_suite("full")) {
  // beyond the notches of armpit and crotch, which narrow to nothing: from 60 % of the upper arm on, and from
  // 0.14 m below the hips on
  const auto body = make_body_mesh(coarse());
  const std::vector<vec3>& rest = body->mesh.positions;
  const Skeleton& s = body->skeleton;
  const auto bone = [&](size_t v) { return body->weights[v].bone[0]; };
  const auto arm = [&](size_t v, int upper) {
    const vec3 along = s.tail[size_t(upper)] - s.head[size_t(upper)];
    return bone(v) > upper ? bone(v) <= upper + 2
                           : bone(v) == upper && glm::dot(rest[v] - s.head[size_t(upper)], along) >
                                                     0.6f * glm::dot(along, along);
  };
  const auto leg = [&](size_t v, int thigh) {
    return bone(v) >= thigh && bone(v) <= thigh + 3 && rest[v].y < s.head[size_t(thigh)].y - 0.14f;
  };
  const auto torso = [&](size_t v) { return bone(v) <= kChest; };
  std::vector<vec3> x;
  const auto gap = [&](const auto& from, const auto& to) {
    float least = 1;
    for (const ivec3& t : body->mesh.triangles) {
      if (!to(size_t(t.x)) || !to(size_t(t.y)) || !to(size_t(t.z))) continue;
      const vec3 &a = x[size_t(t.x)], &b = x[size_t(t.y)], &c = x[size_t(t.z)];
      for (size_t v = 0; v < x.size(); ++v)
        if (glm::distance(x[v], a) < least + 0.05f && from(v))
          least = std::min(least, glm::length(closest_on_triangle(x[v], a, b, c).offset));
    }
    return least;
  };
  for (const std::string& name : clip_names()) {
    CAPTURE(name);
    const BodyMotion motion = motion_of({{name, 0}});
    float arms = 1, legs = 1;
    for (double t = 0; t <= motion.duration(); t += 1.0 / 8) {
      skin(*body, forward_kinematics(s, motion.pose(t)), x);
      for (const int upper : {kUpperArmL, kUpperArmR}) {
        const auto own = [&](size_t v) { return arm(v, upper); };
        arms = std::min({arms, gap(own, torso), gap(own, [&](size_t v) { return bone(v) >= kThighL; })});
      }
      legs = std::min(
          legs, gap([&](size_t v) { return leg(v, kThighL); }, [&](size_t v) { return leg(v, kThighR); }));
    }
    MESSAGE(name << ": arms " << 1e3f * arms << " mm from torso and legs, legs " << 1e3f * legs
                 << " mm apart");
    CHECK(arms > 8e-3f);
    CHECK(legs > 8e-3f);
  }
}

TEST_CASE("faults of clips are named with file, line and key") {
  const auto message = [](const std::string& text) {
    try {
      parse_clip(text, "c.toml");
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  const std::map<std::string, std::string> faults = {
      {"duration = 1\nlop = true\n", "loop"},
      {"duration = 1\n[[joint]]\nbone = \"thigh.left\"\n", "bone"},
      {"duration = 1\n[[step]]\nfoot = \"left\"\nbegin = 0.5\nend = 0.4\nto = [0, 0, 0]\n", "does not fit"},
      {"duration = 1\n[[step]]\nfoot = \"left\"\nbegin = 0.5\nend = 0.8\n", "its place"},
      {"duration = 1\nloop = true\npath = [{ time = 0 }, { time = 1, place = [0, 1, 0] }]\n",
       "does not end where the next cycle begins"},
      {"duration = 1\nsway = [{ time = 0.5 }, { time = 0.5 }]\n", "times must increase"},
  };
  for (const auto& [text, words] : faults) {
    CAPTURE(text);
    CHECK(message(text).find(words) != std::string::npos);
  }
  CHECK(message("duration = 1\n") == "");
  CHECK_THROWS_AS(read_clip("wlak"), Error);
}
