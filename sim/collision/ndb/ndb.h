// Non-distance barriers (Lan et al. 2024): contact as quadratic terms whose weights grow with the number of
// iterations that they last, between few full detections; and an exit that crosses nothing.
#pragma once
#include "sim/collision/free_path/toi_exit.h"
#include "sim/collision/free_path/two_way_steps.h"
#include "sim/collision/ndb/ndb_contacts.h"
#include "sim/methods/collision_handler.h"

namespace weft {

class Ndb final : public CollisionHandler {
 public:
  explicit Ndb(StepContext& context);
  ~Ndb() override;
  Guarantee guarantee() const override { return {Protection::intersection_free, points_.bodies_kept(), 0}; }
  ContactTraits traits(const Scene&) const override { return {.among_cloth = true, .weights_grow = true}; }
  void prepare(StepContext&) override;
  Schedule plan(int iterations) override;
  void begin_step(StepContext&) override;
  void before_iteration(StepContext&, int k) override;
  void after_iteration(StepContext&, bool round_ends) override;
  void end_round(StepContext&, int round) override;
  void advance(StepContext&) override;
  void end_step(StepContext&) override;
  uint64_t revision() const override {
    return uint64_t(steps_.moves() + contacts_.moves()) * 2 + points_.let_through();
  }
  Span<const float> field(StepContext&, std::string_view name) override;
  CollisionNumbers numbers(StepContext&) override;
  std::vector<ContactPair> contact_pairs(StepContext&, int most) override;
  std::vector<LaggingBody> lagging_bodies(StepContext&) override;
  std::vector<std::string> remarks(const CollisionNumbers&) const override;

 private:
  bool by_planes() const { return params_.exit == int(NdbExit::planes); }
  bool each_round() const { return params_.advance == int(NdbAdvance::each_round); }
  void start_again(StepContext&);
  void begin_round(StepContext&);
  void detect(StepContext&, bool first);
  void move(StepContext&, int most_pieces = 0);
  void watch_path(Device&, bool record);
  void measure(StepContext&, Buffer<vec3>& before, bool round);
  Span<const vec3> x() const { return by_planes() ? steps_.x() : toi_.x(); }
  Span<const vec3> aim() const { return by_planes() ? steps_.aim() : toi_.aim(); }
  float gap() const { return steps_.activation() + steps_.slack(); }
  bool rigid() const { return !points_.surface().rigid().empty(); }  // whether there are rigid bodies
  StartLengths start_lengths() const { return {steps_.activation(), steps_.mean_edge(), steps_.margin()}; }

  State& state_;
  ContactPoints points_;
  TwoWaySteps steps_;  // the exit by planes, and the search
  NdbContacts contacts_;
  ToiExit toi_;
  NdbParams params_;
  float size_ = 0;                      // m, of the cloth
  int warm_ = 0;                        // iterations before contact is found
  bool coupled_ = false;                // the solver takes stencils
  bool iterations_end_ = false;         // where changes are small
  Path* path_ = nullptr;                // where the step's path is recorded, or nullptr
  Buffer<vec3> safe_;                   // displacement of the crossing-free cloth
  Buffer<vec3> target_;                 // the solver's last displacement
  Buffer<vec3> before_, round_before_;  // the solver's displacement an iteration and a round ago
  Buffer<vec3> forward_, forward_now_;  // m/s²: f_rf over mass; the first is part of the carry
  Buffer<float> change_, largest_change_, bound_;
};

}  // namespace weft
