// Scenes as TOML.
#pragma once
#include <string>
#include <vector>

#include "sim/scene/assets.h"
#include "sim/scene/scene.h"

namespace weft {

/// Reads and validates. Throws Error "file:line: ..." for syntax, unknown keys (naming the nearest), values
/// outside their range. Relative paths inside are resolved against the scene's folder. Fabrics are looked up
/// in the scene's own [fabrics.NAME] tables, then as files in assets/fabrics.
Scene read_scene(const std::string& path);
Scene parse_scene(const std::string& text, const std::string& path_for_messages);
/// Writes everything that differs from its default, readable by read_scene to the same scene.
std::string write_scene(const Scene& scene);
void save_scene(const std::string& path, const Scene& scene);

/// Rotation from z up to y up, added to Placement::rotation, whose rotation about x comes first.
inline const vec3 kUpIsZ{-90, 0, 0};

/// Units of the numbers in OBJ files.
struct ObjUnits {
  float cloth_scale = 1, body_scale = 1;  // m per unit of the files
  std::string up = "y";                   // the axis that points up in them, "y" or "z"
  bool operator==(const ObjUnits&) const = default;
};

/// A scene for an OBJ used as cloth: placed as in the file, cotton, default solver, two-way contact; each
/// object that shares no vertex with others is a cloth. The floor is at the lowest point of the bodies and
/// never above a cloth: at height 0 if all bodies float above it, absent where cloth reaches below. The
/// camera frames the bounds. Throws Error for an unreadable file.
Scene scene_from_obj(const std::string& cloth_obj, const std::vector<std::string>& obstacle_objs,
                     const ObjUnits& units = {});

/// "automatic", "never", or a length: what Cloth::weld then is (m), or a fault in words.
std::string parse_weld(const std::string& text, float& weld);
/// The same for every cloth and body of the scene that comes from an OBJ file. Throws Error.
void weld_all(Scene& scene, const std::string& text);

/// What options and the window's line of files change in a scene; empty: as the scene has it.
struct FileChanges {
  std::string weld;   // as weld_all takes it
  std::string rest;   // an OBJ file with the rest shape of every cloth
  std::string start;  // a run or a pose, as Cloth::start has it
};
/// Throws Error.
void change_files(Scene& scene, const FileChanges& changes);

}  // namespace weft
