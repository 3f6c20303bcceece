#include "sim/scene/body_settings.h"

#include "sim/base/error.h"
#include "sim/base/nearest.h"
#include "sim/scene/text/scene_file.h"
#include "sim/scene/text/scene_table.h"
#include "sim/scene/toml/toml_text.h"

namespace weft {
namespace {

constexpr std::string_view kGroup = "obstacle.";

/// The body that the key names; `rest` receives what follows the name.
Obstacle& named_body(Scene& scene, const std::string& key, std::string& rest) {
  Obstacle* found = nullptr;
  std::vector<std::string> names;
  for (Obstacle& o : scene.obstacles) {
    names.push_back(o.name);
    const std::string begin = std::string(kGroup) + o.name + ".";
    // of two names of which one begins with the other the longer is meant
    if (key.compare(0, begin.size(), begin) != 0 || (found && found->name.size() > o.name.size())) continue;
    if (found && found->name == o.name)
      throw Error("two bodies are called '" + o.name + "'", key, "give each a name of its own in the scene");
    found = &o, rest = key.substr(begin.size());
  }
  if (found && !rest.empty()) return *found;
  const std::string wanted = key.substr(kGroup.size(), key.find('.', kGroup.size()) - kGroup.size());
  throw Error("no body is called '" + wanted + "'", key,
              names.empty() ? "the scene has no [[obstacle]]"
                            : "write obstacle.NAME.KEY; " + did_you_mean(wanted, names));
}

/// A value as TOML: text may lack its quotes.
toml::table parsed_value(const std::string& text, const std::string& key) {
  try {
    return parse_toml("value = " + text, key);
  } catch (const Error&) {
    return parse_toml("value = " + toml_text::quoted(text), key);
  }
}

/// The entry of a list of tables with that name; nullptr if there is none.
toml::table* entry_called(toml::array& list, const std::string& name) {
  for (toml::node& node : list)
    if (toml::table* t = node.as_table())
      if ((*t)["name"].value<std::string>() == name) return t;
  return nullptr;
}

/// The table that holds the last key of `path`, which is made where it is missing; `path` becomes that key.
toml::table& holder(toml::table& body, std::string& path, const std::string& key) {
  toml::table* at = &body;
  for (size_t dot; (dot = path.find('.')) != path.npos; path.erase(0, dot + 1)) {
    const std::string name = path.substr(0, dot);
    toml::node* next = at->get(name);
    if (!next) next = &at->insert(name, toml::table{}).first->second;
    if (toml::array* list = next->as_array()) {
      path.erase(0, dot + 1);
      dot = path.find('.');
      at = entry_called(*list, path.substr(0, dot));
      if (!at || dot == path.npos)
        throw Error("'" + name + "' has no such entry", key, "name one, then its key");
    } else {
      at = next->as_table();
      if (!at) throw Error("'" + name + "' holds no further keys", key, "leave out what follows it");
    }
  }
  return *at;
}

/// Keys that say the same as another, which must not stand beside it.
void erase_rivals(toml::table& t, const std::string& key) {
  if (key == "size") t.erase("radius"), t.erase("length");
  if (key == "file") t.erase("sequence");
  if (key == "sequence") t.erase("file");
}

}  // namespace

bool is_body_key(const std::string& key) { return key.compare(0, kGroup.size(), kGroup) == 0; }

void set_body_value(Scene& scene, const std::string& key, const std::string& text) {
  std::string path;
  Obstacle& body = named_body(scene, key, path);
  if (path == "name") throw Error("a body keeps its name", key, "change it in the scene file");
  Scene alone;
  alone.obstacles = {body};
  toml::table root = parse_toml(write_scene(alone), key), value = parsed_value(text, key);
  toml::table& owner = holder(*root["obstacle"][0].as_table(), path, key);
  erase_rivals(owner, path);
  owner.insert_or_assign(path, std::move(*value.get("value")));
  try {
    Obstacle changed = scene_of_table(root, scene.path).obstacles.at(0);
    changed.frames = body.frames;
    body = std::move(changed);
  } catch (const Error& e) {  // the line that it names is none of a file
    throw Error(e.what_happened, key, e.what_to_do);
  }
}

}  // namespace weft
