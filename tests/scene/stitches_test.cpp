// Stitches of scenes: read, written, set, and what they make of meshes.
#include "sim/scene/model/stitches.h"

#include <doctest/doctest.h>

#include "sim/base/error.h"
#include "sim/scene/model/model.h"
#include "sim/scene/text/scene_file.h"
#include "tests/support/text.h"

using namespace weft;
using testing::contains;

namespace {

const std::string kCloths =
    "[[cloth]]\nname = \"left\"\nsize = [0.4, 0.4]\nedge = 0.05\npattern = \"square\"\n"
    "[[cloth]]\nname = \"right\"\nsize = [0.4, 0.4]\nedge = 0.05\npattern = \"square\"\nposition = [0.5, 0, "
    "0]\n";

Scene scene_with(const std::string& stitches) { return parse_scene(kCloths + stitches, "s.toml"); }

std::vector<StitchedPair> pairs_of(const Scene& scene, int* vertices = nullptr) {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  std::vector<vec3> start;
  const Model model(scene, *device, start);
  CHECK(start.size() == model.host.rest.size());
  if (vertices) *vertices = model.vertex_count();
  return model.host.stitched;
}

std::string fault(const std::string& stitches) {
  try {
    pairs_of(scene_with(stitches));
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_SUITE("scene") {
  TEST_CASE("stitches are read, set by their keys and written again") {
    Scene s = scene_with(
        "[[stitch]]\nname = \"hem\"\ncloth = \"right\"\ncut = [[0, 0.25], [0.5, 0.25], [1, 0.5]]\nrelease = "
        "2\n"
        "distance = 0.003\n"
        "[[stitch]]\npoints = [{ cloth = \"left\", at = [1, 0.5] }, { cloth = \"right\", at = [0, 0.5] }]\n"
        "held = false\n");
    const std::vector<StitchParams>& list = s.of<StitchList>().list;
    REQUIRE(list.size() == 2);
    CHECK(list[0].cut.size() == 3);
    CHECK(list[0].release == 2);
    CHECK(list[1].name == "stitch2");
    CHECK(list[1].points[1] == StitchPoint{"right", {0, 0.5f}});
    CHECK(parse_scene(write_scene(s), s.path) == s);
    s.set("stitch.hem.release", "4.5");
    s.set("stitch.stitch2.held", "true");
    CHECK(s.of<StitchList>().list[0].release == 4.5f);
    CHECK(s.of<StitchList>().list[1].held);
    CHECK(parse_scene(write_scene(s), s.path) == s);
  }

  TEST_CASE("a cut runs along edges from border to border and joins its sides by a thread each") {
    int vertices = 0;
    const auto pairs =
        pairs_of(scene_with("[[stitch]]\ncloth = \"right\"\ncut = [[0.5, 0], [0.5, 1]]\n"), &vertices);
    CHECK(pairs.size() == 9);
    CHECK(vertices == 2 * 81 + 9);
    for (const StitchedPair& p : pairs) {
      CHECK(p.vertices.x >= 81);
      CHECK(p.vertices.y >= 162);
      CHECK(std::abs(p.length - 0.002f) < 1e-5f);
    }
  }

  TEST_CASE("a button joins the nearest vertices of two cloths at the distance at which they start") {
    const auto pairs =
        pairs_of(scene_with("[[stitch]]\npoints = [{ cloth = \"left\", at = [1, 0.5] }, { cloth = \"right\", "
                            "at = [0, 0.5] }]\n"));
    REQUIRE(pairs.size() == 1);
    CHECK(pairs[0].vertices.x < 81);
    CHECK(pairs[0].vertices.y >= 81);
    CHECK(std::abs(pairs[0].length - 0.1f) < 1e-3f);
  }

  TEST_CASE("stitches of a garment hold a seam or a button of its pattern by its name") {
    const std::string garment =
        "[[garment]]\nname = \"bag\"\nedge = 0.03\nstart = \"placed\"\n"
        "[[garment.panel]]\nname = \"front\"\noutline = [{ at = [0, 0] }, { at = [0.2, 0] }, { at = [0.2, "
        "0.2] }, "
        "{ at = [0, 0.2] }]\n"
        "[[garment.panel]]\nname = \"back\"\nposition = [0, 0, -0.05]\noutline = [{ at = [0, 0] }, { at = "
        "[0.2, 0] "
        "}, { at = [0.2, 0.2] }, { at = [0, 0.2] }]\n"
        "[[garment.seam]]\nname = \"side\"\nsides = [{ panel = \"front\", edge = 1 }, { panel = \"back\", "
        "edge = 1 "
        "}]\n"
        "[[garment.button]]\nname = \"clasp\"\npoints = [{ panel = \"front\", at = [0.06, 0.1] }, { panel = "
        "\"back\", at = [0.06, 0.1] }]\n";
    int welded = 0, stitched = 0;
    CHECK(pairs_of(parse_scene(garment, "s.toml"), &welded).empty());
    const auto pairs = pairs_of(parse_scene(garment + "[[stitch]]\nseam = \"side\"\n"
                                                      "[[stitch]]\nname = \"front\"\nseam = \"clasp\"\n",
                                            "s.toml"),
                                &stitched);
    CHECK(pairs.size() == size_t(stitched - welded));
    CHECK(pairs.size() > 6);
    CHECK(pairs.back().stitch == 1);
    CHECK(contains(fault("[[stitch]]\nseam = \"side\"\n"), "has no seams"));
    try {
      pairs_of(parse_scene(garment + "[[stitch]]\nseam = \"sids\"\n", "s.toml"));
      CHECK(false);
    } catch (const Error& e) {
      CHECK(contains(e.what(), "did you mean side?"));
    }
  }

  TEST_CASE("a stitch that means nothing is refused") {
    CHECK(contains(fault("[[stitch]]\n"), "holds a seam, a cut, or points"));
    CHECK(contains(fault("[[stitch]]\ncut = [[0, 0]]\n"), "two points or more"));
    CHECK(contains(fault("[[stitch]]\ncut = [[0, 0], [1, 2]]\n"), "s.toml"));
    CHECK(contains(fault("[[stitch]]\npoints = [{ at = [0, 0] }]\n"), "joins two points or more"));
    CHECK(contains(fault("[[stitch]]\npoints = [{ at = [0, 0] }, { at = [0.01, 0] }]\n"), "one vertex"));
    CHECK(contains(fault("[[stitch]]\ncloth = \"lift\"\ncut = [[0, 0], [1, 1]]\n"), "did you mean left?"));
    CHECK(contains(fault("[[stitch]]\ncut = [[0, 0.5], [0.02, 0.5]]\n"), "cuts nothing"));
    CHECK(contains(
        fault("[[stitch]]\ncut = [[0, 0], [1, 1]]\n[[stitch]]\nname = \"stitch1\"\ncut = [[0, 1], [1, "
              "0]]\n"),
        "two stitches"));
  }
}
