// Description of a scene as the user writes and edits it: cloths, pins, obstacles, forces, choices. Plain
// data, from which a Model is built.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/param_blocks.h"
#include "sim/base/part_choice.h"
#include "sim/garment/shared_pattern.h"
#include "sim/mannequin/mannequin_params.h"
#include "sim/mesh/mesh.h"
#include "sim/scene/method_info.h"
#include "sim/scene/params.h"

namespace weft {

/// Position, rotation (degrees about x, then y, then z) and uniform scale.
struct Placement {
  vec3 position{0};
  vec3 rotation{0};
  float scale = 1;
  bool operator==(const Placement&) const = default;
};

/// One key of a scripted motion, relative to the start placement. Between keys: linear position, spherical
/// rotation.
struct MotionKey {
  float time = 0;    // s
  vec3 position{0};  // m, offset
  vec3 rotation{0};  // degrees
  bool operator==(const MotionKey&) const = default;
};

/// Where somebody has moved a body, on top of its script: x becomes center + offset + turn (x - center).
struct HandPose {
  vec3 center{0}, offset{0};  // m, world space
  quat turn{1, 0, 0, 0};
  bool operator==(const HandPose&) const = default;
  bool moves() const { return offset != vec3(0) || turn != quat(1, 0, 0, 0); }
};

/// A body on its way from one such pose to another, at an even speed. Both have the same centre.
struct HandMove {
  HandPose from, to;
  double since = 0, duration = 0;  // s
  bool operator==(const HandMove&) const = default;
  bool moves() const { return from.moves() || to.moves(); }
};

/// A motion of pins or obstacles: keyframes and, on top, a steady rotation, both about `spin_center`.
struct Motion {
  std::vector<MotionKey> keys;  // ascending times; held before the first and after the last
  vec3 spin_axis{0, 1, 0};
  float spin_rate = 0;  // degrees/s
  vec3 spin_center{0};  // world space at the start; travels with the keys' offset
  HandMove hand;        // of obstacles; not in files
  bool scripted() const { return !keys.empty() || spin_rate != 0; }
  bool moves() const { return scripted() || hand.moves(); }
  bool operator==(const Motion&) const = default;
};

/// What cloth from a file is at rest.
struct FileRest {
  std::string shape = "shape";  // the file's vertices; texture: its texture coordinates are the flat panels
  RestAngles::From angles = RestAngles::From::rest_shape;  // vertices: those between the file's triangles
  std::string file = {};  // of the same vertices and faces: its vertices are the rest shape; obj
  bool operator==(const FileRest&) const = default;
};

enum class ClothShape { grid, disc, tube, strip, obj, garment };
/// Whether cloth from a file gets new triangles. automatic: if the collision method needs it and the file is
/// uneven; uneven: if the file is.
enum class Remesh { automatic, never, always, uneven };

struct Cloth {
  std::string name = "cloth";
  ClothShape shape = ClothShape::grid;
  std::string file;              // obj, garment: path, relative to the scene file
  SharedPattern sewing_pattern;  // garment without a file
  // garment: sewn (relaxed, with closed seams), placed (panels in their places, seams stretched between
  // them). Any: a file with the positions at the start (start_file.h)
  std::string start = "sewn";
  FileRest rest;  // obj
  // m: width and height; disc: diameter; tube: circumference/pi, length
  vec2 size{1, 1};
  float edge = 0;                       // m, edge length; 0: from `vertices`
  int vertices = 10000;                 // about how many
  std::string pattern = "equilateral";  // equilateral, square, uniform (grids and strips)
  Remesh remesh = Remesh::automatic;    // obj
  float remesh_edge = 0;                // m, obj: if not 0, always made uniform with this edge length
  // m, obj: boundary edges no further apart are joined; 0: those in one place, kNoWeld: none
  float weld = 0;
  // edge lengths by which a generated shape starts off its surface; a flat sheet cannot buckle
  float unevenness = 0.002f;
  Placement placement;
  std::string fabric_name = "cotton";  // file in assets/fabrics, or one defined in the scene
  FabricParams fabric;                 // resolved values, overrides applied
  // instead of what `shape` makes, unplaced; not in files
  std::shared_ptr<const TriMesh> mesh;
  std::map<std::string, FabricParams> panel_fabrics;  // garment: other fabrics that its panels name
  bool operator==(const Cloth&) const = default;
};
/// True for a garment that is worn from the start and was not dressed yet.
bool waits_for_dressing(const Cloth& cloth);

struct Pin {
  std::string cloth;          // name; empty: the first
  std::vector<int> vertices;  // numbers within the cloth, as its file has them, and/or
  // "top_left", "top_right", "bottom_left", "bottom_right", "top", "bottom", "left", "right", "boundary",
  // "center"
  std::string where;
  // m, of `where`: holds all that is within it on the unplaced cloth; 0: the place alone
  float radius = 0;
  std::optional<Bounds> box;  // world space, at the start
  Motion motion;
  float release_time = -1;  // s; negative: never
  std::string body;         // obstacle whose surface the pin follows; empty: none
  bool operator==(const Pin&) const = default;
};

/// A bone of an obstacle that bends: turns about its head, in the obstacle's own frame before its placement.
struct Bone {
  std::string name;
  std::string parent;              // name of an earlier bone; empty: none
  vec3 head{0}, tail{0, 0.1f, 0};  // m
  std::vector<MotionKey> keys;     // rotations only, relative to the rest pose and the parent
  bool operator==(const Bone&) const = default;
};

/// How the file of a body is read.
struct BodyImport {
  float weld = 0;      // m, as Cloth::weld
  PartChoice parts{};  // of OBJ, glTF and USD
  bool operator==(const BodyImport&) const = default;
};

enum class ObstacleShape { plane, sphere, box, capsule, mesh, mannequin };

struct Obstacle {
  std::string name = "obstacle";
  ObstacleShape shape = ObstacleShape::sphere;
  std::string file;      // mesh: OBJ
  BodyImport from_file;  // mesh
  // mesh that deforms: OBJ sequence (obj_sequence.h), instead of `file`
  std::string sequence;
  float fps = 30;           // frames per second of the sequence
  bool loop = false;        // repeats after its last frame; otherwise holds it
  std::vector<Bone> bones;  // mesh that bends: skinned by how near its vertices are to the bones
  Mannequin mannequin;      // of the shape that is one
  // vertices in the obstacle's own frame, unscaled, `fps` apart, held after the last; instead of all other
  // deformation; not in files
  std::shared_ptr<const std::vector<std::vector<vec3>>> frames;
  bool deforms() const {
    return frames || !sequence.empty() || !bones.empty() || shape == ObstacleShape::mannequin;
  }
  // box: full extents; sphere: radius in x; capsule: radius x, length y (between centres)
  vec3 size{0.1f, 0.1f, 0.1f};
  Placement placement;  // plane: through position, normal = rotated +y
  Motion motion;
  float friction = -1;              // negative: contact.friction
  vec3 color{0.45f, 0.47f, 0.50f};  // sRGB
  bool operator==(const Obstacle&) const = default;
};

/// A handle that a script moves: grabs the cloth at a point and pulls as a mouse would.
struct ScriptedDrag {
  std::string cloth;
  // grids: share of width and height; other shapes: nearest vertex in bounds
  vec2 at{0.5f, 0.5f};
  float begin = 0, end = 1;     // s
  std::vector<MotionKey> keys;  // offset of the handle from its start; times from `begin`
  bool operator==(const ScriptedDrag&) const = default;
};

/// Something that must be true at the end of a run (or at `time`). `quantity` is a key of StepStats.
struct EndCondition {
  std::string quantity;
  double min = -1e300, max = 1e300;
  bool operator==(const EndCondition&) const = default;
};

struct CameraPose {
  vec3 target{0, 0.9f, 0};
  float distance = 2.5f, yaw = 25, pitch = 12;  // m, degrees
  float fov = 35;                               // degrees, vertical
  bool operator==(const CameraPose&) const = default;
};

/// One key of the camera path: position and target.
struct CameraKey {
  float time = 0;                // s, simulated
  vec3 position{0, 1.4f, 2.5f};  // m
  vec3 target{0, 0.9f, 0};       // m
  float fov = 35;                // degrees, vertical
  bool operator==(const CameraKey&) const = default;
};

struct Scene {
  std::string title = "Untitled";
  std::string description;
  std::string path;     // file it came from; empty for none
  float duration = 10;  // s, what `--headless` runs without --frames
  StepParams step;
  ForceParams forces;
  DragParams drag;
  ContactParams contact;
  ParamBlocks methods = method_params();  // of solvers and collision methods
  std::vector<Cloth> cloths;
  std::vector<Pin> pins;
  std::vector<Obstacle> obstacles;
  std::vector<ScriptedDrag> drags;
  std::vector<EndCondition> end;
  std::optional<CameraPose> camera;
  std::vector<CameraKey> camera_path;  // ascending times; see camera_path.h

  /// The parameters of a solver or a collision method. Throws Error where no method of the tables has them.
  template <class P>
  P& of() {
    return methods.of<P>();
  }
  template <class P>
  const P& of() const {
    return methods.of<P>();
  }
  /// step.*, forces.*, drag.*, contact.*, those of methods (newton.*, two_way.* ...), `fabric.*` (all cloths:
  /// set writes every cloth, get reads the first) and `<cloth name>.*`. References this scene; make a
  /// new table after cloths are added or removed.
  ParamTable params();
  /// Sets one parameter by its full key; "fabric.x" writes every cloth, "obstacle.NAME.KEY" a body
  /// (body_settings.h). Throws Error.
  void set(const std::string& key, const std::string& text);
  bool operator==(const Scene&) const = default;
};

}  // namespace weft
