// The moving part of a run: positions, velocities, time, and the carry: everything else that survives a step.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/device/buffer.h"

namespace weft {

/// A copy of a whole State, on the host.
struct Snapshot {
  int step = 0;
  double time = 0;
  std::vector<std::pair<std::string, std::vector<unsigned char>>> parts;  // named, in order of registration
};

/// State of a simulation. Hash, snapshot, rollback and replay cover all of it. A module that keeps data from
/// one step to the next registers it here once, by name.
class State {
 public:
  explicit State(Device& device, int vertices)
      : position(device, "position", vertices), velocity(device, "velocity", vertices) {
    carry("position", position);
    carry("velocity", velocity);
  }
  State(const State&) = delete;

  Buffer<vec3> position;  // m
  Buffer<vec3> velocity;  // m/s
  // per hinge: rest angle, rad, where cloth creases (sim/step/creases.h); empty: of the rest shape
  Buffer<float> rest_angle;
  // per pair of Topology::stitched: 1 while its thread holds, else 0 (sim/step/stitch_release.h)
  Buffer<float> stitch_hold;
  int step = 0;
  double time = 0;        // s
  uint64_t revision = 0;  // greater after each step, and wherever the state is replaced by another

  /// Registers a device buffer. The buffer must outlive the state or be dropped with `forget`.
  template <class T>
  void carry(const std::string& name, Buffer<T>& buffer) {
    parts_.push_back({name,
                      [&buffer] {
                        const auto values = buffer.download();
                        const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
                        return std::vector<unsigned char>(bytes, bytes + values.size() * sizeof(T));
                      },
                      [name, &buffer](const std::vector<unsigned char>& bytes) {
                        std::vector<T> values(static_cast<size_t>(buffer.size()));
                        if (bytes.size() != values.size() * sizeof(T)) refuse_size(name);
                        std::copy(bytes.begin(), bytes.end(),
                                  reinterpret_cast<unsigned char*>(values.data()));
                        buffer.upload(values);
                      }});
  }
  /// Registers host data through a pair of functions. An `optional` part is left out of snapshots and of the
  /// hash where `save` returns nothing; where a snapshot lacks it `restore` is given nothing.
  void carry(const std::string& name, std::function<std::vector<unsigned char>()> save,
             std::function<void(const std::vector<unsigned char>&)> restore, bool optional = false) {
    parts_.push_back({name, std::move(save), std::move(restore), optional});
  }
  /// Throws the Error of a part that is of another scene.
  [[noreturn]] static void refuse_size(const std::string& part);
  void forget(const std::string& name) {
    std::erase_if(parts_, [&](const Part& p) { return p.name == name; });
  }

  Snapshot save() const;
  /// Throws Error if a registered part is missing from the snapshot, has a wrong size, or contradicts the
  /// scene; the state is then unchanged.
  void restore(const Snapshot& snapshot);
  /// Over every registered part, step and time.
  uint64_t hash() const;

 private:
  struct Part {
    std::string name;
    std::function<std::vector<unsigned char>()> save;
    std::function<void(const std::vector<unsigned char>&)> restore;
    bool optional = false;
  };
  void restore_parts(const Snapshot& snapshot);
  std::vector<Part> parts_;
};

/// Snapshots on disk: a small header and raw bytes. Throw Error naming the file.
void write_snapshot(const std::string& path, const Snapshot& snapshot);
Snapshot read_snapshot(const std::string& path);
/// True for a file that begins as snapshots do.
bool is_snapshot(const std::string& path);

}  // namespace weft
