// Two-way collision handling (Wang et al. 2023): the solver's target is moved back to where contact allows
// it, and the cloth forward along a path without crossings, until they meet.
#pragma once
#include "sim/collision/contact_terms/contact_terms.h"
#include "sim/collision/free_path/two_way_steps.h"
#include "sim/collision/two_way/two_way_params.h"
#include "sim/methods/collision_handler.h"

namespace weft {

class TwoWay final : public CollisionHandler {
 public:
  explicit TwoWay(StepContext& context);
  Guarantee guarantee() const override { return {Protection::intersection_free, points_.bodies_kept(), 0}; }
  ContactTraits traits(const Scene&) const override { return {.among_cloth = true}; }
  void prepare(StepContext&) override;
  Schedule plan(int iterations) override;
  void begin_step(StepContext&) override;
  void before_iteration(StepContext&, int k) override;
  void end_round(StepContext&, int round) override;
  void advance(StepContext&) override;
  void end_step(StepContext&) override;
  uint64_t revision() const override {
    return uint64_t(steps_.moves() + terms_.moves()) * 2 + points_.let_through();
  }
  Span<const float> field(StepContext&, std::string_view name) override;
  CollisionNumbers numbers(StepContext&) override;
  std::vector<ContactPair> contact_pairs(StepContext&, int most) override;
  std::vector<LaggingBody> lagging_bodies(StepContext&) override;
  std::vector<std::string> remarks(const CollisionNumbers&) const override;
  TwoWaySteps& steps() { return steps_; }
  const ContactSurface& surface() const { return points_.surface(); }

 private:
  void make_terms(StepContext&);
  void handle(StepContext&);
  void watch_path(Device&);
  StartLengths start_lengths() const { return {steps_.activation(), steps_.mean_edge(), steps_.margin()}; }
  ContactPoints points_;
  TwoWaySteps steps_;
  ContactTerms terms_;
  TwoWayParams params_;
  Buffer<vec3> safe_;    // displacement of the crossing-free cloth
  Buffer<float> depth_;  // m by which each vertex is nearer than the activation distance
  Buffer<float> bound_;  // m, per vertex; computed on request
};

}  // namespace weft
