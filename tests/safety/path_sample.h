// A sample of the straight pieces of the path that a collision method takes within time steps, under the
// continuous check.
#pragma once
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/collision/surface/path.h"
#include "sim/methods/method_table.h"
#include "tests/safety/paths.h"
#include "tests/safety/scene_trials.h"

namespace weft::check {

/// Of every `period`th step at most `pieces` pieces, chosen by chance.
struct PathSample {
  int period = 10, pieces = 6;
};

/// What was found on the pieces.
struct PathTrial {
  int steps = 0, corners = 0, pieces = 0, touching = 0;
  double farthest = 0;  // m: the longest path of a point in a piece that was checked
  std::string first_contact;
};

/// The path of one time step: corners of the cloth and, with contact between triangles, of the bodies'
/// meshes, and the state that was published in the end.
class StepPath {
 public:
  /// Takes a step, which is not checked for how it would be replayed. Throws where the path does not begin at
  /// the state before, and is not that of the last part of a step in parts (KeepPath) either, which ends at
  /// the state that is published.
  StepPath(Simulation& sim) {
    const bool verify = sim.device().verify_replays;
    const std::vector<vec3> before = sim.positions();
    sim.device().verify_replays = false;
    {
      const KeepPath keep(corners);
      sim.step();
    }
    sim.device().verify_replays = verify;
    if (corners.empty()) throw std::logic_error("this method tells nothing of its path");
    bool whole_step = true;
    for (size_t i = 0; i < before.size(); ++i) whole_step = whole_step && corners[0][i] == dvec3(before[i]);
    // Storing positions rounds: that way is a piece like others.
    std::vector<dvec3> published = corners.back();
    const std::vector<vec3> after = sim.positions();
    for (size_t i = 0; i < after.size() && !whole_step; ++i)
      if (glm::length(published[i] - dvec3(after[i])) > 1e-6)
        throw std::logic_error("a path begins somewhere else than the state");
    std::copy(after.begin(), after.end(), published.begin());
    corners.push_back(std::move(published));
    triangles = sim.model().host.triangles;
    cloth_triangles = int(triangles.size());
    // the points behind the cloth are samples, of no triangle
    if (collision_methods()[size_t(sim.scene().step.collision)].name == "repulsion") return;
    Whole whole(sim);
    if (whole.positions.size() != corners[0].size())
      throw std::logic_error("the path has other points than the bodies' meshes");
    triangles = std::move(whole.triangles), cloth_triangles = whole.cloth_triangles;
  }
  Path corners;
  std::vector<ivec3> triangles;
  int cloth_triangles = 0;
};

inline void look_at_pieces(const StepPath& path, int most, std::mt19937& random, PathTrial& out) {
  ++out.steps;
  out.corners += int(path.corners.size());
  std::vector<size_t> chosen(path.corners.size() - 1);
  for (size_t k = 0; k < chosen.size(); ++k) chosen[k] = k;
  std::shuffle(chosen.begin(), chosen.end(), random);
  chosen.resize(std::min(chosen.size(), size_t(most)));
  for (const size_t k : chosen) {
    const std::span<const dvec3> from(path.corners[k]), to(path.corners[k + 1]);
    ++out.pieces;
    for (size_t i = 0; i < from.size(); ++i)
      out.farthest = std::max(out.farthest, glm::length(to[i] - from[i]));
    const std::vector<PathContact> contacts =
        find_path_contacts(from, to, {std::span<const ivec3>(path.triangles), path.cloth_triangles});
    if (contacts.empty() || out.touching++) continue;
    const PathContact& c = contacts[0];
    out.first_contact = "step " + std::to_string(out.steps) + " of those looked at, piece " +
                        std::to_string(k) + " of " + std::to_string(path.corners.size() - 1) + ": " +
                        (c.edges ? "edges " : "vertex and triangle ") + std::to_string(c.vertices[0]) + " " +
                        std::to_string(c.vertices[1]) + " " + std::to_string(c.vertices[2]) + " " +
                        std::to_string(c.vertices[3]) + (c.body ? " (body)" : "");
  }
}

/// Takes steps, and checks the path of every `period`th.
class PathSampler {
 public:
  PathSampler(Simulation& sim, std::mt19937& random, PathSample sample = {})
      : sim_(sim), random_(random), sample_(sample) {}
  void step() {
    if (++step_ % sample_.period) return sim_.step();
    look_at_pieces(StepPath(sim_), sample_.pieces, random_, found);
  }
  PathTrial found;

 private:
  Simulation& sim_;
  std::mt19937& random_;
  PathSample sample_;
  int step_ = 0;
};

}  // namespace weft::check
