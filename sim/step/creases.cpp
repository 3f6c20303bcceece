#include "sim/step/creases.h"

#include <algorithm>
#include <cstring>

#include "sim/mesh/bending/hinge_weights.h"
#include "sim/scene/solids.h"
#include "sim/solvers/crease_kernels.h"

namespace weft {
namespace {
constexpr const char* kPart = "rest angles";
}

Creases::Creases(StepContext& context) : c_(context) {
  c_.state.carry(
      kPart, [this] { return save(); }, [this](const std::vector<unsigned char>& b) { restore(b); }, true);
}

void Creases::make_room() {
  if (!uncreased_.empty() || c_.model.host.hinges.empty()) return;
  std::vector<float> angles = rest_angles(c_.model.host);
  c_.state.rest_angle = Buffer<float>(c_.device, kPart, angles);
  uncreased_ = std::move(angles);
}

void Creases::prepare() {
  const Scene& scene = c_.scene;
  active_ = BendingModel(scene.step.bending_model) == BendingModel::dihedral &&
            !c_.model.host.hinges.empty() &&
            std::any_of(scene.cloths.begin(), scene.cloths.end(),
                        [](const Cloth& c) { return c.fabric.crease_yield > 0; });
  if (!active_) return;
  make_room();
  std::vector<float> yields;
  for (int p = 0; p < part_count(scene); ++p) yields.push_back(surface_of(scene, p).crease_yield);
  if (yields == yields_) return;
  const Topology& t = c_.model.host;
  std::vector<float> most = hinge_lengths(t);
  for (size_t h = 0; h < most.size(); ++h) {
    const float yield = yields[t.vertex_part[t.hinges[h].x]];
    most[h] = yield > 0 ? yield * most[h] : -1;
  }
  if (hinges_.empty()) hinges_ = Buffer<Hinge>(c_.device, "hinges", t.hinges);
  most_ = Buffer<float>(c_.device, "crease yields", most);
  yields_ = std::move(yields);
}

void Creases::finish_step() {
  if (!active_) return;
  launch(c_.device, "creases", hinges_.size(),
         creases::Yield{hinges_, c_.state.position, most_, c_.state.rest_angle});
}

void Creases::back_to_start() {
  if (!uncreased_.empty()) c_.state.rest_angle.upload(uncreased_);
}

/// Nothing where no hinge has creased: such a state is that of cloth which does not.
std::vector<unsigned char> Creases::save() const {
  if (uncreased_.empty()) return {};
  const std::vector<float> angles = c_.state.rest_angle.download();
  if (angles == uncreased_) return {};
  const auto* bytes = reinterpret_cast<const unsigned char*>(angles.data());
  return {bytes, bytes + angles.size() * sizeof(float)};
}

void Creases::restore(const std::vector<unsigned char>& bytes) {
  if (bytes.empty()) return back_to_start();
  std::vector<float> angles(c_.model.host.hinges.size());
  if (bytes.size() != angles.size() * sizeof(float)) State::refuse_size(kPart);
  make_room();
  std::memcpy(angles.data(), bytes.data(), bytes.size());
  c_.state.rest_angle.upload(angles);
}

}  // namespace weft
