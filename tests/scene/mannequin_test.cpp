// Mannequins in scenes.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "sim/base/error.h"
#include "sim/dressing/body_growth.h"
#include "sim/mannequin/body_mesh.h"
#include "sim/mannequin/skinning.h"
#include "sim/scene/model/body_clips.h"
#include "sim/scene/model/cloth_mesh.h"
#include "sim/scene/model/deformation.h"
#include "sim/scene/text/scene_file.h"

using namespace weft;

namespace {

const char* const kScene = R"(title = "t"
[[obstacle]]
name = "model"
position = [1, 0, 0]
scale = 0.5
[obstacle.mannequin]
bust = 0.9
edge = 0.02
lead_in = 0.5
clips = [{ clip = "walk", duration = 2 }, { clip = "kick" }]
)";

std::string fault(const std::string& text) {
  try {
    parse_scene(text, "s.toml");
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a mannequin's measures and clips are read and written") {
  const Scene scene = parse_scene(kScene, "");
  REQUIRE(scene.obstacles.size() == 1);
  const Obstacle& o = scene.obstacles[0];
  CHECK(o.shape == ObstacleShape::mannequin);
  CHECK(o.deforms());
  CHECK(o.mannequin.params.bust == 0.9f);
  CHECK(o.mannequin.params.waist == MannequinParams{}.waist);
  CHECK(o.mannequin.clips == std::vector<ClipUse>{{"walk", 2}, {"kick", 0}});
  CHECK(parse_scene(write_scene(scene), "") == scene);
  Scene plain;
  plain.obstacles.emplace_back().shape = ObstacleShape::mannequin;
  CHECK(parse_scene(write_scene(plain), "") == plain);
}

TEST_CASE(
    "the way to a mannequin's first pose begins in its rest pose, ends where its clips begin, and jumps "
    "nowhere") {
  Mannequin m;
  m.params.edge = 0.02f;
  const auto body = make_body_mesh(m.params);
  for (const char* clip : {"walk", "punch", "twirl"}) {
    CAPTURE(clip);
    m.clips = {{clip, 0}, {"stand", 0}};
    const auto frames = path_to_first_pose(m, 1, 60);
    REQUIRE(frames.size() == 61);
    m.params.lead_in = 0;
    std::vector<vec3> wanted;
    skin(*body, forward_kinematics(body->skeleton, make_body_motion(m, body->skeleton).pose(0)), wanted);
    float begin = 0, end = 0, way = 0, most = 0;
    for (size_t v = 0; v < wanted.size(); ++v) {
      begin = std::max(begin, glm::distance(frames.front()[v], body->mesh.positions[v]));
      end = std::max(end, glm::distance(frames.back()[v], wanted[v]));
      way = std::max(way, glm::distance(wanted[v], body->mesh.positions[v]));
      for (size_t f = 1; f < frames.size(); ++f)
        most = std::max(most, glm::distance(frames[f][v], frames[f - 1][v]));
    }
    CHECK(begin < 1e-4f);
    CHECK(end < 1e-4f);
    CHECK(way > 0.1f);
    CHECK(most < 9.0f / 60);  // m in a frame, as limbs move in clips
  }
}

TEST_CASE("a lead-in is none where it is not needed, and only a number below 0 means as needed") {
  const auto lead_in = [](const std::string& text) {
    return parse_scene("[[obstacle]]\n[obstacle.mannequin]\n" + text + "clips = [{ clip = \"walk\" }]\n",
                       "s.toml")
        .obstacles[0];
  };
  CHECK(lead_in("").mannequin.params.lead_in < 0);
  CHECK(lead_in_of(lead_in("")) == 0);
  CHECK(lead_in("lead_in = 0\n").mannequin.params.lead_in == 0);
  CHECK(lead_in_of(lead_in("lead_in = 0.5\n")) == 0.5f);
  CHECK(fault("[[obstacle]]\n[obstacle.mannequin]\nlead_in = -2\n").find("lead_in") != std::string::npos);
}

TEST_CASE("faults of a mannequin are named with line and key") {
  const std::map<std::string, std::string> faults = {
      {"[[obstacle]]\nshape = \"mannequin\"\n[obstacle.mannequin]\nbust = 9\n", "s.toml:4"},
      {"[[obstacle]]\n[obstacle.mannequin]\nbsut = 0.9\n", "bust"},
      {"[[obstacle]]\n[obstacle.mannequin]\nclips = [{ clip = \"wlak\" }]\n", "walk"},
      {"[[obstacle]]\n[obstacle.mannequin]\nclips = [{ duration = 1 }]\n", "needs a clip"},
      {"[[obstacle]]\nshape = \"sphere\"\n[obstacle.mannequin]\nbust = 0.9\n",
       "only a mannequin has measures"},
      {"[[obstacle]]\nshape = \"mannequin\"\nsize = [1, 1, 1]\n", "its own measures"},
      {"[[obstacle]]\nshape = \"mannequin\"\nup = \"z\"\n", "up axis"},
  };
  for (const auto& [text, words] : faults) {
    CAPTURE(text);
    CHECK(fault(text).find(words) != std::string::npos);
  }
}

TEST_CASE("a mannequin's shape depends on the time alone, and has the obstacle's scale") {
  const Scene scene = parse_scene(kScene, "");
  const Obstacle& o = scene.obstacles[0];
  std::vector<std::string> notices;
  TriMesh mesh = build_obstacle_mesh(o, "", notices);
  const auto body = make_body_mesh(o.mannequin.params);
  REQUIRE(mesh.vertex_count() == body->mesh.vertex_count());
  CHECK(mesh.positions[0] == 0.5f * body->mesh.positions[0]);
  const auto deformation = make_deformation(o, "", mesh, notices);
  REQUIRE(deformation);
  CHECK(notices.empty());
  std::vector<vec3> start, later, again;
  deformation->positions(0, start);
  CHECK(start == mesh.positions);
  deformation->positions(1.7, later);
  deformation->positions(0.3, again);
  CHECK(again != later);
  deformation->positions(1.7, again);
  CHECK(again == later);
  TriMesh other = build_obstacle_mesh(o, "", notices);
  make_deformation(o, "", other, notices)->positions(1.7, again);
  CHECK(again == later);
  float off = 0;  // at the start it rests
  for (size_t v = 0; v < start.size(); ++v)
    off = std::max(off, glm::length(start[v] - 0.5f * body->mesh.positions[v]));
  CHECK(off < 1e-4f);
}
