// Vertex repulsion (Wu et al. 2020): parts of the cloth more than two edges apart never cross, because their
// vertices keep the distance L / sqrt(2).
#pragma once
#include "sim/collision/repulsion/bodies/body_vertices.h"
#include "sim/collision/repulsion/bodies/find_body_planes.h"
#include "sim/collision/repulsion/collision_steps.h"
#include "sim/collision/repulsion/momentum/island_momentum.h"
#include "sim/collision/repulsion/repulsion_numbers.h"
#include "sim/collision/sdf_contact/sdf_contact.h"
#include "sim/methods/collision_handler.h"

namespace weft {

class Repulsion final : public CollisionHandler {
 public:
  explicit Repulsion(StepContext& context);
  ~Repulsion() override;
  Guarantee guarantee() const override;
  ContactTraits traits(const Scene&) const override;
  void prepare(StepContext&) override;
  Schedule plan(int iterations) override;
  void begin_step(StepContext&) override;
  void before_iteration(StepContext&, int k) override;
  void end_round(StepContext&, int round) override;
  void advance(StepContext&) override;
  void end_step(StepContext&) override;
  uint64_t revision() const override { return uint64_t(steps_->moves()) + (uint64_t(builds_) << 32); }
  Span<const float> field(StepContext& c, std::string_view name) override {
    return name == "phase" ? steps_->phase() : bodies_.field(c, name);
  }
  CollisionNumbers numbers(StepContext&) override;
  std::vector<ContactPair> contact_pairs(StepContext& c, int most) override;
  std::vector<ActiveSample> active_samples(StepContext& c, int most) override;
  std::vector<LaggingBody> lagging_bodies(StepContext& c) override;
  std::vector<std::string> remarks(const CollisionNumbers&) const override;
  CollisionSteps& steps() { return *steps_; }

 private:
  void find_planes(StepContext&, Span<const vec3> u, Span<const vec3> target, float reach);
  CollisionSteps::FindPlanes plane_finder(StepContext&);
  void couple(StepContext&);
  void settle_lengths(StepContext&);
  void build(StepContext&);
  void set_friction(StepContext&);
  void settle_bodies(StepContext&);
  bool clear_of_bodies(StepContext&);
  std::string remark_on_lengths() const;
  Span<const vec3> positions_now(StepContext&);
  Span<const vec3> displacements(StepContext&);
  bool couples() const;
  static bool guards(const RepulsionParams& p) { return p.hard_phase && p.limits; }
  bool moves_together() const;
  State& state_;
  const Scene& scene_;
  std::unique_ptr<BodyVertices> body_vertices_;  // nullptr unless switched on
  std::unique_ptr<CollisionSteps> steps_;
  SdfContact bodies_;
  RepulsionNumbers numbers_;
  IslandMomentum momentum_;
  struct Lookouts {
    Buffer<repulsion::Lookout> now, before;
  } lookout_;             // of this step, and of the group of collision steps that may be repeated
  Buffer<vec3> blocked_;  // of this step: distance by which constraints held x back in the last group
  Buffer<vec3> push_;     // direction and length by which constraints held x back last; part of the carry
  // lambda of the phantom mesh, N (part of the state's carry), and its value after the step
  Buffer<vec3> multiplier_, raised_;
  /// Whether the state fulfils the premises of the safety argument: edges below L (or with samples), pairs B
  /// apart.
  enum class Lengths { settled, edges_too_long, pairs_too_near, taken_over };
  Lengths lengths_ = Lengths::settled;
  // cloth has come as far from body vertices and planes as it has to be for the promise about bodies
  bool clear_ = true;
  int clear_of_ = 0;        // the build for which that was tested
  float kept_ = 1e30f;      // m; see RepulsionConstants
  RepulsionParams params_;  // in force: lengths may be those from before a slider was moved
  int taken_ = 0, iterations_ = 1, builds_ = 0, friction_of_ = 0;
  std::vector<float> friction_;   // coefficients that were uploaded for the build `friction_of_`
  uint64_t made_ = ~uint64_t(0);  // revision of the state to which the last step led
  bool guarded_ = false;          // that step had hard phase and limits
  float dt_ = 0;                  // s, of the last step
};

}  // namespace weft
