#include "sim/scene/fabric_prints.h"

#include <optional>

#include "sim/base/error.h"
#include "sim/scene/text/scene_table.h"
#include "sim/scene/toml/toml_text.h"

namespace weft {
namespace {

constexpr std::string_view kPrint = ".print", kAll = "fabric";

bool means(const std::string& key, const std::string& cloth) { return key == cloth + std::string(kPrint); }

std::string path_of(const std::string& text, const std::string& key) {
  if (text.empty() || text.front() != '"') return text;
  const auto path = parse_toml("value = " + text, key)["value"].value<std::string>();
  if (!path) throw Error("this is not the name of a file: " + text, key, "give the path of a PNG or JPEG");
  return *path;
}

}  // namespace

bool is_print_key(const Scene& scene, const std::string& key) {
  if (!key.ends_with(kPrint) || scene.cloths.empty()) return false;
  if (means(key, std::string(kAll))) return true;
  for (const Cloth& c : scene.cloths)
    if (means(key, c.name)) return true;
  return false;
}

std::string print_text(const Scene& scene, const std::string& key) {
  for (const Cloth& c : scene.cloths)
    if (means(key, c.name) || means(key, std::string(kAll))) return toml_text::quoted(c.fabric.print);
  return toml_text::quoted("");
}

void set_print(Scene& scene, const std::string& key, const std::string& text) {
  const std::string path = path_of(text, key);
  for (Cloth& c : scene.cloths)
    if (means(key, c.name) || means(key, std::string(kAll))) c.fabric.print = path;
}

std::vector<std::pair<std::string, std::string>> changed_prints(const Scene& before, const Scene& after) {
  std::vector<std::pair<std::string, std::string>> changed;
  for (const Cloth& c : after.cloths)
    for (const Cloth& old : before.cloths)
      if (old.name == c.name && old.fabric.print != c.fabric.print)
        changed.emplace_back(c.name + std::string(kPrint), toml_text::quoted(c.fabric.print));
  return changed;
}

}  // namespace weft
