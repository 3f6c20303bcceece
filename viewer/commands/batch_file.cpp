#include "viewer/commands/batch_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/base/nearest.h"
#include "sim/files/file_kind.h"
#include "sim/scene/model/body_file.h"
#include "sim/scene/toml/toml_table.h"
#include "sim/scene/toml/toml_text.h"
#include "viewer/commands/catalogue.h"

namespace weft {
namespace {

constexpr const char* kMannequin = "mannequin";
constexpr const char* kRest = "rest";  // in the place of clips: none

/// As TOML has it, in one line.
std::string job_value(const toml::node& node) {
  if (const auto* s = node.as_string()) return toml_text::quoted(s->get());
  if (const auto* i = node.as_integer()) return fmt::format("{}", i->get());
  if (const auto* f = node.as_floating_point()) return fmt::format("{}", f->get());
  if (const auto* b = node.as_boolean()) return b->get() ? "true" : "false";
  std::string text;
  if (const auto* table = node.as_table()) {
    for (const auto& [key, value] : *table)
      text += (text.empty() ? "" : ", ") + std::string(key.str()) + " = " + job_value(value);
    return "{ " + text + " }";
  }
  if (const auto* list = node.as_array())
    for (const toml::node& element : *list) text += (text.empty() ? "" : ", ") + job_value(element);
  return "[" + text + "]";
}

/// As --set takes it.
std::string job_setting(const toml::node& node) {
  const auto* s = node.as_string();
  return s ? s->get() : job_value(node);
}

class BatchReader {
 public:
  explicit BatchReader(const std::string& path) : path_(path) {}

  std::vector<JobGroup> groups() {
    const toml::table root = parse_toml(read_text_file(path_, "a batch"), path_);
    TomlTable table(root, path_, "the batch");
    std::vector<JobGroup> groups;
    const std::vector<TomlTable> runs = table.tables("run"), bodies = table.tables("body");
    table.finish();
    if (runs.empty()) throw Error("it has no runs", path_, "add a table [[run]] with a scene");
    for (size_t i = 0; i < bodies.size(); ++i) add_body(bodies[i], *raw_of(root, "body", i));
    for (size_t i = 0; i < runs.size(); ++i) {
      groups.push_back(group(runs[i], *raw_of(root, "run", i), i));
      for (size_t k = 0; k < i; ++k)
        if (groups[k].name == groups[i].name)
          runs[i].fail("name", "two runs have the name '" + groups[i].name + "'", "give each its own");
    }
    return groups;
  }

 private:
  static const toml::table* raw_of(const toml::table& root, const char* key, size_t number) {
    const toml::node* node = root.get(key);
    return node->is_table() ? node->as_table() : node->as_array()->get(number)->as_table();
  }

  /// A [[body]]: its name, its file, and keys of [[obstacle]].
  void add_body(TomlTable table, const toml::table& raw) {
    JobBody body;
    if (!table.read("name", body.name) || body.name.empty())
      table.fail("name", "a body needs a name",
                 "write name = \"tall\", which a [[run]] has in its list body");
    for (const JobBody& other : bodies_)
      if (other.name == body.name)
        table.fail("name", "two bodies have the name '" + body.name + "'", "give each its own");
    if (table.read("file", body.file)) body.file = file_of_body(table, "file", body.file);
    for (const auto& [key, node] : raw) {
      const std::string name(key.str());
      if (name == "name" || name == "file") continue;
      if (const toml::table* own = node.as_table())
        for (const auto& [inner, value] : *own)
          body.settings.emplace_back(name + "." + std::string(inner.str()), job_setting(value));
      else body.settings.emplace_back(name, job_setting(node));
    }
    bodies_.push_back(std::move(body));
  }

  JobGroup group(TomlTable table, const toml::table& raw, size_t number) {
    JobGroup g;
    g.line = table.line();
    g.name = fmt::format("run{}", number + 1);
    table.read("name", g.name);
    if (g.name.empty() || g.name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                   "0123456789_-") != std::string::npos)
      table.fail("name", "'" + g.name + "' is no name", "use letters, digits, - and _");
    add_scenes(g, table, raw);
    add_bodies(g, table, raw);
    add_clips(g, table, raw);
    int count = 0;
    double seconds = 0;
    if (table.read("frames", count, 1, 1e9)) g.frames = std::to_string(count);
    if (table.read("seconds", seconds, 1e-6, 1e6)) g.seconds = fmt::format("{}", seconds);
    if (!g.frames.empty() && !g.seconds.empty())
      table.fail("frames", "there are seconds too", "leave out one of them");
    table.read("preset", g.preset);
    if (table.has("plugin")) g.plugins = words(table, raw, "plugin");
    for (std::string& plugin : g.plugins) plugin = path_beside(plugin);
    table.read("limit", g.like.limit, 0, 1e7);
    table.read("keep", g.like.keep);
    table.read_choice("check", g.like.check, {"none", "states", "paths"});
    for (const char* key : {"set", "vary"})
      if (table.table(key)) add_settings(g, table, *raw[key].as_table(), std::string(key) == "vary");
    table.finish();
    return g;
  }

  /// A string or a list of them.
  static std::vector<std::string> words(TomlTable& table, const toml::table& raw, const std::string& key) {
    std::vector<std::string> out(1);
    const bool several = raw.get(key)->is_array();
    several ? table.read(key, out) : table.read(key, out[0]);
    if (out.empty()) table.fail(key, "the list is empty", "name one, or leave it out");
    return out;
  }

  void add_scenes(JobGroup& g, TomlTable& table, const toml::table& raw) {
    g.dresses = table.has("garment");
    if (g.dresses && table.has("scene"))
      table.fail("garment", "there is a scene too", "leave out one of them, or make a [[run]] of each");
    const std::string key = g.dresses ? "garment" : "scene";
    if (!table.has(key))
      table.fail("scene", "there is no scene", "write scene = \"drape_sphere\", or garment = \"tshirt\"");
    JobAxis axis{key, words(table, raw, key), JobAxisKind::scene};
    for (std::string& value : axis.values) {
      value = path_beside(value);
      const std::string ending = file_ending(is_file(value) ? value : shipped_file(value));
      if (g.dresses && ending != ".json" && ending != ".dxf")
        table.fail(key, "there is no sewing pattern '" + value + "'",
                   "name a .json or .dxf file, or a garment of 'weft list'; scenes are in the list scene");
    }
    g.axes.push_back(std::move(axis));
  }

  void add_bodies(JobGroup& g, TomlTable& table, const toml::table& raw) {
    if (!table.has("body")) return;
    JobAxis axis{"body", words(table, raw, "body"), JobAxisKind::body};
    for (std::string& value : axis.values) {
      JobBody body{value, {}, {}};
      if (const JobBody* named = find_body(value)) body = *named;
      else if (value != kMannequin || is_file(path_beside(value)))
        value = body.name = body.file = file_of_body(table, "body", value);
      if (body.file.empty() && !g.dresses)
        table.fail("body", "'" + value + "' is a mannequin, and what is tried on it is no garment",
                   "write garment = ... in the place of scene, or give the body a file");
      g.bodies.push_back(std::move(body));
    }
    g.axes.push_back(std::move(axis));
  }

  void add_clips(JobGroup& g, TomlTable& table, const toml::table& raw) {
    if (!table.has("clip")) return;
    if (g.bodies.empty()) {
      if (!g.dresses) table.fail("clip", "there is no body that it moves", "write body = \"walk.glb\"");
      const JobBody* named = find_body(kMannequin);
      g.bodies = {named ? *named : JobBody{kMannequin, {}, {}}};
      g.axes.push_back({"body", {kMannequin}, JobAxisKind::body});
    }
    JobAxis axis{"clip", words(table, raw, "clip"), JobAxisKind::clip};
    for (const JobBody& body : g.bodies)
      if (!body.file.empty() && !is_gltf(body.file))
        table.fail("clip", "body '" + body.name + "' has no clips",
                   "clips are of the mannequin and of glTF files: make a [[run]] without them");
    g.axes.push_back(std::move(axis));
  }

  /// The [[body]] of that name; nullptr: there is none.
  const JobBody* find_body(const std::string& name) const {
    const auto named =
        std::find_if(bodies_.begin(), bodies_.end(), [&](const JobBody& b) { return b.name == name; });
    return named != bodies_.end() ? &*named : nullptr;
  }

  static bool is_file(const std::string& path) {
    std::error_code gone;
    return std::filesystem::exists(path, gone);
  }

  std::string file_of_body(const TomlTable& table, const std::string& key, const std::string& file) const {
    const std::string path = path_beside(file);
    if (path != file || std::filesystem::path(file).is_absolute()) return path;
    std::vector<std::string> names;
    for (const JobBody& body : bodies_) names.push_back(body.name);
    const std::string near = near_name(file, names);
    table.fail(key,
               "there is no file '" + file + "'" + (names.empty() ? "" : " and no [[body]] of that name"),
               near.empty() ? "check the path" : "did you mean " + near + "?");
  }

  /// The file beside this one, if there is such a file.
  std::string path_beside(const std::string& file) const {
    const std::filesystem::path beside = std::filesystem::path(path_).parent_path() / file;
    if (!is_file(beside.string())) return file;
    std::error_code gone;
    return std::filesystem::absolute(beside, gone).lexically_normal().string();
  }

  static void add_settings(JobGroup& g, const TomlTable& table, const toml::table& settings, bool varied) {
    for (const auto& [key, node] : settings) {
      const std::string name(key.str());
      for (const JobAxis& axis : g.axes)
        if (axis.key == name) table.fail(varied ? "vary" : "set", name + " is given twice");
      JobAxis axis{name, {}};
      const auto* list = node.as_array();
      if (varied && (!list || list->empty()))
        table.fail("vary", name + " needs a list of values", "write \"" + name + "\" = [first, second]");
      if (varied)
        for (const toml::node& value : *list) axis.values.push_back(job_setting(value));
      else axis.values.push_back(job_setting(node));
      g.axes.push_back(std::move(axis));
    }
  }

  std::string path_;
  std::vector<JobBody> bodies_;  // of [[body]]
};

}  // namespace

JobChoice JobBody::clip_setting(const std::string& clips) const {
  if (!file.empty()) return {"animation", clips};
  std::string list;
  for (size_t at = 0; clips != kRest && at <= clips.size();) {
    const size_t end = std::min(clips.find('+', at), clips.size());
    list += (list.empty() ? "" : ", ") + ("{ clip = " + toml_text::quoted(clips.substr(at, end - at)) + " }");
    at = end + 1;
  }
  return {"mannequin.clips", "[" + list + "]"};
}

std::vector<JobGroup> read_batch_file(const std::string& path) { return BatchReader(path).groups(); }

}  // namespace weft
