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
  unsigned emits() const override { return kAnchors; }
  bool self_collision() const override { return true; }
  void prepare(StepContext&) override;
  void plan(int iterations) override;
  void begin_step(StepContext&) override;
  Span<const int> iteration_flag() const override;
  void before_iteration(StepContext&, int k) override;
  void after_iteration(StepContext&, int k) override;
  void advance(StepContext&) override;
  void end_step(StepContext&) override;
  Span<const float> phase() const override { return points_.phase(); }
  uint64_t revision() const override {
    return uint64_t(steps_.moves() + contacts_.moves()) * 2 + points_.let_through();
  }
  Span<const float> contact_depth() const override { return contacts_.depth(); }
  Span<const float> age() const override { return contacts_.shown_age(); }
  CollisionNumbers numbers(StepContext&) override;
  std::vector<ContactPair> contact_pairs(StepContext&, int most) override;
  Span<const float> bound(StepContext&) override;
  std::vector<LaggingBody> lagging_bodies(StepContext&) override;
  std::vector<std::string> remarks(const CollisionNumbers&) const override;
  std::vector<std::pair<std::string, int>> counts() override;

 private:
  bool by_planes() const { return params_.exit == int(NdbExit::planes); }
  bool each_round() const { return params_.advance == int(NdbAdvance::each_round); }
  bool round_ends(int k) const;
  void start_again(StepContext&);
  void detect(StepContext&, bool first);
  void move(StepContext&, int most_pieces = 0);
  void watch_path(Device&, bool record);
  void measure(StepContext&, Buffer<vec3>& before, bool round);
  Span<const vec3> x() const { return by_planes() ? steps_.x() : toi_.x(); }
  Span<const vec3> aim() const { return by_planes() ? steps_.aim() : toi_.aim(); }
  float gap() const { return steps_.activation() + steps_.slack(); }
  StartLengths start_lengths() const { return {steps_.activation(), steps_.mean_edge(), steps_.margin()}; }

  State& state_;
  ContactPoints points_;
  TwoWaySteps steps_;  // the exit by planes, and the search
  NdbContacts contacts_;
  ToiExit toi_;
  NdbParams params_;
  float size_ = 0;  // m, of the cloth
  int iterations_ = 1, warm_ = 0;
  bool coupled_ = false;                // the solver takes stencils
  bool iterations_end_ = false;         // where changes are small
  bool found_ = false;                  // contacts of this step have been found
  Path* path_ = nullptr;                // where the step's path is recorded, or nullptr
  Buffer<vec3> safe_;                   // displacement of the crossing-free cloth
  Buffer<vec3> target_;                 // the solver's last displacement
  Buffer<vec3> before_, round_before_;  // the solver's displacement an iteration and a round ago
  Buffer<vec3> forward_, forward_now_;  // m/s²: f_rf over mass; the first is part of the carry
  Buffer<float> change_, largest_change_, bound_;
};

}  // namespace weft
