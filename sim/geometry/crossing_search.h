// Which triangles of cloth cross each other or bodies, found on a device.
#pragma once
#include <vector>

#include "sim/device/buffer.h"
#include "sim/geometry/crossing_search_kernels.h"

namespace weft {

/// Looks for crossings in one state of a surface after the other. Always the answer of crossing_triangles,
/// whatever device and threads: pairs of which rounding on the device leaves it open are decided by that on
/// the host.
class CrossingSearch {
 public:
  /// `triangles` from number `own` on belong to bodies, which are not tested against each other. Their
  /// corners are numbered after the cloth's. `positions`: of the cloth and then of the bodies as they are at
  /// first, m. All memory is allocated here: some 75 bytes per triangle; throws Error without it.
  CrossingSearch(Device& device, const std::vector<vec3>& positions, std::vector<ivec3> triangles, int own,
                 int body_points);

  /// Where bodies are (m), for later searches.
  void place_bodies(const std::vector<vec3>& positions);
  /// What crosses each triangle of the cloth: bits 1 (the cloth, or it has no area) and 2 (a body). Empty:
  /// nothing crosses anywhere. `cloth`: positions on the device, m. Waits for the device.
  std::vector<int> find(Span<const vec3> cloth);

  /// Of the last find: pairs that were decided on the host.
  int open() const { return tally_.open; }
  /// Whether it left all to crossing_triangles: too many pairs were open, or cross.
  bool left_all() const { return left_all_; }

 private:
  void launch_all(const crossing_search::Surfaces& of);
  std::vector<vec3> positions(Span<const vec3> cloth) const;
  void decide(Span<const vec3> cloth, std::vector<int>& crossed) const;
  std::vector<int> on_host(Span<const vec3> cloth) const;

  Device& device_;
  std::vector<ivec3> host_triangles_;
  int own_ = 0;
  crossing_search::Leaves leaves_;
  float per_cell_ = 0;  // 1/m: cells are as wide as edges are long
  bool left_all_ = false;
  crossing_search::Tally tally_;
  Buffer<ivec3> triangle_;
  Buffer<vec3> body_;
  struct Curve {
    Buffer<uint32_t> key;
    Buffer<int> triangle;
  } curve_;
  struct Boxes {
    Buffer<surface_tree::Box> of_triangle, of_node;
  } boxes_;
  struct Results {
    Buffer<int> area, crossed;
    Buffer<ivec2> open;
    Buffer<crossing_search::Tally> tally;
  } found_;
};

}  // namespace weft
