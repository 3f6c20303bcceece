// Garments are sewn and put on: by the simulator itself, with two-way contact, from panels around a thin
// body.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/device/device.h"
#include "sim/garment/garment_mesh.h"
#include "sim/run/simulation.h"

namespace weft {

struct DressProgress {
  double share = 0;   // of the work, 0 to 1
  std::string words;  // what is being done
};

struct DressOptions {
  DeviceChoice device = DeviceChoice::automatic;
  int threads = 0;
  double finer = 0;    // m: the result at this edge length (garment/finer.h); 0: as dressed
  bool cached = true;  // results are kept in the user's cache folder, and taken from it
  std::function<void(const DressProgress&)> progress;  // on the caller's thread
  std::function<bool()> give_up;                       // asked often; true ends the work with Interrupted
  std::function<void(Simulation&)>
      state;  // every state, from the start on; then nothing is taken from the cache
  std::function<void(Simulation&)> seen;  // the same, where states are made
};

/// One garment as it is worn.
struct DressedGarment {
  std::string name;
  TriMesh mesh;  // positions in the world, m; its pattern is its rest shape (CornerTextures::is_rest)
  std::vector<int> layers;  // of its panels (Panel::layer)
  double seam_stretch = 1;  // largest length over rest length of an edge at a seam
};

struct Dressed {
  std::vector<DressedGarment> garments;  // the scene's, in their order
  std::vector<std::string> notices;
  std::vector<std::string> faults;  // what is wrong with the result: crossings, a garment off its place
  int steps = 0;
  int forward_steps = 0;  // of two-way contact, in all steps
  bool from_cache = false;
};

/// Dresses the bodies of a scene in its garments ([[garment]]), all at once. Panels start bent and placed
/// as the pattern says and further out layer by layer, joined along their seams as one mesh; bodies start
/// thin, in their pose at time 0, mannequins in their rest pose (those that have clips and a lead-in of 0
/// then go to their pose at time 0). Where that start is not clean it is changed (dress_start.h). Open rows
/// of triangles at seams pull with `sewing.tension` (seam_rows.h) while bodies grow (body_growth.h), without
/// gravity and inertia; what is still open after that is closed with the fabric's own stiffness. Then the
/// garment hangs for `sewing.settle` under gravity. With fold lines or seams that have an angle, bending is
/// dihedral. Two-way contact holds all along, so that no state crosses but where rows between panels cross at
/// the start.
///
/// With options.finer the worn garment is meshed again, lies on its own surface, and hangs for
/// `sewing.settle` once more.
///
/// Throws Error, naming panels and parts of the body, where they cross each other or the thin bodies at the
/// start, where the finer garment does, or where the scene has no garment; Interrupted where options.give_up
/// says so. Deterministic.
Dressed dress(const Scene& scene, const DressOptions& options);

/// A scene of one garment around bodies: "mannequin" or meshes (OBJ); none: a mannequin. `edge` (m): 0
/// takes the pattern's. Its fabric is the one that the pattern names, cotton without one.
Scene dressing_scene(const std::string& pattern, std::vector<std::string> bodies, double edge,
                     const MannequinParams& measures);

/// Dresses the garments of a scene that start dressed (Cloth::start), and gives them their places:
/// Cloth::mesh. A mannequin whose lead-in is as needed (below 0) gets one of 1 s, since it was dressed in its
/// rest pose. Other scenes stay as they are. Throws as dress() does. `notices` receives what dress() says,
/// faults included; `faults` these alone.
void dress_starts(Scene& scene, const DressOptions& options, std::vector<std::string>& notices,
                  std::vector<std::string>& faults);

/// A run of a scene, garments that start dressed put on before; what is said of that comes first among the
/// notices of its model. Tells WorkWatch how far it is. Throws as dress_starts() and Simulation do. `seen`
/// may look at each state of the dressing (DressOptions::seen), and may be empty.
std::unique_ptr<Simulation> open_simulation(Scene scene, Device& device,
                                            const std::function<void(Simulation&)>& seen = {});
/// The same; `faults` receives what is wrong with garments that were put on (Dressed::faults).
std::unique_ptr<Simulation> open_dressed(Scene scene, Device& device,
                                         const std::function<void(Simulation&)>& seen,
                                         std::vector<std::string>& faults);

/// Into how many parts each edge of a pattern's triangles is divided for edges of about `finer` in the world.
/// `edge`: in the pattern, which is worn at this scale. All lengths in m.
int divisions(double edge, double scale, double finer);

/// What dress() simulates at its beginning: garments as placed, thin bodies, two-way contact.
Scene scene_of_dressing(const Scene& scene, std::vector<GarmentMesh>& garments,
                        std::vector<std::string>& notices);

}  // namespace weft
