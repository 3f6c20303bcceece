// Names of places where bodies leave cloth no room.
#include "sim/collision/surface/pressed_places.h"

#include <doctest/doctest.h>

#include "sim/device/device.h"
#include "sim/mesh/shapes/shapes.h"
#include "sim/run/simulation.h"
#include "tests/files/gltf_file.h"
#include "tests/support/folder.h"

using namespace weft;

namespace {

/// A box from `low` to `high` as triangles that face outwards.
void add_box(std::vector<vec3>& x, std::vector<uint32_t>& corners, const vec3& low, const vec3& high) {
  const uint32_t first = uint32_t(x.size());
  for (int k = 0; k < 8; ++k)
    x.emplace_back(k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z);
  for (const ivec4& q : {ivec4(0, 2, 3, 1), ivec4(4, 5, 7, 6), ivec4(0, 1, 5, 4), ivec4(2, 6, 7, 3),
                         ivec4(0, 4, 6, 2), ivec4(1, 3, 7, 5)})
    for (const int c : {q.x, q.y, q.z, q.x, q.z, q.w}) corners.push_back(first + uint32_t(c));
}

/// A figure of two boxes that follow a joint each; the second comes down onto the first, and 6 mm into it.
void write_figure(const std::string& path, const char* lower, const char* upper) {
  using Document = GltfDocument;
  Document file;
  std::vector<vec3> x;
  std::vector<uint32_t> corners;
  add_box(x, corners, {-0.05f, -0.06f, -0.05f}, {0.05f, -0.01f, 0.05f});
  add_box(x, corners, {-0.03f, 0.01f, -0.03f}, {0.03f, 0.06f, 0.03f});
  std::vector<std::array<uint16_t, 4>> joints(8, {0, 0, 0, 0});
  joints.resize(16, {1, 0, 0, 0});
  const std::vector<vec4> weights(16, {1, 0, 0, 0});
  const auto plain = [&](const auto& v, const char* type, int component) {
    return file.add(v, type, component, v.size(), Document::kPlain);
  };
  const Document::Json attributes = {{"POSITION", plain(x, "VEC3", Document::kFloat)},
                                     {"JOINTS_0", plain(joints, "VEC4", Document::kUnsignedShort)},
                                     {"WEIGHTS_0", plain(weights, "VEC4", Document::kFloat)}};
  const Document::Json primitive = {{"attributes", attributes},
                                    {"indices", plain(corners, "SCALAR", Document::kUnsignedInt)}};
  file.json["meshes"] =
      Document::Json::array({{{"name", "figure"}, {"primitives", Document::Json::array({primitive})}}});
  file.json["nodes"] = Document::Json::array(
      {{{"name", "figure"}, {"mesh", 0}, {"skin", 0}}, {{"name", lower}}, {{"name", upper}}});
  file.json["scenes"] = Document::Json::array({{{"nodes", {0, 1, 2}}}});
  file.json["skins"] = Document::Json::array({{{"joints", {1, 2}}}});
  const int times = plain(std::vector<float>{0, 0.2f}, "SCALAR", Document::kFloat),
            way = plain(std::vector<vec3>{{0, 0, 0}, {0, -0.026f, 0}}, "VEC3", Document::kFloat);
  file.json["animations"].push_back(
      {{"name", "press"},
       {"channels",
        Document::Json::array({{{"sampler", 0}, {"target", {{"node", 2}, {"path", "translation"}}}}})},
       {"samplers", Document::Json::array({{{"input", times}, {"output", way}}})}});
  file.write(path);
}

/// A sheet pinned at two sides between the boxes.
Scene pressed(const std::string& figure) {
  Scene scene;
  scene.set("step.collision", "two_way");
  scene.contact.ground = false;
  scene.step.dt = 0.01f;
  Cloth& cloth = scene.cloths.emplace_back();
  cloth.size = {0.2f, 0.2f}, cloth.edge = 0.012f;
  cloth.placement.rotation = {-90, 0, 0};
  scene.pins.emplace_back().where = "left";
  scene.pins.emplace_back().where = "right";
  Obstacle& o = scene.obstacles.emplace_back();
  o.name = "figure", o.shape = ObstacleShape::mesh, o.sequence = figure;
  return scene;
}

}  // namespace

TEST_CASE("a skinned body that presses cloth is told by its bones") {
  const testing::Folder folder;
  const auto device = Device::create(DeviceChoice::cpu, 0);
  const auto told = [&](const char* lower, const char* upper) {
    write_figure(folder / "figure.glb", lower, upper);
    Simulation sim(pressed(folder / "figure.glb"), *device);
    std::string first, last;
    for (int k = 0; k < 30; ++k) {
      sim.step();
      const StepStats stats = sim.stats();
      CHECK(stats.let_through_place.empty() == (stats.let_through == 0));
      if (first.empty()) first = stats.let_through_place;
      last = stats.let_through_place;
      if (last.empty()) continue;
      const std::vector<std::string> remarks = sim.collision_remarks(stats);
      CHECK(std::any_of(remarks.begin(), remarks.end(),
                        [&](const std::string& words) { return words.starts_with(last + ": "); }));
    }
    return std::pair(first, last);
  };
  const auto [before, after] = told("chest", "LeftArm");
  CAPTURE(before);
  CAPTURE(after);
  // first the boxes close, then they overlap
  const std::string place = " near the left armpit, between the left upper arm and the chest, at (";
  CHECK(before.starts_with("'figure' leaves the cloth no room" + place));
  CHECK(after.starts_with("'figure' crosses itself" + place));
  CHECK(told("thigh_r", "thigh_l")
            .second.starts_with(
                "'figure' crosses itself near the crotch, between the left thigh and the right thigh, at ("));
  CHECK(told("", "").second.starts_with("'figure' crosses itself near ("));
  CHECK(told("lid", "case").second.starts_with("'figure' crosses itself between 'case' and 'lid', at ("));
}

TEST_CASE("arms of a mannequin that overlap its torso are told as its armpits") {
  const auto device = Device::create(DeviceChoice::cpu, 0);
  Scene scene;
  scene.step.dt = 0.01f;
  Obstacle& o = scene.obstacles.emplace_back();
  o.name = "anna", o.shape = ObstacleShape::mannequin;
  o.mannequin.params.edge = 0.02f;
  // so narrow and wide that hanging arms are in the torso
  o.mannequin.params.shoulders = 0.28f, o.mannequin.params.bust = 1.05f;
  o.mannequin.params.waist = 0.85f, o.mannequin.params.hips = 1.05f;
  o.mannequin.params.lead_in = 0.5f;
  o.mannequin.clips = {{"stand", 0}};
  GrowingLists lists(*device);
  std::vector<std::string> notices;
  Bodies bodies(lists, scene, notices);
  const Topology sheet = build_topology({{"sheet", make_grid({0.1f, 0.1f}, 0.02f)}});
  const ContactSurface surface(*device, sheet, scene, bodies);
  const auto places = [&](double time) {
    std::vector<vec3> x(size_t(surface.cloth_points()), vec3(9));
    bodies.set_step(scene, time - 0.01, 0.01f);
    const std::vector<vec3> body = surface.body_positions(scene, bodies, time);
    x.insert(x.end(), body.begin(), body.end());
    std::vector<int> all;
    for (int p = surface.cloth_points(); p < surface.points(); ++p) all.push_back(p);
    const HeldBodies held{
        surface.host_triangles(), surface.cloth_points(), int(sheet.triangles.size()), x, x, {}, 0.001f};
    return in_words(body_crossings(held, all), surface, bodies, scene);
  };
  CHECK(places(0).empty());  // arms away from the torso
  const std::vector<PlaceWords> found = places(1);
  REQUIRE(!found.empty());
  for (const char* side : {"left", "right"}) {
    const std::string name = side;
    CAPTURE(name);
    CHECK(std::any_of(found.begin(), found.end(), [&](const PlaceWords& w) {
      return w.where == "'anna' crosses itself near the " + name + " armpit" &&
             w.all.starts_with(w.where + ", between the " + name + " upper arm and the ");
    }));
  }
}
