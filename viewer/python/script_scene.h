// A scene as Python builds it: loaded, or made of arrays, with every parameter by its key.
#pragma once
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "sim/scene/fabric_maps.h"
#include "sim/scene/grains.h"
#include "sim/scene/scene.h"
#include "sim/scene/solids.h"
#include "sim/scene/strands.h"

namespace weft {

/// A folder of its own for files of arrays, removed with the last scene and run that need them.
class ScratchFolder {
 public:
  /// Throws Error where there is no room for temporary files.
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  /// A path in it that was not given before, with this ending. For any thread.
  std::string new_path(const std::string& ending);

 private:
  std::string path_;
  std::atomic<int> given_{0};
};

/// What a cloth of arrays has beside its mesh.
struct ScriptCloth {
  std::string fabric = "cotton";  // of assets/fabrics
  Placement placement;
  std::vector<FabricMap> maps = {};
  std::vector<vec2> textures = {};  // of all vertices, or of all corners of triangles; may be empty
};

/// What a body of arrays has beside its mesh.
struct ScriptBody {
  Placement placement;
  std::vector<MotionKey> keys;            // of the whole body, about its position
  std::vector<std::vector<vec3>> frames;  // of a body that deforms: all its vertices, 1 / fps apart
  float fps = 30;
  float friction = -1;  // negative: contact.friction
};

/// A Scene and the files of its arrays. Not thread-safe.
class ScriptScene {
 public:
  /// Without cloth and bodies; contact is two_way, as for cloth from files.
  ScriptScene();
  /// `files`: of the scene's arrays, or nullptr.
  explicit ScriptScene(Scene scene, std::shared_ptr<ScratchFolder> files = nullptr)
      : scene_(std::move(scene)), files_(std::move(files)) {}

  Scene& scene() { return scene_; }
  const Scene& scene() const { return scene_; }
  std::shared_ptr<ScratchFolder> files() const { return files_; }

  /// Positions in metres; the mesh keeps its vertices in their order. Throws Error for a name that is taken
  /// or cannot be one, indices out of range, triangles with a corner twice, vertices of no triangle, values
  /// that are not finite, lists of other lengths, and an unknown fabric.
  void add_cloth(const std::string& name, TriMesh mesh, const ScriptCloth& cloth);
  /// The same of a body; vertices in one place stay apart.
  void add_body(const std::string& name, TriMesh mesh, ScriptBody body);
  /// A solid of tetrahedra, or, without any, of a closed surface that is filled with cells of `solid.edge`;
  /// its shape is what the mesh says. Throws Error as add_cloth does, for cells too.
  void add_solid(SolidParams solid, const TriMesh& mesh, const std::vector<ivec4>& cells);
  /// Of a part that is added next, m (ContactRadii); 0: the collision method's distance.
  void set_contact_radius(const std::string& part, float radius);
  /// Strands of `each` points, one after the other; StrandMaterial and thickness are those of `strands`.
  /// Throws Error for fewer than three points and points that lie in one place.
  void add_strands(StrandParams strands, const std::vector<vec3>& points, int each);
  /// Grains that fill a closed surface. Throws Error as add_cloth does.
  void add_grains(GrainParams grains, const TriMesh& mesh);
  /// Pins vertices of a cloth, or a place of it by its name (Pin::where). Throws Error for unknown names.
  void add_pin(Pin pin);

  /// Parameters by their keys. `get`: the text as a scene file has it. Both throw Error.
  void set(const std::string& key, const std::string& text) { scene_.set(key, text); }

  /// Writes the scene as a file. Throws Error for a scene with meshes of arrays, which files do not hold.
  void save(const std::string& path) const;

 private:
  /// A file of this text in the scene's folder.
  std::string written(const std::string& text, const std::string& ending);
  Scene scene_;
  std::shared_ptr<ScratchFolder> files_;
};

}  // namespace weft
