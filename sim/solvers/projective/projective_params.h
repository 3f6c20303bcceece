#pragma once
#include "sim/base/params.h"

namespace weft {

enum class ProjectiveStart { velocity, inertia };
enum class ProjectiveAcceleration { off, chebyshev, anderson };
/// Products u_jᵀ u_j of a vertex' modes: formed where they are summed, or made in advance.
enum class ModeProducts { formed, stored };
/// How the reduced system under contact is solved.
enum class ReducedSolve { elimination, inverse };

/// Projective dynamics: iterations of one step, and how each solves its linear system (Lan 2024, sections 3
/// and 5).
struct ProjectiveParams {
  bool operator==(const ProjectiveParams&) const = default;
  int iterations = 20;
  int start = int(ProjectiveStart::velocity);
  int jacobi = 20;
  int rank = 0;
  float damping = 0;
  int modes = 100;
  int reused_modes = 30;
  int products = int(ModeProducts::formed);
  int reduced = int(ReducedSolve::elimination);
  int acceleration = int(ProjectiveAcceleration::anderson);
  float chebyshev_rho = 0.9f;
  int anderson_window = 8;

  void describe(ParamVisitor& v);
};

}  // namespace weft
