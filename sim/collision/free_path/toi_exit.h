// The exit of the paper: all cloth goes the same share of its path, up to the first time of impact.
#pragma once
#include <functional>

#include "sim/collision/free_path/exit_kernels.h"
#include "sim/collision/proximity/triangle_search.h"
#include "sim/device/buffer.h"

namespace weft {

/// Points are those of a ContactSurface. Allocates nothing after construction and reads nothing on the host.
class ToiExit {
 public:
  /// Both must outlive the exit.
  ToiExit(Device&, const ContactSurface&, TriangleSearch&);
  /// `radius`, `margin`: as in TriangleSearch::find, m. `filter`: share of the time of impact that is taken.
  void prepare(float radius, float margin, float filter, int most_pieces);
  void begin_step();
  /// Moves the cloth from base + `displacement` towards base + `target`, and bodies from `body` towards their
  /// targets. Writes back how far they came. `parts`: radii, see WidePairImpacts. `most`: pieces of the path;
  /// 0: those of prepare().
  void run(Span<const vec3> base, Span<vec3> displacement, Span<const vec3> target, Span<vec3> body,
           const PartRadii& parts, int most = 0);
  /// Positions and targets of all points, m.
  Span<const vec3> x() const { return x_; }
  /// Positions on the host; waits for the device.
  std::vector<vec3> x_on_host() const { return x_.download(); }
  Span<const vec3> aim() const { return y_; }
  Span<const ndb::ExitProgress> progress() const { return progress_; }
  /// The same on the host; waits for the device.
  ndb::ExitProgress course() const { return progress_.download()[0]; }
  /// For checks, on a CPU device: called with the positions of all points wherever the path has a corner.
  void watch_path(std::function<void(const std::vector<vec3>&)> watcher) { watcher_ = std::move(watcher); }

 private:
  void piece(int most, const PartRadii& parts);
  void find_impact(const PartRadii& parts);
  Device& device_;
  const ContactSurface& surface_;
  TriangleSearch& search_;
  float radius_ = 0, margin_ = 0, filter_ = 0.9f;
  int most_pieces_ = 1;
  std::function<void(const std::vector<vec3>&)> watcher_;
  Buffer<vec3> x_, y_, end_;
  Buffer<float> path_, farthest_, impact_;
  Buffer<ndb::ExitProgress> progress_;
};

}  // namespace weft
