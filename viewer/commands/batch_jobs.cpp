#include "viewer/commands/batch_jobs.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>
#include <set>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/base/hash.h"
#include "sim/scene/assets.h"
#include "sim/scene/toml/toml_table.h"
#include "viewer/commands/scene_input.h"

namespace weft {
namespace {

constexpr size_t kMostJobs = 1'000'000;
using JobChoice = std::pair<std::string, std::string>;  // key, value; the keys "scene" and "body" are files

/// What is tried of one key; several keys with several values make a grid.
struct JobAxis {
  std::string key;
  std::vector<std::string> values;
};

/// One [[run]].
struct JobGroup {
  std::string name;
  std::vector<JobAxis> axes;
  std::string preset, frames, seconds;
  std::vector<std::string> plugins;  // shared libraries
  BatchJob like;
  int line = 0;
};

/// As --set takes it.
std::string job_setting(const toml::node& node) {
  if (const auto* s = node.as_string()) return s->get();
  if (const auto* i = node.as_integer()) return fmt::format("{}", i->get());
  if (const auto* f = node.as_floating_point()) return fmt::format("{}", f->get());
  if (const auto* b = node.as_boolean()) return b->get() ? "true" : "false";
  std::string text;
  if (const auto* list = node.as_array())
    for (const toml::node& element : *list) text += (text.empty() ? "" : ", ") + job_setting(element);
  return "[" + text + "]";
}

class BatchReader {
 public:
  explicit BatchReader(const std::string& path) : path_(path) {}

  std::vector<JobGroup> groups() {
    const toml::table root = parse_toml(read_text_file(path_, "a batch"), path_);
    TomlTable table(root, path_, "the batch");
    std::vector<JobGroup> groups;
    const std::vector<TomlTable> runs = table.tables("run");
    table.finish();
    if (runs.empty()) throw Error("it has no runs", path_, "add a table [[run]] with a scene");
    const toml::node* node = root.get("run");
    for (size_t i = 0; i < runs.size(); ++i) {
      const toml::table* own = node->is_table() ? node->as_table() : node->as_array()->get(i)->as_table();
      groups.push_back(group(runs[i], *own, i));
      for (size_t k = 0; k < i; ++k)
        if (groups[k].name == groups[i].name)
          runs[i].fail("name", "two runs have the name '" + groups[i].name + "'", "give each its own");
    }
    return groups;
  }

 private:
  JobGroup group(TomlTable table, const toml::table& raw, size_t number) {
    JobGroup g;
    g.line = table.line();
    g.name = fmt::format("run{}", number + 1);
    table.read("name", g.name);
    if (g.name.empty() || g.name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                   "0123456789_-") != std::string::npos)
      table.fail("name", "'" + g.name + "' is no name", "use letters, digits, - and _");
    add_files(g, table, raw, "scene");
    if (g.axes.empty()) table.fail("scene", "there is no scene", "write scene = \"drape_sphere\"");
    add_files(g, table, raw, "body");
    int count = 0;
    double seconds = 0;
    if (table.read("frames", count, 1, 1e9)) g.frames = std::to_string(count);
    if (table.read("seconds", seconds, 1e-6, 1e6)) g.seconds = fmt::format("{}", seconds);
    if (!g.frames.empty() && !g.seconds.empty())
      table.fail("frames", "there are seconds too", "leave out one of them");
    table.read("preset", g.preset);
    if (table.has("plugin")) {
      const bool several = raw.get("plugin")->is_array();
      g.plugins.resize(1);
      several ? table.read("plugin", g.plugins) : table.read("plugin", g.plugins[0]);
      for (std::string& plugin : g.plugins) plugin = path_beside(plugin);
    }
    table.read("limit", g.like.limit, 0, 1e7);
    table.read("keep", g.like.keep);
    table.read_choice("check", g.like.check, {"none", "states", "paths"});
    for (const char* key : {"set", "vary"})
      if (table.table(key)) add_settings(g, table, *raw[key].as_table(), std::string(key) == "vary");
    table.finish();
    return g;
  }

  /// One file or several, each to be tried.
  void add_files(JobGroup& g, TomlTable& table, const toml::table& raw, const std::string& key) {
    if (!table.has(key)) return;
    std::vector<std::string> files(1);
    const bool several = raw.get(key)->is_array();
    several ? table.read(key, files) : table.read(key, files[0]);
    if (files.empty()) table.fail(key, "the list is empty", "name a file");
    for (std::string& file : files) {
      const std::string path = path_beside(file);
      if (path == file && key == "body" && !std::filesystem::path(file).is_absolute())
        table.fail(key, "there is no file '" + file + "'", "check the path");
      file = path;
    }
    g.axes.push_back({key, files});
  }

  /// The file beside this one, if there is such a file.
  std::string path_beside(const std::string& file) const {
    std::error_code gone;
    const std::filesystem::path beside = std::filesystem::path(path_).parent_path() / file;
    if (!std::filesystem::exists(beside, gone)) return file;
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
};

/// Opens a scene once for jobs in a row and tries the settings of jobs on copies.
class JobScenes {
 public:
  /// Whether the scene has end conditions. Throws Error.
  bool try_out(const std::vector<JobChoice>& choices, const JobGroup& group) {
    std::string scene;
    std::vector<std::string> bodies;
    Settings settings;
    if (!group.preset.empty()) settings = paper_preset(group.preset).settings;
    for (const auto& [key, value] : choices)
      if (key == "scene") scene = value;
      else if (key == "body") bodies.push_back(value);
      else settings.emplace_back(key, value);
    const std::string name = group.name + '\n' + scene + '\n' + (bodies.empty() ? std::string() : bodies[0]);
    if (name != name_ || !opened_) {
      opened_ = std::make_unique<Scene>(open_scene(scene, bodies));
      add_plugins(*opened_, group.plugins);
      name_ = name;
    }
    Scene copy = *opened_;
    ViewSettings view;
    apply_settings(settings, copy, view);
    return !copy.end.empty();
  }

 private:
  using Settings = std::vector<JobChoice>;
  std::string name_;  // of the one that is open
  std::unique_ptr<Scene> opened_;
};

/// What files have, each as a number in words; empty for words that name none. Many jobs have the same files.
class FileContents {
 public:
  const std::string& of(const std::string& word) {
    const auto [entry, fresh] = known_.try_emplace(word);
    std::error_code unknown;
    if (!fresh || !std::filesystem::is_regular_file(word, unknown)) return entry->second;
    const std::string text = read_text_file(word, "file");
    return entry->second = fmt::format("{:016x}", hash_bytes(text.data(), text.size()));
  }

 private:
  std::map<std::string, std::string> known_;
};

BatchJob make_job(const JobGroup& g, const std::vector<size_t>& at, FileContents& files) {
  BatchJob job = g.like;
  job.group = g.name;
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) job.arguments.insert(job.arguments.end(), {option, value});
  };
  for (size_t a = 0; a < g.axes.size(); ++a) {
    const JobAxis& axis = g.axes[a];
    const std::string& value = axis.values[at[a]];
    if (axis.key == "scene") job.arguments.push_back(value);
    else if (axis.key == "body") add("--obstacle", value);
    else add("--set", axis.key + "=" + value);
    if (axis.values.size() > 1) job.choices.emplace_back(axis.key, value);
  }
  add("--preset", g.preset), add("--frames", g.frames), add("--seconds", g.seconds);
  for (const std::string& plugin : g.plugins) add("--plugin", plugin);
  std::string all = job.check + (job.keep ? "+" : "");
  for (const std::string& word : job.arguments) all += '\n' + word + '\n' + files.of(word);
  job.id = fmt::format("{}-{:016x}", g.name, hash_bytes(all.data(), all.size()));
  return job;
}

/// The next combination; false after the last.
bool next(const JobGroup& g, std::vector<size_t>& at) {
  for (size_t a = g.axes.size(); a-- > 0;) {
    if (++at[a] < g.axes[a].values.size()) return true;
    at[a] = 0;
  }
  return false;
}

}  // namespace

std::vector<BatchJob> read_batch(const std::string& path) {
  std::vector<BatchJob> jobs;
  std::set<std::string> known;
  JobScenes scenes;
  FileContents files;
  for (const JobGroup& g : BatchReader(path).groups()) {
    std::vector<size_t> at(g.axes.size(), 0);
    do {
      BatchJob job = make_job(g, at, files);
      std::vector<JobChoice> all;
      for (size_t a = 0; a < g.axes.size(); ++a) all.emplace_back(g.axes[a].key, g.axes[a].values[at[a]]);
      try {
        job.has_end = scenes.try_out(all, g);
      } catch (const Error& fault) {
        throw Error(fault.what(), fmt::format("{}:{}: run '{}'", path, g.line, g.name));
      }
      if (known.insert(job.id).second) jobs.push_back(std::move(job));
      if (jobs.size() > kMostJobs)
        throw Error(fmt::format("it has more than {} jobs", kMostJobs), path, "make several files of it");
    } while (next(g, at));
  }
  return jobs;
}

}  // namespace weft
