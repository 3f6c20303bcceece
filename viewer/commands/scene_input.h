// From the arguments on the command line, or files dropped on the window, to a scene.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "sim/scene/scene.h"
#include "sim/scene/text/scene_file.h"
#include "viewer/render/view_settings.h"

namespace weft {

/// Reads a scene file (.toml), makes a scene of a cloth (.obj, glTF, USD) or of a pattern (.json, .dxf), or
/// loads a shipped scene by name ("tablecloth"); an empty name gives the default scene. Obstacles (OBJ) that
/// the scene does not have yet are added as bodies. `units`: of the OBJ files named here; files named in a
/// scene have keys of their own, so units for them are an error. Throws Error.
Scene open_scene(const std::string& input, const std::vector<std::string>& obstacles,
                 const ObjUnits& units = {});

/// A scene of a sewing pattern (.json, .dxf) on bodies (OBJ), or on the mannequin without any: dressed, with
/// two-way contact. Throws Error for a pattern that cannot be read.
Scene scene_from_pattern(const std::string& pattern, const std::vector<std::string>& bodies);

/// The arguments for `units`: "--cloth-scale", "0.01", ... and back; back throws Error for an invalid scale
/// or axis.
std::vector<std::string> unit_arguments(const ObjUnits& units);
ObjUnits units_of_arguments(const std::vector<std::string>& arguments);

/// The arguments of a default scene with that many vertices: "--vertices", "5000"; and back: 0 without them.
/// Throws Error where it is no number of at least 4.
std::vector<std::string> vertices_argument(int vertices);
int vertices_of_arguments(const std::vector<std::string>& arguments);
/// Gives the default scene's cloth another number of vertices; 0: as it is.
void set_vertices(Scene& scene, int vertices);

/// Loads shared libraries (sim/plugin) into the scene. Throws Error.
void add_plugins(Scene& scene, const std::vector<std::string>& paths);
/// Those of arguments: "--plugin", "springs.so".
std::vector<std::string> plugins_of_arguments(const std::vector<std::string>& arguments);

/// "key=value" taken apart. Throws Error where there is no '=' or no key.
std::pair<std::string, std::string> split_setting(const std::string& setting);

/// Sets parameters of the scene and, with keys "view.…", of the picture. Throws Error for an unknown key or a
/// bad value.
void apply_settings(const std::vector<std::pair<std::string, std::string>>& settings, Scene& scene,
                    ViewSettings& view);

/// Scene of the simulator while the window shows a recorded run: a small, invisible sheet.
Scene idle_scene();

/// The default scene with a drag that a script makes: grabs the lower edge, pulls it up to the camera and
/// lets go.
Scene demo_scene();

}  // namespace weft
