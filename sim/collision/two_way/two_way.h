// Two-way collision handling (Wang et al. 2023): the solver's target is moved back to where contact allows
// it, and the cloth forward along a path without crossings, until they meet.
#pragma once
#include "sim/collision/lift_out.h"
#include "sim/collision/two_way/two_way_steps.h"
#include "sim/methods/collision_handler.h"

namespace weft {

class TwoWay final : public CollisionHandler, private ContactMerit {
 public:
  explicit TwoWay(StepContext& context);
  ~TwoWay() override;
  Guarantee guarantee() const override { return {Protection::intersection_free, Protection::intersection_free, 0}; }
  unsigned emits() const override { return kAnchors; }
  bool self_collision() const override { return true; }
  void prepare(StepContext&) override;
  void plan(int iterations) override { iterations_ = iterations; }
  void begin_step(StepContext&) override;
  void before_iteration(StepContext&, int k) override;
  void after_iteration(StepContext&, int k) override;
  void advance(StepContext&) override;
  void end_step(StepContext&) override;
  bool fits() override;
  void shrink_lists_for_test() override { steps_.search().take_room(), memory_.take_room(); }
  uint64_t revision() const override { return uint64_t(steps_.moves() + memory_.moves()); }
  Span<const float> contact_depth() const override { return depth_.span(); }
  CollisionNumbers numbers(StepContext&) override;
  std::vector<ContactPair> contact_pairs(StepContext&, int most) override;
  Span<const float> bound(StepContext&) override;
  std::vector<LaggingBody> lagging_bodies(StepContext&) override;
  std::vector<std::string> remarks(const CollisionNumbers&) const override;
  std::vector<std::pair<std::string, int>> counts() override;
  TwoWaySteps& steps() { return steps_; }
  const ContactSurface& surface() const { return surface_; }

 private:
  int merit_count() const override { return steps_.merit_count(); }
  void merit(StepContext&, Span<const vec3> p, float length, Span<float> out) override;
  void handle(StepContext&);
  void watch_path(Device&);
  void make_terms(StepContext&);
  void set_elastic(StepContext&);
  void look_at_state(StepContext&);
  float lag(StepContext&, bool of_bodies);
  State& state_;
  Stencils& stencils_;
  ContactSurface surface_;
  Buffer<vec3> body_;         // actual positions of the bodies' points; part of the carry
  Buffer<vec3> body_now_;     // the same while a step is being tried
  TwoWaySteps steps_;
  FrictionMemory memory_;
  TwoWayParams params_;
  std::vector<float> stiffness_;  // N/m, per cloth: source of elastic_
  Buffer<float> elastic_;     // N/m, per vertex
  Buffer<vec3> safe_;         // displacement of the crossing-free cloth
  Buffer<vec3> taken_;  // m: difference to the solver's displacement in the last step; part of the carry
  Buffer<vec3> taken_now_;
  Buffer<float> depth_;       // m by which each vertex is nearer than the activation distance
  Buffer<float> bound_;       // m, per vertex; computed on request
  Buffer<float> lag_;         // m, per point: distance from its scripted place
  Buffer<float> worst_lag_;
  float body_lag_ = -1;       // m, of the last step; -1: not computed yet
  int handled_ = 0, iterations_ = 1;
  uint64_t made_ = ~uint64_t(0);  // revision of the state to which the last step led
  bool coupled_ = false;      // the solver takes stencils
  LiftOut lifted_;            // for the last state that did not result from a step
  int lifted_at_ = -1;        // State::step then
  bool crosses_ = false;      // some pairs are left out
};

}  // namespace weft
