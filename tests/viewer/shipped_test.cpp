#include "viewer/session/shipped.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/viewer/opened_session.h"

using namespace weft;
using namespace weft::testing;

namespace {

std::vector<NamedFabric> all_fabrics() {
  Shipped shipped([](const std::string& fault) { FAIL(fault); });
  return shipped.fabrics();
}

}  // namespace

TEST_CASE("a tuned fabric is told by the one that it shares most values with") {
  const std::vector<NamedFabric> fabrics = all_fabrics();
  FabricParams denim = read_fabric("denim");
  CHECK(fabrics[size_t(matching_fabric(fabrics, denim))].name == "denim");
  denim.bending_rigidity *= 1.3f;
  CHECK(matching_fabric(fabrics, denim) == -1);
  CHECK(fabric_tuned_from(fabrics, denim, "cotton") == "denim");
  for (const NamedFabric& fabric : fabrics)
    CHECK(fabric_tuned_from(fabrics, fabric.values, "own") == fabric.name);
}

TEST_CASE("a scene that got another fabric is saved under that fabric's name") {
  Opened opened;
  Session& session = opened.session;
  const std::string cloth = session.scene().cloths[0].name;
  std::vector<std::pair<std::string, std::string>> values;
  for (const auto& [key, text] : fabric_texts(read_fabric("denim")))
    values.emplace_back(cloth + "." + key, text);
  session.change("Fabric: denim", values);
  session.change("Mass", {{cloth + ".bending_rigidity", "0.0002"}});
  const std::string path = session.save_path();
  session.save({});
  REQUIRE(std::filesystem::exists(path));
  const Scene saved = read_scene(path);
  CHECK(saved.cloths[0].fabric_name == "denim");
  CHECK(saved.cloths[0].fabric.bending_rigidity == doctest::Approx(0.0002));
  CHECK(saved.cloths[0].fabric.thickness == doctest::Approx(read_fabric("denim").thickness));
  std::filesystem::remove(path);
}

TEST_CASE("a paper's preset replaces another's, and the scene's own values come back") {
  Shipped shipped([](const std::string& fault) { FAIL(fault); });
  Scene scene;
  scene.cloths.emplace_back();
  const ParamTable params = scene.params();
  const auto own = [](const ParamRef& ref) { return ref.default_text(); };
  const std::vector<PaperPreset>& papers = shipped.papers();
  for (int i = -1; i < int(papers.size()); ++i) {
    Scene set;
    set.cloths.emplace_back();
    for (const auto& [key, text] : paper_values(papers, (i + 1) % int(papers.size()), params, own))
      set.set(key, text);
    for (const auto& [key, text] : paper_values(papers, i, params, own)) set.set(key, text);
    CAPTURE(i);
    if (i < 0) CHECK(set == scene);
    else CHECK(has_settings(set, papers[size_t(i)]));
  }
}

TEST_CASE("a preset whose solver does not take the cloth changes nothing at all") {
  Opened opened;
  Session& session = opened.session;
  const std::string before = session.params().find("block_descent.iterations")->text();
  session.change("Wang 2021", {{"block_descent.iterations", "1024"}, {"step.solver", "\"block_descent\""}});
  CHECK(opened.heard("needs grids of squares"));
  CHECK(session.params().find("block_descent.iterations")->text() == before);
  CHECK(session.params().find("step.solver")->text() == "\"newton\"");
  CHECK(session.history().undo_label().empty());
}
