// What the error of steps, or their time, is due to, and the one change that helps.
#pragma once
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "sim/run/verdict.h"

namespace weft {

/// A reason, and what to do about it. The order of kinds is that in which they are told: what is wrong before
/// what is slow.
struct StepReason {
  enum class Kind {
    crosses,        // cloth crosses itself or a body
    inside_body,    // vertices alone are kept out of bodies, and cloth between them is inside
    contact_limit,  // contact ends at its limit of steps before the cloth is where it should be
    unsolved,       // the solver ends at its limit of iterations
    pins_apart,     // pins are not where they should be
    stretched,      // edges are far beyond their length though the solver is done
    pairs,          // most of the time is contact, between many close pairs
    solver_time,    // most of the time is the solver
    contact_time,   // most of the time is contact, for other causes than many pairs
  };
  Kind kind = Kind::unsolved;
  std::string words;    // with its numbers
  std::string tooltip;  // how it is known, and what the change costs
  /// Parameters as Scene::set takes them; empty: no parameter helps, or `coarser` does.
  std::vector<std::pair<std::string, std::string>> change;
  double coarser = 1;    // factor of the edge length of all cloths, in a new run; 1: the mesh stays
  bool restart = false;  // it helps from the start of the run on only
  std::string button;    // what the change is called; empty: there is none

  bool has_change() const { return !change.empty() || coarser != 1; }
};

/// What reasons need to know of a mesh.
struct MeshFacts {
  int vertices = 0;
  double mean_edge = 0;                  // m, at rest
  std::vector<double> cloth_edges = {};  // the same of each cloth of the scene
  bool other_edges = false;              // all cloths can be made with another edge length
};
MeshFacts mesh_facts(const SceneView& view);
/// Gives the cloths of a scene with that mesh edges so many times as long, where MeshFacts::other_edges.
void scale_edges(Scene& scene, double factor, const MeshFacts& mesh);

/// Looks at the numbers of the last steps of a run.
class StepReasons {
 public:
  /// The numbers of a state; after a step back they begin anew. `stages` may be empty.
  void look(int step, const StepStats& stats, const std::vector<StageTime>& stages);
  void clear() { steps_.clear(), shares_.clear(); }
  /// Enough steps were seen for reasons.
  bool enough() const;
  /// The mean of a number of StepStats::all over the last steps; 0 where there is none.
  double mean(const std::string& name) const;
  /// Of steps with the scene's present methods. `verdict` may be nullptr. `slow`: time matters, since steps
  /// take longer than they simulate. Empty until a few steps were seen, and where nothing is to be said.
  std::vector<StepReason> reasons(const Scene& scene, const MeshFacts& mesh, const VerdictRecord* verdict,
                                  bool slow) const;

 private:
  std::deque<std::vector<std::pair<std::string, double>>> steps_;
  std::vector<std::pair<std::string, double>> shares_;  // of a step's time, of its stages at depth 1
  int last_ = -1;
};

}  // namespace weft
