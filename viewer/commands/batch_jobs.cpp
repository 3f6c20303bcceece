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
#include "viewer/commands/batch_file.h"
#include "viewer/commands/scene_input.h"

namespace weft {
namespace {

constexpr size_t kMostJobs = 1'000'000;
using Settings = std::vector<JobChoice>;

/// One combination of what a [[run]] varies.
struct JobPlan {
  std::string scene, body;  // as weft and --obstacle take them; no body: none
  Settings settings;
  Settings choices;  // what differs between jobs of the [[run]], by the words of the file
};

/// The key of a body: that of a garment is called "body" (dressing_scene), others by their file.
std::string body_key(const JobGroup& g, const JobBody& body, const std::string& key) {
  const std::string name = g.dresses ? "body" : std::filesystem::path(body.file).stem().string();
  return "obstacle." + name + "." + key;
}

JobPlan plan_of(const JobGroup& g, const std::vector<size_t>& at) {
  JobPlan plan;
  JobBody body;
  for (size_t a = 0; a < g.axes.size(); ++a) {
    const JobAxis& axis = g.axes[a];
    const std::string& value = axis.values[at[a]];
    if (axis.kind == JobAxisKind::scene) {
      plan.scene = value;
    } else if (axis.kind == JobAxisKind::body) {
      body = g.bodies[at[a]];
      plan.body = body.file;
      for (const auto& [key, text] : body.settings) plan.settings.emplace_back(body_key(g, body, key), text);
    } else if (axis.kind == JobAxisKind::clip) {
      const auto [key, text] = body.clip_setting(value);
      plan.settings.emplace_back(body_key(g, body, key), text);
    } else {
      plan.settings.emplace_back(axis.key, value);
    }
    if (axis.values.size() > 1) plan.choices.emplace_back(axis.key, value);
  }
  return plan;
}

/// Opens a scene once for jobs in a row and tries the settings of jobs on copies.
class JobScenes {
 public:
  /// Whether the scene has end conditions. Throws Error.
  bool try_out(const JobPlan& plan, const JobGroup& group) {
    Settings settings;
    if (!group.preset.empty()) settings = paper_preset(group.preset).settings;
    settings.insert(settings.end(), plan.settings.begin(), plan.settings.end());
    const std::string name = group.name + '\n' + plan.scene + '\n' + plan.body;
    if (name != name_ || !opened_) {
      const std::vector<std::string> bodies(plan.body.empty() ? 0 : 1, plan.body);
      opened_ = std::make_unique<Scene>(open_scene(plan.scene, bodies));
      add_plugins(*opened_, group.plugins);
      name_ = name;
    }
    Scene copy = *opened_;
    ViewSettings view;
    apply_settings(settings, copy, view);
    return !copy.end.empty();
  }

 private:
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

BatchJob make_job(const JobGroup& g, const JobPlan& plan, FileContents& files) {
  BatchJob job = g.like;
  job.group = g.name;
  job.choices = plan.choices;
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) job.arguments.insert(job.arguments.end(), {option, value});
  };
  job.arguments.push_back(plan.scene);
  add("--obstacle", plan.body);
  for (const auto& [key, value] : plan.settings) add("--set", key + "=" + value);
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
  for (const JobGroup& g : read_batch_file(path)) {
    std::vector<size_t> at(g.axes.size(), 0);
    do {
      const JobPlan plan = plan_of(g, at);
      BatchJob job = make_job(g, plan, files);
      try {
        job.has_end = scenes.try_out(plan, g);
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
