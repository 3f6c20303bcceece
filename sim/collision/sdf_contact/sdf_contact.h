// Cloth against bodies given by signed distance: a stiff contact layer, Coulomb friction that sticks, and a projection
// at the end of the step. Vertices only; no self-collision.
#pragma once
#include "sim/collision/collision_handler.h"
#include "sim/collision/sdf_contact/sdf_contact_kernels.h"

namespace weft {

class SdfContact final : public CollisionHandler {
 public:
  /// Registers the friction memory with the state's carry.
  explicit SdfContact(StepContext& context);
  ~SdfContact() override;
  Guarantee guarantee() const override;
  unsigned emits() const override { return kAnchors; }
  void begin_step(StepContext&) override;
  void before_iteration(StepContext&, int k) override;
  void advance(StepContext&) override;
  void end_step(StepContext&) override;
  /// Planes of bodies along the ways x_n to x_n + d; `contact` remembers from look to look (clear it when a step begins).
  void find(StepContext&, Span<const vec3> d, Span<sdf_contact::Contact> contact);
  /// What launches that look at displacements d need.
  sdf_contact::FindContacts finder(StepContext&, Span<const vec3> d, Span<sdf_contact::Contact> contact);
  /// Looks again at the displacement of the context.
  void look(StepContext& c) { find(c, c.displacement.span(), contact_.span()); }
  Span<const float> contact_depth() const override { return depth_.span(); }

 private:
  State& state_;
  Buffer<sdf_contact::Contact> contact_;
  Buffer<sdf_contact::Anchor> remembered_, anchor_;  // from the last step, and as this one has them
  Buffer<float> depth_;
  Buffer<float> free_distance_;                // of one step
  Buffer<sdf_contact::Friction> friction_;     // of one step
};

}  // namespace weft
