// Files that ship with the program: scenes, fabrics and settings of papers.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "sim/scene/params.h"

namespace weft {

struct Scene;

/// Folder of assets: $WEFT_ASSETS, beside the executable, the install prefix, or the source tree. Throws
/// Error.
std::string assets_folder();
/// Paths of the scenes that ship with the program, sorted; those in subfolders come last.
std::vector<std::string> builtin_scenes();
/// Name of a shipped scene: its path below the folder of scenes without extension: "flag_wind",
/// "wu2020/funnel".
std::string builtin_name(const std::string& path);
std::string default_scene_path();
/// A metre of cloth without self-collision, by which speeds are compared.
std::string large_scene_path();
std::vector<std::string> fabric_names();
FabricParams read_fabric(const std::string& name);

/// Settings with which a scene runs a paper's method as published (assets/presets).
struct PaperPreset {
  std::string name;                                           // "wang2023": of the file
  std::string title, description;                             // for lists
  std::vector<std::pair<std::string, std::string>> settings;  // key, value, as on the command line
};
/// All presets, by name. Throws Error for a file that cannot be read, or names an unknown parameter.
std::vector<PaperPreset> paper_presets();
/// Throws Error for an unknown name.
PaperPreset paper_preset(const std::string& name);
/// Whether a scene has all of a preset's settings.
bool has_settings(const Scene& scene, const PaperPreset& preset);

}  // namespace weft
