// What files do not say and a scene depends on: their unit of length, and which axis points up.
#pragma once
#include <string>
#include <vector>

#include "sim/mesh/mesh.h"
#include "sim/scene/scene.h"

namespace weft {

/// Questions to the person whose meshes look as if they were in another unit than metres, or had z up, each
/// with what to try. They know what is set already, and whether the scene is a file (keys) or was made around
/// OBJ files (options of the command line). `cloths`, `bodies`: bounds (m) of Scene::cloths and
/// Scene::obstacles in the axes of their files: scaled, not placed. Generated shapes are measures and are not
/// asked about.
std::vector<std::string> import_questions(const Scene& scene, const std::vector<Bounds>& cloths,
                                          const std::vector<Bounds>& bodies);

/// Whether a notice is one of these questions, which wait for a person: warnings, where others fade.
bool is_import_question(const std::string& notice);

}  // namespace weft
