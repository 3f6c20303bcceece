// Impact zones (Tang et al. 2018, I-Cloth): the solver moves the cloth at once; impacts of the straight path
// there are found, grouped into zones and removed by the least motion, until none is left.
#pragma once
#include <array>

#include "sim/collision/contact_terms/contact_terms.h"
#include "sim/collision/impact_zones/impact_rounds.h"
#include "sim/methods/collision_handler.h"

namespace weft {

class ImpactZones final : public CollisionHandler {
 public:
  explicit ImpactZones(StepContext& context);
  ~ImpactZones() override;
  Guarantee guarantee() const override;
  ContactTraits traits(const Scene&) const override { return {.among_cloth = true}; }
  void prepare(StepContext&) override;
  void begin_step(StepContext&) override;
  void before_iteration(StepContext&, int k) override;
  void advance(StepContext&) override;
  void end_step(StepContext&) override;
  bool wants_smaller_step() override;
  uint64_t revision() const override;
  CollisionNumbers numbers(StepContext&) override;
  Span<const float> field(StepContext&, std::string_view name) override {
    if (name == "let_through") return points_.passed_cloth();
    return name == "contact" ? depth_ : Span<float>();
  }
  std::vector<ContactPair> contact_pairs(StepContext&, int most) override;
  std::vector<LaggingBody> lagging_bodies(StepContext&) override;
  std::vector<std::string> remarks(const CollisionNumbers&) const override;
  ImpactRounds& rounds() { return rounds_; }

 private:
  void examine(StepContext&, bool of_step);
  void keep_path(StepContext&);
  void find_depths(StepContext&);
  float activation() const;
  float usual_activation() const;
  float onset() const;
  std::array<PairList, 2> pairs() const { return {search_.vertex_triangle(), search_.edge_edge()}; }

  State& state_;
  ContactPoints points_;
  TriangleSearch search_;  // of pairs for terms
  ImpactRounds rounds_;
  ContactTerms terms_;
  ImpactZonesParams params_;
  Buffer<vec3> safe_;  // displacement at which terms are made: none
  // m, per vertex of the cloth: how much nearer than the onset of contact something is
  Buffer<float> depth_;
  bool may_ask_ = false;  // for a smaller step
  bool unclean_ =
      false;       // a state was published with impacts, and none without crossings since; part of the carry
  int parts_ = 1;  // of the last time step
  bool far_ = false;  // it has parts because targets were too far away
};

}  // namespace weft
