#include "sim/scene/assets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/base/nearest.h"
#include "sim/base/program_folder.h"
#include "sim/scene/fabric_table.h"
#include "sim/scene/scene.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

bool holds_assets(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_directory(folder / "fabrics", ignored) || fs::is_directory(folder / "scenes", ignored);
}

std::vector<std::string> toml_files(const fs::path& folder) {
  std::vector<std::string> paths;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".toml") paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

std::string assets_folder() {
  if (const char* named = std::getenv("WEFT_ASSETS"); named && *named) {
    if (!holds_assets(named))
      throw Error("this folder holds neither fabrics nor scenes", std::string("WEFT_ASSETS=") + named,
                  "name Weft's assets folder");
    return named;
  }
  // what was installed comes before the sources that it was built from
  for (const fs::path& folder :
       {program_folder() / "assets", installed_path("assets"), fs::path(WEFT_SOURCE_ASSETS)})
    if (holds_assets(folder)) return folder.string();
  throw Error("the folder of scenes and fabrics was not found", "assets", "set WEFT_ASSETS to it");
}

std::vector<std::string> builtin_scenes() {
  const fs::path folder = fs::path(assets_folder()) / "scenes";
  std::vector<std::string> paths = toml_files(folder);
  std::vector<fs::path> below;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.is_directory(ignored)) below.push_back(entry.path());
  std::sort(below.begin(), below.end());
  for (const fs::path& sub : below)
    for (std::string& path : toml_files(sub)) paths.push_back(std::move(path));
  return paths;
}

std::string builtin_name(const std::string& path) {
  return fs::path(path)
      .lexically_relative(fs::path(assets_folder()) / "scenes")
      .replace_extension()
      .generic_string();
}

std::string default_scene_path() { return (fs::path(assets_folder()) / "scenes/default.toml").string(); }
std::string large_scene_path() { return (fs::path(assets_folder()) / "scenes/grab_large.toml").string(); }

std::vector<std::string> fabric_names() {
  std::vector<std::string> names;
  for (const std::string& path : toml_files(fs::path(assets_folder()) / "fabrics"))
    names.push_back(fs::path(path).stem().string());
  return names;
}

void read_fabric_table(TomlTable& table, FabricParams& fabric) {
  std::string text;
  for (const char* key : {"title", "description", "source"}) table.read(key, text);
  table.read("print", fabric.print);
  table.read_params(fabric);
  table.finish();
}

FabricParams read_fabric(const std::string& name) {
  const std::vector<std::string> names = fabric_names();
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw Error("unknown fabric '" + name + "'", "fabric", did_you_mean(name, names));
  const std::string path = (fs::path(assets_folder()) / "fabrics" / (name + ".toml")).string();
  const toml::table root = parse_toml(read_text_file(path, "a fabric"), path);
  TomlTable table(root, path, "");
  FabricParams fabric;
  read_fabric_table(table, fabric);
  return fabric;
}

namespace {

std::string setting_text(const toml::node& value, const std::string& key, const std::string& path) {
  if (const auto text = value.value_exact<std::string>()) return *text;
  if (const auto flag = value.value_exact<bool>()) return *flag ? "true" : "false";
  if (const auto number = value.value_exact<int64_t>()) return std::to_string(*number);
  if (const auto number = value.value_exact<double>()) return fmt::format("{}", *number);
  throw Error("the value of " + key + " is neither text, number nor true or false", path,
              "write one of these");
}

PaperPreset read_preset(const std::string& path) {
  const toml::table root = parse_toml(read_text_file(path, "a preset"), path);
  PaperPreset p;
  p.name = fs::path(path).stem().string();
  p.title = root["title"].value_or(p.name);
  p.description = root["description"].value_or("");
  Scene scene;  // whose keys and ranges settings are checked against
  if (const toml::table* settings = root["settings"].as_table())
    for (const auto& [key, value] : *settings) {
      p.settings.emplace_back(std::string(key.str()), setting_text(value, std::string(key.str()), path));
      scene.set(p.settings.back().first, p.settings.back().second);
    }
  return p;
}

}  // namespace

std::vector<PaperPreset> paper_presets() {
  std::vector<PaperPreset> presets;
  for (const std::string& path : toml_files(fs::path(assets_folder()) / "presets"))
    presets.push_back(read_preset(path));
  return presets;
}

bool has_settings(const Scene& scene, const PaperPreset& preset) {
  Scene set = scene;
  for (const auto& [key, text] : preset.settings) set.set(key, text);
  return set == scene;
}

PaperPreset paper_preset(const std::string& name) {
  std::vector<std::string> names;
  for (PaperPreset& p : paper_presets()) {
    if (p.name == name) return p;
    names.push_back(p.name);
  }
  throw Error("unknown preset '" + name + "'", "--preset", did_you_mean(name, names));
}

}  // namespace weft
