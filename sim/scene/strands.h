// Strands of a scene: hair, threads and loops, simulated with the cloth.
#pragma once
#include <string>
#include <vector>

#include "sim/scene/scene.h"

namespace weft {

enum class StrandShape { patch, body, ring, file };

/// What a strand resists with.
struct StrandMaterial {
  bool operator==(const StrandMaterial&) const = default;
  float density = 5e-4f;  // kg/m
  float stretch = 20;     // N: force over strain
  float bending = 1e-7f;  // N m²
};

struct StrandParams {
  bool operator==(const StrandParams&) const = default;
  StrandParams();
  std::string name = "hair";
  // patch: roots on a rectangle (size, in x and z), strands along y; body: roots on the surface of `body`,
  // strands along its normals; ring: closed loops, `spacing` apart along x, every other one turned; file: the
  // lines ("l") of an OBJ file
  StrandShape shape = StrandShape::patch;
  std::string body;       // obstacle; of that shape
  std::string file;       // of that shape
  vec2 size{0.2f, 0.2f};  // m
  float spacing = 0;      // m, of rings; 0: two thirds of their diameter, as links of a chain
  int count = 30;
  float length = 0.25f;  // m; of a ring its circumference
  int segments = 12;
  float curl = 0;    // m, radius of a helix about the strand's line; turns of 8 segments
  float cap = 0.2f;  // body: least cosine between its normals and up where strands grow
  Placement placement;
  StrandMaterial material;
  // what a strand has of a fabric: friction, thickness (its diameter), damping and look; it resists nothing
  FabricParams skin;
};

/// The strands of a scene: one of its blocks of parameters (Scene::of); strands.NAME.bending and the like.
struct StrandList {
  std::vector<StrandParams> list;
  bool operator==(const StrandList&) const = default;
  void describe(ParamVisitor& v);
};

/// Names of the values of StrandShape.
const std::vector<std::string>& strand_shapes();

/// Why what `who` names takes no strands, in words; empty if the scene has none.
std::string why_no_strands(const Scene& scene, const std::string& who);

}  // namespace weft
