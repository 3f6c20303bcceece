#include "viewer/commands/catalogue.h"

#include <algorithm>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/garment/formats/pattern_file.h"
#include "sim/scene/text/scene_file.h"
#include "sim/scene/toml/toml_table.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

/// assets/thumbnails has a picture for the large and the small scene of one name.
std::string picture_of(const std::string& name) {
  std::string base = name;
  if (base.ends_with("_small")) base.resize(base.size() - 6);
  const fs::path folder = fs::path(assets_folder()) / "thumbnails";
  std::error_code ignored;
  for (const std::string& of : {base, base + "_small"})
    if (const fs::path file = folder / (of + ".png"); fs::is_regular_file(file, ignored))
      return file.string();
  return {};
}

CatalogueItem scene_item(const std::string& path) {
  CatalogueItem item{path, builtin_name(path), "", "", ""};
  item.title = item.name, item.picture = picture_of(item.name);
  try {
    const Scene scene = read_scene(path);
    item.title = scene.title, item.description = scene.description;
  } catch (const std::exception& e) {
    item.description = e.what();
  }
  return item;
}

/// "collar_shirt" as "Collar shirt".
std::string title_of_name(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  if (!name.empty()) name[0] = char(std::toupper(static_cast<unsigned char>(name[0])));
  return name;
}

CatalogueItem garment_item(const std::string& path) {
  const std::string name = garment_name(path);
  // `weft dress` is a command.
  CatalogueItem item{path, name == "dress" ? name + ".json" : name, title_of_name(name), "",
                     picture_of("garments/" + name)};
  try {
    std::vector<std::string> notices;  // told when it is opened
    const Pattern pattern = read_pattern(path, 0, notices);
    item.description = std::to_string(pattern.panels.size()) + " panels and " +
                       std::to_string(pattern.seams.size()) + " seams, sewn and put on the mannequin";
  } catch (const std::exception& e) {
    item.description = e.what();
  }
  return item;
}

std::vector<CatalogueItem> all_items() {
  std::vector<CatalogueItem> items;
  for (const std::string& path : builtin_scenes()) items.push_back(scene_item(path));
  for (const std::string& path : builtin_garments()) items.push_back(garment_item(path));
  return items;
}

/// Moves what `wanted` accepts from `items` to the section.
template <class Wanted>
void take(std::vector<CatalogueItem>& items, CatalogueSection& section, Wanted wanted) {
  const auto taken = std::stable_partition(items.begin(), items.end(),
                                           [&](const CatalogueItem& item) { return !wanted(item); });
  std::move(taken, items.end(), std::back_inserter(section.items));
  items.erase(taken, items.end());
}

CatalogueSection read_section(const toml::table& root, const std::string& path,
                              std::vector<CatalogueItem>& items) {
  TomlTable table(root, path, "section");
  CatalogueSection section;
  std::string folder;
  std::vector<std::string> names;
  table.read("title", section.title), table.read("folder", folder), table.read("items", names);
  table.finish();
  for (const std::string& name : names)
    take(items, section, [&](const CatalogueItem& item) { return item.name == name; });
  if (!folder.empty())
    take(items, section, [&](const CatalogueItem& item) { return item.name.starts_with(folder + "/"); });
  return section;
}

}  // namespace

std::vector<std::string> builtin_garments() {
  std::vector<std::string> paths;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(fs::path(assets_folder()) / "garments", ignored))
    if (entry.path().extension() == ".json") paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string garment_name(const std::string& path) { return fs::path(path).stem().string(); }

std::string shipped_file(const std::string& name) {
  for (const std::string& path : builtin_scenes())
    if (builtin_name(path) == name) return path;
  for (const std::string& path : builtin_garments())
    if (garment_name(path) == name || garment_name(path) + ".json" == name) return path;
  return {};
}

std::vector<std::string> shipped_names() {
  std::vector<std::string> names;
  for (const std::string& path : builtin_scenes()) names.push_back(builtin_name(path));
  for (const std::string& path : builtin_garments()) names.push_back(garment_name(path));
  return names;
}

std::vector<CatalogueSection> read_catalogue() {
  std::vector<CatalogueItem> items = all_items();
  std::vector<CatalogueSection> sections;
  const std::string path = (fs::path(assets_folder()) / "sections.toml").string();
  std::error_code ignored;
  if (fs::is_regular_file(path, ignored)) {
    const toml::table root = parse_toml(read_text_file(path, "the list of sections"), path);
    for (CatalogueItem& item : items) item.title = root["titles"][item.name].value_or(item.title);
    if (const toml::array* list = root["section"].as_array())
      for (const toml::node& node : *list)
        if (const toml::table* table = node.as_table()) sections.push_back(read_section(*table, path, items));
  }
  if (!items.empty()) sections.push_back({"More", std::move(items)});
  std::erase_if(sections, [](const CatalogueSection& section) { return section.items.empty(); });
  return sections;
}

}  // namespace weft
