// Impact zones (Tang et al. 2018, I-Cloth): the solver moves the cloth at once; impacts of the straight way there are found, grouped into
// zones and removed by the least motion, until none is left.
#pragma once
#include "sim/collision/impact_zones/impact_rounds.h"
#include "sim/collision/lift_out.h"
#include "sim/methods/collision_handler.h"

namespace weft {

class ImpactZones final : public CollisionHandler {
 public:
  explicit ImpactZones(StepContext& context);
  ~ImpactZones() override;
  Guarantee guarantee() const override;
  unsigned emits() const override { return kAnchors; }
  bool self_collision() const override { return true; }
  void prepare(StepContext&) override;
  void begin_step(StepContext&) override;
  void advance(StepContext&) override;
  void end_step(StepContext&) override;
  bool fits() override;
  bool wants_smaller_step() override;
  void shrink_lists_for_test() override { rounds_.shrink_for_test(); }
  uint64_t revision() const override { return uint64_t(rounds_.moves()) * 2 + (may_ask_ ? 1 : 0); }
  CollisionNumbers numbers(StepContext&) override;
  std::vector<LaggingBody> lagging_bodies(StepContext&) override;
  std::vector<std::string> remarks(const CollisionNumbers&) const override;
  std::vector<std::pair<std::string, int>> counts() override;
  ImpactRounds& rounds() { return rounds_; }

 private:
  void look_at_state(StepContext&);
  void keep_path(StepContext&);

  State& state_;
  ContactSurface surface_;
  Buffer<vec3> body_;      // actual positions of the bodies' points; part of the carry
  Buffer<vec3> body_now_;  // the same while a step is being tried
  ImpactRounds rounds_;
  ImpactZonesParams params_;
  LiftOut lifted_;
  int lifted_at_ = -1;
  bool crosses_ = false;   // some pairs are left out
  bool unclean_ = false;   // a state was published with impacts, and none without crossings since; part of the carry
  bool may_ask_ = false;   // for a smaller step
  int parts_ = 1;
  uint64_t made_ = ~uint64_t(0);
};

}  // namespace weft
