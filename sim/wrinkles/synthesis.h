// Wrinkles of one cloth on top of coarse frames (Wang 2021, sections 3, 4 and 6).
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/collision/bodies/bodies.h"
#include "sim/grid/descent/grid_problem.h"
#include "sim/grid/sewn_surface.h"
#include "sim/scene/params.h"
#include "sim/wrinkles/wrinkle_settings.h"

namespace weft::wrinkles {

/// A cloth whose coarse frames get wrinkles.
struct CoarseCloth {
  std::string name;
  TriMesh mesh;  // topology and material coordinates; positions do not matter
  FabricParams fabric;
};

/// What a synthesis takes, known before it is made.
struct SynthesisNeed {
  int64_t vertices = 0;  // of the finest level
  int64_t slots = 0;     // of all levels
  size_t bytes = 0;      // on the device, at most: with every block gathered
  double bytes_per_vertex() const { return double(bytes) / double(vertices > 0 ? vertices : 1); }
};

/// How a level of the last frame was solved.
struct LevelReport {
  int iterations = 0;   // outer ones
  int accelerated = 0;  // of these with momentum (Chebyshev's omega above 1)
  int returns = 0;      // how often F had grown, so that the positions before came back
  double energy = 0;    // F at the end, J
};

/// One at a time: make it, then for each frame `solve` or `carry`, then `positions`. Frames are those of the
/// coarse mesh, one position per vertex (m). The same input gives the same bits for any number of threads. No
/// freedom from crossings is promised; `certify` says of a result whether it has any.
class Synthesis {
 public:
  /// Throws Error where settings are out of range, the mesh has no material coordinates that a grid can lie
  /// on, or memory does not suffice.
  Synthesis(Device& device, const CoarseCloth& cloth, const WrinkleSettings& settings);
  ~Synthesis();
  static SynthesisNeed need(const CoarseCloth& cloth, const WrinkleSettings& settings);

  /// Bodies that the wrinkles of the next frames keep clear of (eq. 10), at the end of their step; what the
  /// view shows must last as long. At first there are none.
  void set_bodies(const BodiesView& bodies) { bodies_ = bodies; }

  /// Synthesises the wrinkles of a frame, from those of the last one if settings say so and there is one.
  void solve(const std::vector<vec3>& coarse);
  /// Puts the wrinkles of the frame that was solved last on another one, as they are (section 7.2). Throws
  /// Error before the first.
  void carry(const std::vector<vec3>& coarse);
  /// The wrinkles of the frame that was solved last, apart from its motion: displacements of the finest level
  /// (m), for `carry` of another synthesis of the same cloth with the same settings. Throws Error before the
  /// first.
  std::vector<vec3> wrinkles();
  /// The same as `carry` with wrinkles that another has solved. Throws Error for those of another cloth.
  void carry(const std::vector<vec3>& coarse, const std::vector<vec3>& wrinkles);
  /// The next frame starts from its coarse surface.
  void forget();

  /// The surface of the finest level, up to the panels' outlines, and where its vertices are, m.
  const grid::SewnSurface& surface() const { return surface_; }
  /// Throws Error where one is not finite.
  std::vector<vec3> positions() const;

  /// Called between iterations with the share of the frame that is done. May throw, which leaves the frame
  /// undefined.
  std::function<void(double)> progress;

  /// Of the frame that was solved last; waits for the device. 0: the finest level.
  LevelReport report(int level);

  int level_count() const { return levels_.count(); }
  /// 0: the finest.
  const grid::Grid& grid(int level) const { return levels_[level]; }
  block_descent::GridProblem& problem(int level);
  const grid::GridPositions& frame(int level) const;
  size_t bytes() const;

 private:
  struct Level;
  void resample(const std::vector<vec3>& coarse);
  void keep_wrinkles();
  void put_wrinkles(const std::vector<vec3>& coarse);
  void write_rest(int level);
  void start(int level);
  void place_frame(int level);
  void put_ghosts(int level, grid::GridPositions& x);
  float seam_angle() const;
  void approach(int level);
  void prepare(int level);
  float body_reach(int level) const;
  void find_planes(int level, const grid::FixedPositions& at);
  void leave_bodies();
  void place_outline();
  void find_contacts(int level, int iterations);
  void tether(int level);
  void iterate(int level, int iterations);

  Device& device_;
  WrinkleSettings settings_;
  grid::GridLevels levels_;
  std::vector<std::unique_ptr<Level>> level_;
  Buffer<ivec3> triangles_;
  Buffer<vec3> coarse_;
  Buffer<GatherRow> gathers_;
  Buffer<vec2> line_shifts_;           // GatherView::shift
  GatherView gather_view_, stitches_;  // the second is empty if no gather is stitched
  grid::SewnSurface surface_;
  std::unique_ptr<grid::OutlineVertices> outline_;  // of the surface; none: it has none
  /// What the last frame left: displacements on the coarsest level, and on the finest, once `carry` needs
  /// them; empty: none.
  struct Last {
    Buffer<vec3> local, carried;
    bool solved = false;
  } last_;
  BodiesView bodies_;
};

}  // namespace weft::wrinkles
