// The contacts of a backward step (Wang 2023, section 4.2): pairs near enough to touch, as constraints that
// push the target y.
#pragma once
#include "sim/collision/contact_terms/surface_directions.h"
#include "sim/collision/free_path/free_path_options.h"
#include "sim/collision/free_path/step_kernels.h"
#include "sim/collision/proximity/triangle_search.h"
#include "sim/methods/contact_pair.h"

namespace weft {

class StepContacts {
 public:
  /// The surface must outlive this.
  StepContacts(GrowingLists& lists, const ContactSurface& surface);

  /// Allocates for so many known pairs, and for the means of visit_all() where `jacobi`. Not within a
  /// recorded sequence.
  void prepare(int pairs, bool jacobi);
  /// Of all points, m; `start`: where they were when the time step began; `moved`: in the last forward step.
  struct State {
    Span<const vec3> x, start;
    Span<vec3> y;
    Span<const float> inverse_mass, moved;
    Span<two_way::Progress> progress;
  };
  /// What counts as a contact.
  struct Rule {
    two_way::Kept kept;
    float free = 0, least = 0;  // m: see MarkContacts
    two_way::FrictionMode mode = two_way::FrictionMode::none;
    bool body_friction = true;
    PartRadii parts = {};
  };
  void clear() { count_.clear(); }
  /// Finds contacts among the pairs that `search` knows.
  void find(const TriangleSearch& search, const State& state, const Rule& rule,
            const FreePathOptions& options);
  /// One iteration of projected Gauss-Seidel, colour by colour; or of Jacobi.
  void visit_in_colors(const State& state);
  void visit_all(const State& state);

  /// Per point, for visit_in_colors(); to be cleared before each backward step.
  Span<int> claim() { return claim_; }
  /// At `x`, at most this many, from all over the cloth. Waits for the device.
  std::vector<ContactPair> pairs(int most, const Buffer<vec3>& x) const;
  int moves() const { return moves_; }

 private:
  void give_room(int contacts);
  template <class Parts>
  void find(const TriangleSearch& search, const State& state, const Rule& rule,
            const FreePathOptions& options, const Parts& parts);

  Device& device_;
  const ContactSurface& surface_;
  SurfaceDirections directions_;
  int moves_ = 0;
  Buffer<int64_t> sums_;
  Buffer<int> claim_, flags_, index_, found_, count_, done_;
  Buffer<two_way::Contact> contact_;  // with done_: of the pairs in contact, a few of those that are near
  GrowingList list_;
};

}  // namespace weft
