// Handles: springs by which a mouse or a script pulls at the cloth.
#pragma once
#include <algorithm>
#include <vector>

#include "sim/methods/step_context.h"
#include "sim/scene/command.h"
#include "sim/step/handle_view.h"

namespace weft {

namespace handles {

/// Point that a handle holds: sum of weights times positions, at x_n + d.
struct HandlePoint {
  Span<const int> vertex;
  Span<const float> weight;
  Span<const vec3> position, d;
  Span<vec3> point;  // one element
  int slot = 0;
  HD void operator()(int) const {
    vec3 p(0);
    for (int i = 0; i < vertex.size; ++i) p += weight[i] * (position[vertex[i]] + d[vertex[i]]);
    point[slot] = p;
  }
};

/// The same, of many vertices: what each of them adds to the sum.
struct HandleShare {
  Span<const int> vertex;
  Span<const float> weight;
  Span<const vec3> position, d;
  Span<vec3> share;
  HD void operator()(int i) const { share[i] = weight[i] * (position[vertex[i]] + d[vertex[i]]); }
};

/// k/2 |target - point|² whose force is capped, as anchors. The vertices of one handle are distinct.
struct Pull {
  Span<const int> vertex;
  Span<const float> weight;
  Span<const vec3> point, target_of;
  int slot = 0;
  float stiffness = 0, force_limit = 0;
  Span<const vec3> d;
  Span<Sym3> anchor_weight;
  Span<vec3> anchor_force;
  HD void operator()(int i) const {
    const vec3 pull = target_of[slot] - point[slot];
    const float length = sqrtf(glm::dot(pull, pull));
    const float k = stiffness * length > force_limit ? force_limit / length : stiffness;
    const int v = vertex[i];
    // The Hessian k w wᵀ is bounded by its row sums, k w_i, since the weights sum to 1.
    const float hold = k * weight[i];
    anchor_weight[v].add_identity(hold);
    anchor_force[v] += hold * (pull + d[v]);
  }
};

}  // namespace handles

/// m/s: a handle whose hand is faster than the simulation (GrabMove::speed_factor) follows it no faster than
/// this, or than the speed limit where that is higher.
constexpr float kFastestHandle = 8;

/// m/s, of a handle or body that follows a hand with such a factor on its speed.
inline float hand_speed(const DragParams& drag, float factor) {
  return std::max(drag.speed_limit, std::min(drag.speed_limit * factor, kFastestHandle));
}

/// At once: each is launched by itself, in every iteration.
constexpr int kMostHandles = 256;

/// All live handles. Their targets are part of the state's carry.
class Handles {
 public:
  Handles(Device& device, const Model& model, State& state, const Scene& scene);
  ~Handles();
  /// Throws Error for a triangle or weights that do not exist, and beyond kMostHandles. `positions` is the
  /// current state, on the host.
  void begin(const GrabBegin& grab, const std::vector<vec3>& positions);
  /// The same for vertices; throws where there are none, or one is named twice.
  void begin(const GrabVertices& grab, const std::vector<vec3>& positions);
  void move(const GrabMove& move);
  void end(const GrabEnd& end);
  void clear();

  /// Starts and ends scripted drags that are due.
  void run_script(double time, const std::vector<vec3>& start_positions);
  bool script_due(double time) const;
  /// True while somebody, or a script, drags: a handle was moved in the last second of simulated time. One
  /// that was left in place only holds.
  bool dragged() const;
  /// Uploads where the targets are at the end of the step: no further than the speed limit allows.
  void prepare(StepContext&, const DragParams&);
  /// Changes when the launches of add_anchors do, targets aside.
  uint64_t revision() const { return revision_; }
  /// Adds the handles' springs at d.
  void add_anchors(StepContext&, const DragParams&);
  /// After a successful step: targets have moved.
  void finish_step(double time, float dt, const DragParams&);
  std::vector<HandleView> views(const StepContext&, const DragParams&);
  /// As part of State.
  std::vector<unsigned char> save() const;
  void restore(const std::vector<unsigned char>&);

 private:
  struct Handle {
    int id = 0;
    int script = -1;         // index into Scene::drags, -1 for a person's
    vec3 goal{0};            // where the hand is
    vec3 target{0};          // follows the goal within the speed limit
    float speed_factor = 1;  // on the speed limit, of the last move
    vec3 script_start{0};
    double moved = -1e30;  // simulated time of its last move, s; of a restored state: none yet
    std::vector<int> vertices;
    std::vector<float> weights;
    Buffer<int> vertex;
    Buffer<float> weight;
    Buffer<vec3> share;  // of a wide brush
  };
  Handle make(int id, std::vector<int> vertices, std::vector<float> weights,
              const std::vector<vec3>& positions);
  /// Makes room for one more. Throws where that is one too many.
  void take_place_of(int id);
  vec3 next_target(const Handle&, float dt, const DragParams&) const;
  void upload(Handle&);
  void find_point(StepContext&, Handle&, int slot);
  int grabbed_vertex(const ScriptedDrag&, const std::vector<vec3>& start_positions) const;

  Device& device_;
  const Model& model_;
  State& state_;
  const Scene& scene_;
  std::vector<Handle> handles_;
  std::vector<char> script_done_;
  Buffer<vec3> points_, targets_;
  uint64_t revision_ = 0;
};

}  // namespace weft
