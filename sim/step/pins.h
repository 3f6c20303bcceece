// Vertices that move by command: pins of the scene with their scripted motion, and pins made by hand.
#pragma once
#include <map>
#include <vector>

#include "sim/methods/step_context.h"
#include "sim/step/surface_pins.h"

namespace weft {

struct PinVertex;
struct HandPin;

namespace kinematics {

/// Prescribes displacements: entry i moves vertex[i] to target[i].
struct Prescribe {
  Span<const int> vertex;
  Span<const vec3> target;
  Span<const vec3> position;
  Span<int> kinematic;
  Span<vec3> displacement;
  HD void operator()(int i) const {
    kinematic[vertex[i]] = 1;
    displacement[vertex[i]] = target[i] - position[vertex[i]];
  }
};

}  // namespace kinematics

class Kinematics {
 public:
  /// `start`: world positions at the start of the scene, which outlive this. Throws Error for a pin that
  /// names no vertex.
  Kinematics(Device& device, const Model& model, State& state, const Scene& scene,
             const std::vector<vec3>& start);
  ~Kinematics();
  /// Writes StepContext::kinematic and kinematic_displacement for the step that ends at `time`.
  void prescribe(StepContext&, double time);
  /// Pins a vertex where it is (`position`) or at a place that is named, or frees it, whoever pinned it. With
  /// `as_scene` a vertex that a pin of the scene held and that was freed belongs to that pin again instead.
  /// From where it is it moves to its pin from the time of the state on.
  void set_pin(const PinVertex& pin, const vec3& position);
  /// Pins stay; those made by hand hold their vertices where these start.
  void back_to_start();
  std::vector<int> pinned(double time) const;
  /// How far the motion of the scene's pins takes a vertex from `time` to `time + dt` at most, m; of pins
  /// that do not take cloth along (Teleports).
  float way(double time, float dt) const;
  /// The same of one pin.
  float way_of(int pin, double time, float dt) const;
  /// The vertices that a pin of the scene holds.
  std::vector<int> held_by(int pin, double time) const;
  std::vector<HandPin> hand_pins() const;
  /// The scene's pins as they stand: untouched groups as written, hand-made pins as one group more per cloth.
  std::vector<Pin> pins_to_save() const;

 private:
  struct Group {
    std::vector<int> vertices;  // of the model
    std::vector<vec3> start;
    Motion motion;
    float release_time = -1;
    std::shared_ptr<const SurfacePins> body;  // whose surface it follows; then `motion` does not count
    int obstacle = -1;                        // that body
    /// Where its vertices are held at a time, m.
    std::vector<vec3> at(const Scene& scene, double time) const;
  };
  /// A vertex that is on its way to its pin.
  struct Return {
    vec3 from{0};
    double since = 0;                                                      // s
    float speed = 0;                                                       // m/s
    float done(double time) const { return speed * float(time - since); }  // m
  };
  /// Where pins hold their vertices.
  std::map<int, vec3> places(double time) const;
  void gather(double time, std::vector<int>& vertices, std::vector<vec3>& targets) const;
  void forget_arrived(double time);
  std::vector<unsigned char> save() const;
  void restore(const std::vector<unsigned char>&);
  bool of_scene(int vertex) const;

  Device& device_;
  const Model& model_;
  State& state_;
  const Scene& scene_;
  const std::vector<vec3>& start_;
  std::vector<Group> groups_;
  std::map<int, vec3> hand_pins_;  // vertex -> where it is held
  std::map<int, bool> freed_;      // vertices of groups that were freed by hand
  std::map<int, Return> returning_;
  Buffer<int> vertex_;
  Buffer<vec3> target_;
};

}  // namespace weft
