#pragma once

namespace weft {

/// Limit on the motion of a vertex in one forward step (Wang 2023, section 5).
enum class ForwardBound { planes, half_distance };
enum class ContactForm { volume, gap };
/// Direction of a contact: the normal of smooth surfaces, or each pair's shortest segment (the paper).
enum class ContactNormals { surface, segments };
/// What a backward step does for its constraints; gauss_seidel_5: five iterations instead of one.
enum class LcpSolver { gauss_seidel, jacobi, gauss_seidel_5 };
/// Where friction acts: at each contact, or as a filter of the solver's target (section 6.3).
enum class FrictionBy { contact, velocity_filter };

/// How points are taken from a state without crossings towards a target (Wang 2023, algorithm 1, table 2).
struct FreePathOptions {
  bool operator==(const FreePathOptions&) const = default;
  int step_limit = 512;      // L
  float threshold = 1e-4f;   // epsilon
  float activation = 1e-3f;  // delta, m
  float search_min = 0;      // D^min, m; 0: from the mesh
  float search_max = 0;      // D^max, m; 0: from the mesh
  float stretch = 1.01f;     // sigma
  float damping = 0.9f;      // gamma
  int bound = int(ForwardBound::planes);
  bool together = true;
  int form = int(ContactForm::volume);
  int normals = int(ContactNormals::surface);
  int lcp = int(LcpSolver::gauss_seidel);
  float repulsion = 30;
  float self_friction = 0.3f;
  int friction_by = int(FrictionBy::contact);
};

}  // namespace weft
