// Questions about unit of length and up axis, which OBJ files do not state.
#pragma once
#include <string>
#include <vector>

#include "sim/mesh/mesh.h"
#include "sim/scene/scene.h"

namespace weft {

/// Questions for meshes that seem to have another unit than metres, or z up, each with the option that helps.
/// They consider what is set already, and whether the scene is a file (keys) or was made from OBJ files
/// (options of the command line). `cloths`, `bodies`: bounds (m) of Scene::cloths and Scene::obstacles in the
/// axes of their files, scaled but not placed. Generated shapes serve as a reference and raise no question.
std::vector<std::string> import_questions(const Scene& scene, const std::vector<Bounds>& cloths,
                                          const std::vector<Bounds>& bodies);

/// True for a notice that is such a question. Questions are warnings and stay until they are closed.
bool is_import_question(const std::string& notice);

}  // namespace weft
