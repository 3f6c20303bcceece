// Cloth against bodies given by signed distance: a stiff contact layer, Coulomb friction that sticks, and a
// projection at the end of the step. Vertices only; no self-collision.
#pragma once
#include "sim/collision/sdf_contact/sdf_contact_kernels.h"
#include "sim/methods/collision_handler.h"
#include "sim/scene/model/painted_friction.h"

namespace weft {

class SdfContact final : public CollisionHandler {
 public:
  /// Registers the friction memory with the state's carry.
  explicit SdfContact(StepContext& context);
  ~SdfContact() override;
  Guarantee guarantee() const override;
  void prepare(StepContext&) override;
  void begin_step(StepContext&) override;
  void before_iteration(StepContext&, int k) override;
  void advance(StepContext&) override;
  void end_step(StepContext&) override;
  /// The search for contacts at the displacement of the context.
  sdf_contact::FindContacts finder(StepContext&);
  /// After the last iteration: finds contacts at the displacement of the step.
  void evaluate(StepContext&);
  /// Distance of each vertex from all bodies at the start of the step, minus the bodies' motion in it (m).
  Span<const float> free_distance() const { return free_distance_; }
  Span<const float> field(StepContext&, std::string_view name) override {
    return name == "contact" ? depth_ : Span<float>();
  }

 private:
  void let_pinned_be(StepContext&);
  sdf_contact::AddContacts adder(StepContext&);
  PointFriction friction_of(const StepContext&) const;
  State& state_;
  Buffer<sdf_contact::Contact> contact_;
  Buffer<sdf_contact::Anchor> remembered_, anchor_;  // from the last step, and as this one has them
  Buffer<float> depth_;
  Buffer<float> free_distance_;             // of one step
  Buffer<sdf_contact::Friction> friction_;  // of one step, between iterations
  Buffer<float> reach_, next_reach_;        // see PinnedDepth
  Buffer<int> let_be_, next_let_be_, found_;
  struct {
    Buffer<int> cloth;           // of each vertex
    Buffer<float> coefficients;  // friction_coefficients
    PaintedFriction painted;
  } point_friction_;
};

}  // namespace weft
