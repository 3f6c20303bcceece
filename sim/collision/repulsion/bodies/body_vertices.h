// Bodies as vertices that collision handling keeps the cloth away from, as if they were cloth that moves by
// command.
#pragma once
#include <vector>

#include "sim/mesh/shapes/sampled_surface.h"
#include "sim/methods/collision_handler.h"
#include "sim/methods/step_context.h"

namespace weft {

/// The bodies' surfaces, sampled with edges that are shorter than cloth's may become; planes are left out.
/// Vertices follow the bodies under the limits of collision steps: their positions are state. Arrays are
/// those of the cloth with the bodies' behind.
class BodyVertices {
 public:
  /// `longest`: maximum edge between samples (m). Throws Error for bodies that are too large for it.
  BodyVertices(StepContext& context, float longest);
  ~BodyVertices();
  BodyVertices(const BodyVertices&) = delete;

  int count() const { return position_.size(); }
  float longest() const { return longest_; }
  /// Numbers within the bodies' vertices; only of bodies that move, since others' keep their lengths.
  const std::vector<ivec2>& edges() const { return edges_; }
  /// Adds the edges of bodies that have begun to move, by hand. True if there are any.
  bool take_moving(const Scene& scene);
  /// Uploads where the step leads to. Not from within a recorded sequence.
  void prepare(StepContext&);
  /// Gathers positions and motion of the step.
  void begin_step(StepContext&);
  Span<const vec3> positions() const { return all_position_; }
  Span<const int> kinematic() const { return all_kinematic_; }
  /// `displacement` of the cloth, followed by the motion of bodies in the whole step.
  Span<const vec3> displacements(Device&, Span<const vec3> displacement);
  /// After the step; `u`: displacements of all.
  void end_step(Device&, Span<const vec3> u);
  /// All positions between two steps.
  Span<const vec3> positions_now(StepContext&);
  /// Largest distance of a vertex from where its body is (m), after the last step. Waits for the device.
  float lag(Device&);
  /// Bodies with a vertex that lags by more than kShownLag: their meshes, moved with the nearest vertices.
  /// `after_step`: a step, not a snapshot, led to the present state. Waits for the device.
  std::vector<LaggingBody> lagging(StepContext&, bool after_step);
  /// Of each body vertex its obstacle, in Scene::obstacles.
  std::vector<int> obstacles() const;

 private:
  void place(StepContext&);
  void begin_where_they_jump(StepContext&);
  struct Body {
    int obstacle = 0, first = 0;
    SampledSurface surface;
    std::vector<vec3> local;  // samples of a rigid body
    bool moves = false;
    std::vector<int> nearest;  // per vertex of its mesh: the nearest of `surface`; made when it first lags
  };
  void add(const Scene& scene, const TriMesh& mesh, int obstacle);
  void pose(StepContext&, bool at_end, std::vector<vec3>& out) const;
  std::vector<unsigned char> save() const;
  void restore(const std::vector<unsigned char>&);

  State& state_;
  int cloth_ = 0;
  float longest_ = 0;
  bool moves_ = false, placed_ = false;
  std::vector<Body> bodies_;
  std::vector<ivec2> edges_;
  std::vector<vec3> target_now_;
  Buffer<vec3> position_, target_, all_position_, all_displacement_;
  Buffer<int> all_kinematic_;
  Buffer<float> lag_, most_;
};

}  // namespace weft
