#include "sim/scene/model/fold_notices.h"

#include <fmt/format.h>

#include <cmath>

#include "sim/energies/dihedral_hinge.h"
#include "sim/mesh/bending/hinge_weights.h"

namespace weft {
namespace {

constexpr double kSharp = 60 * M_PI / 180;  // rad, between triangles
constexpr int kManyFolds = 20;              // edges: what fewer of them do is seen at once

const char* model_name(BendingModel model) {
  return model == BendingModel::quadratic  ? "quadratic bending"
         : model == BendingModel::meshless ? "meshless bending"
                                           : "dihedral bending";
}

/// Edges of a cloth whose angle at the start is sharp, and further than that from their rest angle.
int opening_edges(const Topology& t, int cloth, const std::vector<vec3>& start,
                  const std::vector<float>& rest) {
  int count = 0;
  for (size_t i = 0; i < t.hinges.size(); ++i) {
    const Hinge& h = t.hinges[i];
    if (t.vertex_part[h.x] != cloth) continue;
    Edges<double, 4> edges;
    for (int p = 1; p < 4; ++p) edges[p - 1] = lane_vector(dvec3(start[h[p]]) - dvec3(start[h.x]));
    const double theta = hinge_angle(edges).theta, opens = rest.empty() ? 0 : double(rest[i]);
    if (std::abs(theta) > kSharp && std::abs(angle_change<double>(theta, opens)) > kSharp) ++count;
  }
  return count;
}

std::string of_file(const Scene& scene, const Topology& t, int cloth, const std::vector<vec3>& start) {
  const BendingModel model = BendingModel(scene.step.bending_model);
  const Cloth& c = scene.cloths[cloth];
  if (c.shape != ClothShape::obj || model == BendingModel::meshless) return {};
  const bool dihedral = model == BendingModel::dihedral;
  const int opening = opening_edges(t, cloth, start, dihedral ? rest_angles(t) : std::vector<float>());
  if (opening < kManyFolds) return {};
  const std::string found = fmt::format(
      "cloth {}: {} of its edges are folded by more than 60 degrees in the file and open, because ", c.name,
      opening);
  const bool keeps = c.rest.angles == RestAngles::From::vertices ||
                     (c.rest.angles == RestAngles::From::rest_shape && c.rest.shape == "shape");
  if (dihedral) return found + "their rest angles are 0; rest_angles = \"file\" keeps them";
  return found + "quadratic bending has flat rest shapes; step.bending_model = \"dihedral\"" +
         (keeps ? " keeps them" : " with rest_angles = \"file\" keeps them");
}

}  // namespace

std::vector<std::string> fold_notices(const Scene& scene, const Topology& t, const std::vector<vec3>& start) {
  std::vector<std::string> notices;
  const BendingModel model = BendingModel(scene.step.bending_model);
  for (int i = 0; i < int(scene.cloths.size()); ++i) {
    const Cloth& c = scene.cloths[i];
    if (std::string words = of_file(scene, t, i, start); !words.empty()) notices.push_back(std::move(words));
    const auto unknown = [&](const char* what) {
      notices.push_back(
          fmt::format("cloth {}: {} without effect, since {} does not know them; "
                      "step.bending_model = \"dihedral\" does",
                      c.name, what, model_name(model)));
    };
    if (model != BendingModel::dihedral && !t.parts[i].rest_angles.folds.empty())
      unknown("its fold lines are");
    if (model != BendingModel::dihedral && c.fabric.crease_yield > 0) unknown("creases (crease_yield) are");
    if (model == BendingModel::meshless && c.fabric.bending().x != c.fabric.bending().y)
      notices.push_back(
          fmt::format("cloth {}: weft_bending_rigidity is without effect, since meshless bending "
                      "is the same along warp and weft; quadratic and dihedral bending know it",
                      c.name));
  }
  return notices;
}

}  // namespace weft
