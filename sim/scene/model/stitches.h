// Stitches: threads that hold two sides of a cut, a seam, or points together until they are let go.
//
//      before          held               let go
//     --------     ---o  o---           ---o      o---
//                      ~~ thread of length l
//
// Where a line of a cloth is stitched, its mesh is cut along it: each vertex of the line becomes one for each
// side, a little apart, and a thread (sim/energies/stitch.h) joins them. Seams that no stitch names are
// welded.
#pragma once
#include <string>
#include <vector>

#include "sim/base/params.h"
#include "sim/mesh/topology.h"

namespace weft {

class TomlTable;
struct Scene;

/// A place of a cloth: share of its width and height, as ScriptedDrag::at; the nearest vertex is meant.
struct StitchPoint {
  std::string cloth;  // empty: the first
  vec2 at{0.5f, 0.5f};
  bool operator==(const StitchPoint&) const = default;
};

/// One entry of the list: what it holds is one of seam, cut and points.
struct StitchParams {
  bool operator==(const StitchParams&) const = default;
  std::string name = "stitch";
  std::string cloth;                // of seam and cut; empty: the first
  std::string seam;                 // of a garment: seams and buttons of that name
  std::vector<vec2> cut;            // a line along edges of the mesh, from point to point, as StitchPoint::at
  std::vector<StitchPoint> points;  // a button: the first is joined to each other one
  float distance = 0.002f;          // m, between the two sides of a thread at the start, at least
  float release = -1;               // s; negative: never
  bool held = true;                 // false: let go, for good
};

/// The stitches of a scene: one of its blocks of parameters (Scene::of). stitch.NAME.release and
/// stitch.NAME.held act in a run.
struct StitchList {
  std::vector<StitchParams> list;
  bool operator==(const StitchList&) const = default;
  void describe(ParamVisitor& v);
};

/// The [[stitch]] tables of a file whose cloths `scene` has. Throws Error "file:line".
std::vector<StitchParams> read_stitches(TomlTable& root, const Scene& scene);
/// As [[stitch]] tables that read back to the same values.
std::string stitches_as_toml(const std::vector<StitchParams>& stitches);

/// Cuts meshes of a scene's cloths, in their order, where stitches ask for it: further vertices come last.
/// Returns the pairs, vertices of all cloths counted one after the other. Throws Error for what there is not
/// in the meshes.
std::vector<StitchedPair> stitch_cloths(const Scene& scene, const std::string& folder,
                                        std::vector<TriMesh>& meshes);

/// Why a solver that knows no stitches cannot run a scene; empty if it has none.
std::string why_no_stitches(const Scene& scene, const std::string& solver);

}  // namespace weft
