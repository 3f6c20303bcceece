// Limbs of bodies, openings of garments, and starts of dressings that are made clean.
#include "sim/dressing/dress_start.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "sim/dressing/body_growth.h"
#include "sim/dressing/dress.h"
#include "sim/dressing/openings.h"
#include "sim/mannequin/body_mesh.h"
#include "sim/mesh/shapes/shapes.h"
#include "sim/scene/text/scene_file.h"
#include "test_paths.h"
#include "tests/garment/patterns.h"
#include "tests/support/flat_patterns.h"

using namespace weft;
using testing::flat_skirt, testing::flat_sleeves, testing::flat_top;

namespace {

MannequinParams coarse() {
  MannequinParams measures;
  measures.edge = 0.02f;
  return measures;
}

struct Begun {
  Scene scene;
  std::vector<GarmentMesh> garments;
  std::vector<std::string> notices;
  explicit Begun(const Pattern& pattern) {
    Scene wanted = dressing_scene("", {}, 0, coarse());
    wanted.cloths[0].file.clear(), wanted.cloths[0].sewing_pattern = pattern;
    std::vector<std::string> ignored;
    scene = scene_of_dressing(wanted, garments, ignored);
  }
  StartCrossings crossings() const { return start_crossings(scene, garments); }
  void clear() { begin_clear(scene, garments, notices); }
  std::string told() const {
    std::string all;
    for (const std::string& n : notices) all += n + "\n";
    return all;
  }
};

/// Openings of a garment as placed that have a part of a body in its first frame in them.
int used_openings(const Begun& b) {
  TriMesh body = make_body_mesh(coarse())->mesh;
  const BodyLimbs limbs = find_limbs(body);
  std::vector<vec3> cloth = b.garments[0].mesh.positions;
  for (vec3& p : cloth) p += b.scene.cloths[0].placement.position;
  int used = 0;
  for (const std::vector<int>& own : passages(boundary_lines(b.garments[0].mesh.triangles), cloth, limbs,
                                              b.scene.obstacles[0].frames->front()))
    used += is_used(own);
  return used;
}

}  // namespace

TEST_SUITE("run") {
  TEST_CASE("a mannequin has a head, two arms and two legs, and its skin is named by them") {
    const TriMesh body = make_body_mesh(coarse())->mesh;
    const BodyLimbs limbs = find_limbs(body);
    REQUIRE(limbs.limbs.size() == 5);
    std::set<std::string> names;
    for (const Limb& limb : limbs.limbs) {
      names.insert(limb.name);
      for (size_t i = 0; i + 1 < limb.path.size(); ++i)  // paths along edges
        CHECK(glm::length(body.positions[size_t(limb.path[i])] - body.positions[size_t(limb.path[i + 1])]) <
              0.05f);
    }
    CHECK(names == std::set<std::string>{"head", "left arm", "right arm", "left leg", "right leg"});
    const auto named = [&](const vec3& at) {
      int nearest = 0;
      for (int v = 0; v < body.vertex_count(); ++v)
        if (glm::length(body.positions[size_t(v)] - at) < glm::length(body.positions[size_t(nearest)] - at))
          nearest = v;
      return limbs.part_in_words(nearest);
    };
    CHECK(named({0.3f, 1.28f, 0}) == "the left upper arm");
    CHECK(named({-0.6f, 0.9f, 0}) == "the right forearm");
    CHECK(named({0.1f, 0.3f, 0}) == "the left lower leg");
    CHECK(named({-0.1f, 0.65f, 0}) == "the right thigh");
    CHECK(named({0, 1.65f, 0.1f}) == "the head");
    CHECK(named({0, 1.15f, 0.1f}) == "the middle of the body");
  }

  TEST_CASE("a long body has two ends, and a ball has none that stands out") {
    CHECK(find_limbs(make_capsule(0.1f, 0.6f, 32, 12)).limbs.size() == 2);
    CHECK(find_limbs(make_sphere(0.1f)).limbs.size() < 2);
  }

  TEST_CASE("a sleeve around an arm has it in both openings, and one beside the arm in none") {
    const TriMesh body = make_body_mesh(coarse())->mesh;
    const BodyLimbs limbs = find_limbs(body);
    TriMesh tube = make_tube(0.3f, 0.1f, 0.02f);
    const auto openings = boundary_lines(tube.triangles);
    REQUIRE(openings.size() == 2);
    vec3 middle(0);
    for (const vec3& p : tube.positions) middle += p / float(tube.positions.size());
    const auto used = [&](const vec3& at) {
      std::vector<vec3> cloth = tube.positions;
      for (vec3& p : cloth) p += at - middle;
      int count = 0;
      for (const std::vector<int>& own : passages(openings, cloth, limbs, body.positions)) {
        count += is_used(own);
        if (is_used(own))
          for (size_t l = 0; l < own.size(); ++l)  // the left arm and nothing else
            CHECK(
                (own[l] != own[(l + 1) % own.size()]) ==
                (limbs.limbs[l].name == "left arm" || limbs.limbs[(l + 1) % own.size()].name == "left arm"));
      }
      return count;
    };
    CHECK(used({0.4f, 1.15f, -0.025f}) == 2);
    CHECK(used({0.4f, 1.15f, 0.4f}) == 0);
  }

  TEST_CASE("the top of a patch pocket is no opening, and a slit is one") {
    using namespace testing;
    Panel sheet = rectangle("sheet", 0.4, 0.4), ground = rectangle("ground", 0.16, 0.16);
    sheet.loops.push_back({{.start = {0.1, 0.1}},
                           {.start = {0.1, 0.26}},
                           {.start = {0.26, 0.26}},
                           {.start = {0.26, 0.1}}});  // clockwise; edges 4 to 7: left, top, right, bottom
    Panel patch = rectangle("patch", 0.16, 0.16, {0, 0, 0.05});
    Pattern p = pattern_of({sheet, ground, patch},
                           {{"bottom", {{1, 0, 0, 1}, {0, 7, 1, 0}, {2, 0, 0, 1}}},
                            {"right", {{1, 1, 0, 1}, {0, 6, 1, 0}, {2, 1, 0, 1}}},
                            {"top", {{1, 2, 0, 1}, {0, 5, 1, 0}}},
                            {"left", {{1, 3, 0, 1}, {0, 4, 1, 0}, {2, 3, 0, 1}}}},
                           0.04);
    CHECK(boundary_lines(make_garment(p, "p").mesh.triangles).size() == 1);
    p.seams.erase(p.seams.begin() + 2);  // the hole is open behind the pocket
    p.panels.pop_back();
    for (Seam& seam : p.seams) seam.sides.pop_back();
    CHECK(boundary_lines(make_garment(p, "p").mesh.triangles).size() == 2);
  }

  TEST_CASE("a garment begins in the fabric of its pattern, and pleats are dressed with dihedral bending") {
    const std::string folder = std::string(WEFT_TEST_ASSETS) + "/../assets/garments/";
    for (const auto& [name, fabric, folded] : {std::tuple("gathered_skirt.json", "cotton", false),
                                               std::tuple("pleated_skirt.json", "wool", true)}) {
      const Scene scene = dressing_scene(folder + name, {}, 0.04, coarse());
      CHECK(scene.cloths[0].fabric_name == fabric);
      CHECK(scene.cloths[0].fabric == read_fabric(fabric));
      std::vector<GarmentMesh> garments;
      std::vector<std::string> notices;
      const Scene begun = scene_of_dressing(scene, garments, notices);
      CHECK((begun.step.bending_model == int(BendingModel::dihedral)) == folded);
    }
  }

  TEST_CASE("a start that is clean, with a part of the body in each opening, stays as it is to the bit") {
    Begun b(flat_skirt(0.5, 1.05));
    const std::vector<vec3> body = b.scene.obstacles[0].frames->front();
    const std::vector<vec3> cloth = b.garments[0].mesh.positions;
    b.clear();
    CHECK(b.notices.empty());
    CHECK(b.scene.obstacles[0].frames->front() == body);
    CHECK(b.garments[0].mesh.positions == cloth);
    CHECK(b.scene.cloths[0].placement.position == vec3(0));
  }

  TEST_CASE(
      "a top whose shoulder line lies below the shoulders begins clear of them, an arm in each armhole") {
    for (const double low : {0.04, 0.08, 0.12}) {
      CAPTURE(low);
      Begun b(flat_top(1.46 - low));
      if (low > 0.05) CHECK(b.crossings().with_bodies > 0);
      b.clear();
      CHECK(b.crossings().with_bodies == 0);
      CHECK(used_openings(b) == 4);
      if (low > 0.05) CHECK(b.told().find("shoulders") != std::string::npos);
    }
  }

  TEST_CASE("sleeves that stand straight out of a flat top begin around raised arms") {
    Begun b(flat_sleeves(1.4));
    CHECK(b.crossings().with_bodies > 0);
    b.clear();
    CHECK(b.crossings().with_bodies == 0);
    CHECK(used_openings(b) == 4);
    CHECK(b.told().find("raised") != std::string::npos);
  }

  TEST_CASE("the body ends as it is, however it begins") {
    Begun b(flat_sleeves(1.36));
    const std::vector<std::vector<vec3>> before = *b.scene.obstacles[0].frames;
    b.clear();
    CHECK(b.scene.obstacles[0].frames->back() == before.back());
    CHECK(b.scene.obstacles[0].frames->front() != before.front());
  }

  TEST_CASE("patterns placed for an origin at the hips are raised, skirts and tops, and it is said") {
    for (const Pattern& pattern : {flat_skirt(-0.45, 0.1), flat_top(0.45)}) {
      Begun b(pattern);
      b.clear();
      CHECK(b.scene.cloths[0].placement.position.y == doctest::Approx(0.55 * 1.72).epsilon(0.01));
      CHECK(b.told().find("origin at the hips") != std::string::npos);
      CHECK(b.crossings().with_bodies == 0);
      CHECK(used_openings(b) == int(boundary_lines(b.garments[0].mesh.triangles).size()));
    }
  }

  TEST_CASE(
      "a skirt that is open at one side is raised from below the floor, though it is clear of the feet") {
    Pattern open = flat_skirt(-0.45, 0.1, 0.3);
    open.seams.pop_back();
    Begun b(open);
    CHECK(b.crossings().with_bodies == 0);
    b.clear();
    CHECK(b.scene.cloths[0].placement.position.y > 0.9f);
  }

  TEST_CASE("panels that overlap in one plane get layers") {
    Pattern p = flat_skirt(0.5, 1.05);
    Panel apron = p.panels[0];
    apron.name = "apron";
    for (PanelEdge& e : apron.loops[0]) e.start.x *= 0.5;
    p.panels.push_back(apron);
    Begun b(p);
    CHECK(b.crossings().of_panels > 0);
    b.clear();
    CHECK(b.crossings().of_panels == 0);
    CHECK(b.garments[0].pattern.panels[2].layer == 1);
    CHECK(b.garments[0].pattern.panels[0].layer == 0);
    CHECK(b.told().find("panel apron crosses panel front") != std::string::npos);
  }

  TEST_CASE("crossings at the start are named by panel, part of the body and place") {
    Begun b(flat_skirt(0.5, 1.05));
    b.scene.cloths[0].placement.position = {0.09f, 0, 0.18f};
    const std::string places = b.crossings().places;
    CAPTURE(places);
    CHECK(places.find("back and the ") != std::string::npos);
    CHECK(places.find("thigh near (") != std::string::npos);
  }

  TEST_CASE("a garment that fell and one around an ankle are told, one in its place is not") {
    Begun b(flat_skirt(0.5, 1.05));
    const std::vector<Heights> placed{Heights(b.garments[0].mesh.positions)};
    std::vector<vec3> worn = b.garments[0].mesh.positions;
    CHECK(faults_of_worn(b.scene, b.garments, {worn}, placed).empty());
    for (vec3& p : worn) p.y -= 0.45f;
    std::vector<std::string> faults = faults_of_worn(b.scene, b.garments, {worn}, placed);
    REQUIRE(!faults.empty());
    CHECK(faults.back().find("has fallen: its top is 0.45 m lower") != std::string::npos);

    Begun small(flat_top(1.46));  // to a fifth, around a leg
    worn = small.garments[0].mesh.positions;
    for (vec3& p : worn) p = 0.2f * p + vec3(0.1f, 0.15f, 0);
    faults = faults_of_worn(small.scene, small.garments, {worn}, {Heights(worn)});
    REQUIRE(!faults.empty());
    CAPTURE(faults.back());
    CHECK(faults.back().find("of its 4 openings have a part of the body in them") != std::string::npos);
  }
}
